//! Every change that turnwire makes or tells of: its stable name, its severity, and for each kind what is done.

use super::severity::Severity;

/// What a change does to the content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChangeKind {
    /// Order, ids or roles were wrong and are put right. All of it is there.
    Repaired,
    /// The same content in another form or place.
    Restated,
    /// It is not in the caller's messages: a stand-in, a made-up result, a note, a mark.
    Added,
    /// Made shorter.
    Cut,
    /// Left out, by a repair, for the budget, or by a summary.
    Dropped,
    /// Left out, because the target cannot express it.
    Lost,
    /// Nothing changes. The caller should look at it.
    Warning,
    /// Only a check has it: a build would fail with this error.
    Refused,
}

impl ChangeKind {
    /// Every kind, in the order in which they are counted.
    pub const ALL: &'static [Self] = &[
        Self::Repaired,
        Self::Restated,
        Self::Added,
        Self::Cut,
        Self::Dropped,
        Self::Lost,
        Self::Warning,
        Self::Refused,
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Repaired => "repaired",
            Self::Restated => "restated",
            Self::Added => "added",
            Self::Cut => "cut",
            Self::Dropped => "dropped",
            Self::Lost => "lost",
            Self::Warning => "warning",
            Self::Refused => "refused",
        }
    }
}

macro_rules! edits {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal, $home:ident $($abroad:ident)?, $($kind:ident $action:literal),+;)+) => {
        /// A stable name for each change.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Edit { $($(#[doc = $doc])+ $variant,)+ }

        impl Edit {
            /// Every code.
            pub const ALL: &'static [Edit] = &[$(Edit::$variant),+];

            /// The stable name.
            #[must_use]
            pub fn name(self) -> &'static str { match self { $(Edit::$variant => $name),+ } }

            /// What it may do to the content, each with what is done, as a clause.
            #[must_use]
            pub fn actions(self) -> &'static [(ChangeKind, &'static str)] {
                match self { $(Edit::$variant => &[$((ChangeKind::$kind, $action)),+]),+ }
            }

            /// The severities of its faults, unless one has its own: of messages in the target's own format, and of others.
            #[must_use]
            fn severities(self) -> &'static [Severity] {
                match self { $(Edit::$variant => &[Severity::$home $(, Severity::$abroad)?]),+ }
            }

            /// What it means, in a sentence or two.
            #[must_use]
            pub fn meaning(self) -> &'static str { match self { $(Edit::$variant => concat!($($doc),+).trim_ascii()),+ } }
        }
    };
}

impl Edit {
    /// The severity of a fault in messages of the target's own format.
    #[must_use]
    pub fn severity(self) -> Severity {
        self.severities()[0]
    }

    /// The severity where the messages are in another format: what is an ordinary conversion then.
    #[must_use]
    pub fn severity_abroad(self) -> Severity {
        self.severities().last().copied().unwrap_or(Severity::Info)
    }

    /// What is done, as a clause; empty where nothing is.
    #[must_use]
    pub fn action(self, kind: ChangeKind) -> &'static str {
        self.actions().iter().find(|(known, _)| *known == kind).map_or("", |(_, action)| action)
    }

    /// The kind of a change with this code that says nothing else.
    #[must_use]
    pub fn kind(self) -> ChangeKind {
        self.actions()[0].0
    }

    /// The kind where something is gone.
    #[must_use]
    pub fn kind_lost(self) -> ChangeKind {
        let gone = |kind: ChangeKind| self.actions().iter().any(|(known, _)| *known == kind).then_some(kind);
        gone(ChangeKind::Lost).or_else(|| gone(ChangeKind::Dropped)).unwrap_or(ChangeKind::Lost)
    }

    /// The kind where it is there in another form.
    #[must_use]
    pub fn kind_changed(self) -> ChangeKind {
        let kinds = || self.actions().iter().map(|(kind, _)| *kind);
        kinds().find(|kind| *kind != ChangeKind::Lost).unwrap_or(ChangeKind::Restated)
    }
}

