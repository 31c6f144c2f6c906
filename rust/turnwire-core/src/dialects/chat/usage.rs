//! Reads what a reply cost.

use super::keys::{
    CACHE_WRITE_TOKENS, CACHED_TOKENS, CHOICES, COMPLETION_TOKENS, COMPLETION_TOKENS_DETAILS, PROMPT_TOKENS,
    PROMPT_TOKENS_DETAILS, REASONING_TOKENS, USAGE,
};
use crate::{
    model::reply::{Tokens, count},
    report::path::Trail,
    value::{
        door::{Source, keys},
        handle::{Host, Value},
        node::NodeKind,
        tree::Tree,
    },
    wire::read::keys::Keys,
};

keys! {
    X_GROQ = "x_groq";
    NUM_CACHED_TOKENS = "num_cached_tokens";
    PROMPT_CACHE_HIT_TOKENS = "prompt_cache_hit_tokens";
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
