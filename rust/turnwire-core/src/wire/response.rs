//! Writes the parts of a reply beside its turns, for each format: why it ended, its tokens, its id, and its error.
//!
//! [`rule`] is the data of a format, which the other files use. Whole replies and streams use the same rows.

pub(crate) mod around;
pub(crate) mod closing;
pub(crate) mod draft;
pub(crate) mod end;
pub(crate) mod failure;
pub(crate) mod id;
pub(crate) mod passed;
pub(crate) mod rule;
pub(crate) mod usage;
pub(crate) mod wanted;

pub(crate) use self::{
    around::Around,
    closing::{Closing, FailureWords},
    draft::Draft,
    end::EndWords,
    failure::{Failure, FailureRow, FailureRows, Sentence, TooLongWords},
    passed::{Passed, ReplyKeys},
    rule::{Echo, Required, ResponseRule, Texts, names_tier},
    usage::{Amount, Count, Kept, UsageRule},
    wanted::Wanted,
};
