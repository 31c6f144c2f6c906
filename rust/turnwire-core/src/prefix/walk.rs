//! Lists a body in the order of the check: system text, tools by name, then each piece of each message. Reasoning is
//! listed separately.

use super::{
    element::{Element, Kind, get, id_of, is_mark, json, kind_of, text_of, trimmed, unmarked, without},
    thought::Thought,
    tools::{Tool, listed, references},
};
use crate::{
    report::{Error, Path, Place, Step, error::Code},
    rules::{DialectId, Slot, Slots},
    value::{Host, NodeKind, Source, Text, Tree, Value},
};

/// A piece as a cache reads it.
pub(super) struct Row<H: Host> {
    pub(super) path: Path,
    pub(super) value: Value<H>,
    /// Its JSON.
    pub(super) bytes: Vec<u8>,
}

impl<H: Host> Row<H> {
    fn new(path: &Path, value: &Value<H>) -> Self {
        Self { path: path.clone(), value: value.share(), bytes: json(value) }
    }
}

/// A body, ready to be compared.
pub(super) struct Walked<H: Host> {
    pub(super) system: Vec<Element<H>>,
    pub(super) tools: Vec<Tool<H>>,
    /// The required format of replies, if reasoning is bound to it too.
    pub(super) format: Option<Element<H>>,
    /// The number of messages.
    pub(super) messages: usize,
    pub(super) parts: Vec<Element<H>>,
    pub(super) thoughts: Vec<Thought<H>>,
    /// What a cache reads, in its order: tools, system text, messages, without marks.
    pub(super) rows: Vec<Row<H>>,
    pub(super) model: Option<String>,
    /// How many rows come before the system text beside the list.
    pub(super) tool_rows: usize,
    /// How many rows come before the first message.
    pub(super) head: usize,
    /// The settings that a cache of the messages depends on, if the format has cache marks.
    pub(super) settings: Vec<(Path, Value<H>)>,
    /// Hidden tools, each with the index of the message that shows it.
    pub(super) shown: Vec<(usize, String)>,
}

impl<H: Host> Walked<H> {
    /// The body without the keys beside the messages.
    pub(super) fn messages_alone(mut self) -> Self {
        self.rows.drain(..self.head);
        let (tools, system) = (Vec::new(), Vec::new());
        Self { system, tools, format: None, settings: Vec::new(), tool_rows: 0, head: 0, ..self }
    }

    /// The body without the system text beside the messages.
    pub(super) fn without_system(mut self) -> Self {
        self.rows.drain(self.tool_rows..self.head);
        Self { system: Vec::new(), head: self.tool_rows, ..self }
    }
}

/// Keys of a message whose values are separate pieces.
const CONTENT: [&str; 3] = ["content", "parts", "tool_calls"];

struct Walk<'a, H: Host> {
    out: Walked<H>,
    compaction: Option<&'static str>,
    /// Deferred tools that no message has shown yet.
    hidden: Vec<&'a Tool<H>>,
    message: usize,
}

/// Lists a body.
pub(super) fn walk<H: Host>(body: &Value<H>, dialect: DialectId) -> Result<Walked<H>, Error> {
    walk_behind(body, dialect, &[])
}

