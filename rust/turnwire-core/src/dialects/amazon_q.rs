//! The Amazon Q chat service: a list of `{"userInputMessage": …}` and `{"assistantResponseMessage": …}`.

mod read;
pub(crate) mod typed;
mod write;

use crate::{
    model::turn::Turn,
    report::{error::Error, path::Trail},
    value::{
        door::{Sink, Source, keys},
        handle::Host,
    },
    wire::{
        format::Dialect,
        plan::Message,
        rules::{
            alphabet::Alphabet,
            extra_keys::WireKeys,
            limits::{
                IdRule, JsonPlace, Limits, MediaInResult, MediaRule, MessageId, PartOrder, ReasoningRule, SystemPlace,
            },
            presets::BLOCKS,
            signs::{Signs, Spot},
            slots::Slots,
        },
        stream::NoStream,
        write::writer::Writer,
    },
};

pub(crate) struct AmazonQ;

keys! {
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
    TYPE = "type";
    ENV_STATE = "envState";
    OPERATING_SYSTEM = "operatingSystem";
    WORKING_DIRECTORY = "currentWorkingDirectory";
    CONTEXT_TOOLS = "tools";
    MODEL_ID = "modelId";
}

/// The service's own client: turns alternate, system text and tool definitions have no place of their own in the list.
const LIMITS: Limits = Limits {
    id: IdRule { max: 64, exact: None, alphabet: Alphabet::WORD, optional: false, once: false, not: "" },
    blank_result: false,
    alternates: true,
    blank_text: true,
    blank_replays: true,
    trailing_space: true,
    json: JsonPlace::InResult,
    media: MediaRule { urls: &[], ..BLOCKS.media },
    media_in_result: MediaInResult::Never,
    order: PartOrder::OneText,
    message_id: MessageId::Assistant,
    system: SystemPlace::Nowhere,
    reasoning: ReasoningRule::None,
    joins_assistant: false,
    ..BLOCKS
};

impl Dialect for AmazonQ {
    const NAME: &'static str = "amazon-q";
    const SIGNS: Signs = &[&[(Spot::Key, "userInputMessage assistantResponseMessage")]];
    const SLOTS: Slots = Slots::BARE_LIST;
    const KEYS: WireKeys = WireKeys { any: false, ..WireKeys::ANY };
    const PROFILES: &'static [(&'static str, Limits)] = &[("", LIMITS)];
    type Stream<H: Host> = NoStream<H>;

    fn turn<S: Source>(element: &S, _: usize, at: &Trail<'_>, turn: &mut Turn<S::H>) -> Result<(), Error> {
        read::turn(element, at, turn)
    }
    fn message<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, message: &Message<'_, H>) -> Result<(), Error> {
        write::message(w, message)
    }
}
