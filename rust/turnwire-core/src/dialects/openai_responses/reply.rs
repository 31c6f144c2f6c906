//! Reads a Responses reply: `{"status", "incomplete_details", "output": [items], "usage"}`; each item is a turn.

use super::keys as k;
use super::{OpenAiResponses, end::meaning, forms::settle::settle, items, read, response, stream, stream_out};
use crate::{
    model::{Finish, Frame, Kind, ReplyParts},
    report::{Error, Trail},
    rules::DialectId,
    value::{HashSet, Host, Key, NodeKind, Sink, Source, Text, Tree, Value},
    wire::{
        format::Reply,
        read::{Keys, keys::wrong_type, tools},
        response::{Draft, FailureWords, ResponseRule},
        stream::whole::object,
    },
};

impl Reply for OpenAiResponses {
    const RESPONSE: Option<&'static ResponseRule> = Some(&response::RULE);
    type Stream<H: Host> = stream::Stream<H>;
    type Out<H: Host> = stream_out::Events<H>;
    fn reply<H: Host>(payload: &Tree<'_, H>, said: &mut ReplyParts<H>) -> Result<(), Error> {
        let at = Trail::ROOT;
        let mut keys = Keys::of(payload, &at)?;
        said.cost(keys.some(&k::USAGE).as_ref(), |usage| response::RULE.usage.read(usage));
        said.error = keys.error(&k::ERROR, payload.get(&k::OUTPUT).is_some()).map(|error| error.0.share());
        // An error may have no output.
        let Some(output) = keys.needed_unless(said.error.is_some(), &k::OUTPUT)? else { return Ok(()) };
        let output_at = at.key(k::OUTPUT.name);
        if output.kind() != NodeKind::List {
            return Err(wrong_type("a list", &output, &output_at));
        }
        for (index, item) in output.items().enumerate() {
            let item_at = output_at.index(index);
            said.turn(item.0, |item, turn| read::turn(item, &item_at, turn))?;
        }
        let frame = tools_of(payload, said.from);
        settle(&mut said.turns, &frame);
        let details = keys.some(&k::INCOMPLETE_DETAILS);
        let reason = details.and_then(|details| details.get(&k::REASON)).and_then(|reason| reason.text());
        let status = keys.text(&k::STATUS)?;
        let general = status.as_ref().map_or(Finish::Other, |status| meaning(&status.to_str(None)));
        let waits = general == Finish::Stop && waits(said, &output);
        // The reason says more than the status `incomplete`.
        said.stopped(reason.or(status), |word| match meaning(word) {
            _ if waits => Finish::Paused,
            Finish::Other => general,
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
    fn refusal<H: Host>(text: Text<H>) -> Option<Value<H>> {
        Some(object(|out| response::refusal(&text, out)))
    }
}

/// What the tools that a reply repeats say of its calls.
pub(super) fn tools_of<S: Source>(response: &S, from: DialectId) -> Frame<S::H> {
    let tools = response.get(&k::TOOLS).filter(|tools| tools.kind() == NodeKind::List);
    // Tools that cannot be read say nothing.
    let tools = tools.and_then(|tools| tools::each(&tools, &Trail::ROOT, super::tools::read).ok());
    Frame { tools, input: response.input().cloned(), ..Frame::empty(from) }
}

/// Whether the reply waits for the client, other than for results of its own tools: an approval, a shell, a screen.
/// Provider-run calls have their output in the same reply.
fn waits<H: Host>(said: &ReplyParts<H>, output: &Tree<'_, H>) -> bool {
    let called = said.turns.iter().flat_map(|turn| &turn.parts).any(|part| matches!(part.kind, Kind::Call(_)));
    let is = |item: &Tree<'_, H>, key: &'static Key, test: fn(&str) -> bool| {
        item.get(key).as_ref().and_then(Source::word).is_some_and(|word| test(&word))
    };
    let id = |item: &Tree<'_, H>| Some(item.get(&k::CALL_ID)?.text()?.wtf8(None).into_owned());
    let outputs = output.items().filter(|item| is(item, &k::TYPE, |kind| kind.ends_with("_output")));
    let done: HashSet<_> = outputs.filter_map(|item| id(&item)).collect();
    let asks = |item: Tree<'_, H>| {
        is(&item, &k::TYPE, items::asks_the_client)
            && !is(&item, &k::EXECUTION, |by| by == "server")
            && id(&item).is_none_or(|id| !done.contains(&id))
    };
    !called && output.items().any(asks)
}
