//! Sentences that several places say. Those about what a build does have two tenses from one source: a receipt says "was", and a
//! check "would be".

use std::borrow::Cow;

macro_rules! sentences {
    ($($name:ident = $before:literal $was:ident $after:literal;)+) => {
        $(pub(crate) const $name: &str = concat!($before, " ", stringify!($was), " ", $after);)+

        /// Every sentence as a receipt says it, and as a check does.
        const BOTH: &[(&str, &str)] = &[$(($name, concat!($before, " would be ", $after))),+];
    };
}

sentences! {
    NO_RESULT = "no result was recorded: an error result that says so" was "added";
    NO_ANSWER = "no result was recorded: one that says so" was "added";
    USED_ID = "this id was used before: the call and its result" were "given a new one";
    BAD_ID = "this id cannot be sent: the call and its result" were "given another";
    HALF = "half of a surrogate pair: it" was "replaced by U+FFFD";
    HALF_SUMMARY = "the summary has lone surrogates: they" were "replaced by U+FFFD";
    LATE_COMPACTION = "messages came since: it" was "moved before them";
    NO_DEVELOPER = "the target does not know this role: the text" was "made system text";
    BESIDE_CALLS = "the target accepts nothing beside calls: this" was "moved before them";
    ROOT_IN_WORDS = "the target refuses this at the root: it" was "moved to the description";
    IN_WORDS = "the target refuses or ignores this: it" was "moved to the description";
    ONE_ROOT = "the target accepts one schema at the root: what contradicts it" was "moved to the description";
    CONTRADICTS = "one of them contradicts another: it" was "moved to the description";
    PATTERN = "the target refuses this name of a property: it" was "replaced by a pattern that only this name matches";
    LONE_REFERENCE = "the target accepts a reference only alone: the one of anyOf" was "kept";
    LEFT_OUT = "JSON Schema does not allow this value here: it" was "left out";
    MEANT = "JSON Schema does not allow this value here: the value that it means" was "written";
}

// What several places say about a target or a call.
pub(crate) const BLANK_TEXT: &str = "the target refuses text without a visible character";
pub(crate) const NOT_BEHIND_CALL: &str = "it was not right after its call";
pub(crate) const NO_STAND_IN: &str = "its result is missing, and nothing can stand for it";
pub(crate) const NO_REASONING: &str = "the caller asked for no reasoning";
pub(crate) const ONLY_ASSISTANT_CALLS: &str = "only the assistant calls tools";

/// A text of a receipt as a check says it, which changes nothing.
pub(crate) fn would(text: Cow<'static, str>) -> Cow<'static, str> {
    BOTH.iter().find(|(was, _)| *was == text).map_or(text, |(_, would)| Cow::Borrowed(*would))
}

#[cfg(test)]
mod tests {
    use super::{BOTH, would};

    #[test]
    fn both_tenses_of_a_sentence_say_the_same() {
        for (was, told) in BOTH {
            assert_eq!(would((*was).into()), *told);
            let (before, after) = told.split_once(" would be ").expect("a verb");
            assert!(was.strip_prefix(before).is_some_and(|rest| rest.ends_with(after)), "{was}");
            assert!(!before.contains(" would be ") && !after.contains(" would be "), "{told}");
            assert_eq!(BOTH.iter().filter(|(other, _)| other == was).count(), 1, "{was}");
        }
        assert_eq!(would("the target refuses it".into()), "the target refuses it");
    }
}
