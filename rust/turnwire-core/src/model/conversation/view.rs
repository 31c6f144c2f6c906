//! A read-only view of a conversation for renderers, however its turns are stored.

use super::{Conversation, Frame, Parsed};
use crate::{
    model::Turn,
    report::{Sources, provenance},
    value::{Host, Raw},
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
    /// The caller's elements that each turn was made from. `None` if each turn is the element at its own index.
    pub origins: Option<&'a [Sources]>,
}

impl<H: Host> View<'_, H> {
    /// Where a part comes from: its turn's index, or the caller's element if its turn was made from several.
    pub(crate) fn source(&self, (turn, part): (usize, usize)) -> usize {
        let Some(origins) = self.origins.and_then(|origins| origins.get(turn)) else { return turn };
        let [own, _, ..] = origins[..] else { return turn };
        let part = self.turns.get(turn).and_then(|turn| turn.parts.get(part));
        let home = part.and_then(|part| part.home.among(origins));
        provenance::caller_index(home.unwrap_or(own))
    }
}

impl<H: Host> Conversation<H> {
    /// A view of the conversation.
    #[must_use]
    pub fn view(&self) -> View<'_, H> {
        View {
            turns: self.turns().iter().map(|turn| &**turn).collect(),
            list_origin: self.list_origin.as_ref(),
            frame: &self.frame,
            origins: self.origins(),
        }
    }
}

impl<H: Host> Parsed<H> {
    /// A view of the payload.
    #[must_use]
    pub fn view(&self) -> View<'_, H> {
        View {
            turns: self.turns.iter().collect(),
            list_origin: self.list_origin.as_ref(),
            frame: &self.frame,
            origins: None,
        }
    }
}
