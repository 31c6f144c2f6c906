//! A request, and the state for the next one.

use super::state::State;
use crate::{
    model::Conversation,
    report::{AutoMarks, Error, Losses, Options, Rendering},
    rules::{Asked, DialectId},
    stage::{Built, Failed},
    value::{Host, JsonSink},
    wire::marks,
};

/// A request, and the state for the next one.
#[derive(Debug)]
pub struct Request<H: Host> {
    /// The turns that are sent.
    pub built: Built<H>,
    /// The state for the next request.
    pub state: State,
    /// How many messages it has. All of them stay the same once a reply has come.
    pub stable: usize,
    /// Its body as JSON; empty where the choices do not ask for it.
    pub json: Vec<u8>,
    /// What the rendering reports.
    pub rendering: Rendering,
    /// What to add to the body so that it asks for a summary.
    pub asked: Option<Asked>,
}

impl<H: Host> Request<H> {
    /// Adds marks for the prompt cache to the body.
    pub(super) fn mark(
        &mut self,
        (conversation, target): (&Conversation<H>, DialectId),
        auto: &AutoMarks,
    ) -> Result<(), Error> {
        let turns = conversation.turns();
        let path = |index: usize| turns.get(index).map(|turn| turn.path(index)).unwrap_or_default();
        let provenance = &self.rendering.provenance;
        let origin = marks::Origin { frame: &conversation.frame, provenance, path: &path };
        let mut losses = Losses::new(&Options::default());
        let mut out = JsonSink::holding(std::mem::take(&mut self.json));
        marks::add((target, auto), &origin, &mut losses, &mut out)?;
        self.json = out.into_bytes();
        self.rendering.losses.append(&mut losses.list);
        Ok(())
    }
}

/// An error without a receipt.
pub(super) fn failed(error: Error) -> Failed {
    Failed { error, receipt: Box::default() }
}
