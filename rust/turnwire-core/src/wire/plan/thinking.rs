//! Decides whether reasoning of the target's own format may go back as it came.

use super::{carried::lies_elsewhere, thought::is_other_thought, wrong::Wrong};
use crate::{
    model::{Kind, Part, Role, Turn},
    report::Edit,
    rules::{ReasoningRule, Target, carrier::Holds},
    value::Host,
};

const OTHER_KEY: &str = "the target reads reasoning under another key";

/// What is wrong with reasoning of the target's own format.
pub(super) fn thinking<H: Host>(target: &Target<'_>, turn: &Turn<H>, part: &Part<H>) -> Option<Wrong> {
    let limits = target.limits;
    let other = |key| part.place.key.is_some_and(|own| is_other_thought(turn, own, key));
    if let ReasoningRule::Own(key) | ReasoningRule::Key(key, _) = limits.reasoning
        && other(key)
        && turn.role == Role::Assistant
    {
        return Some(Wrong::new(Edit::Reshaped, OTHER_KEY));
    }
    if lies_elsewhere(target, turn, part) {
        return Some(Wrong::new(Edit::Reshaped, OTHER_KEY));
    }
    let refused = match limits.reasoning {
        ReasoningRule::None => true,
        ReasoningRule::Own(key) => part.place.key != Some(key),
        ReasoningRule::Signature(_) => other(""),
        ReasoningRule::Text => part.signed,
        ReasoningRule::Replay | ReasoningRule::Key(..) => false,
        // Its servers cannot read what only its maker can.
        ReasoningRule::Unsigned(_) => matches!(&part.kind, Kind::Reasoning(thought) if thought.text.is_none()),
    };
    // A gateway's key is there for another provider, and servers pass over it.
    let passes = !limits.closed && matches!(turn.from.facts.carriers.holds(part.place.key), Some(Holds::Blocks(_)));
    let refused = match turn.role {
        Role::Assistant => refused && !passes,
        role => !(role.is_system() && limits.system_reasons),
    };
    refused.then(|| Wrong::new(Edit::Reasoning, "the target does not accept reasoning here"))
}
