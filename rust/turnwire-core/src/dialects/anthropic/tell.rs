//! Writes changes of system text and tools as a system message in the middle of a conversation.

use crate::{
    rules::News,
    value::{
        NoHost, Value,
        tree::{list, map, text},
    },
};

/// System text first, then added tools, then removed ones.
/// <https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages>
pub(super) fn elements(news: &News) -> Vec<Value<NoHost>> {
    let said = news.text.iter().map(|said| map([("type", text("text")), ("text", text(said))]));
    let change = |kind: &str, name: &str| {
        let tool = map([("type", text("tool_reference")), ("name", text(name))]);
        map([("type", text(kind)), ("tool", tool)])
    };
    let shown = news.shown.iter().map(|(name, _)| change("tool_addition", name));
    let withdrawn = news.withdrawn.iter().map(|name| change("tool_removal", name));
    let content = list(said.chain(shown).chain(withdrawn));
    vec![map([("role", text("system")), ("content", content)])]
}
