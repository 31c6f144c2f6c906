//! The typed messages of spec 000: messages of a user, an assistant and the tools, how they are cut, and how they are
//! stored.
//!
//! A tool call is a [`Call`](crate::model::tool::Call) and a tool result a
//! [`ToolResult`](crate::model::tool::ToolResult), as everywhere else. Handles in these messages need no input: code
//! that makes a message from spans detaches them first.

mod assistant;
mod content;
mod context;
mod entry;
mod env;
mod image;
mod timestamp;
mod tool;
mod turn;
mod user;

pub use self::{
    assistant::AssistantMessage,
    content::UserMessageContent,
    context::{CONTEXT_ENTRY_END_HEADER, CONTEXT_ENTRY_START_HEADER, USER_ENTRY_END_HEADER, USER_ENTRY_START_HEADER},
    env::{EnvState, MAX_CURRENT_WORKING_DIRECTORY_LEN, UserEnvContext},
    image::{ImageBlock, ImageData},
    timestamp::Timestamp,
    tool::{Block, CANCELLED_RESULT, truncate_results},
    user::UserMessage,
};
pub use crate::model::tool::REDACTED_RESULT;
