//! Describes what a target accepts in the middle of a conversation: other system text, other tools.

use crate::{
    rules::Checks,
    value::{NoHost, Value},
};

/// What a target accepts in the middle of a conversation without changes to earlier messages.
#[derive(Clone, Copy, Debug)]
pub struct LaterRule {
    /// Whether new system text may be a message.
    pub text: bool,
    /// How new tools are added.
    pub tools: LaterTools,
    /// The models that accept either.
    pub models: Checks,
}

/// How tools are added in the middle of a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaterTools {
    /// The list of tools is replaced, so the prefix changes.
    Replaced,
    /// They are appended to the list. Reasoning is not bound to the list, so only the cache starts again.
    Listed,
    /// They are in the list, and the model sees them only after a message has named them.
    Shown,
    /// They are in a separate item.
    Item,
}

impl LaterRule {
    /// The target accepts no changes.
    pub const NONE: Self = Self { text: false, tools: LaterTools::Replaced, models: crate::rules::bound::every_model };
}

/// Changes, to be written in one element.
#[derive(Debug, Default)]
pub struct News {
    /// System text.
    pub text: Option<String>,
    /// New tools, as they are defined.
    pub shown: Vec<(String, Value<NoHost>)>,
    /// The names of removed tools.
    pub withdrawn: Vec<String>,
}

/// Writes changes as elements of a format's list.
pub type Tell = fn(&News) -> Vec<Value<NoHost>>;
