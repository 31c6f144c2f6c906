//! The place of a payload in its row: the row itself, or a key of the envelope that a batch file puts around it.

use crate::k;
use std::sync::Arc;

use super::{
    laid_out::LaidOut,
    lines::{Origin, Record, Rest},
    prompt_row::PromptRow,
};
use crate::{
    convert,
    detect::{Reading, detect, has_list, messages},
    dialects::table::ids,
    layouts::Layout,
    report::{Error, Path, Step, error::Code},
    rules::DialectId,
    value::{Host, Input, Key, NodeKind, Source, Tape, TapeSource, door::keys},
};

keys! {
    CUSTOM_ID = "custom_id";
    PARAMS = "params";
    TRAJ = "traj";
    REQUESTS = "requests";
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

    /// The way to the payloads from a row.
    pub(super) fn way(&self, rest: Rest) -> Way<'_> {
        match (self, rest) {
            (Self::Found, _) | (_, Rest::Found) => Way::Found,
            (Self::Keys(keys), Rest::All) if keys.is_empty() => Way::Row,
            (Self::Keys(keys), Rest::All) => Way::Keys(keys),
            (Self::Keys(keys), Rest::After(used)) => Way::Keys(keys.get(used..).unwrap_or_default()),
        }
    }

    /// The rows in a row whose way to its payloads goes through lists: each is the innermost object in a list.
    pub(super) fn inner<H: Host>(&self, row: &Node<'_, H>, origin: &Origin) -> Option<Vec<Record>> {
        let Way::Keys(keys) = self.way(origin.rest) else { return None };
        let used = if let Rest::After(used) = origin.rest { used } else { 0 };
        let mut all = Vec::new();
        through_lists(row, keys, used, &origin.path, &mut all).then_some(all)
    }
}

/// The way to the payloads of a row.
#[derive(Clone, Copy, Debug)]
pub(super) enum Way<'a> {
    /// Through a known envelope.
    Found,
    /// None: the row is the payload.
    Row,
    /// Through these keys, the items of lists and JSON text.
    Keys(&'a [Arc<str>]),
}

impl Way<'_> {
    /// The payloads of a row in their order, each with its path.
    pub(super) fn places<'t, H: Host>(self, row: &Node<'t, H>, source: Reading) -> Places<'t, H> {
        match self {
            Self::Found => found(row, source),
            Self::Row => Ok(vec![(Path::default(), payload(row, source)?)]),
            Self::Keys(keys) => {
                let mut all = Vec::new();
                follow(row, keys, Path::default(), source, &mut all)?;
                Ok(all)
            }
        }
    }
}

type Node<'t, H> = TapeSource<'t, H>;

/// What is found at a place of a row.
pub(super) enum Found<'t, H: Host> {
    /// A payload.
    Payload(Node<'t, H>),
    /// A record that a layout has read.
    LaidOut(Box<LaidOut<'t, H>>),
    /// A prompt and its completions, which become payloads together.
    PromptRow(Box<PromptRow<'t, H>>),
    /// JSON in a text, with payloads in it.
    Text(JsonText<'t, H>),
}

/// JSON in a text.
pub(super) struct JsonText<'t, H: Host> {
    node: Node<'t, H>,
    /// The text without escapes.
    pub(super) json: Input,
    /// The rest of the way to the payloads.
    pub(super) keys: Vec<Arc<str>>,
}

impl<'t, H: Host> JsonText<'t, H> {
    /// The JSON in a text, if there is an object or a list in it.
    #[cold]
    fn of(node: &Node<'t, H>, keys: &[Arc<str>]) -> Option<Self> {
        let text = node.text()?;
        let json = text.wtf8(Some(node.input()?)).into_owned();
        matches!(json.trim_ascii_start().first(), Some(b'{' | b'[')).then_some(())?;
        let json = Input::new(json);
        Tape::read(&json).ok()?;
        Some(Self { node: *node, json, keys: keys.to_vec() })
    }
}

impl<'t, H: Host> Found<'t, H> {
    /// The value that the result replaces.
    pub(super) fn node(&self) -> Node<'t, H> {
        match self {
            Self::Payload(node) => *node,
            Self::LaidOut(record) => record.record,
            Self::PromptRow(row) => row.row,
            Self::Text(text) => text.node,
        }
    }
}

/// Payloads, each with its path.
type Places<'t, H> = Result<Vec<(Path, Found<'t, H>)>, Error>;

/// Follows the keys from a value to the payloads. A step into a list goes into each of its items.
fn follow<'t, H: Host>(
    node: &Node<'t, H>,
    keys: &[Arc<str>],
    path: Path,
    source: Reading,
    all: &mut Vec<(Path, Found<'t, H>)>,
) -> Result<(), Error> {
    let Some((key, rest)) = keys.split_first() else { return at_end(node, path, source, all) };
    match node.kind() {
        NodeKind::Map => {
            let Some(inner) = named(node, key) else {
                let text = format!("expected the key {key:?}, got an object without it");
                return Err(Error::new(Code::MissingKey, text).at_path(path));
            };
            follow(&inner, rest, path.then(Step::Name(Arc::clone(key))), source, all)
        }
        NodeKind::List => {
            let mut items = node.items().enumerate();
            items.try_for_each(|(at, item)| follow(&item, keys, path.clone().then(Step::Index(at)), source, all))
        }
        _ => {
            if let Some(text) = JsonText::of(node, keys) {
                all.push((path, Found::Text(text)));
                return Ok(());
            }
            let text = format!("expected an object with the key {key:?}, got {}", node.describe());
            Err(Error::new(Code::WrongType, text).at_path(path))
        }
    }
}

