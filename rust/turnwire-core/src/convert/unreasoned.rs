//! A conversation without reasoning, as a build makes it, for conversions that build nothing.

use std::sync::Arc;

use smallvec::smallvec;

use crate::{
    model::{Conversation, Part, Turn},
    pairing::{
        bond::{Bond, Follower, without_id},
        unreasoned,
    },
    report::{Edit, Error, Losses, Sources, provenance::origins_of, sentence},
    rules::DialectId,
    value::Host,
    wire::plan::judge,
};

/// A conversation without reasoning. Losses say what went.
pub(super) fn without_reasoning<H: Host>(
    conversation: &Conversation<H>,
    target: DialectId,
    losses: &mut Losses,
) -> Result<Conversation<H>, Error> {
    let limits = Some(target.limits()?);
    let unwanted =
        |turn: &Turn<H>| unreasoned(turn, &|part: &Part<H>| judge::is_reasoning(limits, part, turn.input.as_ref()));
    if !conversation.turns().iter().any(|turn| unwanted(turn).is_some()) {
        return Ok(conversation.share());
    }
    let (mut turns, mut sources, mut bond) = (Vec::new(), Vec::<Sources>::new(), Bond::default());
    for (index, turn) in conversation.turns().iter().enumerate() {
        let mut lost = |why: &'static str| losses.lost(Edit::Reasoning, turn.path(index), why);
        let left = match unwanted(turn) {
            Some(new) => {
                bond.removed(turn, ());
                lost(sentence::NO_REASONING)?;
                Some(Arc::new(new)).filter(|turn| !turn.parts.is_empty())
            }
            None => match bond.kept(turn) {
                None => Some(turn.clone()),
                Some(((), becomes)) => {
                    lost(becomes.why())?;
                    (becomes == Follower::LosesId).then(|| Arc::new(without_id(turn)))
                }
            },
        };
        if let Some(turn) = left {
            turns.push(turn);
            sources.push(smallvec![index]);
        }
    }
    let origins = match conversation.origins() {
        None => sources,
        Some(origins) => sources.iter().map(|sources| origins_of(sources, origins)).collect(),
    };
    Ok(Conversation::new(turns, conversation.frame.clone(), None).made_of(Some(origins.into())))
}
