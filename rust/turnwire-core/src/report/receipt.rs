//! The receipt of a build: every change with its place, and the first changed index.

use std::{borrow::Cow, collections::BTreeMap, fmt};

use super::{notice::Notice, path::Path};
use crate::text::budget::Unit;

/// The severity of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The caller asked for it, or the target accepts the original as well.
    Info,
    /// Something was left out or shortened, or some servers of the target refuse the original.
    Warning,
    /// The target is known to refuse the original.
    Error,
}

impl Severity {
    /// All severities.
    pub const ALL: [Self; 3] = [Self::Info, Self::Warning, Self::Error];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

macro_rules! changes {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal, $severity:ident;)+) => {
        /// A stable name for each change of a stage.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Change { $($(#[doc = $doc])+ $variant,)+ }

        impl Change {
            /// Every code.
            pub const ALL: &'static [Change] = &[$(Change::$variant),+];

            /// The stable name.
            #[must_use]
            pub fn name(self) -> &'static str { match self { $(Change::$variant => $name),+ } }

            /// Its severity, where a fault does not have its own.
            #[must_use]
            pub fn severity(self) -> Severity { match self { $(Change::$variant => Severity::$severity),+ } }

            /// What it means, in a sentence or two.
            #[must_use]
            pub fn meaning(self) -> &'static str { match self { $(Change::$variant => concat!($($doc),+).trim_ascii()),+ } }
        }
    };
}

