//! Every edit that turnwire makes: its stable name, what happens to the content, and where it is reported.

use super::severity::Severity;

/// What an edit does to the content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EditKind {
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
}

impl EditKind {
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
        }
    }
}

/// Where an edit is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// In the receipt of a build, with this severity unless the fault has its own.
    Home(Severity),
    /// Among the losses of a conversion.
    Abroad,
    /// In the receipt where the messages are in the target's own format, else among the losses.
    Both(Severity),
}

macro_rules! edits {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal, $($kind:ident)+, $seen:ident$(($severity:ident))?;)+) => {
        /// A stable name for each edit.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Edit { $($(#[doc = $doc])+ $variant,)+ }

        impl Edit {
            /// Every code.
            pub const ALL: &'static [Edit] = &[$(Edit::$variant),+];

            /// The stable name.
            #[must_use]
            pub fn name(self) -> &'static str { match self { $(Edit::$variant => $name),+ } }

            /// What it may do to the content.
            #[must_use]
            pub fn kinds(self) -> &'static [EditKind] { match self { $(Edit::$variant => &[$(EditKind::$kind),+]),+ } }

            /// Where it is reported.
            #[must_use]
            pub fn seen(self) -> Seen { match self { $(Edit::$variant => Seen::$seen$((Severity::$severity))?),+ } }

            /// What it means, in a sentence or two.
            #[must_use]
            pub fn meaning(self) -> &'static str { match self { $(Edit::$variant => concat!($($doc),+).trim_ascii()),+ } }
        }
    };
}

impl Edit {
    /// Its severity in a receipt, where a fault does not have its own.
    #[must_use]
    pub fn severity(self) -> Severity {
        match self.seen() {
            Seen::Home(severity) | Seen::Both(severity) => severity,
            Seen::Abroad => Severity::Warning,
        }
    }

    /// Whether receipts have it.
    #[must_use]
    pub fn is_change(self) -> bool {
        !matches!(self.seen(), Seen::Abroad)
    }

    /// Whether losses have it.
    #[must_use]
    pub fn is_loss(self) -> bool {
        !matches!(self.seen(), Seen::Home(_))
    }
}

