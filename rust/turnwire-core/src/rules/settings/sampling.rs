//! Rows about sampling.

use super::{
    cell::{Cell, Kind, NONE, at, own},
    setting::Setting,
};

const MANY: f64 = 9_007_199_254_740_991.0;
const SHARE: Kind = Kind::Number(0.0, 1.0);
const TO_TWO: Kind = Kind::Number(0.0, 2.0);
const PENALTY: Kind = Kind::Number(-2.0, 2.0);
const COUNT: Kind = Kind::Integer(0.0, MANY);
const SEED: Kind = Kind::Integer(-2_147_483_648.0, 2_147_483_647.0);

/// Anthropic's API version of 2026-10-21 refuses it with any value, on every model.
const GONE: Cell = at(&[], Kind::Refused("Anthropic's API version of 2026-10-21 refuses it"));

pub(super) const ROWS: &[Setting] = &[
    Setting {
        name: "temperature",
        meaning: "how random the reply is",
        cells: [
            at(&["temperature"], TO_TWO),
            at(&["temperature"], TO_TWO),
            Cell { places: &["temperature"], ..GONE },
            at(&["generationConfig.temperature"], TO_TWO),
            at(&["inferenceConfig.temperature"], SHARE),
            at(&["temperature"], Kind::Number(0.0, 1.5)),
            at(&["temperature"], Kind::Number(0.0, MANY)),
            at(&["options.temperature"], Kind::Number(0.0, MANY)),
            at(&["generation_config.temperature"], TO_TWO),
        ],
    },
    Setting {
        name: "top_p",
        meaning: "the share of the likeliest tokens that the model samples from",
        cells: [
            at(&["top_p"], SHARE),
            at(&["top_p"], SHARE),
            Cell { places: &["top_p"], ..GONE },
            at(&["generationConfig.topP"], SHARE),
            at(&["inferenceConfig.topP"], SHARE),
            at(&["top_p"], SHARE),
            at(&["p"], Kind::Number(0.01, 0.99)),
            at(&["options.top_p"], SHARE),
            at(&["generation_config.top_p"], SHARE),
        ],
    },
    Setting {
        name: "top_k",
        meaning: "the number of the likeliest tokens that the model samples from",
        cells: [
            NONE,
            NONE,
            Cell { places: &["top_k"], ..GONE },
            at(&["generationConfig.topK"], COUNT),
            at(&["additionalModelRequestFields.top_k", "additionalModelRequestFields.inferenceConfig.topK"], COUNT),
            at(&["top_k"], COUNT),
            at(&["k"], Kind::Integer(0.0, 500.0)),
            at(&["options.top_k"], COUNT),
            NONE,
        ],
    },
    Setting {
        name: "other_sampling",
        meaning: "sampling settings that only one dialect has",
        cells: [
            NONE,
            NONE,
            NONE,
            NONE,
            NONE,
            NONE,
            NONE,
            own(&[
                "options.min_p",
                "options.typical_p",
                "options.mirostat",
                "options.mirostat_tau",
                "options.mirostat_eta",
                "options.tfs_z",
                "options.penalize_newline",
                "options.repeat_last_n",
            ]),
            NONE,
        ],
    },
    Setting {
        name: "repetition_penalty",
        meaning: "a factor that makes a token less likely if it was used before",
        cells: [
            NONE,
            NONE,
            NONE,
            NONE,
            NONE,
            at(&["repetition_penalty"], Kind::Number(0.0, MANY)),
            NONE,
            at(&["options.repeat_penalty"], Kind::Number(0.0, MANY)),
            NONE,
        ],
    },
    Setting {
        name: "presence_penalty",
        meaning: "a penalty for a token that was used before",
        cells: [
            at(&["presence_penalty"], PENALTY),
            NONE,
            NONE,
            at(&["generationConfig.presencePenalty"], PENALTY),
            NONE,
            at(&["presence_penalty"], PENALTY),
            at(&["presence_penalty"], SHARE),
            at(&["options.presence_penalty"], Kind::Number(-MANY, MANY)),
            NONE,
        ],
    },
    Setting {
        name: "frequency_penalty",
        meaning: "a penalty for a token that grows each time it is used",
        cells: [
            at(&["frequency_penalty"], PENALTY),
            NONE,
            NONE,
            at(&["generationConfig.frequencyPenalty"], PENALTY),
            NONE,
            at(&["frequency_penalty"], PENALTY),
            at(&["frequency_penalty"], SHARE),
            at(&["options.frequency_penalty"], Kind::Number(-MANY, MANY)),
            NONE,
        ],
    },
    Setting {
        name: "seed",
        meaning: "the seed of the random numbers",
        cells: [
            at(&["seed"], Kind::Integer(-MANY, MANY)),
            NONE,
            NONE,
            at(&["generationConfig.seed"], SEED),
            NONE,
            at(&["random_seed"], COUNT),
            at(&["seed"], COUNT),
            at(&["options.seed"], SEED),
            at(&["generation_config.seed"], SEED),
        ],
    },
    Setting {
        name: "logit_bias",
        meaning: "values that are added to the likelihood of single tokens",
        cells: [own(&["logit_bias"]), NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE],
    },
    Setting {
        name: "logprobs",
        meaning: "whether the reply has the log probabilities of its tokens",
        cells: [
            at(&["logprobs"], Kind::Flag),
            at(&["include"], Kind::Member("message.output_text.logprobs")),
            NONE,
            at(&["generationConfig.responseLogprobs"], Kind::Flag),
            NONE,
            at(&["logprobs"], Kind::Flag),
            at(&["logprobs"], Kind::Flag),
            at(&["logprobs"], Kind::Flag),
            NONE,
        ],
    },
    Setting {
        name: "top_logprobs",
        meaning: "how many alternatives the reply has for each token",
        cells: [
            at(&["top_logprobs"], Kind::Integer(0.0, 20.0)).needs(&["logprobs"]),
            at(&["top_logprobs"], Kind::Integer(0.0, 20.0)),
            NONE,
            at(&["generationConfig.logprobs"], Kind::Integer(1.0, 20.0)).needs(&["logprobs"]),
            NONE,
            at(&["top_logprobs"], COUNT).needs(&["logprobs"]),
            NONE,
            at(&["top_logprobs"], COUNT).needs(&["logprobs"]),
            NONE,
        ],
    },
    Setting {
        name: "prompt_logprobs",
        meaning: "whether the reply has the log probabilities of the request's tokens",
        cells: [NONE, NONE, NONE, NONE, NONE, own(&["prompt_logprobs", "top_prompt_logprobs"]), NONE, NONE, NONE],
    },
];
