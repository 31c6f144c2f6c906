//! Rows about reasoning before the answer: by a word, by a number of tokens, or by a switch.

use super::{
    cell::{Kind, NONE, at, effort_words, own},
    levels::{LOW_TO_MAX, LOW_TO_XHIGH, MINIMAL, NONE as NO, SCALE, UPPER},
    setting::{Setting, WIRES},
};

/// One word of the scale, with its numbers of tokens.
pub(crate) struct Effort {
    /// The word.
    pub(crate) word: &'static str,
    /// Its tokens for Anthropic and Bedrock, for Gemini, and for Cohere. `None` if only the switch is written.
    pub(crate) budgets: [Option<u32>; 3],
}

/// The scale, lowest first, with Google's numbers for OpenAI's words. Programs disagree on them, so callers may set their own.
pub(crate) const EFFORTS: [Effort; 7] = [
    Effort { word: "none", budgets: [Some(0), Some(0), Some(0)] },
    Effort { word: "minimal", budgets: [Some(1024), Some(512), Some(512)] },
    Effort { word: "low", budgets: [Some(1024), Some(1024), Some(1024)] },
    Effort { word: "medium", budgets: [Some(8192), Some(8192), Some(8192)] },
    Effort { word: "high", budgets: [Some(24576), Some(24576), None] },
    Effort { word: "xhigh", budgets: [Some(32768), Some(32768), None] },
    Effort { word: "max", budgets: [Some(32768), Some(32768), None] },
];

/// The number of tokens on a wire.
pub(crate) fn budget_of(effort: &Effort, wire: &str) -> Option<u32> {
    let column = match WIRES.iter().position(|one| *one == wire) {
        Some(3) => 1,
        Some(6) => 2,
        _ => 0,
    };
    effort.budgets[column]
}

const EVERY_WORD: Kind = effort_words!(SCALE, NO | MINIMAL | LOW_TO_MAX);
/// `low` is the lowest level, and `none` is said by another key.
const FROM_LOW: Kind = Kind::Words(&[
    ("low", "low"),
    ("medium", "medium"),
    ("high", "high"),
    ("xhigh", "xhigh"),
    ("max", "max"),
    ("low", "minimal"),
]);
const GEMINI_LEVELS: Kind = effort_words!(UPPER, MINIMAL | LOW_TO_XHIGH);
const INTERACTIONS_LEVELS: Kind = effort_words!(SCALE, MINIMAL | LOW_TO_XHIGH);
/// `none` is a flag there.
const OLLAMA_LEVELS: Kind = Kind::Words(&[
    ("low", "low"),
    ("medium", "medium"),
    ("high", "high"),
    ("max", "max"),
    ("low", "minimal"),
    ("high", "xhigh"),
]);
/// What a forced call of a tool is called where a setting excludes it.
pub(crate) const FORCED: &[&str] = &["forced_choice"];
const MODES: Kind = Kind::Words(&[("adaptive", "adaptive"), ("enabled", "enabled"), ("disabled", "disabled")]);
pub(super) const ON_OFF: Kind =
    Kind::Words(&[("enabled", "enabled"), ("disabled", "disabled"), ("enabled", "adaptive")]);
const SUMMARIES: Kind = Kind::Words(&[("auto", "shown"), ("concise", "shown"), ("detailed", "shown"), ("", "hidden")]);
const DISPLAYS: Kind = Kind::Words(&[("summarized", "shown"), ("omitted", "hidden")]);
const MANY: f64 = 9_007_199_254_740_991.0;

pub(super) const ROWS: &[Setting] = &[
    Setting {
        name: "reasoning_effort",
        meaning: "how much the model thinks, as a level",
        cells: [
            at(&["reasoning_effort"], EVERY_WORD),
            at(&["reasoning.effort"], EVERY_WORD),
            at(&["output_config.effort"], FROM_LOW),
            at(&["generationConfig.thinkingConfig.thinkingLevel"], GEMINI_LEVELS),
            at(&["outputConfig.effort", "additionalModelRequestFields.reasoningConfig.maxReasoningEffort"], FROM_LOW),
            at(&["reasoning_effort"], EVERY_WORD),
            NONE,
            at(&["think"], OLLAMA_LEVELS),
            at(&["generation_config.thinking_level"], INTERACTIONS_LEVELS),
        ],
    },
    Setting {
        name: "reasoning_budget",
        meaning: "how many tokens the model may think",
        cells: [
            NONE,
            NONE,
            at(&["thinking.budget_tokens"], Kind::Integer(1024.0, MANY)).excludes(FORCED),
            at(&["generationConfig.thinkingConfig.thinkingBudget"], Kind::Integer(-MANY, MANY)),
            at(
                &[
                    "additionalModelRequestFields.thinking.budget_tokens",
                    "additionalModelRequestFields.reasoning_config.budget_tokens",
                ],
                Kind::Integer(1024.0, MANY),
            )
            .excludes(FORCED),
            NONE,
            at(&["thinking.token_budget"], Kind::Integer(-MANY, MANY)),
            NONE,
            NONE,
        ],
    },
    Setting {
        name: "reasoning_mode",
        meaning: "whether the model thinks",
        cells: [
            NONE,
            NONE,
            at(&["thinking.type"], MODES),
            NONE,
            at(
                &[
                    "additionalModelRequestFields.thinking.type",
                    "additionalModelRequestFields.reasoning_config.type",
                    "additionalModelRequestFields.reasoningConfig.type",
                ],
                MODES,
            ),
            NONE,
            at(&["thinking.type"], ON_OFF),
            at(&["think"], Kind::Switch("enabled", "disabled")),
            NONE,
        ],
    },
    Setting {
        name: "reasoning_shown",
        meaning: "whether the reply shows the reasoning",
        cells: [
            NONE,
            at(&["reasoning.summary", "reasoning.generate_summary"], SUMMARIES),
            at(&["thinking.display"], DISPLAYS).needs(&["reasoning_mode"]),
            at(&["generationConfig.thinkingConfig.includeThoughts"], Kind::Switch("shown", "hidden")),
            at(&["additionalModelRequestFields.thinking.display"], DISPLAYS).needs(&["reasoning_mode"]),
            NONE,
            NONE,
            NONE,
            at(&["generation_config.thinking_summaries"], Kind::Words(&[("auto", "shown"), ("none", "hidden")])),
        ],
    },
    Setting {
        name: "reasoning_kept",
        meaning: "which reasoning of earlier replies counts, and how a reply returns its own",
        cells: [
            NONE,
            own(&["reasoning.context", "reasoning.mode"]),
            NONE,
            NONE,
            NONE,
            own(&["prompt_mode"]),
            NONE,
            NONE,
            NONE,
        ],
    },
];
