//! Writes what is read from a record as JSON, and keeps from where in the record each piece of it is.

use std::borrow::Cow;

use super::{
    at::At,
    made::{Form, Lost, Made},
};
use crate::{
    model::ERROR_PREFIX,
    report::{Edit, Error, Step, placed::Placed},
    text::Units,
    value::{
        Host, Input, NoHost, NodeKind, Numbers, Source, Text,
        json::{compact, encode},
    },
};

/// The role of results.
pub(super) const TOOL: &str = "tool";
/// The role of text, reasoning and calls of the model.
pub(super) const ASSISTANT: &str = "assistant";

/// A part that is text: its type, and the key of the text.
#[derive(Clone, Copy)]
pub(super) struct Part(&'static str, &'static str);

impl Part {
    pub(super) const TEXT: Self = Self("text", "content");
    pub(super) const RESULT: Self = Self("tool_call_response", "response");
}

/// Writes JSON.
pub(super) struct Writer {
    json: Vec<u8>,
    /// Whether a comma stands before the next value.
    comma: bool,
    /// The key of the list that is open, and the number of messages in it and of parts in the last one.
    list: &'static str,
    messages: usize,
    parts: usize,
    /// The role of the message that is open.
    role: Option<&'static str>,
    lost: Vec<Lost>,
    places: Option<Vec<Placed>>,
}

impl Writer {
    /// Keeps no places.
    pub(super) fn new() -> Self {
        Self {
            json: Vec::new(),
            comma: false,
            list: "",
            messages: 0,
            parts: 0,
            role: None,
            lost: Vec::new(),
            places: None,
        }
    }

    /// Keeps the place of each piece.
    pub(super) fn with_places() -> Self {
        Self { places: Some(Vec::new()), ..Self::new() }
    }

    pub(super) fn made(&mut self, form: Form) -> Made {
        let json = Input::new(std::mem::take(&mut self.json));
        let lost = std::mem::take(&mut self.lost);
        Made { json, form, lost, places: self.places.take().unwrap_or_default() }
    }

    /// Keeps what the messages cannot hold.
    #[cold]
    pub(super) fn lost(&mut self, code: Edit, at: &At<'_>, reason: impl Into<Cow<'static, str>>) {
        self.lost.push((code, at.path(), reason.into()));
    }

    fn open(&mut self, bracket: u8) {
        self.separate();
        self.json.push(bracket);
        self.comma = false;
    }

    fn close(&mut self, bracket: u8) {
        self.json.push(bracket);
        self.comma = true;
    }

    fn separate(&mut self) {
        if std::mem::replace(&mut self.comma, true) {
            self.json.push(b',');
        }
    }

    pub(super) fn open_map(&mut self) {
        self.open(b'{');
    }

    pub(super) fn close_map(&mut self) {
        self.close(b'}');
    }

    fn key(&mut self, name: &str) {
        self.separate();
        encode::text::<NoHost>(&Text::own(name), None, &mut self.json);
        self.json.push(b':');
        self.comma = false;
    }

    pub(super) fn word(&mut self, key: &str, word: &str) {
        self.key(key);
        encode::text::<NoHost>(&Text::own(word), None, &mut self.json);
        self.comma = true;
    }

    /// Keeps from where a piece is: the steps to it from the list that is open.
    fn note(&mut self, steps: impl FnOnce(&Self) -> Vec<Step>, at: &At<'_>, is_same: bool) {
        if self.places.is_some() {
            let mut made = if self.list.is_empty() { Vec::new() } else { vec![Step::Key(self.list)] };
            made.extend(steps(self));
            self.places.iter_mut().for_each(|all| all.push(Placed { made: made.clone(), record: at.path(), is_same }));
        }
    }

    /// The steps to the next part.
    fn next_part(&self) -> Vec<Step> {
        match self.role {
            Some(_) => vec![Step::Index(self.messages), Step::Key("parts"), Step::Index(self.parts)],
            None => vec![Step::Index(self.parts)],
        }
    }

    /// Writes a value of the record unchanged, under its key.
    pub(super) fn same<S: Source>(&mut self, name: &str, value: &S, at: &At<'_>) -> Result<(), Error> {
        self.note(|_| vec![Step::Name(name.into())], at, true);
        self.key(name);
        self.raw(value)
    }

    fn raw<S: Source>(&mut self, value: &S) -> Result<(), Error> {
        self.separate();
        encode::raw(&value.raw(), value.input(), &mut self.json).map(|_| ())
    }

    /// Begins a list of messages, or of parts that belong to no message.
    pub(super) fn open_list(&mut self, key: &'static str, at: &At<'_>) {
        (self.list, self.messages, self.parts) = (key, 0, 0);
        self.note(|_| Vec::new(), at, false);
        self.key(key);
        self.open(b'[');
    }

    pub(super) fn close_list(&mut self) {
        self.end_message();
        self.close(b']');
        self.list = "";
    }

    /// Begins a message, unless one of this role is open.
    pub(super) fn message_of(&mut self, role: &'static str, at: &At<'_>) {
        if self.role == Some(role) {
            return;
        }
        self.end_message();
        self.note(|to| vec![Step::Index(to.messages)], at, false);
        self.role = Some(role);
        self.parts = 0;
        self.open_map();
        self.word("role", role);
        self.key("parts");
        self.open(b'[');
    }

