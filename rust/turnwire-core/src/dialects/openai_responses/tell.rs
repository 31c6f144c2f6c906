//! Writes changes of system text and tools as the developer's items in the middle of a conversation.

use crate::{
    rules::News,
    value::{
        NoHost, Value,
        tree::{list, map, text},
    },
};

/// System text, then the added tools.
/// <https://developers.openai.com/api/docs/guides/keep-prefix-unchanged>
pub(super) fn elements(news: &News) -> Vec<Value<NoHost>> {
    let said = news
        .text
        .iter()
        .map(|said| map([("type", text("message")), ("role", text("developer")), ("content", text(said))]));
    let tools = list(news.shown.iter().map(|(_, tool)| tool.share()));
    let shown = map([("type", text("additional_tools")), ("role", text("developer")), ("tools", tools)]);
    said.chain((!news.shown.is_empty()).then_some(shown)).collect()
}
