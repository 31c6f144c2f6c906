//! Gives made-up ids to calls and results without one, in formats that need none, so that they pair.
//!
//! A result answers the first open call of its name in the nearest earlier run of assistant turns that has such a call.
//! If it has no name, any call will do. A result without such a call gets the id that the call would get, so that turns
//! also pair if they are read one by one. A made-up id is never written unless the target needs ids.

use std::{borrow::Cow, collections::VecDeque, sync::Arc};

use super::{links::calls, spread::spread};
use crate::{
    model::{Conversation, Kind, ToolResult, Turn},
    rules::DialectId,
    value::{HashMap, HashSet, Host, Text},
};

/// Whether calls of this dialect may come without ids.
fn may_be(dialect: DialectId) -> bool {
    dialect.limits().is_ok_and(|limits| !limits.needs_ids())
}

/// The id for a call of this name: the first one in its run, or the `nth`, from 0. Lone surrogates are left out.
pub(crate) fn made_up(name: &str, nth: usize) -> String {
    let name = name.replace(char::REPLACEMENT_CHARACTER, "_");
    match nth {
        0 => format!("function_{name}"),
        _ => format!("function_{name}_{}", nth + 1),
    }
}

/// The ids that the calls or results of one run of turns got.
#[derive(Default)]
pub(crate) struct Given<'a> {
    counts: HashMap<Name<'a>, usize>,
    ids: HashSet<String>,
}

impl<'a> Given<'a> {
    /// The next id for this name. The id of a tool `f_2` may look like that of the second call of `f`.
    pub(crate) fn next(&mut self, name: Name<'a>) -> String {
        let words = String::from_utf8_lossy(&name).into_owned();
        let count = self.counts.entry(name).or_default();
        loop {
            let id = made_up(&words, *count);
            *count += 1;
            if self.ids.insert(id.clone()) {
                return id;
            }
        }
    }
}

/// Links a conversation whose turns were read one by one. Calls and results without ids then pair as in a list that was
/// read as a whole.
#[must_use]
pub fn linked<H: Host>(mut conversation: Conversation<H>) -> Conversation<H> {
    relink(conversation.turns_mut());
    conversation
}

/// Replaces the ids that were made up while turns were read one by one, as if the turns had been read together.
fn relink<H: Host>(turns: &mut [Arc<Turn<H>>]) {
    let made_up = |turn: &Turn<H>, part: &Kind<H>| match part {
        Kind::Call(call) => call.made_up_id && may_be(turn.from),
        Kind::Result(result) => result.made_up_id,
        _ => false,
    };
    let concerned = |turn: &Turn<H>| turn.parts.iter().any(|part| made_up(turn, &part.kind));
    if !turns.iter().any(|turn| concerned(turn)) {
        return;
    }
    let unnamed = |turn: &Arc<Turn<H>>| {
        let mut new = turn.share();
        for part in new.parts.iter_mut().filter(|part| made_up(turn, &part.kind)) {
            match &mut part.kind {
                Kind::Call(call) => call.id = Text::own(""),
                Kind::Result(result) => result.id = Text::own(""),
                _ => {}
            }
        }
        new
    };
    let mut linked: Vec<_> = turns.iter().map(unnamed).collect();
    link(&mut linked);
    for (turn, linked) in turns.iter_mut().zip(linked) {
        if concerned(turn) {
            *turn = Arc::new(linked);
        }
    }
}

/// The indices of a turn and a part.
pub(crate) type Site = (usize, usize);
pub(crate) type Name<'a> = Cow<'a, [u8]>;

/// The id that an unnamed call or result gets.
enum New {
    Made(String),
    /// The id of this call.
    Of(Site),
}

/// Gives an id to every call and result without one.
pub(crate) fn link<H: Host>(turns: &mut [Turn<H>]) {
    let lacks = |turn: &Turn<H>| {
        turn.calls().any(|call| call.made_up_id && call.id.is_empty())
            || turn.results().any(|result| result.made_up_id && result.id.is_empty())
    };
    if !turns.iter().any(lacks) {
        return;
    }
    spread(turns);
    for ((turn, part), new) in walk(turns) {
        let id = match new {
            New::Made(id) => Text::own(&id),
            New::Of((turn, part)) => match &turns[turn].parts[part].kind {
                Kind::Call(call) => call.id.detach(turns[turn].input.as_ref()),
                _ => continue,
            },
        };
        match &mut turns[turn].parts[part].kind {
            Kind::Call(call) => call.id = id,
            Kind::Result(result) => result.id = id,
            _ => {}
        }
    }
}

