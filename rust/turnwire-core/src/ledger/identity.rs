//! What a turn is recognised by: its signed reasoning, its summary, its words.

use crate::{
    model::{Content, Kind, Part, Turn, compaction},
    prefix::{self, hash_with},
    stage::token,
    value::{Host, Input, Text},
};

/// A signed block of a list: the caller's index of its turn, and its identity.
pub(super) type SignedBlock = (usize, u64);

/// The identities of the signed reasoning in a turn.
pub(super) fn tokens<H: Host>(turn: &Turn<H>) -> impl Iterator<Item = u64> {
    turn.parts.iter().filter_map(|part| token(turn, part))
}

/// The identity of the last compaction in a turn; 0 if it has none of its own. `None` without a compaction.
pub(super) fn compaction_of<H: Host>(turn: &Turn<H>) -> Option<u64> {
    let (part, _) = compaction::last_of(turn)?;
    let origin = turn.parts[part].origin.as_ref().or(turn.origin.as_ref());
    let block = origin.and_then(|origin| origin.to_value(turn.input.as_ref()).ok());
    Some(block.and_then(|block| prefix::token(&block)).unwrap_or(0))
}

/// The identity of a turn that is a compaction block and nothing else.
pub(super) fn summary<H: Host>(turn: &Turn<H>) -> Option<u64> {
    compaction::alone(turn).and_then(|block| prefix::token(&block))
}

/// A hash of what a turn says, of whose texts the first `most` bytes count.
pub(super) fn said<H: Host>(sum: u64, turn: &Turn<H>, most: usize) -> u64 {
    let sum = hash_with(sum, turn.role.name().as_bytes());
    let sum = summary(turn).map_or(sum, |token| hash_with(sum, &token.to_le_bytes()));
    turn.parts.iter().fold(sum, |sum, part| hash(sum, part, (most, turn.input.as_ref())))
}

fn hash<H: Host>(sum: u64, part: &Part<H>, (most, input): (usize, Option<&Input>)) -> u64 {
    let text = |sum, text: &Text<H>| {
        let bytes = text.head_bytes(most, input);
        // The handle may return more bytes than that.
        hash_with(sum, &bytes[..bytes.len().min(most)])
    };
    match &part.kind {
        Kind::Text(words) | Kind::Refusal(words) => text(sum, words),
        // A made-up id may depend on later turns.
        Kind::Call(call) => text(sum, if call.made_up_id { &call.name } else { &call.id }),
        Kind::Result(result) => {
            let sum = if result.made_up_id { sum } else { text(sum, &result.id) };
            match &result.content {
                Content::Absent => sum,
                Content::Text(words) => text(sum, words),
                Content::Blocks(parts) => parts.iter().fold(sum, |sum, part| hash(sum, part, (most, input))),
            }
        }
        Kind::Reasoning(_) | Kind::Json(_) | Kind::Media(_) | Kind::Opaque(_) => sum,
    }
}
