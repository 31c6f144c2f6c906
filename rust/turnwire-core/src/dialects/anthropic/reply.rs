//! Reads an Anthropic reply: a message with `role`, `content`, `stop_reason` and `usage`.

use super::{
    Anthropic,
    end::meaning,
    keys::{CONTENT, ERROR, EXPLANATION, ROLE, STOP_DETAILS, STOP_REASON, USAGE},
    read, response, stream, stream_out,
};
use crate::{
    model::ReplyParts,
    report::{Error, Trail},
    value::{Host, Source, Text, Tree, Value},
    wire::{
        format::Reply,
        read::Keys,
        response::{Draft, FailureRow, ResponseRule},
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
        said.cost(keys.some(&USAGE).as_ref(), |usage| response::RULE.usage.read(usage));
        said.error = keys.some(&ERROR).map(|error| error.0.share());
        // An error may have no content.
        let Some(content) = keys.needed_unless(said.error.is_some(), &CONTENT)? else { return Ok(()) };
        // A later request repeats only the role and the content; other keys describe the reply.
        let mut message = Map::default();
        message.put(&ROLE, keys.needed(&ROLE)?.0.share());
        message.put(&CONTENT, content.0.share());
        said.turn(&message.value(), |message, turn| read::turn(message, &at, turn))?;
        said.stopped(keys.text(&STOP_REASON)?, meaning);
        let details = payload.get(&STOP_DETAILS);
        said.refusal = details.and_then(|details| details.get(&EXPLANATION)?.text()).filter(|why| !why.is_empty());
        Ok(())
    }
    fn response<H: Host>(draft: &mut Draft<'_, H>) -> Value<H> {
        response::write(draft)
    }
    fn failure<H: Host>(message: Text<H>, row: FailureRow, status: u16) -> Value<H> {
        response::failure(message, row, status)
    }
    fn thought<H: Host>(text: Text<H>) -> Option<Value<H>> {
        Some(response::thought(text))
    }
}
