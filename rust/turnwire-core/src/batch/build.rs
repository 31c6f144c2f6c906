//! Builds of rows: prepared for a target, repaired in their own dialect, or only checked.

use std::{fmt, sync::Arc};

use super::record::{RecordKind, RecordOptions};
use crate::{
    convert,
    detect::{self, Reading, detect},
    model::Conversation,
    report::{Error, Options, Others, Rendering, error::Code},
    rules::DialectId,
    stage::{self, Front, Inputs, Summary},
    text::RESERVE,
    value::{Host, JsonSink, TapeSource, Text},
};

/// A counter of tokens for any thread.
pub type Counter = Box<dyn Fn(&str) -> Result<usize, Error> + Send + Sync>;

/// A limit of a row, or of a result in it.
#[derive(Clone, Copy, Debug, Default)]
pub enum Limit {
    /// No limit.
    #[default]
    None,
    /// UTF-8 bytes.
    Bytes(usize),
    /// The unit of the counter.
    Tokens(usize),
}

impl Limit {
    fn counted<'a>(self, count: &'a stage::Counter<'a>) -> Option<stage::Budget<'a>> {
        match self {
            Self::None => None,
            Self::Bytes(limit) => Some(stage::Budget::Bytes(limit)),
            Self::Tokens(limit) => Some(stage::Budget::Tokens(limit, count)),
        }
    }
}

/// The limits of a row.
pub struct Budget {
    /// Of the whole row.
    pub limit: Limit,
    /// The limit of each result.
    pub result_cap: Limit,
    /// Counts tokens.
    pub count: Option<Counter>,
    /// The share of the limit that is freed ahead, from 0 to 1.
    pub reserve: f64,
}

impl Default for Budget {
    fn default() -> Self {
        Self { limit: Limit::None, result_cap: Limit::None, count: None, reserve: RESERVE }
    }
}

impl fmt::Debug for Budget {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?}, each result {:?}, reserve {}", self.limit, self.result_cap, self.reserve)
    }
}

/// The options of a build of rows, the same as the builder's.
#[derive(Debug)]
pub struct Build<H: Host> {
    /// The dialect of the rows.
    pub source: Reading,
    /// The target; `None` for the row's own dialect.
    pub target: Option<DialectId>,
    /// System text and tools to put before those of each row.
    pub front: Front<H>,
    /// The summary of the older turns.
    pub summary: Option<Summary>,
    /// The limits.
    pub budget: Budget,
    /// The user's note where exchanges were left out.
    pub omitted: Option<Text<H>>,
    /// The text of made-up results.
    pub missing_result: Option<Text<H>>,
    /// What marks a cut in a result.
    pub cut_words: Option<String>,
    /// Indices of pinned turns.
    pub pinned: Vec<usize>,
    /// The user's opening before an assistant that speaks first.
    pub opening: Option<Text<H>>,
    /// The assistant's text between a result and the user's words.
    pub bridge: Option<Text<H>>,
    /// Whether calls of the last turn stay open.
    pub keep_open: bool,
    /// The model's name; `None` for the one that each body names.
    pub model: Option<String>,
    /// Whether the model continues the last assistant turn.
    pub prefill: bool,
    /// The options of the rendering.
    pub options: Options,
    /// What the caller says about records.
    pub records: RecordOptions,
}

impl<H: Host> Build<H> {
    pub(super) fn row(
        &self,
        payload: &TapeSource<'_, H>,
        source: Reading,
        labelled: bool,
        out: &mut JsonSink,
    ) -> Result<Rendering, Error> {
        let (reading, target) = match self.target {
            Some(target) => (source, target),
            None => own(payload, source)?,
        };
        let conversation = convert::parse(payload, reading)?;
        self.check_pins(&conversation)?;
        let record = RecordKind::of(payload, &conversation.view(), labelled, self.target);
        let row = self.records.is_row(record, self.target);
        let options = self.records.options(row, payload, &self.options);
        let conversation = conversation.fronted(self.front.share());
        let built = self.with_inputs((Some(target), row), &options, |inputs| stage::build(&conversation, inputs));
        let built = built.map_err(|failed| match failed.error {
            error if error.code() == Code::EndsWithAssistant => error.saying(self.records.hint(record, self.target)),
            error => error,
        })?;
        let mut rendering = convert::render(&built.conversation, target, &options, out)?;
        let mut receipt = built.receipt;
        receipt.add(rendering.losses);
        receipt.sort();
        rendering.losses = receipt.changes;
        Ok(rendering)
    }

    /// Runs `run` with the inputs of a build for a target. `row`: whether the payload is a row, and no request.
    pub(super) fn with_inputs<T>(
        &self,
        (target, row): (Option<DialectId>, bool),
        rendering: &Options,
        run: impl FnOnce(&Inputs<'_, H>) -> T,
    ) -> T {
        let count = |text: &str| self.budget.count.as_ref().map_or(Ok(0), |count| count(text));
        run(&Inputs {
            summary: self.summary.as_ref(),
            budget: self.budget.limit.counted(&count),
            result_cap: self.budget.result_cap.counted(&count),
            reserve: self.budget.reserve,
            omitted: self.omitted.as_ref(),
            missing_result: self.missing_result.as_ref(),
            cut_words: self.cut_words.as_deref(),
            pinned: &self.pinned,
            target,
            opening: self.opening.as_ref(),
            bridge: self.bridge.as_ref(),
            // A row may end with the assistant, so its last calls may be open too.
            keep_open: self.keep_open || row,
            rendering,
            model: self.model.as_deref(),
            prefill: self.prefill,
            ..Inputs::default()
        })
    }

    /// Whether a payload is a row, and which other keys of its body are left to the caller.
    pub(super) fn beside(&self, payload: &TapeSource<'_, H>, source: Reading) -> Result<(bool, Vec<Arc<str>>), Error> {
        let conversation = convert::parse(payload, source)?;
        let view = conversation.view();
        let row = self.records.is_row(RecordKind::of(payload, &view, false, self.target), self.target);
        let is_left = self.records.options(row, payload, &self.options).rest == Others::Caller;
        let keys = view.frame.rest.iter().filter(|_| is_left).flat_map(|rest| &rest.keys);
        let keys = keys.filter(|key| !key.continues);
        Ok((row, keys.map(|key| key.key.to_str(view.frame.input.as_ref()).into()).collect()))
    }

    pub(super) fn check_pins(&self, conversation: &Conversation<H>) -> Result<(), Error> {
        let turns = conversation.turns().len();
        match self.pinned.iter().find(|pin| **pin >= turns) {
            None => Ok(()),
            Some(pin) => {
                let there = if turns == 1 { "is 1 message".to_owned() } else { format!("are {turns} messages") };
                let text = format!("pinned index {pin} is out of range: there {there}");
                Err(Error::new(Code::OutOfRange, text))
            }
        }
    }
}

/// The dialect of a payload, and how to read it.
pub(super) fn own<H: Host>(payload: &TapeSource<'_, H>, source: Reading) -> Result<(Reading, DialectId), Error> {
    match source {
        Reading::As(dialect) | Reading::WithResults(dialect) | Reading::Framed(dialect, _) => Ok((source, dialect)),
        Reading::Auto(_) | Reading::Layout(..) => detect::own(payload, None),
        Reading::AutoWithResults(likely) => {
            let dialect = detect(payload, Some(likely))?;
            Ok((Reading::WithResults(dialect), dialect))
        }
    }
}
