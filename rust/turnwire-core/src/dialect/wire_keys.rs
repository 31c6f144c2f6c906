//! Keys of a format that no parser takes: those that may stand, with what they may hold, and those of its replies alone.

use super::shape::{self, Shape};
use crate::{
    base64,
    handle::{Host, Input, Raw, Text, Value},
    node::NodeKind,
    part::Extras,
};

/// Keys beyond those that a parser takes: lists of the format's own, from its SDK's types.
#[derive(Clone, Copy)]
pub(crate) struct WireKeys {
    /// Keys that may stand in a turn.
    pub(crate) turn: &'static [KeyRule],
    /// Keys that may stand in a part.
    pub(crate) part: &'static [KeyRule],
    /// Keys that may stand in a tool's definition.
    pub(crate) tool: &'static [KeyRule],
    /// Keys that an SDK's reply object has and a request must not.
    pub(crate) reply: &'static [&'static str],
    /// A key that may stand so many times in a whole payload.
    pub(crate) most: Option<(&'static str, usize)>,
    /// Types of blocks that only an assistant has, with blanks between them: calls that the provider ran, each by an id of
    /// its own.
    pub(crate) assistant_blocks: &'static str,
    /// Types of blocks that only the user has, with blanks between them.
    pub(crate) user_blocks: &'static str,
    /// Blocks that nobody takes apart, and what they must hold.
    pub(crate) blocks: &'static [Shape],
    /// Blocks that are told by a key, and what they must hold under it, where nobody takes them apart.
    pub(crate) members: &'static [KeyRule],
    /// Blocks that a result may hold, with blanks between them; empty where any may stand there.
    pub(crate) result_blocks: &'static str,
    /// Keys that may stand beside the tools, where an object holds both, and inside the choice of tools; `None` where nobody
    /// looks.
    pub(crate) around: Option<&'static [KeyRule]>,
    /// Tools that the provider runs, and what their definitions must hold.
    pub(crate) tools: &'static [Shape],
    /// Whether nobody refuses a key: what is stored and not sent.
    pub(crate) any: bool,
}

