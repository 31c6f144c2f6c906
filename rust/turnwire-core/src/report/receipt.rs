//! The receipt of a build: every change with its place, and the first changed index.

use std::{borrow::Cow, collections::BTreeMap, fmt};

use super::{loss::Loss, notice::Notice, path::Path, register::Edit, severity::Severity};
use crate::text::budget::Unit;

/// A change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its code.
    pub code: Edit,
    /// Its severity: that of its code, unless the fault has its own.
    pub severity: Severity,
    /// The caller's index of the turn. For an added turn, the index of the turn that it belongs to.
    pub index: usize,
    /// The place in the caller's payload.
    pub path: Path,
    /// The id of the call, unchanged.
    pub id: Option<String>,
    /// The new id.
    pub new_id: Option<String>,
    /// The size before, in UTF-8 bytes.
    pub before: usize,
    /// The size after.
    pub after: usize,
    /// The reason, in a sentence.
    pub text: Cow<'static, str>,
}

impl Entry {
    /// A change without ids or sizes.
    #[must_use]
    pub fn new(code: Edit, index: usize, path: Path, text: impl Into<Cow<'static, str>>) -> Self {
        let severity = code.severity();
        Self { code, severity, index, path, id: None, new_id: None, before: 0, after: 0, text: text.into() }
    }

    /// Sets the severity of the fault.
    #[must_use]
    pub fn graded(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Sets the id of the call.
    #[must_use]
    pub fn of(mut self, id: String) -> Self {
        self.id = Some(id);
        self
    }

    /// Sets the sizes.
    #[must_use]
    pub fn sized(mut self, before: usize, after: usize) -> Self {
        (self.before, self.after) = (before, after);
        self
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} at {}", self.code.name(), self.path)?;
        if let Some(id) = &self.id {
            write!(out, " ({id}")?;
            if let Some(new) = &self.new_id {
                write!(out, " -> {new}")?;
            }
            out.write_str(")")?;
        }
        if self.before != self.after {
            write!(out, ", {} -> {} bytes", self.before, self.after)?;
        }
        write!(out, ": {}", self.text)
    }
}

/// All changes of a build. Empty exactly if the turns are the given ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Receipt {
    /// The changes, in the order of the stages.
    pub entries: Vec<Entry>,
    /// The first changed index: a provider's cache is valid up to there.
    pub first_changed_index: Option<usize>,
    /// Warnings about what was not changed.
    pub warnings: Vec<Warning>,
    /// The sizes before and after the budget, if there is one.
    pub totals: Option<Totals>,
    /// The first place where this request does not repeat the one before it.
    pub break_at: Option<Box<Path>>,
    /// How many signed blocks of reasoning are sent, if earlier requests are known.
    pub reasoning: Option<Box<Reasoning>>,
}

/// What happened to the signed reasoning of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reasoning {
    /// How many blocks are sent.
    pub kept: usize,
    /// How many are left out.
    pub dropped: usize,
}

/// The sizes before and after the budget, in its unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Totals {
    /// The unit.
    pub unit: Unit,
    /// The size after repairs and before the budget.
    pub before: usize,
    /// The final size: at most the budget.
    pub after: usize,
    /// How much each kind of change freed. The sum is the difference of the two sizes.
    pub freed: Vec<(Edit, usize)>,
}

/// A warning about something that was not changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Its code.
    pub code: Notice,
    /// The path in the caller's payload. The root for the whole payload.
    pub path: Path,
    /// A sentence.
    pub text: Cow<'static, str>,
}

impl Warning {
    /// A warning about the whole conversation.
    #[must_use]
    pub fn new(code: Notice, text: &'static str) -> Self {
        Self { code, path: Path::default(), text: Cow::Borrowed(text) }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_root() {
            write!(out, "{}: ", self.path)?;
        }
        out.write_str(&self.text)
    }
}

impl Receipt {
    /// The changes that are not in `previous`. In a run that is built at every step, these are the changes of this
    /// step.
    #[must_use]
    pub fn since(&self, previous: &Self) -> Self {
        let entries = left_of(&self.entries, &previous.entries);
        Self {
            first_changed_index: entries.iter().map(|entry| entry.index).min(),
            entries,
            warnings: left_of(&self.warnings, &previous.warnings),
            totals: self.totals.clone(),
            break_at: self.break_at.clone(),
            reasoning: self.reasoning.clone(),
        }
    }

    /// Leaves out of a rendering's losses what an entry has told already: one edit is reported once.
    pub fn leave_out_told(&self, losses: &mut Vec<Loss>) {
        let is_told = |loss: &Loss| {
            let same =
                |entry: &Entry| entry.code == loss.code && !entry.path.is_root() && loss.path.is_within(&entry.path);
            self.entries.iter().any(same)
        };
        if !self.entries.is_empty() {
            losses.retain(|loss| !is_told(loss));
        }
    }

    /// Whether nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

/// The elements of `all` that are not in `known`. A repeated element is removed as often as it is known. Two elements
/// are equal if they print the same.
fn left_of<T: Clone + fmt::Display>(all: &[T], known: &[T]) -> Vec<T> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for one in known {
        *counts.entry(one.to_string()).or_default() += 1;
    }
    let is_new = |one: &&T| match counts.get_mut(&one.to_string()) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    all.iter().filter(is_new).cloned().collect()
}

impl fmt::Display for Receipt {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.entries.len(), self.first_changed_index) {
            (0, _) => out.write_str("nothing changed")?,
            (count, first) => {
                write!(out, "{count} change{}", plural(count))?;
                if let Some(first) = first {
                    write!(out, ", the first at index {first}")?;
                }
                if let Some(Totals { unit, before, after, .. }) =
                    self.totals.as_ref().filter(|all| !all.freed.is_empty())
                {
                    write!(out, ", {before} -> {after} {}", unit.name())?;
                }
            }
        }
        if !self.warnings.is_empty() {
            write!(out, ", {} warning{}", self.warnings.len(), plural(self.warnings.len()))?;
        }
        self.entries.iter().try_for_each(|entry| write!(out, "\n  {entry}"))?;
        self.warnings.iter().try_for_each(|warning| write!(out, "\n  warning {}: {warning}", warning.code.name()))
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
