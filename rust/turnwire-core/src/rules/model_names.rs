//! Compares the name of a model with the names in a table.

use std::borrow::Cow;

/// A name in lower case.
fn lower(model: &str) -> Cow<'_, str> {
    let has_upper = model.bytes().any(|byte| byte.is_ascii_uppercase());
    if has_upper { Cow::Owned(model.to_ascii_lowercase()) } else { Cow::Borrowed(model) }
}

/// Whether a model's name begins with `prefix`, perhaps behind a provider's name with a slash or a dot.
fn begins(model: &str, prefix: &str) -> bool {
    rest(&lower(model), prefix).is_some()
}

/// The longest of these prefixes with which a model's name begins, unless it begins with one of `but`.
pub(crate) fn longest<'p>(model: &str, prefixes: &[&'p str], but: &[&str]) -> Option<&'p str> {
    let found = prefixes.iter().filter(|prefix| begins(model, prefix)).max_by_key(|prefix| prefix.len())?;
    (!but.iter().any(|prefix| begins(model, prefix))).then_some(found)
}

/// Whether a model's name begins with one of these prefixes, and with none of `but`.
pub(crate) fn is_among(model: &str, prefixes: &[&str], but: &[&str]) -> bool {
    longest(model, prefixes, but).is_some()
}

/// Whether the name is this model's: the name alone, or with a date or a version behind it.
pub(crate) fn is_model(model: &str, name: &str) -> bool {
    let model = lower(model);
    // `-2024-08-06`, or Bedrock's `-20250929-v1:0` and `-v1:0`.
    let is_date = |text: &str| text.len() >= 6 && text.as_bytes()[..2].iter().all(u8::is_ascii_digit);
    let is_version = |text: &str| text.starts_with(|first: char| first.is_ascii_digit());
    let dated = |rest: &str| rest.strip_prefix("-20").is_some_and(is_date);
    let versioned = |rest: &str| rest.strip_prefix("-v").is_some_and(is_version);
    rest(&model, name).is_some_and(|rest| rest.is_empty() || dated(rest) || versioned(rest))
}

/// What follows the prefix of a name in lower case.
fn rest<'a>(model: &'a str, prefix: &str) -> Option<&'a str> {
    let mut starts = model.match_indices(prefix).map(|(at, _)| at);
    let start = starts.find(|at| *at == 0 || matches!(model.as_bytes()[at - 1], b'/' | b'.'))?;
    Some(&model[start + prefix.len()..])
}

#[cfg(test)]
mod tests {
    use super::{begins, is_among, is_model};

    #[test]
    fn a_prefix_may_follow_a_provider() {
        assert!(begins("GPT-5-mini", "gpt-5") && begins("openai/gpt-5", "gpt-5"));
        assert!(begins("us.anthropic.claude-opus-4-6-v1:0", "claude-opus-4-6"));
        assert!(is_among("gpt-5-mini", &["o1", "gpt-5"], &["gpt-5-chat"]));
        assert!(!is_among("gpt-5-chat-latest", &["gpt-5"], &["gpt-5-chat"]) && !is_among("gpt-5", &[], &[]));
        assert!(!begins("my-gpt-5", "gpt-5") && !begins("gpt-4o", "gpt-5"));
    }

    #[test]
    fn a_version_makes_no_other_model() {
        assert!(is_model("gpt-4o", "gpt-4o") && is_model("openai/gpt-4o-2024-08-06", "gpt-4o"));
        assert!(is_model("claude-opus-4-6-20260205", "claude-opus-4-6"));
        assert!(is_model("us.anthropic.claude-sonnet-4-5-20250929-v1:0", "anthropic.claude-sonnet-4-5"));
        assert!(is_model("amazon.nova-2-lite-v1:0", "amazon.nova-2-lite"));
        assert!(!is_model("gpt-4o-mini", "gpt-4o") && !is_model("gpt-4o-2", "gpt-4o") && !is_model("gpt-4", "gpt-4o"));
    }
}
