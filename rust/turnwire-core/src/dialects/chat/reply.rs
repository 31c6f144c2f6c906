//! Reads replies of the family: with choices, `{"choices": [{"message", "finish_reason"}], "usage"}`, or flat.

use super::keys as k;
use super::{hooks::Chat, read};
use crate::{
    model::ReplyParts,
    report::{Error, Trail},
    value::{Host, NodeKind, Source, Tree},
    wire::read::{Keys, keys::wrong_type},
};

/// Reads a reply with choices, and takes the first choice.
pub(crate) fn choices<D: Chat, H: Host>(payload: &Tree<'_, H>, said: &mut ReplyParts<H>) -> Result<(), Error> {
    let at = Trail::ROOT;
    let mut keys = Keys::of(payload, &at)?;
    D::cost(payload, said);
    said.failed(payload, &k::CHOICES);
    // An error may have no choices.
    let Some(choices) = keys.needed_unless(said.error.is_some(), &k::CHOICES)? else { return Ok(()) };
    let at = at.key(k::CHOICES.name);
    if choices.kind() != NodeKind::List {
        return Err(wrong_type("a list", &choices, &at));
    }
    said.others(&k::CHOICES, &choices);
    let Some(choice) = choices.items().next() else { return Ok(()) };
    let at = at.index(0);
    let mut keys = Keys::of(&choice, &at)?;
    if let Some(error) = keys.error(&k::ERROR, true).filter(|_| said.error.is_none()) {
        said.error = Some(error.0.share());
        said.places.error = ".choices[0].error";
    }
    let end = keys.text(&k::FINISH_REASON)?;
    // A choice that ended before the model said anything may have no message.
    if let Some(message) = keys.needed_unless(end.is_some() || said.error.is_some(), &k::MESSAGE)? {
        let at_message = at.key(k::MESSAGE.name);
        said.turn(message.0, |message, turn| read::turn(D::reads(), message, &at_message, turn))?;
    }
    said.stopped(end, D::MEMBER.meaning);
    Ok(())
}

/// Reads a reply that is one message, with further keys beside it.
pub(crate) fn flat<D: Chat, H: Host>(payload: &Tree<'_, H>, said: &mut ReplyParts<H>) -> Result<(), Error> {
    let at = Trail::ROOT;
    let mut keys = Keys::of(payload, &at)?;
    D::cost(payload, said);
    let is_answered = payload.get(&k::MESSAGE).is_some_and(|message| message.kind() == NodeKind::Map);
    said.error = keys.error(&k::ERROR, is_answered).map(|error| error.0.share());
    // An error may have no message.
    let Some(message) = keys.needed_unless(said.error.is_some(), &k::MESSAGE)? else { return Ok(()) };
    if message.kind() == NodeKind::Text {
        // An error may use the same key for its text.
        if said.error.is_none() {
            said.error = Some(message.0.share());
            said.places.error = ".message";
        }
        return Ok(());
    }
    let at_message = at.key(k::MESSAGE.name);
    said.turn(message.0, |message, turn| read::turn(D::reads(), message, &at_message, turn))?;
    said.stopped(keys.text(D::MEMBER.end)?, D::MEMBER.meaning);
    Ok(())
}
