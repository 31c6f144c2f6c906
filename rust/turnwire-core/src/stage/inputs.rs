//! What goes into a build, and what comes out.

use super::{compress::Summary, cut_result::CutResult, relay::Relay, replay::Frozen, size::Budget, thinking::Thinking};
use crate::{
    model::conversation::Conversation,
    report::receipt::Receipt,
    rules::dialect_id::DialectId,
    text::budget::RESERVE,
    value::handle::{Host, Text},
};

/// What the caller wants built.
#[allow(clippy::struct_excessive_bools, reason = "each is a choice of the caller's")]
#[derive(Debug)]
pub struct Inputs<'a, H: Host> {
    /// System prompts, to be joined by a newline.
    pub system_prompts: &'a [Text<H>],
    /// What stands for the older turns.
    pub summary: Option<&'a Summary>,
    /// How much may be sent; `None` for all there is.
    pub budget: Option<Budget<'a>>,
    /// The share of the budget, from 0 to 1, that is freed ahead, so that the same old turns pay while the conversation
    /// grows by as much.
    pub reserve: f64,
    /// The size of each result, in bytes or tokens, that it is cut to before anything else; `None` for any size.
    pub result_cap: Option<Budget<'a>>,
    /// Whether the caller wants to know what the results said that were cut.
    pub tells_cuts: bool,
    /// What the user is to say where the budget left exchanges out.
    pub omitted: Option<&'a Text<H>>,
    /// What the result says that a call without one gets; `None` for [`super::MISSING_RESULT`].
    pub missing_result: Option<&'a Text<H>>,
    /// The caller's own indices of turns that the budget neither cuts nor drops, nor the exchanges that they belong to.
    pub pinned: &'a [usize],
    /// For whom: its limits hold.
    pub target: Option<DialectId>,
    /// What the user is to have said before a first assistant turn, where the target wants the user to begin.
    pub opening: Option<&'a Text<H>>,
    /// What must not reach the program that writes the target's format, where that is not turnwire.
    pub relay: Relay,
    /// The model's name; `None` for the one that the body names.
    pub model: Option<&'a str>,
    /// Whether the last assistant turn is the beginning of what the model is to say.
    pub prefill: bool,
    /// Leave the calls of the last turn to the caller.
    pub keep_open: bool,
    /// What becomes of reasoning once the turns before it have changed.
    pub thinking: Thinking,
    /// What earlier requests of this run have decided.
    pub frozen: Option<&'a Frozen<'a, H>>,
    /// Whether the budget is only measured.
    pub measured: bool,
    /// Whether a summary is to say what goes: then the first that the user said goes like the rest, and system turns do not
    /// count as turns.
    pub summarised: bool,
}

impl<H: Host> Default for Inputs<'_, H> {
    fn default() -> Self {
        Self {
            system_prompts: &[],
            summary: None,
            budget: None,
            reserve: RESERVE,
            result_cap: None,
            tells_cuts: false,
            omitted: None,
            missing_result: None,
            pinned: &[],
            target: None,
            opening: None,
            relay: Relay::default(),
            model: None,
            prefill: false,
            keep_open: false,
            thinking: Thinking::default(),
            frozen: None,
            measured: false,
            summarised: false,
        }
    }
}

/// What a build gives.
#[derive(Debug)]
pub struct Built<H: Host> {
    /// The turns that can be sent.
    pub conversation: Conversation<H>,
    /// What was changed.
    pub receipt: Receipt,
    /// The results that were cut, where the caller wants to know.
    pub cut: Vec<CutResult>,
}
