//! Reading an Anthropic reply: a message with `role`, `content`, `stop_reason` and `usage`.

#[allow(clippy::wildcard_imports, reason = "the keys of this format, declared next door")]
use super::*;
use super::{super::read::Keys, parse};
use crate::{
    reply::{Finish, Said, Tokens},
    stream::whole::Map,
    value::{Key, tree::Tree},
};

keys! {
    STOP_REASON = "stop_reason";
    USAGE = "usage";
    ERROR = "error";
    INPUT_TOKENS = "input_tokens";
    OUTPUT_TOKENS = "output_tokens";
    CACHE_CREATION_INPUT_TOKENS = "cache_creation_input_tokens";
    CACHE_READ_INPUT_TOKENS = "cache_read_input_tokens";
    OUTPUT_TOKENS_DETAILS = "output_tokens_details";
    THINKING_TOKENS = "thinking_tokens";
}

pub(super) fn reply<H: Host>(payload: &Tree<'_, H>, said: &mut Said<H>) -> Result<(), Error> {
    let at = Trail::ROOT;
    let mut keys = Keys::of(payload, &at)?;
    if let Some(usage) = keys.some(&USAGE) {
        said.tokens = tokens(&usage);
        said.usage = Some(usage.0.share());
    }
    said.error = keys.some(&ERROR).map(|error| error.0.share());
    let content = match keys.some(&CONTENT) {
        Some(content) => content,
        // An error that came alone.
        None if said.error.is_some() => return Ok(()),
        None => return Err(keys.missing(&CONTENT)),
    };
    // What goes back in a request is the role and the content: all else is about the reply.
    let mut message = Map::default();
    message.put(&ROLE, keys.needed(&ROLE)?.0.share());
    message.put(&CONTENT, content.0.share());
    said.turn(&message.value(), |message, turn| parse::turn(message, &at, turn))?;
    said.stopped(keys.text(&STOP_REASON)?, meaning);
    Ok(())
}

/// The reference counts what was cached, or is to be, apart from the rest of the input.
fn tokens<H: Host>(usage: &Tree<'_, H>) -> Tokens {
    let own = |key: &'static Key| usage.get(key).as_ref().and_then(Source::count);
    let cached = own(&CACHE_READ_INPUT_TOKENS);
    let apart = cached.unwrap_or(0).saturating_add(own(&CACHE_CREATION_INPUT_TOKENS).unwrap_or(0));
    Tokens {
        input: own(&INPUT_TOKENS).map(|input| input.saturating_add(apart)),
        output: own(&OUTPUT_TOKENS),
        cached,
        reasoning: usage
            .get(&OUTPUT_TOKENS_DETAILS)
            .and_then(|details| details.get(&THINKING_TOKENS))
            .as_ref()
            .and_then(Source::count),
    }
}

/// The SDK's `StopReason`.
pub(super) fn meaning(word: &str) -> Finish {
    match word {
        "end_turn" | "stop_sequence" => Finish::Stop,
        "tool_use" => Finish::ToolCalls,
        "max_tokens" | "model_context_window_exceeded" => Finish::Length,
        "pause_turn" | "compaction" => Finish::Paused,
        "refusal" => Finish::Refusal,
        _ => Finish::Other,
    }
}
