//! The closed list of error codes, each with the kind of error that it raises.

use std::{error, fmt, sync::Arc};

use super::path::{Path, Step, Trail};

/// The exception that an error becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// A wrong value of an argument.
    Value,
    /// A payload that cannot be read.
    Parse,
    /// A conversation that the target cannot express or refuses.
    Render,
    /// A conversation that cannot be built.
    Build,
    /// A dialect that does not exist.
    UnknownDialect,
    /// An argument of the wrong type.
    Type,
    /// The machine has no memory left.
    Memory,
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal, $kind:ident;)+) => {
        /// A stable name for each error. A code never changes; its sentence may improve.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Code { $($(#[doc = $doc])+ $variant,)+ }

        impl Code {
            /// Every code.
            pub const ALL: &'static [Code] = &[$(Code::$variant),+];

            /// The stable name.
            #[must_use]
            pub fn name(self) -> &'static str { match self { $(Code::$variant => $name),+ } }

            /// The kind of exception that it raises.
            #[must_use]
            pub fn kind(self) -> ErrorKind { match self { $(Code::$variant => ErrorKind::$kind),+ } }

            /// What it means, in one or two sentences.
            #[must_use]
            pub fn meaning(self) -> &'static str { match self { $(Code::$variant => concat!($($doc),+).trim_ascii()),+ } }
        }
    };
}

codes! {
    /// The budget is below zero.
    NegativeBudget = "negative_budget", Value;
    /// A size is below zero.
    NegativeSize = "negative_size", Value;
    /// An option is not one of the values it may be.
    UnknownOption = "unknown_option", Value;
    /// A number is out of range: an index that no message has, or a share below 0 or above 1.
    OutOfRange = "out_of_range", Value;
    /// Options exclude each other, or one is missing that another needs: two budgets, a counter without its budget.
    ConflictingOptions = "conflicting_options", Value;
    /// The caller's counter returned something that is not a count: not an int, or below zero.
    BadCount = "bad_count", Value;
    /// A timestamp has no offset, or is not RFC 3339.
    BadTimestamp = "bad_timestamp", Value;
    /// A value cannot be written as JSON, such as NaN or an object of a foreign type.
    NotJson = "not_json", Value;
    /// An argument has a type that the function does not take.
    WrongArgument = "wrong_argument", Type;
    /// A stream was fed, or finished again, after its end.
    Finished = "finished", Value;
    /// A compressed file is cut off or damaged, so it cannot be unpacked to its end.
    DamagedFile = "damaged_file", Value;
    /// Another process or object has this stored history open. Only one at a time can write it.
    HistoryLocked = "history_locked", Value;
    /// A stored history was closed, and then written to.
    HistoryClosed = "history_closed", Value;
    /// A file cannot be opened, read or written, such as on a full disk. The system's own error is the cause.
    NotStored = "not_stored", Value;
    /// The state of a ledger cannot be used: it is damaged, for another target, or from a later version.
    BadState = "bad_state", Value;
    /// There is no memory left for the result.
    NoMemory = "no_memory", Memory;

    /// Bytes or text are not JSON, or not UTF-8.
    InvalidJson = "invalid_json", Parse;
    /// JSON text in place of a list ends in the middle: an exporter has cut an attribute of a trace.
    TornJson = "torn_json", Parse;
    /// A value is nested deeper than MAX_DEPTH, or a container contains itself.
    TooDeep = "too_deep", Parse;
    /// A payload has four GiB or more, or one request of a provider's batch has 256 MB.
    TooLarge = "too_large", Parse;
    /// A value has a type that the dialect does not have in this place.
    WrongType = "wrong_type", Parse;
    /// A key is missing that the dialect requires.
    MissingKey = "missing_key", Parse;
    /// A role does not exist in this dialect.
    UnknownRole = "unknown_role", Parse;
    /// A payload is in another dialect than the one it was read as.
    WrongDialect = "wrong_dialect", Parse;
    /// A chunk of a stream does not fit where it came: a piece of a block that never began.
    UnexpectedChunk = "unexpected_chunk", Parse;
    /// In a provider's batch, an id comes twice, or a result has one that no request has.
    WrongId = "wrong_id", Parse;
    /// In a provider's batch, a request has no result.
    NoResult = "no_result", Parse;
    /// A line of a stored history cannot be read: the file is damaged, or is not a history.
    BadHistory = "bad_history", Parse;
    /// A container was changed while it was read.
    ChangedWhileRead = "changed_while_read", Parse;

    /// The target cannot express something, and `strict=True` turns the first such loss into an error.
    Loss = "loss", Render;
    /// The target refuses something, and nothing can replace it.
    Refused = "refused", Render;

    /// Nothing is left to send.
    EmptyMessages = "empty_messages", Build;
    /// The conversation begins with a tool result.
    LeadingToolResult = "leading_tool_result", Build;
    /// A tool result is left without its call.
    OrphanToolResult = "orphan_tool_result", Build;
    /// The target requires the user to speak first, and the conversation begins with the assistant.
    StartsWithAssistant = "starts_with_assistant", Build;
    /// The target requires a message of the user's, and the conversation has none.
    NoUser = "no_user", Build;
    /// The target refuses the user's words right after a result.
    UserAfterResult = "user_after_result", Build;
    /// The target requires the user or a tool result last, and the conversation ends with the assistant.
    EndsWithAssistant = "ends_with_assistant", Build;
    /// The target refuses something that cannot be repaired, such as a schema that is not an object's.
    Unsendable = "unsendable", Build;
    /// The budget of a ledger is full, and the ledger may not cut.
    LedgerFull = "ledger_full", Build;
    /// The budget is smaller than what cannot be cut.
    BudgetTooSmall = "budget_too_small", Build;

    /// No dialect has this name.
    UnknownDialect = "unknown_dialect", UnknownDialect;
    /// The payload shows no sign of any dialect that can be read.
    NoDialect = "no_dialect", UnknownDialect;
    /// One element shows signs of several dialects, and no dialect has all of them.
    ConflictingSigns = "conflicting_signs", UnknownDialect;
    /// Elements are in several dialects where one was expected, or two requests are in two dialects.
    MixedDialects = "mixed_dialects", UnknownDialect;
}

