//! Decides under which key the target takes readable reasoning of another server of its format.
//!
//! Such reasoning has no signature, so no server can tell who made it: each takes it under the key that it knows.

use super::decide::{Fate, Scope};
use crate::{
    model::{Kind, Part, Reasoning, Role, Turn},
    rules::{DialectId, Limits, ReasoningRule},
    value::Host,
};

/// The text between thoughts that become one text.
pub(crate) const BETWEEN_THOUGHTS: &str = "\n\n";

/// What the target does with readable reasoning of its own format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Thought {
    /// It goes back under the key that it has.
    Stays,
    /// It goes back under this key.
    Under(&'static str),
    /// It says nothing, and another key stands for it.
    Silent,
    /// The target takes none.
    Refused,
}

/// What the target does with a part that is readable reasoning of its own format. `None` for any other part.
pub(crate) fn thought<H: Host>(
    (id, limits): (DialectId, &Limits),
    scope: Scope<'_>,
    part: &Part<H>,
) -> Option<Thought> {
    let Kind::Reasoning(Reasoning { text: Some(text) }) = &part.kind else { return None };
    if let ReasoningRule::Unsigned(_) | ReasoningRule::Text = limits.reasoning {
        return of_any_origin((id, limits), scope, part).filter(|_| !text.is_blank(scope.input));
    }
    let own = part.place.key.filter(|key| scope.from.facts.thoughts.contains(key))?;
    if part.signed || scope.role != Role::Assistant || !scope.from.same_wire(id) {
        return None;
    }
    Some(match limits.reasoning {
        ReasoningRule::Replay | ReasoningRule::Unsigned(_) | ReasoningRule::Text => Thought::Stays,
        ReasoningRule::Own(key) | ReasoningRule::Key(key, _) if key == own && !text.is_empty() => Thought::Stays,
        // An empty text is what a server writes that thinks, and has not thought.
        ReasoningRule::Own(key) if key == own => Thought::Stays,
        ReasoningRule::Key(key, "") if key == own => Thought::Stays,
        ReasoningRule::Own(_) | ReasoningRule::Key(..) if text.is_empty() => Thought::Silent,
        ReasoningRule::Own(key) | ReasoningRule::Key(key, _) => Thought::Under(key),
        // Its own payload goes back as it came, unless a check finds it.
        ReasoningRule::None | ReasoningRule::Signature(_) if scope.from == id && !part.touched => return None,
        ReasoningRule::None | ReasoningRule::Signature(_) => Thought::Refused,
    })
}

/// The same where a target takes readable reasoning of any origin.
fn of_any_origin<H: Host>((id, limits): (DialectId, &Limits), scope: Scope<'_>, part: &Part<H>) -> Option<Thought> {
    // Encrypted reasoning is refused, even its own.
    let is_own = scope.from == id && !part.touched && !(part.signed && limits.reasoning == ReasoningRule::Text);
    match scope.role {
        Role::Assistant if is_own => Some(Thought::Stays),
        Role::Assistant => Some(Thought::Under("")),
        _ => None,
    }
}

/// What the target gets of it. `None` if other rules decide.
pub(super) fn fate<'p, H: Host>(
    target: (DialectId, &Limits),
    scope: Scope<'_>,
    part: &'p Part<H>,
    afresh: bool,
) -> Option<Fate<'p, H>> {
    let Kind::Reasoning(Reasoning { text: Some(text) }) = &part.kind else { return None };
    match thought(target, scope, part)? {
        Thought::Stays => match &part.origin {
            Some(origin) if !afresh && !part.touched => Some(Fate::Origin(origin)),
            _ if matches!(target.1.reasoning, ReasoningRule::Unsigned(_) | ReasoningRule::Text) => {
                Some(Fate::Thought("", text))
            }
            _ => Some(Fate::Thought(part.place.key?, text)),
        },
        Thought::Under(key) => Some(Fate::Thought(key, text)),
        Thought::Silent => Some(Fate::Nothing),
        Thought::Refused => None,
    }
}

/// Whether a part is the reasoning that the target needs under this key. Where a text stands for it, an empty one does not.
pub(super) fn is_thought<H: Host>(turn: &Turn<H>, part: &Part<H>, (word, instead): (&str, &str)) -> bool {
    let is_empty = matches!(&part.kind, Kind::Reasoning(Reasoning { text: Some(text) }) if text.is_empty());
    // Reasoning under another key is written under this one.
    let is_other = || part.place.key.is_some_and(|own| is_other_thought(turn, own, word));
    part.place.key == Some(word) && (instead.is_empty() || !is_empty) || is_other() && !is_empty
}

/// Whether the target takes readable reasoning of any origin.
pub(super) fn takes_any_thought(limits: &Limits) -> bool {
    matches!(limits.reasoning, ReasoningRule::Unsigned(_) | ReasoningRule::Text)
}

/// Whether a part is reasoning with a text.
pub(super) fn is_readable<H: Host>(part: &Part<H>) -> bool {
    matches!(&part.kind, Kind::Reasoning(Reasoning { text: Some(text) }) if !text.is_empty())
}

/// Whether `own` is a key for readable reasoning that the target does not read: it reads another one.
pub(super) fn is_other_thought<H: Host>(turn: &Turn<H>, own: &'static str, key: &str) -> bool {
    own != key && turn.from.facts.thoughts.contains(&own)
}
