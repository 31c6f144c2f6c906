//! Remembers the last request's messages, so that the next request reads only new ones. It is never stored: a ledger
//! that was loaded reads its first body as a whole.

use std::{ops::Range, sync::Arc};

use super::head::is_system;
use crate::{
    prefix::{Digest, Restart, hash_with},
    report::Error,
    rules::DialectId,
    value::{
        Body, Builder, Known, NoHost, Number, Passed, Value,
        json::read::{self, build_wtf8},
    },
};

/// The hashes of a request.
#[derive(Debug, Default)]
pub(super) struct Memo {
    /// The hash of what all messages depend on: the keys beside them, the dialect, the model and the adopted summary.
    beside: u64,
    /// The offset of the first message, and the hash of the bytes before it.
    front: (usize, u64),
    /// What is known of each message.
    messages: Vec<Known>,
    digest: Digest,
    /// The system messages that the list begins with.
    pub(super) lead: Vec<Value<NoHost>>,
    /// The size of the request in bytes.
    size: usize,
}

impl Memo {
    /// How much memory to reserve for a slightly longer request.
    pub(super) fn room(&self) -> usize {
        self.size + self.size / 16
    }

    /// What a writer needs to pass over these messages.
    pub(super) fn passed(&self) -> Passed {
        // Before the first message of a bare list, only the list is open.
        let depth = 1 + usize::from(self.front.0 > 1);
        Passed { start: self.front.0, depth, elements: self.messages.clone(), hash: sum, count: 0 }
    }

    /// The size of a request without these messages, with room for new ones.
    pub(super) fn room_behind(&self) -> usize {
        self.front.0 + 16_384
    }

    /// The ranges of the first messages that the last request also had, and the offset where the rest of the list
    /// begins. Writers put one comma between two messages, and no white space.
    fn front_of(&self, json: &[u8], seed: u64) -> (Vec<Range<usize>>, usize) {
        let (start, before) = self.front;
        let mut found = Vec::with_capacity(self.messages.len());
        let mut at = start;
        if json.get(..start).is_none_or(|front| hash_with(seed, front) != before) {
            return (found, start);
        }
        for known in &self.messages {
            let place = at..at + known.length;
            let Some(next) = json.get(place.end).filter(|next| matches!(next, b',' | b']')) else { break };
            if sum(&json[place.clone()]) != known.sum {
                break;
            }
            at = place.end + usize::from(*next == b',');
            found.push(place);
        }
        (found, at)
    }
}

/// A request as JSON, and the ranges of its messages in it.
pub(super) struct Written {
    pub(super) json: Vec<u8>,
    /// How many first messages, which the last request had, too, are not in it.
    pub(super) passed: usize,
    /// The bytes between the brackets of the list.
    list: Range<usize>,
    pub(super) messages: Vec<Range<usize>>,
    /// The hashes that a memo compares.
    front: u64,
    beside: u64,
    /// What is known of each message.
    sums: Vec<Known>,
}

impl Written {
    /// Finds the messages. `list`: the key of the list, empty for a bare one. Finds none if the list has elements other
    /// than objects. Finds messages of the last request by their hashes, and reads only new ones.
    /// `passed`: those that are not in the JSON. `seed`: what the hashes depend on, beside the body.
    pub(super) fn of(
        (json, passed): (Vec<u8>, Vec<Known>),
        list: &'static str,
        seed: u64,
        memo: &Memo,
    ) -> Result<Self, Error> {
        let (mut messages, rest) =
            if passed.is_empty() { memo.front_of(&json, seed) } else { (Vec::new(), memo.front.0) };
        let (known, skipped) = (messages.len(), rest - memo.front.0);
        let (list, new) = if skipped == 0 {
            Places::of(&json, list)?
        } else {
            // What the last request had was read at that time.
            let found = Places::of(&[&json[..memo.front.0], &json[rest..]].concat(), list)?;
            debug_assert_eq!(Places::of(&json, list)?.0, found.0.start..found.0.end + skipped, "the same list");
            found
        };
        let list = list.start..list.end + skipped;
        messages.extend(new.iter().map(|one| one.start + skipped..one.end + skipped));
        let front = hash_with(seed, &json[..list.start]);
        let beside = hash_with(front, &json[list.end..]);
        let (passed, mut sums) = (passed.len(), passed);
        sums.extend(memo.messages.iter().take(known.min(messages.len())));
        sums.extend(messages.iter().skip(known).map(|one| Known::of(&json[one.clone()], sum)));
        Ok(Self { json, passed, list, messages, front, beside, sums })
    }

    /// How many of the first messages were in the last request, and their digest.
    pub(super) fn known(&self, memo: &Memo) -> (usize, Digest) {
        if self.beside != memo.beside {
            return (0, Digest::default());
        }
        let count = self.sums.iter().zip(&memo.messages).take_while(|(new, old)| new.sum == old.sum).count();
        // More system messages may follow now. Only the first message after them shows where they end.
        if count > memo.lead.len() { (count, memo.digest.first(count)) } else { (0, Digest::default()) }
    }

