//! Rows of texts: a question with its answer, under keys of their own, or a talk in one text.

use super::{CallAt, EMPTY, Is, Marks, NO_TALK, RecordLayout, Speaker, TalkAt};

// LLaMA-Factory's `data/README.md`, ms-swift's `preprocessor/core.py`, axolotl's `inst_tune.qmd`.
pub(super) const ALPACA: RecordLayout = RecordLayout {
    name: "alpaca",
    kept_by: "Alpaca, LLaMA-Factory, ms-swift, axolotl",
    claims: &[&[
        ("instruction", Is::Text),
        ("output response completion chosen chosen_response kto_tag label", Is::Said),
    ]],
    lacks: "messages conversations gen_ai.*",
    json: "tools",
    tools: "tools",
    system: "system system_prompt",
    history: "history",
    user: &["instruction", "input"],
    answer: "output response completion",
    better: "chosen chosen_response",
    worse: "rejected rejected_response",
    ..EMPTY
};

// The names that ms-swift, trl and data sets of the hub use.
pub(super) const QA: RecordLayout = RecordLayout {
    name: "qa",
    kept_by: "data sets of questions and answers, prompts and completions",
    claims: &[
        &[("question", Is::Text), ("answer response chosen", Is::Text)],
        &[("query", Is::Text), ("response", Is::Text)],
        &[("prompt", Is::Plain(PEOPLE)), ("response completion generation chosen", Is::Plain(PEOPLE))],
        &[("input", Is::Text), ("output target expected ideal answer", Is::Text)],
    ],
    lacks: "instruction messages conversations span_id trace_id run_type span_attributes gen_ai.*",
    json: "tools",
    tools: "tools",
    system: "system system_prompt",
    history: "history",
    user: &["question query prompt input"],
    answer: "answer response completion generation output target expected ideal",
    better: "chosen",
    worse: "rejected",
    ..EMPTY
};

// OpenAI's evals, and logs of requests with their answers.
pub(super) const EXCHANGE: RecordLayout = RecordLayout {
    name: "exchange",
    kept_by: "OpenAI's evals, data sets of requests with their answers",
    claims: &[&[
        ("input", Is::Maps),
        ("input.0.role input.0.type", Is::Text),
        ("output ideal expected expected_output target answer response completion", Is::Said),
    ]],
    lacks: "messages conversations span_id trace_id run_type span_attributes gen_ai.*",
    system: "system",
    tools: "tools",
    given: "input",
    answer_at: "output ideal expected expected_output target answer response completion",
    ..EMPTY
};

// The card of the data set, `Salesforce/xlam-function-calling-60k`.
pub(super) const XLAM: RecordLayout = RecordLayout {
    name: "xlam",
    kept_by: "xLAM and APIGen: questions with the calls that answer them",
    claims: &[&[("query", Is::Text), ("answers", Is::Said), ("tools", Is::Said)]],
    lacks: "messages conversations gen_ai.*",
    json: "answers tools",
    tools: "tools",
    user: &["query"],
    calls: "answers",
    call: CallAt { name: "name", args: "arguments", ..super::NO_CALL },
    ..EMPTY
};

// ms-swift's `preprocessor/core.py`.
pub(super) const PAIRS: RecordLayout = RecordLayout {
    name: "pairs",
    kept_by: "ms-swift: questions and answers in pairs",
    first: &[&[("human", Is::Text), ("assistant", Is::Text)]],
    system: "system",
    list: "conversation",
    pair: &[("human", Speaker::User), ("assistant", Speaker::Assistant)],
    ..EMPTY
};

/// The marks of transcripts.
const PEOPLE: &[Marks] = &[
    &[("\n\nHuman:", Speaker::User), ("\n\nAssistant:", Speaker::Assistant)],
    &[("### Human:", Speaker::User), ("### Assistant:", Speaker::Assistant)],
];

/// The marks of Glaive.
const GLAIVES: &[Marks] = &[&[
    ("\nUSER:", Speaker::User),
    ("\nASSISTANT:", Speaker::Assistant),
    ("\nFUNCTION RESPONSE:", Speaker::Tool),
    ("\nSYSTEM:", Speaker::System),
]];

// The card of the data set, `glaiveai/glaive-function-calling-v2`.
pub(super) const GLAIVE: RecordLayout = RecordLayout {
    name: "glaive",
    kept_by: "Glaive: talks with calls in one text",
    claims: &[&[("chat", Is::Talk(GLAIVES))]],
    lacks: "messages conversations gen_ai.*",
    talk: TalkAt { text: "chat", marks: GLAIVES, ends: "<|endoftext|>", call: "<functioncall>", tools: "system" },
    call: CallAt { name: "name", args: "arguments", ..super::NO_CALL },
    ..EMPTY
};

// The cards of the data sets, `Anthropic/hh-rlhf`, `Dahoas/full-hh-rlhf` and `timdettmers/openassistant-guanaco`.
pub(super) const TRANSCRIPT: RecordLayout = RecordLayout {
    name: "transcript",
    kept_by: "transcripts, such as those of hh-rlhf, Guanaco and old completions",
    claims: &[
        &[("chosen", Is::Talk(PEOPLE)), ("rejected", Is::Talk(PEOPLE))],
        &[("prompt", Is::Talk(PEOPLE))],
        &[("text", Is::Talk(PEOPLE))],
    ],
    lacks: "instruction question query messages conversations gen_ai.*",
    answer: "completion response",
    better: "chosen",
    worse: "rejected",
    talk: TalkAt { text: "prompt text", marks: PEOPLE, ..NO_TALK },
    ..EMPTY
};
