//! Reads replies of the family: with choices, `{"choices": [{"message", "finish_reason"}], "usage"}`, or flat.

use super::{Chat, read};
use crate::{
    model::reply::{Finish, ReplyParts, Tokens, count},
    report::{error::Error, path::Trail},
    rules::dialect_id::DialectId,
    value::{
        door::{Key, Source, keys},
        handle::{Host, Text, Value},
        node::NodeKind,
        tree::Tree,
    },
    wire::{
        format::Reply,
        read::keys::{Keys, wrong_type},
        response::{draft::Draft, failure::FailureRow, rule::ResponseRule},
    },
};

keys! {
    CHOICES = "choices";
    MESSAGE = "message";
    FINISH_REASON = "finish_reason";
    USAGE = "usage";
    X_GROQ = "x_groq";
    ERROR = "error";
    PROMPT_TOKENS = "prompt_tokens";
    COMPLETION_TOKENS = "completion_tokens";
    PROMPT_TOKENS_DETAILS = "prompt_tokens_details";
    COMPLETION_TOKENS_DETAILS = "completion_tokens_details";
    CACHED_TOKENS = "cached_tokens";
    NUM_CACHED_TOKENS = "num_cached_tokens";
    CACHE_WRITE_TOKENS = "cache_write_tokens";
    REASONING_TOKENS = "reasoning_tokens";
    PROMPT_CACHE_HIT_TOKENS = "prompt_cache_hit_tokens";
}

impl<D: Chat> Reply for D {
    const RESPONSE: Option<&'static ResponseRule> = Some(D::MEMBER.response);
    type Stream<H: Host> = <D as Chat>::Stream<H>;
    type Out<H: Host> = <D as Chat>::Out<H>;

    fn reply<H: Host>(payload: &Tree<'_, H>, said: &mut ReplyParts<H>) -> Result<(), Error> {
        <D as Chat>::reply(payload, said)
    }
    fn response<H: Host>(draft: &mut Draft<'_, H>) -> Value<H> {
        <D as Chat>::response(draft)
    }
    fn failure<H: Host>(message: Text<H>, row: FailureRow, status: u16) -> Value<H> {
        <D as Chat>::failure(message, row, status)
    }
    fn thought<H: Host>(text: Text<H>) -> Option<Value<H>> {
        <D as Chat>::thought(text)
    }
    fn thought_key(target: DialectId) -> Option<&'static Key> {
        <D as Chat>::thought_key(target)
    }
}

/// Reads a reply with choices, and takes the first choice.
pub(crate) fn choices<D: Chat, H: Host>(payload: &Tree<'_, H>, said: &mut ReplyParts<H>) -> Result<(), Error> {
    let at = Trail::ROOT;
    let mut keys = Keys::of(payload, &at)?;
    (said.usage, said.tokens) = D::cost(payload);
    said.failed(payload, &CHOICES);
    // An error may have no choices.
    let Some(choices) = keys.needed_unless(said.error.is_some(), &CHOICES)? else { return Ok(()) };
    let at = at.key(CHOICES.name);
    if choices.kind() != NodeKind::List {
        return Err(wrong_type("a list", &choices, &at));
    }
    said.others(&CHOICES, &choices);
    let Some(choice) = choices.items().next() else { return Ok(()) };
    let at = at.index(0);
    let mut keys = Keys::of(&choice, &at)?;
    if let Some(error) = keys.some(&ERROR) {
        said.error.get_or_insert_with(|| error.0.share());
    }
    let message = keys.needed(&MESSAGE)?;
    let at_message = at.key(MESSAGE.name);
    said.turn(message.0, |message, turn| read::turn(D::reads(), message, &at_message, turn))?;
    said.stopped(keys.text(&FINISH_REASON)?, D::MEMBER.meaning);
    Ok(())
}

/// Reads a reply that is one message, with further keys beside it.
pub(crate) fn flat<D: Chat, H: Host>(payload: &Tree<'_, H>, said: &mut ReplyParts<H>) -> Result<(), Error> {
    let at = Trail::ROOT;
    let mut keys = Keys::of(payload, &at)?;
    (said.usage, said.tokens) = D::cost(payload);
    said.error = keys.some(&ERROR).map(|error| error.0.share());
    // An error may have no message.
    let Some(message) = keys.needed_unless(said.error.is_some(), &MESSAGE)? else { return Ok(()) };
    if message.kind() == NodeKind::Text {
        // An error may use the same key for its text.
        said.error.get_or_insert_with(|| message.0.share());
        return Ok(());
    }
    let at_message = at.key(MESSAGE.name);
    said.turn(message.0, |message, turn| read::turn(D::reads(), message, &at_message, turn))?;
    said.stopped(keys.text(D::MEMBER.end)?, D::MEMBER.meaning);
    Ok(())
}

/// The usage, under the family's keys.
pub(crate) fn cost<H: Host>(payload: &Tree<'_, H>) -> (Option<Value<H>>, Tokens) {
    let at = Trail::ROOT;
    let own = Keys::of(payload, &at).ok().and_then(|mut keys| usage(&mut keys));
    let usage = own.or_else(|| counts(payload.get(&CHOICES)?.items().next()?.get(&USAGE))).map(|usage| usage.0.share());
    let tokens = usage.as_ref().map_or_else(Tokens::default, |usage| tokens(&Tree(usage)));
    (usage, tokens)
}

/// The usage of a reply or a chunk. Groq's streams have it in their own key, Kimi's in the choice.
pub(super) fn usage<S: Source>(keys: &mut Keys<'_, S>) -> Option<S> {
    let groqs = |keys: &Keys<'_, S>| if keys.are_left() { keys.node.get(&X_GROQ)?.get(&USAGE) } else { None };
    counts(keys.some(&USAGE)).or_else(|| counts(groqs(keys)))
}

/// A usage that holds counts. Some servers send something else under its key.
pub(super) fn counts<S: Source>(usage: Option<S>) -> Option<S> {
    usage.filter(|usage| usage.kind() == NodeKind::Map)
}

fn tokens<H: Host>(usage: &Tree<'_, H>) -> Tokens {
    let own = |key| count(usage, key);
    let inner = |outer, key| count(&usage.get(outer)?, key);
    Tokens {
        input: own(&PROMPT_TOKENS),
        output: own(&COMPLETION_TOKENS),
        // DeepSeek, Kimi and Mistral have their own keys.
        cached: inner(&PROMPT_TOKENS_DETAILS, &CACHED_TOKENS)
            .or_else(|| own(&PROMPT_CACHE_HIT_TOKENS))
            .or_else(|| own(&CACHED_TOKENS))
            .or_else(|| own(&NUM_CACHED_TOKENS)),
        reasoning: inner(&COMPLETION_TOKENS_DETAILS, &REASONING_TOKENS),
        written: inner(&PROMPT_TOKENS_DETAILS, &CACHE_WRITE_TOKENS),
    }
}

/// The reference's words, and those of compatible servers: Mistral, DeepSeek, Together, Hugging Face, Z.ai, OpenRouter.
pub(super) fn meaning(word: &str) -> Finish {
    match word {
        "stop" | "end_turn" | "eos" | "eos_token" | "stop_sequence" => Finish::Stop,
        "tool_calls" | "function_call" => Finish::ToolCalls,
        "length" | "model_length" => Finish::Length,
        "content_filter" | "sensitive" => Finish::Filtered,
        "error" | "network_error" | "insufficient_system_resource" => Finish::Error,
        _ => Finish::Other,
    }
}
