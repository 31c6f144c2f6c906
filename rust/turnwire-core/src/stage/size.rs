//! Measures how much of a budget content takes: in UTF-8 bytes of its texts, or by the caller's own counter.

use std::cell::Cell;

use super::{
    inputs::{Budget, Counter},
    policy::Policy,
};
use crate::{
    convert::functions::loaded,
    model::{Call, Frame, Kind, Part, Role, ToolResult, Turn, compaction},
    report::Error,
    rules::Target,
    text::budget::Unit,
    value::{Host, Input, Text},
    wire::{
        plan::{
            arguments::{ArgsAs, args_as},
            decide::{Fate, Scope, decide},
            references,
            separator::{Leads, separator},
            words::{self, Say, Word, Words},
        },
        write::says::replays,
    },
};

/// Larger than any text, but small enough that sums do not overflow.
const MOST: usize = 1 << 40;

/// Where a part is measured.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seat<'a> {
    pub(super) scope: Scope<'a>,
    /// Whether the turn is sent back as it came.
    replays: bool,
    /// What the part is the first text of.
    leads: Leads,
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

    /// What the turns are written for, if there is a target.
    pub(super) fn written_for(&self) -> Option<Target<'_>> {
        self.rules.written_for()
    }

    /// Whether it has met media, which no counter can count.
    pub(super) fn has_skipped_media(&self) -> bool {
        self.uncounted.get()
    }

    /// Where a part of a turn is measured, whichever it is.
    pub(super) fn seat<'t, H: Host>(&self, turn: &'t Turn<H>) -> Seat<'t> {
        let replays = self.rules.written_for().is_none_or(|target| replays(&target, turn));
        Seat { scope: Scope::of(turn), replays, leads: Leads::Nothing }
    }

    /// Where the part at this place is measured: its turn, and its index there.
    pub(super) fn seat_of<'t, H: Host>(&self, turn: &'t Turn<H>, place: (usize, usize)) -> Seat<'t> {
        Seat { leads: Leads::of(turn, place), ..self.seat(turn) }
    }

    /// Whether the result of a call may come later.
    pub(super) fn may_wait<H: Host>(&self, turn: &Turn<H>, part: &Part<H>) -> bool {
        self.rules.may_wait(turn, part)
    }

    /// Whether a turn goes back to its own format.
    pub(super) fn is_home(&self, seat: Seat<'_>) -> bool {
        self.rules.is_home(seat.scope.from)
    }

    /// Whether the target writes the free text of this call inside JSON.
    pub(super) fn wraps<H: Host>(&self, call: &Call<H>) -> bool {
        self.rules.limits.is_some_and(|limits| matches!(args_as(limits, call), ArgsAs::Wrapped { .. }))
    }

    /// The text that a part becomes, if it becomes one.
    pub(super) fn becomes_text<H: Host>(&self, seat: Seat<'_>, part: &Part<H>) -> Option<Text<H>> {
        match (&part.kind, self.rules.written_for()) {
            (Kind::Text(text) | Kind::Refusal(text), _) => Some(text.share()),
            // A summary stands for all that was before it.
            (Kind::Opaque(_), _) if compaction::summary((seat.scope.from, seat.scope.input), part).is_some() => None,
            (Kind::Reasoning(_) | Kind::Media(_) | Kind::Opaque(_), Some(target)) if !seat.replays || part.touched => {
                match decide(&target, seat.scope, part, false).ok()?.fate {
                    Fate::Text(text) => Some(text.share()),
                    Fate::Made(text) | Fate::More(text) => Some(text),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The blocks of a result in which the target gets the names of references to tools as one value, if it does.
    pub(super) fn with_names<H: Host>(&self, seat: Seat<'_>, blocks: &[Part<H>]) -> Option<Vec<Part<H>>> {
        references::merged(&self.rules.written_for()?, seat.scope, blocks)
    }

    /// The size of the frame.
    pub(super) fn frame<H: Host>(&self, frame: &Frame<H>) -> Result<usize, Error> {
        let scope = Scope { from: frame.from, role: Role::System, input: frame.input.as_ref() };
        let seat = Seat { scope, replays: self.rules.is_home(frame.from), leads: Leads::Nothing };
        let mut total = 0;
        for part in frame.system.iter().flat_map(|system| &system.parts) {
            total += self.part(seat, part)?;
        }
        // Formats without tools do not write any.
        let target = self.rules.written_for();
        let writes = target.is_none_or(|target| target.id.facts.slots.is_some_and(|slots| slots.tools.is_some()));
        for tool in frame.tools.iter().flatten().filter(|_| writes) {
            total +=
                self.told(scope, |say| words::tool(tool, (frame.dialect_of(tool), scope.input), target.as_ref(), say))?;
        }
        Ok(total)
    }

    /// The size of a turn.
    pub(super) fn turn<H: Host>(&self, turn: &Turn<H>) -> Result<usize, Error> {
        turn.parts.iter().try_fold(0, |total, part| Ok(total + self.part(self.seat(turn), part)?))
    }

    /// The size of a part of a turn.
    pub(super) fn part<H: Host>(&self, seat: Seat<'_>, part: &Part<H>) -> Result<usize, Error> {
        let size = self.told(seat.scope, |say| self.words(seat).part(part, say))?;
        let Some(target) = self.rules.written_for().filter(|_| !self.rules.is_home(seat.scope.from)) else {
            return Ok(size);
        };
        // A target that loads no tools gets the definitions of those that a part shows.
        let shown = loaded::each((seat.scope.from, seat.scope.input), part);
        let scope = (seat.scope.from, None);
        let sizes = shown.iter().map(|tool| self.told(seat.scope, |say| words::tool(tool, scope, Some(&target), say)));
        sizes.sum::<Result<usize, Error>>().map(|shown| size + shown)
    }

    /// The size of a block of a result by itself.
    pub(super) fn block<H: Host>(&self, seat: Seat<'_>, block: &Part<H>) -> Result<usize, Error> {
        self.told(seat.scope, |say| Words { between: "", ..self.words(seat) }.block(block, say))
    }

    /// The size of a result.
    pub(super) fn result<H: Host>(&self, seat: Seat<'_>, result: &ToolResult<H>) -> Result<usize, Error> {
        let home = self.rules.is_home(seat.scope.from);
        self.told(seat.scope, |say| self.words(seat).result(result, home, say))
    }

    #[inline]
    fn words<'w>(&'w self, seat: Seat<'w>) -> Words<'w> {
        let Seat { scope, replays, leads } = seat;
        let target = self.rules.written_for();
        let between = target.as_ref().map_or("", |target| separator(target, scope, leads));
        Words { target, scope, replays, between }
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
    let meter = Meter::bytes(Policy::none());
    meter.result(meter.seat(turn), result).unwrap_or(0)
}
