//! Lists the options of providers whose meaning other formats know: `providerOptions` of messages, `providerMetadata` of the UI.

use crate::{
    model::{Kind, Parts},
    rules::{
        MarkForm,
        option_rule::{Means, OptionOf, OptionRule},
    },
    value::{HashMap, HashSet, Host, Input, Text},
};

const ANTHROPIC: &[&str] = &["anthropic"];
const BEDROCK: &[&str] = &["bedrock", "amazonBedrock"];
const GOOGLE: &[&str] = &["google", "vertex", "googleVertex"];
const OPENAI: &[&str] = &["openai", "azure"];

const fn option(providers: &'static [&'static str], key: &'static str, means: Means) -> OptionOf {
    OptionOf { providers, key, means }
}

const OPTIONS: &[OptionOf] = &[
    option(ANTHROPIC, "signature", Means::Signature),
    option(ANTHROPIC, "redactedData", Means::Redacted),
    option(BEDROCK, "signature", Means::Signature),
    option(BEDROCK, "redactedData", Means::RedactedBytes),
    option(BEDROCK, "redactedContent", Means::RedactedBytes),
    option(GOOGLE, "thoughtSignature", Means::Signed),
    option(OPENAI, "itemId", Means::Item),
    option(OPENAI, "reasoningEncryptedContent", Means::Encrypted),
    option(&["openrouter"], "reasoning_details", Means::Details),
    option(ANTHROPIC, "cacheControl", Means::Mark(MarkForm::Control)),
    option(ANTHROPIC, "cache_control", Means::Mark(MarkForm::Control)),
    option(&["openrouter", "alibaba"], "cacheControl", Means::Mark(MarkForm::Control)),
    option(BEDROCK, "cachePoint", Means::Mark(MarkForm::Point)),
    option(OPENAI, "promptCacheBreakpoint", Means::Mark(MarkForm::Breakpoint)),
];

pub(super) const MODEL: OptionRule = OptionRule { keys: &["providerOptions"], options: OPTIONS };
pub(in crate::dialects) const UI: OptionRule =
    OptionRule { keys: &["providerMetadata", "callProviderMetadata", "resultProviderMetadata"], options: OPTIONS };

/// Several parts of reasoning may be one item of OpenAI's, whose proof is in the last of them: it is that of all.
pub(in crate::dialects) fn share_proofs<H: Host>(rule: &OptionRule, parts: &mut Parts<H>, input: Option<&Input>) {
    let thoughts = || parts.iter().filter(|part| matches!(part.kind, Kind::Reasoning(_)));
    if !thoughts().any(|part| part.signed) || thoughts().all(|part| part.signed) {
        return;
    }
    let name = |id: Text<H>| id.to_str(None).into_owned();
    let (mut of_parts, mut proven) = (HashMap::default(), HashSet::default());
    for (at, part) in parts.iter().enumerate().filter(|(_, part)| matches!(part.kind, Kind::Reasoning(_))) {
        let Some(Ok(whole)) = part.origin.as_ref().map(|origin| origin.to_value(input)) else { continue };
        let given = rule.of_value(&whole);
        let Some(id) = rule.text(&given, Means::Item).map(name) else { continue };
        if rule.text(&given, Means::Encrypted).is_some() {
            proven.insert(id);
        } else {
            of_parts.insert(at, id);
        }
    }
    for (at, id) in of_parts {
        parts[at].signed |= proven.contains(&id);
    }
}