/// An error with its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Box<Inner>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    code: Code,
    path: Path,
    dialect: Option<Arc<str>>,
    text: String,
    cause: Cause,
}

/// The host's own error, if the host failed. It does not count when errors are compared.
#[derive(Clone, Debug, Default)]
struct Cause(Option<Arc<dyn error::Error + Send + Sync>>);

impl PartialEq for Cause {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Cause {}

impl Error {
    /// An error at the root. `text` says what was expected and what was found.
    #[must_use]
    pub fn new(code: Code, text: impl Into<String>) -> Self {
        let text = text.into();
        Self(Box::new(Inner { code, path: Path::default(), dialect: None, text, cause: Cause::default() }))
    }

    /// Sets the path to a place in the payload.
    #[must_use]
    pub fn at(mut self, trail: &Trail<'_>) -> Self {
        self.0.path = trail.to_path();
        self
    }

    /// Sets the path.
    #[must_use]
    pub fn at_path(mut self, path: Path) -> Self {
        self.0.path = path;
        self
    }

    /// Puts `step` before the path, which the error's container adds.
    #[must_use]
    pub fn under(mut self, step: Step) -> Self {
        self.0.path = Path::of([step]).join(&self.0.path);
        self
    }

    /// Sets the dialect that was being read or written.
    #[must_use]
    pub fn in_dialect(mut self, dialect: &str) -> Self {
        self.0.dialect = Some(dialect.into());
        self
    }

    /// Sets the dialect, unless the error already names one.
    #[must_use]
    pub fn or_in_dialect(self, dialect: &str) -> Self {
        if self.0.dialect.is_some() { self } else { self.in_dialect(dialect) }
    }

    /// Sets another error as the cause: its [`source`](error::Error::source).
    #[must_use]
    pub fn because(mut self, cause: impl error::Error + Send + Sync + 'static) -> Self {
        self.0.cause = Cause(Some(Arc::new(cause)));
        self
    }

    /// Adds a sentence with a way out.
    #[must_use]
    pub fn saying(mut self, more: &str) -> Self {
        self.0.text.push_str(more);
        self
    }

    /// Its stable code.
    #[must_use]
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// The path of the error.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// The dialect that was being read or written, if any.
    #[must_use]
    pub fn dialect(&self) -> Option<&str> {
        self.0.dialect.as_deref()
    }

    /// The sentence without the path.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0.text
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0.text)?;
        if !self.0.path.is_root() {
            write!(out, " - at `{}`", self.0.path)?;
        }
        if let Some(dialect) = &self.0.dialect {
            write!(out, " ({dialect})")?;
        }
        Ok(())
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        self.0.cause.0.as_deref().map(|cause| cause as _)
    }
}
