//! A window on a history: its newest whole exchanges by the rules of `fit`, with no repairs other than pairing.

use std::sync::Arc;

use super::{
    built::Built,
    compress::{REPLACED, added, is_summary, summary},
    draft::Draft,
    failed::Failed,
    fit,
    inputs::Inputs,
    pair,
    policy::Policy,
    size,
};
use crate::{
    model::{Conversation, Part, Role, Turn},
    report::{Change, Edit, Error, Sources},
    value::{Host, Text},
};

/// A window, and the turns outside it.
#[derive(Debug)]
pub struct Window<H: Host> {
    /// The turns inside, with the receipt.
    pub built: Built<H>,
    /// The indices of the given turns outside, in order.
    pub gone: Vec<usize>,
}

/// The window under the budget of `inputs`. Calls of the last turns may stay open.
pub fn window<H: Host>(conversation: &Conversation<H>, inputs: &Inputs<'_, H>) -> Result<Window<H>, Failed> {
    let mut draft = Draft::of(conversation);
    if let Err(error) = run(&mut draft, inputs) {
        return Err(Failed { error, receipt: Box::new(draft.receipt) });
    }
    if inputs.summarised && !gone(&draft).is_empty() {
        leave_summaries(&mut draft);
    }
    let gone = gone(&draft);
    Ok(Window { built: draft.finish(), gone })
}

fn run<H: Host>(draft: &mut Draft<'_, H>, inputs: &Inputs<'_, H>) -> Result<(), Error> {
    let rules = Policy { keep_open: true, ..Policy::of(inputs)? };
    pair::apply(draft, &rules, (None, &[]));
    fit::apply(draft, inputs, &rules).map(|_| ())
}

/// The given turns that are completely outside.
fn gone<H: Host>(draft: &Draft<'_, H>) -> Vec<usize> {
    let Some(slots) = &draft.slots else { return Vec::new() };
    let mut is_left = vec![false; draft.given.turns().len()];
    slots.iter().flat_map(|slot| &slot.sources).for_each(|source| is_left[*source] = true);
    (0..is_left.len()).filter(|index| !is_left[*index]).collect()
}

/// Removes earlier summaries, which the next summary will include.
fn leave_summaries<H: Host>(draft: &mut Draft<'_, H>) {
    let mut entries = Vec::new();
    draft.slots().retain(|slot| {
        let goes = is_summary(&slot.turn);
        if goes {
            let entry = Change::new(Edit::BeforeSummary, slot.index, slot.path(), REPLACED);
            entries.push(entry.sized(size::turn(&slot.turn), 0));
        }
        !goes
    });
    draft.receipt.changes.append(&mut entries);
}

/// Adds a summary of the `count` turns that were removed, after the system turns at the head.
#[must_use]
pub fn summed<H: Host>(built: &Built<H>, count: usize, text: &Text<H>) -> Built<H> {
    let (given, mut receipt) = (&built.conversation, built.receipt.clone());
    let at = given.turns().iter().take_while(|turn| turn.role.is_system()).count();
    let said = summary(count, &text.to_str(None));
    receipt.changes.extend(added(&said, text.has_lone_surrogate()));
    receipt.first_changed_index = Some(receipt.first_changed_index.map_or(at, |first| first.min(at)));
    let mut turns = given.turns().to_vec();
    turns.insert(at, Arc::new(Turn::new(Role::System, [Part::text(Text::own(&said))])));
    let origins = given.origins().map(|origins| {
        let (before, after) = origins.split_at(at);
        before.iter().cloned().chain([Sources::new()]).chain(after.iter().cloned()).collect()
    });
    let conversation = Conversation::new(turns, given.frame.clone(), None).made_of(origins);
    Built::new(conversation, receipt)
}
