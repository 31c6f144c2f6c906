//! Compactions: parts in which a provider summarises a long conversation. They replace everything before them.

use super::{
    part::{Kind, Part},
    turn::Turn,
};
use crate::{
    rules::{CompactionRule, DialectId},
    value::{Host, Input, Text, Value},
};

/// The rule of a part that is a compaction. If its format has summaries and it has none, the compaction failed and
/// replaces nothing.
pub(crate) fn rule_of<H: Host>(turn: &Turn<H>, part: &Part<H>) -> Option<&'static CompactionRule> {
    let at = (turn.from, turn.input.as_ref());
    block_rule(at, part).filter(|rule| rule.summary.is_none() || summary(at, part).is_some())
}

/// The readable summary of a compaction, given the format and the input of its turn.
pub(crate) fn summary<H: Host>(at: (DialectId, Option<&Input>), part: &Part<H>) -> Option<Text<H>> {
    let name = block_rule(at, part)?.summary?;
    let Ok(Value::Map(entries)) = part.origin.as_ref()?.to_value(at.1) else { return None };
    match entries.iter().find(|(key, _)| key.is(name, None))? {
        (_, Value::Text(text)) if !text.is_blank(None) => Some(text.share()),
        _ => None,
    }
}

fn block_rule<H: Host>((from, input): (DialectId, Option<&Input>), part: &Part<H>) -> Option<&'static CompactionRule> {
    let Kind::Opaque(name) = &part.kind else { return None };
    from.compaction().filter(|rule| name.is(rule.kind, input))
}

/// The block of a turn that holds a compaction and nothing else, unchanged.
pub(crate) fn alone<H: Host>(turn: &Turn<H>) -> Option<Value<H>> {
    let [part] = &turn.parts[..] else { return None };
    rule_of(turn, part)?;
    part.origin.as_ref().or(turn.origin.as_ref())?.to_value(turn.input.as_ref()).ok()
}

/// The last compaction of a turn, and its index.
#[inline]
pub(crate) fn last_of<H: Host>(turn: &Turn<H>) -> Option<(usize, &'static CompactionRule)> {
    // Most formats have no compactions.
    turn.from.compaction()?;
    (0..turn.parts.len()).rev().find_map(|at| Some((at, rule_of(turn, &turn.parts[at])?)))
}
