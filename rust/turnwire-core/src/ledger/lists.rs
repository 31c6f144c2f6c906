//! Recognises the list of a request, so that its reply is known when the list comes back later: a ledger may have served
//! another conversation in between.

use std::{cmp::Reverse, ops::Range, sync::Arc};

use super::{
    records::Record,
    seen,
    state::{Pending, State},
};
use crate::{
    model::{
        conversation::Conversation,
        part::{Kind, Part},
        tool::Content,
        turn::{Role, Turn},
    },
    prefix::hash_with,
    report::error::Error,
    rules::dialect_id::DialectId,
    value::handle::{Host, Input, Text},
};

/// How many requests wait for a reply that is not in the newest list.
const MOST: usize = 64;

/// How much of a text tells one list from another, behind the first turns.
const ENOUGH: usize = 64;

/// How many first turns are read as a whole: many conversations begin with one long template.
const WHOLE: usize = 2;

/// The caller's list: its signed reasoning, and the hashes of its beginnings.
pub(super) struct List<'a, H: Host> {
    turns: &'a [Arc<Turn<H>>],
    /// The signed reasoning: the index of its turn, and its identity.
    tokens: Vec<(usize, u64)>,
    /// A hash of the system text beside the list, and of the names of the tools.
    pub(super) head: u64,
    /// For each length, the hash of ids, signatures and the beginnings of texts.
    rough: Vec<u64>,
}

