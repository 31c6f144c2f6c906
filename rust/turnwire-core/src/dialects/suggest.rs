//! Suggests the dialect name that is closest to a misspelled one.

/// Other names for a dialect, from models, companies and services. A longer name precedes any name that it begins with.
const SPOKEN: &[(&str, &str)] = &[
    ("claude", "anthropic"),
    ("opus", "anthropic"),
    ("sonnet", "anthropic"),
    ("haiku", "anthropic"),
    ("gemini-1", "gemini:2"),
    ("gemini-2", "gemini:2"),
    ("gemini-", "gemini"),
    ("vertex", "gemini"),
    ("google", "gemini"),
    ("palm", "gemini"),
    ("chatgpt", "openai"),
    ("gpt", "openai"),
    ("azure", "openai"),
    ("o1", "openai"),
    ("o3", "openai"),
    ("o4", "openai"),
    ("responses", "openai-responses"),
    ("aws", "bedrock"),
    ("amazon-bedrock", "bedrock"),
    ("converse", "bedrock"),
    ("nova", "bedrock:nova"),
    ("amazon.nova", "bedrock:nova"),
    ("amazon-nova", "bedrock:nova"),
    ("command", "cohere"),
    ("deepseek", "openai:deepseek"),
    ("kimi", "openai:kimi"),
    ("moonshot", "openai:kimi"),
    ("qwen", "openai:qwen"),
    ("openrouter", "openai:openrouter"),
    ("groq", "openai:groq"),
    ("hugging", "openai:hf"),
    ("hf", "openai:hf"),
    ("codestral", "mistral"),
    ("magistral", "mistral"),
    ("cerebras", "openai:compatible"),
    ("fireworks", "openai:compatible"),
    ("glm", "openai:compatible"),
    ("grok", "openai:compatible"),
    ("llama.cpp", "openai:compatible"),
    ("llama-cpp", "openai:compatible"),
    ("llamacpp", "openai:compatible"),
    ("lm-studio", "openai:compatible"),
    ("lmstudio", "openai:compatible"),
    ("minimax", "openai:compatible"),
    ("nvidia", "openai:compatible"),
    ("perplexity", "openai:compatible"),
    ("sglang", "openai:compatible"),
    ("together", "openai:compatible"),
    ("vllm", "openai:compatible"),
    ("xai", "openai:compatible"),
    ("zai", "openai:compatible"),
];

/// The closest dialect for an unknown name.
#[cold]
pub(super) fn suggested<I: Iterator<Item = String>>(name: &str, known: fn() -> I) -> Option<String> {
    spoken(name).or_else(|| meant(name, known())).or_else(|| begun(name, known()))
}

/// The dialect for one of its other names, or for a longer name that begins with one, such as a model's.
fn spoken(name: &str) -> Option<String> {
    let plain = name.to_lowercase().replace('_', "-");
    SPOKEN.iter().find(|(word, _)| plain.starts_with(word)).map(|(_, one)| (*one).to_owned())
}

/// The dialect whose name a longer name begins with.
fn begun(name: &str, mut known: impl Iterator<Item = String>) -> Option<String> {
    let plain = name.to_lowercase().replace('_', "-");
    known.find(|one| plain.strip_prefix(one.as_str()).is_some_and(|rest| rest.starts_with(['-', '/', '.'])))
}

/// The closest name, if it is close enough.
fn meant(name: &str, known: impl Iterator<Item = String>) -> Option<String> {
    // A name this long is not a typo, and the comparison costs the product of both lengths.
    if name.len() > 64 {
        return None;
    }
    let plain: Vec<char> = name.to_lowercase().replace('_', "-").chars().collect();
    let near = known.map(|one| (distance(&plain, &one.chars().collect::<Vec<_>>()), one));
    let (steps, one) = near.min_by_key(|(steps, _)| *steps)?;
    (steps <= plain.len() / 3).then_some(one)
}

/// The number of letters to add, drop or change.
fn distance(one: &[char], two: &[char]) -> usize {
    // For each prefix of `two`, the distance from the prefix of `one` so far.
    let mut row: Vec<usize> = (0..=two.len()).collect();
    for (at, mine) in one.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (column, theirs) in two.iter().enumerate() {
            let changed = diagonal + usize::from(mine != theirs);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[two.len()]
}

#[cfg(test)]
mod tests {
    use super::{SPOKEN, meant, suggested};
    use crate::{dialects::table::names, rules::dialect_id::DialectId};

    #[test]
    fn a_slip_is_told_from_another_word() {
        for (name, expected) in [
            ("antropic", Some("anthropic")),
            ("OpenAI", Some("openai")),
            ("openai_response", Some("openai-responses")),
            ("openai:deepsek", Some("openai:deepseek")),
            ("gemni", Some("gemini")),
            ("AmazonQ", Some("amazon-q")),
            ("", None),
            ("klingon", None),
            ("x", None),
            (&"anthropic".repeat(10), None),
        ] {
            assert_eq!(meant(name, names()).as_deref(), expected, "{name}");
        }
        for (name, expected) in [
            ("claude", "anthropic"),
            ("Claude-Opus-4", "anthropic"),
            ("google", "gemini"),
            ("gpt-4o", "openai"),
            ("gemini-2.5-pro", "gemini:2"),
            ("gemini-3", "gemini"),
            ("openai-response", "openai-responses"),
            ("mistral-large", "mistral"),
            ("deepseek", "openai:deepseek"),
            ("nova-pro", "bedrock:nova"),
            ("sonnet", "anthropic"),
            ("hf", "openai:hf"),
            ("vLLM", "openai:compatible"),
            ("llama.cpp", "openai:compatible"),
        ] {
            assert_eq!(suggested(name, names).as_deref(), Some(expected), "{name}");
            let error = DialectId::named(name).expect_err("no name");
            assert!(error.text().contains(&format!("did you mean {expected:?}?")), "{error}");
        }
        assert!(SPOKEN.iter().all(|(_, one)| DialectId::named(one).is_ok()));
        let error = DialectId::named("antropic").expect_err("a slip");
        assert!(error.text().ends_with("\"antropic\": did you mean \"anthropic\"?"), "{error}");
        let error = DialectId::named("klingon").expect_err("another word");
        assert!(error.text().starts_with("expected one of openai, "), "{error}");
        let last = names().last().expect("a name");
        assert!(error.text().ends_with(&format!(", {last}, got \"klingon\"")), "{error}");
    }
}
