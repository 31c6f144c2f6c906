//! Finds where the target would get the user's words right after a result, for targets that refuse that.

use super::{answer::answer, decide::Scope};
use crate::{
    model::{Kind, Part, Role, Tie, Turn},
    report::{Error, Severity},
    rules::Target,
    value::Host,
    wire::write::says::{is_written, replays, user_asks},
};

/// A place between a result and the user's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gap {
    /// The turn before which it is, by its position. The length of the list for media that follow the last result.
    pub(crate) at: usize,
    /// Whether it is inside that turn, behind its results.
    pub(crate) inside: bool,
}

/// How sure it is that the target refuses it.
pub(crate) fn severity(target: &Target<'_>) -> Severity {
    target.limits.user_after_result
}

/// The gaps, in their order. What is moved out of a result is the user's, too.
pub(crate) fn gaps<'a, H: Host>(
    target: &Target<'_>,
    turns: impl ExactSizeIterator<Item = &'a Turn<H>>,
) -> Result<Vec<Gap>, Error> {
    let (mut gaps, mut answered, mut moves) = (Vec::new(), false, false);
    if severity(target) == Severity::Info {
        return Ok(gaps);
    }
    let end = turns.len();
    for (at, turn) in turns.enumerate().filter(|(_, turn)| !turn.role.is_system() && is_written(turn, target)) {
        let answers = turn.results().next().is_some();
        let user = turn.speaker() != Role::Assistant;
        let asks = user && (!answers || user_asks(turn, target));
        // Its results are written before its words.
        if asks && (answers || answered) {
            gaps.push(Gap { at, inside: answers });
        } else if answered && moves && !answers && turn.tie != Tie::Bridges {
            gaps.push(Gap { at, inside: false });
        }
        moves = !asks && answers && (answered && moves || moves_media(target, turn)?);
        answered = answers && !asks;
    }
    if answered && moves {
        gaps.push(Gap { at: end, inside: false });
    }
    Ok(gaps)
}

/// Whether media of a result become a message of the user's.
fn moves_media<H: Host>(target: &Target<'_>, turn: &Turn<H>) -> Result<bool, Error> {
    if replays(target, turn) {
        return Ok(false);
    }
    for part in &turn.parts {
        if let Kind::Result(result) = &part.kind
            && answer(target, Scope::of(turn), result)?.blocks.iter().any(|block| block.moves)
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What a turn says before its last result, in the same list.
pub(crate) fn said_first<H: Host>(turn: &Turn<H>) -> Vec<usize> {
    let Some(end) = turn.parts.iter().rposition(|part| matches!(part.kind, Kind::Result(_))) else { return Vec::new() };
    let list = turn.parts[end].place.key;
    let is_said = |part: &Part<H>| {
        let says = matches!(part.kind, Kind::Text(_) | Kind::Refusal(_) | Kind::Media(_) | Kind::Json(_));
        says && part.place.key == list
    };
    turn.parts[..end].iter().enumerate().filter(|(_, part)| is_said(part)).map(|(at, _)| at).collect()
}
