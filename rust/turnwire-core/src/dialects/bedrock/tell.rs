//! A system message in the middle of a conversation: what is new at its head.

use crate::{
    rules::limits::News,
    value::{
        handle::{NoHost, Value},
        tree::{list, map, text},
    },
};

/// System text. How a tool is defined that nobody sees yet is not documented here.
pub(super) fn elements(news: &News) -> Vec<Value<NoHost>> {
    let said = news.text.iter().map(|said| map([("text", text(said))]));
    vec![map([("role", text("system")), ("content", list(said))])]
}
