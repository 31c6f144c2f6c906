//! Limits of the formats that have no file of their own yet: `build` repairs for them, and render says that it cannot.
//!
//! A row goes when its format's file comes. Sources: each provider's documentation, error texts and open source.

use super::{
    Profiles,
    limits::{Alphabet, IdRule, Limits, NameRule, ReasoningRule, ResultPlace, SystemPlace},
};

/// What most chat endpoints take: OpenAI's own shape.
const CHAT: Limits = Limits {
    id: IdRule::ANY,
    name: NameRule { max: 64, alphabet: Alphabet::WORD },
    results: ResultPlace::OneEach,
    results_in_call_order: false,
    alternates: false,
    blank_text: true,
    starts_with_assistant: true,
    ends_with_assistant: true,
    args_object: false,
    media_in_result: false,
    system: SystemPlace::Anywhere,
    reasoning: ReasoningRule::None,
    tools_required: false,
    joins_assistant: false,
    binds_reasoning: false,
};

/// Items, not messages: `call_id` of at most 64 characters; reasoning is refused without the item it led to.
const OPENAI_RESPONSES: Limits = Limits {
    id: IdRule { max: 64, ..IdRule::ANY },
    media_in_result: true,
    reasoning: ReasoningRule::Replay,
    joins_assistant: true,
    binds_reasoning: true,
    ..CHAT
};

/// A call has an id since Gemini 3 only, so position and name pair; one content holds all results.
const GEMINI: Limits = Limits {
    id: IdRule { optional: true, ..IdRule::ANY },
    results: ResultPlace::OneTurn,
    results_in_call_order: true,
    blank_text: false,
    starts_with_assistant: false,
    ends_with_assistant: false,
    args_object: true,
    media_in_result: true,
    system: SystemPlace::Top,
    reasoning: ReasoningRule::Sentinel("skip_thought_signature_validator"),
    ..CHAT
};

/// Gemini 2 takes no media in a result and needs no signature.
const GEMINI_2: Limits = Limits { media_in_result: false, reasoning: ReasoningRule::Replay, ..GEMINI };

/// Service model of Converse: strict alternation, all results in one message, ids of at most 64 characters.
const BEDROCK: Limits = Limits {
    id: IdRule { max: 64, alphabet: &Alphabet::of(b"_-.:"), ..IdRule::ANY },
    results: ResultPlace::OneTurn,
    alternates: true,
    blank_text: false,
    starts_with_assistant: false,
    ends_with_assistant: false,
    args_object: true,
    media_in_result: true,
    system: SystemPlace::Top,
    reasoning: ReasoningRule::Replay,
    tools_required: true,
    joins_assistant: true,
    ..CHAT
};

/// The client drops ids, so results stand in the order of their calls.
const OLLAMA: Limits = Limits {
    id: IdRule { optional: true, ..IdRule::ANY },
    results_in_call_order: true,
    args_object: true,
    reasoning: ReasoningRule::Replay,
    ..CHAT
};

/// Hosted models of today take any id.
const MISTRAL: Limits =
    Limits { system: SystemPlace::First, ends_with_assistant: false, reasoning: ReasoningRule::Replay, ..CHAT };

/// Tokenizers v3 to v11: ids of exactly nine letters and digits.
const MISTRAL_V3: Limits =
    Limits { id: IdRule { max: 9, exact: Some(9), alphabet: Alphabet::ALPHANUMERIC, ..IdRule::ANY }, ..MISTRAL };

const COHERE: Limits = Limits { reasoning: ReasoningRule::Replay, ..CHAT };

/// The chat template: one call a message, no ids, results as JSON text of the user.
const LLAMA: Limits = Limits {
    id: IdRule { optional: true, ..IdRule::ANY },
    results_in_call_order: true,
    args_object: true,
    system: SystemPlace::First,
    ..CHAT
};

/// Spec 004: a list that is stored, not sent.
const STRUCTURED: Limits =
    Limits { media_in_result: true, joins_assistant: true, reasoning: ReasoningRule::Replay, ..CHAT };

/// The rows by name. A format with a file of its own is found before its row here.
pub(super) const ROWS: &[(&str, Profiles)] = &[
    ("openai-responses", &[("", OPENAI_RESPONSES)]),
    ("gemini", &[("", GEMINI), ("2", GEMINI_2)]),
    ("bedrock", &[("", BEDROCK)]),
    ("ollama", &[("", OLLAMA)]),
    ("mistral", &[("", MISTRAL), ("v3", MISTRAL_V3)]),
    ("cohere", &[("", COHERE)]),
    ("llama", &[("", LLAMA)]),
    ("structured", &[("", STRUCTURED)]),
];
