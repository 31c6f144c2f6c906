//! Declares who made reasoning, and the keys in which gateways carry the reasoning of others.

use super::shared_block::{Shared, SharedBlock};
use crate::value::{Host, Input, Raw, Text, Value, base64};

/// Who made reasoning, and so who can verify it. Its maker takes it from any carrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Maker {
    /// Blocks of Claude's.
    Claude,
    /// Items of OpenAI's Responses.
    OpenAi,
    /// Signatures of Google's, each on a call or a text.
    Google,
    /// Chunks of Mistral's, which all of its models read.
    Mistral,
}

impl Maker {
    /// Whether all of its profiles are the same servers, which read what any of them signed.
    pub(crate) fn is_one(self) -> bool {
        self == Self::Mistral
    }
}

/// What the key of an assistant's message holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    /// A list of the maker's own blocks.
    Blocks(Maker),
    /// A list of details, each of which names its maker's format.
    Details,
}

/// Where a format carries the reasoning of others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Carriers {
    /// The keys of an assistant's message.
    pub(crate) keys: &'static [(&'static str, Holds)],
    /// Who made the reasoning that stands among the contents.
    pub(crate) among_contents: Option<Maker>,
    /// Where a call or a message has Google's signature: paths of keys.
    pub(crate) signatures: &'static [&'static [&'static str]],
    /// What separates a call's id from Google's signature behind it. Empty if no id has one.
    pub(crate) in_id: &'static str,
}

impl Carriers {
    /// For formats that carry none.
    pub(crate) const NONE: Self = Self { keys: &[], among_contents: None, signatures: &[], in_id: "" };

    /// What the key of a message holds.
    pub(crate) fn holds(&self, key: Option<&str>) -> Option<Holds> {
        self.keys.iter().find(|(known, _)| key == Some(*known)).map(|(_, holds)| *holds)
    }

    /// An id without the signature behind it, and that signature.
    pub(crate) fn split<'i>(&self, id: &'i [u8]) -> Option<(&'i [u8], &'i [u8])> {
        let between = self.in_id.as_bytes();
        if between.is_empty() || id.len() <= between.len() {
            return None;
        }
        let at = id.windows(between.len()).position(|here| here == between)?;
        let (own, signature) = (&id[..at], &id[at + between.len()..]);
        let is_one = !own.is_empty() && !signature.is_empty() && base64::is_strict(signature);
        is_one.then_some((own, signature))
    }

    /// Whether a key of a message, of a call or of its function holds a signature and nothing else.
    pub(crate) fn signs<H: Host>(&self, (key, raw): &(Text<H>, Raw<H>), input: Option<&Input>) -> bool {
        // The keys of a function are read apart.
        let inside = |path: &&'static [&'static str]| path.strip_prefix(&["function"]).unwrap_or(path);
        let mut paths = self.signatures.iter().map(inside).filter(|path| key.is(path[0], input)).peekable();
        if paths.peek().is_none() {
            return false;
        }
        raw.to_value(input).is_ok_and(|whole| paths.any(|path| is_alone(&whole, &path[1..])))
    }
}

/// Whether there is nothing in a value but what is at the end of a path.
fn is_alone<H: Host>(value: &Value<H>, path: &[&str]) -> bool {
    let Some((name, rest)) = path.split_first() else {
        return !matches!(value, Value::List(items) if items.len() != 1);
    };
    let Value::Map(entries) = value else { return false };
    matches!(&entries[..], [(key, value)] if key.is(name, None) && is_alone(value, rest))
}

/// Claude's blocks of reasoning, as its maker spells them.
pub(crate) const CLAUDE: &[SharedBlock] = &[
    SharedBlock {
        what: Shared::Thought,
        kind: "thinking",
        under: &[],
        fields: &[("signature", "signature"), ("text", "thinking")],
        needs: 2,
        coded: false,
    },
    SharedBlock {
        what: Shared::Redacted,
        kind: "redacted_thinking",
        under: &[],
        fields: &[("data", "data")],
        needs: 1,
        coded: false,
    },
];
