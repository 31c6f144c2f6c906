//! A system message in the middle of a conversation: what is new at its head.

use crate::{
    rules::limits::News,
    value::{
        handle::{NoHost, Value},
        tree::{map, text},
    },
};

/// System text. Tools stand in their list.
pub(super) fn elements(news: &News) -> Vec<Value<NoHost>> {
    news.text.iter().map(|said| map([("role", text("system")), ("content", text(said))])).collect()
}