    /// Ends the message that is open.
    pub(super) fn end_message(&mut self) {
        if self.role.take().is_some() {
            self.close(b']');
            self.close_map();
            self.messages += 1;
        }
    }

    /// How many messages and parts were begun.
    pub(super) fn count(&self) -> (usize, usize) {
        (self.messages, if self.role.is_some() { self.parts + 1 } else { 0 })
    }

    /// Writes a message of the record unchanged.
    pub(super) fn message<S: Source>(&mut self, message: &S, at: &At<'_>) -> Result<(), Error> {
        self.end_message();
        self.note(|to| vec![Step::Index(to.messages)], at, true);
        self.messages += 1;
        self.raw(message)
    }

    /// Writes one item of a list that holds no messages, unchanged or by this function.
    pub(super) fn item(
        &mut self,
        at: &At<'_>,
        is_same: bool,
        write: impl FnOnce(&mut Vec<u8>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.note(Self::next_part, at, is_same);
        self.parts += 1;
        self.separate();
        write(&mut self.json)
    }

    /// Begins a part of this type.
    pub(super) fn open_part(&mut self, kind: &str, at: &At<'_>) {
        self.note(Self::next_part, at, false);
        self.parts += 1;
        self.open_map();
        self.word("type", kind);
    }

    /// Writes a value of the record under a key of the part that is open.
    pub(super) fn value<S: Source>(&mut self, name: &'static str, value: &S, at: &At<'_>) -> Result<(), Error> {
        self.key(name);
        self.parts -= 1;
        self.note(
            |to| {
                let mut steps = to.next_part();
                steps.push(Step::Key(name));
                steps
            },
            at,
            true,
        );
        self.parts += 1;
        self.raw(value)
    }

    /// Writes a text under a key: that of all of these, with line ends between. `failed`: whether it is of a failed tool.
    pub(super) fn texts<'x, H: Host>(
        &mut self,
        key: &str,
        failed: bool,
        texts: impl Iterator<Item = (&'x Text<H>, Option<&'x Input>)>,
    ) {
        self.key(key);
        self.json.push(b'"');
        self.json.extend_from_slice(if failed { ERROR_PREFIX.as_bytes() } else { b"" });
        for (at, (text, input)) in texts.enumerate() {
            if at > 0 {
                self.json.extend_from_slice(b"\\n");
            }
            encode::body(text, input, &mut self.json);
        }
        self.json.push(b'"');
        self.comma = true;
    }

    /// Writes arguments that are one text under a key.
    pub(super) fn argument<H: Host>(&mut self, name: &str, text: (&Text<H>, Option<&Input>)) {
        self.key("arguments");
        self.open_map();
        self.texts(name, false, [text].into_iter());
        self.close_map();
    }

    /// Writes a part of text or of reasoning: all of these texts.
    pub(super) fn text<'x, H: Host>(
        &mut self,
        kind: &str,
        texts: impl Iterator<Item = (&'x Text<H>, Option<&'x Input>)>,
        at: &At<'_>,
    ) {
        self.open_part(kind, at);
        self.texts("content", false, texts);
        self.close_map();
    }

    /// Writes a part: a piece of a text, which is WTF-8.
    pub(super) fn cut(&mut self, part: Part, piece: &[u8], at: &At<'_>) {
        self.open_part(part.0, at);
        self.key(part.1);
        self.json.push(b'"');
        NoHost::write_body(Units::Utf8(piece), &mut self.json);
        self.json.push(b'"');
        self.comma = true;
        self.close_map();
    }

    /// Writes what a tool says: text, text of a list of texts, or JSON. What a failed tool says is text.
    pub(super) fn says<S: Source>(&mut self, value: &S, failed: bool, at: &At<'_>) -> Result<(), Error> {
        let key = "response";
        let all: Option<Vec<_>> = match value.kind() {
            NodeKind::List => value.items().map(|item| Some((text_in(&item)?, item))).collect(),
            NodeKind::Null => Some(Vec::new()),
            _ => value.text().map(|text| vec![(text, value.clone())]),
        };
        match all {
            Some(texts) => self.texts(key, failed, texts.iter().map(|(text, node)| (text, node.input()))),
            None if failed => {
                let mut json = Vec::new();
                compact::raw(&value.raw(), value.input(), Numbers::Spelled, &mut json)?;
                self.texts::<NoHost>(key, true, [(&Text::own(&String::from_utf8_lossy(&json)), None)].into_iter());
            }
            None => self.value(key, value, at)?,
        }
        Ok(())
    }
}

/// A text in a list of texts: itself, or a part that holds nothing else.
fn text_in<S: Source>(item: &S) -> Option<Text<S::H>> {
    if item.kind() == NodeKind::Text {
        return item.text();
    }
    let is_text = |key: &str, value: &S| match key {
        "text" | "type" => true,
        _ => value.says_nothing(),
    };
    let (mut only, mut text) = (item.kind() == NodeKind::Map, None);
    for (name, value) in item.entries() {
        let name = name.to_str(item.input());
        only &= is_text(&name, &value);
        if &*name == "text" {
            text = value.text();
        }
    }
    text.filter(|_| only)
}
