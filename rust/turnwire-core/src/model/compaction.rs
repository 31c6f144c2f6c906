//! Parts that a provider made of a long conversation, to stand for what was said before them.

use super::{
    part::{Kind, Part},
    turn::Turn,
};
use crate::{
    rules::{compaction::CompactionRule, dialect_id::DialectId},
    value::handle::{Host, Input, Text, Value},
};

/// What the format of a turn says of this part, if it is a compaction. One without a summary, where its format has one, is a
/// compaction that failed: it stands for nothing.
pub(crate) fn rule_of<H: Host>(turn: &Turn<H>, part: &Part<H>) -> Option<&'static CompactionRule> {
    let Kind::Opaque(name) = &part.kind else { return None };
    let rule = turn.from.compaction().filter(|rule| name.is(rule.kind, turn.input.as_ref()))?;
    (rule.summary.is_none() || summary((turn.from, turn.input.as_ref()), part).is_some()).then_some(rule)
}

/// The summary of a compaction that anybody can read, given the format and the input of its turn.
pub(crate) fn summary<H: Host>((from, input): (DialectId, Option<&Input>), part: &Part<H>) -> Option<Text<H>> {
    let Kind::Opaque(name) = &part.kind else { return None };
    let rule = from.compaction().filter(|rule| name.is(rule.kind, input))?;
    let Ok(Value::Map(entries)) = part.origin.as_ref()?.to_value(input) else { return None };
    let (_, value) = entries.iter().find(|(key, _)| key.is(rule.summary.unwrap_or_default(), None))?;
    match value {
        Value::Text(text) if !text.is_blank(None) => Some(text.share()),
        _ => None,
    }
}

/// The last compaction of a turn, and its place.
pub(crate) fn last_of<H: Host>(turn: &Turn<H>) -> Option<(usize, &'static CompactionRule)> {
    // Most formats have none.
    turn.from.compaction()?;
    (0..turn.parts.len()).rev().find_map(|at| Some((at, rule_of(turn, &turn.parts[at])?)))
}
