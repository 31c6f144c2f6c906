//! Turns a part into an item that the target's limits row accepts, and reports what is lost.

use super::{
    cache::{self, Cached},
    carried,
    decide::{Decision, Fate, Scope, Why, decide, images},
    item::{Item, Said},
    media_keys::{DETAIL, TITLE},
    options, passages, rules, served, signed,
};
use crate::{
    model::{Args, At, Kind, Part, Role, Turn},
    pairing::steps,
    report::{Edit, Error, Step},
    rules::{
        Marks,
        citation::{self, Translated},
        details,
        passage::lines,
    },
    value::{Host, Raw, Value, handle::span_bytes},
    wire::{
        plan::Planner,
        write::{
            Where,
            says::{is_blank, is_silent},
        },
    },
};

/// A part that is being converted: its turn, its index, and its path.
pub(super) struct Site<'w, 'a, H: Host> {
    pub(super) turn: &'a Turn<H>,
    pub(super) at: (usize, usize),
    pub(super) path: Where<'w>,
}

impl<'a, H: Host> Planner<'a, H> {
    /// Adds a part of a turn to the items, converted. Adds nothing if a loss says why not. Results are converted by
    /// [`Self::outcome`].
    pub(super) fn item(
        &mut self,
        (index, turn): At<'a, H>,
        at: usize,
        part: &'a Part<H>,
        to: &mut Vec<Item<'a, H>>,
    ) -> Result<(), Error> {
        let path = || turn.part_path(index, at);
        let site = Site { turn, at: (index, at), path: &path };
        if steps::is_mark(turn, part) && !turn.from.same_wire(self.target.id) {
            return self.mark_lost(part, turn.input.as_ref(), &path);
        }
        // Blank text that would become a message of its own is not sent back, either.
        let silent = || turn.parts.len() > 1 && is_blank(turn, part) && is_silent(turn, &self.target);
        let afresh = self.links.renamed(index, at).is_some() || silent();
        let decision = decide(&self.target, Scope::of(turn), part, afresh)?;
        match decision.fate {
            Fate::Origin(raw) => {
                let said = self.made(&site, part, Said::Origin(raw));
                let item = self.resigned(&site, part, said, to);
                to.push(item);
                return Ok(());
            }
            Fate::Carried(values) => {
                self.why(decision.why, &path)?;
                self.replaced(turn, part, Value::List(values.iter().map(Value::share).collect()));
                self.not_carried(&site, part, &values)?;
                let thought = matches!(part.kind, Kind::Reasoning(_)) && turn.from.facts.options.is_some();
                let values = if thought && !self.ids_stay(turn) {
                    values.iter().map(details::without_id).collect()
                } else {
                    values
                };
                if let (Some(before), [rest], None) = (to.last_mut(), values.as_slice(), self.target.id.facts.options)
                    && let (Some(first), Said::Translated(item)) = (before.part, &before.said)
                    && options::are_one(turn.from.facts.options, (first, part), turn.input.as_ref())
                    && let Some(joined) = options::joined(item, rest)
                {
                    before.said = Said::Translated(joined);
                    return Ok(());
                }
                to.extend(values.into_iter().map(|value| self.made(&site, part, Said::Translated(Raw::Tree(value)))));
                return Ok(());
            }
            Fate::Listed(values) => {
                self.why(decision.why, &path)?;
                self.replaced(turn, part, Value::List(values.iter().map(|(_, value)| value.share()).collect()));
                self.foreign_extras(&site, part)?;
                to.push(self.made(&site, part, Said::Listed(values)));
                return Ok(());
            }
            Fate::Result => return Ok(()),
            _ if carried::repeats(&self.target, turn, part) => return Ok(()),
            Fate::More(_) => return self.more(&site, part, decision, to),
            _ => {}
        }
        let signature = self.signature(turn, part);
        if let Some(signed) = signature.as_ref().filter(|_| carried::has_details(&self.target)) {
            self.as_detail(&site, part, signed, to);
        }
        let both = turn.from.facts.options.is_some() && self.target.id.facts.options.is_some();
        let signed = part.signed && !both || signed::loses_id(&self.target, turn, part);
        if signature.is_none() && signed && !matches!(part.kind, Kind::Reasoning(_) | Kind::Opaque(_)) {
            let reason = "only the dialect that made a signature accepts it, and only with its part unchanged";
            self.losses.lost(Edit::Signature, path(), reason)?;
        }
        if let Fate::Call(call) = decision.fate {
            self.name(&call.name, turn.input.as_ref(), &path)?;
            if matches!(&call.args, Args::Text(text) if text.is_empty()) {
                self.unrecorded(turn, part, &path)?;
            }
            if call.made_up_id && self.target.limits.needs_ids() && self.made_up_matters(turn, part) {
                self.losses.changed(Edit::RenamedId, path(), "the call came without an id");
            }
        }
        let provided = self.provided(turn, part);
        // Most parts are text or calls that change in nothing, with no keys beside them.
        let images = images(part, &decision.fate);
        let bare = decision.why.is_none() && part.extras.is_none() && part.inner.is_none();
        let before = to.len();
        match decision.fate {
            Fate::Text(text) if bare => to.push(self.made(&site, part, Said::Text(text))),
            Fate::Call(call) if bare => to.push(self.made(&site, part, Said::Call(call))),
            _ => to.extend(self.decided(&site, part, decision)?),
        }
        for image in images {
            let decision = decide(&self.target, Scope::of(turn), image, false)?;
            to.extend(self.decided(&site, image, decision)?);
        }
        if !carried::has_details(&self.target)
            && let Some(item) = to.get_mut(before)
        {
            item.signature = signature;
        }
        if let Some(item) = to.get_mut(before).filter(|_| !provided.is_empty()) {
            item.provided = Some(Box::new(provided));
        }
        Ok(())
    }

