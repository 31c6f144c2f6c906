//! Sentences that several places say. Where one says what is done, a colon stands before that.

pub(crate) const NO_RESULT: &str = "no result is recorded for this call: an error result is added";
pub(crate) const PROGRESS: &str =
    "it says only how far the tool is, so it is not the call's result: this one is left out";
pub(crate) const USED_ID: &str = "this id was used before: the call and its result get a new one";
pub(crate) const BAD_ID: &str = "this id cannot be sent: the call and its result get another one";
pub(crate) const HALF: &str = "half of a surrogate pair: it becomes U+FFFD";
pub(crate) const HALF_SUMMARY: &str = "the summary has lone surrogates: they become U+FFFD";
pub(crate) const LATE_COMPACTION: &str = "messages came since: it is moved before them";
pub(crate) const NO_DEVELOPER: &str = "the target does not know this role: the text becomes system text";
pub(crate) const BESIDE_CALLS: &str = "the target accepts nothing beside calls: this is moved before them";
pub(crate) const ROOT_IN_WORDS: &str = "the target refuses this at the root: it is moved to the description";
pub(crate) const IN_WORDS: &str = "the target refuses or ignores this: it is moved to the description";
pub(crate) const ONE_ROOT: &str =
    "the target accepts one schema at the root: what contradicts it is moved to the description";
pub(crate) const CONTRADICTS: &str = "one of them contradicts another: it is moved to the description";
pub(crate) const PATTERN: &str =
    "the target refuses this name of a property: it is replaced by a pattern that only this name matches";
pub(crate) const LONE_REFERENCE: &str = "the target accepts a reference only alone: the one of anyOf is kept";
pub(crate) const LEFT_OUT: &str = "JSON Schema does not allow this value here: it is left out";
pub(crate) const MEANT: &str = "JSON Schema does not allow this value here: the value that it means is written";
pub(crate) const BLANK_TEXT: &str = "the target refuses text without a visible character";
pub(crate) const NOT_BEHIND_CALL: &str = "it is not right after its call";
pub(crate) const NO_STAND_IN: &str = "its result is missing, and nothing can stand for it";
pub(crate) const NO_REASONING: &str = "the caller asked for no reasoning";
pub(crate) const ONLY_ASSISTANT_CALLS: &str = "only the assistant calls tools";
pub(crate) const NO_FREE_TEXT: &str = "the target has no tools with free text";
pub(crate) const NO_SCHEMA: &str = "the target requires a schema even where there are no arguments";
