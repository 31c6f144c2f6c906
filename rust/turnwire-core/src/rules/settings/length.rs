//! Rows about the model and the length of the reply.

use super::{
    cell::{Cell, Kind, NONE, at, own},
    setting::Setting,
};

const IN_URL: Kind = Kind::Elsewhere("the target names the model in the address of the request");
const MANY: f64 = 9_007_199_254_740_991.0;
const TOKENS: Kind = Kind::Integer(1.0, MANY);
const ANY_MODEL: Cell = at(&["model"], Kind::Text(usize::MAX));

pub(super) const ROWS: &[Setting] = &[
    Setting {
        name: "model",
        meaning: "which model answers; its name is copied, unless `model=` gives another",
        cells: [
            ANY_MODEL,
            ANY_MODEL,
            ANY_MODEL,
            at(&["model"], IN_URL),
            at(&["modelId"], IN_URL),
            ANY_MODEL,
            ANY_MODEL,
            ANY_MODEL,
            ANY_MODEL,
        ],
    },
    Setting {
        name: "max_tokens",
        meaning: "the maximum number of tokens in the reply",
        cells: [
            at(&["max_completion_tokens", "max_tokens"], TOKENS),
            at(&["max_output_tokens"], Kind::Integer(16.0, MANY)),
            at(&["max_tokens"], TOKENS).needed("16384"),
            at(&["generationConfig.maxOutputTokens"], TOKENS),
            at(&["inferenceConfig.maxTokens"], TOKENS),
            at(&["max_tokens"], TOKENS),
            at(&["max_tokens"], TOKENS),
            at(&["options.num_predict"], Kind::Integer(-2.0, MANY)),
            at(&["generation_config.max_output_tokens"], TOKENS),
        ],
    },
    Setting {
        name: "min_tokens",
        meaning: "the minimum number of tokens in the reply",
        cells: [NONE, NONE, NONE, NONE, NONE, own(&["min_tokens"]), NONE, NONE, NONE],
    },
    Setting {
        name: "stop",
        meaning: "texts that end the reply",
        cells: [
            at(&["stop"], Kind::Texts(4)),
            NONE,
            at(&["stop_sequences"], Kind::VisibleTexts(usize::MAX)),
            at(&["generationConfig.stopSequences"], Kind::Texts(5)),
            at(&["inferenceConfig.stopSequences"], Kind::Texts(2500)),
            at(&["stop"], Kind::Texts(usize::MAX)),
            at(&["stop_sequences"], Kind::Texts(5)),
            at(&["options.stop"], Kind::Texts(usize::MAX)),
            at(&["generation_config.stop_sequences"], Kind::Texts(5)),
        ],
    },
    Setting {
        name: "choices",
        meaning: "how many replies are made",
        cells: [
            at(&["n"], Kind::Integer(1.0, 128.0)),
            NONE,
            NONE,
            at(&["generationConfig.candidateCount"], Kind::Integer(1.0, 8.0)),
            NONE,
            at(&["n"], Kind::Integer(1.0, MANY)),
            NONE,
            NONE,
            NONE,
        ],
    },
];