/// Lists a body whose first messages are left out. `shown`: the tools that those messages have shown.
pub(super) fn walk_behind<H: Host>(body: &Value<H>, dialect: DialectId, shown: &[&str]) -> Result<Walked<H>, Error> {
    let slots = dialect.facts.slots.unwrap_or(&Slots::BARE_LIST);
    let tree = Tree(body);
    if !matches!(tree.kind(), NodeKind::Map | NodeKind::List) {
        let text = format!("expected a list of messages or a body with one, got {}", tree.kind().name());
        return Err(Error::new(Code::WrongType, text).in_dialect(&dialect.name()));
    }
    let found = |slot: Slot| slot.some(&tree).map(|(spelling, node)| (spelling.to_path(), node.0));
    let is_bare = matches!(body, Value::List(_));
    let tools = slots.tools.and_then(found).map_or_else(Vec::new, |(path, tools)| listed(tools, &path));
    let out = Walked {
        system: Vec::new(),
        tools: Vec::new(),
        format: None,
        messages: 0,
        parts: Vec::new(),
        thoughts: Vec::new(),
        rows: tools
            .iter()
            .filter(|tool| !tool.deferred)
            .map(|tool| Row::new(&tool.element.path, &tool.element.value))
            .collect(),
        model: ["model", "modelId"].iter().find_map(|key| text_of(body, key)),
        tool_rows: tools.iter().filter(|tool| !tool.deferred).count(),
        head: 0,
        settings: slots.choice.and_then(found).into_iter().map(|(path, choice)| (path, choice.share())).collect(),
        shown: Vec::new(),
    };
    let hidden = tools.iter().filter(|tool| tool.deferred && !shown.contains(&tool.name.as_str())).collect();
    let compaction = dialect.compaction().map(|rule| rule.kind);
    let mut walk = Walk { out, compaction, hidden, message: 0 };
    if let Some((path, system)) = slots.system.and_then(found) {
        walk.system(system, &path);
    }
    walk.out.head = walk.out.rows.len();
    let (name, list) = if is_bare {
        ("", body)
    } else {
        let slot = slots.list_key();
        if slot.is_empty() {
            let text = format!("expected a list of messages, got {}", tree.kind().name());
            return Err(Error::new(Code::WrongType, text).in_dialect(&dialect.name()));
        }
        let missing = || {
            let text = format!("expected a list of messages or a body with the key {slot:?}, got none");
            Error::new(Code::MissingKey, text).in_dialect(&dialect.name())
        };
        slots.list.some(&tree).map(|(spelling, node)| (spelling.key.name, node.0)).ok_or_else(missing)?
    };
    match list {
        Value::List(items) => {
            for (index, item) in items.iter().enumerate() {
                walk.element(item, Path::element(name, index));
            }
        }
        // A string instead of a list is one message of the user.
        Value::Text(text) if slots.list_or_text => {
            let role = [(Text::own("role"), Value::Text(Text::own("user")))];
            walk.head(Value::Map(role.into_iter().collect()), &Path::key(name), "user".to_owned());
            walk.text(text, Path::key(name), (Kind::Text, None));
            walk.message += 1;
        }
        Value::Map(_) if slots.singles => walk.element(list, Path::key(name)),
        other => {
            let text = format!("expected a list of messages, got {}", Tree(other).kind().name());
            return Err(Error::new(Code::WrongType, text).at_path(Path::key(name)).in_dialect(&dialect.name()));
        }
    }
    let mut out = Walked { messages: walk.message, ..walk.out };
    out.format = get(body, "text").and_then(|text| get(text, "format")).map(|format| Element {
        path: Path::of([Step::Key("text"), Step::Key("format")]),
        kind: Kind::Other,
        word: "format".to_owned(),
        id: None,
        message: 0,
        value: format.share(),
        text_at: (None, 0),
    });
    for key in ["thinking", "output_config"] {
        out.settings.extend(get(body, key).map(|value| (Path::key(key), value.share())));
    }
    if dialect.facts.cache.is_none() {
        out.settings.clear();
    }
    out.tools = tools;
    Ok(out)
}

