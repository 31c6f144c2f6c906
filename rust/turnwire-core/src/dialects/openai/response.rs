//! Writes a whole reply of OpenAI's chat, with the key for a refusal.

use super::keys as k;
use crate::{
    dialects::chat::response::{self, RULE, choices},
    value::{Host, Source, Tree, Value},
    wire::response::Draft,
};

/// The SDK's `ChatCompletion`. Real servers write the refusal's key in every message.
pub(super) fn write<H: Host>(draft: &mut Draft<'_, H>) -> Value<H> {
    let refuses = draft.messages.first().is_some_and(|message| Tree(message).get(&k::REFUSAL).is_some());
    let beside = if refuses { None } else { Some((&k::REFUSAL, Value::Null)) };
    let message = response::message(draft, beside);
    choices(&RULE, draft, message)
}