edits! {
    /// A provider's compaction replaces this turn, or the parts before it in its own turn, so they are left out.
    Compacted = "compacted", Info, Dropped "it is left out";
    /// The compression summary covers this turn, so it is left out.
    Compressed = "compressed", Info, Dropped "it is left out";
    /// This turn is older than the start of the compression summary, and the summary does not cover it. It is left out.
    BeforeSummary = "before_summary", Warning, Dropped "it is left out";
    /// The compression summary is put first.
    SummaryAdded = "summary_added", Info, Added "it is put first";
    /// An assistant turn without text and calls is left out.
    EmptyAssistant = "empty_assistant", Warning, Dropped "it is left out";
    /// Lone surrogates become U+FFFD.
    LoneSurrogate = "lone_surrogate", Error, Restated "it becomes U+FFFD";
    /// A result without a call is left out.
    OrphanResult = "orphan_result", Error, Dropped "the result is left out";
    /// A call that the provider ran, but whose result is gone, is left out.
    OrphanCall = "orphan_call", Error, Dropped "the call is left out";
    /// A second result for the same call is left out, and one that says only how far its tool is.
    DuplicateResult = "duplicate_result", Error, Dropped "this one is left out";
    /// A call in a turn that is not the assistant's gets an assistant turn, and so does each call where the target accepts one
    /// call in a message.
    MovedCall = "moved_call", Error, Repaired "it gets an assistant turn";
    /// A result that is not directly after its call moves there.
    MovedResult = "moved_result", Error, Repaired "it is moved there";
    /// Results are sorted into the order of their calls, because the target matches them by order.
    ReorderedResult = "reordered_result", Error, Repaired "they are sorted into the order of their calls";
    /// A call without a result gets one that says so.
    MissingResult = "missing_result", Error, Added "an error result is added";
    /// A call and its result get another id: it was used before, one of them had none, or the target refuses it.
    RenamedId = "renamed_id", Error Info, Repaired "the call and its result get another id", Restated "it gets another id";
    /// Reasoning is left out because the item after it is gone.
    LoneReasoning = "lone_reasoning", Error, Dropped "it is left out";
    /// The system prompts are put first.
    SystemAdded = "system_added", Info, Added "they are put first";
    /// The caller's `opening` is put before the assistant turn that came first.
    OpeningAdded = "opening_added", Info, Added "your opening is put first";
    /// The caller's `bridge` is put between a result and the user's words.
    BridgeAdded = "bridge_added", Info, Added "your bridge is put between";
    /// A large result is cut, to meet the budget or the limit for one result.
    CutResult = "cut_result", Warning, Cut "it is cut";
    /// Long strings inside the arguments of a call are cut to meet the budget.
    CutArguments = "cut_arguments", Warning, Cut "long strings in them are cut";
    /// Text of the user or the assistant is cut, because nothing else was left to meet the budget.
    CutText = "cut_text", Warning, Cut "it is cut";
    /// An exchange is left out to meet the budget.
    DroppedExchange = "dropped_exchange", Warning, Dropped "it is left out";
    /// A turn is left out because all of its exchanges are.
    DroppedTurn = "dropped_turn", Warning, Dropped "it is left out";
    /// The caller's note is added: it says that the budget left exchanges out.
    OmittedNote = "omitted_note", Info, Added "your note is added";
    /// Text without a visible character is left out, because the target refuses it.
    BlankText = "blank_text", Error, Dropped "it is left out";
    /// A turn is left out because the target accepts nothing in it.
    EmptyTurn = "empty_turn", Error Info, Dropped "the turn is left out", Lost "the turn is left out";
    /// Media that the target refuses in a result move to a place after the results.
    MovedMedia = "moved_media", Error Info, Restated "they are moved to where the target takes them";
    /// The declared media type is not that of the bytes, or the data are not spelled as they should be. Both are put right.
    MediaType = "media_type", Error, Restated "they are written in the form that the target takes";
    /// Media that the target does not accept, or not here.
    Media = "media", Error Info, Lost "they are left out", Restated "it is written as text";
    /// System text moves to where the target accepts it.
    MovedSystem = "moved_system", Error Info, Restated "it is moved there";
    /// A turn is merged with its neighbour, because the target requires user and assistant to alternate.
    MergedTurn = "merged_turn", Error, Restated "neighbours become one turn";
    /// A turn that calls tools becomes the assistant's.
    WrongRole = "wrong_role", Error, Repaired "it becomes the assistant's";
    /// Arguments are written in the form that the target accepts. If they are not a JSON object, they become an empty one.
    Arguments = "arguments", Error Info, Restated "they are written as one", Lost "they are left out";
    /// A result without content gets words that say so, because the target refuses it empty.
    EmptyResult = "empty_result", Error Info, Added "words that say so are added";
    /// The model's reasoning: only the provider that made it can read it, or it lacks what the provider verifies.
    Reasoning = "reasoning", Error Info, Lost "it is left out", Restated "it is written as text";
    /// A tool, or a call of one, gets a name that the target accepts. `Rendered.names` maps it back to the caller's.
    RenamedTool = "renamed_tool", Error, Restated "it gets another one, which `Rendered.names` maps back";
    /// A tool's schema is written as the target accepts it. If it now allows less or more, the entry says so.
    MendedSchema = "mended_schema", Error, Restated "it is written as the target takes it";
    /// A rule of a tool's schema that the target refuses or ignores moves to a description.
    SchemaInWords = "schema_in_words", Warning, Restated "it is moved to a description";
    /// A tool is strict, or the target would make it so, but its schema cannot be. `strict` becomes false.
    NotStrict = "not_strict", Warning, Restated "`strict` becomes false";
    /// A value is added that the target requires or documents for missing content.
    StandIn = "stand_in", Error Info, Added "the value that stands for it is added";
    /// Keys that exist only in replies of the target's SDK are left out.
    ReplyKeys = "reply_keys", Error, Dropped "they are left out";
    /// A message or part is written in another form, because the target refuses the form it has.
    Reshaped = "reshaped", Error, Restated "it is written in the target's form";
    /// The target identifies items by id, and this id was used before. The second item loses its id, or is left out if it needs
    /// one.
    RepeatedItem = "repeated_item", Error, Repaired "this one loses its id", Dropped "this one is left out";
    /// A tool choice without any tool is left out, and so is a setting that is accepted only beside tools.
    LoneChoice = "lone_choice", Error, Dropped "it is left out";
    /// An empty list of tools is left out.
    NoTools = "no_tools", Error Info, Dropped "it is left out";
    /// More cache marks than the target accepts: the first ones of the conversation are left out.
    ExtraMarks = "extra_marks", Error, Dropped "the first ones of the conversation are left out";
    /// Reasoning is left out because this build changes something before it, and the provider binds it to what came before.
    StaleReasoning = "stale_reasoning", Warning, Dropped "it is left out";
    /// A result cannot stand behind its call any more: an earlier request had answered the call with a placeholder, the call
    /// is gone, or the assistant has spoken since and the result is the newest input. It is sent as text of the user.
    LateResult = "late_result", Warning, Restated "it is sent as text of the user";
    /// New system text or a change of tools is said here, after what earlier requests have sent.
    Notice = "notice", Info, Added "the change is told at the end";
    /// Reasoning is left out because the caller asked for none, or because another family of models made it.
    UnwantedReasoning = "unwanted_reasoning", Info, Dropped "it is left out";
    /// The target does not have this key.
    Key = "key", Info, Lost "it is left out", Restated "it is written differently";
    /// The signature of a text or a call: only the provider that made it accepts it, and only with its part unchanged.
    Signature = "signature", Info, Lost "it is left out";
    /// A part that exists only in its own dialect.
    Opaque = "opaque", Info, Lost "it is left out", Restated "it is written differently", Dropped "the one before it is left out";
    /// The error flag of a result became a prefix of its text.
    ErrorFlag = "error_flag", Info, Restated "a prefix of the text says it";
    /// A text begins with the error prefix, so it will be read as a failed result.
    AmbiguousError = "ambiguous_error", Warning, Warning "";
    /// A text looks like a tool call to readers of the target's format.
    AmbiguousCall = "ambiguous_call", Warning, Warning "";
    /// A JSON result became text.
    JsonAsText = "json_as_text", Info, Restated "it is written as text";
    /// A refusal became text.
    Refusal = "refusal", Info, Restated "it is written as text";
    /// The target has no place for this system text.
    System = "system", Warning, Lost "it is left out";
    /// White space at the end of the conversation was left out, because the target refuses it.
    TrailingSpace = "trailing_space", Error, Dropped "it is left out";
    /// Several texts were joined, because the target has room for one.
    Joined = "joined", Info, Restated "the texts are joined";
    /// The order of texts and calls within a turn is not kept.
    Order = "order", Info, Restated "the order changes";
    /// An id that the target does not have.
    Id = "id", Info, Lost "it is left out";
    /// A call, a result or the definition of a tool that the caller runs and that only its own format describes is
    /// written as that of a plain function.
    ClientTool = "client_tool", Info, Restated "it is written as that of a plain function", Added "the definition of a plain function is added";
    /// A tool definition that the target does not have, or that had to be written differently.
    Tool = "tool", Info, Lost "it is left out", Restated "it is written as a tool of the target";
    /// The target does not have this choice of tools.
    ToolChoice = "tool_choice", Info, Lost "it is left out", Restated "the nearest one is written";
    /// A reply had several choices or candidates, and only the first is used.
    Choice = "choice", Info, Lost "only the first one is used";
    /// The target does not have the reply's stop reason, so it gets the nearest one.
    Finish = "finish", Info, Restated "it gets the nearest one";
    /// A name had to be invented or written differently.
    Name = "name", Info, Restated "it is written differently", Added "a name is added", Lost "it is left out", Warning "";
    /// A setting of the request that the target does not have, or that had to be written differently.
    Setting = "setting", Info, Lost "it is left out", Restated "it is written differently", Added "it is added", Warning "";
    /// A mark for the provider's prompt cache was added, as the caller asked, or the caller's own lasts another time.
    CacheMark = "cache_mark", Info, Added "a mark is added", Restated "it lasts another time";
    /// A stream ended with more or other text than its pieces, which were written already.
    LateText = "late_text", Warning, Lost "it is left out";
    /// The target needs the definitions of the tools that these messages call.
    ToolsMissing = "tools_missing", Warning, Warning "";
    /// The user speaks right after a result, which some servers of the target refuse.
    UserAfterResult = "user_after_result", Warning, Warning "";
    /// A wrapped client has learned a rule of its server from the words of a refusal, and writes every request by it.
    Learned = "learned", Info, Warning "";
    /// A message was read as a dialect that does not know what is in it. Another dialect does.
    WrongDialect = "wrong_dialect", Error, Warning "";
    /// A key that the target does not list. The target may refuse it.
    UnknownKey = "unknown_key", Warning, Warning "";
    /// A block of a type that the target does not list. The target may refuse it.
    UnknownBlock = "unknown_block", Warning, Warning "";
    /// A tool run by the provider, of a type that the target does not list. The target may refuse it.
    UnknownTool = "unknown_tool", Warning, Warning "";
    /// A setting of a body, in the words of another dialect than the target. The target refuses or ignores it.
    ForeignSetting = "foreign_setting", Warning, Warning "";
    /// A setting of a body that its own provider refuses: its value, or the setting for this model or beside another one.
    RefusedSetting = "refused_setting", Error, Warning "";
    /// Content that the model of this body refuses, although its format has it: system text, or media of a kind.
    RefusedContent = "refused_content", Warning, Warning "";
    /// A result is an item of another kind than the one that answers its call, and cannot be written as that one. The
    /// target may refuse it.
    OtherKind = "other_kind", Warning, Warning "";
    /// An item stands in a place where the target refuses it.
    Misplaced = "misplaced", Error, Dropped "it is left out";
    /// A result does not say which call it answers, and not exactly one call is open. It stays where it is.
    UnnamedResult = "unnamed_result", Warning, Warning "";
    /// The compression summary names a start id that no message has, so all messages stay.
    StartIdMissing = "start_id_missing", Warning, Warning "";
    /// The budget is in tokens, and images, sound and documents count as 0 tokens.
    MediaNotCounted = "media_not_counted", Warning, Warning "";
    /// This request changes something that the last one had already said.
    HistoryEdited = "history_edited", Warning, Warning "";
    /// From here on, the provider's cache cannot read what it kept of the last request.
    CacheBreak = "cache_break", Warning, Warning "";
    /// The system text is different now, but this ledger keeps what was sent.
    SystemFrozen = "system_frozen", Warning, Warning "";
    /// The tools are different now, but this ledger keeps what was sent.
    ToolsFrozen = "tools_frozen", Warning, Warning "";
    /// What the model thought before the calls whose results it waits for is left out: by a cut, or because the caller asked for
    /// no reasoning.
    OpenTurnReasoning = "open_turn_reasoning", Warning, Warning "";
}

