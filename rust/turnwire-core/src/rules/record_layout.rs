//! Lays out records that are in no dialect, such as rows of Alpaca or messages of LangChain: which keys hold what was
//! said, as a table.
//!
//! A layout is a row of [`TABLE`], and one reader follows them all: `layouts.rs`. A column holds *ways*, with spaces
//! between: the first one counts that leads to a value that is not null. A way is keys with dots between, a number is an
//! index in a list, and `$` is the record itself.

mod agents;
mod at;
mod columns;
mod exports;
mod frameworks;
mod texts;

use self::at::{ALL_SENT, NO_CALL, NO_RESULT, NO_TALK, NO_TREE, NONE_APART};
pub use self::at::{ApartAt, CallAt, Marks, ResultAt, SentAt, Speaker, TalkAt, TreeAt};

/// A row of the table. Records are read by it and never written.
#[derive(Clone, Copy, Debug)]
pub struct RecordLayout {
    /// Its name, which stands in place of a dialect's.
    pub name: &'static str,
    /// Who keeps such records.
    pub kept_by: &'static str,
    /// What a record has. One claim is enough.
    pub claims: &'static [Claim],
    /// What the first message of its list has. One claim is enough.
    pub first: &'static [Claim],
    /// What some message of its list has. One claim is enough.
    pub some: &'static [Claim],
    /// A key that shows it although a dialect seems to read the record: such a layout is asked before all dialects.
    pub ahead: &'static str,
    /// The keys that a record must not have. A star at the end of a key means every key that begins so.
    pub lacks: &'static str,
    /// Texts that may be JSON, which is read in place of the text.
    pub json: &'static str,
    /// Texts that stand elsewhere in the record.
    pub apart: ApartAt,
    /// System text.
    pub system: &'static str,
    /// Definitions of tools.
    pub tools: &'static str,
    /// Pairs of earlier texts of the user and the assistant.
    pub history: &'static str,
    /// The user's text. Several are joined by line ends.
    pub user: &'static [&'static str],
    /// The assistant's text.
    pub answer: &'static str,
    /// The assistant's calls, in place of a text.
    pub calls: &'static str,
    /// The better of two texts of the assistant.
    pub better: &'static str,
    /// The worse of two texts of the assistant.
    pub worse: &'static str,
    /// A talk in one text, in place of the user's.
    pub talk: TalkAt,
    /// A list of messages in any dialect.
    pub given: &'static str,
    /// The answer to these messages: text, a message, a list of messages, or a whole reply of any dialect.
    pub answer_at: &'static str,
    /// A list of messages in this layout. The columns below are about one of them.
    pub list: &'static str,
    /// A tree of messages, in place of a list.
    pub tree: TreeAt,
    /// The texts of a message that holds those of several speakers, in their order.
    pub pair: &'static [(&'static str, Speaker)],
    /// Who speaks.
    pub role: &'static str,
    /// What the words for that mean.
    pub words: &'static [(&'static str, Speaker)],
    /// The key in which a message is wrapped. `role` begins outside of it, and all other columns inside.
    pub unwrap: &'static str,
    /// System text beside a message. The last one counts.
    pub about: &'static str,
    /// Reasoning beside the text.
    pub thought: &'static str,
    /// To whom a message is. If that is not `all`, it is a call, and a tool behind it answers.
    pub addressee: &'static str,
    /// What is said: text, or a list of parts by [`PARTS`]. Parts by `kinds` come before it.
    pub text: &'static str,
    /// A part, or a list of parts, by `kinds`.
    pub parts: &'static str,
    /// The type of such a part.
    pub kind: &'static str,
    /// What the types mean. A type that is not there is a loss.
    pub kinds: &'static [PartKind],
    /// A list of files whose texts stand behind what is said.
    pub attached: &'static str,
    /// The text of such a file.
    pub attached_text: &'static str,
    /// A list of calls.
    pub calls_at: &'static str,
    /// A list of further calls, whose arguments could not be read. One with the id of another call repeats it.
    pub broken_at: &'static str,
    /// What is in a call.
    pub call: CallAt,
    /// What is in a call that has its own result.
    pub outcome: ResultAt,
    /// A list of results.
    pub results_at: &'static str,
    /// What is in a result.
    pub result: ResultAt,
    /// Which of the messages are sent.
    pub sent: SentAt,
    /// Signs of a message, a part, a call or a result that is left out: keys, or keys with a word behind `=`.
    pub skips: &'static str,
    /// Keys that say nothing of the conversation, in a message, a part, a call or a result.
    pub passes: &'static str,
}

