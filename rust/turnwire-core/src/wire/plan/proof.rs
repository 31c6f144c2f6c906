//! Tells a signature of Google's from what stands for one.

use crate::{
    rules::{ReasoningRule, Target},
    value::{Host, Input, Text, base64},
};

/// Whether a signature is one, and not the documented stand-in, perhaps in base64.
pub(super) fn is_sound<H: Host>(target: &Target<'_>, signature: &Text<H>, input: Option<&Input>) -> bool {
    base64::is_strict(&signature.wtf8(input)) && !stands_in(target, signature, input)
}

/// Whether a signature is the documented stand-in for one, perhaps in base64.
pub(super) fn stands_in<H: Host>(target: &Target<'_>, signature: &Text<H>, input: Option<&Input>) -> bool {
    let ReasoningRule::Signature(word) = target.limits.reasoning else { return false };
    let coded = || base64::decode(&signature.wtf8(input)).is_some_and(|bytes| bytes == word.as_bytes());
    signature.is(word, input) || coded()
}
