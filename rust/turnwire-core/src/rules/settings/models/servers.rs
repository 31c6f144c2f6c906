//! What other makers' models differ in, on their own servers and on those that serve many.
//!
//! Sources, beside the model pages and SDKs: hermes-agent#23435 (Grok, measured), LinguaGacha#771, NativeTavern#83, odysseus#3959,
//! kimi-code#686, opencode-copilot-chat#45, cherry-studio#16431, Aider#4630.

use super::{
    super::{
        cell::{Cell, Kind, NONE, at},
        levels::{HIGH, LOW, LOW_TO_HIGH, MAX, NONE as NO, SCALE, XHIGH},
    },
    rule::{MANY, ModelRule, NO_CHOICE, effort},
};

const CHAT: &str = "reasoning_effort";
const SWITCH: &[&str] = &["thinking.type"];
const COUNT: Kind = Kind::Integer(0.0, MANY);

const WHILE_REASONING: Cell = at(&[], Kind::Refused("the model reasons, and then refuses it"));
const NO_LEVEL: Cell = at(&[], Kind::Refused("the model decides itself how much to reason"));
const NO_SWITCH: Cell = at(&[], Kind::Refused("the model always reasons"));
const ENABLED: Kind = Kind::Words(&[("enabled", "enabled"), ("enabled", "adaptive")]);
/// Kimi's own temperature, while it reasons and at rest.
const FIXED: Cell = at(&["temperature"], Kind::Number(1.0, 1.0));
const AT_REST: Kind = Kind::Number(0.6, 0.6);

const NOVA_EFFORT: &str = "additionalModelRequestFields.reasoningConfig.maxReasoningEffort";
const NOVA_MODE: &[&str] = &["additionalModelRequestFields.reasoningConfig.type"];

/// A rule for the models of one shipped row of Chat Completions.
const fn on(row: &'static str, names: &'static [&'static str], cells: &'static [(&'static str, Cell)]) -> ModelRule {
    ModelRule::of("openai", names, cells).version(row)
}
macro_rules! words {
    ($own:expr) => {
        &[("reasoning_effort", effort!(CHAT, SCALE, $own))]
    };
}

pub(super) const RULES: &[ModelRule] = &[
    on("xai", &["grok-3", "grok-4", "grok-code-fast"], &[("reasoning_effort", NO_LEVEL)]),
    on("xai", &["grok-3-mini", "grok-4.3", "grok-4.4", "grok-4.5"], words!(NO | LOW_TO_HIGH)),
    on("xai", &["grok-4.6", "grok-4.7", "grok-4.8", "grok-4.9", "grok-5"], words!(NO | LOW_TO_HIGH | XHIGH)),
    on(
        "xai",
        &["grok-3-mini", "grok-4", "grok-5", "grok-code-fast"],
        &[("stop", WHILE_REASONING), ("presence_penalty", WHILE_REASONING), ("frequency_penalty", WHILE_REASONING)],
    )
    .but(&["grok-4-fast-non-reasoning", "grok-4-1-fast-non-reasoning", "grok-4.20-non-reasoning"]),
    on("xai", &["grok-4.20-multi-agent"], &[("tool_choice", NO_CHOICE)]),
    on("kimi", &["kimi-k2.5", "kimi-k2.6"], &[("reasoning_effort", NONE), ("temperature", FIXED.at_rest(AT_REST))]),
    on(
        "kimi",
        &["kimi-k2.7-code"],
        &[("reasoning_effort", NONE), ("reasoning_mode", at(SWITCH, ENABLED)), ("temperature", FIXED)],
    ),
    on(
        "glm",
        &["glm-5.3"],
        &[("reasoning_effort", effort!(CHAT, SCALE, LOW | HIGH | MAX)), ("reasoning_mode", at(SWITCH, ENABLED))],
    ),
    on("minimax", &["minimax-m3"], &[("reasoning_effort", NONE)]),
    on("minimax", &["minimax-m2"], &[("reasoning_effort", NO_LEVEL), ("reasoning_mode", NO_SWITCH)]),
    on("groq", &["gpt-oss"], words!(LOW_TO_HIGH)),
    on(
        "groq",
        &["qwen3"],
        &[(
            "reasoning_effort",
            at(
                &[CHAT],
                Kind::Words(&[
                    ("none", "none"),
                    ("default", "medium"),
                    ("default", "minimal"),
                    ("default", "low"),
                    ("default", "high"),
                    ("default", "xhigh"),
                    ("default", "max"),
                ]),
            ),
        )],
    ),
    on("fireworks", &["gpt-oss", "minimax-m2"], words!(LOW_TO_HIGH)),
    ModelRule::of(
        "mistral",
        &["mistral-medium-3-5", "mistral-medium-3.5", "mistral-small", "mistral-large-4", "devstral"],
        words!(NO | HIGH),
    ),
    // It reasons by a prompt that the server adds.
    ModelRule::of(
        "mistral",
        &["magistral"],
        &[
            ("reasoning_effort", NONE),
            (
                "reasoning_mode",
                at(
                    &["prompt_mode"],
                    Kind::Words(&[("reasoning", "enabled"), ("reasoning", "adaptive"), ("", "disabled")]),
                ),
            ),
            ("reasoning_kept", NONE),
        ],
    ),
    ModelRule::of("mistral", &["glm-5-3", "glm-5.3"], words!(LOW | HIGH | MAX)),
    ModelRule::of(
        "ollama",
        &["gpt-oss"],
        &[("reasoning_effort", effort!("think", SCALE, LOW_TO_HIGH)), ("reasoning_mode", NONE)],
    ),
    ModelRule::of(
        "bedrock",
        &["amazon.nova"],
        &[
            ("top_k", at(&["additionalModelRequestFields.inferenceConfig.topK"], COUNT)),
            ("reasoning_effort", effort!(NOVA_EFFORT, SCALE, LOW_TO_HIGH)),
            (
                "reasoning_mode",
                at(
                    NOVA_MODE,
                    Kind::Words(&[("enabled", "enabled"), ("disabled", "disabled"), ("enabled", "adaptive")]),
                ),
            ),
            ("reasoning_budget", NONE),
            ("reasoning_shown", NONE),
        ],
    ),
];
