//! Decides which roles may say blank text.

use crate::{model::Role, rules::Limits};

/// Whether the target accepts blank text of this role.
#[inline]
pub(crate) fn takes_blank(limits: &Limits, role: Role) -> bool {
    limits.blank_text && (limits.blank_answer || role != Role::Assistant)
}

/// Whether the format's own blank text of this role is sent back unchanged.
#[inline]
pub(crate) fn replays_blank(limits: &Limits, role: Role) -> bool {
    limits.blank_replays && (limits.blank_answer || role != Role::Assistant)
}
