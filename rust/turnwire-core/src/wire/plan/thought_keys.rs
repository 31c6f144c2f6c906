//! Reports the keys of reasoning and of compactions that do not go along where another server gets their text.

use super::{part::Site, planner::Planner};
use crate::{
    k,
    model::{Part, compaction},
    report::{Error, Path, Step},
    value::{Extras, Host, Raw, Text, Value},
    wire::write::Where,
};

/// The keys of reasoning in any format: its text, what proves it, and what names it.
const OF_REASONING: &[&str] = &[
    "type",
    "id",
    "status",
    "text",
    "thinking",
    "data",
    "signature",
    "summary",
    "content",
    "encrypted_content",
    "thought",
    "thoughtSignature",
    "reasoningContent",
    "role",
    "state",
    "encryptedValue",
];
/// The keys of a piece of its text.
const OF_PIECE: &[&str] = &["type", "text"];

impl<'a, H: Host> Planner<'a, H> {
    /// Reports the keys of readable reasoning that becomes that of another server.
    pub(super) fn thought_keys(&mut self, site: &Site<'_, 'a, H>, part: &Part<H>) -> Result<(), Error> {
        let input = site.turn.input.as_ref();
        let whole = part.origin.as_ref().and_then(|origin| origin.to_value(input).ok());
        let Some(Value::Map(entries)) = whole else { return self.extras_left(site, part) };
        for (key, value) in entries.iter() {
            if !OF_REASONING.iter().any(|known| key.is(known, None)) {
                self.key_left(site, (key, value), &(site.path)())?;
                continue;
            }
            let Value::List(pieces) = value else { continue };
            let within = |at: usize| (site.path)().then(Step::Name(key.to_str(None).into())).then(Step::Index(at));
            for (at, piece) in pieces.iter().enumerate() {
                let Value::Map(piece) = piece else { continue };
                for (key, value) in piece.iter().filter(|(key, _)| !OF_PIECE.iter().any(|known| key.is(known, None))) {
                    self.key_left(site, (key, value), &within(at))?;
                }
            }
        }
        let Some(inner) = &part.inner else { return Ok(()) };
        let given = (site.turn.from, &[][..], true);
        let at = || inner.path((site.path)());
        inner.extras.iter().try_for_each(|(key, raw)| self.options_lost(given, (key, raw), input, &at))
    }

    fn key_left(
        &mut self,
        site: &Site<'_, 'a, H>,
        (key, value): (&Text<H>, &Value<H>),
        at: &Path,
    ) -> Result<(), Error> {
        let raw = Raw::Tree(value.share());
        self.options_lost((site.turn.from, &[], true), (key, &raw), None, &|| at.clone())
    }

    fn extras_left(&mut self, site: &Site<'_, 'a, H>, part: &Part<H>) -> Result<(), Error> {
        let input = site.turn.input.as_ref();
        let given = (site.turn.from, &[][..], true);
        let mut lost = |extras: &Extras<H>, at: Where<'_>| {
            extras.iter().try_for_each(|(key, raw)| self.options_lost(given, (key, raw), input, at))
        };
        part.extras.as_deref().map_or(Ok(()), |extras| lost(extras, site.path))?;
        let Some(inner) = &part.inner else { return Ok(()) };
        lost(&inner.extras, &|| inner.path((site.path)()))
    }

    /// Reports the keys of a compaction that is a text with options in the target's format.
    pub(super) fn compaction_keys(&mut self, site: &Site<'_, 'a, H>, part: &Part<H>) -> Result<(), Error> {
        let summary = self.target.id.facts.options.and(compaction::rule_of(site.turn, part)).map(|rule| rule.summary);
        let (Some(summary), Some(origin)) = (summary.filter(|_| site.turn.from.facts.options.is_none()), &part.origin)
        else {
            return Ok(());
        };
        let Ok(Value::Map(entries)) = origin.to_value(site.turn.input.as_ref()) else { return Ok(()) };
        let known = |key: &Text<H>| key.is(k::TYPE.name, None) || summary.is_some_and(|summary| key.is(summary, None));
        for (key, value) in entries.iter().filter(|(key, _)| !known(key)) {
            self.extra_lost((key, &Raw::Tree(value.share())), None, site.path)?;
        }
        Ok(())
    }
}
