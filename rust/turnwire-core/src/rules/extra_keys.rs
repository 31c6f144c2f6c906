//! Keys of a format that no parser takes: those that may stand, with what they may hold, and those of its replies alone.

use super::{block_rule::BlockRule, value_rule::KeyRule};
use crate::value::{
    extras::Extras,
    handle::{Host, Input, Raw, Text, Value},
};

/// Keys beyond those that a parser takes: lists of the format's own, from its SDK's types.
#[derive(Clone, Copy)]
pub(crate) struct ExtraKeys {
    /// Keys that may stand in a turn.
    pub(crate) turn: &'static [KeyRule],
    /// Keys that may stand in a part.
    pub(crate) part: &'static [KeyRule],
    /// Keys that may stand in the object inside a part; `None` where those of a part may.
    pub(crate) inner: Option<&'static [KeyRule]>,
    /// Keys that may stand in a tool's definition.
    pub(crate) tool: &'static [KeyRule],
    /// Keys that an SDK's reply object has and a request must not.
    pub(crate) reply_only: &'static [&'static str],
    /// A key that may stand so many times in a whole payload.
    pub(crate) most: Option<(&'static str, usize)>,
    /// Types of blocks that only an assistant has, with blanks between them. One with an id is a call that the provider ran.
    pub(crate) assistant_blocks: &'static str,
    /// Types of blocks that only the user has, with blanks between them.
    pub(crate) user_blocks: &'static str,
    /// Types of blocks that stand among the results of tools, with blanks between them: what the user says about a call.
    pub(crate) among_results: &'static str,
    /// Types of blocks that only this format knows, and that may stand in the system text beside the turns.
    pub(crate) system_blocks: &'static str,
    /// Blocks that nobody takes apart, and what they must hold.
    pub(crate) blocks: &'static [BlockRule],
    /// Blocks that are told by a key, and what they must hold under it, where nobody takes them apart.
    pub(crate) members: &'static [KeyRule],
    /// Blocks that a result may hold, with blanks between them; empty where any may stand there.
    pub(crate) result_blocks: &'static str,
    /// Keys that may stand beside the tools, where an object holds both, and inside the choice of tools; `None` where nobody
    /// looks.
    pub(crate) around: Option<&'static [KeyRule]>,
    /// Tools that the provider runs, and what their definitions must hold.
    pub(crate) tools: &'static [BlockRule],
    /// Whether each key has two spellings, `camelCase` and `snake_case`, of which servers take one.
    pub(crate) two_spellings: bool,
    /// Whether nobody refuses a key: what is stored and not sent.
    pub(crate) any: bool,
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

impl ExtraKeys {
    /// Of a format that is stored and not sent.
    pub(crate) const ANY: Self = Self {
        turn: &[],
        part: &[],
        inner: None,
        tool: &[],
        reply_only: &[],
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
        two_spellings: false,
        any: true,
    };

    /// Keys that may stand in the object inside a part.
    pub(crate) fn inside(self) -> &'static [KeyRule] {
        self.inner.unwrap_or(self.part)
    }

    /// Whether the format says of any key that it may or may not stand.
    fn lists_keys(self) -> bool {
        !(self.turn.is_empty() && self.part.is_empty() && self.tool.is_empty() && self.reply_only.is_empty())
    }

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
            // What is not set may as well not be there.
            None if self.lists_keys() && value.is_null(input) => Verdict::WrongValue,
            None if self.reply_only.iter().any(|name| key.is(name, input)) => Verdict::ReplyOnly,
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

    /// Those that `said`, the object they stand in, does not say in another spelling, too. What a parser took counts, and of
    /// two that nobody took the first.
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

/// How proto JSON spells the same key otherwise.
pub(crate) fn other_spelling(key: &str) -> Option<String> {
    let mut made = String::with_capacity(key.len() + 4);
    let mut letters = key.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '_' => made.extend(letters.next().map(|next| next.to_ascii_uppercase())),
            'A'..='Z' => made.extend(['_', letter.to_ascii_lowercase()]),
            _ => made.push(letter),
        }
    }
    (made != key).then_some(made)
}
