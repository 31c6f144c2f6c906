//! Builds of rows: prepared for a target, repaired for the dialect that they are in, or only checked.

use std::fmt;

use crate::{
    convert,
    detect::{Reading, detect},
    model::conversation::Conversation,
    report::{
        error::{Code, Error},
        loss::{Loss, Options},
        path::Path,
    },
    rules::dialect_id::DialectId,
    stage::{self, Budget, Inputs, Summary, Thinking, check::Finding, front::Front},
    value::{
        handle::{NoHost, Text},
        json::{
            tape::TapeSource,
            write::{self, JsonSink},
        },
    },
};

/// A counter of tokens that any thread may ask.
pub type Counter = Box<dyn Fn(&str) -> Result<usize, Error> + Send + Sync>;

/// How much of a row may be left.
#[derive(Default)]
pub enum Limit {
    /// All of it.
    #[default]
    None,
    /// So many UTF-8 bytes.
    Bytes(usize),
    /// So many of what the counter counts.
    Tokens(usize, Counter),
}

impl fmt::Debug for Limit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => out.write_str("None"),
            Self::Bytes(limit) => write!(out, "{limit} bytes"),
            Self::Tokens(limit, _) => write!(out, "{limit} tokens"),
        }
    }
}

/// How rows are built: each option as the builder has it.
#[derive(Debug)]
pub struct Build {
    /// What they are written in.
    pub source: Reading,
    /// For whom; `None` for the dialect that each is in.
    pub target: Option<DialectId>,
    /// System text and tools that go before those of each row.
    pub front: Front<NoHost>,
    /// What stands for the older turns.
    pub summary: Option<Summary>,
    /// How much may be left.
    pub limit: Limit,
    /// The share of it that is freed ahead.
    pub reserve: f64,
    /// Indices of turns that the budget does not touch.
    pub pinned: Vec<usize>,
    /// The user's words before an assistant that speaks first.
    pub opening: Option<Text<NoHost>>,
    /// Leave the calls of the last turn open.
    pub keep_open: bool,
    /// What becomes of reasoning behind a change.
    pub thinking: Thinking,
    /// How the result is written.
    pub options: Options,
}

impl Build {
    pub(super) fn row(&self, payload: &TapeSource<'_, NoHost>, out: &mut JsonSink) -> Result<Vec<Loss>, Error> {
        let (reading, target) = match self.target {
            Some(target) => (self.source, target),
            None => own(payload, self.source)?,
        };
        let conversation = convert::parse(payload, reading)?;
        self.check_pins(&conversation)?;
        let conversation = conversation.fronted(self.front.share());
        let count = |text: &str| match &self.limit {
            Limit::Tokens(_, count) => count(text),
            Limit::None | Limit::Bytes(_) => Ok(0),
        };
        let budget = match &self.limit {
            Limit::None => None,
            Limit::Bytes(limit) => Some(Budget::Bytes(*limit)),
            Limit::Tokens(limit, _) => Some(Budget::Tokens(*limit, &count)),
        };
        let inputs = Inputs {
            summary: self.summary.as_ref(),
            budget,
            reserve: self.reserve,
            pinned: &self.pinned,
            target: Some(target),
            opening: self.opening.as_ref(),
            keep_open: self.keep_open,
            thinking: self.thinking,
            ..Inputs::default()
        };
        let built = stage::build(&conversation, &inputs)?.conversation;
        convert::render(&built, target, &self.options, out).map(|rendering| rendering.losses)
    }

    fn check_pins(&self, conversation: &Conversation<NoHost>) -> Result<(), Error> {
        let turns = conversation.turns().len();
        match self.pinned.iter().find(|pin| **pin >= turns) {
            None => Ok(()),
            Some(pin) => {
                let text = format!("expected pins below {turns}, the number of messages, got {pin}");
                Err(Error::new(Code::OutOfRange, text))
            }
        }
    }
}

/// A payload's own dialect, and how it is read as that.
pub(super) fn own(payload: &TapeSource<'_, NoHost>, source: Reading) -> Result<(Reading, DialectId), Error> {
    Ok(match source {
        Reading::As(dialect) | Reading::WithResults(dialect) => (source, dialect),
        Reading::Auto(_) => {
            let dialect = detect(payload, None)?;
            (Reading::As(dialect), dialect)
        }
    })
}

/// What is wrong with a payload, for a target, or for the dialect that it is in.
pub(super) fn findings(
    payload: &TapeSource<'_, NoHost>,
    source: Reading,
    target: Option<DialectId>,
    for_own: bool,
) -> Result<Vec<Finding>, Error> {
    let (source, target) = if for_own {
        let (source, dialect) = own(payload, source)?;
        (source, Some(dialect))
    } else {
        (source, target)
    };
    let conversation = convert::parse(payload, source)?;
    Ok(stage::check(&conversation, &Inputs { target, ..Inputs::default() }))
}

/// Appends a finding as a JSON object: its attributes by their names, and the line where there is one.
pub(super) fn write_finding(finding: &Finding, around: &Path, line: Option<usize>, out: &mut Vec<u8>) {
    let Finding { code, severity, path, id, message, would } = finding;
    out.push(b'{');
    if let Some(line) = line {
        out.extend_from_slice(format!("\"line\":{line},").as_bytes());
    }
    let path = around.clone().join(path).to_string();
    let said =
        [("code", *code), ("severity", severity.name()), ("path", &path), ("message", message), ("would", would)];
    for (at, (key, value)) in said.into_iter().chain(id.as_deref().map(|id| ("id", id))).enumerate() {
        if at > 0 {
            out.push(b',');
        }
        out.extend_from_slice(format!("\"{key}\":").as_bytes());
        write::text::<NoHost>(&Text::own(value), None, out);
    }
    out.push(b'}');
}
