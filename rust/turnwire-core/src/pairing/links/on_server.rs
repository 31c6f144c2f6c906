//! What the server may hold of a conversation that goes on there: one answer for stages and renderers.
//!
//! A key of the payload says that what came before is kept there (`previous_response_id`), or a turn stands for something that
//! is. Only a target of the same format asks that server; without a target, it may be any.

use crate::{
    model::{
        conversation::Frame,
        turn::{Tie, Turn},
    },
    rules::dialect_id::DialectId,
    value::handle::Host,
};

/// Whether calls may be on the server, so that a result without one before it may answer one there.
pub(crate) fn may_hold_calls<'a, H: Host>(
    frame: &Frame<H>,
    mut turns: impl Iterator<Item = &'a Turn<H>>,
    target: Option<DialectId>,
) -> bool {
    holds_what_was_said(frame, target) || turns.any(|turn| turn.tie == Tie::Refers && asks(turn.from, target))
}

/// Whether what was said before is on the server, so that a payload need not say anything.
pub(crate) fn holds_what_was_said<H: Host>(frame: &Frame<H>, target: Option<DialectId>) -> bool {
    frame.continues.is_some() && asks(frame.from, target)
}

fn asks(from: DialectId, target: Option<DialectId>) -> bool {
    target.is_none_or(|target| from.same_wire(target))
}
