//! Stored histories: spec 003's messages, and spec 001's own shape beside them.
//!
//! Spec 003 keeps a result in a user message, as a `tool_result` block with its `tool_name`. Spec 001 has messages of role
//! `tool`, calls under `toolCalls`, and entities `{"id", "body"}`. All of it is read; what is written anew is spec 003's.

mod parse;
mod render;

use super::{
    Dialect,
    frame::FrameKeys,
    limits::{Alphabet, IdRule, Limits, NameRule, ReasoningRule, ResultPlace, SystemPlace},
    tools,
    write::Writer,
};
use crate::{
    error::Error,
    handle::Host,
    path::{Path, Trail},
    tool::{Choice, ChoiceKind, Tool},
    turn::Turn,
    value::{Sink, Source, keys},
};

pub(crate) struct History;

keys! {
    LIST = "";
    BODY = "body";
    ID = "id";
    ROLE = "role";
    CONTENT = "content";
    TYPE = "type";
    TEXT = "text";
    TOOL_USE = "tool_use";
    TOOL_RESULT = "tool_result";
    TOOL_USE_ID = "tool_use_id";
    TOOL_NAME = "tool_name";
    IS_ERROR = "is_error";
    NAME = "name";
    INPUT = "input";
    ARGUMENTS = "arguments";
    FUNCTION = "function";
    TOOL_CALLS_CAMEL = "toolCalls";
    TOOL_CALLS_SNAKE = "tool_calls";
    IMAGE = "image";
    SOURCE = "source";
    BASE64 = "base64";
    MEDIA_TYPE = "media_type";
    DATA = "data";
    URL = "url";
    SYSTEM = "system";
    USER = "user";
    ASSISTANT = "assistant";
    TOOL = "tool";
    UNKNOWN = "unknown";
}

/// It is stored, not sent: nobody refuses anything.
const LIMITS: Limits = Limits {
    id: IdRule::ANY,
    name: NameRule { max: usize::MAX, alphabet: Alphabet::ANY },
    results: ResultPlace::OneTurn,
    results_in_call_order: false,
    alternates: false,
    blank_text: true,
    starts_with_assistant: true,
    ends_with_assistant: true,
    args_object: false,
    media_in_result: true,
    system: SystemPlace::Anywhere,
    reasoning: ReasoningRule::None,
    tools_required: false,
    joins_assistant: true,
    binds_reasoning: false,
};

impl Dialect for History {
    const NAME: &'static str = "history";
    const KEYS: FrameKeys = FrameKeys { list: &LIST, system: None, tools: None, choice: None };
    const PROFILES: &'static [(&'static str, Limits)] = &[("", LIMITS)];

    fn turn<S: Source>(element: &S, index: usize, at: &Trail<'_>, turn: &mut Turn<S::H>) -> Result<(), Error> {
        parse::turn(element, index, at, turn)
    }
    fn tool<S: Source>(tool: &S, at: &Trail<'_>) -> Result<Tool<S::H>, Error> {
        tools::tool(tool, at)
    }
    fn choice<S: Source>(choice: &S, _: &Trail<'_>) -> Result<Choice<S::H>, Error> {
        Ok(Choice { kind: ChoiceKind::Opaque, origin: Some(choice.raw()), extras: None })
    }
    fn write_turns<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>) -> Result<(), Error> {
        render::turns(w)
    }
    fn write_tool<H: Host, K: Sink<H>>(_: &mut Writer<'_, H, K>, _: &Tool<H>, _: &Path) -> Result<(), Error> {
        Ok(())
    }
    fn write_choice<H: Host, K: Sink<H>>(_: &mut Writer<'_, H, K>, _: &Choice<H>) {}
}
