//! Reports the keys of a part that the target does not get.

use super::{
    cache::{self, Cached},
    decide::Scope,
    part::Site,
    passages, references, rules, signed,
};
use crate::{
    model::{Kind, Media, MediaData, Part},
    report::{Edit, Error, Step},
    value::{Extras, Host, Raw, Text, Value},
    wire::{plan::Planner, write::Where},
};

impl<'a, H: Host> Planner<'a, H> {
    /// Reports the keys of a search result that the target does not get, and returns its cache mark. `whole`: whether the
    /// target gets a search result.
    pub(super) fn passage_keys(
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

    /// Reports the keys of a document's texts, which are written only where the document goes back as it came.
    pub(super) fn keys_of_texts(&mut self, site: &Site<'_, 'a, H>, part: &Part<H>) -> Result<(), Error> {
        let Kind::Media(Media { data: MediaData::Texts(texts), .. }) = &part.kind else { return Ok(()) };
        for key in &texts.keys {
            let reason = rules::no_place_for_key(&key.to_str(site.turn.input.as_ref()));
            self.losses.lost(Edit::Key, (site.path)(), reason)?;
        }
        Ok(())
    }

    /// Reports the keys of a reference to a tool that the target does not get.
    pub(super) fn reference_keys(&mut self, site: &Site<'_, 'a, H>, part: &'a Part<H>) -> Result<(), Error> {
        for key in references::others(Scope::of(site.turn), part) {
            self.losses.lost(Edit::Key, (site.path)(), rules::no_place_for_key(&key.to_str(None)))?;
        }
        Ok(())
    }

    /// Reports the keys that reasoning does not have where it is carried.
    pub(super) fn not_carried(
        &mut self,
        site: &Site<'_, 'a, H>,
        part: &Part<H>,
        values: &[Value<H>],
    ) -> Result<(), Error> {
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
    pub(super) fn foreign_extras_but(
        &mut self,
        site: &Site<'_, 'a, H>,
        part: &Part<H>,
        known: &[&str],
    ) -> Result<(), Error> {
        if site.turn.from.same_wire(self.target.id) { Ok(()) } else { self.extras_lost_but(site, part, known) }
    }

    /// Reports all unknown keys of a part, except those that the target also has.
    pub(super) fn extras_lost_but(
        &mut self,
        site: &Site<'_, 'a, H>,
        part: &Part<H>,
        known: &[&str],
    ) -> Result<(), Error> {
        if part.extras.is_none() && part.inner.is_none() {
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
}
