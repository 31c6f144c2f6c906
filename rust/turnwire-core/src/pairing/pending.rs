//! Finds the calls that wait for the caller: those without a result in the last run of assistant turns.

use std::{borrow::Cow, sync::Arc};

use crate::{
    model::{Call, Conversation, Kind, Role, Turn},
    value::{ArgsState, HashMap, Host},
};

impl<H: Host> Conversation<H> {
    /// The calls at the end that have no result yet and whose arguments are an object, in order, each with its turn. A
    /// call with invalid arguments must not be run, so it is not pending.
    pub fn pending(&self) -> Vec<(&Arc<Turn<H>>, &Call<H>)> {
        let turns = self.turns();
        let answered_from = turns.iter().rposition(|turn| turn.role == Role::Assistant).map_or(0, |last| last + 1);
        let run_from =
            turns[..answered_from].iter().rposition(|turn| turn.role != Role::Assistant).map_or(0, |at| at + 1);
        // In formats where one part holds both, results are in the same turn as their calls.
        let results = turns[run_from..].iter();
        // Content after the results means that the exchange is over.
        let mut answers: HashMap<Cow<'_, [u8]>, usize> = HashMap::default();
        for (turn, part) in results.flat_map(|turn| turn.parts.iter().map(move |part| (turn, part))) {
            if let Kind::Result(result) = &part.kind
                && !part.is_progress()
            {
                *answers.entry(result.id.wtf8(turn.input.as_ref())).or_default() += 1;
            }
        }
        let mut pending = Vec::new();
        for turn in &turns[run_from..answered_from] {
            for call in turn.calls() {
                let id = call.id.wtf8(turn.input.as_ref());
                if let Some(left) = answers.get_mut(&id).filter(|left| **left > 0) {
                    *left -= 1;
                } else if call.custom || call.args.state(turn.input.as_ref()) == ArgsState::Object {
                    pending.push((turn, call));
                }
            }
        }
        pending
    }
}
