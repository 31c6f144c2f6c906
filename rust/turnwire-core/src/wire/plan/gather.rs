//! Adds a turn to the open message: its parts in order, its results, the summary of a compaction.

use super::{
    cache::in_block,
    decide::{Scope, is_taken},
    item::{Item, Said},
    outline::Outline,
    passages,
};
use crate::{
    model::{At, Kind, Part, Role, Turn, compaction},
    report::{Edit, Error},
    rules::{DialectId, Marks, PartOrder, ResultPlace},
    value::Host,
};

impl<'a, H: Host> Outline<'_, 'a, H> {
    /// Adds the parts of a turn to the open message.
    pub(super) fn gather(&mut self, at: At<'a, H>) -> Result<(), Error> {
        let (index, turn) = at;
        let limits = self.p.target.limits;
        let apart = match limits.results {
            ResultPlace::AsTheyCome => false,
            ResultPlace::WithCall => turn.role != Role::Assistant,
            _ => true,
        };
        if (limits.results.is_one_turn() || limits.results.is_alone()) && turn.role != Role::Assistant {
            self.gather_results(at)?;
        }
        self.leads_in(index);
        self.open.items.reserve(turn.parts.len());
        #[cfg(test)]
        let before = self.open.items.len();
        let mut behind = false;
        let told = usize::from(begins_with_summary(turn, self.p.target.id));
        for (place, part) in turn.parts.iter().enumerate().skip(told) {
            if part.is_progress() {
                if !apart {
                    self.p.progress_lost(at, place);
                }
                continue;
            }
            if let Kind::Result(result) = &part.kind {
                if !apart {
                    let item = self.p.outcome(at, place, result, &mut self.moved)?;
                    self.open.items.push(item);
                }
                continue;
            }
            if self.marks((index, place), turn, part) {
                continue;
            }
            let items = self.open.items.len();
            self.p.item(at, place, part, &mut self.open.items)?;
            let Some(item) = self.open.items.get(items) else { continue };
            let (out_of_order, media) = (self.is_out_of_order(part, item, behind), item.is_media());
            if out_of_order {
                let reason = "the target writes text before calls and media";
                self.p.losses.changed(Edit::Order, turn.part_path(index, place), reason);
            }
            let call = matches!(part.kind, Kind::Call(_));
            self.open.calls += usize::from(call);
            behind |= call || media;
        }
        #[cfg(test)]
        if !turn.parts.is_empty() {
            let says = self.open.items.len() > before || told > 0 || turn.results().next().is_some();
            assert_eq!(says, self.p.says(turn), "the turn at {index} for {:?}", self.p.target.id);
        }
        self.end_with_mark(at);
        Ok(())
    }

    /// Gives the mark of a turn to the last of its items.
    fn end_with_mark(&mut self, (index, turn): At<'a, H>) {
        let Some((_, cached)) = self.p.turn_mark(turn) else { return };
        let mut items = self.open.results.iter_mut().chain(&mut self.open.items);
        if let Some(last) = items.rfind(|item| item.site.0 == index) {
            last.cached = last.cached.or(Some(cached));
        }
    }

    /// Whether a part is a cache mark that the previous part gets.
    fn marks(&mut self, (index, place): (usize, usize), turn: &Turn<H>, part: &Part<H>) -> bool {
        let wires = (turn.from, &self.p.target);
        let ended = place.checked_sub(1).map(|before| &turn.parts[before]);
        let may = |marks: Marks| ended.is_some_and(|part| marks.may_end(turn.role, part));
        let Some(cached) = in_block(wires, may, part, turn.input.as_ref()) else { return false };
        let open = self.open.items.iter_mut().chain(&mut self.open.results);
        let takes = |item: &&mut Item<'a, H>| {
            place.checked_sub(1).is_some_and(|before| item.site == (index, before))
                && (!matches!(item.said, Said::Translated(_))
                    || passages::of(Scope::of(turn), &turn.parts[place - 1]).is_some())
        };
        let before = open.rev().find(takes);
        // A result that is a message of its own has it already.
        before.map(|item| item.cached = Some(cached)).is_some()
            || ended.is_some_and(|part| matches!(part.kind, Kind::Result(_)))
    }

    /// Adds the results of a turn before the rest of the open message.
    pub(super) fn gather_results(&mut self, at: At<'a, H>) -> Result<(), Error> {
        let (index, turn) = at;
        for (place, part) in turn.parts.iter().enumerate() {
            if part.is_progress() {
                self.p.progress_lost(at, place);
            } else if let Kind::Result(result) = &part.kind {
                let item = self.p.outcome(at, place, result, &mut self.open.moved)?;
                self.open.results.push(item);
            }
        }
        self.end_with_mark(at);
        if turn.role != Role::Assistant && turn.parts.len() > 1 {
            self.p.results_first(turn, index);
        }
        Ok(())
    }

    /// Adds the results of a turn to the message of their calls. Its other content is a separate message.
    pub(super) fn answers(&mut self, at: At<'a, H>) -> Result<(), Error> {
        let (index, turn) = at;
        if self.open.turns.is_empty() || self.open.role != Role::Assistant {
            self.close_run()?;
            self.begin(Role::Assistant, at);
        } else {
            self.open.turns.push(at);
        }
        for (place, part) in turn.parts.iter().enumerate() {
            if part.is_progress() {
                self.p.progress_lost(at, place);
            } else if let Kind::Result(result) = &part.kind {
                let item = self.p.outcome(at, place, result, &mut self.moved)?;
                self.open.items.push(item);
            }
        }
        if turn.parts.iter().all(|part| matches!(part.kind, Kind::Result(_))) {
            return Ok(());
        }
        self.p.results_first(turn, index);
        self.close_run()?;
        self.rest(at)
    }

    /// Whether the target writes this item before one that originally came first.
    fn is_out_of_order(&self, part: &Part<H>, item: &Item<'a, H>, behind: bool) -> bool {
        match self.p.target.limits.order {
            PartOrder::Free | PartOrder::Apart | PartOrder::Elements => false,
            PartOrder::CallsLast => {
                let content = !matches!(item.said, Said::Call(_) | Said::Refusal(_)) && item.own_key().is_none();
                self.open.calls > 0 && content && !matches!(part.kind, Kind::Call(_))
            }
            PartOrder::OneText => behind && item.text().is_some(),
        }
    }

    /// Writes the summary of an assistant's compaction as the user's text, before the rest of the turn.
    pub(super) fn summary(&mut self, at: At<'a, H>) -> Result<(), Error> {
        if self.p.target.limits.alternates && self.open.role != Role::Assistant && !self.open.turns.is_empty() {
            self.open.turns.push(at);
        } else {
            self.close_run()?;
            self.begin(Role::User, at);
        }
        self.p.item(at, 0, &at.1.parts[0], &mut self.open.items)
    }
}

/// Whether an assistant's turn of another format begins with a compaction whose summary can be read.
#[inline]
pub(super) fn begins_with_summary<H: Host>(turn: &Turn<H>, target: DialectId) -> bool {
    // Most formats have no compactions.
    turn.from.compaction().is_some() && has_readable_summary(turn, target)
}

fn has_readable_summary<H: Host>(turn: &Turn<H>, target: DialectId) -> bool {
    !turn.from.same_wire(target)
        && turn.speaker() == Role::Assistant
        && !turn.parts.first().is_some_and(|part| is_taken(target, Scope::of(turn), part))
        && turn.parts.first().is_some_and(|part| compaction::summary((turn.from, turn.input.as_ref()), part).is_some())
}
