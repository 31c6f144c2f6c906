//! Reads what a reply cost.

use super::keys as k;
use super::response::USAGE_RULE;
use crate::{
    model::ReplyParts,
    value::{Host, NodeKind, Source, Tree, door::keys},
    wire::read::Keys,
};

keys! {
    X_GROQ = "x_groq";
}

/// The usage, under the family's keys.
pub(crate) fn cost<H: Host>(payload: &Tree<'_, H>, said: &mut ReplyParts<H>) {
    let choice = || payload.get(&k::CHOICES)?.items().next()?.get(&k::USAGE);
    let groqs = || payload.get(&X_GROQ)?.get(&k::USAGE);
    let at = |place| move |usage| (usage, place);
    let found = counts(payload.get(&k::USAGE)).map(at(".usage"));
    let found = found.or_else(|| counts(groqs()).map(at(".x_groq.usage")));
    if let Some((usage, place)) = found.or_else(|| counts(choice()).map(at(".choices[0].usage"))) {
        said.places.usage = place;
        said.cost(Some(&usage), |usage| USAGE_RULE.read(usage));
    }
}

/// The usage of a reply or a chunk. Groq's streams have it in their own key, Kimi's in the choice.
pub(super) fn usage<S: Source>(keys: &mut Keys<'_, S>) -> Option<S> {
    let groqs = |keys: &Keys<'_, S>| if keys.are_left() { keys.node.get(&X_GROQ)?.get(&k::USAGE) } else { None };
    counts(keys.some(&k::USAGE)).or_else(|| counts(groqs(keys)))
}

/// A usage that holds counts. Some servers send something else under its key.
pub(super) fn counts<S: Source>(usage: Option<S>) -> Option<S> {
    usage.filter(|usage| usage.kind() == NodeKind::Map)
}