changes! {
    /// A provider's compaction replaces this turn, or the parts before it in its own turn, so they are left out.
    Compacted = "compacted", Info;
    /// The compression summary covers this turn, so it is left out.
    Compressed = "compressed", Info;
    /// This turn is older than the start of the compression summary, and the summary does not cover it. It is left out.
    BeforeSummary = "before_summary", Warning;
    /// The compression summary is put first.
    SummaryAdded = "summary_added", Info;
    /// An assistant turn without text and calls is left out.
    EmptyAssistant = "empty_assistant", Warning;
    /// Lone surrogates become U+FFFD.
    LoneSurrogate = "lone_surrogate", Error;
    /// A result without a call is left out.
    OrphanResult = "orphan_result", Error;
    /// A call that the provider ran, but whose result is gone, is left out.
    OrphanCall = "orphan_call", Error;
    /// A second result for the same call is left out.
    DuplicateResult = "duplicate_result", Error;
    /// A call in a turn that is not the assistant's gets an assistant turn.
    MovedCall = "moved_call", Error;
    /// A result that is not directly after its call moves there.
    MovedResult = "moved_result", Error;
    /// Results are sorted into the order of their calls, because the target matches them by order.
    ReorderedResult = "reordered_result", Error;
    /// A call without a result gets one that says so.
    MissingResult = "missing_result", Error;
    /// A call and its result get another id: it was used before, one of them had none, or the target refuses it.
    RenamedId = "renamed_id", Error;
    /// Reasoning is left out because the item after it is gone.
    LoneReasoning = "lone_reasoning", Error;
    /// The system prompts are put first.
    SystemAdded = "system_added", Info;
    /// The caller's `opening` is put before the assistant turn that came first.
    OpeningAdded = "opening_added", Info;
    /// A large result is cut, to meet the budget or the limit for one result.
    CutResult = "cut_result", Warning;
    /// Long strings inside the arguments of a call are cut to meet the budget.
    CutArguments = "cut_arguments", Warning;
    /// Text of the user or the assistant is cut, because nothing else was left to meet the budget.
    CutText = "cut_text", Warning;
    /// An exchange is left out to meet the budget.
    DroppedExchange = "dropped_exchange", Warning;
    /// A turn is left out because all of its exchanges are.
    DroppedTurn = "dropped_turn", Warning;
    /// The caller's note is added: it says that the budget left exchanges out.
    OmittedNote = "omitted_note", Info;
    /// Text without a visible character is left out, because the target refuses it.
    BlankText = "blank_text", Error;
    /// A turn is left out because the target accepts nothing in it.
    EmptyTurn = "empty_turn", Error;
    /// Media in a place where the target refuses them move to a place after the results, or are left out.
    MisplacedMedia = "misplaced_media", Error;
    /// The declared media type is not that of the bytes, or the target does not accept it.
    WrongMedia = "wrong_media", Error;
    /// System text moves to where the target accepts it.
    MovedSystem = "moved_system", Error;
    /// A turn is merged with its neighbour, because the target requires user and assistant to alternate.
    MergedTurn = "merged_turn", Error;
    /// A turn that calls tools becomes the assistant's.
    WrongRole = "wrong_role", Error;
    /// Arguments are written in the form that the target accepts. If they are not a JSON object, they become an empty one.
    Arguments = "arguments", Error;
    /// A result without content gets words that say so, because the target refuses it empty.
    EmptyResult = "empty_result", Error;
    /// Reasoning that the target refuses is left out.
    RefusedReasoning = "refused_reasoning", Error;
    /// A tool, or a call of one, gets a name that the target accepts. `Rendered.names` maps it back to the caller's.
    RenamedTool = "renamed_tool", Error;
    /// A tool's schema is written as the target accepts it. If it now allows less or more, the entry says so.
    MendedSchema = "mended_schema", Error;
    /// A rule of a tool's schema that the target refuses or ignores moves to a description.
    SchemaInWords = "schema_in_words", Warning;
    /// A tool is strict, or the target would make it so, but its schema cannot be. `strict` becomes false.
    NotStrict = "not_strict", Warning;
    /// A key that the target requires on every assistant turn is added, empty.
    StandIn = "stand_in", Error;
    /// Keys that exist only in replies of the target's SDK are left out.
    ReplyKeys = "reply_keys", Error;
    /// A message or part is written in another form, because the target refuses the form it has.
    Reshaped = "reshaped", Error;
    /// The target identifies items by id, and this id was used before. The second item loses its id, or is left out if it needs
    /// one.
    RepeatedItem = "repeated_item", Error;
    /// A tool choice without any tool is left out, and so is a setting that is accepted only beside tools.
    LoneChoice = "lone_choice", Error;
    /// An empty list of tools is left out.
    NoTools = "no_tools", Error;
    /// More cache marks than the target accepts: the first ones of the conversation are left out.
    ExtraMarks = "extra_marks", Error;
    /// Reasoning is left out because this build changes something before it, and the provider binds it to what came before.
    StaleReasoning = "stale_reasoning", Warning;
    /// A result came after an earlier request had answered its call with a placeholder, or after you had removed its
    /// call, which a summary covers. It is sent as text of the user.
    LateResult = "late_result", Warning;
    /// System text and tools stay as an earlier request sent them, though other ones are given now.
    KeptHead = "kept_head", Info;
    /// New system text or a change of tools is said here, after what earlier requests have sent.
    Notice = "notice", Info;
    /// Reasoning is left out because it follows the first change, as the caller asked, or because another family of models made
    /// it.
    StrippedReasoning = "stripped_reasoning", Info;
}

/// A change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its code.
    pub code: Change,
    /// Its severity: that of its code, unless the fault has its own.
    pub severity: Severity,
    /// The caller's index of the turn. For an added turn, the index of the turn that it belongs to.
    pub index: usize,
    /// The place in the caller's payload.
    pub path: Path,
    /// The id of the call, unchanged.
    pub id: Option<String>,
    /// The new id.
    pub new_id: Option<String>,
    /// The size before, in UTF-8 bytes.
    pub before: usize,
    /// The size after.
    pub after: usize,
    /// The reason, in a sentence.
    pub text: Cow<'static, str>,
}

impl Entry {
    /// A change without ids or sizes.
    #[must_use]
    pub fn new(code: Change, index: usize, path: Path, text: impl Into<Cow<'static, str>>) -> Self {
        let severity = code.severity();
        Self { code, severity, index, path, id: None, new_id: None, before: 0, after: 0, text: text.into() }
    }

