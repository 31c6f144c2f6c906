//! Reads a Gemini reply: `{"candidates": [{"content", "finishReason"}], "usageMetadata"}`, in both spellings.

use super::{
    Gemini,
    end::meaning,
    keys::{
        CACHED_TOKENS, CANDIDATES, CANDIDATES_TOKENS, CONTENT, ERROR, FINISH_REASON, FINISH_REASON_SNAKE, MODEL, PARTS,
        PROMPT_FEEDBACK, PROMPT_FEEDBACK_SNAKE, PROMPT_TOKENS, ROLE, THOUGHTS_TOKENS, TOTAL_TOKENS, USAGE, USAGE_SNAKE,
    },
    read, response,
    spelling::{either, other},
    stream, stream_out,
};
use crate::{
    model::reply::{Finish, ReplyParts, Tokens},
    report::{error::Error, path::Trail},
    value::{
        door::{Source, keys},
        handle::{Host, Text, Value},
        node::NodeKind,
        tree::Tree,
    },
    wire::{
        format::Reply,
        read::keys::{Keys, wrong_type},
        response::{draft::Draft, failure::FailureRow, rule::ResponseRule},
        stream::whole::{Map, word},
    },
};

keys! {
    BLOCK_REASON = "blockReason";
    BLOCK_REASON_SNAKE = "block_reason";
    PROMPT_TOKENS_SNAKE = "prompt_token_count";
    TOOL_USE_TOKENS = "toolUsePromptTokenCount";
    TOOL_USE_TOKENS_SNAKE = "tool_use_prompt_token_count";
    CANDIDATES_TOKENS_SNAKE = "candidates_token_count";
    THOUGHTS_TOKENS_SNAKE = "thoughts_token_count";
    CACHED_TOKENS_SNAKE = "cached_content_token_count";
    TOTAL_TOKENS_SNAKE = "total_token_count";
}

impl Reply for Gemini {
    const RESPONSE: Option<&'static ResponseRule> = Some(&response::RULE);
    type Stream<H: Host> = stream::Stream<H>;
    type Out<H: Host> = stream_out::Chunks<H>;
    fn reply<H: Host>(payload: &Tree<'_, H>, said: &mut ReplyParts<H>) -> Result<(), Error> {
        let at = Trail::ROOT;
        let mut keys = Keys::of(payload, &at)?;
        said.cost(either(&mut keys, &USAGE, &USAGE_SNAKE).as_ref(), tokens);
        said.error = keys.some(&ERROR).map(|error| error.0.share());
        let feedback = either(&mut keys, &PROMPT_FEEDBACK, &PROMPT_FEEDBACK_SNAKE);
        let candidates = match keys.some(&CANDIDATES) {
            Some(candidates) => candidates,
            // A blocked prompt has no answer, nor has an error.
            None if feedback.is_some() || said.error.is_some() => {
                let reason = feedback.and_then(|feedback| other(&feedback, &BLOCK_REASON, &BLOCK_REASON_SNAKE));
                said.stopped(reason.and_then(|reason| reason.text()), |_| Finish::Filtered);
                return Ok(());
            }
            None => return Err(keys.missing(&CANDIDATES)),
        };
        let at = at.key(CANDIDATES.name);
        if candidates.kind() != NodeKind::List {
            return Err(wrong_type("a list", &candidates, &at));
        }
        said.others(&CANDIDATES, &candidates);
        let Some(candidate) = candidates.items().next() else { return Ok(()) };
        let at = at.index(0);
        let mut keys = Keys::of(&candidate, &at)?;
        if let Some(content) = keys.some(&CONTENT) {
            turn(&content, &at.key(CONTENT.name), said)?;
        }
        let reason = keys.text(&FINISH_REASON)?;
        let reason = reason.map_or_else(|| keys.text(&FINISH_REASON_SNAKE), |reason| Ok(Some(reason)))?;
        said.stopped(reason, meaning);
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

/// Reads the content as a turn of the model, even without a role. A content without parts is not a turn.
fn turn<H: Host>(content: &Tree<'_, H>, at: &Trail<'_>, said: &mut ReplyParts<H>) -> Result<(), Error> {
    if content.kind() != NodeKind::Map {
        return Err(wrong_type("an object", content, at));
    }
    if content.get(&PARTS).is_none() {
        return Ok(());
    }
    if content.get(&ROLE).is_some() {
        return said.turn(content.0, |content, turn| read::turn(content, at, turn));
    }
    let mut named = Map::default();
    named.put(&ROLE, word(&MODEL));
    named.rest(content.0);
    said.turn(&named.value(), |content, turn| read::turn(content, at, turn))
}

/// Counts thoughts and the input from provider-run tools separately. Counts of zero are left out.
fn tokens<H: Host>(usage: &Tree<'_, H>) -> Tokens {
    let of = |camel, snake| other(usage, camel, snake).as_ref().and_then(Source::count);
    let sum = |one: Option<u64>, more: Option<u64>| Some(one?.saturating_add(more.unwrap_or(0)));
    let total = of(&TOTAL_TOKENS, &TOTAL_TOKENS_SNAKE);
    let thoughts = of(&THOUGHTS_TOKENS, &THOUGHTS_TOKENS_SNAKE);
    Tokens {
        input: sum(of(&PROMPT_TOKENS, &PROMPT_TOKENS_SNAKE), of(&TOOL_USE_TOKENS, &TOOL_USE_TOKENS_SNAKE)),
        output: sum(of(&CANDIDATES_TOKENS, &CANDIDATES_TOKENS_SNAKE).or(total.map(|_| 0)), thoughts),
        cached: of(&CACHED_TOKENS, &CACHED_TOKENS_SNAKE),
        reasoning: thoughts,
        written: None,
    }
}
