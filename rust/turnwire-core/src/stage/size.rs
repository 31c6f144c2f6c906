//! How much of a budget something takes: its words, in UTF-8 bytes or as the caller's own counter says.

mod texts;

use std::{cell::Cell, fmt};

use self::texts::{Say, Word, Writing, tool_words};
use super::policy::Policy;
use crate::{
    model::{
        conversation::Frame,
        part::Part,
        tool::ToolResult,
        turn::{Role, Turn},
    },
    report::error::Error,
    rules::{
        dialect_id::DialectId,
        limits::{ArgsForm, BesideCalls, PartOrder},
    },
    text::budget::Unit,
    value::handle::{Host, Input},
};

/// The caller's own counter of tokens. It may fail, with an error that ends the build.
pub type Counter<'a> = dyn Fn(&str) -> Result<usize, Error> + 'a;

/// More than any text has, and little enough that sums of it stay numbers.
const MOST: usize = 1 << 40;

/// How much there may be, and of what.
#[derive(Clone, Copy)]
pub enum Budget<'a> {
    /// So many UTF-8 bytes.
    Bytes(usize),
    /// So many of what the counter counts.
    Tokens(usize, &'a Counter<'a>),
    /// So many elements of the list, whatever they say.
    Turns(usize),
}

impl Budget<'_> {
    /// How much there may be.
    #[must_use]
    pub fn limit(&self) -> usize {
        match self {
            Self::Bytes(limit) | Self::Tokens(limit, _) | Self::Turns(limit) => *limit,
        }
    }

    /// Of what.
    #[must_use]
    pub fn unit(&self) -> Unit {
        match self {
            Self::Bytes(_) => Unit::Bytes,
            Self::Tokens(..) => Unit::Tokens,
            Self::Turns(_) => Unit::Turns,
        }
    }
}

impl fmt::Debug for Budget<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}", self.limit(), self.unit().name())
    }
}

/// Where a part is: what its turn says about it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope<'a> {
    /// The dialect of the turn.
    pub(super) from: DialectId,
    /// Who speaks.
    pub(super) role: Role,
    /// What its spans point into.
    pub(super) input: Option<&'a Input>,
}

impl<'a> Scope<'a> {
    /// In a turn.
    pub(super) fn of<H: Host>(turn: &'a Turn<H>) -> Self {
        Self { from: turn.from, role: turn.role, input: turn.input.as_ref() }
    }
}

/// Measures for one target, in one unit.
pub(super) struct Meter<'a> {
    rules: Policy,
    unit: Unit,
    count: Option<&'a Counter<'a>>,
    /// Whether there was something that the counter was not asked about.
    uncounted: Cell<bool>,
}

impl<'a> Meter<'a> {
    /// What `budget` counts.
    pub(super) fn of(budget: Budget<'a>, rules: Policy) -> Self {
        let count = match budget {
            Budget::Bytes(_) | Budget::Turns(_) => None,
            Budget::Tokens(_, count) => Some(count),
        };
        Self { rules, unit: budget.unit(), count, uncounted: Cell::new(false) }
    }

    /// Bytes, for the same target.
    pub(super) fn bytes(rules: Policy) -> Self {
        Self { rules, unit: Unit::Bytes, count: None, uncounted: Cell::new(false) }
    }

    /// What is counted.
    pub(super) fn unit(&self) -> Unit {
        self.unit
    }

    /// Whether it has met media, which no counter is asked about.
    pub(super) fn has_skipped_media(&self) -> bool {
        self.uncounted.get()
    }

    /// Whether the target writes free text as an argument of its own, in JSON.
    pub(super) fn wraps_free_text(&self) -> bool {
        self.rules.limits.is_some_and(|limits| limits.args != ArgsForm::Text)
    }

