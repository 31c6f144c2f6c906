//! Decides which turns become one message of the target: the same for a writer and for a repair.

use super::{rules::Rule, system_seats::SystemSeats};
use crate::{
    model::{Frame, Role, Turn},
    rules::{FirstWord, Limits, ReasoningRule, ResultPlace, SystemPlace, Target},
    value::Host,
    wire::write::says::{is_written, user_asks},
};

/// What the rules about neighbours ask of a turn, or of the message that is open.
#[derive(Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about a turn")]
pub(crate) struct Seat {
    pub(crate) assistant: bool,
    pub(crate) system: bool,
    /// Whether it would be sent back unchanged.
    pub(crate) as_it_came: bool,
    pub(crate) calls: bool,
    pub(crate) results: bool,
    /// Whether calls of its side wait for a result: its own, those of turns before it, or those that it leads to.
    pub(crate) in_step: bool,
}

impl Seat {
    /// The seat of a turn by itself. `leads`: whether it leads to calls.
    pub(crate) fn of<H: Host>(turn: &Turn<H>, as_it_came: bool, leads: bool) -> Self {
        let (calls, results) = (turn.calls().next().is_some(), turn.results().next().is_some());
        let (assistant, system) = (turn.speaker() == Role::Assistant, turn.role.is_system());
        Self { assistant, system, as_it_came, calls, results, in_step: calls || leads }
    }
}

/// Why two turns become one message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Joins {
    /// The two sides alternate.
    Alternates,
    /// The calls of a step are in one message, and their results in the next.
    Step,
}

/// Whether a turn has to become one message with what is before it. System text that stays is a message of its own.
pub(crate) fn joins(limits: &Limits, before: Seat, here: Seat) -> Option<Joins> {
    if before.assistant != here.assistant || before.system || here.system {
        return None;
    }
    // A result is a message of its own there, which nothing can join.
    let apart = limits.results.is_each() && (before.results || here.results);
    if limits.alternates && apart {
        return None;
    }
    if limits.alternates {
        return Some(Joins::Alternates);
    }
    if !limits.results.is_alone() {
        return None;
    }
    let as_they_came = before.as_it_came && here.as_it_came;
    let apart = limits.results == ResultPlace::AloneAfterRun && before.calls && here.calls && as_they_came;
    let one = if here.assistant { (before.in_step || here.in_step) && !apart } else { before.results && here.results };
    one.then_some(Joins::Step)
}

/// For each turn, whether the assistant calls tools in it, or after it before another role speaks. `says`: whether a
/// turn is written. Empty if calls may be in other messages than the text before them.
pub(crate) fn leads_to_calls<'a, H: Host>(
    limits: &Limits,
    turns: impl DoubleEndedIterator<Item = &'a Turn<H>>,
    says: impl Fn(&Turn<H>) -> bool,
) -> Vec<bool> {
    if !limits.results.is_alone() {
        return Vec::new();
    }
    let mut calls = false;
    let mut leads: Vec<bool> = turns
        .rev()
        .map(|turn| {
            if !turn.role.is_system() && says(turn) {
                calls = turn.speaker() == Role::Assistant && (calls || turn.calls().next().is_some());
            }
            calls
        })
        .collect();
    leads.reverse();
    leads
}

/// The first turn that is written, apart from system text.
#[derive(Clone, Copy)]
pub(crate) struct First {
    /// The speaker.
    pub(crate) role: Role,
    /// Whether it calls tools.
    pub(crate) calls: bool,
    /// Whether nothing follows it.
    pub(crate) is_last: bool,
    /// Whether system text is before it.
    pub(crate) instructed: bool,
}

/// Whether a turn may be first.
pub(crate) fn may_begin(limits: &Limits, first: First) -> bool {
    let First { role, calls, is_last, instructed } = first;
    role != Role::Assistant
        || match limits.starts_with_assistant {
            FirstWord::Anybody => true,
            FirstWord::NotAssistant => false,
            FirstWord::Followed => instructed || !calls && !is_last,
        }
}

/// Whether the target requires a message of the user's, and these turns have none that it gets.
pub(crate) fn lacks_user<'a, H: Host>(target: &Target<'_>, mut turns: impl Iterator<Item = &'a Turn<H>>) -> bool {
    target.limits.user_needed && !turns.any(|turn| user_asks(turn, target))
}

