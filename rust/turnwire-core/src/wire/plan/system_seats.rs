//! Decides where the system text of a list is written: where it stands, or elsewhere. The same for a writer and for a repair.

use super::{
    of_model,
    rules::{self, Rule},
};
use crate::{
    model::{Frame, Kind, Role, Turn},
    rules::{SystemPlace, Target},
    value::Host,
    wire::write::says::{sets_only, user_asks},
};

/// The system turns of a list, by their positions, each with the rule by which it may not stay there.
pub(crate) struct SystemSeats(Vec<(usize, Option<&'static Rule>)>);

impl SystemSeats {
    /// `frame`: it may have system text beside the list. `says`: whether a turn is written.
    pub(crate) fn of<'a, H: Host>(
        target: &Target<'_>,
        frame: &Frame<H>,
        turns: impl Iterator<Item = &'a Turn<H>>,
        says: impl Fn(&Turn<H>) -> bool,
    ) -> Self {
        let (limits, mut seats) = (target.limits, Vec::<(usize, Option<&'static Rule>)>::new());
        let place = of_model::system(target, frame);
        if matches!(place, SystemPlace::Anywhere | SystemPlace::Nowhere) {
            return Self(seats);
        }
        let has_beside = || frame.system.as_ref().is_some_and(|system| !system.parts.is_empty());
        let rule = rule_of(place);
        let (mut spoken, mut waiting, mut last, mut asked_last) = (false, 0, Role::User, false);
        for (at, turn) in turns.enumerate() {
            // What only changes settings has rules of its own.
            if sets_only(turn, target) {
                continue;
            }
            if turn.role.is_system() {
                let may = match place {
                    SystemPlace::First => !spoken,
                    SystemPlace::BehindUser => !spoken || asked_last,
                    SystemPlace::One => !spoken && seats.is_empty() && !has_beside(),
                    SystemPlace::Head => at == 0 && !has_beside(),
                    // After the first turn, it may be only before an assistant's turn or at the end.
                    SystemPlace::Beside | SystemPlace::User => false,
                    _ => spoken,
                };
                seats.push((at, (!may).then_some(rule)));
                continue;
            }
            // Only system text before it, and a rule about sides, ask whether a turn is written.
            let behind = place == SystemPlace::BehindUser;
            let matters = !spoken || waiting < seats.len() || limits.alternates || behind;
            if !matters || !says(turn) {
                continue;
            }
            spoken = true;
            // System text must not separate turns that have to be one message.
            let parts = limits.alternates && last == Role::Assistant;
            if (turn.role != Role::Assistant || parts) && place == SystemPlace::Top {
                seats[waiting..].iter_mut().for_each(|(_, why)| *why = Some(rule));
            }
            (waiting, last) = (seats.len(), turn.speaker());
            asked_last = behind && asks_last(turn, target);
        }
        // Readers take one of the two places, and never look at the other.
        if place == SystemPlace::Head && seats.iter().any(|(_, why)| why.is_some()) {
            for (_, why) in &mut seats {
                *why = Some(rule);
            }
        }
        Self(seats)
    }

    /// Why the system turn at this position may not stay there. `None` if it may.
    pub(crate) fn why_not(&self, at: usize) -> Option<&'static Rule> {
        let place = self.0.binary_search_by_key(&at, |(at, _)| *at).ok()?;
        self.0[place].1
    }
}

/// Whether what the target gets of a turn ends with the user's words, and not with a result.
fn asks_last<H: Host>(turn: &Turn<H>, target: &Target<'_>) -> bool {
    let is_result = |kind: &Kind<H>| matches!(kind, Kind::Result(_));
    let answers = turn.parts.iter().any(|part| is_result(&part.kind));
    turn.speaker() != Role::Assistant && (!answers || user_asks(turn, target))
}

/// The rule of a place, for text that is elsewhere.
fn rule_of(place: SystemPlace) -> &'static Rule {
    match place {
        SystemPlace::First => &rules::SYSTEM_FIRST,
        SystemPlace::BehindUser => &rules::SYSTEM_BEHIND_USER,
        SystemPlace::One => &rules::SYSTEM_ONE,
        SystemPlace::User => &rules::SYSTEM_USER,
        SystemPlace::Head => &rules::SYSTEM_HEAD,
        SystemPlace::Top | SystemPlace::Beside | SystemPlace::Anywhere | SystemPlace::Nowhere => &rules::SYSTEM_BESIDE,
    }
}

/// The system turns that are written elsewhere than they stand, by their positions, each with the rule to tell. `None` for
/// text that stays before all messages, and where all of it is lost. `says`: whether a turn is written.
pub(crate) fn hoisted<'a, H: Host>(
    target: &Target<'_>,
    frame: &Frame<H>,
    turns: impl Iterator<Item = &'a Turn<H>> + Clone,
    says: impl Fn(&Turn<H>) -> bool,
) -> Vec<(usize, Option<&'static Rule>)> {
    let place = of_model::system(target, frame);
    let is_text = |turn: &Turn<H>| turn.role.is_system() && !sets_only(turn, target);
    let system = turns.clone().enumerate().filter(|(_, turn)| is_text(turn));
    if place == SystemPlace::Anywhere || system.clone().next().is_none() {
        return Vec::new();
    }
    let leading = turns.clone().take_while(|turn| turn.role.is_system() || !says(turn)).count();
    let seats = SystemSeats::of(target, frame, turns, says);
    let own = |turn: &Turn<H>| turn.from.same_wire(target.id);
    // If an untouched turn is of this format, its own servers accepted its position.
    let moves = |at: usize, turn: &Turn<H>| (turn.touched || !own(turn)) && seats.why_not(at).is_some();
    // All of it is put in front, in its order.
    let in_front = matches!(place, SystemPlace::First | SystemPlace::BehindUser | SystemPlace::One | SystemPlace::User);
    let gathers = in_front && system.clone().any(|(at, turn)| moves(at, turn));
    let is_hoisted = |at: usize, turn: &Turn<H>| match place {
        SystemPlace::Anywhere => false,
        SystemPlace::First | SystemPlace::One | SystemPlace::User => gathers,
        // What moves is put behind what is in front.
        SystemPlace::BehindUser => gathers && (at < leading || moves(at, turn)),
        SystemPlace::Head | SystemPlace::Beside => !own(turn) || moves(at, turn),
        SystemPlace::Top => moves(at, turn) || !own(turn) && !turn.from.is_relative(target.id),
        SystemPlace::Nowhere => !own(turn),
    };
    let hoisted = system.filter(|(at, turn)| is_hoisted(*at, turn)).enumerate();
    let is_told = |count: usize, at: usize, turn: &Turn<H>| {
        // Where one message has all of it, the first text alone stays as it is.
        let moves = match place {
            SystemPlace::One => count > 0 || at > 0,
            SystemPlace::User => true,
            _ => count != at,
        };
        place != SystemPlace::Nowhere && moves && !turn.parts.is_empty()
    };
    let why = |at: usize| seats.why_not(at).unwrap_or(rule_of(place));
    hoisted.map(|(count, (at, turn))| (at, is_told(count, at, turn).then(|| why(at)))).collect()
}
