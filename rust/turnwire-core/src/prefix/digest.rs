//! A body in a few numbers: what reasoning in it is bound to, and whether its bytes are those of another body.
//!
//! Two bodies that agree in the `before` of a block say the same up to there, as the check of reasoning reads it: what a message
//! says of itself is a piece, so that messages which are joined or split are an edit. Reasoning is no part of it; it stands beside
//! it. [`Digest::messages`] counts every byte but marks, as a cache does.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::{
    element::{json, sorted},
    thought::signature,
    walk::{self, Walked},
};
use crate::{
    report::{
        error::Error,
        path::{Path, Step},
    },
    rules::dialect_id::DialectId,
    value::handle::{Host, Value},
};

/// A reasoning block that is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// By what proves where it was made.
    pub token: u64,
    /// All that is bound in front of it.
    pub before: u64,
    /// The place of its message.
    pub message: usize,
}

/// A body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Digest {
    /// Tools and system text beside the messages, as bytes.
    pub head: u64,
    /// The bytes of each message.
    pub messages: Vec<u64>,
    /// Its signed reasoning, in order.
    pub blocks: Vec<Block>,
    /// All that is bound: what the reasoning of a reply to it is bound to.
    pub all: u64,
}

/// XXH3, which is the same everywhere and in every version: what is stored is read by another process.
pub(crate) fn summed(before: u64, bytes: &[u8]) -> u64 {
    xxh3_64_with_seed(bytes, before)
}

/// What a piece says, as the check reads it.
fn said<H: Host>(value: &Value<H>) -> Vec<u8> {
    json(&sorted(value))
}

/// By what a signed reasoning block is known again, wherever it stands; `None` where nothing proves where it was made.
#[must_use]
pub fn token<H: Host>(block: &Value<H>) -> Option<u64> {
    signature(block).map(|signature| summed(0, &signature))
}

/// The digest of a body.
pub fn digest<H: Host>(body: &Value<H>, dialect: DialectId, model: Option<&str>) -> Result<Digest, Error> {
    let mut walked = walk::walk(body, dialect)?;
    let head = walked.rows[..walked.head].iter().fold(0, |head, (_, bytes)| summed(head, bytes));
    if !(dialect.facts.system_binds)(model.or(walked.model.as_deref())) {
        walked = walked.without_system();
    }
    Ok(Digest { head, ..behind(&walked, bound_head(&walked)) })
}

/// The digest of elements behind a body that is bound to `all`.
pub fn go_on<H: Host>(elements: &Value<H>, dialect: DialectId, all: u64) -> Result<Digest, Error> {
    walk::walk(elements, dialect).map(|walked| behind(&walked, all))
}

fn behind<H: Host>(walked: &Walked<H>, mut all: u64) -> Digest {
    let mut digest = Digest::default();
    let mut thoughts = walked.thoughts.iter().filter(|thought| thought.signed).peekable();
    for (at, part) in walked.parts.iter().enumerate() {
        while let Some(thought) = thoughts.next_if(|thought| thought.at <= at) {
            digest.blocks.push(Block { token: summed(0, &thought.token), before: all, message: thought.message });
        }
        all = summed(all, &said(&part.value));
    }
    let rest = thoughts.map(|one| Block { token: summed(0, &one.token), before: all, message: one.message });
    digest.blocks.extend(rest);
    digest.messages = vec![0; walked.messages];
    for (path, bytes) in &walked.rows[walked.head..] {
        let message = message_of(path).unwrap_or(0);
        if let Some(sum) = digest.messages.get_mut(message) {
            *sum = summed(*sum, bytes);
        }
    }
    Digest { all, ..digest }
}

fn message_of(path: &Path) -> Option<usize> {
    path.steps().find_map(|step| if let Step::Index(index) = step { Some(index) } else { None })
}

/// What all reasoning is bound to: the format of replies, system text, and the tools as a set.
fn bound_head<H: Host>(walked: &Walked<H>) -> u64 {
    let format = walked.format.iter().map(|format| said(&format.value));
    let system = walked.system.iter().map(|one| said(&one.value));
    let mut tools: Vec<_> = walked.tools.iter().filter(|tool| !tool.deferred).collect();
    tools.sort_by(|one, other| one.name.cmp(&other.name));
    let tools = tools.into_iter().map(|tool| said(&tool.element.value));
    format.chain(system).chain(tools).fold(1, |head, bytes| summed(head, &bytes))
}
