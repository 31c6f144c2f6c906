//! Describes which values a key may have, by its format's own types.

use super::block_rule::{BlockRule, block_rule_of};
use crate::value::{Host, Input, NodeKind, Raw, Text, Value, base64};

/// A key of an object, and its value.
pub(crate) type Entry<H> = (Text<H>, Value<H>);

/// A key and the rule for its value.
pub(crate) type KeyRule = (&'static str, ValueRule);

/// The rule for a value.
#[derive(Clone, Copy)]
pub(crate) enum ValueRule {
    /// Anything.
    Any,
    /// No value: the key itself is refused.
    Never,
    /// An object.
    Map,
    /// A list.
    List,
    /// A list of values that follow this rule.
    ListOf(&'static ValueRule),
    /// An object with a type, whose keys follow one of these rules.
    Shaped(&'static [BlockRule]),
    /// A number.
    Number,
    /// A whole number of 0 or more.
    Count,
    /// 0 or 1.
    Bit,
    /// Any text.
    Word,
    /// `true` or `false`.
    Flag,
    /// A value that follows this rule, or `null`.
    Maybe(&'static ValueRule),
    /// A value that follows one of these rules.
    Either(&'static [ValueRule]),
    /// A value that follows both rules.
    Both(&'static ValueRule, &'static ValueRule),
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// A text that passes this check.
    Text(fn(&str) -> bool),
    /// Bytes, as base64 text or in the host's own form.
    Blob,
    /// A list, not empty, of values that follow this rule.
    SomeOf(&'static ValueRule),
    /// An object that has the first keys and may have the others. Unknown keys are allowed.
    Fields(&'static [KeyRule], &'static [KeyRule]),
    /// An object with one of these keys, or an unknown one.
    Union(&'static [KeyRule]),
}

impl ValueRule {
    /// Whether a key may have this unparsed value.
    pub(crate) fn allows_raw<H: Host>(self, value: &Raw<H>, input: Option<&Input>) -> bool {
        matches!(self, Self::Any) || value.to_value(input).is_ok_and(|value| self.allows(&value))
    }

    /// [`Self::allows_raw`] for a frozen value, whose handles need no input.
    pub(crate) fn allows<H: Host>(self, value: &Value<H>) -> bool {
        match (self, value) {
            (Self::Any, _)
            | (Self::Maybe(_), Value::Null)
            | (Self::Map, Value::Map(_))
            | (Self::List, Value::List(_))
            | (Self::Number, Value::Number(_) | Value::Leaf(_))
            | (Self::Word, Value::Text(_))
            | (Self::Flag, Value::Bool(_)) => true,
            (Self::Count, value) => digits(value).is_some(),
            (Self::Bit, value) => digits(value).is_some_and(|digits| matches!(&*digits, b"0" | b"1")),
            (Self::ListOf(rule), Value::List(items)) => items.iter().all(|item| rule.allows(item)),
            (Self::Shaped(shapes), Value::Map(entries)) => match member(entries, "type") {
                Some(Value::Text(kind)) => {
                    let shape = block_rule_of(shapes, &kind.to_str(None));
                    shape.is_none_or(|shape| first_wrong(shape.needs, shape.may, entries).is_none())
                }
                _ => false,
            },
            (Self::Maybe(rule), value) => rule.allows(value),
            (Self::Both(one, other), value) => one.allows(value) && other.allows(value),
            (Self::Either(rules), value) => rules.iter().any(|rule| rule.allows(value)),
            (Self::OneOf(words), Value::Text(text)) => words.iter().any(|word| text.is(word, None)),
            (Self::Text(holds), Value::Text(text)) => holds(&text.to_str(None)),
            (Self::Blob, Value::Text(text)) => base64::is_sound(&text.wtf8(None)),
            (Self::Blob, Value::Leaf(leaf)) => H::leaf_kind(leaf) == NodeKind::Blob,
            (Self::SomeOf(rule), Value::List(items)) => !items.is_empty() && items.iter().all(|item| rule.allows(item)),
            (Self::Fields(needs, may), Value::Map(entries)) => first_wrong(needs, may, entries).is_none(),
            (Self::Union(rules), Value::Map(entries)) => {
                let known = |(key, _): &&Entry<H>| rules.iter().any(|(name, _)| key.is(name, None));
                let sound = |(name, rule): &KeyRule| member(entries, name).is_none_or(|value| rule.allows(value));
                !entries.is_empty() && entries.iter().filter(known).count() < 2 && rules.iter().all(sound)
            }
            _ => false,
        }
    }
}

/// Whether a number is written in digits alone and fits every integer type.
/// The digits of a whole number.
fn digits<H: Host>(value: &Value<H>) -> Option<Vec<u8>> {
    let mut written = Vec::new();
    match value {
        Value::Number(text) => written.extend(text.bytes()),
        Value::Leaf(leaf) if H::leaf_kind(leaf) == NodeKind::Number => {
            H::write_leaf(leaf, &mut written).ok()?;
        }
        _ => return None,
    }
    (written.len() < 19 && written.iter().all(u8::is_ascii_digit)).then_some(written)
}

/// The value of a key.
pub(crate) fn member<'v, H: Host>(entries: &'v [Entry<H>], name: &str) -> Option<&'v Value<H>> {
    entries.iter().find(|(key, _)| key.is(name, None)).map(|(_, value)| value)
}

/// The first key of an object that breaks a rule, with its value. `needs` are required keys, `may` optional ones.
pub(crate) fn first_wrong<'v, H: Host>(
    needs: &'static [KeyRule],
    may: &'static [KeyRule],
    entries: &'v [Entry<H>],
) -> Option<(&'static str, Option<&'v Value<H>>)> {
    let needed = needs.iter().map(|(name, rule)| (*name, rule, member(entries, name)));
    let given =
        may.iter().map(|(name, rule)| (*name, rule, member(entries, name))).filter(|(.., value)| value.is_some());
    let mut all = needed.chain(given);
    all.find(|(_, rule, value)| !value.is_some_and(|value| rule.allows(value))).map(|(name, _, value)| (name, value))
}