/// A key, and what it may hold.
pub(crate) type KeyRule = (&'static str, KeyValue);

/// What a key may hold.
#[derive(Clone, Copy)]
pub(crate) enum KeyValue {
    /// Anything.
    Any,
    /// An object.
    Map,
    /// An object with these keys at least.
    Holds(&'static [KeyRule]),
    /// A list.
    List,
    /// A list of these.
    ListOf(&'static KeyValue),
    /// An object with a type; one of these types fits its shape.
    Shaped(&'static [Shape]),
    /// A number.
    Number,
    /// Any text.
    Word,
    /// `true` or `false`.
    Flag,
    /// This, or `null`.
    Maybe(&'static KeyValue),
    /// One of these.
    Either(&'static [KeyValue]),
    /// What is both at once.
    Both(&'static KeyValue, &'static KeyValue),
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// A text for which this holds.
    Text(fn(&str) -> bool),
    /// Bytes, as base64 text or as a host has them.
    Blob,
    /// A list of these, which holds something.
    Some(&'static KeyValue),
    /// An object that has the first keys and may have the others. What nobody knows may stand beside them.
    Fields(&'static [KeyRule], &'static [KeyRule]),
    /// An object with one of these keys, or one that nobody knows.
    Union(&'static [KeyRule]),
}

/// What is to be said of a key that no parser took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It may stand.
    Fine,
    /// Only replies have it.
    ReplyOnly,
    /// It may stand, but not with this value.
    WrongValue,
    /// Nobody knows it.
    Unknown,
}

impl WireKeys {
    /// Of a format that is stored and not sent.
    pub(crate) const ANY: Self = Self {
        turn: &[],
        part: &[],
        tool: &[],
        reply: &[],
        most: None,
        assistant_blocks: "",
        user_blocks: "",
        blocks: &[],
        members: &[],
        result_blocks: "",
        around: None,
        tools: &[],
        any: true,
    };

    /// What is to be said of each key, given the rules of the place where it stands.
    pub(crate) fn judge<H: Host>(
        self,
        rules: &[KeyRule],
        (key, value): (&Text<H>, &Raw<H>),
        input: Option<&Input>,
    ) -> Verdict {
        if self.any {
            return Verdict::Fine;
        }
        match rules.iter().find(|(name, _)| key.is(name, input)) {
            Some((_, rule)) if rule.allows_raw(value, input) => Verdict::Fine,
            Some(_) => Verdict::WrongValue,
            None if self.reply.iter().any(|name| key.is(name, input)) => Verdict::ReplyOnly,
            None => Verdict::Unknown,
        }
    }

    /// The extras that may go back, or that nobody can judge.
    pub(crate) fn strip<H: Host>(
        self,
        rules: &[KeyRule],
        extras: Option<Box<Extras<H>>>,
        input: Option<&Input>,
    ) -> Option<Box<Extras<H>>> {
        let mut extras = extras?;
        extras
            .retain(|(key, value)| matches!(self.judge(rules, (key, value), input), Verdict::Fine | Verdict::Unknown));
        (!extras.is_empty()).then_some(extras)
    }
}

impl KeyValue {
    /// The same of a value that nobody looked into.
    pub(crate) fn allows_raw<H: Host>(self, value: &Raw<H>, input: Option<&Input>) -> bool {
        matches!(self, Self::Any) || value.to_value(input).is_ok_and(|value| self.allows(&value))
    }

    /// Whether a key may hold this. Handles of a frozen value point nowhere, so that no input is needed.
    pub(crate) fn allows<H: Host>(self, value: &Value<H>) -> bool {
        match (self, value) {
            (Self::Any, _)
            | (Self::Maybe(_), Value::Null)
            | (Self::Map, Value::Map(_))
            | (Self::List, Value::List(_))
            | (Self::Number, Value::Number(_) | Value::Leaf(_))
            | (Self::Word, Value::Text(_))
            | (Self::Flag, Value::Bool(_)) => true,
            (Self::Holds(rules), Value::Map(entries)) => rules.iter().all(|(name, rule)| {
                entries.iter().find(|(key, _)| key.is(name, None)).is_some_and(|(_, value)| rule.allows(value))
            }),
            (Self::ListOf(rule), Value::List(items)) => items.iter().all(|item| rule.allows(item)),
            (Self::Shaped(shapes), Value::Map(entries)) => shape::fits(shapes, entries),
            (Self::Maybe(rule), value) => rule.allows(value),
            (Self::Both(one, other), value) => one.allows(value) && other.allows(value),
            (Self::Either(rules), value) => rules.iter().any(|rule| rule.allows(value)),
            (Self::OneOf(words), Value::Text(text)) => words.iter().any(|word| text.is(word, None)),
            (Self::Text(holds), Value::Text(text)) => holds(&text.to_str(None)),
            (Self::Blob, Value::Text(text)) => base64::is_sound(&text.wtf8(None)),
            (Self::Blob, Value::Leaf(leaf)) => H::leaf_kind(leaf) == NodeKind::Blob,
            (Self::Some(rule), Value::List(items)) => !items.is_empty() && items.iter().all(|item| rule.allows(item)),
            (Self::Fields(needed, others), Value::Map(entries)) => {
                let sound = |(name, rule): &KeyRule| member(entries, name).map(|value| rule.allows(value));
                needed.iter().all(|rule| sound(rule) == Some(true))
                    && others.iter().all(|rule| sound(rule) != Some(false))
            }
            (Self::Union(rules), Value::Map(entries)) => {
                let known = |(key, _): &&(Text<H>, Value<H>)| rules.iter().any(|(name, _)| key.is(name, None));
                let sound = |(name, rule): &KeyRule| member(entries, name).is_none_or(|value| rule.allows(value));
                !entries.is_empty() && entries.iter().filter(known).count() < 2 && rules.iter().all(sound)
            }
            _ => false,
        }
    }
}

/// The value of a key.
fn member<'v, H: Host>(entries: &'v [(Text<H>, Value<H>)], name: &str) -> Option<&'v Value<H>> {
    entries.iter().find(|(key, _)| key.is(name, None)).map(|(_, value)| value)
}