    /// Adds text that goes on from the text before it, if both are of one call.
    fn more(
        &mut self,
        site: &Site<'_, 'a, H>,
        part: &'a Part<H>,
        decision: Decision<'a, H>,
        to: &mut Vec<Item<'a, H>>,
    ) -> Result<(), Error> {
        let Some(mut new) = self.decided(site, part, decision)? else { return Ok(()) };
        if let Some(before) = to.last_mut().filter(|before| served::goes_on(site.turn, before, part))
            && let (Said::Made(first), Said::Made(rest)) = (&before.said, &new.said)
        {
            before.said = Said::Made(lines([first, rest], None));
            return Ok(());
        }
        new.input = None;
        to.push(new);
        Ok(())
    }

    /// Reports why a part changes or is lost.
    fn why(&mut self, why: Option<Box<Why>>, path: Where<'_>) -> Result<(), Error> {
        let Some(why) = why else { return Ok(()) };
        let Why { rule, kind, says } = *why;
        self.losses.tell(kind, rule.code, path(), says)
    }

    /// Whether the made-up id of a call will be written. A call that came without one in the target's own format needs
    /// none.
    fn made_up_matters(&self, turn: &Turn<H>, part: &Part<H>) -> bool {
        !(turn.from.same_wire(self.target.id) && part.has_no_id_at_home())
    }

    /// A part in the target's spelling. Reports the lone surrogates that reading has replaced.
    fn spelled(&mut self, turn: &Turn<H>, part: &Part<H>, value: Value<H>) -> Raw<H> {
        let shared = value.share();
        let counted = match &part.origin {
            Some(Raw::Span(span)) => self.counted(value, span_bytes(*span, turn.input.as_ref())),
            Some(Raw::Own(json)) => self.counted(value, json.as_bytes()),
            _ => Ok(value),
        };
        Raw::Tree(counted.unwrap_or(shared))
    }

