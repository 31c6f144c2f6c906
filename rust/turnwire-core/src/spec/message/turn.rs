//! Typed messages as turns of a conversation.

use super::{assistant::AssistantMessage, user::UserMessage};
use crate::{
    dialects::amazon_q::typed,
    model::{Call, Kind, Part, Role, ToolResult, Turn},
    report::Error,
    value::{Host, Text},
};

impl<H: Host> UserMessage<H> {
    /// A user turn: the results, then the message with its context, then the images. The environment is a part that
    /// only its own service knows.
    pub fn to_turn(&self) -> Result<Turn<H>, Error> {
        let results = self.content.tool_use_results().unwrap_or_default();
        let mut parts: Vec<_> = results.iter().map(ToolResult::share).map(Kind::Result).map(Part::new).collect();
        let said = self.content_with_context()?;
        if !said.is_empty() || parts.is_empty() {
            parts.push(Part::text(said));
        }
        for image in self.images.iter().flatten() {
            parts.push(Part::new(Kind::Media(image.to_media()?)));
        }
        let Some(state) = &self.env_context.env_state else { return Ok(Turn::new(Role::User, parts)) };
        parts.push(typed::env_state(state.operating_system.as_ref(), state.current_working_directory.as_ref()));
        Ok(Turn { from: typed::dialect(), ..Turn::new(Role::User, parts) })
    }
}

impl<H: Host> AssistantMessage<H> {
    /// An assistant turn: the text, unless it is empty, then the calls.
    #[must_use]
    pub fn to_turn(&self) -> Turn<H> {
        let calls = self.tool_uses().unwrap_or_default();
        let mut parts = Vec::with_capacity(calls.len() + 1);
        if !self.content().is_empty() || calls.is_empty() {
            parts.push(Part::text(self.content().share()));
        }
        parts.extend(calls.iter().map(Call::share).map(Kind::Call).map(Part::new));
        let mut turn = Turn::new(Role::Assistant, parts);
        turn.id = self.message_id().map(Text::share);
        turn
    }
}