    /// Sets the severity of the fault.
    #[must_use]
    pub fn graded(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Sets the id of the call.
    #[must_use]
    pub fn of(mut self, id: String) -> Self {
        self.id = Some(id);
        self
    }

    /// Sets the sizes.
    #[must_use]
    pub fn sized(mut self, before: usize, after: usize) -> Self {
        (self.before, self.after) = (before, after);
        self
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} at {}", self.code.name(), self.path)?;
        if let Some(id) = &self.id {
            write!(out, " ({id}")?;
            if let Some(new) = &self.new_id {
                write!(out, " -> {new}")?;
            }
            out.write_str(")")?;
        }
        if self.before != self.after {
            write!(out, ", {} -> {} bytes", self.before, self.after)?;
        }
        write!(out, ": {}", self.text)
    }
}

/// All changes of a build. Empty exactly if the turns are the given ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Receipt {
    /// The changes, in the order of the stages.
    pub entries: Vec<Entry>,
    /// The first changed index: a provider's cache is valid up to there.
    pub first_changed_index: Option<usize>,
    /// Warnings about what was not changed.
    pub warnings: Vec<Warning>,
    /// The sizes before and after the budget, if there is one.
    pub totals: Option<Totals>,
    /// The first place where this request does not repeat the one before it.
    pub break_at: Option<Box<Path>>,
    /// How many signed blocks of reasoning are sent, if earlier requests are known.
    pub reasoning: Option<Box<Reasoning>>,
}

/// What happened to the signed reasoning of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reasoning {
    /// How many blocks are sent.
    pub kept: usize,
    /// How many are left out.
    pub dropped: usize,
}

/// The sizes before and after the budget, in its unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Totals {
    /// The unit.
    pub unit: Unit,
    /// The size after repairs and before the budget.
    pub before: usize,
    /// The final size: at most the budget.
    pub after: usize,
    /// How much each kind of change freed. The sum is the difference of the two sizes.
    pub freed: Vec<(Change, usize)>,
}

/// A warning about something that was not changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Its code.
    pub code: Notice,
    /// The path in the caller's payload. The root for the whole payload.
    pub path: Path,
    /// A sentence.
    pub text: Cow<'static, str>,
}

impl Warning {
    /// A warning about the whole conversation.
    #[must_use]
    pub fn new(code: Notice, text: &'static str) -> Self {
        Self { code, path: Path::default(), text: Cow::Borrowed(text) }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_root() {
            write!(out, "{}: ", self.path)?;
        }
        out.write_str(&self.text)
    }
}

impl Receipt {
    /// The changes that are not in `previous`. In a run that is built at every step, these are the changes of this
    /// step.
    #[must_use]
    pub fn since(&self, previous: &Self) -> Self {
        let entries = left_of(&self.entries, &previous.entries);
        Self {
            first_changed_index: entries.iter().map(|entry| entry.index).min(),
            entries,
            warnings: left_of(&self.warnings, &previous.warnings),
            totals: self.totals.clone(),
            break_at: self.break_at.clone(),
            reasoning: self.reasoning.clone(),
        }
    }

    /// Whether nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

/// The elements of `all` that are not in `known`. A repeated element is removed as often as it is known. Two elements
/// are equal if they print the same.
fn left_of<T: Clone + fmt::Display>(all: &[T], known: &[T]) -> Vec<T> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for one in known {
        *counts.entry(one.to_string()).or_default() += 1;
    }
    let is_new = |one: &&T| match counts.get_mut(&one.to_string()) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    all.iter().filter(is_new).cloned().collect()
}

impl fmt::Display for Receipt {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.entries.len(), self.first_changed_index) {
            (0, _) => out.write_str("nothing changed")?,
            (count, first) => {
                write!(out, "{count} change{}", plural(count))?;
                if let Some(first) = first {
                    write!(out, ", the first at index {first}")?;
                }
                if let Some(Totals { unit, before, after, .. }) =
                    self.totals.as_ref().filter(|all| !all.freed.is_empty())
                {
                    write!(out, ", {before} -> {after} {}", unit.name())?;
                }
            }
        }
        if !self.warnings.is_empty() {
            write!(out, ", {} warning{}", self.warnings.len(), plural(self.warnings.len()))?;
        }
        self.entries.iter().try_for_each(|entry| write!(out, "\n  {entry}"))?;
        self.warnings.iter().try_for_each(|warning| write!(out, "\n  warning {}: {warning}", warning.code.name()))
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
