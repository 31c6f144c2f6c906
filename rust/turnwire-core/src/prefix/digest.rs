//! Hashes a body: what each of its reasoning blocks is bound to, and the bytes of its messages.
//!
//! If a block has the same `before` in two bodies, both are equal up to it for the check of reasoning. A message's own
//! keys are a piece, so joining or splitting messages is an edit. Reasoning is not hashed. [`Digest::messages`] hashes
//! everything except marks, as a cache reads it.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::{
    element::{Kind, arranged, json, sorted},
    thought::{Thought, signature},
    walk::{self, Walked},
};
use crate::{
    report::{Error, Path, Step},
    rules::DialectId,
    value::{Host, NoHost, Value},
};

/// Bodies are read from JSON text. Being of one type, they are read by code that is compiled once.
type Json = Value<NoHost>;

/// A signed reasoning block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// A hash of its signature or encrypted content.
    pub token: u64,
    /// A hash of everything before it that it is bound to.
    pub before: u64,
    /// The index of its message.
    pub message: usize,
}

/// A compaction block that replaces messages of an earlier request. What was bound at their end is valid after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Restart {
    /// A hash of its signature or encrypted content.
    pub token: u64,
    /// A hash of everything outside its messages that all reasoning of that request was bound to.
    pub base: u64,
    /// A hash of everything bound at the end of that request.
    pub all: u64,
}

/// The digest of a body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Digest {
    /// A hash of the tools and the system text beside the messages, as bytes.
    pub head: u64,
    /// A hash of each message. To compare two of them: `alike`.
    pub messages: Vec<u64>,
    /// The signed reasoning, in order.
    pub blocks: Vec<Block>,
    /// A hash of everything bound: what the reasoning of a reply to this body is bound to.
    pub all: u64,
    /// A hash of everything bound outside the messages: tools, system text and the format of replies.
    pub base: u64,
    /// For each piece, its message and a hash of everything bound up to its end.
    after: Vec<(usize, u64)>,
    /// Deferred tools, each with the message that shows it to the model.
    shown: Vec<(usize, String)>,
}

impl Digest {
    /// The digest of the same body cut off after its first `count` messages.
    #[must_use]
    pub fn first(&self, count: usize) -> Self {
        let count = count.min(self.messages.len());
        if count == 0 {
            return Self::default();
        }
        let after = &self.after[..self.after.partition_point(|(message, _)| *message < count)];
        Self {
            head: self.head,
            messages: self.messages[..count].to_vec(),
            blocks: self.blocks.iter().take_while(|block| block.message < count).copied().collect(),
            all: after.last().map_or(self.base, |(_, all)| *all),
            base: self.base,
            after: after.to_vec(),
            shown: self.shown.iter().filter(|(message, _)| *message < count).cloned().collect(),
        }
    }

    /// Whether reasoning that is bound to this could be somewhere in the body.
    #[must_use]
    pub fn passes(&self, all: u64) -> bool {
        self.base == all || self.after.iter().any(|(_, after)| *after == all)
    }
}

/// XXH3, because its value is the same on every machine and in every version. Stored digests are read by other
/// processes.
pub(crate) fn hash_with(before: u64, bytes: &[u8]) -> u64 {
    xxh3_64_with_seed(bytes, before)
}

/// The bytes of a piece, as the check reads it.
pub(crate) fn said(value: &Json) -> Vec<u8> {
    json(&sorted(value))
}

/// The half of a message's hash that the order of keys in the model's and the caller's own data changes, too. The other
/// half is the same in every order of keys.
const EXACT: u64 = u32::MAX as u64;

/// Whether two messages are equal in [`Digest::messages`], except perhaps for the order of keys in a call's arguments and
/// other data. A check of reasoning does not see that order, but a cache does.
pub(crate) fn alike(one: u64, other: u64) -> bool {
    one | EXACT == other | EXACT
}

/// The hash of a message with one more piece. The order of keys outside of data does not count, because no provider
/// passes it on to a model.
fn with_row(sum: u64, value: &Json) -> u64 {
    let (any_order, exact) = (hash_with(sum | EXACT, &said(value)), hash_with(sum & EXACT, &json(&arranged(value))));
    (any_order & !EXACT) | (exact & EXACT)
}

