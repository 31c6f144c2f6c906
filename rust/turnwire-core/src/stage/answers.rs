//! Pairs items that ask the client for something, and that only their own format knows, with the items that answer them.
//!
//! An answer that comes before its item, or after what somebody else has said, moves directly behind it. An answer
//! without its item is left out. An item without an answer gets one that says so, or goes with the reasoning before it.

use std::sync::Arc;

use super::{
    bond::Bond,
    draft::{Draft, DraftTurn},
    pair::{is_reasoning_alone, lone},
    policy::Policy,
    replay::ANSWERED_BEFORE,
    size,
};
use crate::{
    model::{Kind, MISSING_RESULT, Part, Parts, Role, Tie, Turn},
    pairing::{
        answers::{has_rules, item_of},
        links::on_server,
    },
    report::{Edit, Entry, sentence},
    rules::Open,
    value::{HashMap, Host, Raw, Text, json},
};

/// An item that asks.
struct Asked {
    slot: usize,
    id: String,
    open: Open,
    hosted: bool,
    answer: Option<usize>,
}

/// What happens to a slot.
enum Fate {
    /// It moves behind the slot with this number.
    Moves(usize),
    /// It is left out.
    Goes,
    /// Its answer of this type, with these members, is put behind it.
    Asks(&'static str, &'static str),
    /// An earlier request has sent another answer, so it becomes the user's text.
    Late,
}

/// Pairs them. `missing`: the text of a made-up result. `answered`: the lengths of the list at earlier requests.
pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, rules: &Policy, missing: Option<&Text<H>>, answered: &[usize]) {
    if draft.turns().any(|turn| has_rules(turn, rules.target) && turn.parts.iter().any(is_opaque)) {
        pair(draft, rules, missing, answered);
    }
}

fn is_opaque<H: Host>(part: &Part<H>) -> bool {
    matches!(part.kind, Kind::Opaque(_))
}

#[cold]
fn pair<H: Host>(draft: &mut Draft<'_, H>, rules: &Policy, missing: Option<&Text<H>>, answered: &[usize]) {
    let on_server = on_server::may_hold_calls(&draft.given.frame, draft.turns().map(|turn| &**turn), rules.target);
    let slots = draft.slots();
    let mut entries = Vec::new();
    let fates = fates(slots, rules, on_server, answered, &mut entries);
    if fates.is_empty() {
        return;
    }
    let moves = fates.iter().filter_map(|(from, fate)| match fate {
        Fate::Moves(behind) => Some((*behind, *from)),
        _ => None,
    });
    let mut moves: Vec<_> = moves.collect();
    moves.sort_unstable();
    let missing = missing.map_or_else(|| Text::own(MISSING_RESULT), Text::share);
    let (mut out, mut bond) = (Vec::with_capacity(slots.len() + 1), Bond::default());
    for (at, slot) in slots.iter().enumerate() {
        match fates.get(&at) {
            Some(Fate::Moves(_)) => continue,
            Some(Fate::Goes) => {
                let code = if is_reasoning_alone(&slot.turn) { Edit::LoneReasoning } else { Edit::OrphanCall };
                bond.removed(&slot.turn, code);
                continue;
            }
            Some(Fate::Late) => out.push(said(slot)),
            Some(Fate::Asks(..)) | None => {
                let mut kept = copy(slot);
                if bond.kept(&mut kept, &mut entries) {
                    out.push(kept);
                }
            }
        }
        let first = moves.partition_point(|(behind, _)| *behind < at);
        let here = moves[first..].iter().take_while(|(behind, _)| *behind == at);
        out.extend(here.map(|(_, from)| copy(&slots[*from])));
        if let Some(Fate::Asks(kind, members)) = fates.get(&at) {
            out.push(made(slot, rules, kind, members, &missing));
        }
    }
    lone::remove(&mut out, &mut entries);
    entries.sort_by_key(|entry| entry.index);
    *slots = out;
    draft.receipt.entries.append(&mut entries);
}

fn copy<H: Host>(slot: &DraftTurn<H>) -> DraftTurn<H> {
    DraftTurn { turn: slot.turn.clone(), index: slot.index, sources: slot.sources.clone() }
}

