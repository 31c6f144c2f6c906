//! Splits a turn that holds its calls and their results into its steps: the assistant's content and calls, then the
//! results.
//!
//! Only formats with [`ResultPlace::WithCall`] have such turns. Parsing keeps one turn for each element. But repairs
//! and other formats need each side in its own turn, so they work on the steps.

use std::sync::Arc;

use smallvec::smallvec;

use crate::{
    model::{Kind, Part, Role, Tie, Turn, View},
    report::Sources,
    rules::{DialectId, ResultPlace},
    value::{HashSet, Host},
};

/// The turns of a view, with another format's turns split into steps; and for each, the index of the original turn.
pub(crate) struct Steps<H: Host> {
    /// The steps of each turn. `None` for a turn that stays whole.
    made: Vec<Option<Vec<Turn<H>>>>,
}

impl<H: Host> Steps<H> {
    /// `None` if every turn stays whole, as in the turns' own format.
    pub(crate) fn of(view: &View<'_, H>, target: DialectId) -> Option<Self> {
        let foreign = |turn: &&Turn<H>| holds_results(turn.from) && !turn.from.same_wire(target);
        if !view.turns.iter().any(foreign) {
            return None;
        }
        let made: Vec<_> = view.turns.iter().map(|turn| if foreign(turn) { split(turn) } else { None }).collect();
        made.iter().any(Option::is_some).then_some(Self { made })
    }

    /// The view of the steps.
    pub(crate) fn view<'a>(&'a self, whole: &View<'a, H>) -> View<'a, H> {
        let mut turns = Vec::with_capacity(self.made.len() * 2);
        for (turn, steps) in whole.turns.iter().zip(&self.made) {
            match steps {
                Some(steps) => turns.extend(steps),
                None => turns.push(*turn),
            }
        }
        View { turns, list_origin: None, frame: whole.frame, origins: None }
    }

    /// For each turn of the view of steps, the turn that it comes from.
    pub(crate) fn origins(&self) -> Vec<Sources> {
        let counts = self.made.iter().map(|steps| steps.as_ref().map_or(1, Vec::len)).enumerate();
        counts.flat_map(|(index, count)| std::iter::repeat_n(smallvec![index], count)).collect()
    }
}

/// A turn that holds several steps, and the turns that they became.
#[derive(Debug)]
pub(crate) struct Whole<H: Host> {
    pub(crate) turn: Arc<Turn<H>>,
    /// Its index in the list that it was in.
    pub(crate) index: usize,
    pub(crate) steps: Vec<Arc<Turn<H>>>,
}

impl<H: Host> Whole<H> {
    /// `None` for a turn that stays whole.
    pub(crate) fn of(turn: &Arc<Turn<H>>, index: usize) -> Option<Self> {
        let steps = split(turn)?.into_iter().map(Arc::new).collect();
        Some(Self { turn: turn.clone(), index, steps })
    }

    /// Whether turns begin with its steps, unchanged.
    fn begins(&self, turns: &[&Arc<Turn<H>>]) -> bool {
        turns.len() >= self.steps.len() && turns.iter().zip(&self.steps).all(|(turn, step)| Arc::ptr_eq(turn, step))
    }
}

/// Joins the steps of each turn again, if all of them are there and unchanged. Otherwise the first step that is left
/// gets the turn's id and unknown keys. `whole_of`: what the turn at a position is a step of. Returns the turns, each
/// with the number of given ones that it replaces.
pub(crate) fn join<'a, H: Host>(
    turns: &[&Arc<Turn<H>>],
    whole_of: impl Fn(usize) -> Option<&'a Whole<H>>,
) -> Vec<(Arc<Turn<H>>, usize)> {
    let mut begun = HashSet::default();
    let mut joined = Vec::with_capacity(turns.len());
    let mut at = 0;
    while let Some(turn) = turns.get(at) {
        let whole = whole_of(at);
        let mut made = ((*turn).clone(), 1);
        if let Some(one) = whole.filter(|one| one.begins(&turns[at..])) {
            made = (one.turn.clone(), one.steps.len());
        } else if let Some(one) = whole
            && turn.tie == Tie::Continues
            && turn.role == Role::Assistant
            && !begun.contains(&one.index)
        {
            let whole = one.turn.share();
            made.0 = Arc::new(Turn { id: whole.id, extras: whole.extras, tie: whole.tie, ..turn.touch() });
        }
        if let Some(one) = whole
            && made.0.role == Role::Assistant
            && made.0.tie != Tie::Continues
        {
            begun.insert(one.index);
        }
        at += made.1;
        joined.push(made);
    }
    joined
}

/// Whether turns of this dialect may hold calls and their results.
pub(crate) fn holds_results(from: DialectId) -> bool {
    from.limits().is_ok_and(|limits| limits.results == ResultPlace::WithCall)
}

/// Whether a part only marks the beginning of a step. The order of messages shows that as well.
pub(crate) fn is_mark<H: Host>(turn: &Turn<H>, part: &Part<H>) -> bool {
    let Kind::Opaque(name) = &part.kind else { return false };
    let mark = turn.from.facts.step_mark;
    !mark.is_empty() && name.is(mark, turn.input.as_ref())
}

/// The steps of an assistant's turn. `None` if it has a single step without results.
///
/// Each step is a turn of the assistant, followed by a turn of the tools if it has results. Only the first step keeps
/// the turn's id, its unknown keys and its flaw. The others continue it.
pub(crate) fn split<H: Host>(turn: &Turn<H>) -> Option<Vec<Turn<H>>> {
    if turn.role != Role::Assistant || !holds_results(turn.from) {
        return None;
    }
    let mut steps = Vec::new();
    let mut from = 0;
    // A mark at the end begins a step that is not there yet.
    let last = turn.parts.iter().rposition(|part| says(turn, std::slice::from_ref(part))).unwrap_or(0);
    for (at, part) in turn.parts.iter().enumerate().take(last) {
        if at > from && is_mark(turn, part) && says(turn, &turn.parts[from..at]) {
            step(turn, &turn.parts[from..at], &mut steps);
            from = at;
        }
    }
    step(turn, &turn.parts[from..], &mut steps);
    if steps.len() < 2 {
        return None;
    }
    if let Some(first) = steps.first_mut() {
        let whole = turn.share();
        (first.id, first.extras, first.entity) = (whole.id, whole.extras, whole.entity);
        (first.flaw, first.tie) = (turn.flaw, turn.tie);
    }
    Some(steps)
}

/// Whether parts are more than marks and blank texts. Those alone would be a message that says nothing.
fn says<H: Host>(turn: &Turn<H>, parts: &[Part<H>]) -> bool {
    parts.iter().any(|part| match &part.kind {
        Kind::Text(text) => !text.is_blank(turn.input.as_ref()),
        _ => !is_mark(turn, part),
    })
}

fn step<H: Host>(turn: &Turn<H>, parts: &[Part<H>], steps: &mut Vec<Turn<H>>) {
    for (role, results) in [(Role::Assistant, false), (Role::Tool, true)] {
        let is_ours = |part: &&Part<H>| matches!(part.kind, Kind::Result(_)) == results;
        let parts: Vec<_> = parts.iter().filter(is_ours).map(Part::share).collect();
        if !parts.is_empty() {
            steps.push(Turn {
                from: turn.from,
                list: turn.list,
                lone: turn.lone,
                input: turn.input.clone(),
                tie: Tie::Continues,
                ..Turn::new(role, parts)
            });
        }
    }
}
