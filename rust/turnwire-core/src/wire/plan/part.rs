//! Turns a part into an item that the target's limits row accepts, and reports what is lost.

use super::{
    cache::{self, Cached},
    carried,
    decide::{Decision, Fate, Scope, Why, decide, images},
    item::{Item, Said},
    media_keys::{DETAIL, TITLE},
    options, passages, references, rules, served, signed,
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
    value::{Extras, Host, Raw, Text, Value, handle::span_bytes},
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
        if let (Kind::Media(_), Some(Said::Made(_))) = (&part.kind, &said) {
            known.push(passages::said_key(Scope::of(site.turn), part));
        }
        known.extend(self.provided(site.turn, part).into_iter().map(|(key, _)| key));
        let quotes = self.cites(site, part);
        if let Some((key, translated)) = &quotes {
            known.push(*key);
            if translated.lossy {
                let holder = part.holder_of(key, site.turn.input.as_ref(), (site.path)());
                self.losses.lost(Edit::Key, holder.then(Step::Key(key)), rules::CITATIONS)?;
            }
        }
        self.foreign_extras_but(site, part, &known)?;
        let cited = quotes.and_then(|(_, translated)| translated.list).map(|list| Box::new(Raw::Tree(list)));
        Ok(said.map(|said| Item { cited, ..self.made(site, part, said) }))
    }

    /// Reports the keys of a search result that the target does not get, and returns its cache mark. `whole`: whether the
    /// target gets a search result.
    fn passage_keys(
        &mut self,
        site: &Site<'_, 'a, H>,
        part: &'a Part<H>,
        whole: bool,
    ) -> Result<Option<Cached>, Error> {
        let Some(passage) = passages::of(Scope::of(site.turn), part) else { return Ok(None) };
        let mark = cache::in_entries((site.turn.from, &self.target), &passage.beside).filter(|_| whole);
        let is_mark = |key: &Text<H>| mark.is_some_and(|(name, _)| key.is(name, None));
        for key in passage.lost(whole).filter(|key| !is_mark(key)) {
            let reason = rules::no_place_for_key(&key.to_str(None));
            self.losses.lost(Edit::Key, (site.path)(), reason)?;
        }
        Ok(mark.map(|(_, cached)| cached))
    }

    /// Reports the keys of a reference to a tool that the target does not get.
    fn reference_keys(&mut self, site: &Site<'_, 'a, H>, part: &'a Part<H>) -> Result<(), Error> {
        for key in references::others(Scope::of(site.turn), part) {
            self.losses.lost(Edit::Key, (site.path)(), rules::no_place_for_key(&key.to_str(None)))?;
        }
        Ok(())
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

    /// Reports the keys that reasoning does not have where it is carried.
    fn not_carried(&mut self, site: &Site<'_, 'a, H>, part: &Part<H>, values: &[Value<H>]) -> Result<(), Error> {
        let keys = values.iter().flat_map(|value| match value {
            Value::Map(entries) => entries.iter().map(|(key, _)| key.to_str(None)).collect(),
            _ => Vec::new(),
        });
        let keys: Vec<_> = keys.collect();
        self.foreign_extras_but(site, part, &keys.iter().map(AsRef::as_ref).collect::<Vec<_>>())
    }

    pub(super) fn foreign_extras(&mut self, site: &Site<'_, 'a, H>, part: &Part<H>) -> Result<(), Error> {
        self.foreign_extras_but(site, part, &[])
    }

    /// Reports the keys of another format, except those that the target also has.
    fn foreign_extras_but(&mut self, site: &Site<'_, 'a, H>, part: &Part<H>, known: &[&str]) -> Result<(), Error> {
        if part.extras.is_none() && part.inner.is_none() || site.turn.from.same_wire(self.target.id) {
            return Ok(());
        }
        let input = site.turn.input.as_ref();
        let mark = self.mark(site, part);
        if let Some((name, cached)) = mark {
            self.mark_told(cached, &|| (site.path)().then(Step::Key(name)))?;
        }
        let mark = mark.map_or("", |(name, _)| name);
        let signed = self.signature(site.turn, part).is_some();
        // A target that has options, too, gets them all.
        let stay = self.target.id.facts.options.and(site.turn.from.facts.options);
        // What proves reasoning, or signs a part, is told with it.
        let told = part.signed || matches!(part.kind, Kind::Reasoning(_));
        let mut lost = |extras: &Extras<H>, at: Where<'_>| {
            let is = |key: &Text<H>, name: &str| !name.is_empty() && key.is(name, input);
            let is_known = |key: &Text<H>| known.iter().chain([&mark]).any(|name| is(key, name));
            let signs = |entry: &(Text<H>, Raw<H>)| signed && signed::is_carrier(site.turn, entry);
            let used: Vec<&str> = known.iter().copied().chain([mark]).collect();
            let stays = |key: &Text<H>| stay.is_some_and(|rule| rule.is_in(key, input));
            let mut unknown = extras.iter().filter(|entry| !is_known(&entry.0) && !signs(entry) && !stays(&entry.0));
            unknown.try_for_each(|(key, raw)| {
                if self.has_told_waits(key, (site.turn.from, input)) {
                    return Ok(());
                }
                self.options_lost((site.turn.from, &used, told), (key, raw), input, at)
            })
        };
        part.extras.as_deref().map_or(Ok(()), |extras| lost(extras, site.path))?;
        let Some(inner) = &part.inner else { return Ok(()) };
        lost(&inner.extras, &|| inner.path((site.path)()))
    }

    /// The cache mark among the keys of a part of another format, if the target takes it there.
    fn mark(&self, site: &Site<'_, 'a, H>, part: &Part<H>) -> Option<(&'static str, Cached)> {
        let may = |marks: Marks| marks.may_end(site.turn.role, part);
        cache::in_keys((site.turn.from, &self.target), may, part.extras.as_deref(), site.turn.input.as_ref())
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
