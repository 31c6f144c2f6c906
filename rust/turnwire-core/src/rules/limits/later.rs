//! What a target takes once a conversation has begun: other system text, other tools.

use crate::{
    rules::bound::Checks,
    value::handle::{NoHost, Value},
};

/// What a target takes once a conversation has begun, so that nothing changes that was sent.
#[derive(Clone, Copy, Debug)]
pub struct LaterRule {
    /// Whether new system text may be a message.
    pub text: bool,
    /// What becomes of new tools.
    pub tools: LaterTools,
    /// The models that take either.
    pub models: Checks,
}

/// What becomes of tools that are new in the middle of a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaterTools {
    /// The list of tools is another: what was sent before does not stand.
    Replaced,
    /// They stand behind the others in the list: nothing is bound to it, only a cache starts anew.
    Listed,
    /// They stand in the list, and nobody sees them before a message has named them.
    Shown,
    /// They stand in an item of their own.
    Item,
}

impl LaterRule {
    /// Nothing is taken.
    pub const NONE: Self = Self { text: false, tools: LaterTools::Replaced, models: crate::rules::bound::every };
}

/// What is new, to be said in one element.
#[derive(Debug, Default)]
pub struct News {
    /// System text.
    pub text: Option<String>,
    /// Tools, as they are defined.
    pub shown: Vec<(String, Value<NoHost>)>,
    /// The names of tools that are there no more.
    pub withdrawn: Vec<String>,
}

/// Writes what is new as elements of a format's list.
pub type Tell = fn(&News) -> Vec<Value<NoHost>>;
