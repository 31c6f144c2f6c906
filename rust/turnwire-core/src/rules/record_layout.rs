//! Lays out records that are in no dialect, such as rows of Alpaca: which keys hold what was said, as a table.
//!
//! A layout is a row of [`TABLE`], and one reader follows them all: `layouts.rs`. A column holds *ways*, with spaces
//! between: the first one counts that leads to a value that is not null. A way is keys with dots between, a number is an
//! index in a list, and `$` is the record itself.

/// A row of the table. Records are read by it and never written.
#[derive(Clone, Copy, Debug)]
pub struct RecordLayout {
    /// Its name, which stands in place of a dialect's.
    pub name: &'static str,
    /// Who keeps such records.
    pub kept_by: &'static str,
    /// What a record has. One claim is enough.
    pub claims: &'static [Claim],
    /// The keys that a record must not have. A star at the end of a key means every key that begins so.
    pub lacks: &'static str,
    /// System text.
    pub system: &'static str,
    /// Pairs of earlier texts of the user and the assistant.
    pub history: &'static str,
    /// The user's text. Several are joined by line ends.
    pub user: &'static [&'static str],
    /// The assistant's text.
    pub answer: &'static str,
    /// The better of two texts of the assistant.
    pub better: &'static str,
    /// The worse of two texts of the assistant.
    pub worse: &'static str,
    /// A list of messages in any dialect.
    pub given: &'static str,
    /// The answer to these messages: text, a message, a list of messages, or a whole reply of any dialect.
    pub answer_at: &'static str,
}

/// What a record must have: for each, one of the ways leads to a value of this kind.
pub type Claim = &'static [(&'static str, Is)];

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Is {
    /// Anything but null.
    Said,
    /// Text.
    Text,
    /// A list of objects.
    Maps,
}

/// No column is filled in.
pub const EMPTY: RecordLayout = RecordLayout {
    name: "",
    kept_by: "",
    claims: &[],
    lacks: "",
    system: "",
    history: "",
    user: &[],
    answer: "",
    better: "",
    worse: "",
    given: "",
    answer_at: "",
};

/// Every layout. The first one that claims a record reads it.
pub static TABLE: &[RecordLayout] = &[
    // LLaMA-Factory's `data/README.md`, ms-swift's `preprocessor/core.py`, axolotl's `inst_tune.qmd`.
    RecordLayout {
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
    },
    // The names that ms-swift, trl and data sets of the hub use.
    RecordLayout {
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
    },
    // OpenAI's evals, and logs of requests with their answers.
    RecordLayout {
        name: "exchange",
        kept_by: "OpenAI's evals, data sets of requests with their answers",
        claims: &[&[
            ("input", Is::Maps),
            ("input.0.role input.0.type", Is::Text),
            ("output ideal expected expected_output target answer response completion", Is::Said),
        ]],
        lacks: "messages conversations span_id trace_id run_type span_attributes gen_ai.*",
        given: "input",
        answer_at: "output ideal expected expected_output target answer response completion",
        ..EMPTY
    },
];

impl RecordLayout {
    /// The columns that are filled in, by their names.
    pub fn columns(&self) -> impl Iterator<Item = (&'static str, String)> {
        let all = [
            ("system", self.system.to_owned()),
            ("history", self.history.to_owned()),
            ("user", self.user.join(" + ")),
            ("answer", self.answer.to_owned()),
            ("better", self.better.to_owned()),
            ("worse", self.worse.to_owned()),
            ("given", self.given.to_owned()),
            ("answer_at", self.answer_at.to_owned()),
        ];
        all.into_iter().filter(|(_, ways)| !ways.is_empty())
    }

    /// The layout with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        TABLE.iter().find(|layout| layout.name == name)
    }
}

impl PartialEq for RecordLayout {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for RecordLayout {}