/// What a record must have: for each, one of the ways leads to a value of this kind.
pub type Claim = &'static [(&'static str, Is)];

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Is {
    /// Anything but null.
    Said,
    /// Text.
    Text,
    /// Text that is a talk of several speakers, by these marks.
    Talk(&'static [Marks]),
    /// Text that is no such talk.
    Plain(&'static [Marks]),
    /// One of these words.
    Word(&'static str),
    /// An object.
    Map,
    /// A list.
    List,
    /// A list of objects.
    Maps,
}

/// The types of parts, with spaces between, what they mean, and where in the part that is.
pub type PartKind = (&'static str, Piece, &'static str);

/// What a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// What the message says: text, or a list of parts by [`PARTS`].
    Text,
    /// Reasoning.
    Thought,
    /// System text: that of each way.
    System,
    /// Media of this class, or of the class that its type says: an address or data.
    Media(&'static str),
    /// A call.
    Call,
    /// A call, unless the message lists its calls elsewhere, too.
    Repeat,
    /// A result.
    Result,
    /// A call with its result.
    Both,
    /// What a tool says to let the model try again, or the user, if no tool is named.
    Retry,
    /// A new message begins here.
    Step,
}

impl Piece {
    /// What it is, in words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Thought => "reasoning",
            Self::System => "system text",
            Self::Media(_) => "media",
            Self::Call | Self::Repeat => "a call",
            Self::Result => "the result of a call",
            Self::Both => "a call with its result",
            Self::Retry => "the result of a call that failed, or text",
            Self::Step => "a new message",
        }
    }
}

/// The types of parts of a text in every layout, under one of [`PART_KIND`].
pub const PARTS: &[PartKind] = &[
    ("text input_text output_text", Piece::Text, "text"),
    ("reasoning thinking", Piece::Thought, "thinking reasoning text"),
    ("image_url image input_image image-url", Piece::Media("image"), "image_url.url image_url url source.url image"),
    ("audio input_audio audio-url", Piece::Media("audio"), "url source.url audio"),
    ("video video-url", Piece::Media("video"), "url source.url video"),
    ("document file document-url", Piece::Media("document"), "url source.url"),
    ("binary", Piece::Media(""), "url"),
    ("image_asset_pointer audio_asset_pointer", Piece::Media(""), ""),
    ("tool_use tool_call function_call", Piece::Repeat, ""),
];
/// Where the type of such a part is.
pub const PART_KIND: &str = "type kind content_type";
/// Where the data of media is.
pub const DATA: &str = "data base64 source.data input_audio.data file.file_data";
/// Where the media type is, or its second half.
pub const MEDIA_TYPE: &str =
    "media_type mime_type mediaType mimeType mime source.media_type source.mime_type input_audio.format";
/// What is in a call that is a part of a text.
pub const PART_CALL: CallAt = CallAt { id: "id call_id", name: "name", args: "input args arguments" };

/// No column is filled in.
pub const EMPTY: RecordLayout = RecordLayout {
    name: "",
    kept_by: "",
    claims: &[],
    first: &[],
    some: &[],
    ahead: "",
    lacks: "",
    json: "",
    apart: NONE_APART,
    system: "",
    tools: "",
    history: "",
    user: &[],
    answer: "",
    calls: "",
    better: "",
    worse: "",
    talk: NO_TALK,
    given: "",
    answer_at: "",
    list: "",
    tree: NO_TREE,
    pair: &[],
    role: "",
    words: &[],
    unwrap: "",
    about: "",
    thought: "",
    addressee: "",
    text: "",
    parts: "",
    kind: "",
    kinds: &[],
    attached: "",
    attached_text: "",
    calls_at: "",
    broken_at: "",
    call: NO_CALL,
    outcome: NO_RESULT,
    results_at: "",
    result: NO_RESULT,
    sent: ALL_SENT,
    skips: "",
    passes: "",
};

/// Every layout. The first one that claims a record reads it.
pub static TABLE: &[RecordLayout] = &[
    texts::XLAM,
    texts::ALPACA,
    texts::QA,
    texts::EXCHANGE,
    texts::PAIRS,
    texts::GLAIVE,
    texts::TRANSCRIPT,
    agents::SWIFT,
    frameworks::LANGCHAIN,
    frameworks::PYDANTIC_AI,
    frameworks::MEAI,
    frameworks::GOOSE,
    agents::OPENCODE,
    agents::INSPECT,
    agents::TAU2,
    agents::ATIF,
    agents::DATACLAW,
    exports::CHATGPT,
    exports::CLAUDE_AI,
    exports::LIBRECHAT,
];

impl RecordLayout {
    /// The layout with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        TABLE.iter().find(|layout| layout.name == name)
    }
}

impl PartialEq for RecordLayout {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for RecordLayout {}
