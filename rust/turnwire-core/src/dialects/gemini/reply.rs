//! Reads a Gemini reply: `{"candidates": [{"content", "finishReason"}], "usageMetadata"}`, in both spellings.

use super::keys as k;
use super::{
    Gemini,
    end::{BLOCKS, FINISHES, meaning, word_of},
    read, response,
    spelling::{either, other},
    stream, stream_out,
};
use crate::{
    model::{Finish, Head, ReplyParts},
    report::{Error, Trail},
    value::{Host, Key, NodeKind, Sink, Source, Text, Tree, door::keys},
    wire::{
        format::Reply,
        read::{Keys, keys::wrong_type},
        response::{Draft, FailureWords, ResponseRule},
        stream::{Assembly, Map, Told, whole::word},
    },
};

keys! {
    BLOCK_REASON = "blockReason";
    BLOCK_REASON_SNAKE = "block_reason";
    FINISH_MESSAGE = "finishMessage";
    FINISH_MESSAGE_SNAKE = "finish_message";
}

impl Reply for Gemini {
    const RESPONSE: Option<&'static ResponseRule> = Some(&response::RULE);
    type Stream<H: Host> = stream::Stream<H>;
    type Out<H: Host> = stream_out::Chunks<H>;
    fn reply<H: Host>(payload: &Tree<'_, H>, said: &mut ReplyParts<H>) -> Result<(), Error> {
        if is_stream(payload) {
            return joined(payload, said);
        }
        let at = Trail::ROOT;
        let mut keys = Keys::of(payload, &at)?;
        let usage = keys.some(&k::USAGE);
        said.places.usage = if usage.is_some() { ".usageMetadata" } else { ".usage_metadata" };
        said.cost(usage.or_else(|| keys.some(&k::USAGE_SNAKE)).as_ref(), |usage| response::RULE.usage.read(usage));
        let is_answered = payload.get(&k::CANDIDATES).is_some_and(|candidates| !candidates.is_empty());
        said.error = keys.error(&k::ERROR, is_answered).map(|error| error.0.share());
        let feedback = either(&mut keys, &k::PROMPT_FEEDBACK, &k::PROMPT_FEEDBACK_SNAKE);
        // A blocked prompt has no answer, or an empty list of them.
        let blocked = |candidates: &Tree<'_, H>| candidates.is_empty() && feedback.is_some();
        let candidates = match keys.some(&k::CANDIDATES).filter(|candidates| !blocked(candidates)) {
            Some(candidates) => candidates,
            None if feedback.is_some() || said.error.is_some() => {
                let reason = feedback.and_then(|feedback| other(&feedback, &BLOCK_REASON, &BLOCK_REASON_SNAKE));
                said.stopped(reason.and_then(|reason| word_of(&reason, BLOCKS)), |_| Finish::Filtered);
                let is_camel = payload.get(&k::PROMPT_FEEDBACK).is_some();
                said.places.end =
                    Some(if is_camel { ".promptFeedback.blockReason" } else { ".prompt_feedback.block_reason" });
                return Ok(());
            }
            None => return Err(keys.missing(&k::CANDIDATES)),
        };
        let at = at.key(k::CANDIDATES.name);
        if candidates.kind() != NodeKind::List {
            return Err(wrong_type("a list", &candidates, &at));
        }
        said.others(&k::CANDIDATES, &candidates);
        let Some(candidate) = candidates.items().next() else { return Ok(()) };
        let at = at.index(0);
        let mut keys = Keys::of(&candidate, &at)?;
        if let Some(content) = keys.some(&k::CONTENT) {
            turn(&content, &at.key(k::CONTENT.name), said)?;
        }
        let mut reason = finish(&mut keys, &k::FINISH_REASON)?;
        if reason.is_none() {
            reason = finish(&mut keys, &k::FINISH_REASON_SNAKE)?;
            said.places.end = reason.is_some().then_some(".candidates[0].finish_reason");
        }
        said.stopped(reason, meaning);
        let why = either(&mut keys, &FINISH_MESSAGE, &FINISH_MESSAGE_SNAKE);
        said.why = why.and_then(|why| why.text()).filter(|why| !why.is_empty());
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

/// Reads a reply that is the list of its chunks, like the stream that it is.
fn joined<H: Host>(chunks: &Tree<'_, H>, said: &mut ReplyParts<H>) -> Result<(), Error> {
    let (mut stream, mut out) = (stream::Stream::new()?, Told::new(false));
    stream.feed(chunks, &mut out)?;
    let cut = !stream.has_ended();
    let whole = stream.finish(cut, &mut out)?;
    Gemini::reply(&Tree(&whole), said)?;
    said.head = Some(Head::of_chunks(chunks));
    said.chunks = Some(stream.began());
    said.finish = if cut { Some(Finish::Error) } else { said.finish };
    Ok(())
}

/// Whether a reply is the list of its chunks.
fn is_stream<H: Host>(payload: &Tree<'_, H>) -> bool {
    let signs = [&k::CANDIDATES, &k::PROMPT_FEEDBACK, &k::PROMPT_FEEDBACK_SNAKE, &k::ERROR];
    payload.kind() == NodeKind::List && payload.items().any(|chunk| signs.iter().any(|sign| chunk.get(sign).is_some()))
}

/// The word for the end under a key: a string, or Vertex's number.
fn finish<S: Source>(keys: &mut Keys<'_, S>, key: &'static Key) -> Result<Option<Text<S::H>>, Error> {
    match keys.some(key) {
        Some(reason) if reason.count().is_some() => Ok(word_of(&reason, FINISHES)),
        Some(reason) => keys.text_of(&reason, key).map(Some),
        None => Ok(None),
    }
}

/// Reads the content as a turn of the model, even without a role. A content without parts is not a turn.
fn turn<H: Host>(content: &Tree<'_, H>, at: &Trail<'_>, said: &mut ReplyParts<H>) -> Result<(), Error> {
    if content.kind() != NodeKind::Map {
        return Err(wrong_type("an object", content, at));
    }
    if content.get(&k::PARTS).is_none() {
        return Ok(());
    }
    if content.get(&k::ROLE).is_some() {
        return said.turn(content.0, |content, turn| read::turn(content, at, turn));
    }
    let mut named = Map::default();
    named.put(&k::ROLE, word(&k::MODEL));
    named.rest(content.0);
    said.turn(&named.value(), |content, turn| read::turn(content, at, turn))
}
