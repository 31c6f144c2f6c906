//! The builder's steps in order: compaction, late, compress, filter, unshown, pair, answers, cap, relay, system, prefill,
//! conform, opening, bridge, fit, reasoning, citations, validate.
//!
//! Each step works on shared turns. A turn that a step does not change stays the same `Arc`. A changed turn is a new
//! one, marked as touched, whose other parts are shared. Steps see limits, never the name of a dialect.

mod answers;
mod bond;
mod bridge;
mod built;
mod cap;
mod citations;
mod compaction;
mod compress;
mod conform;
pub(crate) mod draft;
mod failed;
mod filter;
mod fit;
pub mod front;
pub mod inputs;
mod late;
mod markers;
mod notices;
mod opening;
pub mod pair;
pub(crate) mod policy;
mod prefill;
mod reasoning;
mod relay;
mod replay;
mod size;
mod system;
mod unshown;
mod validate;
mod window;

pub use self::front::Front;
use self::late::Sent;
pub(crate) use self::{
    draft::{Draft, DraftTurn},
    policy::Policy,
};

pub use self::{
    built::Built,
    failed::Failed,
    inputs::{Budget, Compacted, Counter, Cut, Frozen, Inputs, Note, Relay, Summary},
    markers::{Marker, Markers, NameMarker, Shortened},
    window::{Window, summed, window},
};
pub(crate) use self::{conform::with_legal_names, replay::token};
pub use crate::model::tool::MISSING_RESULT;
use crate::{
    model::Conversation,
    report::{Change, Error, Options, Others},
    value::Host,
};

/// Runs the steps in order.
fn run<H: Host>(draft: &mut Draft<'_, H>, inputs: &Inputs<'_, H>) -> Result<(), Error> {
    if let Some(frozen) = inputs.frozen {
        compaction::leave_out(draft, frozen.spare);
        frozen.compacted.into_iter().for_each(|compacted| compaction::adopt(draft, compacted));
    }
    let rules = Policy::of(inputs)?;
    compaction::apply(draft, &rules);
    match inputs.frozen {
        None => {
            late::apply(draft, &rules, Sent::default(), draft.given.len());
            repair(draft, inputs)
        }
        Some(frozen) => replay::run(draft, frozen, inputs),
    }
}

/// Runs all steps but the first, which only leaves out turns.
fn repair<H: Host>(draft: &mut Draft<'_, H>, inputs: &Inputs<'_, H>) -> Result<(), Error> {
    let rules = Policy::of(inputs)?;
    draft.warn_of_wrong_dialects();
    if let Some(target) = rules.written_for() {
        conform::translate(draft, &target)?;
    }
    compress::apply(draft, inputs);
    filter::apply(draft, inputs.rendering.rest != Others::Caller);
    unshown::apply(draft, &rules)?;
    let answered = inputs.frozen.map_or(&[][..], |frozen| frozen.answered);
    if pair::apply(draft, &rules, (inputs.missing_result, answered)) {
        // A turn may have had only a result that is now gone.
        filter::turns(draft);
    }
    answers::apply(draft, &rules);
    cap::apply(draft, inputs, &rules)?;
    relay::apply(draft, inputs.relay);
    system::apply(draft, inputs.system_prompts);
    prefill::apply(draft, &rules)?;
    reasoning::drop_unwanted(draft, &rules);
    conform::apply(draft, &rules)?;
    // Comes after `conform`, which may empty the user's first turn.
    opening::apply(draft, &rules, inputs.opening);
    bridge::apply(draft, &rules, inputs.bridge)?;
    if inputs.budget.is_some() {
        // What goes anyway takes no room.
        leave_reasoning(draft, inputs, &rules)?;
    }
    if fit::apply(draft, inputs, &rules)? {
        answers::apply(draft, &rules);
        // Dropped turns may leave two turns of one side next to each other.
        conform::turns(draft, &rules)?;
    }
    leave_reasoning(draft, inputs, &rules)?;
    citations::apply(draft, &rules);
    // What went may have stood between a result and the user's words.
    bridge::apply(draft, &rules, inputs.bridge)?;
    validate::apply(draft, &rules)?;
    bridge::lacking(draft, &rules)?;
    relay::drop_key_warnings(draft, inputs.relay);
    Ok(())
}

/// Leaves out the reasoning that the target would refuse.
fn leave_reasoning<H: Host>(draft: &mut Draft<'_, H>, inputs: &Inputs<'_, H>, rules: &Policy) -> Result<(), Error> {
    if reasoning::apply(draft, inputs, rules) {
        // Turns that were left out may leave two turns of one side next to each other.
        conform::turns(draft, rules)?;
    }
    Ok(())
}

/// Assembles, repairs, fits and validates. Does not change the given conversation.
pub fn build<H: Host>(conversation: &Conversation<H>, inputs: &Inputs<'_, H>) -> Result<Built<H>, Failed> {
    build_noting(conversation, inputs).0
}

/// The same, and what is unusual and stays, because the target accepts it.
pub(crate) fn build_noting<H: Host>(
    conversation: &Conversation<H>,
    inputs: &Inputs<'_, H>,
) -> (Result<Built<H>, Failed>, Vec<Change>) {
    // The plan asks the rendering for the model.
    let rendering = Options { model: inputs.model.map(Into::into), ..inputs.rendering.clone() };
    let named = Inputs { rendering: &rendering, ..*inputs };
    let inputs = if inputs.rendering.model.is_none() && inputs.model.is_some() { &named } else { inputs };
    let mut draft = Draft::of(conversation);
    let outcome = run(&mut draft, inputs);
    let taken = std::mem::take(&mut draft.taken);
    let built = match outcome {
        Ok(()) => {
            notices::add(conversation, inputs, &mut draft.receipt);
            Ok(draft.finish())
        }
        Err(error) => {
            draft.receipt.sort();
            Err(Failed { error, receipt: Box::new(draft.receipt) })
        }
    };
    (built, taken)
}
