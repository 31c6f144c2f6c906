//! The caller's list: its signed reasoning, and hashes by which it is recognised when it comes back with a reply.

use std::{ops::Range, sync::Arc};

use super::{
    adopted::Adopted,
    identity::{SignedBlock, compaction_of, said, tokens},
    pending::Talk,
};
use crate::{
    model::{Conversation, Role, Turn},
    prefix::hash_with,
    value::{HashSet, Host},
};

/// How many bytes of a text are compared after the first turns.
pub(super) const ENOUGH: usize = 64;

/// How many first turns are compared as a whole, because many conversations begin with the same long template.
pub(super) const WHOLE: usize = 2;

/// The caller's list: its signed reasoning, and a hash for each of its lengths.
pub(super) struct List<'a, H: Host> {
    pub(super) turns: &'a [Arc<Turn<H>>],
    /// The signed reasoning.
    pub(super) tokens: Vec<SignedBlock>,
    /// For each length, a hash of ids, signatures and the beginnings of texts.
    pub(super) rough: Vec<u64>,
}

impl Talk {
    fn with<H: Host>(self, turn: &Turn<H>) -> Self {
        Self { turns: self.turns + 1, sum: said(self.sum, turn, ENOUGH) }
    }
}

impl<'a, H: Host> List<'a, H> {
    pub(super) fn of(conversation: &'a Conversation<H>) -> Self {
        let turns = conversation.turns();
        let of_turn = |(index, turn): (usize, &'a Arc<Turn<H>>)| tokens(turn).map(move |token| (index, token));
        let tokens = turns.iter().enumerate().flat_map(of_turn).collect();
        let mut list = Self { turns, tokens, rough: vec![0] };
        for index in 0..turns.len() {
            let most = if index < WHOLE { usize::MAX } else { ENOUGH };
            list.rough.push(list.with(list.rough[index], index, most));
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

    /// The hash of the first `length` turns, the last of which is compared as a whole. `None` if the list is shorter.
    pub(super) fn first(&self, length: usize) -> Option<u64> {
        self.rough.get(length)?;
        Some(length.checked_sub(1).map_or(0, |last| self.with(self.rough[last], last, usize::MAX)))
    }

    /// The hash of a summary among the first `length` turns, and of those that it does not cover. The others are not
    /// sent. `None` without a summary.
    pub(super) fn behind(&self, length: usize, adopted: Option<&Adopted>) -> Option<u64> {
        let first = self.turns.get(..length)?;
        let adopted = adopted.filter(|one| one.is_here && one.place.at < length).map(|one| (one.place, one.restart));
        // One that nobody asked for covers everything before it.
        let is_later = |at: &usize| adopted.is_none_or(|(place, _)| place.at < *at);
        let own = first.iter().enumerate().rev().find_map(|(at, turn)| Some((at, compaction_of(turn)?)));
        let own = own.filter(|(at, _)| is_later(at)).map(|(at, token)| (at, at, token));
        let (covers, at, token) = own.or(adopted.map(|(place, restart)| (place.covers, place.at, restart.token)))?;
        let rest = (covers..length).filter(|index| *index != at);
        let most = |index| if index + 1 == length { usize::MAX } else { ENOUGH };
        Some(rest.fold(token, |sum, index| self.with(sum, index, most(index))))
    }

    /// The turns of the first `length` that are no system text, which may change in a conversation.
    pub(super) fn talk(&self, length: usize) -> Talk {
        let talk = self.talking().take_while(|(index, _)| *index < length);
        talk.fold(Talk::default(), |talk, (_, turn)| talk.with(turn))
    }

    /// Whether the list begins with this talk.
    pub(super) fn begins_with(&self, talk: Talk) -> bool {
        let first = self.talking().take(talk.turns);
        first.fold(Talk::default(), |talk, (_, turn)| talk.with(turn)) == talk
    }

    fn talking(&self) -> impl Iterator<Item = (usize, &Turn<H>)> {
        let turns = self.turns.iter().enumerate().map(|(index, turn)| (index, &**turn));
        turns.filter(|(_, turn)| !turn.role.is_system())
    }

    /// A hash of turns, and of one more, of whose texts the first `most` bytes count.
    pub(super) fn with(&self, sum: u64, index: usize, most: usize) -> u64 {
        let sum = said(sum, &self.turns[index], most);
        self.tokens_of(index..index + 1).fold(sum, |sum, token| hash_with(sum, &token.to_le_bytes()))
    }

    pub(super) fn tokens_of(&self, turns: Range<usize>) -> impl Iterator<Item = u64> {
        let first = self.tokens.partition_point(|(index, _)| *index < turns.start);
        self.tokens[first..].iter().take_while(move |(index, _)| *index < turns.end).map(|(_, token)| *token)
    }

    /// The replies with reasoning among hashes of its turns.
    pub(super) fn thoughts(&self, each: &[u64]) -> HashSet<u64> {
        let with = self.tokens.iter().filter_map(|(index, _)| each.get(*index));
        with.copied().collect()
    }

    /// A hash of its first words, and of system text before them. 0 without any.
    pub(super) fn root(&self) -> u64 {
        self.talking().next().and_then(|(first, _)| self.first(first + 1)).unwrap_or(0)
    }

    /// A hash of its first words, without system text. 0 without any.
    pub(super) fn words(&self) -> u64 {
        self.talking().next().map_or(0, |(_, turn)| said(0, turn, usize::MAX))
    }

    /// A hash of its first reply, like one of `each`. 0 without one.
    pub(super) fn first_reply(&self) -> u64 {
        let first = self.turns.iter().position(|turn| turn.role == Role::Assistant);
        first.map_or(0, |first| self.with(0, first, ENOUGH) | 1)
    }

    /// A hash of each turn. Its last bit is set for the assistant's.
    pub(super) fn each(&self) -> Vec<u64> {
        let most = |index| if index < WHOLE { usize::MAX } else { ENOUGH };
        (0..self.turns.len()).map(|index| self.one(index, most(index))).collect()
    }

    /// A hash of one turn, of whose texts the first `most` bytes count.
    pub(super) fn one(&self, index: usize, most: usize) -> u64 {
        self.with(0, index, most) & !1 | u64::from(self.turns[index].role == Role::Assistant)
    }

    /// The turns of the first reply after the first `length` turns.
    pub(super) fn reply(&self, length: usize) -> Option<Range<usize>> {
        let first = self.turns.iter().skip(length).position(|turn| turn.role == Role::Assistant)? + length;
        let count = self.turns[first..].iter().take_while(|turn| turn.role == Role::Assistant).count();
        Some(first..first + count)
    }
}
