//! Tells whether a dialect knows every key, setting and tool of what was read as it.

use super::index::Index;
use crate::{
    k,
    model::{Content, Kind, Parsed, Part, RestKey, Tool, Turn},
    rules::{DialectId, KeyRule, block_rule::block_rule_of},
    value::{Extras, Host, Input},
};

/// Whether a dialect reads or lists every key of the body, the elements and the tools that were read as it.
pub(crate) fn knows<H: Host>(dialect: DialectId, parsed: &Parsed<H>) -> bool {
    let frame = &parsed.frame;
    let own = frame.from.same_wire(dialect);
    let mut tools = frame.tools.iter().flatten().filter(|_| own);
    let mut rest = frame.rest.iter().flat_map(|rest| &rest.keys).filter(|_| own);
    let mut turns = parsed.turns.iter().filter(|turn| turn.from.same_wire(dialect));
    turns.all(|turn| knows_turn(dialect, turn))
        && tools.all(|tool| knows_tool(dialect, tool, frame.input.as_ref()))
        && rest.all(|one| one.value.is_null(frame.input.as_ref()) || knows_setting(dialect, one, frame.input.as_ref()))
}

/// Whether a dialect has a tool that its provider runs, or lists the keys of another one.
fn knows_tool<H: Host>(dialect: DialectId, tool: &Tool<H>, input: Option<&Input>) -> bool {
    let keys = dialect.keys();
    if tool.by_provider {
        let rule = block_rule_of(keys.tools, &tool.name.to_str(input));
        return rule.is_some_and(|rule| rule.unlisted(tool.origin.as_ref(), input).is_empty());
    }
    lists(dialect, keys.tool, tool.extras.as_deref(), input)
}

/// Whether a key of a body is one that a dialect's requests have.
fn knows_setting<H: Host>(dialect: DialectId, one: &RestKey<H>, input: Option<&Input>) -> bool {
    let key = one.key.to_str(input);
    key == k::MODEL.name || Index::get().has_in_body(dialect, &key)
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
