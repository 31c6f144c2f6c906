//! Writes changes of system text as a system message in the middle of a conversation.

use crate::{
    rules::limits::News,
    value::{
        handle::{NoHost, Value},
        tree::{map, text},
    },
};

/// System text only: new tools are added to the list of tools.
pub(super) fn elements(news: &News) -> Vec<Value<NoHost>> {
    news.text.iter().map(|said| map([("role", text("system")), ("content", text(said))])).collect()
}
