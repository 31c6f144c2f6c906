//! The elements of a conversation: turns, parts, tools, media, replies.

pub mod choice;
pub(crate) mod compaction;
pub mod conversation;
pub mod entity;
pub mod event;
pub mod file_type;
pub mod finish;
mod flat;
pub mod flaw;
pub mod head;
pub mod media;
pub mod part;
pub mod reply;
mod reply_parts;
pub(crate) mod same;
pub(crate) mod surrogate;
pub mod tool;
pub mod turn;

pub use self::{
    choice::{Among, Choice, ChoiceKind, Chosen},
    conversation::{Conversation, Frame, Outer, Parsed, Rest, RestKey, System, View},
    entity::Entity,
    event::{Event, PartSort},
    finish::Finish,
    flaw::{Flaw, Served},
    head::Head,
    media::{Inline, Media, MediaClass, MediaData, Texts},
    part::{Extras, Inner, Kind, Part, Parts, Reasoning},
    reply::{Reply, Tokens},
    tool::{ALONE, Args, Call, Content, ERROR_PREFIX, MISSING_RESULT, MOVED_MEDIA, REDACTED_RESULT, Tool, ToolResult},
    turn::{Role, Tie, Turn},
};
pub(crate) use self::{
    event::Telling,
    flat::joined,
    reply::is_null,
    reply_parts::ReplyParts,
    tool::{DENIED_CALL, INCOMPLETE_ARGUMENTS, INVALID_ARGUMENTS, says_no_args},
    turn::At,
};
