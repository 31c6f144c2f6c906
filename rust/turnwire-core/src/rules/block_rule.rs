//! What a block or a tool must hold that nobody takes apart, because only its own provider knows what it is for.

use super::{
    extra_keys::{ExtraKeys, Verdict},
    value_rule::{Entry, KeyRule, first_wrong},
};
use crate::value::handle::{Host, Input, Raw, Text, Value};

/// Blocks or tools of these types, with what they hold by their format's own types.
#[derive(Clone, Copy)]
pub(crate) struct BlockRule {
    /// The types, with blanks between them. One that ends in `_` or `:` stands for all that begin so.
    pub(crate) types: &'static str,
    /// What must be there.
    pub(crate) needs: &'static [KeyRule],
    /// What may be there.
    pub(crate) may: &'static [KeyRule],
}

/// No format has longer names of types.
const LONGEST: usize = 64;

/// Whether anybody could name a type so.
fn is_type(word: &str) -> bool {
    let letter = |letter: char| letter.is_ascii_alphanumeric() || "_-.:/".contains(letter);
    !word.is_empty() && word.len() <= LONGEST && word.chars().all(letter)
}

/// What is wrong with a block or a tool that goes back as it came, of this type, given the shapes of its format.
pub(crate) fn misfit<H: Host>(
    shapes: &[BlockRule],
    kind: &Text<H>,
    origin: Option<&Raw<H>>,
    input: Option<&Input>,
) -> Option<String> {
    let word = kind.to_str(input);
    if !is_type(&word) {
        return Some(format!("the target knows no type {word:?}"));
    }
    let shape = block_rule_of(shapes, &word)?;
    let Ok(Value::Map(entries)) = origin?.to_value(input) else { return None };
    first_wrong(shape.needs, shape.may, &entries).map(|(key, value)| match value {
        None => format!("the target wants the key {key:?} in every {word:?}"),
        Some(_) => format!("the target refuses this value of the key {key:?} of {word:?}"),
    })
}

/// The shape of a type, where the format lists it.
pub(crate) fn block_rule_of<'s>(shapes: &'s [BlockRule], word: &str) -> Option<&'s BlockRule> {
    let named = |name: &str| name == word || name.ends_with(['_', ':']) && word.starts_with(name);
    shapes.iter().find(|shape| shape.types.split(' ').any(named))
}

impl ExtraKeys {
    /// A definition of a tool without the keys that its servers refuse, wherever in it they stand.
    pub(crate) fn without_stray_keys<H: Host>(self, origin: &Raw<H>, input: Option<&Input>) -> Option<Raw<H>> {
        let stray = |(key, value): &Entry<H>| {
            let judged = self.judge(self.tool, (key, &Raw::Tree(value.share())), input);
            matches!(judged, Verdict::ReplyOnly | Verdict::WrongValue)
        };
        without(&stray, origin, input, WRAPPERS)
    }

    /// The same block without such keys.
    pub(crate) fn without_wrong_keys<H: Host>(self, origin: &Raw<H>, input: Option<&Input>) -> Option<Raw<H>> {
        without(&|entry| is_wrong(self.part, entry), origin, input, &[])
    }
}

/// A wire value without the keys whose values these rules refuse, and without those that nobody knows and that are `null`.
pub(crate) fn without_wrong<H: Host>(rules: &[KeyRule], origin: &Raw<H>, input: Option<&Input>) -> Option<Raw<H>> {
    let unset =
        |(key, value): &Entry<H>| matches!(value, Value::Null) && !rules.iter().any(|(name, _)| key.is(name, None));
    without(&|entry| is_wrong(rules, entry) || unset(entry), origin, input, &[])
}

/// A wire value without a key.
pub(crate) fn without_key<H: Host>(origin: &Raw<H>, name: &str, input: Option<&Input>) -> Option<Raw<H>> {
    without(&|(key, _)| key.is(name, None), origin, input, &[])
}

/// The keys of a definition under which the rest of it stands.
const WRAPPERS: &[&str] = &["function", "custom", "toolSpec"];

/// A wire value without some of its keys, in itself and in the objects under the keys of `inner`.
fn without<H: Host>(
    gone: &dyn Fn(&Entry<H>) -> bool,
    origin: &Raw<H>,
    input: Option<&Input>,
    inner: &[&str],
) -> Option<Raw<H>> {
    let Ok(Value::Map(entries)) = origin.to_value(input) else { return None };
    let sound = |entries: &[Entry<H>]| {
        let kept = entries.iter().filter(|entry| !gone(entry));
        kept.map(|(key, value)| (key.share(), value.share())).collect::<Vec<_>>()
    };
    let mut left = sound(&entries);
    for (key, value) in &mut left {
        if let Value::Map(entries) = value
            && inner.iter().any(|name| key.is(name, None))
        {
            *value = Value::Map(sound(entries).into());
        }
    }
    Some(Raw::Tree(Value::Map(left.into())))
}

pub(crate) fn is_wrong<H: Host>(rules: &[KeyRule], (key, value): &Entry<H>) -> bool {
    rules.iter().any(|(name, rule)| key.is(name, None) && !rule.allows(value))
}
