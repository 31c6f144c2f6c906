//! Lists the rules by which a target changes or loses a part, each in one sentence.

use crate::report::{Edit, sentence};

/// Why a part changes or is lost.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) code: Edit,
    pub(crate) says: &'static str,
}

macro_rules! rules {
    ($($name:ident = $code:ident, $says:expr;)+) => {
        $(pub(crate) static $name: Rule = Rule { code: Edit::$code, says: $says };)+
    };
}

rules! {
    SILENT = BlankText, "a message of the assistant that says nothing is none";
    BLANK = BlankText, sentence::BLANK_TEXT;
    REFUSAL = Refusal, "the target has no refusal here";
    REASONING = Reasoning, "only the dialect that made it can replay reasoning";
    REASONING_ID = Reasoning, "the target looks up reasoning by its id, which this has not";
    REASONING_TEXT = Reasoning, "only the dialect that made it can replay reasoning: it is written as text";
    FAILED_TEXT = Reshaped, "the target accepts only text in a failed result";
    OF_USER = Media, "the target accepts media only from the user";
    MEDIA = Media, "the target does not accept these media";
    OTHER_MEDIA = MediaType, "the target accepts these media in another form";
    DOCUMENT_TEXT = Media, "the target has no plain text documents: it is written as text";
    PASSAGE_TEXT = Media, "the target has no search results: it is written as text";
    JSON_TEXT = JsonAsText, "the target accepts JSON only as text here";
    REFERENCES = Opaque, "the target has no references to tools: the names are written as JSON";
    JSON_RESULT = JsonAsText, "the target accepts results only as text";
    SUMMARY = Opaque, "the target does not know compactions: only the summary is left, as text";
    SERVED_TEXT = Opaque, "only its own dialect knows calls that its provider ran: what is readable of it is written as text";
    SERVED_MEDIA = Media, "text cannot hold what is in the result of a call that another provider ran";
    SERVED_SILENT = Opaque, "nothing is readable in the result of a call that another provider ran";
    OPAQUE = Opaque, "only its own dialect knows this";
    NOT_IN_RESULT = Opaque, "no result can hold this";
    EMPTY_RESULT = EmptyResult, "the target refuses a result without content";
    RESULT_NAME = Name, "the target requires the name of the tool that was called";
    ONE_TEXT = Joined, "the target allows one text in a message";
    ONE_INSTRUCTION = Joined, "the target allows one text of instructions";
    ONE_CALL = MovedCall, "the target accepts one call in a message, and its result directly behind it";
    SYSTEM_FIRST = MovedSystem, "the target accepts system text only before all other messages";
    SYSTEM_BEHIND_USER = MovedSystem, "the target accepts system text only before all other messages or right behind the user's";
    SYSTEM_ONE = MovedSystem, "the target accepts system text only as one message before all others";
    SYSTEM_USER = MovedSystem, "the target has no system text: it stands in front of the user's first words";
    SYSTEM_HEAD = MovedSystem, "the target accepts system text either beside its messages or in the first one";
    SYSTEM_BESIDE = MovedSystem, "the target keeps system text beside its messages";
    SYSTEM_TEXT = System, "the target accepts only text as system text";
    SYSTEM_MEDIA = Media, "system text cannot have media";
    NO_PLACE = Opaque, "the target has no place for this here";
}

/// Why text before a result moves.
pub(crate) const RESULTS_FIRST: &str = "the target requires tool results before everything else";

/// Why the user's words right after a result are refused.
pub(crate) const USER_AFTER_RESULT: &str = "the target refuses the user's words right after a result";

/// Why a conversation without a message of the user's is refused.
pub(crate) const NO_USER: &str = "the target requires a message of the user's";

/// Why a conversation with calls or results is refused.
pub(crate) const NO_TOOL_DEFINED: &str = "the target refuses tool calls and results where the request defines no tool";

/// Why a name is refused that no legal one can be made of.
pub(crate) fn name_refused(name: &str) -> String {
    format!("the target refuses {name:?} as the name of a tool")
}

/// Why a tool gets another name.
pub(crate) const TOOL_NAME_REFUSED: &str = "the target refuses the name of this tool";

/// Why a mark lasts another time than in the source.
pub(crate) const USUAL_LIFETIME: &str = "the target has no cache marks that last as long: this one lasts as usual";
pub(crate) const MORE_OF_MARK: &str =
    "the target's cache marks have no other keys than their kind and how long they last";

/// Why something of a text's citations is lost.
pub(crate) const CITATIONS: &str = "the target has no place for some of the citations";

/// Why a document is refused.
pub(crate) const DOCUMENT_ALONE: &str = "the target requires text beside a document";

/// Why an opaque part is lost, with the name of its type.
pub(crate) fn only_own(name: &str) -> String {
    format!("only its own dialect knows {name:?}")
}

/// Why a call that another provider ran is lost, with the name of its type.
pub(crate) fn only_own_server(name: &str) -> String {
    format!("{}, which server_tools=\"text\" writes as text", only_own(name))
}

/// Why a key of a reply is lost.
pub(crate) fn no_place_for_key(name: &str) -> String {
    format!("the target has no place for the key {name:?}")
}