impl<H: Host> Walk<'_, H> {
    fn system(&mut self, system: &Value<H>, path: &Path) {
        let before = self.out.parts.len();
        match system {
            Value::Text(text) => self.text(text, path.clone(), (Kind::System, None)),
            Value::List(blocks) => {
                for (index, block) in blocks.iter().enumerate() {
                    self.block(block, path.clone().then(Step::Index(index)), (Kind::System, None));
                }
            }
            Value::Map(_) => match get(system, "parts") {
                Some(Value::List(blocks)) => {
                    for (index, block) in blocks.iter().enumerate() {
                        let path = path.clone().then(Step::Key("parts")).then(Step::Index(index));
                        self.block(block, path, (Kind::System, None));
                    }
                }
                _ => self.block(system, path.clone(), (Kind::System, None)),
            },
            _ => {}
        }
        self.out.system = self.out.parts.split_off(before);
        for one in &mut self.out.system {
            one.kind = Kind::System;
        }
    }

    /// Lists a message, or an item that is a single piece.
    fn element(&mut self, item: &Value<H>, path: Path) {
        let role = text_of(item, "role");
        let pieces: Vec<_> = CONTENT
            .iter()
            .filter_map(|key| Some((*key, get(item, key)?)))
            .filter(|(_, held)| is_content(held))
            .collect();
        if role.is_none() && pieces.is_empty() || kind_of(item, self.compaction).0 == Kind::Reasoning {
            self.block(item, path, (Kind::Other, None));
            self.message += 1;
            return;
        }
        let keys: Vec<_> = pieces.iter().map(|(key, _)| *key).collect();
        let head = unmarked(&without(item, &keys));
        self.head(head, &path, role.clone().unwrap_or_else(|| "message".to_owned()));
        let (said, id) = match role.as_deref() {
            Some("system" | "developer") => (Kind::System, None),
            Some("tool" | "function") => (Kind::Result, id_of(item)),
            _ => (Kind::Text, None),
        };
        for (key, held) in pieces {
            match held {
                Value::Text(text) => self.text(text, path.clone().at(Place::key(key)), (said, id.clone())),
                Value::List(blocks) => {
                    for (index, block) in blocks.iter().enumerate() {
                        self.block(block, path.clone().at(Place::item(key, index)), (said, id.clone()));
                    }
                }
                Value::Map(_) => self.block(held, path.clone().at(Place::key(key)), (said, id.clone())),
                _ => {}
            }
        }
        self.message += 1;
    }

    /// Lists the keys of a message beside its content.
    fn head(&mut self, value: Value<H>, path: &Path, word: String) {
        self.out.rows.push(Row::new(path, &value));
        let text_at = (None, 0);
        self.part(Element { path: path.clone(), kind: Kind::Head, word, id: None, message: 0, value, text_at });
    }

    /// Lists a string, instead of a list of blocks, as one text block.
    fn text(&mut self, text: &Text<H>, path: Path, (kind, id): (Kind, Option<String>)) {
        let block =
            [(Text::own("type"), Value::Text(Text::own("text"))), (Text::own("text"), Value::Text(text.share()))];
        self.out.rows.push(Row::new(&path, &Value::Map(block.into_iter().collect())));
        self.says(text, None, (path, kind, id));
    }

    fn says(&mut self, text: &Text<H>, key: Option<&'static str>, (path, kind, id): (Path, Kind, Option<String>)) {
        // In a result, white space counts.
        let (text, lead) = if kind == Kind::Result { (text.share(), 0) } else { trimmed(text) };
        if kind == Kind::Result || !text.is_empty() {
            let (value, text_at) = (Value::Text(text), (key, lead));
            self.part(Element { path, kind, word: "text".to_owned(), id, message: 0, value, text_at });
        }
    }

    fn block(&mut self, block: &Value<H>, path: Path, (said, of): (Kind, Option<String>)) {
        if is_mark(block) {
            return;
        }
        if let Value::Text(text) = block {
            return self.text(text, path, (said, of));
        }
        let value = unmarked(block);
        let (kind, word) = kind_of(&value, self.compaction);
        self.out.rows.push(Row::new(&path, &value));
        match (kind, get(&value, "text")) {
            (Kind::Reasoning, _) => {
                self.out.thoughts.push(Thought::new(value, path, word, (self.out.parts.len(), self.message)));
            }
            (Kind::Text, Some(Value::Text(text))) => {
                let kind = if said == Kind::Other { kind } else { said };
                let rest = without(&value, &["type", "text"]);
                let says_more = !Tree(&without(&rest, &["citations"])).is_empty();
                if Tree(&rest).is_empty() || text.is_blank(None) && !says_more {
                    return self.says(text, Some("text"), (path, kind, of));
                }
                let (inner, lead) = trimmed(text);
                let Value::Map(entries) = &value else { return };
                let entries = entries.iter().map(|(key, held)| {
                    let held = if key.is("text", None) { Value::Text(inner.share()) } else { held.share() };
                    (key.share(), held)
                });
                let (value, id) = (Value::Map(entries.collect()), of);
                self.part(Element { path, kind, word, id, message: 0, value, text_at: (None, lead) });
            }
            _ => {
                let id = id_of(&value).or(of);
                let shown = references(&value);
                self.part(Element { path, kind, word, id, message: 0, value, text_at: (None, 0) });
                self.show(&shown);
            }
        }
    }

    /// Lists the tools that a block shows for the first time.
    fn show(&mut self, names: &[String]) {
        for name in names {
            if let Some(at) = self.hidden.iter().position(|tool| tool.name == *name) {
                let tool = self.hidden.remove(at).element.share();
                self.out.shown.push((self.message, name.clone()));
                self.part(tool);
            }
        }
    }

    fn part(&mut self, element: Element<H>) {
        self.out.parts.push(Element { message: self.message, ..element });
    }
}

fn is_content<H: Host>(value: &Value<H>) -> bool {
    matches!(value, Value::Text(_) | Value::List(_) | Value::Map(_) | Value::Null)
}
