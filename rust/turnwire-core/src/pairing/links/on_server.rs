//! Whether earlier messages of a conversation are on a server. Stages and renderers use the same answer.
//!
//! A key of the payload says so (`previous_response_id`), or a turn refers to something on the server. Only a target of
//! the same format asks that server. Without a target it may be any server.

use crate::{
    model::{Frame, Tie, Turn},
    rules::DialectId,
    value::Host,
};

/// Whether calls may be on the server, so that a result without a call before it may answer one there.
pub(crate) fn may_hold_calls<'a, H: Host>(
    frame: &Frame<H>,
    mut turns: impl Iterator<Item = &'a Turn<H>>,
    target: Option<DialectId>,
) -> bool {
    has_earlier_turns(frame, target) || turns.any(|turn| turn.tie == Tie::Refers && asks(turn.from, target))
}

/// Whether earlier messages are on the server, so that a payload may have no messages.
pub(crate) fn has_earlier_turns<H: Host>(frame: &Frame<H>, target: Option<DialectId>) -> bool {
    frame.continues.is_some() && asks(frame.from, target)
}

fn asks(from: DialectId, target: Option<DialectId>) -> bool {
    target.is_none_or(|target| from.same_wire(target))
}
