//! Finds out what happened at the first piece that differs: removed, inserted, moved, or changed.

use std::ops::Range;

use super::{
    cause::Cause,
    element::{Element, Kind, json},
    place::Leaves,
};
use crate::{model::MISSING_RESULT, value::Host};

/// The cause, the piece in either body, and how many messages or blocks are affected.
pub(super) struct Happened {
    pub(super) cause: Cause,
    pub(super) a: Option<usize>,
    pub(super) b: Option<usize>,
    pub(super) count: usize,
}

/// What happened at piece `at`, which both bodies have. Everything before it is equal.
pub(super) fn happened<H: Host>(a: &[Element<H>], b: &[Element<H>], at: usize) -> Happened {
    let (mine, theirs) = (message_of(a, at), message_of(b, at));
    // Everything before is equal, so one message ends here and the other continues.
    match (mine.start < at, theirs.start < at) {
        (true, false) => return gone(Cause::BlockDropped, at, mine.end - at),
        (false, true) => return put_in(Cause::BlockInserted, at, theirs.end - at),
        _ => {}
    }
    let (old, new) = (messages(a, mine.start), messages(b, theirs.start));
    let same = |x: &Range<usize>, y: &Range<usize>| {
        x.len() == y.len() && a[x.clone()].iter().zip(&b[y.clone()]).all(|(x, y)| x.same(y))
    };
    match shift(&old, &new, same) {
        Some(Shift::Dropped(count)) => return gone(Cause::MessageDropped, mine.start, count),
        Some(Shift::Inserted(count)) => return put_in(Cause::MessageInserted, theirs.start, count),
        Some(Shift::Swapped) => {
            return Happened { cause: Cause::Reordered, a: Some(mine.start), b: Some(theirs.start), count: 2 };
        }
        None => {}
    }
    if let Some(count) = replaced(&old, &new, same) {
        return Happened { cause: Cause::MessageReplaced, a: Some(mine.start), b: Some(theirs.start), count };
    }
    let singles = |range: Range<usize>| range.collect::<Vec<_>>();
    match shift(&singles(at..mine.end), &singles(at..theirs.end), |x, y| a[*x].same(&b[*y])) {
        Some(Shift::Dropped(count)) => gone(Cause::BlockDropped, at, count),
        Some(Shift::Inserted(count)) => put_in(Cause::BlockInserted, at, count),
        Some(Shift::Swapped) => Happened { cause: Cause::Reordered, a: Some(at), b: Some(at), count: 2 },
        None => Happened { cause: Cause::BlockChanged, a: Some(at), b: Some(at), count: 1 },
    }
}

/// The cause if one piece replaces another.
pub(super) fn why<H: Host>(a: &Element<H>, b: &Element<H>, leaves: &Leaves) -> Cause {
    if a.kind != b.kind {
        return Cause::BlockChanged;
    }
    match a.kind {
        Kind::Head => Cause::MessageChanged,
        _ if leaves.is_id => Cause::IdChanged,
        Kind::System => Cause::SystemChanged,
        Kind::Tool => Cause::ToolsChanged,
        Kind::Text => Cause::TextChanged,
        Kind::Call => Cause::CallChanged,
        Kind::Media => Cause::MediaChanged,
        Kind::Result => {
            let made_up = |one: &Element<H>| {
                let json = json(&one.value);
                json.windows(MISSING_RESULT.len()).any(|window| window == MISSING_RESULT.as_bytes())
            };
            let ((front, behind), (old, new)) = (leaves.common, leaves.lengths);
            if made_up(a) && !made_up(b) {
                Cause::LateResult
            } else if new < old && 2 * (front + behind) >= new {
                Cause::ResultCut
            } else {
                Cause::ResultChanged
            }
        }
        Kind::Reasoning | Kind::Compaction | Kind::Other => Cause::BlockChanged,
    }
}

fn gone(cause: Cause, at: usize, count: usize) -> Happened {
    Happened { cause, a: Some(at), b: None, count }
}

fn put_in(cause: Cause, at: usize, count: usize) -> Happened {
    Happened { cause, a: None, b: Some(at), count }
}

/// The pieces of the message of a piece.
fn message_of<H: Host>(all: &[Element<H>], at: usize) -> Range<usize> {
    let here = all[at].message;
    let start = all[..at].iter().rposition(|one| one.message != here).map_or(0, |last| last + 1);
    let end = all[at..].iter().position(|one| one.message != here).map_or(all.len(), |next| at + next);
    start..end
}

/// The messages that start at `from` or later.
fn messages<H: Host>(all: &[Element<H>], from: usize) -> Vec<Range<usize>> {
    let (mut found, mut next) = (Vec::new(), from);
    while next < all.len() {
        let range = message_of(all, next);
        next = range.end;
        found.push(next.min(range.start)..next);
    }
    found
}

enum Shift {
    Dropped(usize),
    Inserted(usize),
    Swapped,
}

/// How two lists with different first items match again, if they do. Two equal items in a row, or two swapped ones, are
/// better evidence than one equal item.
fn shift<T>(a: &[T], b: &[T], same: impl Fn(&T, &T) -> bool) -> Option<Shift> {
    let (Some(old), Some(new)) = (a.first(), b.first()) else { return None };
    let both = |x: Option<&T>, y: Option<&T>| matches!((x, y), (Some(x), Some(y)) if same(x, y));
    let ends = |x: Option<&T>, y: Option<&T>| x.is_none() || y.is_none();
    let dropped = |then: &dyn Fn(Option<&T>, Option<&T>) -> bool| {
        (1..a.len()).find(|i| same(&a[*i], new) && then(a.get(i + 1), b.get(1)))
    };
    let inserted = |then: &dyn Fn(Option<&T>, Option<&T>) -> bool| {
        (1..b.len()).find(|j| same(old, &b[*j]) && then(a.get(1), b.get(j + 1)))
    };
    let is_elsewhere = || (1..a.len()).any(|i| same(&a[i], new)) && (1..b.len()).any(|j| same(old, &b[j]));
    let sure = || dropped(&both).map(Shift::Dropped).or_else(|| inserted(&both).map(Shift::Inserted));
    let swapped = || is_elsewhere().then_some(Shift::Swapped);
    let at_the_end = || dropped(&ends).map(Shift::Dropped).or_else(|| inserted(&ends).map(Shift::Inserted));
    sure().or_else(swapped).or_else(at_the_end)
}

/// How many messages were replaced by a few others, after which both lists match again.
fn replaced<T>(a: &[T], b: &[T], same: impl Fn(&T, &T) -> bool) -> Option<usize> {
    const FEW: usize = 3;
    let goes_on = |i: usize, j: usize| {
        let both = |i: usize, j: usize| matches!((a.get(i), b.get(j)), (Some(x), Some(y)) if same(x, y));
        both(i, j) && (both(i + 1, j + 1) || i + 1 == a.len())
    };
    let mut ways = (1..=FEW).flat_map(|new| (new + 1..a.len()).map(move |old| (old, new)));
    // Replacing one by one means a changed message.
    if (1..=FEW).any(|same| goes_on(same, same)) {
        None
    } else {
        ways.find(|(old, new)| goes_on(*old, *new)).map(|way| way.0)
    }
}
