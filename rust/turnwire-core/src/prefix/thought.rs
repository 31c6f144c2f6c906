//! A reasoning block, which is compared separately: its position, and its identity.

use super::element::{get, json, sorted, text_of};
use crate::{
    report::Path,
    value::{Host, Value},
};

/// A reasoning block, with the number of pieces before it.
pub(super) struct Thought<H: Host> {
    pub(super) path: Path,
    pub(super) word: String,
    pub(super) at: usize,
    /// The index of its message.
    pub(super) message: usize,
    /// Its identity: its signature, else its id, else its whole content.
    pub(super) token: Vec<u8>,
    pub(super) signed: bool,
    pub(super) value: Value<H>,
}

impl<H: Host> Thought<H> {
    /// A block with the number of pieces and messages before it.
    pub(super) fn new(value: Value<H>, path: Path, word: String, (at, message): (usize, usize)) -> Self {
        let signature = signature(&value);
        let signed = signature.is_some();
        let id = || text_of(&value, "id").map(String::into_bytes);
        let token = signature.or_else(id).unwrap_or_else(|| json(&sorted(&value)));
        Self { path, word, at, message, token, signed, value }
    }

    /// Another handle to the same block.
    pub(super) fn share(&self) -> Self {
        let (path, word, token) = (self.path.clone(), self.word.clone(), self.token.clone());
        Self { path, word, at: self.at, message: self.message, token, signed: self.signed, value: self.value.share() }
    }
}

/// The signature of a reasoning block, or its encrypted content.
pub(super) fn signature<H: Host>(value: &Value<H>) -> Option<Vec<u8>> {
    const KEYS: [&str; 4] = ["signature", "data", "encrypted_content", "redactedContent"];
    let here = |value: &Value<H>| {
        let held = KEYS.iter().find_map(|key| get(value, key))?;
        let says = match held {
            Value::Text(text) => !text.is_empty(),
            Value::Null => false,
            _ => true,
        };
        says.then(|| json(held))
    };
    let inner = get(value, "reasoningContent");
    here(value).or_else(|| here(inner?)).or_else(|| here(get(inner?, "reasoningText")?))
}
