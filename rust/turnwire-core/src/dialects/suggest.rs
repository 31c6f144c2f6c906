//! Suggests the dialect name that is closest to a misspelled one.

/// Other names for a dialect, from models, companies and services. A longer name precedes any name that it begins with.
const SPOKEN: &[(&str, &str)] = &[
    ("claude", "anthropic"),
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
    ("nova", "bedrock"),
    ("command", "cohere"),
    ("deepseek", "openai:deepseek"),
    ("kimi", "openai:kimi"),
    ("moonshot", "openai:kimi"),
    ("qwen", "openai:qwen"),
    ("openrouter", "openai:openrouter"),
    ("groq", "openai:groq"),
    ("hugging", "openai:hf"),
    ("codestral", "mistral"),
    ("magistral", "mistral"),
];

/// The dialect for one of its other names, or for a longer name that begins with one, such as a model's.
#[cold]
pub(super) fn spoken(name: &str, mut known: impl Iterator<Item = String>) -> Option<String> {
    let plain = name.to_lowercase().replace('_', "-");
    let said = SPOKEN.iter().find(|(word, _)| plain.starts_with(word)).map(|(_, one)| (*one).to_owned());
    said.or_else(|| {
        known.find(|one| plain.strip_prefix(one.as_str()).is_some_and(|rest| rest.starts_with(['-', '/', '.'])))
    })
}

/// The closest name, if it is close enough.
#[cold]
pub(super) fn meant(name: &str, known: impl Iterator<Item = String>) -> Option<String> {
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
    use super::{SPOKEN, meant, spoken};
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
            ("gemini-2.5-pro", "gemini"),
            ("mistral-large", "mistral"),
            ("deepseek", "openai:deepseek"),
        ] {
            assert_eq!(spoken(name, names()).as_deref(), Some(expected), "{name}");
            let error = DialectId::named(name).expect_err("no name");
            assert!(error.text().contains(&format!("did you mean {expected:?}?")), "{error}");
        }
        assert!(SPOKEN.iter().all(|(_, one)| DialectId::named(one).is_ok()));
        let error = DialectId::named("antropic").expect_err("a slip");
        assert!(error.text().contains("\"antropic\": did you mean \"anthropic\"?"), "{error}");
    }
}
