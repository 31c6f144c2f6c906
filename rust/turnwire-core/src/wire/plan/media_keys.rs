//! Gives media the name, the detail and the other keys that the target has for them, and reports what it does not have.

use super::{
    media::{Shown, ShownData},
    part::Site,
    passages,
    planner::Planner,
};
use crate::{
    model::{Kind, Media, Part},
    report::{Edit, Error},
    rules::{Limits, MediaClass, TypedUrls, Verdict, option_rule::Means},
    value::{Host, Input, Raw, Text, Value},
};

/// The key for the detail of an image, in formats that have one.
pub(super) const DETAIL: &str = "detail";
/// The key for the title of a document.
pub(super) const TITLE: &str = "title";

impl<'a, H: Host> Planner<'a, H> {
    /// Reports the name of a document that becomes text.
    pub(super) fn document_name_lost(&mut self, media: &Media<H>, site: &Site<'_, 'a, H>) -> Result<(), Error> {
        let Some(name) = &media.name else { return Ok(()) };
        let reason = format!("no place for the document's name {:?}", name.to_str(site.turn.input.as_ref()));
        self.losses.lost(Edit::Name, (site.path)(), reason)
    }

    /// Gives media the name and the detail that the target has, and reports what it does not have.
    pub(super) fn finish_media(
        &mut self,
        shown: &mut Shown<'a, H>,
        site: &Site<'_, 'a, H>,
        part: &'a Part<H>,
    ) -> Result<(), Error> {
        let Kind::Media(media) = &part.kind else { return Ok(()) };
        if let Some(name) = media.name.as_ref().filter(|name| !name.is_empty())
            && !self.target.limits.media.named.contains(&shown.class)
        {
            let name = name.to_str(site.turn.input.as_ref());
            let reason = format!("no place for the name {name:?} of {}", shown.class.name());
            self.losses.lost(Edit::Name, (site.path)(), reason)?;
        }
        self.type_lost(shown, media, site)?;
        self.name_document(shown, media, site);
        if let Some(Value::Text(title)) = self.option(site, part, TITLE).filter(|_| self.named_by_option(site, part)) {
            shown.name = Some(title);
        }
        shown.detail = self.detail(site, part);
        shown.beside = self.beside(site, part);
        Ok(())
    }

    /// The detail of an image, if both formats have the same word for it.
    fn detail(&self, site: &Site<'_, 'a, H>, part: &'a Part<H>) -> Option<Raw<H>> {
        let knows = |limits: &Limits| limits.media.detail;
        let own = site.turn.from.same_wire(self.target.id);
        if own || !knows(self.target.limits) {
            return None;
        }
        let input = site.turn.input.as_ref();
        if let Some(value) = self.option(site, part, DETAIL) {
            let entry = (Text::own(DETAIL), Raw::Tree(value));
            return self.takes(&entry, None).then_some(entry.1);
        }
        if !site.turn.from.limits().is_ok_and(knows) {
            return None;
        }
        let mut all = passages::beside(part);
        all.find(|entry| entry.0.is(DETAIL, input) && self.takes(entry, input)).map(|(_, raw)| raw.share())
    }

    /// Whether a document has the name that an option gives it.
    pub(super) fn named_by_option(&self, site: &Site<'_, 'a, H>, part: &Part<H>) -> bool {
        let document = matches!(&part.kind, Kind::Media(media) if media.class == MediaClass::Document);
        document && matches!(self.option(site, part, TITLE), Some(Value::Text(_)))
    }

    /// The option of a part that stands for this key of the target's.
    fn option(&self, site: &Site<'_, 'a, H>, part: &Part<H>, key: &'static str) -> Option<Value<H>> {
        let rule = site.turn.from.facts.options.filter(|_| part.extras.is_some())?;
        let given = rule.of_extras(part.extras.as_deref()?, site.turn.input.as_ref());
        let (_, value) = rule.first_for(&given, Means::Key(key), self.target.id.facts.provider)?;
        Some(value.share())
    }

    /// The keys of a document that mean the same in both formats.
    fn beside(&self, site: &Site<'_, 'a, H>, part: &'a Part<H>) -> Vec<(&'static str, Raw<H>)> {
        let (from, target) = (site.turn.from, self.target.id);
        let Some(ours) = target.facts.paper.filter(|_| !from.same_wire(target)) else { return Vec::new() };
        if from.facts.options.is_some() {
            let entry = |key: &&'static str| Some((*key, Raw::Tree(self.option(site, part, key)?)));
            let takes = |entry: &(&'static str, Raw<H>)| self.takes(&(Text::own(entry.0), entry.1.share()), None);
            return ours.keys.iter().filter_map(entry).filter(takes).collect();
        }
        let Some(theirs) = from.facts.paper else { return Vec::new() };
        let input = site.turn.input.as_ref();
        let shared = theirs.keys.iter().filter(|key| ours.keys.contains(key));
        let entry = |key| passages::beside(part).find(|entry| entry.0.is(key, input) && self.takes(entry, input));
        shared.filter_map(|key| Some((*key, entry(key)?.1.share()))).collect()
    }

    /// Whether the target does not refuse this value under this key of a part.
    fn takes(&self, (key, raw): &(Text<H>, Raw<H>), input: Option<&Input>) -> bool {
        let keys = self.target.id.keys();
        let is_wrong = |rules| matches!(keys.judge(rules, (key, raw), input), Verdict::WrongValue | Verdict::Unset);
        ![keys.part, keys.inside()].iter().any(|rules| is_wrong(rules))
    }

    /// Reports the media type beside a URL, for a target that has only the URL.
    fn type_lost(&mut self, shown: &Shown<'a, H>, media: &Media<H>, site: &Site<'_, 'a, H>) -> Result<(), Error> {
        let untyped = self.target.limits.media.typed_urls == TypedUrls::Never;
        let mime = media.type_beside_address(site.turn.input.as_ref());
        match mime.filter(|_| untyped && matches!(shown.data, ShownData::Url(..))) {
            None => Ok(()),
            Some(mime) => {
                let reason = format!("the target has no place for the type {mime:?} of what is at an address");
                self.losses.lost(Edit::Key, (site.path)(), reason)
            }
        }
    }

    /// Gives a document the name that the target requires.
    fn name_document(&mut self, shown: &mut Shown<'a, H>, media: &Media<H>, site: &Site<'_, 'a, H>) {
        let Some(rule) = self.target.limits.media.names.as_ref().filter(|_| shown.class == MediaClass::Document) else {
            return;
        };
        let whole = (self.conversation, self.target.id);
        let (name, changed) = self.documents.name(media, site.turn.input.as_ref(), rule, whole);
        if changed {
            let reason = "the target requires a name for each document, of plain letters, and refuses a name twice";
            match media.name {
                Some(_) => self.losses.changed(Edit::Name, (site.path)(), reason),
                None => self.losses.added(Edit::Name, (site.path)(), reason),
            }
        }
        shown.name = Some(name);
    }
}