    /// Reports the lone surrogates of a part that what is made of it no longer has.
    fn replaced(&mut self, turn: &Turn<H>, part: &Part<H>, made: Value<H>) {
        self.spelled(turn, part, made);
    }

    /// Makes the item that was decided for a part of a message or for a block of a result, and reports what changes.
    #[inline(never)]
    pub(super) fn decided(
        &mut self,
        site: &Site<'_, 'a, H>,
        part: &'a Part<H>,
        decision: Decision<'a, H>,
    ) -> ItemOf<'a, H> {
        let Decision { fate, why } = decision;
        let input = site.turn.input.as_ref();
        if matches!(fate, Fate::Nothing) && self.point_lost((site.turn.from, part), input, site.path)? {
            return Ok(None);
        }
        let blank = why.as_ref().is_some_and(|why| why.rule.code == Edit::BlankText);
        if let Kind::Media(media) = &part.kind
            && blank
        {
            // A document that becomes text, and then none.
            let rule = &rules::DOCUMENT_TEXT;
            self.losses.changed(rule.code, (site.path)(), rule.says);
            self.document_name_lost(media, site)?;
        }
        self.why(why, site.path)?;
        if let Fate::Made(text) | Fate::More(text) = &fate {
            self.replaced(site.turn, part, Value::Text(text.share()));
        }
        if !matches!(fate, Fate::Origin(_) | Fate::Nothing) {
            self.keys_of_texts(site, part)?;
        }
        let mut known: Vec<&str> = Vec::new();
        let said = match fate {
            Fate::Origin(raw) => return Ok(Some(self.made(site, part, Said::Origin(raw)))),
            Fate::Translated(value) => {
                let raw = self.spelled(site.turn, part, value);
                let cached = self.passage_keys(site, part, true)?;
                self.compaction_keys(site, part)?;
                let item = self.made(site, part, Said::Translated(raw));
                return Ok(Some(Item { cached, ..item }));
            }
            Fate::Text(text) => Some(Said::Text(text)),
            // The keys of a compaction are in its block.
            Fate::Made(text) | Fate::More(text) if matches!(part.kind, Kind::Opaque(_)) => {
                self.passage_keys(site, part, false)?;
                return Ok(Some(Item { input: None, ..self.made(site, part, Said::Made(text)) }));
            }
            Fate::Made(text) | Fate::More(text) => Some(Said::Made(text)),
            Fate::Thought(key, text) => {
                self.thought_keys(site, part)?;
                return Ok(Some(self.made(site, part, Said::Thought(key, text))));
            }
            Fate::Refusal(text) => Some(Said::Refusal(text)),
            Fate::Call(call) => Some(Said::Call(call)),
            Fate::Json(raw) => {
                self.reference_keys(site, part)?;
                Some(Said::Json(raw))
            }
            Fate::JsonText(raw) => {
                self.reference_keys(site, part)?;
                Some(Said::JsonText(raw))
            }
            Fate::Media(mut shown) => {
                self.finish_media(&mut shown, site, part)?;
                known.extend(self.named_by_option(site, part).then_some(TITLE));
                known.extend(
                    shown.detail.as_ref().map(|_| DETAIL).into_iter().chain(shown.beside.iter().map(|(key, _)| *key)),
                );
                Some(Said::Media(shown))
            }
            // Keys beside a blank text may still say something.
            Fate::Nothing if blank => None,
            Fate::Carried(_) | Fate::Listed(_) | Fate::Nothing | Fate::Result => return Ok(None),
        };
        let is_text = matches!((&part.kind, &said), (Kind::Media(_), Some(Said::Text(_) | Said::Made(_))));
        if is_text && matches!(said, Some(Said::Made(_))) {
            known.push(passages::said_key(Scope::of(site.turn), part));
        }
        let own_mark = if is_text { self.own_mark(site, part) } else { None };
        known.extend(self.provided(site.turn, part).into_iter().map(|(key, _)| key));
        let quotes = self.cites(site, part);
        if let Some((key, translated)) = &quotes {
            known.push(*key);
            if translated.lossy {
                let holder = part.holder_of(key, site.turn.input.as_ref(), (site.path)());
                self.losses.lost(Edit::Key, holder.then(Step::Key(key)), rules::CITATIONS)?;
            }
        }
        if is_text && site.turn.from.same_wire(self.target.id) {
            known.extend(own_mark.map(|(key, _)| key));
            self.extras_lost_but(site, part, &known)?;
        } else {
            self.foreign_extras_but(site, part, &known)?;
        }
        let cited = quotes.and_then(|(_, translated)| translated.list).map(|list| Box::new(Raw::Tree(list)));
        let made = |said| Item { cited, ..self.made(site, part, said) };
        let own_mark = own_mark.map(|(_, cached)| cached);
        Ok(said.map(made).map(|item| Item { cached: item.cached.or(own_mark), ..item }))
    }

    /// The citations of the model's text in the target's spelling, with their key.
    fn cites(&self, site: &Site<'_, 'a, H>, part: &Part<H>) -> Option<(&'static str, Translated<H>)> {
        let (from, target, input) = (site.turn.from, self.target.id, site.turn.input.as_ref());
        let (theirs, ours) = from.facts.cites.zip(target.facts.cites)?;
        if !matches!(part.kind, Kind::Text(_)) || site.turn.role != Role::Assistant || !self.target.is_relative(from) {
            return None;
        }
        let (_, raw) = passages::beside(part).find(|(key, _)| key.is(theirs.key, input))?;
        let list = raw.to_value(input).ok()?;
        Some((theirs.key, citation::translated(theirs, ours, &list)?))
    }

    /// The cache mark among the keys of a part of another format, if the target takes it there.
    pub(super) fn mark(&self, site: &Site<'_, 'a, H>, part: &Part<H>) -> Option<(&'static str, Cached)> {
        let may = |marks: Marks| marks.may_end(site.turn.role, part);
        cache::in_keys((site.turn.from, &self.target), may, part.extras.as_deref(), site.turn.input.as_ref())
    }

    /// The cache mark of a document of the target's own format that becomes text.
    fn own_mark(&self, site: &Site<'_, 'a, H>, part: &Part<H>) -> Option<(&'static str, Cached)> {
        let own = self.target.id.facts.marks.reads.iter().filter(|_| site.turn.from.same_wire(self.target.id));
        let (extras, input) = (part.extras.as_deref()?, site.turn.input.as_ref());
        own.copied().find_map(|form| cache::own(form, extras, input))
    }

    /// The cache mark of a whole turn of another format, if the target takes it on the turn's last part.
    pub(crate) fn turn_mark(&self, turn: &Turn<H>) -> Option<(&'static str, Cached)> {
        let extras = turn.extras.as_deref().filter(|_| turn.from.facts.marks.on_messages)?;
        let may = |marks: Marks| {
            let last = turn.parts.last();
            last.is_some_and(|part| marks.may_end(turn.role, part))
        };
        cache::in_keys((turn.from, &self.target), may, Some(extras), turn.input.as_ref())
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "an item is large, so it is made where it stays")]
    pub(super) fn made(&self, site: &Site<'_, 'a, H>, part: &'a Part<H>, said: Said<'a, H>) -> Item<'a, H> {
        let own = site.turn.from.same_wire(self.target.id);
        let input = site.turn.input.as_ref();
        let marked = !own && part.extras.is_some() && !matches!(said, Said::MovedMedia(_));
        let cached = if marked { self.mark(site, part) } else { None };
        Item {
            said,
            input,
            part: Some(part),
            own,
            site: site.at,
            source: self.conversation.source(site.at),
            cited: None,
            cached: cached.map(|(_, cached)| cached),
            signature: None,
            provided: None,
        }
    }
}

/// A converted part: an item, or `None` if a loss says why not.
pub(super) type ItemOf<'a, H> = Result<Option<Item<'a, H>>, Error>;
