//! Says what separates a text from the one before it in its element.

use super::decide::Scope;
use crate::{
    model::{Kind, Part, Role, Turn},
    rules::{JoinedTexts, PartOrder, SystemPlace, Target},
    value::Host,
};

/// What a part is the first text of. That text may need no separator before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leads {
    /// Nothing that is sure to begin an element.
    Nothing,
    /// A turn that holds only what the user says.
    UserTurn,
    /// The list.
    List,
}

impl Leads {
    /// What one part of the turn at an index is the first text of.
    pub(crate) fn of<H: Host>(turn: &Turn<H>, (index, part): (usize, usize)) -> Self {
        let is_text = |part: &Part<H>| matches!(part.kind, Kind::Text(_) | Kind::Refusal(_));
        let is_said = |part: &Part<H>| is_text(part) || matches!(part.kind, Kind::Media(_));
        let is_first = part == 0 && turn.parts.first().is_some_and(is_text);
        match is_first {
            true if index == 0 => Self::List,
            true if turn.role == Role::User && turn.parts.iter().all(is_said) => Self::UserTurn,
            _ => Self::Nothing,
        }
    }
}

/// Whether the target writes a text first in its element, whatever a budget cuts or drops. If other turns are dropped, a
/// turn may join one of its own side. So only the list's first text is sure where sides alternate.
fn begins(leads: Leads, target: &Target<'_>) -> bool {
    match leads {
        // System text may come before it.
        _ if target.limits.system == SystemPlace::User => false,
        Leads::List => true,
        Leads::UserTurn => !target.limits.alternates && target.limits.order != PartOrder::Elements,
        Leads::Nothing => false,
    }
}

/// What separates a text from the one before it in its element. It is counted before each text, because it is decided later which text is
/// first in its element.
pub(crate) fn separator(target: &Target<'_>, scope: Scope<'_>, leads: Leads) -> &'static str {
    let (limits, Scope { from, role, .. }) = (target.limits, scope);
    if begins(leads, target) {
        return "";
    }
    let joins = match limits.joined {
        JoinedTexts::Nobody => false,
        JoinedTexts::System => role.is_system(),
        JoinedTexts::SystemAndAssistant => role.is_system() || role == Role::Assistant,
        JoinedTexts::Everybody => true,
    };
    // An element of this format holds one text. Texts are joined only if sides alternate or the turn is another format's.
    let elements = limits.order == PartOrder::Elements && (limits.alternates || !from.same_wire(target.id));
    let joins = joins || elements || role != Role::Tool && role.sends_one_text(limits);
    if joins { "\n" } else { "" }
}