/// What happens to each slot that does not stay as it is, with the entries that say so.
fn fates<H: Host>(
    slots: &[DraftTurn<H>],
    rules: &Policy,
    on_server: bool,
    answered: &[usize],
    entries: &mut Vec<Entry>,
) -> HashMap<usize, Fate> {
    let (mut asked, by_name) = asked(slots, rules);
    let mut fates = HashMap::default();
    let mut tell = |at: usize, code: Edit, id: &str, why: &'static str| {
        let slot = &slots[at];
        let size = size::turn(&slot.turn);
        let left = if matches!(code, Edit::MovedResult | Edit::LateResult) { size } else { 0 };
        let before = if code == Edit::MissingResult { 0 } else { size };
        entries.push(Entry::new(code, slot.index, slot.path(), why).of(id.to_owned()).sized(before, left));
    };
    for (at, slot) in slots.iter().enumerate() {
        let Some(Answer { names, plain, hosted }) = Answer::of(&slot.turn, rules) else { continue };
        let found = names.iter().find_map(|name| by_name.get(name));
        let id = names.first().map_or("", |(_, id)| id);
        let Some(calls) = found else {
            if !plain && !hosted && !on_server {
                tell(at, Edit::OrphanResult, id, "no call has this id");
                fates.insert(at, Fate::Goes);
            }
            continue;
        };
        let free = |call: &&usize| asked[**call].answer.is_none();
        let before = calls.iter().rev().filter(|call| asked[**call].slot < at).find(free);
        let Some(call) = before.or_else(|| calls.iter().find(free)).copied() else {
            if !asked[calls[0]].hosted {
                tell(at, Edit::DuplicateResult, id, "its call has another result");
                fates.insert(at, Fate::Goes);
            }
            continue;
        };
        let call_at = asked[call].slot;
        let first = answered.partition_point(|length| *length <= slots[call_at].index);
        if asked[call].open != Open::Stays && answered.get(first).is_some_and(|length| *length <= slot.index) {
            tell(at, Edit::LateResult, id, ANSWERED_BEFORE);
            fates.insert(at, Fate::Late);
            continue;
        }
        asked[call].answer = Some(at);
        if asked[call].hosted {
            continue;
        }
        let late = asked[call].open != Open::Stays && (call_at + 1..at).any(|at| says(&slots[at].turn, rules));
        if at < call_at || late {
            tell(at, Edit::MovedResult, id, sentence::NOT_BEHIND_CALL);
            fates.insert(at, Fate::Moves(call_at));
        }
    }
    let last_said = slots.iter().rposition(|slot| says(&slot.turn, rules)).unwrap_or(0);
    for call in asked.iter().filter(|call| call.answer.is_none() && !call.hosted) {
        if rules.keep_open && call.slot > last_said {
            continue;
        }
        match call.open {
            Open::Stays => {}
            Open::Answered(kind, members) => {
                let why = sentence::NO_ANSWER;
                tell(call.slot, Edit::MissingResult, &call.id, why);
                fates.insert(call.slot, Fate::Asks(kind, members));
            }
            Open::Goes => {
                tell(call.slot, Edit::OrphanCall, &call.id, "its result is missing, and nothing can stand for it");
                fates.insert(call.slot, Fate::Goes);
                let thoughts =
                    slots[..call.slot].iter().rev().take_while(|slot| is_reasoning_alone(&slot.turn)).count();
                for at in call.slot - thoughts..call.slot {
                    tell(at, Edit::LoneReasoning, "", lone::WITHOUT_ITEM);
                    fates.insert(at, Fate::Goes);
                }
            }
        }
    }
    fates
}

