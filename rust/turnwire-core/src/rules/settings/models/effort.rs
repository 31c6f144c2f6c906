//! Lists which words for effort each model accepts. A word that it lacks becomes the nearest lower one, else the lowest.
//!
//! Sources, beside the providers' model pages: opencode#4451 and modelparams#207 (GPT 5, measured), arc-kit#577 (the
//! vendor's table for Claude 4.6), agenc-core#2393 (Gemini 3, seven models measured), chatwise-releases#1206, bolna#956.

use super::{
    super::cell::{Kind, at},
    ModelRule,
};

const CHAT: &[&str] = &["reasoning_effort"];
const RESPONSES: &[&str] = &["reasoning.effort"];
const CLAUDE: &[&str] = &["output_config.effort"];
const CONVERSE: &[&str] = &["outputConfig.effort"];
const GEMINI: &[&str] = &["generationConfig.thinkingConfig.thinkingLevel"];
const INTERACTIONS: &[&str] = &["generation_config.thinking_level"];

const LOW_TO_HIGH: Kind = Kind::Words(&[
    ("low", "low"),
    ("medium", "medium"),
    ("high", "high"),
    ("low", "minimal"),
    ("high", "xhigh"),
    ("high", "max"),
]);
const MINIMAL_TO_HIGH: Kind = Kind::Words(&[
    ("minimal", "minimal"),
    ("low", "low"),
    ("medium", "medium"),
    ("high", "high"),
    ("high", "xhigh"),
    ("high", "max"),
    ("minimal", "none"),
]);
const NONE_TO_HIGH: Kind = Kind::Words(&[
    ("none", "none"),
    ("low", "low"),
    ("medium", "medium"),
    ("high", "high"),
    ("low", "minimal"),
    ("high", "xhigh"),
    ("high", "max"),
]);
const NONE_TO_XHIGH: Kind = Kind::Words(&[
    ("none", "none"),
    ("low", "low"),
    ("medium", "medium"),
    ("high", "high"),
    ("xhigh", "xhigh"),
    ("low", "minimal"),
    ("xhigh", "max"),
]);
const NONE_TO_MAX: Kind = Kind::Words(&[
    ("none", "none"),
    ("low", "low"),
    ("medium", "medium"),
    ("high", "high"),
    ("xhigh", "xhigh"),
    ("max", "max"),
    ("low", "minimal"),
]);
const LOW_TO_XHIGH: Kind = Kind::Words(&[
    ("low", "low"),
    ("medium", "medium"),
    ("high", "high"),
    ("xhigh", "xhigh"),
    ("low", "minimal"),
    ("xhigh", "max"),
]);
const LOW_TO_MAX: Kind = Kind::Words(&[
    ("low", "low"),
    ("medium", "medium"),
    ("high", "high"),
    ("xhigh", "xhigh"),
    ("max", "max"),
    ("low", "minimal"),
    ("low", "none"),
]);
const MEDIUM_TO_XHIGH: Kind = Kind::Words(&[
    ("medium", "medium"),
    ("high", "high"),
    ("xhigh", "xhigh"),
    ("medium", "minimal"),
    ("medium", "low"),
    ("xhigh", "max"),
]);
const LOW_TO_HIGH_AND_MAX: Kind = Kind::Words(&[
    ("low", "low"),
    ("medium", "medium"),
    ("high", "high"),
    ("max", "max"),
    ("low", "minimal"),
    ("high", "xhigh"),
]);
const MINIMAL_OR_HIGH: Kind = Kind::Words(&[
    ("MINIMAL", "minimal"),
    ("HIGH", "high"),
    ("MINIMAL", "low"),
    ("MINIMAL", "medium"),
    ("HIGH", "xhigh"),
    ("HIGH", "max"),
    ("MINIMAL", "none"),
]);
const FROM_MINIMAL: Kind = Kind::Words(&[
    ("MINIMAL", "minimal"),
    ("LOW", "low"),
    ("MEDIUM", "medium"),
    ("HIGH", "high"),
    ("HIGH", "xhigh"),
    ("HIGH", "max"),
    ("MINIMAL", "none"),
]);
const LOW_OR_HIGH: Kind = Kind::Words(&[
    ("LOW", "low"),
    ("HIGH", "high"),
    ("LOW", "minimal"),
    ("LOW", "medium"),
    ("HIGH", "xhigh"),
    ("HIGH", "max"),
    ("LOW", "none"),
]);
const TO_XHIGH: Kind = Kind::Words(&[
    ("LOW", "low"),
    ("MEDIUM", "medium"),
    ("HIGH", "high"),
    ("XHIGH", "xhigh"),
    ("LOW", "minimal"),
    ("XHIGH", "max"),
    ("LOW", "none"),
]);
const TO_HIGH: Kind = Kind::Words(&[
    ("LOW", "low"),
    ("MEDIUM", "medium"),
    ("HIGH", "high"),
    ("LOW", "minimal"),
    ("HIGH", "xhigh"),
    ("HIGH", "max"),
    ("LOW", "none"),
]);
const MINIMAL_OR_HIGH_SMALL: Kind = Kind::Words(&[
    ("minimal", "minimal"),
    ("high", "high"),
    ("minimal", "low"),
    ("minimal", "medium"),
    ("high", "xhigh"),
    ("high", "max"),
    ("minimal", "none"),
]);
const FROM_MINIMAL_SMALL: Kind = Kind::Words(&[
    ("minimal", "minimal"),
    ("low", "low"),
    ("medium", "medium"),
    ("high", "high"),
    ("high", "xhigh"),
    ("high", "max"),
    ("minimal", "none"),
]);
const LOW_OR_HIGH_SMALL: Kind = Kind::Words(&[
    ("low", "low"),
    ("high", "high"),
    ("low", "minimal"),
    ("low", "medium"),
    ("high", "xhigh"),
    ("high", "max"),
    ("low", "none"),
]);
const TO_XHIGH_SMALL: Kind = Kind::Words(&[
    ("low", "low"),
    ("medium", "medium"),
    ("high", "high"),
    ("xhigh", "xhigh"),
    ("low", "minimal"),
    ("xhigh", "max"),
    ("low", "none"),
]);
const TO_HIGH_SMALL: Kind = Kind::Words(&[
    ("low", "low"),
    ("medium", "medium"),
    ("high", "high"),
    ("low", "minimal"),
    ("high", "xhigh"),
    ("high", "max"),
    ("low", "none"),
]);

