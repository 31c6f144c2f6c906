//! Where in a row its payload stands: the row itself, or a key of the envelope that a batch file puts around it.

use std::sync::Arc;

use crate::{
    error::{Code, Error},
    handle::NoHost,
    json::tape::TapeSource,
    node::NodeKind,
    path::{Path, Step},
    value::{Key, Source, keys},
};

keys! {
    CUSTOM_ID = "custom_id";
    BODY = "body";
    PARAMS = "params";
    RESPONSE = "response";
    RESULT = "result";
    CONVERSATION = "conversation";
    TRAJ = "traj";
    INPUT = "input";
    MESSAGES = "messages";
    PREFERRED = "preferred_output";
    NON_PREFERRED = "non_preferred_output";
    PROMPT = "prompt";
    COMPLETION = "completion";
    CHOSEN = "chosen";
    REJECTED = "rejected";
}

/// Where the payloads of a row are.
#[derive(Clone, Debug, Default)]
pub enum At {
    /// Wherever a known envelope has them, else the row itself.
    #[default]
    Found,
    /// Under these keys, each inside of the one before; the row itself where there are none.
    Keys(Vec<Arc<str>>),
}

impl At {
    /// The row itself.
    pub const ROW: &'static str = "$";

    /// By the name of a key, or several with dots between.
    pub fn named(path: &str) -> Result<Self, Error> {
        let keys = path.strip_prefix(Self::ROW).map_or(path, |rest| rest.strip_prefix('.').unwrap_or(rest));
        if keys.is_empty() && path.starts_with(Self::ROW) {
            return Ok(Self::Keys(Vec::new()));
        }
        if keys.split('.').any(str::is_empty) {
            let text =
                format!("at is {path:?}: expected a key, or several with dots between, such as \"response.body\"");
            return Err(Error::new(Code::UnknownOption, text));
        }
        Ok(Self::Keys(keys.split('.').map(Arc::from).collect()))
    }

    /// The payloads of a row in the order in which they stand, each with the path to it.
    pub(super) fn payloads<'t>(&self, row: &Node<'t>) -> Result<Vec<(Path, Node<'t>)>, Error> {
        match self {
            Self::Found => found(row),
            Self::Keys(keys) => Ok(vec![follow(row, keys)?]),
        }
    }
}

type Node<'t> = TapeSource<'t, NoHost>;

fn follow<'t>(row: &Node<'t>, keys: &[Arc<str>]) -> Result<(Path, Node<'t>), Error> {
    let mut node = *row;
    for (depth, key) in keys.iter().enumerate() {
        let path = || Path::of(keys[..depth].iter().cloned().map(Step::Name));
        if node.kind() != NodeKind::Map {
            let text = format!("expected an object with the key {key:?}, got {}", node.describe());
            return Err(Error::new(Code::WrongType, text).at_path(path()));
        }
        // Of two with the same key the last counts, as everywhere.
        let named = node.entries().filter(|(name, _)| name.is(key, node.input()));
        let Some((_, inner)) = named.last() else {
            let text = format!("expected the key {key:?}, got an object without it");
            return Err(Error::new(Code::MissingKey, text).at_path(path()));
        };
        node = inner;
    }
    Ok((Path::of(keys.iter().cloned().map(Step::Name)), node))
}

/// The envelopes of batch files, fine-tuning files and data sets.
fn found<'t>(row: &Node<'t>) -> Result<Vec<(Path, Node<'t>)>, Error> {
    let whole = || Ok(vec![(Path::default(), *row)]);
    if row.kind() != NodeKind::Map {
        return whole();
    }
    let is = |key: &'static Key, kind| row.get(key).is_some_and(|node| node.kind() == kind);
    let all = |keys: &[&'static Key]| {
        let mut places: Vec<_> = keys.iter().filter_map(|key| Some((Path::key(key.name), row.get(key)?))).collect();
        places.sort_by_key(|(_, node)| node.start());
        Ok(places)
    };
    if row.get(&CUSTOM_ID).is_some() {
        for key in [&BODY, &PARAMS] {
            if is(key, NodeKind::Map) {
                return all(&[key]);
            }
        }
        for key in [&RESPONSE, &RESULT] {
            if row.get(key).is_some() {
                return Err(reply(key));
            }
        }
    }
    if row.get(&MESSAGES).is_some() {
        return whole();
    }
    if row.get(&INPUT).is_some_and(|input| input.get(&MESSAGES).is_some()) {
        return all(&[&INPUT, &PREFERRED, &NON_PREFERRED]);
    }
    if is(&PROMPT, NodeKind::List) {
        return all(&[&PROMPT, &COMPLETION, &CHOSEN, &REJECTED]);
    }
    for key in [&CONVERSATION, &TRAJ] {
        if is(key, NodeKind::List) {
            return all(&[key]);
        }
    }
    whole()
}

/// The results of a batch are replies.
#[cold]
fn reply(key: &'static Key) -> Error {
    let text = format!("expected a conversation, got the result of a batch: what is under {:?} is a reply", key.name);
    Error::new(Code::WrongType, text).at_path(Path::key(key.name))
}
