//! A request as it is sent: its JSON in a few numbers, and which of its reasoning no longer stands behind what it was made behind.

use std::sync::Arc;

use super::{
    head::{self, Head},
    memo::{Memo, Written},
    state::{Record, State},
};
use crate::{
    convert,
    model::{conversation::Conversation, turn::Turn},
    prefix::{Digest, Restart, digest_behind, go_on},
    report::{
        error::Error,
        loss::Options,
        provenance::{Rendering, Sources},
    },
    rules::{dialect_id::DialectId, limits::PartOrder},
    stage::token,
    value::{
        handle::{Host, NoHost, Value},
        json::{read, write::JsonSink},
    },
};

/// A request as it is sent.
pub(super) struct Seen {
    /// Its body, without messages that the last request had, too.
    pub(super) body: Value<NoHost>,
    pub(super) digest: Digest,
    pub(super) rendering: Rendering,
    pub(super) json: Vec<u8>,
    /// What stands before its messages.
    pub(super) head: Head,
    /// The caller's turns that the head says.
    pub(super) hoisted: Vec<usize>,
    /// What the next one has to know of it.
    pub(super) memo: Arc<Memo>,
}

/// A signed block in a request: whose it is, by the caller's index, and what proves where it was made.
pub(super) type Stale = (usize, u64);

impl Seen {
    /// What a conversation says on the wire. `memo`: what is known of the last request. `restart`: the compaction block that
    /// stands for messages of an earlier one.
    pub(super) fn of<H: Host>(
        conversation: &Conversation<H>,
        (target, model): (DialectId, Option<&str>),
        options: &Options,
        (memo, restart): (&Memo, Option<Restart>),
    ) -> Result<Self, Error> {
        let mut out = JsonSink::new(Vec::with_capacity(memo.room()));
        let rendering = convert::render(conversation, target, options, &mut out)?;
        let written = Written::of(out.into_bytes(), head::list_key(target), (target, model))?;
        let (known, digest) = written.known(memo);
        let body = read::value::<NoHost>(&written.without(known))?;
        let digest = digest_behind(digest, &body, (target, model), restart)?;
        let lead = (known > 0).then(|| memo.lead.iter().map(Value::share).collect());
        let (head, hoisted) = Head::of(&body, lead, &rendering.provenance, target);
        let memo = written.memo(digest.clone(), head.clone().lead);
        Ok(Self { body, digest, rendering, json: written.json, head, hoisted, memo })
    }

    /// The bytes of each message behind its head.
    pub(super) fn messages(&self) -> &[u64] {
        self.digest.messages.get(self.head.lead.len()..).unwrap_or_default()
    }

    /// The caller's elements that each message behind its head was written from.
    pub(super) fn sources(&self) -> &[Sources] {
        self.rendering.provenance.sources.get(self.head.lead.len()..).unwrap_or_default()
    }

    /// The caller's element that a message begins with; of one that was made, that of the next.
    pub(super) fn index_of(&self, message: usize) -> Option<usize> {
        self.sources().get(message..)?.iter().find_map(|sources| sources.first().copied())
    }

    /// The blocks that a model which checks would refuse.
    pub(super) fn stale<H: Host>(&self, conversation: &Conversation<H>, state: &State) -> Vec<Stale> {
        let mut last = None;
        let mut found = Vec::new();
        for block in &self.digest.blocks {
            let holds = match state.record(block.token) {
                None | Some(Record::Free) => {
                    continue;
                }
                Some(Record::Bound { all, last: before }) => {
                    *all == block.before && (last.is_none() || *before == last)
                }
            };
            if holds {
                last = Some(block.token);
                continue;
            }
            let sources = self.rendering.provenance.sources.get(block.message);
            let has = |index: &usize| {
                let turn = conversation.turns().get(*index);
                turn.is_some_and(|turn| tokens(turn).any(|token| token == block.token))
            };
            found.extend(sources.into_iter().flatten().filter(|index| has(index)).map(|index| (*index, block.token)));
        }
        found
    }
}

/// The signed reasoning of a turn.
pub(super) fn tokens<H: Host>(turn: &Turn<H>) -> impl Iterator<Item = u64> {
    turn.parts.iter().filter_map(|part| token(turn, part))
}

/// What the reasoning of a reply to a request is bound to: to all that was sent, and to what the reply says before it.
pub(super) fn records<'a, H: Host>(
    reply: impl Iterator<Item = &'a Turn<H>>,
    target: DialectId,
    (base, all, last): (u64, u64, Option<u64>),
) -> Result<Vec<(u64, Record)>, Error> {
    // Where an element is one thing that the model says, several of them are one reply.
    let goes_on = target.limits().is_ok_and(|limits| limits.order == PartOrder::Elements);
    let (mut found, mut at) = (Vec::new(), (all, last));
    for turn in reply {
        let has_any = tokens(turn).next().is_some();
        if !has_any && !goes_on {
            continue;
        }
        let mut out = JsonSink::new(Vec::new());
        crate::dialects::registry::render_turn(turn, target, &mut out)?;
        let elements = read::value::<NoHost>(&out.into_bytes())?;
        let start = if goes_on { at } else { (all, last) };
        let digest = go_on(&elements, target, (base, start.0))?;
        let mut last = start.1;
        for block in &digest.blocks {
            found.push((block.token, Record::Bound { all: block.before, last }));
            last = Some(block.token);
        }
        at = (digest.all, last);
    }
    Ok(found)
}
