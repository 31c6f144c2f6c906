//! Applies the target's rules about a whole message, once nothing more can join it.

use super::{
    beside::{Beside, Is},
    blank::takes_blank,
    item::{Item, Said},
    message::Message,
    outline::Outline,
    rules,
    seats::{First, may_begin},
    signed::{self, OwnSignature},
};
use crate::{
    model::{At, Kind, Part, Role, Turn, compaction},
    report::{Edit, Error, error::Code},
    rules::{BesideCalls, CacheMark, PartOrder, ReasoningRule, ResultPlace},
    value::{Host, Raw, Text},
    wire::updates,
};

impl<'a, H: Host> Outline<'_, 'a, H> {
    /// Writes the open message, unless it is empty.
    pub(super) fn close(&mut self) -> Result<(), Error> {
        let Some(&(index, first)) = self.open.turns.first() else { return Ok(()) };
        let mut message = self.take();
        let limits = self.p.target.limits;
        let mut behind = Vec::new();
        if !message.results.is_empty() || !message.moved.is_empty() {
            if limits.orders_results() {
                self.in_call_order(&mut message.results);
            }
            self.mark_last(&mut message.results);
            let rest = match limits.results {
                place if place.is_alone() && !message.results.is_empty() => &mut behind,
                _ => &mut message.results,
            };
            rest.append(&mut message.moved);
            rest.append(&mut message.items);
            std::mem::swap(&mut message.results, &mut message.items);
        }
        if message.items.is_empty() && !self.stays_empty(&message) {
            return self.not_written(&message);
        }
        self.begins(&message, (index, first))?;
        self.has_text_beside(&message)?;
        self.finish_items(&mut message);
        let last = message.turns.last().map_or(index, |(last, _)| *last);
        self.rest_lost(&message)?;
        self.to.scope(first.input.as_ref());
        if limits.beside_calls == BesideCalls::Nothing && message.calls > 0 {
            self.before_calls(&mut message)?;
        }
        if self.has_to_wait(&message) {
            return self.wait(message);
        }
        self.write_pairs(&mut message)?;
        if !behind.is_empty() {
            self.message(&Message { items: behind, ..Message::of(message.role) })?;
        }
        self.to.checked_run(self.p, first, index, last)?;
        self.done(message);
        Ok(())
    }

    /// Whether a message without items is written: the target accepts that, or it sets something.
    fn stays_empty(&self, message: &Message<'a, H>) -> bool {
        let said_nothing = message.turns.iter().all(|(_, turn)| turn.parts.is_empty());
        let sets = || message.turns.iter().any(|(_, turn)| self.sets_something(turn));
        let is_change = |turn: &Turn<H>| updates::sets_something(turn) || updates::says_nothing(turn);
        let elsewhere = || message.turns.iter().any(|(_, turn)| is_change(turn));
        sets() || said_nothing && takes_blank(self.p.target.limits, message.role) && !elsewhere()
    }

    /// Reports the turns of a message that is not written.
    #[cold]
    fn not_written(&mut self, message: &Message<'a, H>) -> Result<(), Error> {
        let results = self.p.target.limits.results;
        let split = results.is_each() || results == ResultPlace::WithCall;
        let whole = |turn: &Turn<H>| !(split && turn.results().next().is_some());
        message.turns.iter().try_for_each(|(index, turn)| match () {
            () if whole(turn) => self.p.empty_turn(turn, *index),
            // Its results are already written, in the message of their calls.
            () if results == ResultPlace::WithCall => self.p.rest_lost(turn, *index),
            () => Ok(()),
        })
    }

    /// Whether a system turn of the target's own format changes settings for later turns, which matters without text.
    fn sets_something(&self, turn: &Turn<H>) -> bool {
        updates::sets_something(turn) && turn.from.same_wire(self.p.target.id)
    }

    /// Moves a cache mark that is a separate block to after all results, because no block may be between them.
    fn mark_last(&mut self, results: &mut [Item<'a, H>]) {
        let Some((last, before)) = results.split_last_mut() else { return };
        if !matches!(self.p.target.id.facts.cache.map(|rule| rule.mark), Some(CacheMark::Block(_))) {
            return;
        }
        for item in before {
            let Some(cached) = item.cached.take() else { continue };
            let reason = "the target requires tool results before everything else: the cache mark is after them";
            self.p.losses.changed(Edit::Order, self.p.path_of(item), reason);
            last.cached = last.cached.or(Some(cached));
        }
    }

    /// Sorts results into the order of their calls, as the target requires.
    pub(super) fn in_call_order(&mut self, results: &mut [Item<'a, H>]) {
        if results.len() < 2 {
            return;
        }
        let mut last = None;
        for item in results.iter() {
            let site = self.p.links.call_site(item.site);
            if site.is_some() && site < last {
                let reason = "the target requires results in the order of their calls";
                self.p.losses.changed(Edit::ReorderedResult, self.p.path_of(item), reason);
            }
            last = last.max(site);
        }
        results.sort_by_cached_key(|item| self.p.links.call_site(item.site).unwrap_or((usize::MAX, 0)));
    }

    /// Writes everything else as a message before the calls, for a target that accepts nothing beside calls.
    fn before_calls(&mut self, message: &mut Message<'a, H>) -> Result<(), Error> {
        let call = |item: &Item<'a, H>| matches!(item.part, Some(Part { kind: Kind::Call(_), .. }));
        let (calls, said): (Vec<_>, Vec<_>) = std::mem::take(&mut message.items).into_iter().partition(call);
        message.items = calls;
        if said.is_empty() {
            return Ok(());
        }
        let reason = "the target accepts nothing beside calls: it is a message before them";
        self.p.losses.changed(Edit::Order, self.p.path_of(&said[0]), reason);
        let before = Message { items: said, ..Message::of(message.role) };
        self.message(&before)
    }

    /// Refuses a document without text beside it, if the target does.
    fn has_text_beside(&self, message: &Message<'a, H>) -> Result<(), Error> {
        let foreign = !self.p.conversation.frame.from.same_wire(self.p.target.id);
        if !self.p.target.limits.media.text_beside || !foreign {
            return Ok(());
        }
        let is = |item: &Item<'a, H>| {
            let text = item.part.is_some_and(|part| matches!(part.kind, Kind::Text(_)));
            let text = text || item.text().is_some() || matches!(item.said, Said::JsonText(_) | Said::MovedMedia(_));
            if text {
                Is::Text
            } else if item.is_document() {
                Is::Document
            } else {
                Is::Other
            }
        };
        let mut beside = Beside::none();
        message.items.iter().for_each(|item| beside.add(is(item), || item));
        beside.alone().map_or(Ok(()), |document| {
            Err(Error::new(Code::Refused, rules::DOCUMENT_ALONE).at_path(self.p.path_of(document)))
        })
    }

    /// Refuses a first message of the assistant, if the target does.
    fn begins(&self, message: &Message<'a, H>, (index, turn): At<'a, H>) -> Result<(), Error> {
        let foreign = !self.p.conversation.frame.from.same_wire(self.p.target.id);
        let assistant = message.role == Role::Assistant && self.p.written == 0;
        // A compaction stands for what came before.
        let begins =
            |item: &Item<'a, H>| item.whole().is_some() && item.part.is_some_and(|part| is_summary(turn, part));
        let assistant = assistant && !message.items.first().is_some_and(begins);
        let first = First { role: message.role, calls: message.calls > 0, is_last: false, instructed: false };
        if !assistant || !foreign || self.p.alone || may_begin(self.p.target.limits, first) {
            return Ok(());
        }
        let text = "the target requires the user's message first";
        Err(Error::new(Code::Refused, text).at_path(turn.path(index)))
    }

    /// Applies the rules about the items of a message.
    fn finish_items(&mut self, message: &mut Message<'a, H>) {
        let limits = self.p.target.limits;
        let Some(&(index, first)) = message.turns.first() else { return };
        let stands_in = message.role == Role::Assistant && !self.p.target.options.row;
        if stands_in {
            Self::join_thoughts(message);
        }
        let needed = match limits.reasoning {
            ReasoningRule::Key(word, instead) => Some((word, instead)),
            ReasoningRule::Unsigned(Some(instead)) => Some(("", instead)),
            _ => None,
        };
        if let Some((word, instead)) = needed
            && stands_in
            && message.items.iter().all(|item| !item.is_thought(word))
        {
            let reason = "the target requires reasoning on every assistant message";
            self.p.losses.changed(Edit::StandIn, first.path(index), reason);
            message.items.insert(0, Item::new(Said::NoReasoning(word, instead), None, (index, 0)));
        }
        if let ReasoningRule::Signature(word) = limits.reasoning
            && stands_in
            && message.turns.iter().any(|(index, _)| self.step.is_none_or(|step| *index > step))
        {
            self.sign(message, word);
        }
        let beside = limits.beside_calls == BesideCalls::OneText && message.calls > 0;
        if limits.order == PartOrder::OneText || beside {
            for item in message.items.iter().filter(|item| item.text().is_some()).skip(1) {
                self.p.losses.changed(Edit::Joined, self.p.path_of(item), rules::ONE_TEXT.says);
            }
        }
        let ends = self.last.is_some_and(|last| message.turns.iter().any(|(index, _)| *index == last));
        if ends && message.role == Role::Assistant {
            self.trim(message);
        }
    }

    /// Marks thoughts under one key to be written together, because a message has each key once.
    fn join_thoughts(message: &mut Message<'a, H>) {
        let key_of = |item: &Item<'a, H>| match item.said {
            Said::Thought(key, _) => Some(key),
            _ => item.own_key().filter(|key| item.thought_under(key).is_some()),
        };
        let keys: Vec<_> = message.items.iter().filter_map(key_of).collect();
        for item in &mut message.items {
            let Some(key) = key_of(item) else { continue };
            if let (Said::Origin(_), Some(Part { kind: Kind::Reasoning(thought), .. })) = (&item.said, item.part)
                && let Some(text) = &thought.text
                && keys.iter().filter(|known| **known == key).count() > 1
            {
                item.said = Said::Thought(key, text);
            }
        }
    }

    /// Adds the stand-in signature to the first call of a step, for a target that requires one.
    fn sign(&mut self, message: &mut Message<'a, H>, word: &'static str) {
        let call = |item: &Item<'a, H>| matches!(item.part, Some(Part { kind: Kind::Call(_), .. }));
        let Some(item) = message.items.iter_mut().find(|item| call(item)) else { return };
        let Some(Part { kind: Kind::Call(call), signed, .. }) = item.part else { return };
        if matches!(item.said, Said::Origin(_)) && *signed || item.signature.is_some() {
            return;
        }
        let turn = self.p.conversation.turns.get(item.site.0);
        let part = item.part.filter(|_| item.own);
        match turn.zip(part).map(|(turn, part)| signed::own_signature(&self.p.target, turn, part)) {
            Some(OwnSignature::InPlace) => return,
            // It lies under another key of the same format, which this server does not read.
            Some(OwnSignature::Elsewhere(signature)) => {
                (item.said, item.signature) = (Said::Call(call), Some(signature));
                return;
            }
            Some(OwnSignature::Nowhere) | None => {}
        }
        (item.said, item.signature) = (Said::Call(call), Some(Text::own(word)));
        let reason = "the target requires a signature on the first call of each step, and accepts this word as one";
        self.p.losses.changed(Edit::StandIn, self.p.path_of(item), reason);
    }

    /// Trims white space at the end of a text that the model will continue, because the target refuses it.
    fn trim(&mut self, message: &mut Message<'a, H>) {
        let Some(item) = message.items.last_mut() else { return };
        let Said::Text(text) = item.said else { return };
        let words = text.to_str(item.input);
        let kept = words.trim_end().len();
        if kept < words.len() {
            let path = self.p.path_of(item);
            self.p.losses.changed(Edit::TrailingSpace, path, "the target refuses white space at the very end");
            // U+FFFD is as long as the lone surrogate that it replaces.
            if let Ok(trimmed) = self.p.text_of(&text.wtf8(item.input)[..kept]) {
                item.said = Said::Made(trimmed);
            }
        }
    }

    /// Reports everything beside the parts of a message's turns that the message cannot hold.
    fn rest_lost(&mut self, message: &Message<'a, H>) -> Result<(), Error> {
        // Most turns have only a role and parts.
        let bare = |turn: &Turn<H>| turn.id.is_none() && turn.entity.is_none() && turn.extras.is_none();
        if message.turns.iter().all(|(_, turn)| bare(turn)) {
            return Ok(());
        }
        let split = self.p.target.limits.results.is_each();
        let target = self.p.target;
        let with_call = target.limits.results == ResultPlace::WithCall;
        let own = message.own(target.id).map(|(index, _)| index);
        let named = message.id(&target).map(|(index, ..)| index);
        let entity = self.p.stored(message).map(|(index, _)| index);
        for &(index, turn) in &message.turns {
            // If the assistant has its own message, that message reports it.
            if message.role != Role::Assistant && turn.role == Role::Assistant && turn.parts.len() > 1 {
                continue;
            }
            if split && !turn.from.same_wire(target.id) && turn.results().next().is_some() {
                continue;
            }
            // Content beside results is a separate message, which reports it.
            let says_more = || turn.parts.iter().any(|part| !matches!(part.kind, Kind::Result(_)));
            if with_call && message.role == Role::Assistant && turn.role != Role::Assistant && says_more() {
                continue;
            }
            if named != Some(index) {
                self.p.turn_id_lost(turn, index)?;
            }
            if entity != Some(index) {
                self.p.entity_lost(turn, index)?;
            }
            if own != Some(index) {
                // A message's own signature is that of its text.
                let is_text = |item: &Item<'a, H>| item.part.is_some_and(|part| matches!(part.kind, Kind::Text(_)));
                let signs = |item: &Item<'a, H>| item.signature.is_some() && item.site.0 == index && is_text(item);
                let taken = message.items.iter().any(signs);
                let mark = self.p.turn_mark(turn).map_or("", |(name, _)| name);
                let marks = |key: &Text<H>| !mark.is_empty() && key.is(mark, turn.input.as_ref());
                let lost = |entry: &&(Text<H>, Raw<H>)| !(marks(&entry.0) || taken && signed::is_carrier(turn, entry));
                for (key, raw) in turn.extras.iter().flat_map(|extras| extras.iter()).filter(lost) {
                    let given = (turn.from, &[mark][..], false);
                    self.p.options_lost(given, (key, raw), turn.input.as_ref(), &|| turn.path(index))?;
                }
            }
        }
        Ok(())
    }
}

fn is_summary<H: Host>(turn: &Turn<H>, part: &Part<H>) -> bool {
    compaction::rule_of(turn, part).is_some()
}
