//! Writes a whole reply of OpenAI's chat, with the keys of its servers and compatible ones beside the content.

use super::keys as k;
use crate::{
    dialects::chat::response::{self, RULE, choices},
    rules::{DialectId, ReasoningRule},
    value::{Host, Key, Source, Tree, Value},
    wire::response::Draft,
};

/// The SDK's `ChatCompletion`. Real servers write the refusal's key in every message.
pub(super) fn write<H: Host>(draft: &mut Draft<'_, H>) -> Value<H> {
    let mut beside = Vec::new();
    if let (Some(key), Some(thoughts)) = (thought_key(draft.target), draft.thoughts.take()) {
        beside.push((key, Value::Text(thoughts)));
    }
    let refuses = draft.messages.first().is_some_and(|message| Tree(message).get(&k::REFUSAL).is_some());
    if !refuses {
        beside.push((&k::REFUSAL, Value::Null));
    }
    let message = response::message(draft, beside);
    choices(&RULE, draft, message)
}

/// OpenAI itself does not show reasoning. OpenRouter and Groq have this key, others a longer one.
pub(super) fn thought_key(target: DialectId) -> Option<&'static Key> {
    match (target.limits().ok()?.reasoning, target.name().as_str()) {
        (ReasoningRule::None | ReasoningRule::Signature(_), _) => None,
        (ReasoningRule::Own(_), _) | (_, "openai:openrouter") => Some(&k::REASONING),
        _ => Some(&k::REASONING_CONTENT),
    }
}
