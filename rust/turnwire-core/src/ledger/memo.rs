//! What is known of the last request's messages, so that the next request reads only new ones. It is never stored: a
//! ledger that is loaded reads its first body as a whole.

use std::{ops::Range, sync::Arc};

use crate::{
    prefix::{Digest, hash_with},
    report::error::Error,
    rules::dialect_id::DialectId,
    value::{
        handle::{NoHost, Value},
        json::read::{Body, Builder, Number, build_wtf8},
    },
};

/// The hashes of a request.
#[derive(Debug, Default)]
pub(super) struct Memo {
    /// The hash of what all of it depends on: the keys beside the messages, the dialect and the model.
    beside: u64,
    /// The place of the first message, and the hash of what is before it.
    front: (usize, u64),
    /// The hash of each message's bytes, and their number.
    messages: Vec<(u64, usize)>,
    digest: Digest,
    /// The system messages that the list begins with.
    pub(super) lead: Vec<Value<NoHost>>,
    /// The size of the request in bytes.
    size: usize,
}

impl Memo {
    /// Room for a request that is a little longer.
    pub(super) fn room(&self) -> usize {
        self.size + self.size / 16
    }

    /// The places of the first messages of a request that the last one had, too, and where the rest of its list begins.
    /// Writers put one comma between two messages, and no white space.
    fn front_of(&self, json: &[u8], seed: u64) -> (Vec<Range<usize>>, usize) {
        let (start, before) = self.front;
        let mut found = Vec::with_capacity(self.messages.len());
        let mut at = start;
        if json.get(..start).is_none_or(|front| hash_with(seed, front) != before) {
            return (found, start);
        }
        for (sum, length) in &self.messages {
            let place = at..at + length;
            let Some(next) = json.get(place.end).filter(|next| matches!(next, b',' | b']')) else { break };
            if hash_with(0, &json[place.clone()]) != *sum {
                break;
            }
            at = place.end + usize::from(*next == b',');
            found.push(place);
        }
        (found, at)
    }
}

/// A request as JSON, and the places of its messages in it.
pub(super) struct Written {
    pub(super) json: Vec<u8>,
    /// The bytes between the brackets of the list.
    list: Range<usize>,
    pub(super) messages: Vec<Range<usize>>,
    /// The hashes that a memo compares.
    front: u64,
    beside: u64,
    sums: Vec<u64>,
}

impl Written {
    /// Finds the messages. `list`: the key of the list; empty for a bare one. No message is found where the list has other
    /// elements than objects. Messages of the last request are found by their hashes, and only what is new is read.
    pub(super) fn of(
        json: Vec<u8>,
        list: &'static str,
        (target, model): (DialectId, Option<&str>),
        memo: &Memo,
    ) -> Result<Self, Error> {
        let seed = hash_with(hash_with(0, target.name().as_bytes()), model.unwrap_or_default().as_bytes());
        let (mut messages, rest) = memo.front_of(&json, seed);
        let (known, skipped) = (messages.len(), rest - memo.front.0);
        let (list, new) = if skipped == 0 {
            Places::of(&json, list)?
        } else {
            // What the last request had was read then.
            let found = Places::of(&[&json[..memo.front.0], &json[rest..]].concat(), list)?;
            debug_assert_eq!(Places::of(&json, list)?.0, found.0.start..found.0.end + skipped, "the same list");
            found
        };
        let list = list.start..list.end + skipped;
        messages.extend(new.iter().map(|one| one.start + skipped..one.end + skipped));
        let front = hash_with(seed, &json[..list.start]);
        let beside = hash_with(front, &json[list.end..]);
        let new = messages.iter().skip(known).map(|one| hash_with(0, &json[one.clone()]));
        let sums = memo.messages.iter().map(|(sum, _)| *sum).take(known.min(messages.len())).chain(new).collect();
        Ok(Self { json, list, messages, front, beside, sums })
    }

    /// How many first messages are those of the last request, and what is known of them.
    pub(super) fn known(&self, memo: &Memo) -> (usize, Digest) {
        if self.beside != memo.beside {
            return (0, Digest::default());
        }
        let count = self.sums.iter().zip(&memo.messages).take_while(|(new, old)| **new == old.0).count();
        // The lead of system messages may be longer now: only the message behind it tells where it ends.
        if count > memo.lead.len() { (count, memo.digest.first(count)) } else { (0, Digest::default()) }
    }

    /// The request without its first messages.
    pub(super) fn without(&self, count: usize) -> Vec<u8> {
        let rest = self.messages.get(count).map_or(self.list.end, |first| first.start);
        let start = if count == 0 { self.list.start } else { rest };
        [&self.json[..self.list.start], &self.json[start..]].concat()
    }

    /// What the next request needs to know of this one.
    pub(super) fn memo(&self, digest: Digest, lead: Vec<Value<NoHost>>) -> Arc<Memo> {
        let messages = self.sums.iter().zip(&self.messages).map(|(sum, place)| (*sum, place.len())).collect();
        let front = (self.list.start, self.front);
        Arc::new(Memo { beside: self.beside, front, messages, digest, lead, size: self.json.len() })
    }
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
    /// Whether the list has elements that are no objects.
    has_others: bool,
}

impl Places {
    /// The places between the brackets of the list, and of its messages. None where the list has other elements than objects.
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
        // With two lists under one key, no choice is safe.
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
