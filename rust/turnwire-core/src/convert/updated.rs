//! Changes of settings that stand in the list, in the target's words, and turns with the cache marks of another profile. A turn
//! that says text, too, may become two.

use std::{collections::BTreeMap, mem};

use smallvec::smallvec;

use crate::{
    model::{Turn, View},
    report::{Error, Losses, Options, Rendering, Sources},
    rules::{DialectId, Target},
    value::Host,
    wire::{plan::system_seats::SystemSeats, respelled, updates, write::says::is_written},
};

/// What is written for each of these turns.
pub(super) struct Updated<H: Host>(BTreeMap<usize, Vec<Turn<H>>>);

impl<H: Host> Updated<H> {
    pub(super) fn of(
        conversation: &View<'_, H>,
        target: DialectId,
        options: &Options,
        losses: &mut Losses,
    ) -> Result<Self, Error> {
        let mut made = BTreeMap::new();
        let full = Target { id: target, limits: target.limits()?, options };
        let takes = updates::rule_of(target).is_some();
        for (at, turn) in conversation.turns.iter().enumerate() {
            if let Some(new) = respelled::of(turn, at, &full, losses)? {
                made.insert(at, vec![new]);
            }
            if takes && let Some(new) = updates::translated(turn, at, target, losses)? {
                made.insert(at, new);
            }
        }
        let mut made = Self(made);
        if takes {
            made.part(conversation, &full);
        }
        Ok(made)
    }

    /// Keeps changes in their place where the text beside them moves.
    fn part(&mut self, conversation: &View<'_, H>, target: &Target<'_>) {
        if !self.0.values().flatten().any(updates::is_beside_text) {
            return;
        }
        let (turns, from) = self.turns(conversation);
        let seats = SystemSeats::of(target, conversation.frame, turns.iter().copied(), |turn| is_written(turn, target));
        let apart = |(at, turn): (usize, &&Turn<H>)| {
            seats.why_not(at)?;
            updates::apart(turn).map(|both| (from[at][0], both))
        };
        let parted: Vec<_> = turns.iter().enumerate().filter_map(apart).collect();
        for (at, (said, change)) in parted {
            if let Some(made) = self.0.get_mut(&at) {
                *made = vec![said, change];
            }
        }
    }

    /// All turns, with those that are written instead, and for each its index in the given ones.
    fn turns<'t>(&'t self, whole: &View<'t, H>) -> (Vec<&'t Turn<H>>, Vec<Sources>) {
        let (mut turns, mut from) = (Vec::with_capacity(whole.turns.len() + 1), Vec::<Sources>::new());
        for (at, turn) in whole.turns.iter().enumerate() {
            match self.0.get(&at) {
                Some(made) => turns.extend(made),
                None => turns.push(*turn),
            }
            from.resize(turns.len(), smallvec![at]);
        }
        (turns, from)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Runs `write` on a view with these turns. Paths and sources still name the given ones.
    pub(super) fn written(
        &self,
        whole: &View<'_, H>,
        losses: Losses,
        write: impl FnOnce(&View<'_, H>, Losses) -> Result<Rendering, Error>,
    ) -> Result<Rendering, Error> {
        let (turns, from) = self.turns(whole);
        let before = losses.list.len();
        let made_of = whole.origins.map(|of| from.iter().map(|turn| of[turn[0]].clone()).collect::<Vec<_>>());
        let view = View { turns, list_origin: None, frame: whole.frame, origins: made_of.as_deref() };
        let mut written = write(&view, losses).map_err(|error| {
            let path = error.path().clone().in_turns(&from);
            error.at_path(path)
        })?;
        for loss in written.losses.iter_mut().skip(before) {
            loss.path = mem::take(&mut loss.path).in_turns(&from);
        }
        written.provenance = written.provenance.seen_from(&from);
        Ok(written)
    }
}