/// The payloads in the value at the end of the keys: itself, the rows of a list, or what is in JSON text.
fn at_end<'t, H: Host>(
    node: &Node<'t, H>,
    path: Path,
    source: Reading,
    all: &mut Vec<(Path, Found<'t, H>)>,
) -> Result<(), Error> {
    if node.kind() == NodeKind::List && node.items().next().is_some_and(|first| is_row(&first)) {
        all.extend(each(&path, node, source)?);
        return Ok(());
    }
    let found = if node.kind() == NodeKind::Text { JsonText::of(node, &[]) } else { None };
    let found = match found {
        Some(text) => Found::Text(text),
        None => payload(node, source).map_err(|error| inside(error, &path))?,
    };
    all.push((path, found));
    Ok(())
}

/// The value of a key. Of two equal keys the last one counts, as everywhere.
fn named<'t, H: Host>(node: &Node<'t, H>, key: &str) -> Option<Node<'t, H>> {
    node.entries().filter(|(name, _)| name.is(key, node.input())).last().map(|(_, value)| value)
}

/// Collects the rows in a value, if the way to its payloads goes through a list, or ends at one of rows. `used`: how
/// many keys lead to the value.
fn through_lists<H: Host>(
    node: &Node<'_, H>,
    keys: &[Arc<str>],
    used: usize,
    path: &Path,
    all: &mut Vec<Record>,
) -> bool {
    let is_end = keys.is_empty();
    match (node.kind(), keys.split_first()) {
        (NodeKind::Map, Some((key, rest))) => named(node, key).is_some_and(|inner| {
            through_lists(&inner, rest, used + 1, &path.clone().then(Step::Name(Arc::clone(key))), all)
        }),
        (NodeKind::List, _) if !is_end || node.items().next().is_some_and(|first| is_object_row(&first)) => {
            for (at, item) in node.items().enumerate() {
                let path = path.clone().then(Step::Index(at));
                if is_end || !through_lists(&item, keys, used, &path, all) {
                    let rest = if is_end { Rest::Found } else { Rest::After(used) };
                    all.push(Record {
                        at: item.start()..item.end(),
                        origin: Origin { path, rest, ..Origin::default() },
                    });
                }
            }
            true
        }
        _ => false,
    }
}

/// Finds payloads in the known envelopes of batch files, fine-tuning files and data sets.
fn found<'t, H: Host>(row: &Node<'t, H>, source: Reading) -> Places<'t, H> {
    let whole = || Ok(vec![(Path::default(), payload(row, source)?)]);
    match row.kind() {
        NodeKind::Map => {}
        NodeKind::List if row.items().next().is_some_and(|first| is_row(&first)) => {
            return each(&Path::default(), row, source);
        }
        _ => return whole(),
    }
    let at = |key: &'static Key, kind| row.get(key).filter(|node| node.kind() == kind);
    let under = |key: &'static Key, node| {
        let path = Path::key(key.name);
        let found = payload(&node, source).map_err(|error| inside(error, &path))?;
        Ok(vec![(path, found)])
    };
    if row.get(&CUSTOM_ID).is_some() {
        for key in [&k::BODY, &PARAMS] {
            if let Some(body) = at(key, NodeKind::Map) {
                row.get(&k::URL).map_or(Ok(None), |url| sent_to(&url))?;
                return under(key, body);
            }
        }
        for key in [&k::RESPONSE, &k::RESULT] {
            if row.get(key).is_some() {
                return Err(reply(key));
            }
        }
    }
    if row.get(&k::MESSAGES).is_some() || matches!(source, Reading::Layout(..)) {
        return whole();
    }
    if let Some(requests) = at(&REQUESTS, NodeKind::List) {
        return each(&Path::key(REQUESTS.name), &requests, source);
    }
    match PromptRow::of(row, source) {
        Ok(Some(prompted)) => return Ok(vec![(Path::default(), Found::PromptRow(Box::new(prompted)))]),
        Ok(None) => {}
        // Its answers may be texts.
        Err(error) => {
            let record = LaidOut::instead(row, source, &error).ok_or(error)??;
            return Ok(vec![(Path::default(), Found::LaidOut(Box::new(record)))]);
        }
    }
    if let Some(input) = row.get(&k::INPUT).filter(|input| input.get(&k::MESSAGES).is_some()) {
        return under(&k::INPUT, input);
    }
    let is_laid_out = matches!(source, Reading::Auto(_)) && Layout::claiming(row).is_some();
    for key in [&k::CONVERSATION, &TRAJ] {
        if let Some(list) = at(key, NodeKind::List).filter(|_| !is_laid_out) {
            return under(key, list);
        }
    }
    whole()
}

