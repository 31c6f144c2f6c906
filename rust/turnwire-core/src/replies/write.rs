//! Writes a reply as another provider would have sent it: its body, its losses, and the status of an error.
//!
//! The writers of requests write its turns (`turns.rs`). The format's `response.rs` adds the keys beside them, by the
//! data of its rule.

use super::{beside, failed, limits::limits, place::place, turns::Turns};
use crate::{
    detect::detect,
    dialects::registry,
    model::{Finish, Reply},
    report::{Change, Edit, Error, Losses, Options},
    rules::DialectId,
    value::{Host, Text, Tree, Value, json},
    wire::{
        response::{
            Around, Closing, Draft, FailureWords, Wanted,
            failure::{Failure, Trouble},
        },
        stream::whole::replaced_at,
    },
};

/// Why content is lost beside an error.
pub(super) const NOT_IN_ERRORS: &str = "an error of the target cannot have what came before it";

/// A written reply.
#[derive(Debug)]
pub struct Written<H: Host> {
    /// The body of the response.
    pub payload: Value<H>,
    /// The losses.
    pub losses: Vec<Change>,
    /// The status, if the response is an error.
    pub status: Option<u16>,
}

/// What is known about the reply from outside it.
pub struct Beside<'a, H: Host> {
    /// The status of the original response.
    pub status: Option<u16>,
    /// The caller's own request, because some formats repeat its keys.
    pub asked: Option<&'a Value<H>>,
}

/// Writes a reply in the form of `target`.
pub fn write<H: Host>(reply: &Reply<H>, target: DialectId, beside: &Beside<'_, H>) -> Result<Written<H>, Error> {
    let rule = registry::response_rule(target)?;
    let mut losses = Losses::new(&Options::default());
    losses.list.extend(reply.losses.iter().filter(|_| !reply.from.same_wire(target)).cloned());
    // A list of events cannot hold changed turns, so it is rewritten.
    let fixed = |origin: &&Value<H>| matches!(origin, Value::List(_)) && reply.turns.iter().any(|turn| turn.touched);
    let origin = reply.origin.as_ref().filter(|origin| reply.from.same_wire(target) && !fixed(origin));
    if let Some(origin) = origin {
        let failure = failed::failure(reply, beside.status)?.filter(|_| reply.turns.is_empty());
        if let Some(failure) = &failure
            && !failed::replays(reply, origin, target, failure)?
        {
            return failed(reply, target, failure, losses);
        }
        let payload = replayed(reply, origin, target)?;
        // The body says the same as its status, which stays, too; but a request that is too long is the client's fault.
        let own = |failure: &Failure<H>| failure.status.filter(|_| failure.trouble != Trouble::TooLong);
        let status = failure.map(|failure| own(&failure).unwrap_or_else(|| failure.row(rule.failures).1));
        return Ok(Written { payload, losses: losses.list, status });
    }
    if let Some(failure) = failed::failure(reply, beside.status)? {
        return failed(reply, target, &failure, losses);
    }
    if rule.words.of(reply.finish).word().is_none() {
        return failed(reply, target, &ended(reply), losses);
    }
    let turns = Turns::of(reply, target, &mut losses)?;
    let Some(closing) = Closing::of(reply.said_end(), turns.end(reply, rule), &reply.tokens, rule) else {
        return failed(reply, target, &ended(reply), losses);
    };
    let closing = closing.with(turns.word(reply, rule)).served_at(beside::tier(reply)?);
    let draft = Draft {
        around: Around::of(rule, reply.head.share(), wanted(beside.asked, target), || seed(reply)),
        own: reply.from.same_wire(target),
        messages: turns.messages,
        thoughts: turns.thoughts,
        refusal: reply.refusal.as_ref().map(Text::share).filter(|_| reply.from.same_wire(target)),
        closing,
        failure: (reply.finish == Finish::Error).then(|| FailureWords::of(&ended(reply), rule)),
    };
    beside::end_told(reply, &draft.closing, draft.around.made_up(), &mut losses)?;
    let payload = registry::response(target, draft)?;
    beside::lost(reply, rule, false, &mut losses)?;
    beside::placed(reply, &mut losses);
    Ok(Written { payload, losses: losses.list, status: None })
}

/// A reply of the same format stays unchanged, except for changed turns.
fn replayed<H: Host>(reply: &Reply<H>, origin: &Value<H>, target: DialectId) -> Result<Value<H>, Error> {
    let mut payload = origin.share();
    for (index, turn) in reply.turns.iter().enumerate().filter(|(_, turn)| turn.touched) {
        let limits = limits(target)?;
        let messages = registry::messages(vec![turn], (target, &limits), &mut Losses::default())?;
        let [message] = messages.as_slice() else { continue };
        let steps: Vec<_> = place(reply, index).steps().collect();
        payload = replaced_at(&payload, &steps, message.share());
    }
    Ok(payload)
}

/// Writes an error in the target's form.
fn failed<H: Host>(
    reply: &Reply<H>,
    target: DialectId,
    failure: &Failure<H>,
    mut losses: Losses,
) -> Result<Written<H>, Error> {
    if reply.turns.iter().any(|turn| !turn.parts.is_empty()) {
        losses.lost(Edit::EmptyTurn, place(reply, 0), NOT_IN_ERRORS)?;
    }
    let rule = registry::response_rule(target)?;
    beside::lost(reply, rule, true, &mut losses)?;
    beside::placed(reply, &mut losses);
    let words = FailureWords::of(failure, rule);
    let payload = registry::failure(target, &words)?;
    Ok(Written { payload, losses: losses.list, status: Some(words.status) })
}

/// The error for a reply that did not end with an answer.
pub(super) fn ended<H: Host>(reply: &Reply<H>) -> Failure<H> {
    let message = match (&reply.stop_reason, &reply.why) {
        (Some(word), Some(why)) => format!("The reply ended with {:?}: {}", word.to_str(None), why.to_str(None)),
        (Some(word), None) => format!("The reply ended with {:?}.", word.to_str(None)),
        (None, _) => "The reply ended in the middle.".to_owned(),
    };
    Failure::of_server(&message)
}

/// The request that a reply in the form of `target` answers.
pub(super) fn wanted<H: Host>(asked: Option<&Value<H>>, target: DialectId) -> Wanted<H> {
    let is_in = |request: &Value<H>, client: DialectId| {
        detect(&Tree(request), Some(client)).is_ok_and(|found| found.same_wire(client))
    };
    asked.map_or_else(Wanted::unknown, |request| Wanted::of(request.share(), target, is_in))
}

/// What the ids of a reply without an id are made from: the reply itself.
fn seed<H: Host>(reply: &Reply<H>) -> Vec<u8> {
    let mut seed = Vec::new();
    if let Some(origin) = &reply.origin {
        let _ = json::encode::value(origin, None, &mut seed);
        return seed;
    }
    for text in reply.texts() {
        seed.extend_from_slice(&text.wtf8(None));
    }
    for call in reply.calls() {
        seed.extend_from_slice(&call.id.wtf8(None));
    }
    seed
}
