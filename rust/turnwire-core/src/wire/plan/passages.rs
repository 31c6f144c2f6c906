//! Decides what the target gets of text with a heading: search results, and documents that become text.

use super::{
    decide::{Decision, Fate, Scope},
    rules,
};
use crate::{
    model::{Kind, Media, Part, Role},
    rules::{Family, Passage, PassageRule, Target, passage::lines},
    value::{Host, Raw, Text, Value},
};

/// The search result in a part, with the rule of its format.
pub(crate) fn read<H: Host>(scope: Scope<'_>, part: &Part<H>) -> Option<(&'static PassageRule, Passage<H>)> {
    let rule = scope.from.facts.passage?;
    match &part.kind {
        Kind::Opaque(name) if name.is(rule.name, scope.input) => {
            let block = part.origin.as_ref()?.to_value(scope.input).ok()?;
            Some((rule, rule.read(&block)?))
        }
        _ => None,
    }
}

/// The search result in a part.
pub(crate) fn of<H: Host>(scope: Scope<'_>, part: &Part<H>) -> Option<Passage<H>> {
    read(scope, part).map(|(_, passage)| passage)
}

/// What the target gets of a search result. `None` if the part is none.
pub(super) fn decide<'p, H: Host>(target: &Target<'_>, scope: Scope<'_>, part: &Part<H>) -> Option<Decision<'p, H>> {
    let passage = of(scope, part)?;
    // The model finds nothing itself.
    let own = scope.from.same_wire(target.id)
        || target.is_relative(scope.from) && matches!(scope.role, Role::User | Role::Tool);
    Some(match taken(target).filter(|_| own) {
        Some(rule) => Decision::of(Fate::Translated(rule.written(&passage))),
        None => told(&passage),
    })
}

/// How the target spells search results, if its model takes them.
fn taken(target: &Target<'_>) -> Option<&'static PassageRule> {
    target.id.facts.passage.filter(|rule| !rule.of_family || target.family() != Family::Any)
}

/// A search result as text.
pub(super) fn told<'p, H: Host>(passage: &Passage<H>) -> Decision<'p, H> {
    Decision::changed(&rules::PASSAGE_TEXT, Fate::Made(passage.words()))
}

/// Whether a part is a search result of the target's own format, which its model refuses.
pub(crate) fn is_refused<H: Host>(target: &Target<'_>, scope: Scope<'_>, part: &Part<H>) -> bool {
    taken(target).is_none() && scope.from.same_wire(target.id) && of(scope, part).is_some()
}

/// The text of a document behind its name and what is said about it, a line each. `None` if it has neither.
pub(super) fn headed<H: Host>(
    scope: Scope<'_>,
    (part, media): (&Part<H>, &Media<H>),
    text: &Text<H>,
) -> Option<Text<H>> {
    let context = context(scope, part);
    let name = media.name.as_ref().filter(|name| !name.is_empty());
    if name.is_none() && context.is_none() {
        return None;
    }
    Some(lines(name.into_iter().chain(&context).chain([text]), scope.input))
}

/// What is said about a document beside its text.
fn context<H: Host>(scope: Scope<'_>, part: &Part<H>) -> Option<Text<H>> {
    let rule = scope.from.facts.paper?;
    let (_, raw) = beside(part).find(|(key, _)| key.is(rule.context, scope.input))?;
    match raw.to_value(scope.input).ok()? {
        Value::Text(text) if !text.is_empty() => Some(text),
        _ => None,
    }
}

/// The unknown keys of a part, and of the object inside it.
pub(crate) fn beside<H: Host>(part: &Part<H>) -> impl Iterator<Item = &(Text<H>, Raw<H>)> {
    let inner = part.inner.iter().flat_map(|inner| &inner.extras);
    part.extras.iter().flat_map(|extras| extras.iter()).chain(inner)
}

/// The key of what is said about a document, if the target gets that as text.
pub(super) fn said_key<H: Host>(scope: Scope<'_>, part: &Part<H>) -> &'static str {
    context(scope, part).and(scope.from.facts.paper).map_or("", |rule| rule.context)
}
