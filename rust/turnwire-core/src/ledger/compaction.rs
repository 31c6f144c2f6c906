//! Makes the request that asks a provider for a summary of the last request of a run.

use super::{Choices, Request, failed, prepare, state::State};
use crate::{
    model::conversation::Conversation,
    report::{
        error::{Code, Error},
        loss::Options,
    },
    rules::dialect_id::DialectId,
    stage::{Failed, Inputs},
    value::handle::Host,
};

/// Repeats the last request of a run, followed by a request for its summary. The block that the provider returns
/// replaces all messages of that request. If there is no last request, the summary is of the next one.
pub fn compaction<H: Host>(
    conversation: &Conversation<H>,
    (inputs, target): (&Inputs<'_, H>, DialectId),
    rendering: &Options,
    choices: Choices,
    state: Option<&State>,
) -> Result<Request<H>, Failed> {
    let asked = target.compaction().and_then(|rule| rule.asked).ok_or_else(|| {
        let text = format!("expected a target whose provider summarises on demand, got {}", target.name());
        failed(Error::new(Code::Refused, text))
    })?;
    let last = state.and_then(|state| state.pending.last()).map_or(usize::MAX, |last| last.length);
    let count = last.min(conversation.len());
    let mut said = conversation.share();
    if count < said.len() {
        said.turns_mut().truncate(count);
    }
    let pinned: Vec<_> = inputs.pinned.iter().copied().filter(|index| *index < count).collect();
    let inputs = Inputs { pinned: &pinned, ..*inputs };
    let mut request = prepare(&said, (&inputs, target), rendering, choices, state)?;
    request.state.summarised = request.state.pending.last().cloned();
    request.asked = Some(asked);
    Ok(request)
}
