//! Translates opaque blocks that two formats of one family spell differently.

use super::value_rule::Entry;
use crate::value::{Host, Raw, Text, Value, base64, blob::blob_text};

/// The purpose of such a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shared {
    /// The model's reasoning, with its signature.
    Thought,
    /// Reasoning that only its provider can read.
    Redacted,
    /// A tool that is available from here on.
    ToolAddition,
    /// A tool that is no longer available.
    ToolRemoval,
}

/// How a format spells one of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SharedBlock {
    pub(crate) what: Shared,
    /// Its type. Empty if the first key below identifies it.
    pub(crate) kind: &'static str,
    /// The path to its fields.
    pub(crate) under: &'static [&'static str],
    /// Its fields, which are texts: each with its common name and its own.
    pub(crate) fields: &'static [(&'static str, &'static str)],
    /// How many of the fields are required, counted from the first.
    pub(crate) needs: usize,
    /// Whether the texts are written as bytes, which are base64 text in JSON.
    pub(crate) coded: bool,
}

/// Whether both formats have a block for this purpose.
pub(crate) fn both_have(what: Shared, one: &[SharedBlock], other: &[SharedBlock]) -> bool {
    [one, other].iter().all(|wire| wire.iter().any(|block| block.what == what))
}

/// A block in the spelling of another format. `None` if that format has no such block, or cannot hold one of its
/// fields.
pub(crate) fn translated<H: Host>(from: &[SharedBlock], to: &[SharedBlock], block: &Value<H>) -> Option<Value<H>> {
    let (what, fields) = from.iter().find_map(|one| Some((one.what, one.read(block)?)))?;
    to.iter().find(|one| one.what == what).map(|one| one.written(&fields))
}

type Fields<H> = Vec<(&'static str, Value<H>)>;

impl SharedBlock {
    /// The fields of a block by their common names, if it is one of these and has no other content.
    fn read<H: Host>(&self, block: &Value<H>) -> Option<Fields<H>> {
        let mut entries = entries(block)?;
        if !self.kind.is_empty() {
            let at = entries.iter().position(|(key, value)| key.is(TYPE, None) && is_word(value, self.kind))?;
            entries.remove(at);
        }
        for key in self.under {
            let [(name, value)] = entries.as_slice() else { return None };
            entries = self::entries(value).filter(|_| name.is(key, None))?;
        }
        let field = |(key, value): &Entry<H>| {
            let (common, _) = self.fields.iter().find(|(_, own)| key.is(own, None))?;
            Some((*common, if self.coded { decoded(value)? } else { value.share() }))
        };
        let fields: Fields<H> = entries.iter().map(field).collect::<Option<_>>()?;
        let is_there = |(needed, _): &(&str, &str)| fields.iter().any(|(common, _)| common == needed);
        let sound = fields.iter().all(|(_, value)| matches!(value, Value::Text(_)));
        (sound && self.fields[..self.needs].iter().all(is_there)).then_some(fields)
    }

    /// Writes the block in this format.
    fn written<H: Host>(&self, fields: &Fields<H>) -> Value<H> {
        let own = |(common, value): &(&'static str, Value<H>)| {
            let (_, own) = self.fields.iter().find(|(known, _)| known == common)?;
            Some((Text::own(own), if self.coded { coded(value) } else { value.share() }))
        };
        let inner = Value::Map(fields.iter().filter_map(own).collect());
        let mut keys = self.under.iter().rev();
        let mut entries: Vec<Entry<H>> = match keys.next() {
            None => entries(&inner).unwrap_or_default(),
            Some(last) => vec![(Text::own(last), inner)],
        };
        for key in keys {
            entries = vec![(Text::own(key), Value::Map(entries.into()))];
        }
        if !self.kind.is_empty() {
            entries.insert(0, (Text::own(TYPE), Value::Text(Text::own(self.kind))));
        }
        Value::Map(entries.into())
    }
}

const TYPE: &str = "type";

fn entries<H: Host>(value: &Value<H>) -> Option<Vec<Entry<H>>> {
    let Value::Map(entries) = value else { return None };
    Some(entries.iter().map(|(key, value)| (key.share(), value.share())).collect())
}

/// The text of bytes.
fn decoded<H: Host>(value: &Value<H>) -> Option<Value<H>> {
    let code = match value {
        Value::Text(text) => text.to_str(None).into_owned(),
        Value::Leaf(_) => blob_text(&Raw::Tree(value.share())).ok()?,
        _ => return None,
    };
    String::from_utf8(base64::decode(code.as_bytes())?).ok().map(|text| Value::Text(Text::own(&text)))
}

/// A text as bytes.
fn coded<H: Host>(value: &Value<H>) -> Value<H> {
    let Value::Text(text) = value else { return value.share() };
    let mut code = Vec::new();
    base64::encode(text.to_str(None).as_bytes(), &mut code);
    Value::Text(Text::own(&String::from_utf8_lossy(&code)))
}

fn is_word<H: Host>(value: &Value<H>, word: &str) -> bool {
    matches!(value, Value::Text(text) if text.is(word, None))
}