edits! {
    /// A provider's compaction replaces this turn, or the parts before it in its own turn, so they are left out.
    Compacted = "compacted", Dropped, Home(Info);
    /// The compression summary covers this turn, so it is left out.
    Compressed = "compressed", Dropped, Home(Info);
    /// This turn is older than the start of the compression summary, and the summary does not cover it. It is left out.
    BeforeSummary = "before_summary", Dropped, Home(Warning);
    /// The compression summary is put first.
    SummaryAdded = "summary_added", Added, Home(Info);
    /// An assistant turn without text and calls is left out.
    EmptyAssistant = "empty_assistant", Dropped, Home(Warning);
    /// Lone surrogates become U+FFFD.
    LoneSurrogate = "lone_surrogate", Restated, Both(Error);
    /// A result without a call is left out.
    OrphanResult = "orphan_result", Dropped, Home(Error);
    /// A call that the provider ran, but whose result is gone, is left out.
    OrphanCall = "orphan_call", Dropped, Home(Error);
    /// A second result for the same call is left out.
    DuplicateResult = "duplicate_result", Dropped, Home(Error);
    /// A call in a turn that is not the assistant's gets an assistant turn.
    MovedCall = "moved_call", Repaired, Home(Error);
    /// A result that is not directly after its call moves there.
    MovedResult = "moved_result", Repaired, Home(Error);
    /// Results are sorted into the order of their calls, because the target matches them by order.
    ReorderedResult = "reordered_result", Repaired, Both(Error);
    /// A call without a result gets one that says so.
    MissingResult = "missing_result", Added, Home(Error);
    /// A call and its result get another id: it was used before, one of them had none, or the target refuses it.
    RenamedId = "renamed_id", Repaired Restated, Both(Error);
    /// Reasoning is left out because the item after it is gone.
    LoneReasoning = "lone_reasoning", Dropped, Home(Error);
    /// The system prompts are put first.
    SystemAdded = "system_added", Added, Home(Info);
    /// The caller's `opening` is put before the assistant turn that came first.
    OpeningAdded = "opening_added", Added, Home(Info);
    /// A large result is cut, to meet the budget or the limit for one result.
    CutResult = "cut_result", Cut, Both(Warning);
    /// Long strings inside the arguments of a call are cut to meet the budget.
    CutArguments = "cut_arguments", Cut, Home(Warning);
    /// Text of the user or the assistant is cut, because nothing else was left to meet the budget.
    CutText = "cut_text", Cut, Home(Warning);
    /// An exchange is left out to meet the budget.
    DroppedExchange = "dropped_exchange", Dropped, Home(Warning);
    /// A turn is left out because all of its exchanges are.
    DroppedTurn = "dropped_turn", Dropped, Home(Warning);
    /// The caller's note is added: it says that the budget left exchanges out.
    OmittedNote = "omitted_note", Added, Home(Info);
    /// Text without a visible character is left out, because the target refuses it.
    BlankText = "blank_text", Dropped, Both(Error);
    /// A turn is left out because the target accepts nothing in it.
    EmptyTurn = "empty_turn", Dropped Lost, Both(Error);
    /// Media that the target refuses in a result move to a place after the results.
    MovedMedia = "moved_media", Restated, Both(Error);
    /// The declared media type is not that of the bytes, or the data are not spelled as they should be. Both are put right.
    MediaType = "media_type", Restated, Both(Error);
    /// Media that the target does not accept, or not here.
    Media = "media", Lost, Both(Error);
    /// System text moves to where the target accepts it.
    MovedSystem = "moved_system", Restated, Both(Error);
    /// A turn is merged with its neighbour, because the target requires user and assistant to alternate.
    MergedTurn = "merged_turn", Restated, Home(Error);
    /// A turn that calls tools becomes the assistant's.
    WrongRole = "wrong_role", Repaired, Home(Error);
    /// Arguments are written in the form that the target accepts. If they are not a JSON object, they become an empty one.
    Arguments = "arguments", Restated Lost, Both(Error);
    /// A result without content gets words that say so, because the target refuses it empty.
    EmptyResult = "empty_result", Added, Both(Error);
    /// The model's reasoning: only the provider that made it can read it, or it lacks what the provider verifies.
    Reasoning = "reasoning", Lost Restated, Both(Error);
    /// A tool, or a call of one, gets a name that the target accepts. `Rendered.names` maps it back to the caller's.
    RenamedTool = "renamed_tool", Restated, Home(Error);
    /// A tool's schema is written as the target accepts it. If it now allows less or more, the entry says so.
    MendedSchema = "mended_schema", Restated, Home(Error);
    /// A rule of a tool's schema that the target refuses or ignores moves to a description.
    SchemaInWords = "schema_in_words", Restated, Home(Warning);
    /// A tool is strict, or the target would make it so, but its schema cannot be. `strict` becomes false.
    NotStrict = "not_strict", Restated, Home(Warning);
    /// A value is added that the target requires or documents for missing content.
    StandIn = "stand_in", Added, Both(Error);
    /// Keys that exist only in replies of the target's SDK are left out.
    ReplyKeys = "reply_keys", Dropped, Home(Error);
    /// A message or part is written in another form, because the target refuses the form it has.
    Reshaped = "reshaped", Restated, Home(Error);
    /// The target identifies items by id, and this id was used before. The second item loses its id, or is left out if it needs
    /// one.
    RepeatedItem = "repeated_item", Repaired Dropped, Home(Error);
    /// A tool choice without any tool is left out, and so is a setting that is accepted only beside tools.
    LoneChoice = "lone_choice", Dropped, Home(Error);
    /// An empty list of tools is left out.
    NoTools = "no_tools", Dropped, Home(Error);
    /// More cache marks than the target accepts: the first ones of the conversation are left out.
    ExtraMarks = "extra_marks", Dropped, Home(Error);
    /// Reasoning is left out because this build changes something before it, and the provider binds it to what came before.
    StaleReasoning = "stale_reasoning", Dropped, Home(Warning);
    /// A result came after an earlier request had answered its call with a placeholder, or after you had removed its
    /// call, which a summary covers. It is sent as text of the user.
    LateResult = "late_result", Restated, Home(Warning);
    /// System text and tools stay as an earlier request sent them, though other ones are given now.
    KeptHead = "kept_head", Warning, Home(Info);
    /// New system text or a change of tools is said here, after what earlier requests have sent.
    Notice = "notice", Added, Home(Info);
    /// Reasoning is left out because the caller asked for none, or because another family of models made it.
    UnwantedReasoning = "unwanted_reasoning", Dropped, Home(Info);
    /// The target does not have this key.
    Key = "key", Lost, Abroad;
    /// The signature of a text or a call: only the provider that made it accepts it, and only with its part unchanged.
    Signature = "signature", Lost, Abroad;
    /// A part that exists only in its own dialect.
    Opaque = "opaque", Lost, Abroad;
    /// The error flag of a result became a prefix of its text.
    ErrorFlag = "error_flag", Restated, Abroad;
    /// A text begins with the error prefix, so it will be read as a failed result.
    AmbiguousError = "ambiguous_error", Warning, Abroad;
    /// A text looks like a tool call to readers of the target's format.
    AmbiguousCall = "ambiguous_call", Warning, Abroad;
    /// A JSON result became text.
    JsonAsText = "json_as_text", Restated, Abroad;
    /// A refusal became text.
    Refusal = "refusal", Restated, Abroad;
    /// The target has no place for this system text.
    System = "system", Lost, Abroad;
    /// White space at the end of the conversation was left out, because the target refuses it.
    TrailingSpace = "trailing_space", Dropped, Abroad;
    /// Several texts were joined, because the target has room for one.
    Joined = "joined", Restated, Abroad;
    /// The order of texts and calls within a turn is not kept.
    Order = "order", Restated, Abroad;
    /// An id that the target does not have.
    Id = "id", Lost, Abroad;
    /// A call, a result or the definition of a tool that the caller runs and that only its own format describes is
    /// written as that of a plain function.
    ClientTool = "client_tool", Restated Added, Abroad;
    /// A tool definition that the target does not have, or that had to be written differently.
    Tool = "tool", Lost Restated, Abroad;
    /// The target does not have this choice of tools.
    ToolChoice = "tool_choice", Lost Restated, Abroad;
    /// A reply had several choices or candidates, and only the first is used.
    Choice = "choice", Lost, Abroad;
    /// The target does not have the reply's stop reason, so it gets the nearest one.
    Finish = "finish", Restated, Abroad;
    /// A name had to be invented or written differently.
    Name = "name", Added Restated, Abroad;
    /// A setting of the request that the target does not have, or that had to be written differently.
    Setting = "setting", Lost Restated Added, Abroad;
    /// A mark for the provider's prompt cache was added, as the caller asked, or the caller's own lasts another time.
    CacheMark = "cache_mark", Added Restated, Abroad;
    /// A stream ended with more or other text than its pieces, which were written already.
    LateText = "late_text", Lost, Abroad;
}

