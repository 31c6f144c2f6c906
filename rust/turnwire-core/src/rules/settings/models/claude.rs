//! What Claude's models differ in, on Anthropic's own wire and on Converse.
//!
//! Sources, beside the model pages: arc-kit#577 (the vendor's table for 4.6), oh-my-openagent#5098, docker-agent#3093 and cherry-studio#15532
//! (4.7 and 4.8), oh-my-pi#12939, vercel/ai#21364 and celeste-python#393 (choices of tools), CLIProxyAPI#4797 (a forced
//! choice beside thinking by hand).

use super::{
    super::{
        cell::{Cell, Kind, NONE, at},
        levels::{LOW_TO_HIGH, LOW_TO_MAX, MAX, SCALE},
        reasoning::{FORCED, ON_OFF},
    },
    rule::{MANY, ModelRule, NO_THOUGHT, NOT_FORCED, effort},
};

const SHARE: Kind = Kind::Number(0.0, 1.0);
const COUNT: Kind = Kind::Integer(0.0, MANY);
const V2023: &str = "2023-06-01";

/// Models up to 4.5, which reason with a budget.
const UP_TO_4_5: &[&str] = &[
    "claude-3-7",
    "claude-sonnet-4-0",
    "claude-sonnet-4-2",
    "claude-sonnet-4-5",
    "claude-opus-4-0",
    "claude-opus-4-1",
    "claude-opus-4-2",
    "claude-opus-4-5",
    "claude-haiku-4-5",
];
/// Models without reasoning.
const UP_TO_3_5: &[&str] = &["claude-3-5", "claude-3-haiku", "claude-3-opus", "claude-3-sonnet", "claude-2"];
/// Models that reason adaptively, or by hand.
const FROM_4_6: &[&str] = &["claude-opus-4-6", "claude-sonnet-4-6"];
/// Models that reason adaptively and no other way.
const ADAPTIVE: &[&str] = &["claude-opus-4-7", "claude-opus-4-8", "claude-opus-5", "claude-sonnet-5", "claude-haiku-5"];
/// Of them those that cannot be told not to reason.
const ALWAYS: &[&str] = &["claude-fable", "claude-mythos", "claude-opus-5-5", "claude-sonnet-5-5"];
/// Of these those that never have to call a tool.
const UNFORCED: &[&str] = &["claude-fable-5-1", "claude-mythos-5-1", "claude-opus-5-5", "claude-sonnet-5-5"];
/// Models that refuse sampling in the older API version too.
const WITHOUT_SAMPLING: &[&str] = &[
    "claude-opus-4-7",
    "claude-opus-4-8",
    "claude-opus-5",
    "claude-sonnet-5",
    "claude-haiku-5",
    "claude-fable",
    "claude-mythos",
];

const UNSAMPLED: Cell = at(&[], Kind::Refused("the model accepts only its default"));
const TEMPERATURE: Cell = at(&["temperature"], SHARE).excludes(&["reasoning_mode"]);
const TOP_P: Cell = at(&["top_p"], SHARE);
const TOP_K: Cell = at(&["top_k"], COUNT).excludes(&["reasoning_mode"]);

const BY_TOKENS: Cell = at(&[], Kind::Refused("the model reasons by effort, and not by a number of tokens"));
const NOT_BY_HAND: Kind = Kind::Words(&[("adaptive", "adaptive"), ("disabled", "disabled"), ("adaptive", "enabled")]);
const ALWAYS_ON: Kind = Kind::Words(&[("adaptive", "adaptive"), ("adaptive", "enabled")]);

const MODE: &[&str] = &["thinking.type"];
const EFFORT: &str = "output_config.effort";
const BEDROCK_MODE: &[&str] = &["additionalModelRequestFields.thinking.type"];
const BEDROCK_EFFORT: &str = "outputConfig.effort";

