//! Limits of the formats that have no file of their own yet: `build` repairs for them, and render says that it cannot.
//!
//! A row goes when its format's file comes. Sources: each provider's documentation, error texts and open source.

use super::{
    limits::{
        Alphabet, ArgsForm, BesideCalls, Chosen, IMAGES, IdRule, JsonPlace, LastWord, Limits, MediaInResult, MediaRule,
        MessageId, NameRule, PartOrder, ReasoningRule, ResultPlace, SystemPlace,
    },
    table::Profiles,
};
use crate::media::MediaClass;

/// What most chat endpoints take: OpenAI's own shape.
pub(super) const CHAT: Limits = Limits {
    id: IdRule::ANY,
    name: NameRule { max: 64, alphabet: Alphabet::WORD, first: Alphabet::WORD },
    results: ResultPlace::OneEach,
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
    message_id: MessageId::Nobody,
    system: SystemPlace::Anywhere,
    reasoning: ReasoningRule::None,
    tools_required: false,
    tools_max: usize::MAX,
    joins_assistant: false,
    binds_reasoning: false,
};

/// What a provider takes whose messages are lists of blocks, results among them, and whose system text has its own key.
pub(super) const BLOCKS: Limits = Limits {
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

/// The client drops ids, so results stand in the order of their calls.
const OLLAMA: Limits = Limits {
    id: IdRule { optional: true, ..IdRule::ANY },
    results_in_call_order: true,
    args: ArgsForm::Object,
    reasoning: ReasoningRule::Replay,
    ..CHAT
};

/// Hosted models of today take any id.
const MISTRAL: Limits = Limits {
    system: SystemPlace::First,
    ends_with_assistant: LastWord::NotAssistant,
    reasoning: ReasoningRule::Replay,
    ..CHAT
};

/// Tokenizers v3 to v11: ids of exactly nine letters and digits.
const MISTRAL_V3: Limits =
    Limits { id: IdRule { max: 9, exact: Some(9), alphabet: Alphabet::ALPHANUMERIC, ..IdRule::ANY }, ..MISTRAL };

const COHERE: Limits = Limits { reasoning: ReasoningRule::Replay, ..CHAT };

/// The rows by name. A format with a file of its own is found before its row here.
pub(super) const ROWS: &[(&str, Profiles)] =
    &[("ollama", &[("", OLLAMA)]), ("mistral", &[("", MISTRAL), ("v3", MISTRAL_V3)]), ("cohere", &[("", COHERE)])];
