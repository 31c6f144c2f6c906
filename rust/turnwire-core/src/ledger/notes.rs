//! Finds turnwire's own notes among the system messages that a request begins with.

use crate::{model::Conversation, value::Host};

/// How many of the first system messages come from the first note on. A note comes first where another provider's
/// summary replaces everything before it. It is a message like those behind it, and no part of the head.
/// `lead`: how many messages of the head are made up, too.
pub(super) fn behind<H: Host>(built: &Conversation<H>, lead: usize) -> usize {
    let Some(origins) = built.origins() else { return 0 };
    let first = built.turns().iter().take_while(|turn| turn.role.is_system()).count();
    (lead..first).find(|at| origins[*at].is_empty()).map_or(0, |note| first - note)
}
