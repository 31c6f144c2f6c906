//! Records reasoning that did not come from this run.

use super::{records::Record, run::Run, seen::Seen, state::State};
use crate::{report::Options, value::Host};

impl<H: Host> Run<'_, H> {
    /// Records it as if it was made after the turns before it in the caller's list.
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
