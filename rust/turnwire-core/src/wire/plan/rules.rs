//! Lists the rules by which a target changes or loses a part, each in one sentence.

use crate::report::loss::LossCode;

/// Why a part changes or is lost.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) code: LossCode,
    pub(crate) says: &'static str,
}

macro_rules! rules {
    ($($name:ident = $code:ident, $says:literal;)+) => {
        $(pub(crate) static $name: Rule = Rule { code: LossCode::$code, says: $says };)+
    };
}

rules! {
    SILENT = EmptyText, "a message of the assistant that says nothing is none";
    BLANK = EmptyText, "the target refuses text without a visible character";
    REFUSAL = Refusal, "the target has no refusal here";
    REASONING = Reasoning, "only the dialect that made it can replay reasoning";
    REASONING_TEXT = Reasoning, "reasoning of another dialect became text";
    OF_USER = Media, "the target accepts media only from the user";
    MEDIA = Media, "the target does not accept these media";
    OTHER_MEDIA = Media, "the target accepts these media in another form";
    DOCUMENT_TEXT = Media, "the target has no plain text documents: it is text";
    JSON_TEXT = JsonAsText, "the target accepts JSON only as text here";
    JSON_RESULT = JsonAsText, "the target accepts results only as text";
    SUMMARY = Opaque, "the target does not know compactions: only the summary is left, as text";
    OPAQUE = Opaque, "only its own dialect knows this";
    NOT_IN_RESULT = Opaque, "no result can hold this";
    NO_PLACE = Opaque, "the target has no place for this here";
}

/// Why an opaque part is lost, with the name of its type.
pub(crate) fn only_own(name: &str) -> String {
    format!("only its own dialect knows {name:?}")
}
