//! The Amazon Q chat service: a list of `{"userInputMessage": …}` and `{"assistantResponseMessage": …}`.

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

pub(crate) struct AmazonQ;

keys! {
    LIST = "";
    USER_MESSAGE = "userInputMessage";
    ASSISTANT_MESSAGE = "assistantResponseMessage";
    CONTENT = "content";
    CONTEXT = "userInputMessageContext";
    TOOL_RESULTS = "toolResults";
    IMAGES = "images";
    FORMAT = "format";
    SOURCE = "source";
    BYTES = "bytes";
    MESSAGE_ID = "messageId";
    TOOL_USES = "toolUses";
    TOOL_USE_ID = "toolUseId";
    NAME = "name";
    INPUT = "input";
    STATUS = "status";
    SUCCESS = "success";
    ERROR = "error";
    TEXT = "text";
    JSON = "json";
    JPEG = "jpeg";
    PNG = "png";
    GIF = "gif";
    WEBP = "webp";
}

/// The service's own client: turns alternate, system text and tool definitions have no place of their own in the list.
const LIMITS: Limits = Limits {
    id: IdRule { max: 64, exact: None, alphabet: Alphabet::WORD, optional: false, once: false },
    name: NameRule { max: 64, alphabet: Alphabet::WORD },
    results: ResultPlace::OneTurn,
    results_in_call_order: false,
    alternates: true,
    blank_text: true,
    starts_with_assistant: false,
    ends_with_assistant: false,
    args_object: true,
    media_in_result: false,
    system: SystemPlace::Nowhere,
    reasoning: ReasoningRule::None,
    tools_required: false,
    joins_assistant: false,
    binds_reasoning: false,
};

impl Dialect for AmazonQ {
    const NAME: &'static str = "amazon-q";
    const KEYS: FrameKeys = FrameKeys { list: &LIST, system: None, tools: None, choice: None };
    const PROFILES: &'static [(&'static str, Limits)] = &[("", LIMITS)];

    fn turn<S: Source>(element: &S, _: usize, at: &Trail<'_>, turn: &mut Turn<S::H>) -> Result<(), Error> {
        parse::turn(element, at, turn)
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
