//! Writes results in separate turns: in their original turns if these hold nothing else, else after the content that
//! they share a user's turn with.

use std::sync::Arc;

use super::{Item, Layout};
use crate::{
    model::{Parts, Role, Turn, part::map_extras},
    report::{Sources, provenance},
    rules::DialectId,
    stage::DraftTurn,
    value::Host,
};

/// One turn of results.
struct Piece {
    /// The slot of its turn. `None` for a new turn.
    home: Option<usize>,
    role: Role,
    from: DialectId,
    items: Vec<Item>,
}

/// The role of results in a new turn.
fn role(from: DialectId) -> Role {
    from.limits().map_or(Role::Tool, Role::of_results)
}

impl<H: Host> Layout<'_, H> {
    /// Writes these results.
    pub(super) fn pieces(&mut self, run: &[Item]) {
        let mut piece: Option<Piece> = None;
        let mut at = 0;
        while let Some(item) = run.get(at) {
            let slot = self.slot_of(*item);
            let stay = self.stay(slot, &run[at..]);
            let turn = &self.slots[slot].turn;
            let joins = stay == 0 && !self.brings_keys(*item);
            let shares = |piece: &Piece| joins && piece.role == Role::User && piece.from == turn.from;
            if let Some(piece) = piece.as_mut().filter(|piece| shares(piece)) {
                piece.items.push(*item);
            } else {
                self.piece(piece.take());
                let (home, role) = if stay > 0 { (Some(slot), turn.role) } else { (None, role(turn.from)) };
                let items = run[at..at + stay.max(1)].to_vec();
                piece = Some(Piece { home, role, from: turn.from, items });
            }
            at += stay.max(1);
        }
        self.piece(piece);
    }

    fn piece(&mut self, piece: Option<Piece>) {
        let Some(Piece { home, role, from, items }) = piece else { return };
        if let Some(slot) = home {
            return self.push(slot, &items);
        }
        let Some(first) = items.first() else { return };
        let slot = self.slot_of(*first);
        let DraftTurn { turn: home, index, .. } = &self.slots[slot];
        let parts: Parts<H> = items.iter().map(|item| self.part(*item, None)).collect();
        let input = home.input.as_ref();
        let extras = home.extras.as_deref().filter(|_| self.brings_keys(*first));
        let extras = map_extras(extras, &mut |text| text.detach(input), &mut |raw| raw.detach(input));
        let turn = Turn { from, list: home.list, touched: true, extras, ..Turn::new(role, parts) };
        let slot = DraftTurn { turn: Arc::new(turn), index: *index, sources: self.sources(&items) };
        self.out.push(slot);
    }

    /// Whether the unknown keys of its turn go with a result. Nothing is left of a turn that held only results, so they
    /// go with the first.
    pub(super) fn brings_keys(&self, item: Item) -> bool {
        let slot = self.slot_of(item);
        let is_first = self.kept[slot].map(Item::Result) == Some(item);
        is_first && self.others(slot) == 0 && self.slots[slot].turn.extras.is_some()
    }

    /// The sources of these results.
    pub(super) fn sources(&self, items: &[Item]) -> Sources {
        let given = items.iter().filter(|item| !matches!(item, Item::Made(_) | Item::Part(_)));
        provenance::own_first(given.flat_map(|item| self.slots[self.slot_of(*item)].sources.iter().copied()))
    }

    /// The slot that a result comes from. For a made-up result, the slot of its call.
    #[inline]
    pub(super) fn slot_of(&self, item: Item) -> usize {
        match item {
            Item::Result(at) => self.matching.results[at].turn,
            Item::Call(call) | Item::Made(call) => self.matching.calls[call].turn,
            Item::Part(_) => 0,
        }
    }

    /// How many results at the head of `run` stay in the slot's turn: its first results in order, if it holds nothing
    /// else.
    fn stay(&self, slot: usize, run: &[Item]) -> usize {
        let theirs_alone = self.others(slot) == 0 && self.slots[slot].turn.role != Role::Assistant;
        if !theirs_alone || run.first() != self.kept[slot].map(Item::Result).as_ref() {
            return 0;
        }
        let follows = |pair: &&[Item]| match **pair {
            [Item::Result(at), Item::Result(next)] => at < next && self.matching.results[next].turn == slot,
            _ => false,
        };
        run.windows(2).take_while(follows).count() + 1
    }
}
