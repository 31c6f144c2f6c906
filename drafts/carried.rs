//! Reads reasoning that lies in another format's keys, as its maker wrote it: carriers of gateways and frameworks.
//!
//! The maker takes its reasoning back from any carrier. Which maker made a piece is what the carrier says.

use std::borrow::Cow;

use super::decide::Scope;
use crate::{
    model::{Kind, Part, Turn},
    rules::{Limits, ReasoningRule, Target, shared_block},
    value::{Host, Input, Source, Text, Tree, Value, base64, json},
};

/// Who made a piece of reasoning, and so who can verify it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Maker {
    /// A block of Claude's.
    Claude,
    /// An item of OpenAI's Responses.
    OpenAi,
    /// A signature of Google's, for the call with this place among those of its message.
    Google,
}

/// A piece of reasoning in its maker's own form. Of Google's, it is the signature.
pub(crate) struct Piece<H: Host> {
    pub(crate) maker: Maker,
    pub(crate) value: Value<H>,
    /// Of Google's: the id of the call that it belongs to.
    pub(crate) of: Option<String>,
}

/// Whether a target takes pieces of this maker.
fn takes(limits: &Limits, maker: Maker) -> bool {
    match maker {
        Maker::Claude => limits.family == crate::rules::Family::Claude,
        Maker::OpenAi => limits.binds_reasoning.is_some(),
        Maker::Google => matches!(limits.reasoning, ReasoningRule::Signature(_)),
    }
}