/// The calls without a result so far.
#[derive(Default)]
pub(crate) struct Open<'a> {
    /// By tool name: the open calls of each run that has any. The nearest run is last.
    by_name: HashMap<Name<'a>, Vec<(usize, VecDeque<Site>)>>,
    /// The calls of the last run, for results without a name.
    last: (usize, VecDeque<Site>),
    taken: HashSet<Site>,
}

impl<'a> Open<'a> {
    /// Adds a call of the run that begins at the index `run`.
    pub(crate) fn add(&mut self, run: usize, site: Site, name: Name<'a>) {
        let runs = self.by_name.entry(name).or_default();
        match runs.last_mut() {
            Some((last, sites)) if *last == run => sites.push_back(site),
            _ => runs.push((run, [site].into())),
        }
        if self.last.0 != run {
            self.last = (run, VecDeque::new());
        }
        self.last.1.push_back(site);
    }

    /// How many calls of the last run are open.
    fn left(&self) -> usize {
        self.last.1.iter().filter(|site| !self.taken.contains(site)).count()
    }

    /// Takes the first open call of the last run for which this holds.
    fn reserve(&mut self, holds: impl Fn(Site) -> bool) {
        let open = self.last.1.iter().find(|site| !self.taken.contains(site) && holds(**site));
        if let Some(site) = open.copied() {
            self.taken.insert(site);
        }
    }

    /// Takes the call that a result answers. The result may have a name or none.
    pub(crate) fn take(&mut self, name: Option<&Name<'a>>) -> Option<Site> {
        let Some(name) = name else {
            while let Some(site) = self.last.1.pop_front() {
                if self.taken.insert(site) {
                    return Some(site);
                }
            }
            return None;
        };
        let runs = self.by_name.get_mut(name)?;
        while let Some((_, sites)) = runs.last_mut() {
            while let Some(site) = sites.pop_front() {
                if self.taken.insert(site) {
                    return Some(site);
                }
            }
            runs.pop();
        }
        None
    }
}

fn walk<H: Host>(turns: &[Turn<H>]) -> Vec<(Site, New)> {
    // A call whose id is in a result is reserved for that result.
    let results = turns.iter().flat_map(|turn| turn.results().map(|result| result.id.wtf8(turn.input.as_ref())));
    let named: HashSet<Name<'_>> = results.filter(|id| !id.is_empty()).collect();
    let asked = turns.iter().flat_map(|turn| turn.calls().map(|call| call.id.wtf8(turn.input.as_ref())));
    let asked: HashSet<Name<'_>> = asked.filter(|id| !id.is_empty()).collect();
    let strays = |turn: &Turn<H>, id: &Text<H>| !id.is_empty() && !asked.contains(&id.wtf8(turn.input.as_ref()));
    let is_unnamed = |(turn, part): Site| turns[turn].parts[part].has_made_up_id();
    let (mut found, mut open) = (Vec::new(), Open::default());
    // Whether each result of the current run with an id of no call leaves one call without an id to the others.
    let mut leaves = false;
    // The first turn of the current run of one side, and the ids that its turns got.
    let (mut run, mut given) = (0, Given::default());
    for (index, turn) in turns.iter().enumerate() {
        if index > 0 && calls(turn) != calls(&turns[index - 1]) {
            (run, given) = (index, Given::default());
            if !calls(turn) {
                let said = turns[index..].iter().take_while(|turn| !calls(turn));
                let said = said.flat_map(|turn| turn.results().map(move |result| (turn, result)));
                let mine = said.filter(|(turn, result)| result.id.is_empty() || strays(turn, &result.id)).count();
                leaves = mine == open.left();
            }
        }
        let input = turn.input.as_ref();
        for (place, part) in turn.parts.iter().enumerate() {
            let site = (index, place);
            match &part.kind {
                Kind::Call(call) => {
                    let name = call.name.wtf8(input);
                    if call.id.is_empty() && call.made_up_id {
                        found.push((site, New::Made(given.next(name.clone()))));
                        open.add(run, site, name);
                    } else if !named.contains(&call.id.wtf8(input)) {
                        open.add(run, site, name);
                    }
                }
                Kind::Result(ToolResult { id, made_up_id: true, name, .. }) if id.is_empty() => {
                    let name = name.as_deref().map(|name| name.wtf8(input));
                    match open.take(name.as_ref()) {
                        Some(call) => found.push((site, New::Of(call))),
                        // If the format's calls always have ids, no call would get this one.
                        None if !may_be(turn.from) => {}
                        None => found.push((site, New::Made(given.next(name.unwrap_or_default())))),
                    }
                }
                Kind::Result(result) if leaves && result.name.is_none() && strays(turn, &result.id) => {
                    open.reserve(is_unnamed);
                }
                _ => {}
            }
        }
    }
    found
}
