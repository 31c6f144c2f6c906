//! Defines what reading a part gives, and keeps unknown parts opaque.

use super::Gemini;
use super::keys as k;
use crate::{
    model::{Flaw, Inner, Kind, Part},
    report::{Error, Place},
    rules::Rules,
    value::{NodeKind, Source, Text},
    wire::read::keys::placed,
};

/// The content of a part.
pub(super) type ReadPart<S> = Result<Kind<<S as Source>::H>, Error>;
/// What is beside it: unknown keys of an object inside the part, and the part's flaw.
pub(super) type Beside<'a, S> = (&'a mut Within<S>, &'a mut Option<&'static Flaw>);
pub(super) type Within<S> = Option<Box<Inner<<S as Source>::H>>>;

/// The keys of a part that are content or unknown.
fn said<S: Source>(element: &S) -> impl Iterator<Item = Text<S::H>> {
    let input = element.input().cloned();
    let beside = [k::THOUGHT_SIGNATURE.name, k::THOUGHT_SIGNATURE_SNAKE.name];
    let beside = move || Gemini::KEYS.part.iter().map(|(name, _)| *name).chain(beside);
    let entries = element.entries().filter(|(_, value)| value.kind() != NodeKind::Null).map(|(key, _)| key);
    entries.filter(move |key| !beside().any(|known| key.is(known, input.as_ref())))
}

pub(super) fn says_more<S: Source>(element: &S) -> bool {
    said(element).next().is_some()
}

/// An opaque part, with its first key as its name.
pub(super) fn opaque<S: Source>(element: &S, place: Place) -> Part<S::H> {
    let name = said(element).next().unwrap_or_else(|| "part".into());
    placed(Kind::Opaque(name), element, place)
}