#[cfg(test)]
mod tests {
    use super::{Edit, EditKind};
    use crate::{
        prefix::Cause,
        report::{error::Code, notice::Notice},
    };

    /// Names that are in two lists, because both say the same about different requests.
    const SHARED: [&str; 5] = ["compacted", "cut_text", "empty_turn", "late_result", "wrong_dialect"];

    #[test]
    fn a_name_is_in_one_list_only() {
        let edits = Edit::ALL.iter().map(|code| code.name());
        let others = Notice::ALL.iter().map(|code| code.name()).chain(Code::ALL.iter().map(|code| code.name()));
        let mut names: Vec<_> = edits.chain(others).chain(Cause::ALL.iter().map(|code| code.name())).collect();
        names.sort_unstable();
        let mut twice: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        twice.retain(|name| !SHARED.contains(name));
        assert!(twice.is_empty(), "{twice:?}");
    }

    #[test]
    fn what_is_only_a_loss_is_not_repaired() {
        for code in Edit::ALL {
            let kinds = code.kinds();
            assert!(
                !kinds.is_empty() && kinds.iter().all(|kind| kinds.iter().filter(|other| *other == kind).count() == 1)
            );
            assert!(code.is_change() || !kinds.contains(&EditKind::Repaired), "{}", code.name());
            assert!(code.is_change() || code.is_loss(), "{}", code.name());
        }
    }
}
