//! Decides what becomes of keys that the target's reference lacks.

use crate::{
    rules::{ExtraKeys, KeyRule, Limits, Verdict},
    value::{Host, Input, Raw, Text},
};

/// Whether a build leaves an unknown key out.
pub(crate) fn are_left_out<H: Host>(
    (keys, limits): (&ExtraKeys, &Limits),
    key: &Text<H>,
    input: Option<&Input>,
) -> bool {
    all_are_left_out(limits) || is_beta((keys, limits), key, input)
}

/// Whether a build leaves every unknown key out, so that none is to be told.
pub(crate) fn all_are_left_out(limits: &Limits) -> bool {
    limits.closed
}

/// Whether a key needs a beta header that the target does not know.
fn is_beta<H: Host>((keys, limits): (&ExtraKeys, &Limits), key: &Text<H>, input: Option<&Input>) -> bool {
    !limits.beta_keys && keys.beta.iter().any(|beta| key.is(beta, input))
}

/// The verdict on a key. Where no other keys are taken, only the server that reads another provider's proof takes it.
pub(crate) fn verdict<H: Host>(
    (keys, limits): (&ExtraKeys, &Limits),
    allowed: &[KeyRule],
    (key, value): (&Text<H>, &Raw<H>),
    input: Option<&Input>,
) -> Verdict {
    let is_read = || limits.carries.signature().first().is_some_and(|first| key.is(first.name, input));
    let is_proof = limits.closed && keys.is_carried((key, value), input) && !is_read();
    if is_proof || is_beta((keys, limits), key, input) {
        return Verdict::Unknown;
    }
    keys.judge(allowed, (key, value), input)
}