/// A payload, or what a layout reads if no dialect has a list there.
fn payload<'t, H: Host>(node: &Node<'t, H>, source: Reading) -> Result<Found<'t, H>, Error> {
    let record = match source {
        Reading::Layout(row, likely) => Some(LaidOut::named(*node, row, likely)?),
        Reading::Auto(likely) => {
            let layout = match () {
                () if node.kind() == NodeKind::Map && node.get(&k::MESSAGES).is_none() && !has_list(node) => {
                    Layout::claiming(node)
                }
                () => Layout::ahead(node),
            };
            layout.map(|layout| LaidOut::by(*node, layout, likely)).transpose()?
        }
        _ => None,
    };
    match (record, source.named_or_likely()) {
        (Some(record), _) => return Ok(Found::LaidOut(Box::new(record))),
        (None, Err(likely)) if has_texts(node) => read_texts(node, likely)?,
        _ => {}
    }
    Ok(Found::Payload(*node))
}

/// Whether a text is in place of a message.
fn has_texts<H: Host>(node: &Node<'_, H>) -> bool {
    messages(node).is_some_and(|list| list.items().any(|element| element.kind() == NodeKind::Text))
}

/// Refuses texts in place of messages. Those of a caller are a user's, but of a file's nobody knows who speaks,
/// unless the format says it.
#[cold]
fn read_texts<H: Host>(node: &Node<'_, H>, likely: Option<DialectId>) -> Result<(), Error> {
    convert::parse(node, detect(node, likely)?).map(|_| ())
}

/// Whether an element of a list is a row and not a message: such a list is a document of many rows.
pub(super) fn is_row<H: Host>(element: &Node<'_, H>) -> bool {
    if element.kind() == NodeKind::List {
        return element.items().all(|message| message.kind() == NodeKind::Map);
    }
    is_object_row(element)
}

/// Whether an element of a list is a row that is an object. One with a role is a message, unless it has messages.
pub(super) fn is_object_row<H: Host>(element: &Node<'_, H>) -> bool {
    if element.get(&k::MESSAGES).is_none() && element.get(&k::ROLE).is_some() {
        return false;
    }
    [&k::MESSAGES, &k::CONTENTS, &k::CONVERSATIONS, &k::CONVERSATION, &TRAJ, &CUSTOM_ID, &k::PROMPT, &k::CHOSEN]
        .iter()
        .any(|key| element.get(key).is_some())
}

/// The payloads of every row of a list. `under` is the path of the list.
fn each<'t, H: Host>(under: &Path, list: &Node<'t, H>, source: Reading) -> Places<'t, H> {
    let mut all = Vec::new();
    for (at, row) in list.items().enumerate() {
        let index = under.clone().then(Step::Index(at));
        let places = found(&row, source).map_err(|error| inside(error, &index))?;
        all.extend(places.into_iter().map(|(path, node)| (index.clone().join(&path), node)));
    }
    Ok(all)
}

/// Whether a line of a batch is sent to an address for conversations: its body is in this dialect. Fails for another address.
fn sent_to<S: Source>(url: &S) -> Result<Option<DialectId>, Error> {
    let Some(word) = url.word() else { return Ok(None) };
    let chats = || ids().filter(|id| id.profile().is_empty() && !id.facts.endpoint.is_empty());
    if let Some(dialect) = chats().find(|id| word.ends_with(id.facts.endpoint)) {
        return Ok(Some(dialect));
    }
    let ends = chats().map(|id| id.facts.endpoint).collect::<Vec<_>>().join(", ");
    let text = format!("expected an address that ends with one of {ends}, got {word:?}, to which no messages are sent");
    Err(Error::new(Code::WrongDialect, text).at_path(Path::key(k::URL.name)))
}

/// How to read the payload of a row: the address of a line of a batch decides its dialect, unless the caller names one.
pub(super) fn reading<H: Host>(row: &Node<'_, H>, source: Reading) -> Reading {
    let Err(_) = source.named_or_likely() else { return source };
    let is_line = row.kind() == NodeKind::Map && row.get(&CUSTOM_ID).is_some() && row.get(&k::BODY).is_some();
    match row.get(&k::URL).filter(|_| is_line).map(|url| sent_to(&url)) {
        Some(Ok(Some(dialect))) if matches!(source, Reading::AutoWithResults(_)) => Reading::WithResults(dialect),
        Some(Ok(Some(dialect))) if matches!(source, Reading::Auto(_)) => Reading::As(dialect),
        _ => source,
    }
}

/// The error for the results of a batch, which are replies.
#[cold]
fn reply(key: &'static Key) -> Error {
    let text = format!("expected a conversation, got the result of a batch: what is under {:?} is a reply", key.name);
    Error::new(Code::WrongType, text).at_path(Path::key(key.name))
}

/// An error of a payload with its path in the row.
pub(super) fn inside(error: Error, path: &Path) -> Error {
    if path.is_root() {
        return error;
    }
    let path = path.clone().join(error.path());
    error.at_path(path)
}
