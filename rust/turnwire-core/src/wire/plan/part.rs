//! Turns a part into an item that the target's limits row accepts, and reports what is lost.

use super::{
    cache,
    item::{Item, Said},
    media::{self, Shown, ShownData, Taken},
};
use crate::{
    model::{Args, At, Kind, Media, Part, Role, Turn, compaction},
    pairing::steps,
    report::{Error, loss::LossCode},
    rules::{Limits, MediaClass, TypedUrls, Verdict},
    value::{Extras, Host, Input, Raw, Text},
    wire::{
        plan::Planner,
        write::{
            Where,
            says::{is_blank, is_silent, is_taken},
        },
    },
};

/// The key for the detail of an image, in formats that have one.
const DETAIL: &str = "detail";

/// A part that is being converted: its turn, its index, and its path.
pub(super) struct Site<'w, 'a, H: Host> {
    pub(super) turn: &'a Turn<H>,
    pub(super) at: (usize, usize),
    pub(super) path: Where<'w>,
}

impl<'a, H: Host> Planner<'a, H> {
    /// Converts a part of a turn. `None` if a loss says why not. Results are converted by [`Self::outcome`].
    pub(super) fn item(&mut self, (index, turn): At<'a, H>, at: usize, part: &'a Part<H>) -> ItemOf<'a, H> {
        let path = || turn.part_path(index, at);
        let site = Site { turn, at: (index, at), path: &path };
        if steps::is_mark(turn, part) && !turn.from.same_wire(self.target.id) {
            return self.mark_lost(part, turn.input.as_ref(), &path).map(|()| None);
        }
        // Blank text that would become a message of its own is not sent back, either.
        let silent = is_blank(turn, part) && self.is_silent(turn);
        if !silent
            && self.links.renamed(index, at).is_none()
            && let Some(raw) = self.part_origin(turn, part)
        {
            return Ok(Some(self.made(&site, part, Said::Origin(raw))));
        }
        if let Some(raw) = self.translated(turn, part) {
            return Ok(Some(self.made(&site, part, Said::Translated(raw))));
        }
        if part.signed && !matches!(part.kind, Kind::Reasoning(_) | Kind::Opaque(_)) {
            let reason = "only the dialect that made a signature accepts it, and only with its part unchanged";
            self.losses.lost(LossCode::Signature, path(), reason)?;
        }
        let from_all = self.target.limits.media_of_all || turn.role == Role::User;
        match &part.kind {
            Kind::Call(call) => {
                self.name(&call.name, turn.input.as_ref(), &path)?;
                if matches!(&call.args, Args::Text(text) if text.is_empty()) {
                    self.unrecorded(turn, part, &path)?;
                }
                if call.made_up_id && !self.target.limits.id.optional && self.made_up_matters(turn, part) {
                    self.losses.changed(LossCode::Id, path(), "the call came without an id");
                }
                self.foreign_extras(&site, part)?;
                Ok(Some(self.made(&site, part, Said::Call(call))))
            }
            Kind::Refusal(text) if self.target.limits.refusals && turn.role == Role::Assistant => {
                self.foreign_extras(&site, part)?;
                Ok(Some(self.made(&site, part, Said::Refusal(text))))
            }
            Kind::Media(_) if !from_all && !matches!(turn.role, Role::Tool) => {
                let reason = "the target accepts media only from the user";
                self.losses.lost(LossCode::Media, path(), reason).map(|()| None)
            }
            Kind::Json(raw) => {
                self.losses.changed(LossCode::JsonAsText, path(), "the target accepts JSON only as text here");
                self.foreign_extras(&site, part)?;
                Ok(Some(self.made(&site, part, Said::JsonText(raw))))
            }
            Kind::Result(_) => Ok(None),
            _ => self.content(&site, part),
        }
    }

    /// Whether the made-up id of a call will be written. A call that came without one in the target's own format needs
    /// none.
    fn made_up_matters(&self, turn: &Turn<H>, part: &Part<H>) -> bool {
        !(turn.from.same_wire(self.target.id) && part.has_no_id_at_home())
    }

    /// Converts text, reasoning or media, in a message or a result.
    pub(super) fn content(&mut self, site: &Site<'_, 'a, H>, part: &'a Part<H>) -> ItemOf<'a, H> {
        let (input, path) = (site.turn.input.as_ref(), site.path);
        let said = match &part.kind {
            Kind::Text(text) | Kind::Refusal(text) => {
                if matches!(part.kind, Kind::Refusal(_)) {
                    self.losses.changed(LossCode::Refusal, path(), "the target has no refusal here");
                }
                let silent = text.is_blank(input) && self.is_silent(site.turn);
                if silent {
                    self.silent_lost(text.is_empty(), path())?;
                }
                (!silent && !self.blank(text, input, path)?).then_some(Said::Text(text))
            }
            Kind::Reasoning(thought) => {
                let Some(text) = self.reasoning(thought, input, path)? else { return Ok(None) };
                // Its signature is lost with the part that it signs. Other keys beside the text are reported.
                Some(Said::Text(text))
            }
            Kind::Media(media) => match media::take(&self.target.limits.media, media, site.turn.from, input)? {
                Taken::Not(reason) => return self.losses.lost(LossCode::Media, path(), reason).map(|()| None),
                Taken::As(mut shown, note) => {
                    if let Some(note) = note {
                        self.losses.changed(LossCode::Media, path(), note);
                    }
                    if let Some(name) = media.name.as_ref().filter(|name| !name.is_empty())
                        && !self.target.limits.media.named.contains(&media.class)
                    {
                        let reason =
                            format!("no place for the name {:?} of {}", name.to_str(input), media.class.name());
                        self.losses.lost(LossCode::Name, path(), reason)?;
                    }
                    self.type_lost(&shown, media, site)?;
                    self.name_document(&mut shown, media, site);
                    shown.detail = self.detail(site, part);
                    Some(Said::Media(Box::new(shown)))
                }
                Taken::AsText(text) => {
                    self.document_as_text(media, input, path)?;
                    (!self.blank(text, input, path)?).then_some(Said::Text(text))
                }
                Taken::Decoded(text) => {
                    self.document_as_text(media, input, path)?;
                    (!self.blank(&text, input, path)?).then_some(Said::Made(text))
                }
            },
            Kind::Opaque(name) => match compaction::summary((site.turn.from, input), part) {
                Some(summary) => {
                    let reason = "the target does not know compactions: only the summary is left, as text";
                    self.losses.changed(LossCode::Opaque, path(), reason);
                    let input = None;
                    return Ok(Some(Item { input, ..self.made(site, part, Said::Made(summary)) }));
                }
                None => return self.opaque(name, input, path).map(|()| None),
            },
            Kind::Call(_) | Kind::Result(_) | Kind::Json(_) => {
                let reason = "the target has no place for this here";
                return self.losses.lost(LossCode::Opaque, path(), reason).map(|()| None);
            }
        };
        let known = match &said {
            Some(Said::Media(shown)) if shown.detail.is_some() => DETAIL,
            _ => "",
        };
        self.foreign_extras_but(site, part, known)?;
        Ok(said.map(|said| self.made(site, part, said)))
    }

    /// Reports a document that becomes text, and its name.
    fn document_as_text(&mut self, media: &Media<H>, input: Option<&Input>, path: Where<'_>) -> Result<(), Error> {
        let reason = "the target has no plain text documents: it is text";
        self.losses.changed(LossCode::Media, path(), reason);
        let Some(name) = &media.name else { return Ok(()) };
        let reason = format!("no place for the document's name {:?}", name.to_str(input));
        self.losses.lost(LossCode::Name, path(), reason)
    }

    /// Whether blank text would be the only content of this turn.
    fn is_silent(&self, turn: &Turn<H>) -> bool {
        let as_text = self.target.options.reasoning_as_text;
        is_silent(turn, self.target.limits, as_text, |part| is_taken(turn, part, self.target.id))
    }

    /// The detail of an image, if both formats have the same word for it.
    fn detail(&self, site: &Site<'_, 'a, H>, part: &'a Part<H>) -> Option<&'a Raw<H>> {
        let knows = |limits: &Limits| limits.media.detail;
        let own = site.turn.from.same_wire(self.target.id);
        if own || !knows(self.target.limits) || !site.turn.from.limits().is_ok_and(knows) {
            return None;
        }
        let inner = part.inner.iter().flat_map(|inner| &inner.extras);
        let mut extras = part.extras.iter().flat_map(|extras| extras.iter()).chain(inner);
        let (input, keys) = (site.turn.input.as_ref(), self.target.id.keys());
        let is_wrong = |rules, key: &Text<H>, raw: &Raw<H>| {
            matches!(keys.judge(rules, (key, raw), input), Verdict::WrongValue | Verdict::Unset)
        };
        let takes =
            |key: &Text<H>, raw: &Raw<H>| ![keys.part, keys.inside()].iter().any(|rules| is_wrong(rules, key, raw));
        extras.find(|(key, raw)| key.is(DETAIL, input) && takes(key, raw)).map(|(_, raw)| raw)
    }

    /// Reports the media type beside a URL, for a target that has only the URL.
    fn type_lost(&mut self, shown: &Shown<'a, H>, media: &Media<H>, site: &Site<'_, 'a, H>) -> Result<(), Error> {
        let untyped = self.target.limits.media.typed_urls == TypedUrls::Never;
        let mime = media.type_beside_address(site.turn.input.as_ref());
        match mime.filter(|_| untyped && matches!(shown.data, ShownData::Url(..))) {
            None => Ok(()),
            Some(mime) => {
                let reason = format!("the target has no place for the type {mime:?} of what is at an address");
                self.losses.lost(LossCode::Key, (site.path)(), reason)
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
            self.losses.changed(LossCode::Name, (site.path)(), reason);
        }
        shown.name = Some(name);
    }

    pub(super) fn foreign_extras(&mut self, site: &Site<'_, 'a, H>, part: &Part<H>) -> Result<(), Error> {
        self.foreign_extras_but(site, part, "")
    }

    /// Reports the keys of another format, except one that the target also has.
    fn foreign_extras_but(&mut self, site: &Site<'_, 'a, H>, part: &Part<H>, known: &str) -> Result<(), Error> {
        if part.extras.is_none() && part.inner.is_none() || site.turn.from.same_wire(self.target.id) {
            return Ok(());
        }
        let input = site.turn.input.as_ref();
        let mark = cache::in_keys((site.turn.from, self.target.id), part.extras.as_deref(), input);
        let mark = mark.map_or("", |(name, _)| name);
        let mut lost = |extras: &Extras<H>, at: Where<'_>| {
            let is = |key: &Text<H>, name: &str| !name.is_empty() && key.is(name, input);
            let mut unknown = extras.iter().filter(|(key, _)| !is(key, known) && !is(key, mark));
            unknown.try_for_each(|(key, raw)| self.extra_lost((key, raw), input, at))
        };
        part.extras.as_deref().map_or(Ok(()), |extras| lost(extras, site.path))?;
        let Some(inner) = &part.inner else { return Ok(()) };
        lost(&inner.extras, &|| inner.path((site.path)()))
    }

    pub(super) fn made(&self, site: &Site<'_, 'a, H>, part: &'a Part<H>, said: Said<'a, H>) -> Item<'a, H> {
        let own = site.turn.from.same_wire(self.target.id);
        let input = site.turn.input.as_ref();
        let extras = part.extras.as_deref().filter(|_| !own && !matches!(said, Said::MovedMedia(_)));
        let cached = extras.and_then(|extras| cache::in_keys((site.turn.from, self.target.id), Some(extras), input));
        Item {
            said,
            input,
            part: Some(part),
            own,
            site: site.at,
            source: self.conversation.source(site.at),
            cached: cached.map(|(_, cached)| cached),
            signature: None,
        }
    }
}

/// A converted part: an item, or `None` if a loss says why not.
pub(super) type ItemOf<'a, H> = Result<Option<Item<'a, H>>, Error>;