/// The hash that identifies a signed reasoning block wherever it is. `None` without a signature or encrypted content.
#[must_use]
pub fn token<H: Host>(block: &Value<H>) -> Option<u64> {
    signature(block).map(|signature| hash_with(0, &signature))
}

/// The digest of a body.
pub fn digest(body: &Json, dialect: DialectId, model: Option<&str>) -> Result<Digest, Error> {
    digest_behind(Digest::default(), body, (dialect, model), None)
}

/// The digest of a body whose first messages are already known. `body` has the keys beside the messages, and the
/// remaining messages.
pub fn digest_behind(
    known: Digest,
    body: &Json,
    (dialect, model): (DialectId, Option<&str>),
    restart: Option<Restart>,
) -> Result<Digest, Error> {
    let shown: Vec<_> = known.shown.iter().map(|(_, name)| name.as_str()).collect();
    let mut walked = walk::walk_behind(body, dialect, &shown)?;
    let head = walked.rows[..walked.head].iter().fold(0, |head, row| hash_with(head, &row.bytes));
    if !(dialect.facts.system_binds)(model.or(walked.model.as_deref())) {
        walked = walked.without_system();
    }
    let base = bound_head(&walked);
    let all = if known.messages.is_empty() { base } else { known.all };
    Ok(Digest { head, ..behind(&walked, Digest { all, base, ..known }, restart) })
}

/// The digest of elements that follow a body with the hashes `base` and `all`.
pub fn go_on(elements: &Json, dialect: DialectId, (base, all): (u64, u64)) -> Result<Digest, Error> {
    walk::walk(elements, dialect).map(|walked| behind(&walked, Digest { all, base, ..Digest::default() }, None))
}

/// Adds what was walked to the digest of what comes before it.
fn behind(walked: &Walked<NoHost>, mut digest: Digest, restart: Option<Restart>) -> Digest {
    let start = digest.messages.len();
    let block = |thought: &Thought<NoHost>, before| Block {
        token: hash_with(0, &thought.token),
        before,
        message: start + thought.message,
    };
    let mut thoughts = walked.thoughts.iter().filter(|thought| thought.signed).peekable();
    for (at, part) in walked.parts.iter().enumerate() {
        while let Some(thought) = thoughts.next_if(|thought| thought.at <= at) {
            digest.blocks.push(block(thought, digest.all));
        }
        digest.all = match part.kind {
            Kind::Compaction => behind_compaction(&part.value, digest.base, restart),
            _ => hash_with(digest.all, &said(&part.value)),
        };
        digest.after.push((start + part.message, digest.all));
    }
    digest.blocks.extend(thoughts.map(|thought| block(thought, digest.all)));
    digest.messages.resize(start + walked.messages, 0);
    for row in &walked.rows[walked.head..] {
        let message = start + message_of(&row.path).unwrap_or(0);
        if let Some(sum) = digest.messages.get_mut(message) {
            *sum = with_row(*sum, &row.value);
        }
    }
    digest.shown.extend(walked.shown.iter().map(|(message, name)| (start + message, name.clone())));
    digest
}

/// What is bound after a compaction block, where the check of reasoning starts again.
fn behind_compaction(block: &Json, base: u64, restart: Option<Restart>) -> u64 {
    let known = restart.filter(|restart| restart.base == base && token(block) == Some(restart.token));
    known.map_or_else(|| hash_with(base, &said(block)), |restart| restart.all)
}

fn message_of(path: &Path) -> Option<usize> {
    path.steps().find_map(|step| if let Step::Index(index) = step { Some(index) } else { None })
}

/// What all reasoning is bound to: the format of replies, the system text, and the tools as a set.
fn bound_head(walked: &Walked<NoHost>) -> u64 {
    let format = walked.format.iter().map(|format| said(&format.value));
    let system = walked.system.iter().map(|one| said(&one.value));
    let mut tools: Vec<_> = walked.tools.iter().filter(|tool| !tool.deferred).collect();
    tools.sort_by(|one, other| one.name.cmp(&other.name));
    let tools = tools.into_iter().map(|tool| said(&tool.element.value));
    format.chain(system).chain(tools).fold(1, |head, bytes| hash_with(head, &bytes))
}
