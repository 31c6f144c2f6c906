//! Reads an Anthropic reply: a message with `role`, `content`, `stop_reason` and `usage`.

use super::keys as k;
use super::{Anthropic, end::meaning, read, response, stream, stream_out};
use crate::{
    model::ReplyParts,
    report::{Error, Trail},
    value::{Host, Sink, Source, Text, Tree},
    wire::{
        format::Reply,
        read::Keys,
        response::{Draft, FailureWords, ResponseRule},
        stream::Map,
    },
};

impl Reply for Anthropic {
    const RESPONSE: Option<&'static ResponseRule> = Some(&response::RULE);
    type Stream<H: Host> = stream::Stream<H>;
    type Out<H: Host> = stream_out::Events<H>;
    fn reply<H: Host>(payload: &Tree<'_, H>, said: &mut ReplyParts<H>) -> Result<(), Error> {
        let at = Trail::ROOT;
        let mut keys = Keys::of(payload, &at)?;
        said.cost(keys.some(&k::USAGE).as_ref(), |usage| response::RULE.usage.read(usage));
        said.error = keys.error(&k::ERROR, payload.get(&k::CONTENT).is_some()).map(|error| error.0.share());
        // An error may have no content.
        let Some(content) = keys.needed_unless(said.error.is_some(), &k::CONTENT)? else { return Ok(()) };
        // A later request repeats only the role and the content; other keys describe the reply.
        let mut message = Map::default();
        message.put(&k::ROLE, keys.needed(&k::ROLE)?.0.share());
        message.put(&k::CONTENT, content.0.share());
        said.turn(&message.value(), |message, turn| read::turn(message, &at, turn))?;
        said.stopped(keys.text(&k::STOP_REASON)?, meaning);
        let details = payload.get(&k::STOP_DETAILS);
        said.refusal = details.and_then(|details| details.get(&k::EXPLANATION)?.text()).filter(|why| !why.is_empty());
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
