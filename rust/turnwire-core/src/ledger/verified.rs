//! Leaves out the reasoning of a request that the provider would refuse.

use super::{
    identity::{Stale, tokens},
    records::Record,
    run::{Made, Run},
    seen::Seen,
    state::State,
};
use crate::{
    model::conversation::Conversation,
    report::loss::Options,
    stage::{Failed, Thinking},
    value::{handle::Host, hash::HashSet},
};

impl<H: Host> Run<'_, H> {
    /// Leaves out the reasoning that the provider would refuse.
    pub(super) fn verified(&self, state: &mut State, mut made: Made<H>) -> Result<Made<H>, Failed> {
        // Leaving out a block may remove a turn or an id, so later blocks may become stale, or verify after all. Usually
        // one pass is enough.
        let known = state.left_out.clone();
        let mut put_back = HashSet::default();
        while self.checks() {
            let count = state.left_out.len();
            state.left_out.extend(made.1.stale(self.conversation, state));
            if state.left_out.len() == count {
                break;
            }
            let all = made.1.digest.all;
            made = self.again(state, &made)?;
            if made.1.digest.all == all {
                // Nothing that reasoning is bound to has changed.
                continue;
            }
            let new: Vec<_> = self
                .list
                .tokens
                .iter()
                .copied()
                .filter(|one| !known.contains(one) && state.left_out.contains(one))
                .collect();
            let verifies = |(_, token): &Stale| match state.record(*token) {
                Some(Record::Bound { all, .. }) => made.1.digest.passes(*all) && put_back.insert(*token),
                _ => false,
            };
            if let Some(first) = new.iter().position(verifies) {
                new[first..].iter().for_each(|one| {
                    state.left_out.remove(one);
                });
                made = self.again(state, &made)?;
            }
        }
        Ok(made)
    }

    fn checks(&self) -> bool {
        self.inputs.thinking != Thinking::Keep
            && self.target.limits().is_ok_and(|limits| (limits.checks_prefix)(self.model))
    }

    /// Records reasoning that did not come from this run, as if it was made after the turns before it in the caller's
    /// list.
    pub(super) fn remember_strangers(&self, state: &mut State, before: Option<&State>) {
        if self.list.tokens().all(|token| state.record(token).is_some()) {
            return;
        }
        let was_known = || before.is_some_and(|before| self.list.tokens().any(|token| before.record(token).is_some()));
        if state.forgot || state.waits() && was_known() {
            // Some of this reasoning may be from records that were dropped, or from a reply in an edited list.
            self.list.tokens().for_each(|token| state.records.add(token, Record::Unknown));
            return;
        }
        let options = Options::default();
        let Ok(raw) = Seen::of(self.conversation, (self.target, self.model), &options, (&state.memo, None, 0, false))
        else {
            // The caller's list cannot be sent unchanged, so no reasoning was made for it.
            return;
        };
        let mut last = None;
        for block in &raw.digest.blocks {
            state.records.add(block.token, Record::Bound { all: block.before, last });
            if state.record(block.token) != Some(&Record::Free) {
                last = Some(block.token);
            }
        }
    }
}

impl Seen {
    /// The reasoning blocks that a model would refuse if it checks them.
    pub(super) fn stale<H: Host>(&self, conversation: &Conversation<H>, state: &State) -> Vec<Stale> {
        // A summary stands for the reasoning that it covers, too.
        let mut last = state.covered_reasoning();
        let mut found = Vec::new();
        for block in &self.digest.blocks {
            let holds = match state.record(block.token) {
                None | Some(Record::Free) => {
                    continue;
                }
                Some(Record::Unknown) => false,
                Some(Record::Bound { all, last: before }) => {
                    *all == block.before && (last.is_none() || *before == last)
                }
            };
            if holds {
                last = Some(block.token);
                continue;
            }
            let sources = self.rendering.provenance.sources.get(block.message);
            let has = |index: &usize| {
                let turn = conversation.turns().get(*index);
                turn.is_some_and(|turn| tokens(turn).any(|token| token == block.token))
            };
            found.extend(sources.into_iter().flatten().filter(|index| has(index)).map(|index| (*index, block.token)));
        }
        found
    }
}