/// Whether system text alone is a list of messages.
pub(crate) fn instructs_alone(limits: &Limits) -> bool {
    let listed =
        [SystemPlace::Anywhere, SystemPlace::First, SystemPlace::BehindUser, SystemPlace::One, SystemPlace::User];
    !limits.user_needed && listed.contains(&limits.system)
}

/// The first turn that calls a tool or answers a call, if the target refuses these where no tool is defined.
pub(crate) fn first_use<'a, H: Host>(limits: &Limits, mut turns: impl Iterator<Item = &'a Turn<H>>) -> Option<usize> {
    let uses = |turn: &Turn<H>| turn.calls().next().is_some() || turn.results().next().is_some();
    if limits.tools_required { turns.position(uses) } else { None }
}

/// The last turn in which content of the user beside results is written, if the target needs signatures in the steps after it.
pub(crate) fn last_asked<'a, H: Host>(
    target: &Target<'_>,
    mut turns: impl DoubleEndedIterator<Item = &'a Turn<H>> + ExactSizeIterator,
) -> Option<usize> {
    let signs = matches!(target.limits.reasoning, ReasoningRule::Signature(_));
    if signs { turns.rposition(|turn| user_asks(turn, target)) } else { None }
}

/// The turns of a list in their order, each with what the rules about neighbours say of it.
pub(crate) struct Seats<'a> {
    target: Target<'a>,
    system: SystemSeats,
    leads: Vec<bool>,
    asked: Option<usize>,
    before: Option<(usize, Seat)>,
}

impl<'a> Seats<'a> {
    pub(crate) fn of<'t, H: Host>(
        target: Target<'a>,
        frame: &Frame<H>,
        turns: impl DoubleEndedIterator<Item = &'t Turn<H>> + ExactSizeIterator + Clone,
    ) -> Self {
        let written = |turn: &Turn<H>| is_written(turn, &target);
        Self {
            target,
            system: SystemSeats::of(&target, frame, turns.clone(), written),
            leads: leads_to_calls(target.limits, turns.clone(), written),
            asked: last_asked(&target, turns),
            before: None,
        }
    }

    /// Where the next turn stands, and the turn before if both must be one message and one of them would be sent back unchanged.
    pub(crate) fn next<H: Host>(&mut self, at: usize, turn: &Turn<H>) -> (Stand, Option<usize>) {
        let joined = if turn.role.is_system() { None } else { self.joined(at, turn) };
        let in_step = self.asked.is_none_or(|asked| at > asked);
        let moves = self.system.why_not(at).filter(|_| is_written(turn, &self.target));
        (Stand { moves, joins: joined.map(|(_, joins)| joins), in_step }, joined.map(|(with, _)| with))
    }

    fn joined<H: Host>(&mut self, at: usize, turn: &Turn<H>) -> Option<(usize, Joins)> {
        let own = turn.from.same_wire(self.target.id);
        if !self.target.limits.merges() || !own && !is_written(turn, &self.target) {
            return None;
        }
        let leads = self.leads.get(at).is_some_and(|leads| *leads);
        let here = Seat::of(turn, own && !turn.touched, leads);
        let before = self.before.filter(|(_, before)| before.assistant == here.assistant);
        // Content next to calls belongs to them until their results come.
        let in_step = here.in_step || here.assistant && before.is_some_and(|(_, before)| before.in_step);
        self.before = Some((at, Seat { in_step, ..here }));
        // Merged turns are reported once.
        let (with, before) = before.filter(|(_, before)| own && (before.as_it_came || here.as_it_came))?;
        joins(self.target.limits, before, here).map(|joins| (with, joins))
    }
}

/// Where a turn stands, for the rules about whole turns.
#[derive(Clone, Copy)]
pub(crate) struct Stand {
    /// Why system text may not be there.
    pub(crate) moves: Option<&'static Rule>,
    /// Why it must be one message with the turn before.
    pub(crate) joins: Option<Joins>,
    /// Whether it belongs to the steps after what the user last asked.
    pub(crate) in_step: bool,
}
