//! Plans a rendering: which messages are written, who speaks in each, and which items each has in which order.
//!
//! One walk over the turns, in order, for every dialect. Only the target's limits row decides:
//!
//! 1. A turn that may be sent back unchanged is. The rest of this list is about the others.
//! 2. System text that cannot stay among the messages is already taken out; text for the front opens the first message.
//! 3. Each part becomes an [`Item`], or a loss says why not (`part.rs`, `media.rs`).
//! 4. Results are placed by the row: a message each, or all of a run in one, before the rest of their turns.
//!    Media that a result cannot hold follow the run.
//! 5. Neighbours become one message if the target alternates, or if results would separate the calls of one run.
//! 6. A message without items is not written.
//!
//! A dialect gets one [`Message`] at a time and writes it: it opens, writes items, closes, and decides nothing. A
//! format without messages (a list of items) writes the items one by one. A format where position matters (signatures
//! on parts) finds its wire values in the items' parts. The dialect writes its own unknown keys, by [`Item::extras`]
//! and [`Message::extras`]; those of other formats are reported here.
//!
//! What a plan is made of knows no writer: `message`, `item`, `media`, `names`, `cache`. `decide`, `answer` and `arguments` say
//! what the target gets of a part, a result and a call, by the sentences of `rules`; stages ask them, too. Above these, `part`
//! and `outcome` make the items and report, `outline` holds the plan in progress, and `join`, `gather`, `pairs` and `close` are
//! its steps.

pub(crate) mod answer;
pub(crate) mod arguments;
pub(crate) mod behind_results;
pub(crate) mod beside;
pub(crate) mod blank;
mod cache;
pub(crate) mod carried;
pub(crate) mod choice;
mod close;
pub(crate) mod decide;
mod gather;
mod item;
mod join;
pub(crate) mod judge;
mod lead;
pub(crate) mod listed;
mod media;
mod media_keys;
mod message;
mod names;
mod of_model;
pub(crate) mod options;
mod outcome;
mod outline;
mod pairs;
mod part;
mod part_keys;
pub(crate) mod passages;
pub(crate) mod planner;
mod proof;
mod provided;
pub(crate) mod references;
mod remade;
pub(crate) mod rules;
pub(crate) mod said_before;
mod scope;
pub(crate) mod seats;
pub(crate) mod separator;
mod served;
mod signature;
mod signed;
mod silent;
pub(crate) mod strict_flag;
pub(crate) mod system_seats;
mod thinking;
pub(crate) mod thought;
mod thought_keys;
mod typed;
pub(crate) mod unknown_keys;
mod waiting;
pub(crate) mod words;
pub(crate) mod wrong;

use smallvec::SmallVec;

pub(crate) use self::planner::{Planner, Printer};
pub(crate) use self::{
    cache::{Cached, in_block, in_keys, mark_of},
    item::{Item, Outcome, Said},
    listed::lists,
    media::{Shown, ShownData, has_other_blobs},
    message::Message,
    names::{DocumentNames, OwnNames, hidden_name, is_valid, renamed},
    thought::BETWEEN_THOUGHTS,
};
use self::{
    outline::Outline,
    seats::{lacks_user, last_asked, leads_to_calls},
};
use super::write::{says::replays, system};
use crate::{
    model::{At, Kind, Role, Tie, Turn, surrogate},
    pairing::Links,
    report::{Error, Path, error::Code},
    rules::{ResultPlace, SystemPlace},
    value::Host,
};

/// Writes the list's elements.
pub(crate) fn write<'a, H: Host>(w: &mut Planner<'a, H>, to: &mut dyn Printer<'a, H>) -> Result<(), Error> {
    let (conversation, target) = (w.conversation, w.target);
    w.links = Links::of(conversation, &target, |turn| replays(&target, turn));
    // Only a rule about trailing white space needs to know which turn is last.
    let last = if w.target.limits.trailing_space { None } else { w.last_said() };
    let turns = || conversation.turns.iter().copied();
    let step = last_asked(&target, turns());
    let leads = leads_to_calls(target.limits, turns(), |turn| w.says(turn));
    let open = Box::new(Message::of(Role::User));
    let mut outline = Outline {
        p: w,
        to,
        open,
        spare: Vec::new(),
        moved: Vec::new(),
        last,
        step,
        leads,
        lead: None,
        answered: false,
        waiting: None,
    };
    outline.head()?;
    for (index, turn) in conversation.turns.iter().enumerate() {
        if !outline.p.is_hoisted(index) {
            outline.turn((index, turn))?;
        }
    }
    outline.close_run()?;
    outline.write_waiting()?;
    outline.finish()
}

