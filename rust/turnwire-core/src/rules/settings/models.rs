//! Lists how versions of a wire, and models on it, differ from the wire's column.

mod effort;

use super::{
    cell::{Cell, Kind, NONE, at},
    reasoning::ON_OFF,
};
use crate::rules::model_names;

/// How some models, or one version of the wire, differ.
pub(crate) struct ModelRule {
    /// The wire.
    pub(crate) wire: &'static str,
    /// The profile of the dialect that it applies to. Empty for any.
    pub(crate) version: &'static str,
    /// The prefixes of the models' names, which may follow a provider's name with a slash or a dot. None for a rule
    /// about a version.
    pub(crate) names: &'static [&'static str],
    /// Prefixes of names that begin so, too, and are other models.
    pub(crate) but: &'static [&'static str],
    /// The settings with their cells.
    pub(crate) cells: &'static [(&'static str, Cell)],
}

impl ModelRule {
    /// Whether it applies to this model.
    pub(crate) fn is_for(&self, model: &str) -> bool {
        model_names::is_among(model, self.names, self.but)
    }

    pub(crate) fn cell(&self, setting: &str) -> Option<&'static Cell> {
        self.cells.iter().find(|(name, _)| *name == setting).map(|(_, cell)| cell)
    }
}

const MANY: f64 = 9_007_199_254_740_991.0;
const SHARE: Kind = Kind::Number(0.0, 1.0);
const COUNT: Kind = Kind::Integer(0.0, MANY);
const NO_WORD: &str = "the model accepts none";
const THINKS: Kind = Kind::RefusedInReasoning("the model refuses it while it reasons");
const NO_THOUGHT: Cell = at(&[], Kind::Refused("the model does not reason"));
const V2023: &str = "2023-06-01";

/// Claude models up to 4.5, which reason with a budget.
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
/// Claude models without reasoning.
const UP_TO_3_5: &[&str] = &["claude-3-5", "claude-3-haiku", "claude-3-opus", "claude-3-sonnet", "claude-2"];
/// Claude models that refuse sampling in the older API version too.
const WITHOUT_SAMPLING: &[&str] =
    &["claude-opus-4-7", "claude-opus-5", "claude-sonnet-5", "claude-haiku-5", "claude-fable", "claude-mythos"];

const UNSAMPLED: Cell = at(&[], Kind::Refused("the model accepts only its default"));
const TEMPERATURE: Cell = at(&["temperature"], SHARE).excludes(&["reasoning_mode"]);
const TOP_P: Cell = at(&["top_p"], SHARE);
const TOP_K: Cell = at(&["top_k"], COUNT).excludes(&["reasoning_mode"]);
const THINKING_MODE: Cell = at(&["thinking.type"], ON_OFF);
const BEDROCK_MODE: Cell = at(&["additionalModelRequestFields.thinking.type"], ON_OFF);
const NOVA_MODE: Cell = at(&["additionalModelRequestFields.reasoningConfig.type"], ON_OFF);
const NOVA_EFFORT: Cell = at(
    &["additionalModelRequestFields.reasoningConfig.maxReasoningEffort"],
    Kind::Words(&[
        ("low", "low"),
        ("medium", "medium"),
        ("high", "high"),
        ("low", "minimal"),
        ("high", "xhigh"),
        ("high", "max"),
    ]),
);
const WHILE_REASONING: Cell = at(&[], THINKS);

/// Every rule. For each setting, the first rule that applies and has its cell decides.
pub(crate) fn all() -> impl Iterator<Item = &'static ModelRule> {
    effort::RULES.iter().chain(OTHERS)
}

// A column has a bit for each.
const _: () = assert!(effort::RULES.len() + OTHERS.len() <= 128);

/// GPT 5 models that do not reason.
const CHATS: &[&str] = &["gpt-5-chat", "gpt-5.1-chat", "gpt-5.2-chat", "gpt-5.3-chat"];
/// OpenAI's models that search the web in Chat Completions.
const SEARCHERS: &[&str] = &["gpt-4o-search", "gpt-4o-mini-search", "gpt-5-search"];

