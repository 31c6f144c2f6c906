//! The receipt of a request: every change with its place, and what it comes to.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, HashMap, hash_map::DefaultHasher},
    fmt,
    hash::{Hash, Hasher},
};

use super::{
    change::{Change, ChangeCode, grouped},
    path::{Path, Step},
    register::{ChangeKind, Edit},
};
use crate::text::budget::Unit;

/// The most changes in a row that are alike and still printed one by one.
const ALIKE: usize = 3;

/// How many changes of one place are looked at to tell none of them twice.
const LOOK_BACK: usize = 32;

/// All changes, and what is told of them. No change but warnings exactly if the turns are the given ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Receipt {
    /// The changes: during a build in the order of its steps, afterwards in that of the caller's payload.
    pub changes: Vec<Change>,
    /// The first changed index: a provider's cache is valid up to there.
    pub first_changed_index: Option<usize>,
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
    /// The budget.
    pub budget: usize,
    /// The size after repairs and before the budget.
    pub before: usize,
    /// The final size: at most the budget.
    pub after: usize,
    /// How much each kind of change freed. The sum is the difference of the two sizes.
    pub freed: Vec<(Edit, usize)>,
}

impl Receipt {
    /// Whether nothing changed. There may be warnings.
    #[must_use]
    pub fn is_unchanged(&self) -> bool {
        self.changes.iter().all(Change::is_warning)
    }

    /// The changes that are not in `previous`. In a run that is built at every step, these are the changes of this
    /// step.
    #[must_use]
    pub fn since(&self, previous: &Self) -> Self {
        let changes = left_of(&self.changes, &previous.changes);
        let indices = changes.iter().filter(|change| !change.is_warning()).map(|change| change.index);
        let first_changed_index = indices.map(Option::unwrap_or_default).min();
        Self { changes, first_changed_index, ..self.clone() }
    }

    /// Adds what a rendering reports, without what this receipt tells already: one change is told once. Of one place, the
    /// rendering knows whether something is gone or has another form.
    pub fn add(&mut self, rendered: Vec<Change>) {
        if rendered.is_empty() {
            return;
        }
        // Found by the sums of their places: comparing each with each takes seconds in long lists.
        let mut of_build: HashMap<u64, usize> = HashMap::new();
        for (at, old) in self.changes.iter().enumerate() {
            if let Some(sum) = sums(old).last() {
                of_build.entry(sum).or_insert(at);
            }
        }
        for new in rendered {
            let told = sums(&new).filter_map(|sum| of_build.get(&sum)).last();
            match told.map(|at| &mut self.changes[*at]) {
                None => self.changes.push(new),
                Some(old) if old.path == new.path && !old.is_warning() && old.kind != new.kind => {
                    (old.kind, old.reason, old.action) = (new.kind, new.reason, new.action);
                }
                Some(_) => {}
            }
        }
    }

    /// Sorts the changes: first what is beside the list, then the messages, each by its path. Changes of one place stay in
    /// the order in which they were made.
    pub fn sort(&mut self) {
        sort(&mut self.changes);
    }

    /// How many changes there are of each kind.
    #[must_use]
    pub fn counts(&self) -> Vec<(ChangeKind, usize)> {
        let count = |kind: ChangeKind| self.changes.iter().filter(|change| change.kind == kind).count();
        ChangeKind::ALL.iter().map(|kind| (*kind, count(*kind))).filter(|(_, count)| *count > 0).collect()
    }

    /// What it comes to, in one line: the size, and how many changes there are of each kind.
    #[must_use]
    pub fn headline(&self) -> String {
        let counts: Vec<_> = self.counts().iter().map(|(kind, count)| counted(*kind, *count)).collect();
        let counts = if counts.is_empty() { "unchanged".to_owned() } else { counts.join(", ") };
        match &self.totals {
            Some(Totals { unit, budget, after, .. }) => {
                format!("{} of {} {}; {counts}", grouped(*after), grouped(*budget), unit.name())
            }
            None => counts,
        }
    }

    /// The runs of changes that are told as one: alike, and in messages that follow each other.
    fn runs(&self) -> impl Iterator<Item = &[Change]> {
        let follows = |one: &Change, next: &Change| {
            let is_next = one.index.zip(next.index).is_some_and(|(one, next)| next == one + 1);
            is_next && one.kind == next.kind && one.code == next.code && one.says() == next.says()
        };
        self.changes.chunk_by(follows).flat_map(|run| run.chunks(if run.len() > ALIKE { run.len() } else { 1 }))
    }
}

/// A sum of the code and each place from the payload down to that of the change; none for the payload itself.
fn sums(change: &Change) -> impl Iterator<Item = u64> {
    let mut hasher = DefaultHasher::new();
    change.code.hash(&mut hasher);
    change.path.steps().map(move |step| {
        match step {
            Step::Index(index) => index.hash(&mut hasher),
            key => key.name().hash(&mut hasher),
        }
        hasher.finish()
    })
}

/// Sorts changes as [`Receipt::sort`] does. One that is told twice of the same place, such as of a message that became two, is
/// one change. What counts bytes, or halves of characters, is told each time.
pub(crate) fn sort(changes: &mut Vec<Change>) {
    for change in &mut *changes {
        change.index = change.index.or_else(|| change.path.turn());
    }
    changes.sort_by(|one, other| match one.index.cmp(&other.index) {
        Ordering::Equal => one.path.compare(&other.path),
        order => order,
    });
    let mut once: Vec<Change> = Vec::with_capacity(changes.len());
    for change in changes.drain(..) {
        let mut before = once.iter().rev().take(LOOK_BACK).take_while(|one| one.path == change.path);
        let counts = change.bytes.is_some() || change.code == ChangeCode::Edit(Edit::LoneSurrogate);
        if counts || !before.any(|one| *one == change) {
            once.push(change);
        }
    }
    *changes = once;
}

/// A number of changes of a kind, in words.
fn counted(kind: ChangeKind, count: usize) -> String {
    let plural = if kind == ChangeKind::Warning && count > 1 { "s" } else { "" };
    format!("{} {}{plural}", grouped(count), kind.name())
}

/// The changes of `all` that are not in `known`. A repeated change is removed as often as it is known. Two changes are
/// equal if they print the same.
fn left_of(all: &[Change], known: &[Change]) -> Vec<Change> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for one in known {
        *counts.entry(one.to_string()).or_default() += 1;
    }
    let is_new = |one: &&Change| match counts.get_mut(&one.to_string()) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    all.iter().filter(is_new).cloned().collect()
}

/// A line for each change. A run of more than three alike has one line.
impl fmt::Display for Receipt {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.changes.is_empty() {
            return out.write_str("unchanged");
        }
        let widest = self.changes.iter().map(|change| change.code.name().len()).max().unwrap_or_default();
        for (at, run) in self.runs().enumerate() {
            let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
            let place = if run.len() == 1 {
                first.place()
            } else {
                format!("{} to {} ({} messages)", first.path, last.path, run.len())
            };
            let (kind, code) = (first.kind.name(), first.code.name());
            let line = if at == 0 { "" } else { "\n" };
            write!(out, "{line}  {kind:<8}  {code:<widest$}  {place}: {}", first.says())?;
        }
        Ok(())
    }
}
