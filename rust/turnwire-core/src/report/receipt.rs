//! The receipt of a build: every change, where it was made, and the first index that is not what it was.

use std::{borrow::Cow, collections::HashMap, fmt};

use super::{notice::Notice, path::Path};
use crate::text::budget::Unit;

/// How much a change matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The caller asked for it.
    Info,
    /// Something was left out or made smaller.
    Warning,
    /// What was given would have been refused.
    Error,
}

impl Severity {
    /// All of them.
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
        /// A stable name for each thing that a stage changes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Change { $($(#[doc = $doc])+ $variant,)+ }

        impl Change {
            /// Every code there is.
            pub const ALL: &'static [Change] = &[$(Change::$variant),+];

            /// The stable name.
            #[must_use]
            pub fn name(self) -> &'static str { match self { $(Change::$variant => $name),+ } }

            /// How much it matters.
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
    /// Media in a place where the target refuses them move behind the results, or are left out.
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
    /// A tool choice without any tool is left out.
    LoneChoice = "lone_choice", Error;
    /// An empty list of tools is left out.
    NoTools = "no_tools", Error;
    /// More cache marks than the target accepts: the first ones of the conversation are left out.
    ExtraMarks = "extra_marks", Error;
    /// Reasoning is left out because this build changes something before it, and the provider binds it to what came before.
    StaleReasoning = "stale_reasoning", Warning;
    /// A result came after an earlier request had answered its call with a placeholder. It is sent as text of the user.
    LateResult = "late_result", Warning;
    /// System text and tools stay as an earlier request sent them, though other ones are given now.
    KeptHead = "kept_head", Info;
    /// New system text or a change of tools is said here, after what earlier requests have sent.
    Notice = "notice", Info;
    /// Reasoning is left out because it follows the first change, as the caller asked, or because another family of models made
    /// it.
    StrippedReasoning = "stripped_reasoning", Info;
}

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What was done.
    pub code: Change,
    /// The caller's own index of the turn; of a turn that was added, the index of the turn it belongs to.
    pub index: usize,
    /// Where in the caller's payload.
    pub path: Path,
    /// The id of the call that it is about, unchanged.
    pub id: Option<String>,
    /// The id that took its place.
    pub new_id: Option<String>,
    /// The size of what was changed, in UTF-8 bytes.
    pub before: usize,
    /// Its size now.
    pub after: usize,
    /// Why, in a sentence.
    pub text: Cow<'static, str>,
}

impl Entry {
    /// A change at a place, without ids or sizes.
    #[must_use]
    pub fn new(code: Change, index: usize, path: Path, text: impl Into<Cow<'static, str>>) -> Self {
        Self { code, index, path, id: None, new_id: None, before: 0, after: 0, text: text.into() }
    }

    /// The same change, about this call.
    #[must_use]
    pub fn of(mut self, id: String) -> Self {
        self.id = Some(id);
        self
    }

    /// The same change, with the sizes of what was changed.
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

/// All changes of one build. Empty exactly when the turns are the ones that were given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Receipt {
    /// The changes, in the order of the stages.
    pub entries: Vec<Entry>,
    /// The first index at which the result is not what was given: what a provider has cached is good up to there.
    pub first_changed_index: Option<usize>,
    /// What the caller should know though nothing was changed for it.
    pub warnings: Vec<Warning>,
    /// What the budget paid for, where there is one.
    pub totals: Option<Totals>,
    /// The first place where this request says something else than the one before it, of what that one had sent.
    pub break_at: Option<Box<Path>>,
    /// How many signed blocks of reasoning are sent, where earlier requests are known.
    pub reasoning: Option<Box<Reasoning>>,
}

/// What became of the signed reasoning of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reasoning {
    /// So many blocks are sent.
    pub kept: usize,
    /// So many are not.
    pub dropped: usize,
}

/// The size of everything, as the budget counts it, before and after it was fitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Totals {
    /// What is counted.
    pub unit: Unit,
    /// The size of what was repaired and not yet fitted.
    pub before: usize,
    /// The size of what is left: at most the budget.
    pub after: usize,
    /// By what was done, how much it freed: all of it together is what lies between the two.
    pub freed: Vec<(Change, usize)>,
}

/// Something that the caller should know though nothing was changed for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// What it is about.
    pub code: Notice,
    /// Where in the caller's payload; its root where it is about all of it.
    pub path: Path,
    /// What it is, in a sentence.
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
    /// What it says that `previous` does not: of a run that is built at every step, the changes of this step.
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

/// What of `all` is not among `known`, each counted as often as it is there. What two of them print is all that they are.
fn left_of<T: Clone + fmt::Display>(all: &[T], known: &[T]) -> Vec<T> {
    let mut counts: HashMap<String, usize> = HashMap::new();
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
