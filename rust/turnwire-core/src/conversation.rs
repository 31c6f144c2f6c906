//! A conversation as turns, and what surrounds them: what every dialect parses to and renders from, and what stages work on.
//!
//! What was just read lies side by side in [`Parsed`], which is all that a conversion needs. A [`Conversation`] keeps each
//! turn alone, so that others can share it. Renderers look at both through a [`View`].

use std::sync::Arc;

use crate::{
    dialect_id::DialectId,
    handle::{Host, Input, Raw},
    part::Parts,
    tool::{Choice, Tool},
    turn::Turn,
};

/// Top-level system text.
#[derive(Debug)]
pub struct System<H: Host> {
    /// Its parts: text, mostly.
    pub parts: Parts<H>,
    /// The wire value it was read from.
    pub origin: Option<Raw<H>>,
}

/// What surrounds the turns in a payload. Shared by every conversation that grew from the same payload.
#[derive(Debug)]
pub struct Frame<H: Host> {
    /// The dialect that it was read from.
    pub from: DialectId,
    /// The payload's conversational keys in their order; empty where it was a bare list.
    pub order: Vec<&'static str>,
    /// The whole payload, where it holds nothing else.
    pub whole: Option<Raw<H>>,
    /// Top-level system text.
    pub system: Option<System<H>>,
    /// Tool definitions; `None` when the payload has none.
    pub tools: Option<Vec<Tool<H>>>,
    /// The wire value of the tools.
    pub tools_origin: Option<Raw<H>>,
    /// The choice of tools.
    pub choice: Option<Choice<H>>,
    /// The bytes that spans in here point into.
    pub input: Option<Input>,
}

impl<H: Host> Frame<H> {
    /// A frame with nothing in it.
    #[must_use]
    pub fn empty(from: DialectId) -> Self {
        Self {
            from,
            order: Vec::new(),
            whole: None,
            system: None,
            tools: None,
            tools_origin: None,
            choice: None,
            input: None,
        }
    }
}

/// A payload as it was read.
#[derive(Debug)]
pub struct Parsed<H: Host> {
    /// The turns in order.
    pub turns: Vec<Turn<H>>,
    /// The wire value of the whole list of turns.
    pub list_origin: Raw<H>,
    /// System text, tools, choice of tools.
    pub frame: Frame<H>,
}

/// Turns, and what surrounds them.
#[derive(Debug)]
pub struct Conversation<H: Host> {
    turns: Arc<Vec<Arc<Turn<H>>>>,
    /// The wire value of the whole list of turns, while no turn was added, taken or changed.
    list_origin: Option<Raw<H>>,
    /// System text, tools, choice of tools.
    pub frame: Arc<Frame<H>>,
    /// Whether calls or results may stand on the server (`previous_response_id` and the like).
    pub continues: bool,
}

impl<H: Host> Conversation<H> {
    /// A conversation as it was read.
    #[must_use]
    pub fn new(turns: Vec<Arc<Turn<H>>>, frame: Arc<Frame<H>>, list_origin: Option<Raw<H>>) -> Self {
        Self { turns: Arc::new(turns), list_origin, frame, continues: false }
    }

    /// The turns in order.
    #[must_use]
    pub fn turns(&self) -> &[Arc<Turn<H>>] {
        &self.turns
    }

    /// The turns, to be changed: the list as a whole is no longer what was read.
    pub fn turns_mut(&mut self) -> &mut Vec<Arc<Turn<H>>> {
        self.list_origin = None;
        Arc::make_mut(&mut self.turns)
    }

    /// The conversation to look at.
    #[must_use]
    pub fn view(&self) -> View<'_, H> {
        View {
            turns: self.turns.iter().map(|turn| &**turn).collect(),
            list_origin: self.list_origin.as_ref(),
            frame: &self.frame,
        }
    }

    /// Another conversation of the same turns.
    #[must_use]
    pub fn share(&self) -> Self {
        Self {
            turns: self.turns.clone(),
            list_origin: self.list_origin.as_ref().map(Raw::share),
            frame: self.frame.clone(),
            continues: self.continues,
        }
    }
}

impl<H: Host> From<Parsed<H>> for Conversation<H> {
    fn from(parsed: Parsed<H>) -> Self {
        let turns = parsed.turns.into_iter().map(Arc::new).collect();
        Self::new(turns, Arc::new(parsed.frame), Some(parsed.list_origin))
    }
}

impl<H: Host> Parsed<H> {
    /// The payload to look at.
    #[must_use]
    pub fn view(&self) -> View<'_, H> {
        View { turns: self.turns.iter().collect(), list_origin: Some(&self.list_origin), frame: &self.frame }
    }
}

/// A conversation to look at, wherever its turns are.
#[derive(Debug)]
pub struct View<'a, H: Host> {
    /// The turns in order.
    pub turns: Vec<&'a Turn<H>>,
    /// The wire value of the whole list of turns, while it is what was read.
    pub list_origin: Option<&'a Raw<H>>,
    /// System text, tools, choice of tools.
    pub frame: &'a Frame<H>,
}
