//! Writes changes of system text as a system message in the middle of a conversation.

use crate::{
    rules::News,
    value::{
        NoHost, Value,
        tree::{map, text},
    },
};

/// System text only: new tools are added to the list of tools.
pub(super) fn elements(news: &News) -> Vec<Value<NoHost>> {
    news.text.iter().map(|said| map([("role", text("system")), ("content", text(said))])).collect()
}
