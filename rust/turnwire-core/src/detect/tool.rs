//! Detects the dialect of a tool definition.

use super::{body, index::Index};
use crate::{
    dialects::table::{hiding, tools_of},
    k,
    rules::{DialectId, block_rule::block_rule_of},
    value::{Source, door::keys},
};

keys! {
    ICONS = "icons";
    OUTPUT_SCHEMA = "outputSchema";
}

/// Whether tool definitions look like those of a readable dialect: they have its signs, or only a type of their own.
pub fn are_tools_of<S: Source>(list: &S, dialect: DialectId) -> bool {
    !list.is_empty() && list.items().all(|tool| is_tool_of(&tool, dialect))
}

/// [`are_tools_of`] for one definition.
pub(crate) fn is_tool_of<S: Source>(tool: &S, dialect: DialectId) -> bool {
    let kind = kind_of(tool);
    if kind.as_deref() == Some(k::CUSTOM.name) && dialect.limits().is_ok_and(|limits| !limits.free_text) {
        return false;
    }
    // A type that a format describes is that format's, whatever else the definition has.
    if let Some(kind) = kind.filter(|kind| !is_plain(kind)) {
        let mut described = tools_of(&kind).peekable();
        if described.peek().is_some() {
            let others = || tools_of(&kind).any(|other| lists_all(tool, &kind, other));
            return described.any(|one| one.same_wire(dialect)) && (lists_all(tool, &kind, dialect) || !others());
        }
    }
    let hides = |flag: &str| tool.entries().any(|(key, _)| key.is(flag, tool.input()));
    let knows = |flag: &str| dialect.keys().tool.iter().any(|(known, _)| *known == flag);
    if hiding().any(|(_, flag)| hides(flag) && !knows(flag)) {
        return false;
    }
    // A tool of a Model Context Protocol server is not any provider's own, whatever its SDK calls the schema.
    if [&k::ANNOTATIONS, &k::EXECUTION, &ICONS, &OUTPUT_SCHEMA].iter().any(|key| tool.get(key).is_some()) {
        return false;
    }
    let look = body::tool(tool);
    if look.signed {
        return look.set.has(Index::get().of(dialect));
    }
    tool.get(&k::TYPE).is_some() && dialect.can_be_read()
}

/// The dialect of a definition among others: the target's, or the one that describes its type.
pub(crate) fn dialect_of_tool<S: Source>(tool: &S, target: Option<DialectId>) -> Option<DialectId> {
    let kind = kind_of(tool);
    if kind.is_none() && tool.get(&k::NAME).is_none() {
        return None;
    }
    let typed = kind.filter(|kind| !is_plain(kind));
    let of_type =
        |kind: String| tools_of(&kind).find(|one| lists_all(tool, &kind, *one)).or_else(|| tools_of(&kind).next());
    let hides = |(one, flag): &(DialectId, &str)| {
        tool.entries().any(|(key, _)| key.is(flag, tool.input())) && is_tool_of(tool, *one)
    };
    let hidden = || hiding().find(hides).map(|(one, _)| one);
    target.filter(|target| is_tool_of(tool, *target)).or_else(|| typed.and_then(of_type)).or_else(hidden)
}

/// Whether a format lists all keys of a definition of this type.
fn lists_all<S: Source>(tool: &S, kind: &str, dialect: DialectId) -> bool {
    let rule = block_rule_of(dialect.keys().tools, kind);
    let bare = || tool.entries().all(|(key, _)| key.is(k::TYPE.name, tool.input()));
    rule.is_some_and(
        |rule| {
            if rule.lists_keys() { rule.unlisted(Some(&tool.raw()), tool.input()).is_empty() } else { bare() }
        },
    )
}

/// Whether this is the type of a caller's own tool, in several formats.
fn is_plain(kind: &str) -> bool {
    matches!(kind, "" | "function" | "custom")
}

/// The type of a definition.
fn kind_of<S: Source>(tool: &S) -> Option<String> {
    tool.get(&k::TYPE).and_then(|kind| kind.word().map(std::borrow::Cow::into_owned))
}
