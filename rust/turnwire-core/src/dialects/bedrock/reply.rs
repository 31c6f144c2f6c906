//! Reads a Converse reply: `{"output": {"message"}, "stopReason", "usage"}`.

use super::keys as k;
use super::{Bedrock, end::meaning, read, response, stream, stream_out};
use crate::{
    model::ReplyParts,
    report::{Error, Trail},
    value::{Host, Text, Tree, Value},
    wire::{
        format::Reply,
        read::Keys,
        response::{Draft, FailureRow, ResponseRule},
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
    fn response<H: Host>(draft: &mut Draft<'_, H>) -> Value<H> {
        response::write(draft)
    }
    fn failure<H: Host>(message: Text<H>, row: FailureRow, status: u16) -> Value<H> {
        response::failure(message, row, status)
    }
    fn thought<H: Host>(text: Text<H>) -> Value<H> {
        response::thought(text)
    }
}
