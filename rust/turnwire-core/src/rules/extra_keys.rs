//! Lists the keys of a format that no parser takes: allowed keys with their values, and keys of replies only.

use super::{block_rule::BlockRule, value_rule::KeyRule};
use crate::value::{Extras, Host, Input, Raw, Text, Value};

/// Keys beyond those that a parser takes, from each format's SDK types.
#[derive(Clone, Copy)]
pub(crate) struct ExtraKeys {
    /// Keys allowed in a turn.
    pub(crate) turn: &'static [KeyRule],
    /// Keys allowed in an assistant's turn of a row of training data, and not in a request.
    pub(crate) row: &'static [KeyRule],
    /// Keys allowed in a part.
    pub(crate) part: &'static [KeyRule],
    /// Keys allowed in the object inside a part; `None` for the same keys as in a part.
    pub(crate) inner: Option<&'static [KeyRule]>,
    /// Keys allowed in a tool's definition.
    pub(crate) tool: &'static [KeyRule],
    /// Keys that an SDK's reply object has and a request must not.
    pub(crate) reply_only: &'static [&'static str],
    /// Those of them that each message of a reply has, so that clients send them back. It depends on the target whether its
    /// servers accept them.
    pub(crate) echoed: &'static [&'static str],
    /// A key, and how often a whole payload may have it.
    pub(crate) most: Option<(&'static str, usize)>,
    /// Types of blocks for assistants only, with blanks between them. One with an id is a provider-run call.
    pub(crate) assistant_blocks: &'static str,
    /// Types of blocks for users only, with blanks between them.
    pub(crate) user_blocks: &'static str,
    /// Types of blocks that are allowed among tool results, with blanks between them, such as the user's answer to a
    /// call.
    pub(crate) among_results: &'static str,
    /// Types of this format's own blocks that are allowed in the system text beside the turns.
    pub(crate) system_blocks: &'static str,
    /// Opaque blocks, and what they must contain.
    pub(crate) blocks: &'static [BlockRule],
    /// Opaque blocks without a type, by their key, and what the value of that key must contain.
    pub(crate) members: &'static [KeyRule],
    /// Blocks that a result may hold, with blanks between them. Empty if it may hold any.
    pub(crate) result_blocks: &'static str,
    /// Keys allowed beside the tools, if an object holds both, and inside the choice of tools. `None` if no server
    /// checks them.
    pub(crate) around: Option<&'static [KeyRule]>,
    /// Provider-run tools, and what their definitions must contain.
    pub(crate) tools: &'static [BlockRule],
    /// Keys of parts, tools and messages that its provider takes under a beta header only.
    pub(crate) beta: &'static [&'static str],
    /// Keys that carry another provider's proof if they have such a value. Servers pass over them.
    pub(crate) carried: &'static [KeyRule],
    /// Whether each key has two spellings, `camelCase` and `snake_case`, of which servers accept only one at a time.
    pub(crate) two_spellings: bool,
    /// Whether every key is allowed, as in a format that is only stored.
    pub(crate) any: bool,
}

/// The verdict on a key that no parser took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It is allowed.
    Fine,
    /// Only replies may have it.
    ReplyOnly,
    /// It is allowed, but not with this value.
    WrongValue,
    /// It is null and not among those that are listed, so that leaving it out changes nothing.
    Unset,
    /// It is unknown.
    Unknown,
}

impl Verdict {
    /// Whether a request must not have it.
    pub(crate) fn is_refused(self) -> bool {
        matches!(self, Self::ReplyOnly | Self::WrongValue | Self::Unset)
    }
}

impl ExtraKeys {
    /// For a format that is only stored.
    pub(crate) const ANY: Self = Self {
        turn: &[],
        row: &[],
        part: &[],
        inner: None,
        tool: &[],
        reply_only: &[],
        echoed: &[],
        most: None,
        assistant_blocks: "",
        user_blocks: "",
        among_results: "",
        system_blocks: "",
        blocks: &[],
        members: &[],
        result_blocks: "",
        around: None,
        tools: &[],
        beta: &[],
        carried: &[],
        two_spellings: false,
        any: true,
    };

    /// Keys allowed in the object inside a part.
    pub(crate) fn inside(self) -> &'static [KeyRule] {
        self.inner.unwrap_or(self.part)
    }

    /// Whether the format lists allowed or forbidden keys.
    fn lists_keys(self) -> bool {
        !(self.turn.is_empty() && self.part.is_empty() && self.tool.is_empty() && self.reply_only.is_empty())
    }

    /// The verdict on a key, by these rules.
    pub(crate) fn judge<H: Host>(
        self,
        rules: &[KeyRule],
        (key, value): (&Text<H>, &Raw<H>),
        input: Option<&Input>,
    ) -> Verdict {
        if self.any {
            return Verdict::Fine;
        }
        if self.is_carried((key, value), input) {
            return Verdict::Fine;
        }
        match rules.iter().find(|(name, _)| key.is(name, input)) {
            Some((_, rule)) if rule.allows_raw(value, input) => Verdict::Fine,
            Some(_) => Verdict::WrongValue,
            None if self.lists_keys() && value.is_null(input) => Verdict::Unset,
            None if self.reply_only.iter().any(|name| key.is(name, input)) => Verdict::ReplyOnly,
            None => Verdict::Unknown,
        }
    }

    /// Whether a key carries another provider's proof.
    pub(crate) fn is_carried<H: Host>(self, (key, value): (&Text<H>, &Raw<H>), input: Option<&Input>) -> bool {
        self.carried.iter().any(|(name, rule)| key.is(name, input) && rule.allows_raw(value, input))
    }

    /// Whether clients send this key of replies back.
    pub(crate) fn is_echoed<H: Host>(self, key: &Text<H>, input: Option<&Input>) -> bool {
        self.echoed.iter().any(|name| key.is(name, input))
    }

    /// The extras that the object around them, `said`, does not repeat in the other spelling. A key that a parser took
    /// wins over an extra, and the first of two extras wins.
    pub(crate) fn read_once<H: Host>(
        self,
        extras: Option<Box<Extras<H>>>,
        said: Option<&Value<H>>,
        input: Option<&Input>,
    ) -> Option<Box<Extras<H>>> {
        let mut extras = extras?;
        let Some(Value::Map(entries)) = said.filter(|_| self.two_spellings) else { return Some(extras) };
        let at =
            |name: &str| entries.iter().position(|(key, value)| key.is(name, None) && !matches!(value, Value::Null));
        let names: Vec<_> = extras.iter().map(|(key, _)| key.to_str(input).into_owned()).collect();
        let mut each = names.iter();
        extras.retain(|_| {
            let Some((key, other)) = each.next().and_then(|key| Some((key, other_spelling(key)?))) else { return true };
            let taken = !names.contains(&other);
            at(&other).is_none_or(|before| !taken && at(key).is_some_and(|at| at < before))
        });
        (!extras.is_empty()).then_some(extras)
    }
}

/// The other spelling of a key in proto JSON. A key that is in neither, such as `inline_Data`, has none: servers do not
/// read it as either.
pub(crate) fn other_spelling(key: &str) -> Option<String> {
    let mut made = String::with_capacity(key.len() + 4);
    let mut letters = key.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '_' => made.push(letters.next().filter(char::is_ascii_lowercase)?.to_ascii_uppercase()),
            'A'..='Z' if key.contains('_') => return None,
            'A'..='Z' => made.extend(['_', letter.to_ascii_lowercase()]),
            _ => made.push(letter),
        }
    }
    (made != key).then_some(made)
}
