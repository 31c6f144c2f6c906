//! Leaves out the reasoning of a request that the provider would refuse.

use super::{
    identity::{SignedBlock, tokens},
    records::Record,
    run::{Made, Run},
    seen::Seen,
    state::State,
};
use crate::{
    model::Conversation,
    report::ReasoningChoice,
    stage::Failed,
    value::{HashSet, Host},
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
            let verifies = |(_, token): &SignedBlock| match state.record(*token) {
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
        self.inputs.rendering.reasoning != ReasoningChoice::Keep
            && self.target.limits().is_ok_and(|limits| (limits.checks_prefix)(self.model))
    }
}

impl Seen {
    /// The reasoning blocks that a model would refuse if it checks them.
    pub(super) fn stale<H: Host>(&self, conversation: &Conversation<H>, state: &State) -> Vec<SignedBlock> {
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
