//! Finds the messages that a program still sends: not what stands before a compaction, and not what failed.

use super::{
    at::At,
    signs::Signs,
    tree::{Placed, word},
    ways::Ways,
    writer::Writer,
};
use crate::{report::Edit, rules::record_layout::SentAt, value::Source};

/// What shows which messages are sent.
#[derive(Debug)]
pub(super) struct Sent {
    failed: Signs,
    stopped: Signs,
    mark: Signs,
    tail: Ways,
    id: Ways,
    summary: Signs,
    done: Signs,
    parent: Ways,
}

impl Sent {
    pub(super) fn of(at: SentAt) -> Self {
        let [failed, stopped, mark, summary, done] =
            [at.failed, at.stopped, at.mark, at.summary, at.done].map(Signs::of);
        let [tail, id, parent] = [at.tail, at.id, at.parent].map(Ways::of);
        Self { failed, stopped, mark, tail, id, summary, done, parent }
    }

    /// The messages that are sent: the summary of the last compaction, what it kept as it was, and what is behind it.
    /// `says`: whether a message says something.
    pub(super) fn only<S: Source>(
        &self,
        all: Vec<Placed<S>>,
        says: impl Fn(&S) -> bool,
        at: &At<'_>,
        to: &mut Writer,
    ) -> Vec<Placed<S>> {
        let compaction = self.compaction(&all);
        let is_sent = |message: &S| {
            let failed =
                self.failed.find(message).is_some() && !(self.stopped.find(message).is_some() && says(message));
            !failed && self.mark.find(message).is_none()
        };
        let before = compaction.map_or(0, |(mark, _, tail)| tail.unwrap_or(mark));
        let between = compaction.map_or(0, |(mark, summary, _)| summary - mark - 1);
        if before + between > 0 {
            let count = before + between;
            let is = if count == 1 { "message is" } else { "messages are" };
            to.lost(Edit::Opaque, at, format!("{count} {is} not sent, because a summary stands for them"));
        }
        let (mut first, mut rest) = (Vec::new(), Vec::new());
        for (index, one) in all.into_iter().enumerate() {
            match compaction {
                Some((mark, summary, _)) if index < before || (mark < index && index < summary) => {}
                Some((_, summary, _)) if index == summary => first.push(one),
                _ if is_sent(&one.message) => rest.push(one),
                _ if self.mark.find(&one.message).is_some() => {
                    to.lost(Edit::Opaque, &one.place.at(at), "the mark of a compaction says nothing");
                }
                _ => to.lost(Edit::Opaque, &one.place.at(at), "a message that failed is not sent"),
            }
        }
        first.append(&mut rest);
        first
    }

    /// The indices of the mark of the last compaction that was done, of its summary, and of the first message that it
    /// kept as it was.
    fn compaction<S: Source>(&self, all: &[Placed<S>]) -> Option<(usize, usize, Option<usize>)> {
        let named = |id: &str, before: usize| {
            all.iter().take(before).position(|one| word(&self.id, &one.message).as_deref() == Some(id))
        };
        all.iter().enumerate().rev().find_map(|(summary, Placed { message, .. })| {
            let is_done = self.summary.find(message).is_some()
                && self.done.find(message).is_some()
                && self.failed.find(message).is_none();
            let mark = named(&word(&self.parent, message).filter(|_| is_done)?, summary)?;
            self.mark.find(&all.get(mark)?.message)?;
            let tail = word(&self.tail, &all.get(mark)?.message).and_then(|id| named(&id, mark));
            Some((mark, summary, tail))
        })
    }
}