impl<'a, H: Host> List<'a, H> {
    /// `prompts`: system text beside that of the conversation.
    pub(super) fn of(conversation: &'a Conversation<H>, prompts: &[Text<H>]) -> Self {
        let turns = conversation.turns();
        let frame = &conversation.frame;
        let head = prompts.iter().fold(0, |sum, text| hash_with(sum, &text.wtf8(None)));
        let own = frame.system.iter().flat_map(|system| &system.parts);
        let head = own.fold(head, |sum, part| hash(sum, part, (usize::MAX, frame.input.as_ref())));
        let names = frame.tools.iter().flatten().map(|tool| tool.name.wtf8(frame.input.as_ref()));
        let head = names.fold(head, |sum, name| hash_with(sum, &name));
        let of_turn = |(index, turn): (usize, &'a Arc<Turn<H>>)| seen::tokens(turn).map(move |token| (index, token));
        let tokens = turns.iter().enumerate().flat_map(of_turn).collect();
        let mut list = Self { turns, tokens, head, rough: vec![0] };
        for index in 0..turns.len() {
            let most = if index < WHOLE { usize::MAX } else { ENOUGH };
            list.rough.push(list.with(index, most));
        }
        list
    }

    /// The identities of its signed reasoning, in order.
    pub(super) fn tokens(&self) -> impl Iterator<Item = u64> {
        self.tokens.iter().map(|(_, token)| *token)
    }

    pub(super) fn count(&self) -> usize {
        self.tokens.len()
    }

    /// The hash of the first `length` turns; of the last of them, every word counts. `None` if the list is shorter.
    pub(super) fn first(&self, length: usize) -> Option<u64> {
        self.rough.get(length)?;
        Some(length.checked_sub(1).map_or(0, |last| self.with(last, usize::MAX)))
    }

    /// The hash of the beginning that ends with a turn, of whose texts so many bytes count.
    fn with(&self, index: usize, most: usize) -> u64 {
        let (turn, before) = (&self.turns[index], self.rough[index]);
        let sum = hash_with(before, turn.role.name().as_bytes());
        let sum = turn.parts.iter().fold(sum, |sum, part| hash(sum, part, (most, turn.input.as_ref())));
        self.tokens_of(index..index + 1).fold(sum, |sum, token| hash_with(sum, &token.to_le_bytes()))
    }

    fn tokens_of(&self, turns: Range<usize>) -> impl Iterator<Item = u64> {
        let first = self.tokens.partition_point(|(index, _)| *index < turns.start);
        self.tokens[first..].iter().take_while(move |(index, _)| *index < turns.end).map(|(_, token)| *token)
    }

    /// The place of the first reply behind the first `length` turns.
    fn reply(&self, length: usize) -> Option<usize> {
        let mut rest = self.turns.iter().enumerate().skip(length);
        rest.find(|(_, turn)| turn.role == Role::Assistant).map(|(index, _)| index)
    }

    /// The reasoning of the reply at an index.
    fn run(&self, first: usize) -> impl Iterator<Item = u64> {
        let run = self.turns[first..].iter().take_while(|turn| turn.role == Role::Assistant).count();
        self.tokens_of(first..first + run)
    }
}

impl State {
    /// Gives the replies in a list to the requests that wait for them. The other requests go on waiting.
    pub(super) fn hand_out<H: Host>(&mut self, list: &List<'_, H>, target: DialectId) -> Result<(), Error> {
        let mut waiting = std::mem::take(&mut self.waiting);
        let newest = (waiting.len() + self.pending.len()).checked_sub(1).filter(|_| !self.pending.is_empty());
        waiting.extend(self.pending.iter().map(|one| Pending { given: None, ..one.clone() }));
        // Of several requests before one reply, the last one got it.
        let mut longest: Vec<_> = (0..waiting.len()).collect();
        longest.sort_by_key(|at| Reverse(waiting[*at].length));
        let mut answered = vec![false; waiting.len()];
        for alike in longest.chunk_by(|one, other| waiting[*one].length == waiting[*other].length) {
            let length = waiting[alike[0]].length;
            let (Some(first), hash) = (list.reply(length), list.first(length)) else { continue };
            let asked: Vec<_> = alike.iter().copied().filter(|at| Some(waiting[*at].list) == hash).collect();
            let own: Vec<_> = asked.iter().copied().filter(|at| waiting[*at].head == list.head).collect();
            let own = if asked.len() == 1 { asked.clone() } else { own };
            // Who sent a request twice behind different system text got the reply to the second.
            let own =
                if own.is_empty() { asked.iter().copied().filter(|at| Some(*at) == newest).collect() } else { own };
            for at in &own {
                answered[*at] = true;
            }
            match own.split_last() {
                Some((newest, rest)) if rest.iter().all(|at| waiting[*at].binds_like(&waiting[*newest])) => {
                    self.record_reply(&list.turns[first..], &waiting[*newest], target)?;
                }
                // It answers one of several that ask the same, behind other system text or tools.
                _ if !asked.is_empty() => list.run(first).for_each(|token| self.records.add(token, Record::Unknown)),
                _ => {}
            }
        }
        // A reply with another list in front of it: the caller has edited that since.
        for at in longest.into_iter().filter(|at| !answered[*at]) {
            let one = &waiting[at];
            let is_new = |first: &usize| list.run(*first).any(|token| self.record(token).is_none());
            if let Some(first) = list.reply(one.length).filter(is_new) {
                self.record_reply(&list.turns[first..], one, target)?;
            }
        }
        let mut answered = answered.into_iter();
        waiting.retain(|_| answered.next() == Some(false));
        let too_many = waiting.len().saturating_sub(MOST);
        waiting.drain(..too_many);
        self.forgot |= too_many > 0;
        self.waiting = waiting;
        Ok(())
    }
}

impl Pending {
    /// Whether the reply to it is bound to the same as that to another request.
    pub(super) fn binds_like(&self, other: &Self) -> bool {
        (self.binds, self.all, self.last) == (other.binds, other.all, other.last)
    }
}

fn hash<H: Host>(sum: u64, part: &Part<H>, (most, input): (usize, Option<&Input>)) -> u64 {
    let text = |sum, text: &Text<H>| {
        let bytes = text.head_bytes(most, input);
        // How much more than that comes depends on the handle.
        hash_with(sum, &bytes[..bytes.len().min(most)])
    };
    match &part.kind {
        Kind::Text(words) | Kind::Refusal(words) => text(sum, words),
        Kind::Call(call) => text(sum, &call.id),
        Kind::Result(result) => {
            let sum = text(sum, &result.id);
            match &result.content {
                Content::Absent => sum,
                Content::Text(words) => text(sum, words),
                Content::Blocks(parts) => parts.iter().fold(sum, |sum, part| hash(sum, part, (most, input))),
            }
        }
        Kind::Reasoning(_) | Kind::Json(_) | Kind::Media(_) | Kind::Opaque(_) => sum,
    }
}
