//! Replays a stream in which tools have other names than in the client's request. Only the names change.
//!
//! A chunk as a value is searched for names. A body is read by lines or frames, and names are replaced among its bytes,
//! so that all other bytes stay the same.

use crate::{
    report::ToolNames,
    value::{Host, Input, NoHost, NodeKind, Source, Span, Tape, Text, Value, json},
    wire::stream::{
        BinaryFrames, Framing, JsonList,
        json_list::{Piece, is_list},
    },
};

/// The keys that hold the name of a tool.
const NAMES: [&str; 3] = ["name", "toolName", "toolCallName"];
/// The keys of arguments. A name inside them is the model's own text.
const ARGS: [&str; 4] = ["arguments", "args", "input", "parameters"];

/// The client's names, and the bytes of an incomplete line or frame.
pub(super) struct Renaming {
    names: ToolNames,
    line: Vec<u8>,
    frames: BinaryFrames,
    is_binary: bool,
    /// The objects of a body that is a JSON list, and whether that is known.
    list: Option<JsonList>,
    is_known: bool,
}

impl Renaming {
    pub(super) fn new(names: ToolNames, framing: Framing) -> Self {
        let is_binary = framing == Framing::Binary;
        Self { names, line: Vec::new(), frames: BinaryFrames::default(), is_binary, list: None, is_known: is_binary }
    }

    /// A chunk with the client's names. `None` if no name changes.
    pub(super) fn value<H: Host>(&self, value: &Value<H>) -> Option<Value<H>> {
        match value {
            Value::List(items) => {
                let new: Vec<_> = items.iter().map(|item| self.value(item)).collect();
                new.iter().any(Option::is_some).then(|| {
                    Value::List(items.iter().zip(new).map(|(old, new)| new.unwrap_or_else(|| old.share())).collect())
                })
            }
            Value::Map(entries) => {
                let new: Vec<_> = entries.iter().map(|(key, value)| self.entry(&key.to_str(None), value)).collect();
                new.iter().any(Option::is_some).then(|| {
                    let entries = entries.iter().zip(new);
                    let entry = entries.map(|((key, old), new)| (key.share(), new.unwrap_or_else(|| old.share())));
                    Value::Map(entry.collect())
                })
            }
            _ => None,
        }
    }

    fn entry<H: Host>(&self, key: &str, value: &Value<H>) -> Option<Value<H>> {
        match value {
            Value::Text(text) if NAMES.contains(&key) => {
                self.names.own(&text.to_str(None)).map(|own| Value::Text(Text::own(own)))
            }
            _ if ARGS.contains(&key) => None,
            value => self.value(value),
        }
    }

    /// JSON text with the client's names. `None` if no name changes.
    pub(super) fn json(&self, text: &Input) -> Option<Vec<u8>> {
        let bytes = text.bytes();
        if !self.names.iter().any(|(wire, _)| memchr::memmem::find(bytes, wire.as_bytes()).is_some()) {
            return None;
        }
        let tape = Tape::read(text).ok()?;
        let mut found = Vec::new();
        self.search(&tape.view().root::<NoHost>(), &mut found);
        let mut new = Vec::with_capacity(bytes.len());
        let mut at = 0;
        for (span, own) in &found {
            let start = span.start as usize - 1;
            new.extend_from_slice(&bytes[at..start]);
            json::encode::text::<NoHost>(&Text::own(own), None, &mut new);
            at = start + span.len as usize + 2;
        }
        new.extend_from_slice(&bytes[at..]);
        (!found.is_empty()).then_some(new)
    }

    /// Finds the names, in the order of the text.
    fn search<'a, S: Source<H = NoHost>>(&'a self, node: &S, found: &mut Vec<(Span, &'a str)>) {
        match node.kind() {
            NodeKind::List => node.items().for_each(|item| self.search(&item, found)),
            NodeKind::Map => {
                for (key, value) in node.entries() {
                    let key = key.to_str(node.input());
                    let text = if NAMES.contains(&&*key) { value.text() } else { None };
                    if let Some(Text::Span(span)) = text {
                        let own = self.names.own(&Text::<NoHost>::Span(span).to_str(node.input()));
                        found.extend(own.map(|own| (span, own)));
                    } else if !ARGS.contains(&&*key) {
                        self.search(&value, found);
                    }
                }
            }
            _ => {}
        }
    }

    /// Takes bytes of a body. Returns the bytes that can be sent: complete lines or frames.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(bytes.len());
        if self.is_binary {
            self.push_frames(bytes, &mut out);
            return out;
        }
        let begun;
        let mut rest = bytes;
        if !self.is_known {
            begun = [&std::mem::take(&mut self.line), bytes].concat();
            rest = &begun;
            match is_list(&begun) {
                Some(is_list) => (self.is_known, self.list) = (true, is_list.then(JsonList::new)),
                None if begun.contains(&b'[') => {
                    self.line = begun;
                    return out;
                }
                None => {}
            }
        }
        if self.list.is_some() {
            self.push_list(rest, &mut out);
            return out;
        }
        while let Some(end) = memchr::memchr2(b'\n', b'\r', rest) {
            self.line.extend_from_slice(&rest[..=end]);
            rest = &rest[end + 1..];
            let line = std::mem::take(&mut self.line);
            self.line(&line, &mut out);
        }
        self.line.extend_from_slice(rest);
        out
    }

    /// The bytes after the last complete line.
    pub(super) fn rest(&mut self) -> Vec<u8> {
        let (line, mut out) = (std::mem::take(&mut self.line), Vec::new());
        self.line(&line, &mut out);
        out.extend_from_slice(self.list.as_mut().map_or(&[], JsonList::rest));
        out
    }

    /// Appends a line with its end: the data of a server-sent event, or a line of JSON Lines.
    fn line(&self, line: &[u8], out: &mut Vec<u8>) {
        let content = line.strip_prefix(b"data:").unwrap_or(line).trim_ascii_start();
        let (before, content) = line.split_at(line.len() - content.len());
        let (content, end) = content.split_at(content.trim_ascii_end().len());
        match self.json(&Input::new(content.to_vec())) {
            Some(new) => [before, &new, end].into_iter().for_each(|piece| out.extend_from_slice(piece)),
            None => out.extend_from_slice(line),
        }
    }

    /// Appends the complete objects of a JSON list, and what stands between them.
    fn push_list(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        let Some(mut list) = self.list.take() else { return };
        list.push(bytes);
        while let Some(piece) = list.next() {
            let renamed = match piece {
                Piece::Chunk(object) => self.json(&Input::new(object.to_vec())),
                _ => None,
            };
            out.extend_from_slice(renamed.as_deref().unwrap_or(piece.bytes()));
        }
        self.list = Some(list);
    }

    /// Appends the complete frames. After a broken one nothing can be read, which the assembler reports.
    fn push_frames(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        let mut frames = std::mem::take(&mut self.frames);
        frames.push(bytes);
        while let Some(frame) = frames.next() {
            let Ok(frame) = frame else { continue };
            match self.json(&Input::new(frame.payload.to_vec())) {
                Some(payload) => out.extend_from_slice(&frame.with_payload(&payload)),
                None => out.extend_from_slice(frame.raw),
            }
        }
        self.frames = frames;
    }
}
