//! Says which values a column may have, and reads them.

use crate::report::{Error, error::Code};

/// Which values a column may have.
#[derive(Clone, Copy, Debug)]
pub(super) enum Words {
    /// One of these.
    One(&'static [&'static str]),
    /// Some of these, in this order; `none` for none of them.
    Some(&'static [&'static str]),
    /// A whole number from 1 on, behind one of these words, or alone where a word is empty; or `any`.
    Count(&'static [&'static str]),
    /// Names of keys, in their order; `nothing` for none.
    Keys,
}

/// The empty list.
pub(super) const NONE: &str = "none";
/// No keys.
pub(super) const NOTHING: &str = "nothing";
/// Without a limit.
pub(super) const ANY: &str = "any";
pub(super) const FLAG: Words = Words::One(&["yes", "no"]);

impl Words {
    /// The value in its canonical spelling.
    pub(super) fn read(self, column: &str, given: &str) -> Result<String, Error> {
        let refused = |text: String| Err(Error::new(Code::UnknownDialect, text));
        match self {
            Self::One(words) if words.contains(&given) => Ok(given.to_owned()),
            Self::One(words) => refused(format!("expected one of {} as {column}, got {given:?}", words.join(", "))),
            Self::Some(words) => {
                let given: Vec<&str> =
                    if given == NONE && !words.contains(&NONE) { Vec::new() } else { given.split(',').collect() };
                if let Some(wrong) = given.iter().find(|one| !words.contains(one)) {
                    return refused(format!("expected some of {} as {column}, got {wrong:?}", words.join(", ")));
                }
                Ok(listed(words.iter().copied().filter(|word| given.contains(word))))
            }
            Self::Count(heads) => {
                let is_count =
                    |rest: &str| rest.parse::<u32>().is_ok_and(|count| count > 0) && !rest.starts_with(['0', '+']);
                let fits = given == ANY || heads.iter().any(|head| given.strip_prefix(head).is_some_and(is_count));
                if fits {
                    Ok(given.to_owned())
                } else {
                    refused(format!("expected {} as {column}, got {given:?}", self.say()))
                }
            }
            Self::Keys if given == NOTHING => Ok(given.to_owned()),
            Self::Keys => {
                let mut keys: Vec<&str> = given.split(',').collect();
                let is_key = |key: &&str| {
                    key.starts_with(|letter: char| letter.is_ascii_lowercase())
                        && key.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
                };
                if let Some(wrong) = keys.iter().find(|key| !is_key(key)) {
                    return refused(format!("expected names of keys as {column}, got {wrong:?}"));
                }
                keys.sort_unstable();
                keys.dedup();
                Ok(keys.join(","))
            }
        }
    }

    /// The values, for readers.
    pub(super) fn say(self) -> String {
        match self {
            Self::One(words) => words.join(", "),
            Self::Some(words) => format!("some of {}", words.join(", ")),
            Self::Count(heads) => {
                let each = heads.iter().map(|head| format!("{head}N"));
                each.chain([ANY.to_owned()]).collect::<Vec<_>>().join(", ")
            }
            Self::Keys => format!("names of keys, or {NOTHING}"),
        }
    }
}

/// A list as one word.
pub(super) fn listed<'w>(words: impl Iterator<Item = &'w str>) -> String {
    let all = words.collect::<Vec<_>>().join(",");
    if all.is_empty() { NONE.to_owned() } else { all }
}

/// The words of a list.
pub(super) fn each(value: &str) -> impl Iterator<Item = &str> {
    value.split(',').filter(|word| !matches!(*word, NONE | NOTHING | ""))
}

/// `yes` or `no`.
pub(super) fn flag(is_so: bool) -> String {
    if is_so { "yes" } else { "no" }.to_owned()
}
