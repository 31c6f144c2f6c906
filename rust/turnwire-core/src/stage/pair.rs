//! Step 3: makes sure that exactly one result follows every call, and removes results without a call.
//!
//! One cheap pass finds out whether everything is in order, and then nothing changes. Otherwise `split` moves calls of
//! other roles to the assistant, the links match results with calls, and ids become unique and valid. Then `layout`
//! puts every result after its call.

mod clean;
mod layout;
pub(super) mod lone;
mod split;
mod unanswered;

use std::borrow::Cow;

use smallvec::SmallVec;

pub(super) use self::unanswered::last_said;

use super::{
    draft::{Draft, DraftTurn},
    inputs::Inputs,
    policy::Policy,
};
pub(super) use crate::pairing::{
    bond::{from_binds, has_id, is_reasoning_alone},
    links::calls,
};
use crate::{
    model::{Conversation, Kind, Part, Turn},
    pairing::{
        CallSite, Fate, Matching,
        links::{Names, allows, on_server, ran},
    },
    report::{
        Change, Edit, Error, Severity,
        sentence::{BAD_ID, USED_ID},
    },
    rules::{DialectId, IdRule, Once},
    text::Units,
    value::{Host, Text},
};

/// Whether all calls and results are in order. Allocates only if turns hold several steps.
pub fn is_paired<H: Host>(conversation: &Conversation<H>, target: Option<DialectId>) -> Result<bool, Error> {
    let rules = Policy::of::<H>(&Inputs { target, ..Inputs::default() })?;
    let mut draft = Draft::of(conversation);
    draft.split_steps();
    Ok(clean::is_paired(draft.turns().map(|turn| &**turn), &rules))
}

/// Pairs calls with results. `missing`: the text of a made-up result. `answered`: the lengths of the list at earlier requests
/// that have a reply. Returns whether a turn changed.
pub(super) fn apply<H: Host>(
    draft: &mut Draft<'_, H>,
    rules: &Policy,
    (missing, answered): (Option<&Text<H>>, &[usize]),
) -> bool {
    draft.split_steps();
    if clean::is_paired(draft.turns().map(|turn| &**turn), rules) {
        return false;
    }
    let turns = draft.turns().map(|turn| &**turn);
    let on_server = on_server::may_hold_calls(&draft.given.frame, turns, rules.target);
    let origins = draft.given.origins();
    let slots = draft.slots();
    let mut entries = split::apply(slots);
    entries.extend(unanswered::remove(slots, on_server, rules));
    let matching = matching(slots, on_server, rules);
    let (names, renamed) = rename(slots, &matching, rules);
    entries.extend(renamed);
    let unnamed = unnamed(slots, &matching);
    let (mut laid, moves) = layout::lay(slots, &matching, (&names, missing), (origins, answered), rules);
    drop(matching);
    entries.extend(moves);
    lone::remove(&mut laid, &mut entries);
    entries.sort_by_cached_key(|entry: &Change| entry.index);
    let is_changed = !entries.is_empty();
    if is_changed {
        *slots = laid;
    }
    draft.receipt.changes.append(&mut entries);
    let is_new = |warning: &Change| !draft.receipt.changes.contains(warning);
    let unnamed: Vec<_> = unnamed.into_iter().filter(is_new).collect();
    draft.receipt.changes.extend(unnamed);
    is_changed
}

/// The warnings of results that name no call.
fn unnamed<H: Host>(slots: &[DraftTurn<H>], matching: &Matching<'_>) -> Vec<Change> {
    let why = "it names no call, and not exactly one call is open: give it the call_id of its call";
    let unnamed = matching.results.iter().filter(|result| result.fate == Fate::Unnamed);
    unnamed.map(|result| Change::warning(Edit::UnnamedResult, slots[result.turn].path_of(result.part), why)).collect()
}

/// The slot and part of the first result without a call before it.
pub(super) fn orphan<H: Host>(slots: &[DraftTurn<H>]) -> Option<(usize, usize)> {
    matching(slots, false, &Policy::none()).orphan()
}

fn matching<'a, H: Host>(slots: &'a [DraftTurn<H>], on_server: bool, rules: &Policy) -> Matching<'a> {
    let mut matching = Matching::of(slots.iter().map(|slot| &*slot.turn), on_server);
    let Matching { calls, results, .. } = &mut matching;
    for call in calls {
        let turn = &slots[call.turn].turn;
        let is_behind = |result: usize| results[result].turn > call.turn;
        call.waits = rules.may_wait(turn, &turn.parts[call.part]) && call.result.is_none_or(is_behind);
    }
    matching
}

