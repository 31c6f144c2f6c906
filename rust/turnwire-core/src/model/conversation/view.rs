//! A read-only view of a conversation for renderers, however its turns are stored.

use super::{Conversation, Frame, Parsed};
use crate::{
    model::turn::Turn,
    value::handle::{Host, Raw},
};

/// A read-only view of a conversation.
#[derive(Debug)]
pub struct View<'a, H: Host> {
    /// The turns in order.
    pub turns: Vec<&'a Turn<H>>,
    /// The wire value of the whole list of turns, as long as it is unchanged.
    pub list_origin: Option<&'a Raw<H>>,
    /// System text, tools, choice of tools.
    pub frame: &'a Frame<H>,
}

impl<H: Host> Conversation<H> {
    /// A view of the conversation.
    #[must_use]
    pub fn view(&self) -> View<'_, H> {
        View {
            turns: self.turns().iter().map(|turn| &**turn).collect(),
            list_origin: self.list_origin.as_ref(),
            frame: &self.frame,
        }
    }
}

impl<H: Host> Parsed<H> {
    /// A view of the payload.
    #[must_use]
    pub fn view(&self) -> View<'_, H> {
        View { turns: self.turns.iter().collect(), list_origin: self.list_origin.as_ref(), frame: &self.frame }
    }
}
