//! Leaves out the keys of citations that only replies have, and citations on text of the user where the target refuses them.

use std::sync::Arc;

use super::keys::STRAY;
use crate::{
    model::{Kind, Part, Role, Turn},
    report::{Change, Edit},
    rules::{Target, citation::CitationRule},
    stage::Draft,
    value::{Extras, Host, Input, Raw, Value},
    wire::plan::wrong::{is_repaired, of_reply_key},
};

const OF_USER: &str = "the target takes citations only on text of the assistant";

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, target: &Target<'_>) {
    of_user(draft, target);
    let Some(rule) = target.id.facts.cites.filter(|rule| !rule.reply_only.is_empty()) else { return };
    let is_meant = |turn: &Turn<H>| {
        let own = || turn.from.same_wire(target.id);
        turn.parts.iter().any(|part| part.extras.is_some())
            && own()
            && turn.parts.iter().any(|part| strays(part, turn, rule))
    };
    // Where servers take such keys, they stay.
    if !is_repaired(of_reply_key(target.limits, false)) || !draft.turns().any(|turn| is_meant(turn)) {
        return;
    }
    let mut entries = Vec::new();
    for slot in draft.slots().iter_mut().filter(|slot| is_meant(&slot.turn)) {
        let mut new = slot.turn.touch();
        for at in 0..new.parts.len() {
            if !strays(&new.parts[at], &slot.turn, rule) {
                continue;
            }
            let part = &mut new.parts[at];
            part.extras.as_deref_mut().into_iter().for_each(|extras| strip(extras, rule, slot.turn.input.as_ref()));
            part.touched = true;
            entries.push(Change::new(Edit::ReplyKeys, slot.index, slot.path_of(at), STRAY));
        }
        slot.turn = Arc::new(new);
    }
    draft.receipt.changes.append(&mut entries);
}

/// Leaves out citations on text of the user.
fn of_user<H: Host>(draft: &mut Draft<'_, H>, target: &Target<'_>) {
    let refuses = |rule: &&CitationRule| rule.only_of_assistant.contains(&target.id.profile());
    let Some(rule) = target.id.facts.cites.filter(refuses) else { return };
    let cites = |turn: &Turn<H>, part: &Part<H>| {
        let input = turn.input.as_ref();
        let mut keys = part.extras.iter().flat_map(|extras| extras.iter());
        let says = |list: &Raw<H>| matches!(list.to_value(input), Ok(Value::List(items)) if !items.is_empty());
        matches!(part.kind, Kind::Text(_)) && keys.any(|(key, list)| key.is(rule.key, input) && says(list))
    };
    let is_meant = |turn: &Turn<H>| {
        turn.speaker() != Role::Assistant
            && turn.from.same_wire(target.id)
            && turn.parts.iter().any(|part| cites(turn, part))
    };
    if !draft.turns().any(|turn| is_meant(turn)) {
        return;
    }
    let mut entries = Vec::new();
    for slot in draft.slots().iter_mut().filter(|slot| is_meant(&slot.turn)) {
        let mut new = slot.turn.touch();
        for at in 0..new.parts.len() {
            if !cites(&slot.turn, &new.parts[at]) {
                continue;
            }
            let part = &mut new.parts[at];
            let left = part.extras.take().map(|mut extras| {
                extras.retain(|(key, _)| !key.is(rule.key, slot.turn.input.as_ref()));
                extras
            });
            (part.extras, part.touched) = (left.filter(|extras| !extras.is_empty()), true);
            entries.push(Change::new(Edit::ReplyKeys, slot.index, slot.path_of(at), OF_USER));
        }
        slot.turn = Arc::new(new);
    }
    draft.receipt.changes.append(&mut entries);
}

/// Whether a text has a citation with such a key.
fn strays<H: Host>(part: &Part<H>, turn: &Turn<H>, rule: &CitationRule) -> bool {
    let Some(extras) = part.extras.as_deref().filter(|_| matches!(part.kind, Kind::Text(_))) else { return false };
    let input = turn.input.as_ref();
    let mut lists = extras.iter().filter(|(key, _)| key.is(rule.key, input));
    lists.any(|(_, list)| list.to_value(input).is_ok_and(|list| rule.without_reply_keys(&list).is_some()))
}

fn strip<H: Host>(extras: &mut Extras<H>, rule: &CitationRule, input: Option<&Input>) {
    for (_, list) in extras.iter_mut().filter(|(key, _)| key.is(rule.key, input)) {
        if let Some(new) = list.to_value(input).ok().and_then(|list| rule.without_reply_keys(&list)) {
            *list = Raw::Tree(new);
        }
    }
}
