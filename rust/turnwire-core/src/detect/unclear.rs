//! The errors for what has no dialect, or several.

use super::{
    Seen, hint,
    index::{Index, Set},
    is_element, look, reply,
};
use crate::{
    report::{
        Path,
        error::{Code, Error},
    },
    value::{NodeKind, Source},
    wire::read::keys::found,
};

#[cold]
pub(super) fn no_list<S: Source>(payload: &S) -> Error {
    let got = found(payload);
    let is_one = || {
        let one = look::element(payload, true, Set::ALL, Path::default).is_ok_and(|look| look.signed);
        (one && is_element(payload)).then(|| reply::ONE_MESSAGE.to_owned())
    };
    match reply::way_out(payload).or_else(is_one) {
        Some(way_out) => {
            let lists = Index::get().lists.iter().map(|key| format!("{:?}", key.name)).collect::<Vec<_>>().join(", ");
            let text = format!("expected a list, or a body with one of the keys {lists}, got {got}{way_out}");
            Error::new(Code::MissingKey, text)
        }
        None => unknown(payload),
    }
}

#[cold]
pub(super) fn unknown<S: Source>(payload: &S) -> Error {
    let what = match payload.kind() {
        NodeKind::Map => found(payload),
        NodeKind::List if payload.is_empty() => "an empty list".to_owned(),
        NodeKind::List => match payload.items().find(|element| element.kind() == NodeKind::Map) {
            Some(element) => format!("a list with {}", found(&element)),
            None => "a list of texts".to_owned(),
        },
        _ => payload.describe(),
    };
    let way_out = hint::way_out(payload).unwrap_or_else(|| ", which no dialect claims".to_owned());
    Error::new(Code::NoDialect, format!("cannot tell the dialect of {what}{way_out}"))
}

/// The error for a list of several dialects: it names the first element that conflicts with those before it.
#[cold]
pub(super) fn mixed(seen: &Seen) -> Error {
    let index = Index::get();
    let mut left = seen.frame.able;
    for (at, look) in seen.looks.iter().enumerate() {
        if left.and(look.able).is_empty() {
            let (before, one) = (index.names(left), index.names(look.able));
            let text = format!("expected elements of one dialect, got {before} before this one, which is {one}");
            return Error::new(Code::MixedDialects, text).at_path(Path::element(seen.list, at));
        }
        left = left.and(look.able);
    }
    Error::new(Code::NoDialect, format!("{} cannot be read yet", index.names(left)))
}
