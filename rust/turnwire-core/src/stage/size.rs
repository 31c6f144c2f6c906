//! Measures how much of a budget content takes: in UTF-8 bytes of its texts, or by the caller's own counter.

mod texts;

use std::cell::Cell;

use self::texts::{Say, Word, Writing, tool_words};
use super::{
    inputs::{Budget, Counter},
    policy::Policy,
};
use crate::{
    model::{Frame, Kind, Part, Role, ToolResult, Turn},
    report::Error,
    rules::{ArgsForm, BesideCalls, DialectId, PartOrder},
    text::budget::Unit,
    value::{Host, Input},
};

/// Larger than any text, but small enough that sums do not overflow.
const MOST: usize = 1 << 40;

/// What a turn says about a part in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope<'a> {
    /// The dialect of the turn.
    pub(super) from: DialectId,
    /// The speaker.
    pub(super) role: Role,
    /// The input that its spans point into.
    pub(super) input: Option<&'a Input>,
    /// What the part is the first text of.
    pub(super) leads: Leads,
}

/// What a part is the first text of. That text may need no separator before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leads {
    /// Nothing that is sure to begin an element.
    Nothing,
    /// A turn that holds only what the user says.
    UserTurn,
    /// The list.
    List,
}

impl<'a> Scope<'a> {
    /// The scope of a turn.
    pub(super) fn of<H: Host>(turn: &'a Turn<H>) -> Self {
        Self { from: turn.from, role: turn.role, input: turn.input.as_ref(), leads: Leads::Nothing }
    }

    /// The scope of one part of the turn at an index.
    pub(super) fn of_part<H: Host>(turn: &'a Turn<H>, (index, part): (usize, usize)) -> Self {
        let is_text = |part: &Part<H>| matches!(part.kind, Kind::Text(_) | Kind::Refusal(_));
        let is_said = |part: &Part<H>| is_text(part) || matches!(part.kind, Kind::Media(_));
        let is_first = part == 0 && turn.parts.first().is_some_and(is_text);
        let leads = match is_first {
            true if index == 0 => Leads::List,
            true if turn.role == Role::User && turn.parts.iter().all(is_said) => Leads::UserTurn,
            _ => Leads::Nothing,
        };
        Self { leads, ..Self::of(turn) }
    }
}

/// Measures for one target and one unit.
pub(super) struct Meter<'a> {
    rules: Policy<'a>,
    unit: Unit,
    count: Option<&'a Counter<'a>>,
    /// Whether it met media, which the counter cannot count.
    uncounted: Cell<bool>,
}

impl<'a> Meter<'a> {
    /// A meter with the unit of `budget`.
    pub(super) fn of(budget: Budget<'a>, rules: Policy<'a>) -> Self {
        let count = match budget {
            Budget::Bytes(_) | Budget::Turns(_) => None,
            Budget::Tokens(_, count) => Some(count),
        };
        Self { rules, unit: budget.unit(), count, uncounted: Cell::new(false) }
    }

    /// A meter in bytes.
    pub(super) fn bytes(rules: Policy<'a>) -> Self {
        Self { rules, unit: Unit::Bytes, count: None, uncounted: Cell::new(false) }
    }

    /// The unit.
    pub(super) fn unit(&self) -> Unit {
        self.unit
    }

    /// Whether it has met media, which no counter can count.
    pub(super) fn has_skipped_media(&self) -> bool {
        self.uncounted.get()
    }

    /// Whether the target writes free text as an argument in JSON.
    pub(super) fn wraps_free_text(&self) -> bool {
        self.rules.limits.is_some_and(|limits| limits.args != ArgsForm::Text && !limits.free_text)
    }

    /// The size of the frame.
    pub(super) fn frame<H: Host>(&self, frame: &Frame<H>) -> Result<usize, Error> {
        let (scope, mut total) =
            (Scope { from: frame.from, role: Role::System, input: frame.input.as_ref(), leads: Leads::Nothing }, 0);
        for part in frame.system.iter().flat_map(|system| &system.parts) {
            total += self.part(scope, part)?;
        }
        // Formats without tools do not write any.
        let writes =
            self.rules.target.is_none_or(|target| target.facts.slots.is_some_and(|slots| slots.tools.is_some()));
        for tool in frame.tools.iter().flatten().filter(|_| writes) {
            total += self.told(scope, |say| tool_words(tool, scope.input, self.rules.limits, say))?;
        }
        Ok(total)
    }

    /// The size of a turn.
    pub(super) fn turn<H: Host>(&self, turn: &Turn<H>) -> Result<usize, Error> {
        turn.parts.iter().try_fold(0, |total, part| Ok(total + self.part(Scope::of(turn), part)?))
    }

    /// The size of a part of a turn, or of a block of its results.
    pub(super) fn part<H: Host>(&self, scope: Scope<'_>, part: &Part<H>) -> Result<usize, Error> {
        self.told(scope, |say| self.writing(scope).part(part, say))
    }

    /// The size of a block of a result by itself.
    pub(super) fn block<H: Host>(&self, scope: Scope<'_>, block: &Part<H>) -> Result<usize, Error> {
        self.told(scope, |say| Writing { joins: false, ..self.writing(scope) }.part(block, say))
    }

    /// The size of a result.
    pub(super) fn result<H: Host>(&self, scope: Scope<'_>, result: &ToolResult<H>) -> Result<usize, Error> {
        self.told(scope, |say| self.writing(scope).result(result, false, say))
    }

    #[inline]
    fn writing<'w>(&'w self, scope: Scope<'w>) -> Writing<'w> {
        let joins = self.rules.limits.is_some_and(|limits| match limits.order {
            PartOrder::OneText => true,
            // An element of this format holds one text. Texts are joined only if sides alternate or the turn is another
            // format's.
            PartOrder::Elements => limits.alternates || !self.rules.is_home(scope.from),
            _ => {
                limits.beside_calls == BesideCalls::OneText
                    || scope.role != Role::Tool && scope.role.sends_one_text(limits.one_text)
            }
        });
        let joins = joins && !self.begins(scope);
        Writing { rules: &self.rules, scope, wraps_free_text: self.wraps_free_text(), joins }
    }

    /// Whether the target writes a text first in its element, whatever a budget cuts or drops. If other turns are
    /// dropped, a turn may join one of its own side. So only the list's first text is sure where sides alternate.
    fn begins(&self, scope: Scope<'_>) -> bool {
        match scope.leads {
            Leads::List => true,
            Leads::UserTurn => {
                self.rules.limits.is_some_and(|limits| !limits.alternates && limits.order != PartOrder::Elements)
            }
            Leads::Nothing => false,
        }
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

/// The size of a turn in bytes, without a target.
pub(super) fn turn<H: Host>(turn: &Turn<H>) -> usize {
    // Fails only if a host refuses its own values, and then no size is known.
    Meter::bytes(Policy::none()).turn(turn).unwrap_or(0)
}

/// The size of a result in bytes, without a target.
pub(super) fn result<H: Host>(turn: &Turn<H>, result: &ToolResult<H>) -> usize {
    Meter::bytes(Policy::none()).result(Scope::of(turn), result).unwrap_or(0)
}