/// The new id of each call whose id was used before or is refused, with their receipt entries.
fn rename<H: Host>(
    slots: &[DraftTurn<H>],
    matching: &Matching<'_>,
    rules: &Policy,
) -> (Vec<Option<Text<H>>>, Vec<Change>) {
    let rule = rules.id_rule();
    let mut names = Names::new(IdRule { once: Once::InPayload, ..rule });
    let on_server = matching.results.iter().filter(|result| result.fate == Fate::OnServer);
    on_server.for_each(|result| names.keep(matching.ids[result.id].clone()));
    for turn in slots.iter().map(|slot| &*slot.turn) {
        turn.parts.iter().filter_map(|part| ran::id(turn, part, rules.target)).for_each(|id| names.keep_own(id));
    }
    let mut entries = Vec::new();
    // Whether parallel calls have the id, so that their results could not be told apart.
    let in_step = |site: &CallSite<'_>| {
        let mut others = matching.calls.iter().filter(|other| other.id == site.id && other.part != site.part);
        others.any(|other| other.turn == site.turn)
    };
    let new = |site: &CallSite| {
        let (slot, id) = (&slots[site.turn], &matching.ids[site.id]);
        let part = &slot.turn.parts[site.part];
        let made_up = matches!(&part.kind, Kind::Call(call) if call.made_up_id);
        if made_up && !rules.writes_made_up_ids(slot.turn.from, part) {
            return None;
        }
        let takes = |target: DialectId| allows(&rule, &slot.turn, id, target);
        let sound = is_sound(id, rules) || is_text(id) && rules.target.is_some_and(takes);
        // If it is renamed because of the signature behind it, the rest of it stays.
        let bare = slot.turn.from.facts.carriers.split(id).filter(|_| !sound).map(|(own, _)| own.to_vec());
        let new = match bare.filter(|own| is_sound(own, rules)) {
            None => names.give(id.clone(), sound)?,
            Some(own) => {
                let kept = String::from_utf8_lossy(&own).into_owned();
                names.give(Cow::Owned(own), true).unwrap_or(kept)
            }
        };
        let why = if sound { USED_ID } else { BAD_ID };
        let severity = match (sound, id.is_empty()) {
            (_, true) => Severity::Error,
            (false, false) => rule.form,
            (true, false) => match rule.once {
                _ if rules.limits.is_none() || in_step(site) => Severity::Error,
                Once::InPayload => Severity::Error,
                // The target pairs calls with results in their order. Other targets do not.
                Once::InStep => Severity::Info,
                Once::Free => Severity::Warning,
            },
        };
        let mut entry = Change::new(Edit::RenamedId, slot.index, slot.path_of(site.part), why)
            .of(String::from_utf8_lossy(id).into_owned())
            .graded(severity);
        let text = Text::own(&new);
        entry.new_id = Some(new);
        entries.push(entry);
        Some(text)
    };
    (matching.calls.iter().map(new).collect(), entries)
}

/// Whether an id can be written: it is not empty, has no lone surrogate, and the target accepts it.
fn is_sound(id: &[u8], rules: &Policy) -> bool {
    is_text(id) && rules.id_rule().allows(id)
}

/// Whether an id is not empty and has no lone surrogate.
fn is_text(id: &[u8]) -> bool {
    !id.is_empty() && !Units::Utf8(id).has_surrogate()
}

/// Whether a part may be between results, in a format that has such parts.
pub(super) fn is_among_results<H: Host>(turn: &Turn<H>, part: &Part<H>) -> bool {
    let Kind::Opaque(name) = &part.kind else { return false };
    let known = turn.from.keys().among_results;
    !known.is_empty() && known.split(' ').any(|word| name.is(word, turn.input.as_ref()))
}

/// Whether all parts of a turn may be between results.
pub(super) fn stands_among_results<H: Host>(turn: &Turn<H>) -> bool {
    !turn.parts.is_empty() && turn.parts.iter().all(|part| is_among_results(turn, part))
}

/// For each part of a turn in order, whether it is a result after other content in the same list, where results come
/// first. Parts in a list of their own do not count.
fn lateness<H: Host>(turn: &Turn<H>) -> impl Iterator<Item = bool> {
    // A turn has few lists, so a scan is enough.
    let mut said: SmallVec<[Option<&'static str>; 4]> = SmallVec::new();
    turn.parts.iter().map(move |part| {
        let said_before = said.contains(&part.place.key);
        let is_result = matches!(part.kind, Kind::Result(_));
        if !is_result && !said_before && !is_among_results(turn, part) {
            said.push(part.place.key);
        }
        is_result && said_before
    })
}
