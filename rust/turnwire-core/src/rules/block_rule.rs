//! Describes what an opaque block or a provider-run tool must contain, by its type.

use super::{
    extra_keys::ExtraKeys,
    value_rule::{Entry, KeyRule, ValueRule, first_wrong},
};
use crate::value::{Host, Input, Raw, Text, Value};

/// The keys of blocks or tools of some types, as their format's own types define them.
#[derive(Clone, Copy)]
pub(crate) struct BlockRule {
    /// The types, with blanks between them. One that ends in `_`, `-` or `:` is a prefix.
    pub(crate) types: &'static str,
    /// Required keys.
    pub(crate) needs: &'static [KeyRule],
    /// Optional keys.
    pub(crate) may: &'static [KeyRule],
}

impl BlockRule {
    /// Whether any key of these types is listed.
    pub(crate) fn lists_keys(&self) -> bool {
        !self.needs.is_empty() || !self.may.is_empty()
    }

    /// The keys of a wire value that are not listed, beside its type. None if no keys are listed for its type.
    pub(crate) fn unlisted<H: Host>(&self, origin: Option<&Raw<H>>, input: Option<&Input>) -> Vec<String> {
        let mut rules = self.needs.iter().chain(self.may).peekable();
        let (Some(_), Some(Ok(Value::Map(entries)))) = (rules.peek(), origin.map(|origin| origin.to_value(input)))
        else {
            return Vec::new();
        };
        let listed = |key: &Text<H>| key.is("type", None) || rules.clone().any(|(name, _)| key.is(name, None));
        entries.iter().filter(|(key, _)| !listed(key)).map(|(key, _)| key.to_str(None).into_owned()).collect()
    }
}

/// The longest name of a type in any format.
const LONGEST: usize = 64;

/// Whether a word looks like the name of a type.
fn is_type(word: &str) -> bool {
    let letter = |letter: char| letter.is_ascii_alphanumeric() || "_-.:/".contains(letter);
    !word.is_empty() && word.len() <= LONGEST && word.chars().all(letter)
}

/// What is wrong with a block or tool of this type that is sent back unchanged, by its format's rules.
pub(crate) fn misfit<H: Host>(
    shapes: &[BlockRule],
    kind: &Text<H>,
    origin: Option<&Raw<H>>,
    input: Option<&Input>,
) -> Option<String> {
    let word = kind.to_str(input);
    if !is_type(&word) {
        return Some(format!("the target does not know the type {word:?}"));
    }
    let shape = block_rule_of(shapes, &word)?;
    let Ok(Value::Map(entries)) = origin?.to_value(input) else { return None };
    first_wrong(shape.needs, shape.may, &entries).map(|(key, value)| match value {
        None => format!("the target requires the key {key:?} in every {word:?}"),
        Some(_) => format!("the target refuses this value of the key {key:?} of {word:?}"),
    })
}

/// The rule for a type, if the format lists it.
pub(crate) fn block_rule_of<'s>(shapes: &'s [BlockRule], word: &str) -> Option<&'s BlockRule> {
    let named = |name: &str| name == word || name.ends_with(['_', '-', ':']) && word.starts_with(name);
    shapes.iter().find(|shape| shape.types.split(' ').any(named))
}

impl ExtraKeys {
    /// A tool definition without the keys that its servers refuse and without `others`, at either level.
    pub(crate) fn without_stray_keys<H: Host>(
        self,
        origin: &Raw<H>,
        input: Option<&Input>,
        others: &[String],
    ) -> Option<Raw<H>> {
        let stray = |(key, value): &Entry<H>| {
            let is_refused = || self.judge(self.tool, (key, &Raw::Tree(value.share())), input).is_refused();
            others.iter().any(|other| key.is(other, None)) || is_refused()
        };
        without(&stray, origin, input, WRAPPERS)
    }

    /// A block without the keys whose values its servers refuse.
    pub(crate) fn without_wrong_keys<H: Host>(self, origin: &Raw<H>, input: Option<&Input>) -> Option<Raw<H>> {
        without(&|entry| is_wrong(self.part, entry), origin, input, &[])
    }
}

/// A wire value without a key.
pub(crate) fn without_key<H: Host>(origin: &Raw<H>, name: &str, input: Option<&Input>) -> Option<Raw<H>> {
    without(&|(key, _)| key.is(name, None), origin, input, &[])
}

/// The paths in a definition of the objects that hold the rest of it.
const WRAPPERS: &[&str] = &["function", "custom", "toolSpec", "toolSpec.inputSchema"];

/// A wire value without some of its keys, in itself and in the objects at the paths of `inner`.
fn without<H: Host>(
    gone: &dyn Fn(&Entry<H>) -> bool,
    origin: &Raw<H>,
    input: Option<&Input>,
    inner: &[&str],
) -> Option<Raw<H>> {
    let Ok(Value::Map(entries)) = origin.to_value(input) else { return None };
    Some(Raw::Tree(Value::Map(left(gone, &entries, "", inner).into())))
}

/// The entries that are not gone from an object at the path `at`.
fn left<H: Host>(gone: &dyn Fn(&Entry<H>) -> bool, entries: &[Entry<H>], at: &str, inner: &[&str]) -> Vec<Entry<H>> {
    let one = |(key, value): &Entry<H>| {
        let name = key.to_str(None);
        let place = if at.is_empty() { name.into_owned() } else { format!("{at}.{name}") };
        match value {
            Value::Map(entries) if inner.contains(&&*place) => {
                (key.share(), Value::Map(left(gone, entries, &place, inner).into()))
            }
            _ => (key.share(), value.share()),
        }
    };
    entries.iter().filter(|entry| !gone(entry)).map(one).collect()
}

/// Whether these rules refuse the value of a key. A key that they refuse as such is one that a parser has left; a block that
/// is written as it came may need it.
pub(crate) fn is_wrong<H: Host>(rules: &[KeyRule], (key, value): &Entry<H>) -> bool {
    let refuses = |rule: &ValueRule| !matches!(rule, ValueRule::Never) && !rule.allows(value);
    rules.iter().any(|(name, rule)| key.is(name, None) && refuses(rule))
}
