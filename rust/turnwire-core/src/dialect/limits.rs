//! What a target takes: one row of data for each dialect and profile, used by render, repair and validate alike.

pub use super::alphabet::Alphabet;

/// The limits of one wire format, or of one profile of it.
#[allow(clippy::struct_excessive_bools, reason = "a row of a table: each flag is a column of its own")]
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// What a call id may be.
    pub id: IdRule,
    /// What a tool's name may be.
    pub name: NameRule,
    /// Where results stand.
    pub results: ResultPlace,
    /// Whether results must keep the order of their calls.
    pub results_in_call_order: bool,
    /// Whether user and assistant must alternate.
    pub alternates: bool,
    /// Whether empty or blank text is taken.
    pub blank_text: bool,
    /// Whether an assistant turn may be first.
    pub starts_with_assistant: bool,
    /// Whether an assistant turn may be last.
    pub ends_with_assistant: bool,
    /// Whether arguments must be a JSON object.
    pub args_object: bool,
    /// Whether media may stand inside a result.
    pub media_in_result: bool,
    /// Where system text stands.
    pub system: SystemPlace,
    /// What happens to reasoning that another dialect made.
    pub reasoning: ReasoningRule,
    /// Whether tools must be defined once the history holds calls.
    pub tools_required: bool,
    /// Whether neighbouring assistant turns count as one message, so that results may follow the last of them.
    pub joins_assistant: bool,
    /// Whether reasoning must be followed by what it led to, in a turn of the same message.
    pub binds_reasoning: bool,
}

/// What an id may be made of.
#[derive(Clone, Copy, Debug)]
pub struct IdRule {
    /// At most so many characters.
    pub max: usize,
    /// Exactly so many, where the target is strict.
    pub exact: Option<usize>,
    /// The bytes that it may hold.
    pub alphabet: &'static Alphabet,
    /// Whether the wire can do without.
    pub optional: bool,
    /// Whether no two calls of the whole conversation may share one.
    pub once: bool,
}

/// What a tool's name may be made of. A name that the target refuses is an error: nobody could map a new one back.
#[derive(Clone, Copy, Debug)]
pub struct NameRule {
    /// At most so many characters.
    pub max: usize,
    /// The bytes that it may hold.
    pub alphabet: &'static Alphabet,
}

/// Where results stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultPlace {
    /// One message each.
    OneEach,
    /// All of an exchange in one user turn.
    OneTurn,
}

/// Where system text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SystemPlace {
    /// In messages, anywhere.
    Anywhere,
    /// In messages, at the head only.
    First,
    /// In a key of its own.
    Top,
    /// Nowhere.
    Nowhere,
}

/// What a target asks of an assistant turn whose reasoning it did not make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReasoningRule {
    /// It has no reasoning to replay.
    None,
    /// It replays its own, and takes a turn without.
    Replay,
    /// It wants a documented stand-in.
    Sentinel(&'static str),
}

impl IdRule {
    /// Any text at all.
    pub const ANY: Self = Self { max: usize::MAX, exact: None, alphabet: Alphabet::ANY, optional: false, once: false };

    /// Whether `id` may stand.
    #[must_use]
    pub fn allows(&self, id: &[u8]) -> bool {
        let long_enough = !id.is_empty() && self.exact.is_none_or(|exact| characters(id) == exact);
        long_enough && fits(id, self.max) && self.alphabet.has_all(id)
    }
}

impl NameRule {
    /// Whether `name` may stand.
    #[must_use]
    pub fn allows(&self, name: &[u8]) -> bool {
        !name.is_empty() && fits(name, self.max) && self.alphabet.has_all(name)
    }
}

/// Whether a WTF-8 text has at most so many characters. Its bytes nearly always settle it.
fn fits(text: &[u8], max: usize) -> bool {
    text.len() <= max || characters(text) <= max
}

fn characters(text: &[u8]) -> usize {
    text.iter().filter(|byte| **byte & 0xC0 != 0x80).count()
}
