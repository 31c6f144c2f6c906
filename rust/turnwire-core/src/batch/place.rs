//! The place of a payload in its row: the row itself, or a key of the envelope that a batch file puts around it.

use std::sync::Arc;

use super::prompt_row::PromptRow;
use crate::{
    detect::Reading,
    report::{
        error::{Code, Error},
        path::{Path, Step},
    },
    value::{
        door::{Key, Source, keys},
        handle::Host,
        json::tape::TapeSource,
        node::NodeKind,
    },
};

keys! {
    CUSTOM_ID = "custom_id";
    BODY = "body";
    PARAMS = "params";
    RESPONSE = "response";
    RESULT = "result";
    CONVERSATION = "conversation";
    CONVERSATIONS = "conversations";
    CONTENTS = "contents";
    TRAJ = "traj";
    REQUESTS = "requests";
    INPUT = "input";
    MESSAGES = "messages";
    PROMPT = "prompt";
    CHOSEN = "chosen";
}

/// Where the payloads of a row are.
#[derive(Clone, Debug, Default)]
pub enum At {
    /// Inside a known envelope, else the row itself.
    #[default]
    Found,
    /// Under these keys, each inside the one before. Without keys, the row itself.
    Keys(Vec<Arc<str>>),
}

impl At {
    /// The row itself.
    pub const ROW: &'static str = "$";

    /// Reads the name of one key, or of several with dots between them.
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

    /// The payloads of a row in their order, each with its path.
    pub(super) fn places<'t, H: Host>(&self, row: &Node<'t, H>, source: Reading) -> Places<'t, H> {
        match self {
            Self::Found => found(row, source),
            Self::Keys(keys) => Ok(vec![follow(row, keys)?]),
        }
    }
}

type Node<'t, H> = TapeSource<'t, H>;

/// What is found at a place of a row.
pub(super) enum Found<'t, H: Host> {
    /// A payload.
    Payload(Node<'t, H>),
    /// A prompt and its completions, which become payloads together.
    PromptRow(Box<PromptRow<'t, H>>),
}

impl<'t, H: Host> Found<'t, H> {
    /// The value that the result replaces.
    pub(super) fn node(&self) -> Node<'t, H> {
        match self {
            Self::Payload(node) => *node,
            Self::PromptRow(row) => row.row,
        }
    }
}

/// Payloads, each with its path.
type Places<'t, H> = Result<Vec<(Path, Found<'t, H>)>, Error>;

fn follow<'t, H: Host>(row: &Node<'t, H>, keys: &[Arc<str>]) -> Result<(Path, Found<'t, H>), Error> {
    let mut node = *row;
    for (depth, key) in keys.iter().enumerate() {
        let path = || Path::of(keys[..depth].iter().cloned().map(Step::Name));
        if node.kind() != NodeKind::Map {
            let text = format!("expected an object with the key {key:?}, got {}", node.describe());
            return Err(Error::new(Code::WrongType, text).at_path(path()));
        }
        // Of two equal keys the last one counts, as everywhere.
        let named = node.entries().filter(|(name, _)| name.is(key, node.input()));
        let Some((_, inner)) = named.last() else {
            let text = format!("expected the key {key:?}, got an object without it");
            return Err(Error::new(Code::MissingKey, text).at_path(path()));
        };
        node = inner;
    }
    Ok((Path::of(keys.iter().cloned().map(Step::Name)), Found::Payload(node)))
}

/// Finds payloads in the known envelopes of batch files, fine-tuning files and data sets.
fn found<'t, H: Host>(row: &Node<'t, H>, source: Reading) -> Places<'t, H> {
    let whole = || Ok(vec![(Path::default(), Found::Payload(*row))]);
    match row.kind() {
        NodeKind::Map => {}
        NodeKind::List if row.items().next().is_some_and(|first| is_row(&first)) => {
            return each(&Path::default(), row, source);
        }
        _ => return whole(),
    }
    let at = |key: &'static Key, kind| row.get(key).filter(|node| node.kind() == kind);
    let under = |key: &'static Key, node| Ok(vec![(Path::key(key.name), Found::Payload(node))]);
    if row.get(&CUSTOM_ID).is_some() {
        for key in [&BODY, &PARAMS] {
            if let Some(body) = at(key, NodeKind::Map) {
                return under(key, body);
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
    if let Some(requests) = at(&REQUESTS, NodeKind::List) {
        return each(&Path::key(REQUESTS.name), &requests, source);
    }
    if let Some(prompted) = PromptRow::of(row, source)? {
        return Ok(vec![(Path::default(), Found::PromptRow(Box::new(prompted)))]);
    }
    if let Some(input) = row.get(&INPUT).filter(|input| input.get(&MESSAGES).is_some()) {
        return under(&INPUT, input);
    }
    for key in [&CONVERSATION, &TRAJ] {
        if let Some(list) = at(key, NodeKind::List) {
            return under(key, list);
        }
    }
    whole()
}

/// Whether an element of a list is a row and not a message: such a list is a document of many rows.
fn is_row<H: Host>(element: &Node<'_, H>) -> bool {
    if element.kind() == NodeKind::List {
        return element.items().all(|message| message.kind() == NodeKind::Map);
    }
    [&MESSAGES, &CONTENTS, &CONVERSATIONS, &CONVERSATION, &TRAJ, &CUSTOM_ID, &PROMPT, &CHOSEN]
        .iter()
        .any(|key| element.get(key).is_some())
}

/// The payloads of every row of a list. `under` is the path of the list.
fn each<'t, H: Host>(under: &Path, list: &Node<'t, H>, source: Reading) -> Places<'t, H> {
    let mut all = Vec::new();
    for (at, row) in list.items().enumerate() {
        let index = under.clone().then(Step::Index(at));
        let places = found(&row, source).map_err(|error| {
            let path = index.clone().join(error.path());
            error.at_path(path)
        })?;
        all.extend(places.into_iter().map(|(path, node)| (index.clone().join(&path), node)));
    }
    Ok(all)
}

/// The error for the results of a batch, which are replies.
#[cold]
fn reply(key: &'static Key) -> Error {
    let text = format!("expected a conversation, got the result of a batch: what is under {:?} is a reply", key.name);
    Error::new(Code::WrongType, text).at_path(Path::key(key.name))
}
