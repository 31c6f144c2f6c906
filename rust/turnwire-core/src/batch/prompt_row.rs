//! A training row that holds a prompt and its completions. Each completion is processed together with the prompt.
//!
//! 1. [`RowLayout`] says where the lists are. A missing list, or another value, is an error with its path.
//! 2. Each completion gets a payload: the prompt's elements, the completion's, and the tools beside them.
//! 3. The ordinary code processes it. Paths of errors and losses become paths in the row.
//! 4. The result is divided where the first element comes from the completion. An element that comes from both is an error,
//!    and so is a prompt that differs between two completions: no row can express them.
//! 5. The row is written in the target's layout. Its other keys stay unchanged.

mod divided;
mod object;
mod write;

use crate::k;
use std::borrow::Cow;

use self::{
    divided::Divided,
    object::{Object, put_list},
};
use super::Place;
use crate::{
    convert,
    detect::{Reading, detect},
    model::{Kind, Part, Role, Turn},
    report::{Error, Options, Path, Step, error::Code},
    rules::{DialectId, RowLayout, Side},
    value::{Host, Input, JsonSink, Key, NodeKind, Source, Tape, TapeSource, Text},
};

type Node<'t, H> = TapeSource<'t, H>;

/// A row with a prompt and its completions.
pub(super) struct PromptRow<'t, H: Host> {
    pub(super) row: Node<'t, H>,
    layout: &'static RowLayout,
    /// The value under the prompt's key.
    prompt_node: Option<Node<'t, H>>,
    prompt: Vec<Cow<'t, [u8]>>,
    /// A prompt that is text, and with which each completion begins already. It is one of the row's other keys.
    told: Option<Node<'t, H>>,
    /// In the order of the row.
    completions: Vec<Completion<'t, H>>,
    /// The keys of the conversation, such as its tools. If the prompt is a body, they are that body's own.
    beside: Vec<(Text<H>, Node<'t, H>)>,
    /// The key of the list in a payload made from the row. Empty for a bare list.
    list: &'static str,
}

struct Completion<'t, H: Host> {
    side: Side,
    key: &'static Key,
    node: Node<'t, H>,
    elements: Vec<Node<'t, H>>,
}

impl<H: Host> Completion<'_, H> {
    fn path(&self) -> Path {
        Path::key(self.key.name)
    }
}

/// A payload made from the prompt and one completion.
struct Joined {
    tape: Tape,
    /// The index of the completion.
    which: usize,
    dialect: Option<DialectId>,
}

