//! Writes the calls of a list of messages, and their results.

use super::Messages;
use crate::{
    layouts::{at::At, opened::json_in, pieces::In, unread::Used, wanted::wrong_type, ways::Way, writer::Writer},
    report::{Edit, Error},
    rules::record_layout::Piece,
    value::{NodeKind, Source, Tape},
};

impl Messages {
    /// The lists of the calls of a message that are not empty.
    pub(super) fn calls<S: Source>(&self, message: &S) -> impl Iterator<Item = (S, &Way)> {
        [&self.calls_at, &self.broken_at].into_iter().filter_map(|ways| ways.find_if(message, |list| !list.is_empty()))
    }

    /// Writes parts. The results of calls stand behind their step.
    pub(super) fn listed<S: Source>(
        &self,
        parts: &S,
        at: &At<'_>,
        inside: In<'_>,
        to: &mut Writer,
    ) -> Result<(), Error> {
        if parts.kind() != NodeKind::List {
            return Err(wrong_type("a list of parts", parts, at));
        }
        let mut waiting = Vec::new();
        for (index, part) in parts.items().enumerate() {
            let at_part = at.index(index);
            match self.kinds.piece(&part) {
                Some(Piece::Step) => self.outcomes(&mut waiting, at, to)?,
                Some(Piece::Both) if self.skips.find(&part).is_none() && self.outcome.is_in(&part) => {
                    waiting.push((index, part.clone()));
                }
                _ => {}
            }
            self.part(&self.kinds, &part, &at_part, inside, to)?;
        }
        self.outcomes(&mut waiting, at, to)
    }

    /// Writes the results of calls, and ends their step.
    fn outcomes<S: Source>(&self, waiting: &mut Vec<(usize, S)>, at: &At<'_>, to: &mut Writer) -> Result<(), Error> {
        if waiting.is_empty() {
            return Ok(());
        }
        waiting.drain(..).try_for_each(|(index, call)| self.outcome.write(&call, &at.index(index), to))
    }

    /// Writes the calls and results that a message lists beside what it says. Returns whether it has such lists.
    pub(super) fn called<'w, S: Source>(
        &'w self,
        message: &S,
        used: &mut Used<'w>,
        at: &At<'_>,
        to: &mut Writer,
    ) -> Result<bool, Error> {
        let mut has = false;
        let mut waiting = Vec::new();
        let mut ids = Vec::new();
        for (calls, way) in self.calls(message) {
            used.add(way);
            let at = at.way(way);
            if calls.kind() != NodeKind::List {
                return Err(wrong_type("a list of calls", &calls, &at));
            }
            let before = ids.len();
            for (index, call) in calls.items().enumerate() {
                if self.skips.find(&call).is_some() {
                    to.lost(Edit::Opaque, &at.index(index), "a call that is not of this conversation");
                    continue;
                }
                let id = self.call.id_in(&call);
                // A list may repeat what is in another one.
                if id.as_ref().is_some_and(|id| ids[..before].contains(id)) {
                    continue;
                }
                ids.extend(id);
                self.call_in(&call, &at.index(index), to)?;
                if self.outcome.is_in(&call) {
                    waiting.push((index, call));
                }
            }
            self.outcomes(&mut waiting, &at, to)?;
            has = true;
        }
        if let Some((results, way)) = self.results_at.find(message) {
            used.add(way);
            let at = at.way(way);
            if results.kind() != NodeKind::List {
                return Err(wrong_type("a list of results", &results, &at));
            }
            for (index, result) in results.items().enumerate() {
                let at = at.index(index);
                if result.kind() != NodeKind::Map {
                    return Err(wrong_type("a result", &result, &at));
                }
                self.result.write(&result, &at, to)?;
                let mut used = Used::default();
                self.result.used(&result, &mut used);
                used.report(&result, self.passes, &at, to);
            }
            has = true;
        }
        Ok(has)
    }

    fn call_in<S: Source>(&self, call: &S, at: &At<'_>, to: &mut Writer) -> Result<(), Error> {
        if call.kind() != NodeKind::Map {
            return Err(wrong_type("a call", call, at));
        }
        let mut used = Used::default();
        self.call.write(call, at, &mut used, to)?;
        self.outcome.used(call, &mut used);
        used.report(call, self.passes, at, to);
        Ok(())
    }

    /// Writes one call, or each call of a list.
    pub(in crate::layouts) fn calls_in<S: Source>(&self, calls: &S, at: &At<'_>, to: &mut Writer) -> Result<(), Error> {
        if calls.kind() != NodeKind::List {
            return self.call_in(calls, at, to);
        }
        calls.items().enumerate().try_for_each(|(index, call)| self.call_in(&call, &at.index(index), to))
    }

    /// Writes the calls in JSON text.
    pub(super) fn calls_of_text<S: Source>(&self, text: &S, at: &At<'_>, to: &mut Writer) -> Result<(), Error> {
        let Some(json) = json_in(text) else { return Err(wrong_type("JSON text of a call", text, at)) };
        let tape = Tape::read(&json)?;
        let view = tape.view();
        self.calls_in(&view.root::<S::H>(), at, to)
    }
}
