//! Leaves out citations of documents and search results that are no longer where they were.
//!
//! A citation counts the documents of the request, or its search results. Once one of them is gone, those that point at it or
//! behind it would point at another.

use std::sync::Arc;

use super::{draft::Draft, policy::Policy};
use crate::{
    model::{Kind, Media, Part, Role, Turn},
    report::{Change, Edit},
    rules::{MediaClass, citation::CitationRule},
    value::{Extras, Host, Raw, Value, tree},
    wire::plan::{
        decide::{Fate, Scope, decide},
        passages,
    },
};

/// Where a document or a search result is in the given list: its turn, its part, and its block in a result.
type Site = (usize, [(Option<&'static str>, Option<u32>); 2]);

/// The documents and the search results of a list, in order.
type Sites = [Vec<Site>; 2];

const GONE: &str = "a document or a search result that it counts is not in the request";

/// Leaves out the citations that would point elsewhere.
pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, rules: &Policy) {
    let cites =
        |turn: &Turn<H>| turn.role == Role::Assistant && turn.parts.iter().any(|part| rule(turn, part).is_some());
    let knows = rules.target.is_none_or(|target| target.facts.cites.is_some());
    if !knows || !draft.turns().any(|turn| cites(turn)) {
        return;
    }
    let given = draft.given.turns().iter().enumerate();
    let before = sites(given.map(|(index, turn)| (index, &**turn)), &|_, _| true);
    let indices: Vec<_> = (0..draft.turns().len()).map(|at| draft.at(at).1).collect();
    let stays = |turn: &Turn<H>, part: &Part<H>| is_written(rules, turn, part);
    let after = sites(indices.into_iter().zip(draft.turns().map(|turn| &**turn)), &stays);
    // The first of them that is elsewhere now.
    let first = |kind: usize| {
        let moved = before[kind].iter().zip(&after[kind]).position(|(one, other)| one != other);
        moved.unwrap_or(if before[kind].len() == after[kind].len() { usize::MAX } else { after[kind].len() })
    };
    let limits = [first(0), first(1)];
    if limits == [usize::MAX; 2] {
        return;
    }
    let mut entries = Vec::new();
    for slot in draft.slots() {
        let mut new = None;
        for at in 0..slot.turn.parts.len() {
            let Some(part) = shortened(&slot.turn, &slot.turn.parts[at], limits) else { continue };
            entries.push(Change::new(Edit::Key, slot.index, slot.path_of(at), GONE));
            new.get_or_insert_with(|| slot.turn.touch()).parts[at] = part;
        }
        slot.turn = new.map_or_else(|| slot.turn.clone(), Arc::new);
    }
    draft.receipt.changes.append(&mut entries);
}

/// The documents and the search results of some turns for which `stays` holds.
fn sites<'t, H: Host>(
    turns: impl Iterator<Item = (usize, &'t Turn<H>)>,
    stays: &dyn Fn(&Turn<H>, &Part<H>) -> bool,
) -> Sites {
    let mut found = Sites::default();
    for (index, turn) in turns {
        for part in &turn.parts {
            let source = part.home.index().unwrap_or(index);
            for one in part.with_blocks() {
                let kind = match &one.kind {
                    Kind::Media(Media { class: MediaClass::Document, .. }) => 0,
                    Kind::Opaque(_) if passages::of(Scope::of(turn), one).is_some() => 1,
                    _ => continue,
                };
                if stays(turn, one) {
                    let place = |part: &Part<H>| (part.place.key, part.place.index);
                    found[kind].push((source, [place(part), place(one)]));
                }
            }
        }
    }
    found
}

/// Whether the target gets a document or a search result as one.
fn is_written<H: Host>(rules: &Policy, turn: &Turn<H>, part: &Part<H>) -> bool {
    let Some(target) = rules.written_for().filter(|target| !target.id.same_wire(turn.from)) else { return true };
    let fate = decide(&target, Scope::of(turn), part, false).map(|decision| decision.fate);
    matches!(fate, Ok(Fate::Media(_) | Fate::Origin(_) | Fate::Translated(_)))
}

/// The rule of the citations of a text, and the list of them.
fn rule<'p, H: Host>(turn: &Turn<H>, part: &'p Part<H>) -> Option<(&'static CitationRule, &'p Raw<H>)> {
    let rule = turn.from.facts.cites.filter(|_| matches!(part.kind, Kind::Text(_)))?;
    let (_, raw) = passages::beside(part).find(|(key, _)| key.is(rule.key, turn.input.as_ref()))?;
    Some((rule, raw))
}

/// A text without the citations that point at these places or behind them. `None` if it has none of them.
fn shortened<H: Host>(turn: &Turn<H>, part: &Part<H>, limits: [usize; 2]) -> Option<Part<H>> {
    let (rule, raw) = rule(turn, part)?;
    let list = rule.before(&raw.to_value(turn.input.as_ref()).ok()?, limits)?;
    let mut new = part.share();
    let mut change = |extras: &mut Extras<H>| {
        extras.retain(|(key, _)| !list.is_empty() || !key.is(rule.key, turn.input.as_ref()));
        if let Some((_, raw)) = extras.iter_mut().find(|(key, _)| key.is(rule.key, turn.input.as_ref())) {
            *raw = Raw::Tree(tree::list(list.iter().map(Value::share)));
        }
    };
    new.extras.as_deref_mut().into_iter().for_each(&mut change);
    new.inner.as_deref_mut().into_iter().for_each(|inner| change(&mut inner.extras));
    new.extras = new.extras.take().filter(|extras| !extras.is_empty());
    new.inner = new.inner.take().filter(|inner| !inner.extras.is_empty());
    new.touched = true;
    Some(new)
}