const OTHERS: &[ModelRule] = &[
    // Only these models have a search, as OpenAI's guide to web search says; gpt-4o is recorded.
    ModelRule {
        wire: "openai",
        version: "",
        names: &["gpt-3.5", "gpt-4", "gpt-5", "gpt-6", "o1", "o3", "o4"],
        but: SEARCHERS,
        cells: &[(
            "web_search",
            at(&[], Kind::Refused("the model has no search: those with `search` in their name have one"))
                .recorded(&["gpt-4o"]),
        )],
    },
    ModelRule { wire: "openai", version: "", names: CHATS, but: &[], cells: &[("reasoning_effort", NO_THOUGHT)] },
    // These always reason; smolagents#1662, #1671.
    ModelRule {
        wire: "openai",
        version: "",
        names: &["gpt-5"],
        but: &["gpt-5-chat", "gpt-5-search", "gpt-5."],
        cells: &[("stop", at(&[], Kind::Refused(NO_WORD)).recorded(&["gpt-5", "gpt-5-mini", "gpt-5-nano"]))],
    },
    ModelRule {
        wire: "openai",
        version: "",
        names: &["o1", "o3", "o4"],
        but: &[],
        cells: &[
            ("temperature", at(&[], Kind::Refused(NO_WORD))),
            ("top_p", at(&[], Kind::Refused(NO_WORD))),
            ("presence_penalty", at(&[], Kind::Refused(NO_WORD))),
            ("frequency_penalty", at(&[], Kind::Refused(NO_WORD))),
            ("logprobs", at(&[], Kind::Refused(NO_WORD))),
            ("top_logprobs", at(&[], Kind::Refused(NO_WORD))),
            ("stop", at(&[], Kind::Refused(NO_WORD))),
        ],
    },
    ModelRule {
        wire: "openai",
        version: "",
        names: &["gpt-6"],
        but: &[],
        cells: &[
            ("temperature", WHILE_REASONING),
            ("top_p", WHILE_REASONING),
            ("presence_penalty", WHILE_REASONING),
            ("frequency_penalty", WHILE_REASONING),
            ("logprobs", WHILE_REASONING),
            ("top_logprobs", WHILE_REASONING),
        ],
    },
    ModelRule {
        wire: "openai",
        version: "",
        names: &["gpt-5"],
        but: CHATS,
        cells: &[
            ("temperature", WHILE_REASONING),
            ("top_p", WHILE_REASONING),
            ("presence_penalty", WHILE_REASONING),
            ("frequency_penalty", WHILE_REASONING),
            ("logprobs", WHILE_REASONING),
            ("top_logprobs", WHILE_REASONING),
            // litellm#28662 says so of those that may rest; smolagents#1868 of gpt-5.1.
            ("stop", WHILE_REASONING),
        ],
    },
    ModelRule {
        wire: "openai",
        version: "",
        names: &["gpt-4", "gpt-3.5", "chatgpt-4o"],
        but: &[],
        cells: &[("reasoning_effort", NO_THOUGHT)],
    },
    ModelRule {
        wire: "openai-responses",
        version: "",
        names: &["o1", "o3", "o4"],
        but: &[],
        cells: &[
            ("temperature", at(&[], Kind::Refused(NO_WORD))),
            ("top_p", at(&[], Kind::Refused(NO_WORD))),
            ("logprobs", at(&[], Kind::Refused(NO_WORD))),
            ("top_logprobs", at(&[], Kind::Refused(NO_WORD))),
        ],
    },
    ModelRule {
        wire: "openai-responses",
        version: "",
        names: &["gpt-6"],
        but: &[],
        cells: &[
            ("temperature", WHILE_REASONING),
            ("top_p", WHILE_REASONING),
            ("logprobs", WHILE_REASONING),
            ("top_logprobs", WHILE_REASONING),
        ],
    },
    ModelRule {
        wire: "openai-responses",
        version: "",
        names: &["gpt-5"],
        but: CHATS,
        cells: &[
            ("temperature", WHILE_REASONING),
            ("top_p", WHILE_REASONING),
            ("logprobs", WHILE_REASONING),
            ("top_logprobs", WHILE_REASONING),
        ],
    },
    ModelRule {
        wire: "openai-responses",
        version: "",
        names: &["gpt-4", "gpt-3.5"],
        but: &[],
        cells: &[("reasoning_effort", NO_THOUGHT), ("reasoning_shown", NO_THOUGHT)],
    },
    ModelRule {
        wire: "anthropic",
        version: V2023,
        names: WITHOUT_SAMPLING,
        but: &[],
        cells: &[("temperature", UNSAMPLED), ("top_p", UNSAMPLED), ("top_k", UNSAMPLED)],
    },
    ModelRule {
        wire: "anthropic",
        version: V2023,
        names: UP_TO_4_5,
        but: &[],
        cells: &[
            ("temperature", TEMPERATURE),
            ("top_p", at(&["top_p"], SHARE).excludes(&["temperature"])),
            ("top_k", TOP_K),
            ("reasoning_effort", NONE),
            ("reasoning_mode", THINKING_MODE),
            ("reasoning_shown", NONE),
        ],
    },
    ModelRule {
        wire: "anthropic",
        version: "",
        names: UP_TO_4_5,
        but: &[],
        cells: &[("reasoning_effort", NONE), ("reasoning_mode", THINKING_MODE), ("reasoning_shown", NONE)],
    },
    ModelRule {
        wire: "anthropic",
        version: "",
        names: UP_TO_3_5,
        but: &[],
        cells: &[
            ("max_tokens", at(&["max_tokens"], Kind::Integer(1.0, MANY)).needed("4096")),
            ("reasoning_effort", NO_THOUGHT),
            ("reasoning_budget", NO_THOUGHT),
            ("reasoning_mode", NO_THOUGHT),
            ("reasoning_shown", NO_THOUGHT),
        ],
    },
    ModelRule {
        wire: "anthropic",
        version: V2023,
        names: &[],
        but: &[],
        cells: &[("temperature", TEMPERATURE), ("top_p", TOP_P), ("top_k", TOP_K)],
    },
    ModelRule {
        wire: "gemini",
        version: "",
        names: &["gemini-2.5-pro"],
        but: &[],
        cells: &[
            ("reasoning_effort", NONE),
            (
                "reasoning_budget",
                at(&["generationConfig.thinkingConfig.thinkingBudget"], Kind::Integer(128.0, 32_768.0)),
            ),
        ],
    },
    ModelRule {
        wire: "gemini",
        version: "",
        names: &["gemini-2.5"],
        but: &[],
        cells: &[
            ("reasoning_effort", NONE),
            ("reasoning_budget", at(&["generationConfig.thinkingConfig.thinkingBudget"], Kind::Integer(0.0, 24_576.0))),
        ],
    },
    ModelRule {
        wire: "gemini",
        version: "",
        names: &["gemini-1", "gemini-2.0"],
        but: &[],
        cells: &[("reasoning_effort", NO_THOUGHT), ("reasoning_budget", NO_THOUGHT), ("reasoning_shown", NO_THOUGHT)],
    },
    ModelRule {
        wire: "bedrock",
        version: "",
        names: UP_TO_4_5,
        but: &[],
        cells: &[("reasoning_effort", NONE), ("reasoning_mode", BEDROCK_MODE), ("reasoning_shown", NONE)],
    },
    ModelRule {
        wire: "bedrock",
        version: "",
        names: &["amazon.nova"],
        but: &[],
        cells: &[
            ("top_k", at(&["additionalModelRequestFields.inferenceConfig.topK"], COUNT)),
            ("reasoning_effort", NOVA_EFFORT),
            ("reasoning_mode", NOVA_MODE),
            ("reasoning_budget", NONE),
            ("reasoning_shown", NONE),
        ],
    },
    ModelRule {
        wire: "bedrock",
        version: "",
        names: UP_TO_3_5,
        but: &[],
        cells: &[
            ("reasoning_effort", NO_THOUGHT),
            ("reasoning_budget", NO_THOUGHT),
            ("reasoning_mode", NO_THOUGHT),
            ("reasoning_shown", NO_THOUGHT),
        ],
    },
];
