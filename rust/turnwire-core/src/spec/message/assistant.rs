//! A message of the assistant.

use crate::{
    model::Call,
    value::{Host, Text},
};

/// A reply of the assistant.
#[derive(Debug)]
pub enum AssistantMessage<H: Host> {
    /// Text alone.
    Response {
        /// The backend's id of the message.
        message_id: Option<Text<H>>,
        /// The text.
        content: Text<H>,
    },
    /// Text and requests to run tools.
    ToolUse {
        /// The backend's id of the message.
        message_id: Option<Text<H>>,
        /// The text.
        content: Text<H>,
        /// The requests.
        tool_uses: Vec<Call<H>>,
    },
}

impl<H: Host> AssistantMessage<H> {
    /// The backend's id of the message.
    #[must_use]
    pub fn message_id(&self) -> Option<&Text<H>> {
        match self {
            Self::Response { message_id, .. } | Self::ToolUse { message_id, .. } => message_id.as_ref(),
        }
    }

    /// The text.
    #[must_use]
    pub fn content(&self) -> &Text<H> {
        match self {
            Self::Response { content, .. } | Self::ToolUse { content, .. } => content,
        }
    }

    /// The requests to run tools. `None` for a plain response.
    #[must_use]
    pub fn tool_uses(&self) -> Option<&[Call<H>]> {
        match self {
            Self::Response { .. } => None,
            Self::ToolUse { tool_uses, .. } => Some(tool_uses),
        }
    }

    /// Whether both have the same content.
    #[must_use]
    pub fn same(&self, other: &Self) -> bool {
        let calls = match (self.tool_uses(), other.tool_uses()) {
            (None, None) => true,
            (Some(mine), Some(theirs)) => {
                mine.len() == theirs.len()
                    && mine.iter().zip(theirs).all(|(mine, theirs)| mine.same(theirs, (None, None)))
            }
            _ => false,
        };
        calls && Text::same_option(self.message_id(), other.message_id()) && self.content().same(other.content())
    }
}
