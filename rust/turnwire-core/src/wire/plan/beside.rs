//! Finds documents without text beside them, and sound beside system text, for targets that refuse these.

use super::{
    answer::answer,
    blank::takes_blank,
    decide::{Decision, Fate, Scope, decide},
};
use crate::{
    model::{Kind, Part, Turn},
    rules::{MediaClass, Target},
    value::Host,
    wire::write::says::{is_written, replays},
};

/// What a message has of documents, and of text beside them.
pub(crate) struct Beside<P> {
    document: Option<P>,
    text: bool,
}

impl<P> Beside<P> {
    /// An empty message.
    pub(crate) const fn none() -> Self {
        Self { document: None, text: false }
    }

    /// Adds a part, which is at `place`.
    pub(crate) fn add(&mut self, is: Is, place: impl FnOnce() -> P) {
        self.text |= is == Is::Text;
        if is == Is::Document && self.document.is_none() {
            self.document = Some(place());
        }
    }

    /// The first document, if no text is beside it.
    pub(crate) fn alone(self) -> Option<P> {
        self.document.filter(|_| !self.text)
    }
}

/// What something in a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Is {
    Text,
    Document,
    /// Anything else, or nothing.
    Other,
}

/// The first document that has no text beside it in its message: its turn and its part. `None` where the target takes it.
pub(crate) fn lone_document<'t, H: Host>(
    target: &Target<'_>,
    turns: impl Iterator<Item = &'t Turn<H>>,
) -> Option<(usize, usize)> {
    if !target.limits.media.text_beside {
        return None;
    }
    let (mut message, mut side) = (Beside::none(), None);
    for (at, turn) in turns.enumerate().filter(|(_, turn)| !turn.role.is_system() && is_written(turn, target)) {
        let speaker = turn.speaker();
        if side.replace(speaker) != Some(speaker) || !target.limits.alternates {
            let before = std::mem::replace(&mut message, Beside::none()).alone();
            if before.is_some() {
                return before;
            }
        }
        for (place, part) in turn.parts.iter().enumerate() {
            message.add(is(target, turn, part), || (at, place));
        }
    }
    message.alone()
}

/// What the target gets of a part. JSON is text there, and so is the line before media that move out of a result.
fn is<H: Host>(target: &Target<'_>, turn: &Turn<H>, part: &Part<H>) -> Is {
    let scope = Scope::of(turn);
    let Ok(Decision { fate, .. }) = decide(target, scope, part, false) else { return Is::Other };
    match (fate, &part.kind) {
        (Fate::Text(_) | Fate::Made(_) | Fate::More(_) | Fate::Refusal(_) | Fate::JsonText(_), _)
        | (Fate::Origin(_), Kind::Json(_)) => Is::Text,
        // Blank text that stays is none.
        (Fate::Origin(_), Kind::Text(text) | Kind::Refusal(text))
            if takes_blank(target.limits, scope.role) || !text.is_blank(scope.input) =>
        {
            Is::Text
        }
        (Fate::Media(shown), _) if shown.class == MediaClass::Document => Is::Document,
        (Fate::Origin(_), Kind::Media(media)) if media.class == MediaClass::Document => Is::Document,
        (_, Kind::Result(result)) => match answer(target, scope, result) {
            Ok(answer) if answer.blocks.iter().any(|block| block.moves) => Is::Text,
            _ => Is::Other,
        },
        _ => Is::Other,
    }
}

/// Sound that is written beside system text: its turn and its part. Sound of a result counts, because it follows the result.
/// `None` where the target takes it. `instructed`: whether there is system text beside the turns.
pub(crate) fn sound<'t, H: Host>(
    target: &Target<'_>,
    mut turns: impl Iterator<Item = &'t Turn<H>> + Clone,
    instructed: bool,
) -> Option<(usize, usize)> {
    if target.limits.media.sound_beside_system || !instructed && !turns.clone().any(|turn| turn.role.is_system()) {
        return None;
    }
    let is_sound = |part: &Part<H>| matches!(&part.kind, Kind::Media(media) if media.class == MediaClass::Audio);
    let heard = |turn: &Turn<H>, part: &Part<H>| match &part.kind {
        Kind::Result(result) => answer(target, Scope::of(turn), result)
            .is_ok_and(|answer| answer.blocks.iter().any(|block| is_sound(block.part) && block.decision.says())),
        _ if !is_sound(part) => false,
        _ => {
            replays(target, turn) || decide(target, Scope::of(turn), part, false).is_ok_and(|decision| decision.says())
        }
    };
    let place = |turn: &Turn<H>| turn.parts.iter().position(|part| heard(turn, part));
    let mut at = 0..;
    turns.find_map(|turn| at.next().zip(place(turn)))
}