    /// The request without its first messages, among which are those that are not in it.
    pub(super) fn without(&self, count: usize) -> Vec<u8> {
        let count = count.saturating_sub(self.passed);
        let rest = self.messages.get(count).map_or(self.list.end, |first| first.start);
        let start = if count == 0 { self.list.start } else { rest };
        [&self.json[..self.list.start], &self.json[start..]].concat()
    }

    /// The request with its first system messages only.
    pub(super) fn beginning(&self) -> Result<Vec<u8>, Error> {
        let mut end = self.list.start;
        for message in &self.messages {
            if !is_system(&read::value::<NoHost>(&self.json[message.clone()])?) {
                return Ok([&self.json[..end], &self.json[self.list.end..]].concat());
            }
            end = message.end;
        }
        Ok(self.json.clone())
    }

    /// What the next request needs to know of this one.
    pub(super) fn memo(&self, digest: Digest, lead: Vec<Value<NoHost>>) -> Arc<Memo> {
        let passed = self.sums[..self.passed].iter().map(|known| known.length + 1).sum::<usize>();
        let (front, size) = ((self.list.start, self.front), passed + self.json.len());
        Arc::new(Memo { beside: self.beside, front, messages: self.sums.clone(), digest, lead, size })
    }
}

/// The hash of a message's bytes.
fn sum(bytes: &[u8]) -> u64 {
    hash_with(0, bytes)
}

/// A hash of what the hashes of all messages, and where the head ends, depend on beside the body.
pub(super) fn seed((target, model): (DialectId, Option<&str>), restart: Option<Restart>, behind: usize) -> u64 {
    let sum = hash_with(hash_with(0, target.name().as_bytes()), model.unwrap_or_default().as_bytes());
    let sum = if behind == 0 { sum } else { hash_with(sum, &behind.to_le_bytes()) };
    let restarts = restart.into_iter().flat_map(|one| [one.token, one.base, one.all]);
    restarts.fold(sum, |sum, one| hash_with(sum, &one.to_le_bytes()))
}

/// Finds the messages of a body.
#[derive(Default)]
struct Places {
    wanted: &'static str,
    depth: usize,
    /// Whether the value that comes next in the body is the list.
    is_next: bool,
    /// The depth of the list, while it is read.
    inside: Option<usize>,
    list: Option<Range<usize>>,
    messages: Vec<Range<usize>>,
    /// Whether the list has elements that are not objects.
    has_others: bool,
}

impl Places {
    /// The range between the brackets of the list, and those of its messages. No ranges if it has elements other than
    /// objects.
    fn of(json: &[u8], wanted: &'static str) -> Result<(Range<usize>, Vec<Range<usize>>), Error> {
        let mut places = Self { wanted, ..Self::default() };
        build_wtf8(json, &mut places)?;
        Ok(places.list.filter(|_| !places.has_others).map_or_else(Default::default, |list| (list, places.messages)))
    }

    fn leaf(&mut self) {
        self.is_next = false;
        self.has_others |= self.inside == Some(self.depth);
    }

    fn open(&mut self, at: usize, is_list: bool) {
        if self.inside == Some(self.depth) {
            self.has_others |= is_list;
            self.messages.push(at..at);
        }
        self.depth += 1;
        let is_body = self.depth == 1 && self.wanted.is_empty();
        if is_list && (is_body || self.is_next) {
            self.inside = Some(self.depth);
            self.list = Some(at + 1..at + 1);
        }
        self.is_next = false;
    }
}

impl Builder for Places {
    fn null(&mut self, _: usize) {
        self.leaf();
    }
    fn bool(&mut self, _: bool, _: usize) {
        self.leaf();
    }
    fn number(&mut self, _: Number<'_>, _: usize) {
        self.leaf();
    }
    fn text(&mut self, _: Body<'_>) {
        self.leaf();
    }
    fn key(&mut self, body: Body<'_>) {
        self.is_next = self.depth == 1 && !self.wanted.is_empty() && body.bytes == self.wanted.as_bytes();
        // If two lists have the same key, neither choice is safe.
        self.has_others |= self.is_next && self.list.is_some();
    }
    fn open_list(&mut self, at: usize) {
        self.open(at, true);
    }
    fn open_map(&mut self, at: usize) {
        self.open(at, false);
    }
    fn close(&mut self, end: usize) {
        if self.inside == Some(self.depth) {
            self.inside = None;
            if let Some(list) = &mut self.list {
                list.end = end - 1;
            }
        }
        self.depth -= 1;
        if self.inside == Some(self.depth)
            && let Some(message) = self.messages.last_mut()
        {
            message.end = end;
        }
    }
}