#[cfg(test)]
mod tests {
    use super::{ChangeKind, Edit};
    use crate::{prefix::Cause, report::error::Code};

    /// Names that are in two lists, because both say the same about different requests.
    const SHARED: [&str; 5] = ["compacted", "empty_turn", "late_result", "user_after_result", "wrong_dialect"];

    #[test]
    fn a_name_is_in_one_list_only() {
        let edits = Edit::ALL.iter().map(|code| code.name());
        let others = Code::ALL.iter().map(|code| code.name());
        let mut names: Vec<_> = edits.chain(others).chain(Cause::ALL.iter().map(|code| code.name())).collect();
        names.sort_unstable();
        let mut twice: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        twice.retain(|name| !SHARED.contains(name));
        assert!(twice.is_empty(), "{twice:?}");
    }

    #[test]
    fn a_kind_says_what_is_done_and_a_warning_does_nothing() {
        for code in Edit::ALL {
            let kinds = || code.actions().iter().map(|(kind, _)| *kind);
            assert!(kinds().all(|kind| kinds().filter(|other| *other == kind).count() == 1), "{}", code.name());
            for (kind, action) in code.actions() {
                assert_eq!(*kind == ChangeKind::Warning, action.is_empty(), "{}", code.name());
                assert_ne!(*kind, ChangeKind::Refused, "{}", code.name());
            }
        }
    }
}
