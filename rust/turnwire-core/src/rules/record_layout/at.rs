//! What is in the pieces of a record, and where: by ways. And whose its texts are.

/// Whose a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// The user's.
    User,
    /// The assistant's.
    Assistant,
    /// System text.
    System,
    /// The result of a call.
    Tool,
    /// The assistant's, and its text is JSON of a call, or of a list of calls. One behind another belong together.
    Call,
}

impl Speaker {
    /// What it is, in words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::User => "the user",
            Self::Assistant => "the assistant",
            Self::System => "system text",
            Self::Tool => "the result of a call",
            Self::Call => "the assistant's calls, as JSON text",
        }
    }
}

/// What stands before the texts of speakers in a talk, and whose they are. A mark that begins with a line end stands at
/// the beginning of a line. A talk begins with a mark, and only the marks of the same list count in it.
pub type Marks = &'static [(&'static str, Speaker)];

/// What is in a talk.
#[derive(Clone, Copy, Debug)]
pub struct TalkAt {
    /// Its text.
    pub text: &'static str,
    /// The marks of its speakers, a list for each kind of talk.
    pub marks: &'static [Marks],
    /// A word that ends what is said.
    pub ends: &'static str,
    /// A word before a call: an object whose arguments may be JSON in single quotes.
    pub call: &'static str,
    /// A text in which definitions of tools stand, as JSON objects. The rest of it is system text.
    pub tools: &'static str,
}

/// Texts that stand elsewhere in the record than where they are said.
#[derive(Clone, Copy, Debug)]
pub struct ApartAt {
    /// An object of them, by their names.
    pub texts: &'static str,
    /// What stands before the name in a text that is in place of one.
    pub mark: &'static str,
}

/// What is in a tree of messages.
#[derive(Clone, Copy, Debug)]
pub struct TreeAt {
    /// Its nodes: a map by their ids, or a list.
    pub nodes: &'static str,
    /// The id of the last node that is shown. Without it, the last node.
    pub leaf: &'static str,
    /// In a node of a list, its id.
    pub id: &'static str,
    /// In a node, the id of the one before it.
    pub parent: &'static str,
    /// In a node, its message: a node without one says nothing.
    pub message: &'static str,
}

/// Which messages of a list a program still sends. Signs are keys, or keys with a word behind `=`.
#[derive(Clone, Copy, Debug)]
pub struct SentAt {
    /// Signs of a message that failed: it is not sent.
    pub failed: &'static str,
    /// Signs of one that was only stopped: it is sent if it says something.
    pub stopped: &'static str,
    /// Signs of a message that asks for a compaction. What stands before it is not sent once that is done.
    pub mark: &'static str,
    /// In such a message, the id of the first one before it that is sent nevertheless.
    pub tail: &'static str,
    /// In a message, its id.
    pub id: &'static str,
    /// Signs of a summary.
    pub summary: &'static str,
    /// Signs of a message that is done.
    pub done: &'static str,
    /// In a summary, the id of the message that asks for it.
    pub parent: &'static str,
}

/// What is in a call.
#[derive(Clone, Copy, Debug)]
pub struct CallAt {
    /// The id.
    pub id: &'static str,
    /// The name of the tool.
    pub name: &'static str,
    /// The arguments: an object, or JSON text.
    pub args: &'static str,
}

/// What is in a result.
#[derive(Clone, Copy, Debug)]
pub struct ResultAt {
    /// The id of its call.
    pub id: &'static str,
    /// The name of the tool.
    pub name: &'static str,
    /// What the tool says: text, a list of texts, or any JSON.
    pub says: &'static str,
    /// Signs that it failed: keys, or keys with a word behind `=`.
    pub failed: &'static str,
}

/// No texts stand elsewhere.
pub(super) const NONE_APART: ApartAt = ApartAt { texts: "", mark: "" };
/// No talk is described.
pub(super) const NO_TALK: TalkAt = TalkAt { text: "", marks: &[], ends: "", call: "", tools: "" };
/// No tree is described.
pub(super) const NO_TREE: TreeAt = TreeAt { nodes: "", leaf: "", id: "", parent: "", message: "" };
/// All messages are sent.
pub(super) const ALL_SENT: SentAt =
    SentAt { failed: "", stopped: "", mark: "", tail: "", id: "", summary: "", done: "", parent: "" };
/// No call is described.
pub(super) const NO_CALL: CallAt = CallAt { id: "", name: "", args: "" };
/// No result is described.
pub(super) const NO_RESULT: ResultAt = ResultAt { id: "", name: "", says: "", failed: "" };
