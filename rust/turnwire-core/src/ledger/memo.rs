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
    /// The hash of each message's bytes.
    messages: Vec<u64>,
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
}

/// A request as JSON, and the places of its messages in it.
pub(super) struct Written {
    pub(super) json: Vec<u8>,
    /// The bytes between the brackets of the list.
    list: Range<usize>,
    messages: Vec<Range<usize>>,
    /// The hashes that a memo compares.
    beside: u64,
    sums: Vec<u64>,
}

impl Written {
    /// Finds the messages. `list`: the key of the list; empty for a bare one. No message is found where the list has other
    /// elements than objects.
    pub(super) fn of(
        json: Vec<u8>,
        list: &'static str,
        (target, model): (DialectId, Option<&str>),
    ) -> Result<Self, Error> {
        let mut places = Places { wanted: list, ..Places::default() };
        build_wtf8(&json, &mut places)?;
        let (list, messages) = match places.list {
            Some(list) if !places.has_others => (list, places.messages),
            _ => (0..0, Vec::new()),
        };
        let seed = hash_with(hash_with(0, target.name().as_bytes()), model.unwrap_or_default().as_bytes());
        let beside = hash_with(hash_with(seed, &json[..list.start]), &json[list.end..]);
        let sums = messages.iter().map(|one| hash_with(0, &json[one.clone()])).collect();
        Ok(Self { json, list, messages, beside, sums })
    }

    /// How many first messages are those of the last request, and what is known of them.
    pub(super) fn known(&self, memo: &Memo) -> (usize, Digest) {
        if self.beside != memo.beside {
            return (0, Digest::default());
        }
        let count = self.sums.iter().zip(&memo.messages).take_while(|(new, old)| new == old).count();
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
        let (beside, messages, size) = (self.beside, self.sums.clone(), self.json.len());
        Arc::new(Memo { beside, messages, digest, lead, size })
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