    /// What surrounds the turns.
    pub(super) fn frame<H: Host>(&self, frame: &Frame<H>) -> Result<usize, Error> {
        let (scope, mut total) = (Scope { from: frame.from, role: Role::System, input: frame.input.as_ref() }, 0);
        for part in frame.system.iter().flat_map(|system| &system.parts) {
            total += self.part(scope, part)?;
        }
        // Formats without tools write none.
        let writes =
            self.rules.target.is_none_or(|target| target.facts.slots.is_some_and(|slots| slots.tools.is_some()));
        for tool in frame.tools.iter().flatten().filter(|_| writes) {
            total += self.told(scope, |say| tool_words(tool, scope.input, self.rules.limits, say))?;
        }
        Ok(total)
    }

    /// A turn.
    pub(super) fn turn<H: Host>(&self, turn: &Turn<H>) -> Result<usize, Error> {
        turn.parts.iter().try_fold(0, |total, part| Ok(total + self.part(Scope::of(turn), part)?))
    }

    /// A part of a turn, or a block of its results.
    pub(super) fn part<H: Host>(&self, scope: Scope<'_>, part: &Part<H>) -> Result<usize, Error> {
        self.told(scope, |say| self.writing(scope).part(part, say))
    }

    /// A block of a result by itself.
    pub(super) fn block<H: Host>(&self, scope: Scope<'_>, block: &Part<H>) -> Result<usize, Error> {
        self.told(scope, |say| Writing { joins: false, ..self.writing(scope) }.part(block, say))
    }

    /// A result.
    pub(super) fn result<H: Host>(&self, scope: Scope<'_>, result: &ToolResult<H>) -> Result<usize, Error> {
        self.told(scope, |say| self.writing(scope).result(result, false, say))
    }

    fn writing<'w>(&'w self, scope: Scope<'w>) -> Writing<'w> {
        let joins = self.rules.limits.is_some_and(|limits| match limits.order {
            PartOrder::OneText => true,
            // An element of the format's own holds one text, and joins no other where the sides need not alternate.
            PartOrder::Elements => limits.alternates || !self.rules.is_home(scope.from),
            _ => limits.beside_calls == BesideCalls::OneText,
        });
        Writing { rules: &self.rules, scope, wraps_free_text: self.wraps_free_text(), joins }
    }

    fn told<H: Host>(
        &self,
        scope: Scope<'_>,
        tell: impl FnOnce(Say<'_, H>) -> Result<(), Error>,
    ) -> Result<usize, Error> {
        let mut total = 0;
        if self.unit == Unit::Turns {
            return Ok(total);
        }
        tell(&mut |word| {
            total += self.word(&word, scope.input)?;
            Ok(())
        })?;
        Ok(total)
    }

    fn word<H: Host>(&self, word: &Word<'_, H>, input: Option<&Input>) -> Result<usize, Error> {
        let Some(count) = self.count else {
            return Ok(match word {
                Word::Text(text) => text.utf8_len(input),
                Word::Data(size) => *size,
                Word::Joined(before, text, after) => before.len() + text.utf8_len(input) + after.len(),
                Word::Made(text) => text.len(),
            });
        };
        let counted = |text: &str| if text.is_empty() { Ok(0) } else { count(text).map(|tokens| tokens.min(MOST)) };
        match word {
            Word::Text(text) => counted(&text.to_str(input)),
            Word::Joined(before, text, after) => counted(&[before, &*text.to_str(input), after].concat()),
            Word::Made(text) => counted(text),
            Word::Data(_) => {
                self.uncounted.set(true);
                Ok(0)
            }
        }
    }
}

/// A turn in bytes, whoever it is for.
pub(super) fn turn<H: Host>(turn: &Turn<H>) -> usize {
    // Nothing here can fail but a host that refuses its own values, and then nothing can be said about them.
    Meter::bytes(Policy::NONE).turn(turn).unwrap_or(0)
}

/// A result in bytes, whoever it is for.
pub(super) fn result<H: Host>(turn: &Turn<H>, result: &ToolResult<H>) -> usize {
    Meter::bytes(Policy::NONE).result(Scope::of(turn), result).unwrap_or(0)
}
