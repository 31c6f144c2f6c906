//! A whole reply where a message or a list belongs: what of it to hand on.

use crate::{
    dialects::table::reply_keys,
    report::{
        error::{Code, Error},
        path::Step,
    },
    value::{
        door::{Key, Source},
        node::NodeKind,
    },
};

/// What to say of a reply; nothing of anything else.
pub(super) fn way_out<S: Source>(node: &S) -> Option<String> {
    let has = |keys: &&[&'static Key]| keys.iter().all(|key| node.get(key).is_some());
    let (id, _) = reply_keys().find(|(_, signs)| signs.iter().any(has))?;
    let place = id.facts.reply_message;
    Some(match place {
        "" => ", which is one message: it goes into a list".to_owned(),
        _ => format!(", which is a reply of {}: pass response{place}, in a list", id.name()),
    })
}

/// The same error, with what to do where the element that could not be read is a reply.
pub(crate) fn explained_reply<S: Source>(error: Error, payload: &S) -> Error {
    if !matches!(error.code(), Code::MissingKey | Code::UnknownRole) {
        return error;
    }
    let index = |step| if let Step::Index(index) = step { Some(index) } else { None };
    let Some(at) = error.path().steps().take(2).find_map(index) else { return error };
    let list = if payload.kind() == NodeKind::Map { super::list_of(payload).map(|(_, list)| list) } else { None };
    let Some(way_out) = list.as_ref().unwrap_or(payload).items().nth(at).as_ref().and_then(way_out) else {
        return error;
    };
    error.saying(&way_out)
}
