//! Repairs a tool's schema for a target: keeps the meaning if the target can express it, and describes it in words if
//! not.
//!
//! [`repaired`] depends on one schema and one rule, never on other tools. The repairs are `malformed`, `root`,
//! `references` and `keywords`, in the order in which they run; they stand on `node`, `repairs` and `vocabulary`. A schema
//! that needs no repair returns `None`.

mod combined;
mod keywords;
mod malformed;
mod node;
mod references;
mod repairs;
mod root;
mod strict;
mod typed;
mod vocabulary;

pub(crate) use self::root::SAYS_OBJECT;
pub(crate) use self::strict::{closed, not_strict, strict_fault};
use self::{
    node::Node,
    repairs::{Refusal, Repairs, SchemaChange},
};
use crate::{
    rules::{Draft, References, tool_rule::ToolRule},
    value::{Host, Value},
};

/// A repaired schema.
pub(crate) struct Repaired<H: Host> {
    pub(crate) schema: Value<H>,
    /// What the root can no longer express. It is added to the description of the tool.
    pub(crate) words: Vec<String>,
    pub(crate) changes: Vec<SchemaChange>,
}

/// How often a schema is repaired at most. One repair may make work for another: merged schemas may bring a reference.
const MOST_PASSES: usize = 8;

/// A schema, repaired for the rule until nothing changes any more. `None` if it needs no repair.
pub(crate) fn repaired<H: Host>(schema: &Value<H>, rule: &ToolRule) -> Result<Option<Repaired<H>>, Refusal> {
    let Some(mut whole) = repaired_once(schema, rule)? else { return Ok(None) };
    for _ in 1..MOST_PASSES {
        let Some(mut next) = repaired_once(&whole.schema, rule)? else { break };
        whole.schema = next.schema;
        whole.words.append(&mut next.words);
        whole.changes.append(&mut next.changes);
    }
    Ok(Some(whole))
}

fn repaired_once<H: Host>(schema: &Value<H>, rule: &ToolRule) -> Result<Option<Repaired<H>>, Refusal> {
    let mut root = Node::of(schema);
    let mut repairs = Repairs { rule: *rule, at: Vec::new(), words: Vec::new(), changes: Vec::new() };
    if rule.draft != Draft::Any {
        malformed::repair(&mut root, &mut repairs);
    }
    root::repair(&mut root, &mut repairs)?;
    if rule.references != References::Any {
        references::repair(&mut root, &mut repairs)?;
    }
    keywords::repair(&mut root, &mut repairs);
    if rule.typed {
        typed::repair(&mut root, &mut repairs);
    }
    root::keys(&mut root, &mut repairs);
    let Repairs { words, changes, .. } = repairs;
    Ok((!changes.is_empty()).then(|| Repaired { schema: root.into_value(), words, changes }))
}
