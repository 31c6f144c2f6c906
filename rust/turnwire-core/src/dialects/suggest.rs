//! Which name somebody may have meant by one that is none.

/// The name that is nearest, where it is near enough to be meant.
#[cold]
pub(super) fn meant(name: &str, known: impl Iterator<Item = String>) -> Option<String> {
    // Nobody misspells this much, and comparing costs as much as both lengths multiplied.
    if name.len() > 64 {
        return None;
    }
    let plain: Vec<char> = name.to_lowercase().replace('_', "-").chars().collect();
    let near = known.map(|one| (distance(&plain, &one.chars().collect::<Vec<_>>()), one));
    let (steps, one) = near.min_by_key(|(steps, _)| *steps)?;
    (steps <= plain.len() / 3).then_some(one)
}

/// How many letters one has to add, leave out or change.
fn distance(one: &[char], two: &[char]) -> usize {
    // For each beginning of `two`, the distance from the beginning of `one` so far.
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
    use super::meant;
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
        let error = DialectId::named("antropic").expect_err("a slip");
        assert!(error.text().ends_with("got \"antropic\": did you mean \"anthropic\"?"), "{error}");
    }
}
