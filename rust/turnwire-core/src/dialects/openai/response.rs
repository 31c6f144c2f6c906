//! Writes a whole reply of OpenAI's chat, with the key for a refusal.

use super::keys as k;
use crate::{
    dialects::chat::response,
    value::{Host, Sink, Source, Tree, Value},
    wire::response::Draft,
};

/// The SDK's `ChatCompletion`. Real servers write the refusal's key in every message.
pub(super) fn write<H: Host, K: Sink<H>>(draft: &Draft<H>, out: &mut K) {
    let refuses = draft.message().is_some_and(|message| Tree(message).get(&k::REFUSAL).is_some());
    response::write(draft, (!refuses).then_some((&k::REFUSAL, Value::Null)), out);
}
