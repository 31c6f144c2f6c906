//! Holds the limits that limits rows start from: those of chat endpoints, and those of formats with content blocks.

use super::{
    alphabet::Alphabet,
    bound,
    family::Family,
    limits::{
        ArgsForm, BesideCalls, Chosen, IMAGES, IdRule, JsonPlace, LastWord, LaterRule, Limits, MediaInResult,
        MediaRule, MessageId, NameRule, OneText, PartOrder, ReasoningRule, ResultPlace, SystemPlace, ToolRule,
    },
    media_class::MediaClass,
};

/// The limits of most chat endpoints, which follow OpenAI's format.
pub(crate) const CHAT: Limits = Limits {
    id: IdRule::ANY,
    name: NameRule { max: 64, alphabet: Alphabet::WORD, first: Alphabet::WORD },
    tool: ToolRule::ANY,
    results: ResultPlace::OneEach,
    between_results: "",
    results_in_call_order: false,
    results_named: false,
    blank_result: true,
    error_flag: false,
    alternates: false,
    blank_text: true,
    blank_replays: true,
    trailing_space: true,
    starts_with_assistant: true,
    ends_with_assistant: LastWord::Anybody,
    args: ArgsForm::Text,
    free_text: false,
    json: JsonPlace::Nowhere,
    refusals: false,
    media: MediaRule { images: IMAGES, urls: &[MediaClass::Image], ..MediaRule::NONE },
    media_in_result: MediaInResult::Never,
    media_of_all: false,
    order: PartOrder::CallsLast,
    chooses: Chosen::ALL,
    beside_calls: BesideCalls::All,
    message_id: MessageId::NoMessage,
    system: SystemPlace::Anywhere,
    developer: true,
    one_text: OneText::Nobody,
    reasoning: ReasoningRule::None,
    tools_required: false,
    tools_max: usize::MAX,
    joins_assistant: false,
    binds_reasoning: false,
    checks_prefix: bound::no_model,
    later: LaterRule::NONE,
    family: Family::Any,
    prefill: false,
};

/// The limits of providers whose messages are lists of blocks, which include results. System text has its own key.
pub(crate) const BLOCKS: Limits = Limits {
    results: ResultPlace::OneTurn,
    error_flag: true,
    blank_text: false,
    blank_replays: false,
    trailing_space: false,
    starts_with_assistant: false,
    ends_with_assistant: LastWord::NotAssistant,
    args: ArgsForm::Object,
    media_in_result: MediaInResult::Always,
    order: PartOrder::Free,
    system: SystemPlace::Top,
    reasoning: ReasoningRule::Replay,
    joins_assistant: true,
    ..CHAT
};
