//! Says by a model's name whether the model checks that reasoning still follows the prefix it was made for.

use super::model_names;

/// The answer for a model's name. `None` if the model is unknown.
pub type Checks = fn(Option<&str>) -> bool;

/// No model checks.
#[must_use]
pub fn no_model(_: Option<&str>) -> bool {
    false
}

/// Every model checks.
#[must_use]
pub fn every_model(_: Option<&str>) -> bool {
    true
}

/// OpenAI: up to GPT-6.1. From 6.2 on `instructions` apply to one reply only, and reasoning is not bound to them.
/// <https://developers.openai.com/api/docs/guides/keep-prefix-unchanged>
#[must_use]
pub fn gpt_instructions(model: Option<&str>) -> bool {
    model.and_then(gpt_version).is_none_or(|version| version < (6, 2))
}

/// Claude: from version 5.1 of each family on, except mythos 5.1, which records and does not check. An unknown model
/// counts as one that checks, because such a model would refuse the request.
/// <https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks>
#[must_use]
pub fn claude(model: Option<&str>) -> bool {
    let Some(version) = model.and_then(claude_version) else {
        // A name without a family belongs to another maker or to a future model.
        return model.is_none_or(|model| !is_of_others(model) && !is_old_claude(model));
    };
    version >= (5, 1) && !(version == (5, 1) && model.is_some_and(|model| model.contains("mythos")))
}

/// Whether a model binds its reasoning, even if it does not check that: Claude from version 5.1 on.
#[must_use]
pub fn records(model: &str) -> bool {
    claude_version(model).is_some_and(|version| version >= (5, 1))
}

/// Which Claude models accept system text and changes of tools in the middle of a conversation. An unknown model counts
/// as one of the newest. <https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages>
#[must_use]
pub fn claude_later(model: Option<&str>) -> bool {
    let Some(model) = model else { return true };
    let least = match claude_version(model) {
        None => return !is_of_others(model) && !is_old_claude(model),
        Some(_) if model.contains("opus-") => (4, 8),
        Some(_) if model.contains("sonnet-") || model.contains("haiku-") => (5, 5),
        Some(_) => (5, 0),
    };
    claude_version(model).is_some_and(|version| version >= least)
}

/// OpenAI: from GPT-6 on. The API itself drops such reasoning without an error, so an unknown model keeps all of it.
/// <https://developers.openai.com/api/docs/guides/keep-prefix-unchanged>
#[must_use]
pub fn gpt(model: Option<&str>) -> bool {
    model.and_then(gpt_version).is_some_and(|version| version >= (6, 0))
}

/// Which models of OpenAI know the caller's own marks in a prompt: from GPT-5.6 on.
pub(crate) fn has_breakpoints(model: Option<&str>) -> bool {
    model.and_then(gpt_version).is_some_and(|version| version >= (5, 6))
}

/// Major and minor of a name such as `gpt-6.2-mini`.
fn gpt_version(model: &str) -> Option<(u32, u32)> {
    version(model.split("gpt-").nth(1)?)
}

/// Major and minor of a name such as `claude-opus-5-5-20260901` or `us.anthropic.claude-haiku-4-5-v1:0`.
pub(crate) fn claude_version(model: &str) -> Option<(u32, u32)> {
    const FAMILIES: [&str; 5] = ["opus-", "sonnet-", "haiku-", "fable-", "mythos-"];
    let rest = FAMILIES.iter().find_map(|family| model.split_once(family)).map(|(_, rest)| rest)?;
    version(rest)
}

/// Major and minor at the head of a text.
fn version(text: &str) -> Option<(u32, u32)> {
    let (major, rest) = number(text)?;
    let minor = rest.strip_prefix(['-', '.']).and_then(number).map_or(0, |(minor, _)| minor);
    Some((major, minor))
}

/// Older names have the version before the family: `claude-3-5-sonnet-20241022`.
fn is_old_claude(model: &str) -> bool {
    let rest = model.split_once("claude-").map(|(_, rest)| rest);
    rest.is_some_and(|rest| rest.starts_with("instant") || number(rest).is_some_and(|(major, _)| major <= 3))
}

/// Mistral's models.
#[must_use]
pub fn mistral(model: Option<&str>) -> bool {
    const NAMES: &[&str] =
        &["mistral", "mixtral", "ministral", "magistral", "pixtral", "codestral", "devstral", "voxtral"];
    model.is_some_and(|model| model_names::is_among(model, NAMES, &[]))
}

/// Whether the name belongs to another maker's model, which a gateway serves in this format.
pub(crate) fn is_of_others(model: &str) -> bool {
    let model = model.to_ascii_lowercase();
    !model.contains("claude")
        && [
            "nova", "llama", "mistral", "gpt", "deepseek", "qwen", "kimi", "glm", "minimax", "gemini", "titan",
            "jamba", "command", "palmyra",
        ]
        .iter()
        .any(|other| model.contains(other))
}

/// Which models of other makers on Converse accept reasoning back: never what another model signed or hid, and only these
/// what nobody signed. The others refuse all of it.
pub(crate) fn takes_thoughts(model: &str) -> bool {
    ["gpt-oss", "nova-2", "deepseek.v3", "minimax", "kimi"].iter().any(|known| model.contains(known))
}

/// The number at the head of a text, and what follows it.
fn number(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    // A date is not a version.
    (digits.len() < 3).then(|| digits.parse().ok()).flatten().map(|number| (number, rest))
}

#[cfg(test)]
mod tests {
    use super::{claude, gpt, gpt_instructions};

    #[test]
    fn who_checks() {
        let checks = [
            "claude-opus-5-5",
            "claude-fable-5-1",
            "claude-fable-5-2",
            "claude-sonnet-5-5-20260901",
            "claude-mythos-5-2",
            "us.anthropic.claude-haiku-5-5-v1:0",
            "claude-opus-6",
            "claude-opus-5.5",
            "anthropic/claude-sonnet-5.5",
        ];
        for model in checks {
            assert!(claude(Some(model)), "{model}");
        }
        let keeps = [
            "claude-opus-5",
            "claude-opus-5-20260401",
            "claude-mythos-5-1",
            "claude-sonnet-4-5-20250929",
            "claude-3-7-sonnet-latest",
            "claude-instant-1",
            "claude-3-opus-20240229",
            "amazon.nova-pro-v1:0",
            "claude-opus-4-6",
            "minimax-m2",
        ];
        for model in keeps {
            assert!(!claude(Some(model)), "{model}");
        }
        assert!(claude(None) && claude(Some("claude-next")) && !gpt(None));
        assert!(gpt_instructions(None) && gpt_instructions(Some("gpt-6")) && gpt_instructions(Some("gpt-6.1-mini")));
        assert!(!gpt_instructions(Some("gpt-6.2")) && !gpt_instructions(Some("openai/gpt-7-2027-01-01")));
        assert!(gpt(Some("gpt-6.2")) && gpt(Some("openai/gpt-6")) && !gpt(Some("gpt-5.2")) && !gpt(Some("o3")));
    }
}
