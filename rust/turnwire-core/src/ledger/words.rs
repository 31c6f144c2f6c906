//! Hashes what a turn says, to recognise it when it comes back.

use super::adopted::summary;
use crate::{
    model::{
        part::{Kind, Part},
        tool::Content,
        turn::Turn,
    },
    prefix::hash_with,
    value::handle::{Host, Input, Text},
};

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