impl<'a, H: Host> Outline<'_, 'a, H> {
    /// Writes system text that another format keeps beside its list, or that must be in front.
    fn head(&mut self) -> Result<(), Error> {
        let beside = self.p.target.id.facts.slots.is_none_or(|slots| slots.system.is_none())
            && self.p.target.limits.system != SystemPlace::Nowhere;
        if !beside {
            return Ok(());
        }
        let texts = system::all(self.p)?;
        if texts.is_empty() {
            return Ok(());
        }
        let mut message = Message::of(Role::System);
        for one in texts {
            let item = Item::new(Said::Text(one.text), one.input, (usize::MAX, 0));
            message.items.push(Item { cached: one.cached, source: one.turn.unwrap_or(usize::MAX), ..item });
        }
        if self.p.target.limits.system == SystemPlace::User {
            return self.lead_user(message);
        }
        // System text from the list may be written there too.
        let gathered: Vec<_> = self.p.hoisted().map(|(index, _)| index).collect();
        self.message(&message)?;
        self.to.sources(gathered.into());
        self.to.replaced(self.p, &mut surrogate::place_in_top_system);
        Ok(())
    }

    fn turn(&mut self, at: At<'a, H>) -> Result<(), Error> {
        let (index, turn) = at;
        let has_results = turn.results().next().is_some();
        let limits = self.p.target.limits;
        if limits.results.is_in_place() && !has_results && !self.moved.is_empty() {
            self.close_run()?;
        }
        if limits.results.is_one_turn() && !limits.merges() {
            // Media wait for the last of the results, which may remain separate messages.
            if has_results && !self.joins(at) {
                self.moved.append(&mut self.open.moved);
            } else if !has_results && !self.moved.is_empty() {
                self.close_run()?;
            }
        }
        if self.p.replays(turn) && !self.must_join(at) {
            self.close()?;
            self.write_answered(at)?;
            if !has_results {
                self.moved_message()?;
            }
            self.p.written += 1;
            self.answered = has_results;
            return self.to.replay(self.p, (index, turn));
        }
        if gather::begins_with_summary(turn, self.p.target.id) {
            self.summary(at)?;
            if turn.parts.len() == 1 {
                return Ok(());
            }
        }
        match limits.results {
            place if place.is_each() && has_results => {
                // An assistant's results come after its calls.
                if turn.role == Role::Assistant {
                    self.rest(at)?;
                    self.close()?;
                    return self.results(at);
                }
                self.close()?;
                self.results(at)?;
                if turn.parts.iter().any(|part| !matches!(part.kind, Kind::Result(_))) {
                    if !limits.alternates {
                        self.moved_message()?;
                    }
                    self.rest(at)?;
                }
                Ok(())
            }
            // The user's message has the results of an assistant's turn.
            ResultPlace::OneTurn | ResultPlace::BehindCall | ResultPlace::Alone | ResultPlace::AloneAfterRun
                if has_results && turn.role == Role::Assistant =>
            {
                self.rest(at)?;
                self.close()?;
                self.begin(Role::User, at);
                self.gather_results(at)
            }
            ResultPlace::WithCall if has_results && turn.role != Role::Assistant => self.answers(at),
            _ => {
                if limits.results.is_each() && !limits.alternates {
                    if !self.joins(at) {
                        self.close()?;
                    }
                    if turn.tie != Tie::Bridges {
                        self.moved_message()?;
                    }
                }
                self.rest(at)
            }
        }
    }

    /// Ends the open message, and the run of results that media were waiting for.
    fn close_run(&mut self) -> Result<(), Error> {
        if !self.moved.is_empty() {
            self.moved.append(&mut self.open.moved);
        }
        self.close()?;
        self.moved_message()
    }

    /// Adds a turn to the open message or a new one. Also adds its results, unless each is a separate message.
    fn rest(&mut self, at: At<'a, H>) -> Result<(), Error> {
        let (_, turn) = at;
        if self.joins(at) {
            let before = self.open.len();
            self.open.turns.push(at);
            self.gather(at)?;
            let own = turn.parts.is_empty() && turn.from.same_wire(self.p.target.id);
            if self.p.target.limits.merges() && self.open.len() == before && !own {
                self.open.turns.pop();
                return self.p.empty_turn(turn, at.0);
            }
            return Ok(());
        }
        let limits = self.p.target.limits;
        let is_between = limits.results == ResultPlace::WithCall && !self.p.says(turn);
        if !limits.merges() && !is_between {
            self.close()?;
            self.begin(turn.speaker(), at);
            return self.gather(at);
        }
        // A turn without items does not separate its neighbours: a call and its result may be on both sides of it.
        let before = self.take();
        self.begin(turn.speaker(), at);
        self.gather(at)?;
        if self.open.len() == 0 && !self.stands_empty(turn) {
            self.p.empty_turn(turn, at.0)?;
            self.reopen(before);
            return Ok(());
        }
        let after = std::mem::replace(&mut self.open, before);
        self.close()?;
        self.reopen(after);
        if limits.results.is_each() && turn.tie != Tie::Bridges { self.behind_media(at) } else { Ok(()) }
    }

    /// Whether a turn without parts is still a message: it was one in this format, or it is not the assistant's and the
    /// target accepts empty ones.
    fn stands_empty(&self, turn: &Turn<H>) -> bool {
        let may = self.p.target.limits.blank_text && turn.speaker() != Role::Assistant;
        turn.parts.is_empty() && (may || turn.from.same_wire(self.p.target.id))
    }

    /// Writes each result of a turn as a separate message.
    fn results(&mut self, (index, turn): At<'a, H>) -> Result<(), Error> {
        let own = turn.from.same_wire(self.p.target.id);
        let mut message = Message::of(Role::Tool);
        let mut items = Vec::new();
        for (at, part) in turn.parts.iter().enumerate() {
            let Kind::Result(result) = &part.kind else { continue };
            if part.is_progress() {
                self.p.progress_lost((index, turn), at);
                continue;
            }
            items.push(self.p.outcome((index, turn), at, result, &mut self.moved)?);
        }
        if self.p.target.limits.orders_results() {
            self.in_call_order(&mut items);
        }
        for item in items {
            self.write_up_to(self.p.links.call_site(item.site))?;
            message.items.clear();
            message.turns = if own { [(index, turn)].into() } else { SmallVec::new() };
            message.items.push(item);
            self.to.scope(turn.input.as_ref());
            self.message(&message)?;
        }
        if !own {
            self.p.results_first(turn, index);
            self.p.rest_lost(turn, index)?;
        } else if !self.p.stores() && turn.parts.iter().all(|part| matches!(part.kind, Kind::Result(_))) {
            self.p.entity_lost(turn, index)?;
        }
        self.to.checked_run(self.p, turn, index, index)
    }

    /// Fails if there is no message and the target needs one.
    fn finish(self) -> Result<(), Error> {
        let conversation = self.p.conversation;
        let own = conversation.frame.from.same_wire(self.p.target.id);
        // If the target cannot hold system text, there may be nothing else to write.
        let nowhere = self.p.target.limits.system == SystemPlace::Nowhere;
        let blank = self.p.target.limits.blank_text;
        let says = |turn: &Turn<H>| !(nowhere && turn.role.is_system() || blank && turn.parts.is_empty());
        let said = conversation.turns.iter().any(|turn| says(turn));
        if !own && !self.p.alone && said && lacks_user(&self.p.target, conversation.turns.iter().copied()) {
            return Err(Error::new(Code::Refused, rules::NO_USER));
        }
        if self.p.written > 0 || own || self.p.alone || !said {
            return Ok(());
        }
        let text = "the target needs a message, and none is left";
        let path = match conversation.turns.first().map_or("", |turn| turn.list) {
            "" => Path::default(),
            list => Path::key(list),
        };
        Err(Error::new(Code::Refused, text).at_path(path))
    }
}
