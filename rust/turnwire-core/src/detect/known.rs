//! Tells whether a dialect knows every key of what was read as it.

use super::index::Index;
use crate::{
    model::{Content, Kind, Parsed, Part, Turn},
    rules::{DialectId, KeyRule, block_rule::block_rule_of},
    value::{Extras, Host, Input},
};

/// Whether a dialect reads or lists every key of the elements and tools that were read as it.
pub(crate) fn knows<H: Host>(dialect: DialectId, parsed: &Parsed<H>) -> bool {
    let (keys, frame) = (dialect.keys(), &parsed.frame);
    let mut tools = frame.tools.iter().flatten().filter(|tool| frame.from.same_wire(dialect) && !tool.by_provider);
    let mut turns = parsed.turns.iter().filter(|turn| turn.from.same_wire(dialect));
    turns.all(|turn| knows_turn(dialect, turn))
        && tools.all(|tool| lists(dialect, keys.tool, tool.extras.as_deref(), frame.input.as_ref()))
}

/// [`knows`] for one turn.
pub(crate) fn knows_turn<H: Host>(dialect: DialectId, turn: &Turn<H>) -> bool {
    let (keys, input) = (dialect.keys(), turn.input.as_ref());
    lists(dialect, keys.turn, turn.extras.as_deref(), input)
        && turn.parts.iter().all(|part| knows_part(dialect, part, input))
}

fn knows_part<H: Host>(dialect: DialectId, part: &Part<H>, input: Option<&Input>) -> bool {
    let keys = dialect.keys();
    let inner = part.inner.as_ref().map(|inner| &inner.extras);
    let own = lists(dialect, keys.part, part.extras.as_deref(), input) && lists(dialect, keys.inside(), inner, input);
    let blocks = match &part.kind {
        Kind::Result(result) => match &result.content {
            Content::Blocks(blocks) => blocks.iter().all(|block| knows_part(dialect, block, input)),
            Content::Absent | Content::Text(_) => true,
        },
        // What the reader could not take, and knows to be wrong, is no block of the dialect.
        Kind::Opaque(name) => {
            let rule = block_rule_of(keys.blocks, &name.to_str(input));
            part.flaw.is_none() && rule.is_none_or(|rule| rule.unlisted(part.origin.as_ref(), input).is_empty())
        }
        _ => true,
    };
    own && blocks
}

/// Whether a dialect lists these keys: among those that are allowed, those of its replies, or its signs. `null` counts as
/// absent.
fn lists<H: Host>(dialect: DialectId, rules: &[KeyRule], extras: Option<&Extras<H>>, input: Option<&Input>) -> bool {
    let listed = |name: &str| {
        let allowed = rules.iter().any(|(rule, _)| *rule == name) || dialect.keys().reply_only.contains(&name);
        allowed || Index::get().lists(dialect, name)
    };
    extras.is_none_or(|extras| extras.iter().all(|(key, value)| value.is_null(input) || listed(&key.to_str(input))))
}
