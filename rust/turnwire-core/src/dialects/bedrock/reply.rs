//! Reads a Converse reply: `{"output": {"message"}, "stopReason", "usage"}`.

use super::keys as k;
use super::{Bedrock, end::meaning, read, response, stream, stream_out};
use crate::{
    model::ReplyParts,
    report::{Error, Trail},
    value::{Host, Sink, Text, Tree},
    wire::{
        format::Reply,
        read::Keys,
        response::{Draft, FailureWords, ResponseRule},
    },
};

impl Reply for Bedrock {
    const RESPONSE: Option<&'static ResponseRule> = Some(&response::RULE);
    type Stream<H: Host> = stream::Stream<H>;
    type Out<H: Host> = stream_out::Events<H>;
    fn reply<H: Host>(payload: &Tree<'_, H>, said: &mut ReplyParts<H>) -> Result<(), Error> {
        let at = Trail::ROOT;
        let mut keys = Keys::of(payload, &at)?;
        said.cost(keys.some(&k::USAGE).as_ref(), |usage| response::RULE.usage.read(usage));
        said.failed(payload, &k::OUTPUT);
        // An error may have no output.
        let Some(output) = keys.needed_unless(said.error.is_some(), &k::OUTPUT)? else { return Ok(()) };
        let at = at.key(k::OUTPUT.name);
        let message = Keys::of(&output, &at)?.needed(&k::MESSAGE)?;
        let at = at.key(k::MESSAGE.name);
        said.turn(message.0, |message, turn| read::turn(message, &at, turn))?;
        said.stopped(keys.text(&k::STOP_REASON)?, meaning);
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
