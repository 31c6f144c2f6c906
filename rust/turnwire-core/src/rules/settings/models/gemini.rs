//! What Gemini's models differ in, on Google's own two wires and on its endpoint for Chat Completions.
//!
//! Sources, beside the model pages: agenc-core#2393 (seven models, measured), chatwise-releases#1206, bolna#956, kiss-translator#1048,
//! bifrost#6280 and #7287 (levels), Roo-Code#10700 (no level on 2.5), gendox#480 (the endpoint), litellm#31333 (JSON beside tools).

use super::{
    super::{
        cell::{Cell, Kind, NONE, at},
        levels::{HIGH, LOW, LOW_TO_HIGH, LOW_TO_XHIGH, MINIMAL, NONE as NO, SCALE, UPPER},
    },
    rule::{JSON_OR_TOOLS, ModelRule, NO_THOUGHT, effort},
};
use crate::rules::FormatShape;

const LEVEL: &str = "generationConfig.thinkingConfig.thinkingLevel";
const BUDGET: &[&str] = &["generationConfig.thinkingConfig.thinkingBudget"];
const INTERACTIONS: &str = "generation_config.thinking_level";
const CHAT: &str = "reasoning_effort";

const OLD: &[&str] = &["gemini-1", "gemini-2.0"];
const PICTURES: &[&str] = &["gemini-3.1-flash-image", "gemini-3.1-flash-lite-image"];
const FLASH: &[&str] = &["gemini-3-flash", "gemini-3.1-flash-lite", "gemini-3.5-flash", "gemini-3.6-flash"];
const PRO: &[&str] = &["gemini-3-pro"];
const HYDROGEN: &[&str] = &["gemini-4-hydrogen"];
/// Every one of them takes `low`.
const OTHERS: &[&str] = &["gemini-3", "gemini-4"];
/// Models without sampling.
const UNSAMPLED: &[&str] = &["gemini-3.5-flash-lite", "gemini-3.6-flash", "gemini-3.7-flash", "gemini-3.8-flash"];

const DEFAULT: Cell = at(&[], Kind::Refused("the model accepts only its default"));
const NO_SAMPLING: &[(&str, Cell)] = &[("temperature", DEFAULT), ("top_p", DEFAULT), ("top_k", DEFAULT)];
/// JSON replies and tools do not go together on the models of 2.
const FORMAT: Cell = at(
    &["generationConfig.responseMimeType", "generationConfig.responseJsonSchema", "generationConfig.responseSchema"],
    Kind::Format(FormatShape::MimeType),
)
.with_tools(JSON_OR_TOOLS);

const fn gemini(names: &'static [&'static str], cells: &'static [(&'static str, Cell)]) -> ModelRule {
    ModelRule::of("gemini", names, cells)
}
const fn interactions(names: &'static [&'static str], cells: &'static [(&'static str, Cell)]) -> ModelRule {
    ModelRule::of("gemini-interactions", names, cells)
}
const fn endpoint(names: &'static [&'static str], cells: &'static [(&'static str, Cell)]) -> ModelRule {
    ModelRule::of("openai", names, cells).version("gemini")
}
macro_rules! level {
    ($place:expr, $spelling:expr, $own:expr) => {
        &[("reasoning_effort", effort!($place, $spelling, $own))]
    };
}

pub(super) const RULES: &[ModelRule] = &[
    gemini(PICTURES, level!(LEVEL, UPPER, MINIMAL | HIGH)),
    gemini(FLASH, level!(LEVEL, UPPER, MINIMAL | LOW_TO_HIGH)),
    gemini(PRO, level!(LEVEL, UPPER, LOW | HIGH)),
    gemini(HYDROGEN, level!(LEVEL, UPPER, LOW_TO_XHIGH)),
    gemini(OTHERS, level!(LEVEL, UPPER, LOW_TO_HIGH)),
    gemini(UNSAMPLED, NO_SAMPLING),
    gemini(
        &["gemini-2.5-pro"],
        &[("reasoning_effort", NONE), ("reasoning_budget", at(BUDGET, Kind::Integer(128.0, 32_768.0)))],
    ),
    gemini(
        &["gemini-2.5"],
        &[("reasoning_effort", NONE), ("reasoning_budget", at(BUDGET, Kind::Integer(0.0, 24_576.0)))],
    ),
    gemini(&["gemini-2"], &[("response_format", FORMAT)]),
    gemini(&[], &[("response_format", FORMAT)]).version("2"),
    gemini(OLD, &[("reasoning_effort", NO_THOUGHT), ("reasoning_budget", NO_THOUGHT), ("reasoning_shown", NO_THOUGHT)]),
    interactions(PICTURES, level!(INTERACTIONS, SCALE, MINIMAL | HIGH)),
    interactions(FLASH, level!(INTERACTIONS, SCALE, MINIMAL | LOW_TO_HIGH)),
    interactions(PRO, level!(INTERACTIONS, SCALE, LOW | HIGH)),
    interactions(HYDROGEN, level!(INTERACTIONS, SCALE, LOW_TO_XHIGH)),
    interactions(OTHERS, level!(INTERACTIONS, SCALE, LOW_TO_HIGH)),
    interactions(UNSAMPLED, NO_SAMPLING),
    endpoint(PICTURES, level!(CHAT, SCALE, MINIMAL | HIGH)),
    endpoint(FLASH, level!(CHAT, SCALE, MINIMAL | LOW_TO_HIGH)),
    endpoint(PRO, level!(CHAT, SCALE, LOW | HIGH)),
    endpoint(HYDROGEN, level!(CHAT, SCALE, LOW_TO_XHIGH)),
    endpoint(OTHERS, level!(CHAT, SCALE, LOW_TO_HIGH)),
    endpoint(UNSAMPLED, NO_SAMPLING),
    endpoint(&["gemini-2.5-flash"], level!(CHAT, SCALE, NO | LOW_TO_HIGH)),
    endpoint(&["gemini-2.5"], level!(CHAT, SCALE, LOW_TO_HIGH)),
    endpoint(
        &["gemini-2"],
        &[("response_format", at(&["response_format"], Kind::Format(FormatShape::Nested)).with_tools(JSON_OR_TOOLS))],
    ),
    endpoint(OLD, &[("reasoning_effort", NO_THOUGHT)]),
];
