//! Rows of texts: a question with its answer, under keys of their own.

use super::{CallAt, EMPTY, Is, RecordLayout, Speaker};

// LLaMA-Factory's `data/README.md`, ms-swift's `preprocessor/core.py`, axolotl's `inst_tune.qmd`.
pub(super) const ALPACA: RecordLayout = RecordLayout {
    name: "alpaca",
    kept_by: "Alpaca, LLaMA-Factory, ms-swift, axolotl",
    claims: &[&[
        ("instruction", Is::Text),
        ("output response completion chosen chosen_response kto_tag label", Is::Said),
    ]],
    lacks: "messages conversations gen_ai.*",
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
        &[("prompt", Is::Text), ("response completion generation chosen", Is::Text)],
        &[("input", Is::Text), ("output target expected ideal answer", Is::Text)],
    ],
    lacks: "instruction messages conversations span_id trace_id run_type span_attributes gen_ai.*",
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