const fn anthropic(names: &'static [&'static str], cells: &'static [(&'static str, Cell)]) -> ModelRule {
    ModelRule::of("anthropic", names, cells)
}
const fn converse(names: &'static [&'static str], cells: &'static [(&'static str, Cell)]) -> ModelRule {
    ModelRule::of("bedrock", names, cells)
}
/// The most tokens of a reply, and as many as are written where a body has none.
const fn up_to(most: f64, needed: &'static str) -> Cell {
    at(&["max_tokens"], Kind::Integer(1.0, most)).needed(needed)
}
const WITHOUT_REASONING: [(&str, Cell); 4] = [
    ("reasoning_effort", NO_THOUGHT),
    ("reasoning_budget", NO_THOUGHT),
    ("reasoning_mode", NO_THOUGHT),
    ("reasoning_shown", NO_THOUGHT),
];
const NO_SAMPLING: &[(&str, Cell)] = &[("temperature", UNSAMPLED), ("top_p", UNSAMPLED), ("top_k", UNSAMPLED)];

pub(super) const RULES: &[ModelRule] = &[
    anthropic(WITHOUT_SAMPLING, NO_SAMPLING).version(V2023),
    anthropic(
        UP_TO_4_5,
        &[("temperature", TEMPERATURE), ("top_p", at(&["top_p"], SHARE).excludes(&["temperature"])), ("top_k", TOP_K)],
    )
    .version(V2023),
    anthropic(
        UP_TO_4_5,
        &[("reasoning_effort", NONE), ("reasoning_mode", at(MODE, ON_OFF).excludes(FORCED)), ("reasoning_shown", NONE)],
    ),
    // Their replies are at most this long, as their pages and their error text say.
    anthropic(&["claude-opus-4-0", "claude-opus-4-1", "claude-opus-4-2"], &[("max_tokens", up_to(32_000.0, "16384"))]),
    anthropic(UP_TO_3_5, &[("max_tokens", up_to(MANY, "4096"))]),
    anthropic(UP_TO_3_5, &WITHOUT_REASONING),
    anthropic(
        FROM_4_6,
        &[("reasoning_effort", effort!(EFFORT, SCALE, LOW_TO_HIGH | MAX).recorded(&["claude-opus-4-6"]))],
    ),
    anthropic(ADAPTIVE, &[("reasoning_mode", at(MODE, NOT_BY_HAND)), ("reasoning_budget", BY_TOKENS)]),
    anthropic(
        ALWAYS,
        &[
            ("reasoning_effort", effort!(EFFORT, SCALE, LOW_TO_MAX)),
            ("reasoning_mode", at(MODE, ALWAYS_ON)),
            ("reasoning_budget", BY_TOKENS),
        ],
    ),
    anthropic(UNFORCED, &[("tool_choice", NOT_FORCED)]),
    anthropic(&[], &[("temperature", TEMPERATURE), ("top_p", TOP_P), ("top_k", TOP_K)]).version(V2023),
    converse(
        UP_TO_4_5,
        &[
            ("temperature", at(&["inferenceConfig.temperature"], SHARE).excludes(&["reasoning_mode"])),
            ("reasoning_effort", NONE),
            ("reasoning_mode", at(BEDROCK_MODE, ON_OFF).excludes(FORCED)),
            ("reasoning_shown", NONE),
        ],
    ),
    converse(UP_TO_3_5, &WITHOUT_REASONING),
    converse(FROM_4_6, &[("reasoning_effort", effort!(BEDROCK_EFFORT, SCALE, LOW_TO_HIGH | MAX))]),
    converse(ADAPTIVE, &[("reasoning_mode", at(BEDROCK_MODE, NOT_BY_HAND)), ("reasoning_budget", BY_TOKENS)]),
    converse(
        ALWAYS,
        &[
            ("reasoning_effort", effort!(BEDROCK_EFFORT, SCALE, LOW_TO_MAX)),
            ("reasoning_mode", at(BEDROCK_MODE, ALWAYS_ON)),
            ("reasoning_budget", BY_TOKENS),
        ],
    ),
    converse(UNFORCED, &[("tool_choice", NOT_FORCED)]),
    converse(WITHOUT_SAMPLING, NO_SAMPLING),
];