/// Makes a rule for each wire on which these models are served, with the words at its place.
macro_rules! rules {
    ($($names:expr, but $but:expr => { $($wire:literal: $cell:expr,)+ })+) => {
        &[$($(ModelRule {
            wire: $wire,
            version: "",
            names: $names,
            but: $but,
            cells: &[("reasoning_effort", $cell)],
        },)+)+]
    };
}

/// The rules, the narrower before the wider.
pub(super) const RULES: &[ModelRule] = rules! {
    &["gpt-5.5-pro"], but &[] => {
        "openai": at(CHAT, MEDIUM_TO_XHIGH),
        "openai-responses": at(RESPONSES, MEDIUM_TO_XHIGH),
    }
    &["gpt-5.2-pro", "gpt-5.4-pro"], but &[] => {
        "openai": at(CHAT, LOW_TO_XHIGH),
        "openai-responses": at(RESPONSES, LOW_TO_XHIGH),
    }
    &["gpt-5.1"], but &["gpt-5.1-chat", "gpt-5.1-codex-max"] => {
        "openai": at(CHAT, NONE_TO_HIGH),
        "openai-responses": at(RESPONSES, NONE_TO_HIGH),
    }
    &["gpt-5.2", "gpt-5.3-codex", "gpt-5.4", "gpt-5.5"], but &["gpt-5.2-chat"] => {
        "openai": at(CHAT, NONE_TO_XHIGH),
        "openai-responses": at(RESPONSES, NONE_TO_XHIGH),
    }
    &["gpt-5.6"], but &[] => {
        "openai": at(CHAT, NONE_TO_MAX),
        "openai-responses": at(RESPONSES, NONE_TO_MAX),
    }
    &["gpt-5"], but &["gpt-5-chat", "gpt-5-codex", "gpt-5-search", "gpt-5."] => {
        "openai": at(CHAT, MINIMAL_TO_HIGH),
        "openai-responses": at(RESPONSES, MINIMAL_TO_HIGH),
    }
    &["gpt-6-astra", "gpt-6-rosalind", "gpt-6.1-sol"], but &[] => {
        "openai": at(CHAT, LOW_TO_MAX),
        "openai-responses": at(RESPONSES, LOW_TO_MAX),
    }
    &["gpt-6"], but &[] => {
        "openai": at(CHAT, NONE_TO_MAX),
        "openai-responses": at(RESPONSES, NONE_TO_MAX),
    }
    &["o1", "o3", "o4"], but &[] => {
        "openai": at(CHAT, LOW_TO_HIGH),
        "openai-responses": at(RESPONSES, LOW_TO_HIGH),
    }
    &["claude-opus-4-6", "claude-sonnet-4-6"], but &[] => {
        "anthropic": at(CLAUDE, LOW_TO_HIGH_AND_MAX).recorded(&["claude-opus-4-6"]),
        "bedrock": at(CONVERSE, LOW_TO_HIGH_AND_MAX),
    }
    &["gemini-3.1-flash-image", "gemini-3.1-flash-lite-image"], but &[] => {
        "gemini": at(GEMINI, MINIMAL_OR_HIGH),
        "gemini-interactions": at(INTERACTIONS, MINIMAL_OR_HIGH_SMALL),
    }
    &["gemini-3-flash", "gemini-3.1-flash-lite", "gemini-3.5-flash", "gemini-3.6-flash"], but &[] => {
        "gemini": at(GEMINI, FROM_MINIMAL),
        "gemini-interactions": at(INTERACTIONS, FROM_MINIMAL_SMALL),
    }
    &["gemini-3-pro"], but &[] => {
        "gemini": at(GEMINI, LOW_OR_HIGH),
        "gemini-interactions": at(INTERACTIONS, LOW_OR_HIGH_SMALL),
    }
    &["gemini-4-hydrogen"], but &[] => {
        "gemini": at(GEMINI, TO_XHIGH),
        "gemini-interactions": at(INTERACTIONS, TO_XHIGH_SMALL),
    }
    &["gemini-3", "gemini-4"], but &[] => {
        "gemini": at(GEMINI, TO_HIGH),
        "gemini-interactions": at(INTERACTIONS, TO_HIGH_SMALL),
    }
};
