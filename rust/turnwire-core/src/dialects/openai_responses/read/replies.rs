//! Finds the assistant's messages that some servers take only as plain text: lists of texts without an id or a status.

use crate::{
    dialects::openai_responses::keys as k,
    model::{Flaw, Kind, Part, Role, Turn},
    pairing::bond::has_id,
    value::{Host, Text},
};

static NEITHER: Flaw = Flaw::unsure("some servers take a list of the assistant's texts only with an id and a status");

pub(super) fn settle<H: Host>(turns: &mut [Turn<H>]) {
    // Reasoning with an id asks for that of the message behind it.
    let mut bound = false;
    for turn in turns {
        let reasons = matches!(turn.parts.as_slice(), [Part { kind: Kind::Reasoning(_), .. }]);
        if turn.flaw.is_none() && is_bare_list(turn) && !(bound && turn.id.is_some()) {
            turn.flaw = Some(&NEITHER);
            turn.id = None;
        }
        bound = reasons && has_id(turn);
    }
}

/// Whether a message of the assistant is a list of texts, and has no id or no status.
fn is_bare_list<H: Host>(turn: &Turn<H>) -> bool {
    let (input, listed) = (turn.input.as_ref(), |part: &Part<H>| part.place.index.is_some());
    let is_status = |key: &Text<H>| key.is(k::STATUS.name, input);
    let has_status = turn.extras.iter().flat_map(|extras| extras.iter()).any(|(key, _)| is_status(key));
    // What is wrong with a part has it written anew.
    let sound = |part: &Part<H>| part.flaw.is_none() && matches!(part.kind, Kind::Text(_));
    let texts = turn.parts.iter().all(|part| sound(part) && listed(part));
    turn.role == Role::Assistant && !turn.parts.is_empty() && texts && !(turn.id.is_some() && has_status)
}
