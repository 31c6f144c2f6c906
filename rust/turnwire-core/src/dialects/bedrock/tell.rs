//! Writes changes of system text as a system message in the middle of a conversation.

use crate::{
    rules::News,
    value::{
        NoHost, Value,
        tree::{list, map, text},
    },
};

/// System text only: the service does not document how to define a tool in the middle of a conversation.
pub(super) fn elements(news: &News) -> Vec<Value<NoHost>> {
    let said = news.text.iter().map(|said| map([("text", text(said))]));
    vec![map([("role", text("system")), ("content", list(said))])]
}
