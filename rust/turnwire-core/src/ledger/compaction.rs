//! Makes the request that asks a provider for a summary of the last request of a run.

use super::{
    choices::Choices,
    list::List,
    next,
    request::{Request, failed},
    state::State,
    steps::Steps,
};
use crate::{
    model::Conversation,
    report::{Error, error::Code},
    rules::DialectId,
    stage::{Failed, Inputs},
    value::Host,
};

/// Repeats the last request of a run, followed by a request for its summary. The block that the provider returns
/// replaces all messages of that request. If there is no last request, the summary is of the next one.
/// Until that block has come, the same request is repeated: a block does not tell which of two requests it replaces.
pub fn compaction<H: Host>(
    conversation: &Conversation<H>,
    (inputs, target): (&Inputs<'_, H>, DialectId),
    choices: Choices,
    state: Option<&State>,
) -> Result<Request<H>, Failed> {
    let asked = target.compaction().and_then(|rule| rule.asked).ok_or_else(|| {
        let text = format!("expected a target whose provider summarises on demand, got {}", target.name());
        failed(Error::new(Code::Refused, text))
    })?;
    let steps = Steps::of(conversation);
    let first = |count: usize| {
        let said = steps.first(count);
        let pinned = said.of_turns(inputs.pinned);
        next(&said, (&Inputs { pinned: &pinned, ..*inputs }, target), choices, state)
    };
    let last = state.and_then(|state| state.pending.last()).map_or(usize::MAX, |last| last.length);
    if let Some(state) = state
        && let Some(waits) = state.summarised.as_ref().filter(|waits| waits.length < last)
        && let Ok(mut request) = first(waits.length)
        && request.state.pending.last().is_some_and(|now| now.is_again(waits))
    {
        // The conversation has gone on since.
        request.state = State { asked: state.asked + 1, ..state.clone() };
        request.asked = Some(asked);
        return Ok(request);
    }
    let mut request = first(last)?;
    let now = request.state.pending.last().cloned();
    request.state.ask(now, &List::of(&steps.first(last).list));
    request.asked = Some(asked);
    Ok(request)
}