/// The items that ask, and each by its names.
#[allow(clippy::type_complexity, reason = "a table")]
fn asked<H: Host>(slots: &[DraftTurn<H>], rules: &Policy) -> (Vec<Asked>, HashMap<(&'static str, String), Vec<usize>>) {
    let (mut asked, mut by_name) = (Vec::new(), HashMap::<_, Vec<usize>>::default());
    for (slot, one) in slots.iter().enumerate() {
        let Some((rule, item)) = item_of(&one.turn, rules.target).filter(|(rule, item)| item.is(rule.call)) else {
            continue;
        };
        let mut keys: Vec<_> = rule.names.iter().map(|(_, key)| *key).collect();
        keys.dedup();
        let names: Vec<_> = keys.into_iter().filter_map(|key| Some((key, item.text(&[key])?))).collect();
        let Some((_, id)) = names.first() else { continue };
        let (id, hosted) = (id.clone(), item.is_hosted(rule));
        for name in names {
            by_name.entry(name).or_default().push(asked.len());
        }
        asked.push(Asked { slot, id, open: rule.open, hosted, answer: None });
    }
    (asked, by_name)
}

/// An item that answers.
struct Answer {
    /// The keys of a call, with the values that it would have there.
    names: Vec<(&'static str, String)>,
    /// Whether it is a plain result, whose call may be a plain one.
    plain: bool,
    hosted: bool,
}

impl Answer {
    fn of<H: Host>(turn: &Turn<H>, rules: &Policy) -> Option<Self> {
        if let ([Part { kind: Kind::Result(result), .. }], true) =
            (turn.parts.as_slice(), has_rules(turn, rules.target))
        {
            let id = result.id.to_str(turn.input.as_ref()).into_owned();
            return Some(Self { names: vec![("call_id", id)], plain: true, hosted: false });
        }
        let (rule, item) = item_of(turn, rules.target).filter(|(rule, item)| item.is(rule.result))?;
        let name = |(own, key): &(&'static str, &'static str)| Some((*key, item.text(&[own])?));
        let names: Vec<_> = rule.names.iter().filter_map(name).collect();
        (!names.is_empty()).then(|| Self { names, plain: false, hosted: item.is_hosted(rule) })
    }
}

/// Whether somebody else than the model says something in this turn.
fn says<H: Host>(turn: &Turn<H>, rules: &Policy) -> bool {
    turn.role != Role::Assistant
        && turn.parts.iter().any(|part| !matches!(part.kind, Kind::Result(_)))
        && Answer::of(turn, rules).is_none()
}

/// The made-up answer to the item of a slot.
fn made<H: Host>(
    slot: &DraftTurn<H>,
    rules: &Policy,
    kind: &'static str,
    members: &str,
    missing: &Text<H>,
) -> DraftTurn<H> {
    let id = item_of(&slot.turn, rules.target).and_then(|(_, item)| item.text(&["call_id"])).unwrap_or_default();
    let quoted = |text: &Text<H>| {
        let mut out = Vec::new();
        json::encode::text(text, None, &mut out);
        String::from_utf8_lossy(&out).into_owned()
    };
    let (id, missing) = (quoted(&Text::own(&id)), quoted(missing));
    let body = members.replacen('$', &missing, 1);
    let json = format!(r#"{{"type":"{kind}","call_id":{id},{body}}}"#);
    let part = Part { origin: Some(Raw::Own(json.into())), ..Part::new(Kind::Opaque(Text::own(kind))) };
    let turn = Turn {
        from: slot.turn.from,
        list: slot.turn.list,
        tie: Tie::GivesBack,
        touched: true,
        ..Turn::new(Role::Assistant, [part].into_iter().collect::<Parts<H>>())
    };
    DraftTurn::made(turn, slot.index)
}

/// The user's text that holds an answer.
fn said<H: Host>(slot: &DraftTurn<H>) -> DraftTurn<H> {
    let turn = &slot.turn;
    let json = turn.parts.iter().filter_map(|part| part.origin.as_ref());
    let json: String = json.filter_map(|raw| json::encode::to_string(raw, turn.input.as_ref()).ok()).collect();
    let part = Part { touched: true, ..Part::text(Text::own(&format!("Late result:\n{json}"))) };
    let new = Turn { touched: true, ..Turn::new(Role::User, [part].into_iter().collect::<Parts<H>>()) };
    DraftTurn { turn: Arc::new(new), index: slot.index, sources: slot.sources.clone() }
}
