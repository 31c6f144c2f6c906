//! The inputs of a build: what the caller asks for. No input knows a step; the steps read their inputs here.

mod budget;
mod frozen;
mod relay;
mod summary;

pub use self::{
    budget::{Budget, Counter},
    frozen::{Compacted, Cut, Frozen, Note},
    relay::Relay,
    summary::Summary,
};
use super::markers::Markers;
use crate::{
    report::{Options, PLAIN},
    rules::DialectId,
    text::RESERVE,
    value::{Host, Text},
};

/// The inputs of a build.
#[allow(clippy::struct_excessive_bools, reason = "each is a choice of the caller's")]
#[derive(Debug)]
pub struct Inputs<'a, H: Host> {
    /// System prompts, to be joined by newlines.
    pub system_prompts: &'a [Text<H>],
    /// A summary that replaces the older turns.
    pub summary: Option<&'a Summary>,
    /// The budget. `None` for no limit.
    pub budget: Option<Budget<'a>>,
    /// The share of the budget, from 0 to 1, that is freed ahead. While the conversation grows by no more than that,
    /// the same old turns are cut.
    pub reserve: f64,
    /// The limit, in bytes or tokens, that each result is cut to before anything else. `None` for no limit.
    pub result_cap: Option<Budget<'a>>,
    /// The caller's own markers of results that are cut.
    pub markers: Option<&'a Markers<'a>>,
    /// The marker of a result that has none of its own; `{bytes}` stands for the number of bytes that are left out.
    /// `None` for the usual one.
    pub cut_words: Option<&'a str>,
    /// A note as the user's text, where the budget dropped exchanges.
    pub omitted: Option<&'a Text<H>>,
    /// The text of a made-up result; `None` for [`super::MISSING_RESULT`].
    pub missing_result: Option<&'a Text<H>>,
    /// The caller's indices of turns that the budget may neither cut nor drop, and whose exchanges stay.
    pub pinned: &'a [usize],
    /// The dialect whose limits apply.
    pub target: Option<DialectId>,
    /// The user's text before an assistant turn that comes first, if the target requires the user to begin.
    pub opening: Option<&'a Text<H>>,
    /// The assistant's text between a result and the user's words, if the target refuses these right after it.
    pub bridge: Option<&'a Text<H>>,
    /// Which repairs a program needs that writes the target's format itself.
    pub relay: Relay,
    /// The model's name; `None` for the one that the body names.
    pub model: Option<&'a str>,
    /// Whether the model continues the last assistant turn.
    pub prefill: bool,
    /// Whether calls of the last turn stay without results, because the caller will add them.
    pub keep_open: bool,
    /// How the result will be written. What is written, counted and checked depends on it.
    pub rendering: &'a Options,
    /// The decisions of earlier requests of this run.
    pub frozen: Option<&'a Frozen<'a, H>>,
    /// Whether to measure the budget without applying it.
    pub measured: bool,
    /// Whether a summary will replace what is dropped. Then the user's first turn is dropped like any other, and system
    /// turns do not count as turns.
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
            markers: None,
            cut_words: None,
            omitted: None,
            missing_result: None,
            pinned: &[],
            target: None,
            opening: None,
            bridge: None,
            relay: Relay::default(),
            model: None,
            prefill: false,
            keep_open: false,
            rendering: &PLAIN,
            frozen: None,
            measured: false,
            summarised: false,
        }
    }
}
