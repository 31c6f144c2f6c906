//! The Amazon Q chat service: a list of `{"userInputMessage": …}` and `{"assistantResponseMessage": …}`.

use crate::{
    rules::{
        Alphabet, BLOCKS, ExtraKeys, IdRule, JoinedTexts, JsonPlace, Limits, MediaInResult, MediaRule, MessageId,
        PartOrder, ReasoningRule, Rules, Signs, Slots, Spot, SystemPlace,
    },
    value::Host,
    wire::{
        format::Reply,
        stream::{NoStream, NoWriter},
    },
};
mod keys;
mod read;
pub(crate) mod typed;
mod write;

pub(crate) struct AmazonQ;

/// The service's own client: turns alternate, and the list has no place for system text and tool definitions.
const LIMITS: Limits = Limits {
    id: IdRule { max: 64, alphabet: Alphabet::WORD, ..IdRule::ANY },
    blank_result: false,
    alternates: true,
    blank_text: true,
    blank_replays: true,
    trailing_space: true,
    json: JsonPlace::InResult,
    media: MediaRule { urls: &[], ..BLOCKS.media },
    media_in_result: MediaInResult::Never,
    order: PartOrder::OneText,
    joined: JoinedTexts::Everybody,
    message_id: MessageId::Assistant,
    system: SystemPlace::Nowhere,
    reasoning: ReasoningRule::None,
    joins_assistant: false,
    ..BLOCKS
};

impl Rules for AmazonQ {
    const NAME: &'static str = "amazon-q";
    const SIGNS: Signs = &[&[(Spot::Key, "userInputMessage assistantResponseMessage")]];
    const SLOTS: Slots = Slots::BARE_LIST;
    const KEYS: ExtraKeys = ExtraKeys { any: false, ..ExtraKeys::ANY };
    const PROFILES: &'static [(&'static str, Limits)] = &[("", LIMITS)];
}

impl Reply for AmazonQ {
    type Stream<H: Host> = NoStream<H>;
    type Out<H: Host> = NoWriter<H>;
}
