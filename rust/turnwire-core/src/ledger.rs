//! A run of requests: each one continues the one before it.
//!
//! Messages that were sent and answered are frozen: the next request repeats them byte for byte and appends to them.
//! The [`State`] does not keep bodies, only decisions and hashes. For each request:
//!
//! 1. `resume` keeps the decisions of the last request if a reply to it is in the list, and drops them otherwise.
//! 2. The list is built again, and `stage/replay.rs` repeats the decisions. `head` appends changes of system text and
//!    tools, which `beginning` finds. If a message differs from what was sent, the caller has edited the list, and later decisions are dropped.
//! 3. If the budget is exceeded, one cut is made: a build to a share of the budget, with new decisions.
//! 4. `verified` finds reasoning whose prefix changed, or that has a gap before it. It is left out for good, and the list
//!    is built once more.
//! 5. The new state records the decisions, the caller's markers of results that were cut, the hash of each message, and what the reply will be bound to.
//!
//! `state` is the data, with `pending`, `records`, `adopted`, `awaited`, `growing`, `head` and `memo`. `identity` and
//! `list` recognise turns and lists. `replies`, `awaiting` and `adoption` tell which request a reply or a summary is of.
//! `strangers` records reasoning that did not come from this run.

mod adopted;
mod adoption;
mod awaited;
mod awaiting;
mod beginning;
mod choices;
mod compaction;
mod compare;
mod growing;
mod head;
mod identity;
mod list;
mod loaded;
mod memo;
mod notes;
mod on_change;
mod pending;
mod records;
mod replies;
mod request;
mod resume;
mod run;
mod seen;
mod state;
mod steps;
mod stored;
mod strangers;
mod verified;

pub use self::{
    choices::{Choices, Over},
    compaction::compaction,
    on_change::OnChange,
    request::Request,
    state::{Break, State},
};
use self::{list::List, request::failed, run::Run, steps::Steps};
use crate::{
    model::Conversation,
    report::Options,
    rules::DialectId,
    stage::{Failed, Inputs, Markers, NameMarker, Shortened},
    value::Host,
};

/// Makes the next request of a run. `state`: the state after the last request, `None` for the first.
pub fn prepare<H: Host>(
    conversation: &Conversation<H>,
    (inputs, target): (&Inputs<'_, H>, DialectId),
    choices: Choices,
    state: Option<&State>,
) -> Result<Request<H>, Failed> {
    let steps = Steps::of(conversation);
    let pinned = steps.of_turns(inputs.pinned);
    next(&steps, (&Inputs { pinned: &pinned, ..*inputs }, target), choices, state)
}

/// The same for a list in steps.
fn next<H: Host>(
    steps: &Steps<H>,
    (inputs, target): (&Inputs<'_, H>, DialectId),
    choices: Choices,
    state: Option<&State>,
) -> Result<Request<H>, Failed> {
    let conversation = &steps.list;
    let model = inputs.model.map(str::to_owned).or_else(|| conversation.frame.model());
    let list = List::of(conversation);
    // Leaves out cache marks, which hashes must not contain. They are added at the end.
    let marks = &inputs.rendering.marks;
    let plain = Options { marks: None, model: inputs.model.map(Into::into), ..inputs.rendering.clone() };
    let choices = Choices { json: choices.json || marks.is_some(), ..choices };
    let given = inputs.markers.filter(|markers| markers.asks());
    // The caller is asked about its own turns, not about steps.
    let ask = |cut: &Shortened| match given {
        Some(markers) => markers.of(&Shortened { index: steps.turn(cut.index), ..cut.clone() }),
        None => Ok(None),
    };
    let ask: Option<&NameMarker<'_>> = if given.is_some() { Some(&ask) } else { None };
    let markers = Markers::remembered(ask, state.map_or(&[], |state| &state.markers));
    let inputs = &Inputs { rendering: &plain, markers: Some(&markers), ..*inputs };
    let run = Run { conversation, steps, inputs, target, choices, model: model.as_deref(), list };
    let marked = |mut request: Request<H>| {
        if let Some(auto) = marks {
            request.mark((conversation, target), auto).map_err(failed)?;
        }
        Ok(request)
    };
    let mut request = run.request(state).and_then(marked).map_err(|failed| steps.of_failure(failed))?;
    steps.show(&mut request);
    request.state.read_as = steps.read_as();
    request.state.markers = markers.used();
    if let Some(path) = &request.built.receipt.break_at {
        request.state.breaks.push(Break { length: steps.length(), path: path.to_string() });
    }
    Ok(request)
}
