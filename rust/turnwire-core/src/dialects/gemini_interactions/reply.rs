//! Reads a reply of Interactions: `{"status", "steps": […], "usage"}`. Each step of the model is a turn.

use super::keys as k;
use super::{GeminiInteractions, end::meaning, read, response, stream, stream_out};
use crate::{
    model::{Finish, ReplyParts, Turn},
    report::{Error, Trail},
    value::{Host, NodeKind, Sink, Source, Text, Tree},
    wire::{
        format::Reply,
        read::{Keys, keys::wrong_type},
        response::{Draft, FailureWords, ResponseRule},
    },
};

impl Reply for GeminiInteractions {
    const RESPONSE: Option<&'static ResponseRule> = Some(&response::RULE);
    type Stream<H: Host> = stream::Stream<H>;
    type Out<H: Host> = stream_out::Events<H>;
    fn reply<H: Host>(payload: &Tree<'_, H>, said: &mut ReplyParts<H>) -> Result<(), Error> {
        let at = Trail::ROOT;
        let mut keys = Keys::of(payload, &at)?;
        said.cost(keys.some(&k::USAGE).as_ref(), |usage| response::RULE.usage.read(usage));
        let status = keys.text(&k::STATUS)?;
        let meant = status.as_ref().map_or(Finish::Other, |status| meaning(&status.to_str(None)));
        // A failed interaction may list its errors.
        let listed = keys.some(&k::ERRORS).filter(|_| meant == Finish::Error);
        let own = keys.error(&k::ERROR, payload.get(&k::STEPS).is_some());
        let in_list = own.is_none();
        let error = own.or_else(|| listed.and_then(|errors| errors.items().next()));
        said.error = error.map(|error| error.0.share());
        if in_list {
            said.places.error = ".errors[0]";
        }
        // An interaction that failed, or is still in progress, may have no steps.
        let is_done = matches!(meant, Finish::Stop | Finish::ToolCalls | Finish::Other) && said.error.is_none();
        // Before May 2026 a reply had contents in place of steps.
        let outputs = keys.some(&k::OUTPUTS).filter(|_| payload.get(&k::STEPS).is_none());
        if let Some(outputs) = &outputs {
            turns(outputs, &at.key(k::OUTPUTS.name), |step, at, turn| read::output(step, at, turn), said)?;
        }
        if let Some(steps) = keys.needed_unless(!is_done || outputs.is_some(), &k::STEPS)? {
            turns(&steps, &at.key(k::STEPS.name), |step, at, turn| read::step(step, at, turn), said)?;
        }
        let calls = said.turns.iter().any(|turn| turn.calls().next().is_some());
        said.stopped(status, |_| match meant {
            // The client has to act, but not to run a function.
            Finish::ToolCalls if !calls => Finish::Paused,
            meant => meant,
        });
        Ok(())
    }
    fn response<H: Host, K: Sink<H>>(draft: Draft<H>, out: &mut K) {
        response::write(&draft, out);
    }
    fn failure<H: Host, K: Sink<H>>(words: &FailureWords<H>, out: &mut K) {
        response::failure(words, out);
    }
    fn thought<H: Host, K: Sink<H>>(text: &Text<H>, out: &mut K) {
        response::thought(text, out);
    }
}

/// Reads one element of a reply.
type ReadStep<H> = fn(&Tree<'_, H>, &Trail<'_>, &mut Turn<H>) -> Result<(), Error>;

/// Reads the steps after the input, which a stored interaction repeats.
fn turns<H: Host>(
    steps: &Tree<'_, H>,
    at: &Trail<'_>,
    read: ReadStep<H>,
    said: &mut ReplyParts<H>,
) -> Result<(), Error> {
    if steps.kind() != NodeKind::List {
        return Err(wrong_type("a list", steps, at));
    }
    for (index, step) in steps.items().enumerate().skip_while(|(_, step)| is_input(step)) {
        let at = at.index(index);
        said.turn(step.0, |step, turn| read(step, &at, turn))?;
    }
    Ok(())
}

fn is_input<S: Source>(step: &S) -> bool {
    let kind = step.get(&k::TYPE);
    kind.as_ref()
        .and_then(Source::word)
        .is_some_and(|kind| [k::USER_INPUT.name, k::FUNCTION_RESULT.name].contains(&&*kind))
}