impl<'t, H: Host> PromptRow<'t, H> {
    /// Reads a row; `None` for a row of another kind.
    pub(super) fn of(row: &Node<'t, H>, source: Reading) -> Result<Option<Self>, Error> {
        let Some(layout) = RowLayout::of(row) else { return Ok(None) };
        let mut completions = Vec::new();
        for (side, key) in layout.completions {
            if let Some(node) = said(row, key) {
                completions.push(Completion { side: *side, key, node, elements: answer(&node, layout, key)? });
            }
        }
        let has = |side| completions.iter().any(|one: &Completion<'_, H>| one.side == side);
        for (side, other) in [(Side::Better, Side::Worse), (Side::Worse, Side::Better)] {
            if let Some(missing) = layout.key(other).filter(|_| has(side) && !has(other)) {
                return Err(missing_key(missing, Path::default()));
            }
        }
        let prompt_node = said(row, layout.prompt);
        let path = Path::key(layout.prompt.name);
        let prompt = match &prompt_node {
            Some(body) if layout.prompt_is_body => match said(body, &k::MESSAGES) {
                Some(list) => elements(&list, path.then(Step::Key(k::MESSAGES.name)))?,
                None => return Err(missing_key(&k::MESSAGES, path)),
            },
            // It is read below, when the dialect of the completions is known.
            Some(text) if text.kind() == NodeKind::Text => Vec::new(),
            Some(list) => elements(list, path)?,
            None if layout.prompt_is_body || has(Side::Only) => {
                return Err(missing_key(layout.prompt, Path::default()));
            }
            None => Vec::new(),
        };
        completions.sort_by_cached_key(|one| one.node.start());
        let prompt = prompt.iter().map(|one| Cow::Borrowed(one.json())).collect();
        let (told, beside) = (None, Vec::new());
        let mut row = Self { row: *row, layout, prompt_node, prompt, told, completions, beside, list: "" };
        if let Some(text) = row.prompt_node.filter(|node| node.kind() == NodeKind::Text) {
            row.read_prompt(text, source)?;
        }
        row.find_beside(source)?;
        Ok(Some(row))
    }

    /// Reads a prompt that is text. If each completion begins with the same text of the user, it adds nothing. Otherwise
    /// it is the user's message before them.
    fn read_prompt(&mut self, text: Node<'t, H>, source: Reading) -> Result<(), Error> {
        let mut begun = true;
        for which in 0..self.completions.len() {
            let tape = Tape::read(&Input::new(self.text(which)))?;
            let read = convert::parse(&tape.view().root::<H>(), source).map_err(|error| self.placed(error, which))?;
            begun &= read.turns().first().is_some_and(|turn| is_said_by_user(turn, &text));
        }
        if begun {
            (self.told, self.prompt_node) = (Some(text), None);
            return Ok(());
        }
        let dialect = self.dialect(source)?;
        let mut list = Vec::new();
        put_list([text.json()].into_iter(), &mut list);
        let tape = Tape::read(&Input::new(list))?;
        let said = convert::parse(&tape.view().root::<H>(), Reading::Auto(Some(dialect)))?;
        let mut sink = JsonSink::new(Vec::new());
        let written = convert::render(&said, dialect, &Options::default(), &mut sink)?;
        let divided = Divided::of(sink.into_bytes(), &written.provenance, Some(dialect), 1)?;
        self.prompt = divided.prompt.into_iter().map(Cow::Owned).collect();
        Ok(())
    }

    /// The dialect of the first payload.
    fn dialect(&self, source: Reading) -> Result<DialectId, Error> {
        source.named_or_likely().or_else(|likely| {
            let tape = Tape::read(&Input::new(self.text(0)))?;
            detect(&tape.view().root::<H>(), likely).map_err(|error| self.placed(error, 0))
        })
    }

    /// Finds the keys that a payload needs beside the list.
    fn find_beside(&mut self, source: Reading) -> Result<(), Error> {
        if let Some(body) = self.prompt_node.filter(|_| self.layout.prompt_is_body) {
            self.list = k::MESSAGES.name;
            self.beside = body.entries().collect();
            return Ok(());
        }
        let dialect = self.dialect(source)?;
        let Some(slots) = dialect.facts.slots else { return Ok(()) };
        self.list = slots.list.first().key.name;
        let beside = self.row.entries().filter(|(key, node)| {
            let is = |name: &str| key.is(name, node.input());
            let list = self.is_list(node) || is(self.list);
            !list && !slots.bare() && slots.tops(&self.row).any(|top| is(top.name))
        });
        self.beside = beside.collect();
        Ok(())
    }

    /// Whether a value of the row is its prompt or a completion.
    fn is_list(&self, node: &Node<'_, H>) -> bool {
        let lists = self.completions.iter().map(|one| &one.node).chain(&self.prompt_node);
        lists.into_iter().any(|list| list.start() == node.start())
    }

    /// The elements of a payload.
    fn elements(&self, which: usize) -> impl Iterator<Item = &[u8]> {
        let completion = self.completions.get(which).into_iter().flat_map(|one| &one.elements);
        self.prompt.iter().map(|one| &**one).chain(completion.map(Node::json))
    }

    /// The text of a payload: a body, or a bare list.
    fn text(&self, which: usize) -> Vec<u8> {
        let mut out = Vec::new();
        if self.list.is_empty() {
            put_list(self.elements(which), &mut out);
            return out;
        }
        let mut body = Object::open(&mut out);
        let mut listed = false;
        for (key, node) in &self.beside {
            listed |= key.is(self.list, node.input());
            body.key_text(key, node.input());
            if key.is(self.list, node.input()) {
                put_list(self.elements(which), body.out);
            } else {
                body.out.extend_from_slice(node.json());
            }
        }
        if !listed {
            body.key(self.list);
            put_list(self.elements(which), body.out);
        }
        body.close();
        out
    }

    /// The payload of each completion, or of the prompt if there is no completion.
    fn joined(&self, source: Reading) -> impl Iterator<Item = Result<Joined, Error>> {
        (0..self.completions.len().max(1)).map(move |which| {
            let tape = Tape::read(&Input::new(self.text(which)))?;
            let dialect = source.named_or_likely().or_else(|likely| detect(&tape.view().root::<H>(), likely)).ok();
            Ok(Joined { tape, which, dialect })
        })
    }

    /// The payloads, each with its path, and with its dialect if that is known.
    pub(super) fn payloads(&self, source: Reading) -> Result<Vec<Place>, Error> {
        let place = |joined: Result<Joined, Error>| {
            let joined = joined?;
            let path = self.completions.get(joined.which).map_or_else(Path::default, Completion::path);
            Ok(Place { path, ..Place::of(joined.tape.input().bytes().to_vec(), source, joined.dialect) })
        };
        self.joined(source).map(place).collect()
    }

    /// Collects what `find` finds in the payloads, with paths in the row. A finding in the prompt counts once.
    pub(super) fn each<T: PartialEq>(
        &self,
        source: Reading,
        find: impl Fn(&Node<'_, H>) -> Result<Vec<T>, Error>,
        path: impl Fn(&mut T) -> &mut Path,
    ) -> Result<Vec<T>, Error> {
        let mut all = Vec::new();
        for joined in self.joined(source) {
            let Joined { tape, which, .. } = joined?;
            let found = find(&tape.view().root()).map_err(|error| self.placed(error, which))?;
            self.add(&mut all, found, which, &path);
        }
        Ok(all)
    }

    fn add<T: PartialEq>(&self, all: &mut Vec<T>, found: Vec<T>, which: usize, path: &impl Fn(&mut T) -> &mut Path) {
        let known = all.len();
        for mut one in found {
            let place = path(&mut one);
            *place = self.place(place, which);
            if !all.iter().take(known).any(|before| *before == one) {
                all.push(one);
            }
        }
    }

    /// An error of a payload with its path in the row.
    fn placed(&self, error: Error, which: usize) -> Error {
        let path = self.place(error.path(), which);
        error.at_path(path)
    }

    /// The path in the row of a path in a payload.
    fn place(&self, path: &Path, which: usize) -> Path {
        let mut steps = path.steps().peekable();
        let within = self.layout.prompt_is_body.then_some(Step::Key(self.layout.prompt.name));
        if !self.list.is_empty() && steps.next_if(|step| *step == Step::Key(self.list)).is_none() {
            return Path::of(within.into_iter().chain(steps));
        }
        let completion = self.completions.get(which);
        let written = if self.prompt_node.is_some() { self.prompt.len() } else { 0 };
        let index = steps.next_if(|step| matches!(step, Step::Index(_)));
        let start = match (index, completion) {
            (Some(Step::Index(at)), Some(completion)) if at >= written => {
                let alone = completion.node.kind() == NodeKind::Map;
                let index = (!alone).then_some(Step::Index(at - written));
                [Some(Step::Key(completion.key.name)), None, index]
            }
            (None, Some(completion)) if self.prompt_node.is_none() => {
                [Some(Step::Key(completion.key.name)), None, None]
            }
            (index, _) if within.is_some() => [within, Some(Step::Key(k::MESSAGES.name)), index],
            _ if self.prompt_node.is_some_and(|prompt| prompt.kind() == NodeKind::Text) => {
                return Path::key(self.layout.prompt.name);
            }
            (index, _) => [Some(Step::Key(self.layout.prompt.name)), None, index],
        };
        Path::of(start.into_iter().flatten().chain(steps))
    }
}

/// Whether a turn is the user's, and says just this text.
fn is_said_by_user<H: Host>(turn: &Turn<H>, text: &Node<'_, H>) -> bool {
    let Some(wanted) = text.text().filter(|_| turn.role == Role::User) else { return false };
    match turn.parts.as_slice() {
        [Part { kind: Kind::Text(said), .. }] => said.wtf8(turn.input.as_ref()) == wanted.wtf8(text.input()),
        _ => false,
    }
}

/// The value of a key, unless it is `null`.
fn said<'t, H: Host>(node: &Node<'t, H>, key: &'static Key) -> Option<Node<'t, H>> {
    node.get(key).filter(|value| value.kind() != NodeKind::Null)
}

fn elements<'t, H: Host>(list: &Node<'t, H>, path: Path) -> Result<Vec<Node<'t, H>>, Error> {
    if list.kind() != NodeKind::List {
        let text =
            format!("expected a list of messages, got {}: text without roles is no conversation", list.describe());
        return Err(Error::new(Code::WrongType, text).at_path(path));
    }
    Ok(list.items().collect())
}

/// The elements of a completion. Some layouts allow a single element without a list.
fn answer<'t, H: Host>(node: &Node<'t, H>, layout: &RowLayout, key: &'static Key) -> Result<Vec<Node<'t, H>>, Error> {
    match node.kind() {
        NodeKind::Map if layout.one_answer => Ok(vec![*node]),
        _ => elements(node, Path::key(key.name)),
    }
}

#[cold]
fn missing_key(key: &Key, path: Path) -> Error {
    let text = format!("expected the key {:?}, got a row without it", key.name);
    Error::new(Code::MissingKey, text).at_path(path)
}
