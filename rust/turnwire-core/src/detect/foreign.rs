//! Finds content that only another dialect knows: the turn was read as the wrong dialect.

use super::{
    body,
    index::{Index, Set, Sign},
    look, messages, reply,
};
use crate::{
    model::{Content, Kind, Part, Turn},
    report::{Error, Path, Step, error::Code},
    rules::{DialectId, Spot, block_rule::block_rule_of},
    value::{Host, NodeKind, Source, Tree},
};

/// The first such content of a turn, with its place and a sentence that names the likely dialect.
pub(crate) fn foreign<H: Host>(turn: &Turn<H>, index: usize) -> Option<(Path, String)> {
    if turn.from == DialectId::NONE {
        return None;
    }
    let parts = turn.parts.iter().enumerate().find_map(|(at, part)| match &part.kind {
        Kind::Opaque(_) => Some((turn.part_path(index, at), block(turn, part)?)),
        Kind::Result(result) => match &result.content {
            Content::Blocks(blocks) => {
                blocks.iter().find_map(|inner| Some((turn.block_path(index, at, inner), block(turn, inner)?)))
            }
            Content::Absent | Content::Text(_) => None,
        },
        _ => None,
    });
    parts.or_else(|| key(turn, index))
}

/// Whether a dialect lists this type of block, or its beginning.
pub(crate) fn knows_block(dialect: DialectId, name: &str) -> bool {
    if block_rule_of(dialect.keys().blocks, name).is_some() {
        return true;
    }
    let (index, own) = (Index::get(), Index::get().of(dialect));
    [Spot::Block, Spot::Bare, Spot::Type]
        .into_iter()
        .any(|spot| index.sign(spot, name).is_some_and(|sign| sign.known_by.has(own)))
}

/// A sentence that names the likely dialect of a block which the turn's dialect does not know.
pub(crate) fn block<H: Host>(turn: &Turn<H>, part: &Part<H>) -> Option<String> {
    let Kind::Opaque(name) = &part.kind else { return None };
    let input = turn.input.as_ref();
    // Most opaque parts are known to their own dialect.
    if knows_block(turn.from, &name.to_str(input)) {
        return None;
    }
    let own = Index::get().of(turn.from);
    let value = part.origin.as_ref()?.to_value(input).ok()?;
    let mut found = None;
    super::block::block(&Tree(&value), &mut |sign| found = found.or((!sign.known_by.has(own)).then_some(sign)));
    found.map(|sign| sentence(turn.from, sign))
}

/// An unknown key of the turn whose value is more than a word.
fn key<H: Host>(turn: &Turn<H>, index: usize) -> Option<(Path, String)> {
    // Most turns have no unknown keys.
    let extras = turn.extras.as_ref()?;
    let (own, input) = (Index::get().of(turn.from), turn.input.as_ref());
    extras.iter().find_map(|(key, raw)| {
        let key = key.to_str(input);
        let sign = Index::get().sign(Spot::Key, &key).filter(|sign| !sign.known_by.has(own))?;
        let value = raw.to_value(input).ok()?;
        let holds = matches!(Tree(&value).kind(), NodeKind::List | NodeKind::Map) && !Tree(&value).is_empty();
        holds.then(|| (turn.path(index).then(Step::Name(key.as_ref().into())), sentence(turn.from, sign)))
    })
}

fn sentence(dialect: DialectId, sign: Sign) -> String {
    let (what, known_by) = (look::describe(&sign), Index::get().names(sign.known_by));
    format!("{} does not know {what}: it looks like {known_by}", dialect.name())
}

/// Turns an error into `wrong_dialect` if the unread content has the signs of another dialect. A role or a missing id
/// alone is not such a sign, because either may be a mistake.
pub(crate) fn explained<S: Source>(error: Error, payload: &S, named: DialectId) -> Error {
    let error = reply::explained(error, payload);
    explained_by(error, named, |path, own| signs_at(payload, path, own))
}

/// [`explained`] for an element that was read by itself.
pub(crate) fn explained_alone<S: Source>(error: Error, element: &S, named: DialectId) -> Error {
    explained_by(reply::explained_alone(error, element), named, |_, _| signs_of(element))
}

fn explained_by(error: Error, named: DialectId, signs: impl FnOnce(&Path, Set) -> Option<Set>) -> Error {
    if !matches!(error.code(), Code::WrongType | Code::MissingKey | Code::UnknownRole) {
        return error;
    }
    let own = Index::get().of(named);
    let Some(known_by) = signs(error.path(), own).filter(|set| !set.has(own)) else { return error };
    let text = format!("{}; it looks like {}", error.text(), Index::get().names(known_by));
    Error::new(Code::WrongDialect, text).at_path(error.path().clone()).in_dialect(&named.name())
}

/// The dialects that know all signs of the failing element, or of the body if the failure is elsewhere. Without a body,
/// a dialect's own error is better.
fn signs_at<S: Source>(payload: &S, path: &Path, own: Set) -> Option<Set> {
    let element = path.steps().take(2).find_map(|step| if let Step::Index(index) = step { Some(index) } else { None });
    let element = element.and_then(|at| messages(payload)?.items().nth(at));
    let look = match element {
        Some(element) => return signs_of(&element),
        None if Index::get().any(Spot::Body, own) => look::every(Set::ALL, &|see| body::signs(payload, see)),
        None => return None,
    };
    (look.signed && !look.set.is_empty()).then_some(look.set)
}

/// The dialects that know all signs of an element except its role and missing ids.
fn signs_of<S: Source>(element: &S) -> Option<Set> {
    let look = look::every(Set::ALL, &|see| {
        look::element_signs(element, false, &mut |sign| {
            if !matches!(sign.spot, Spot::Role | Spot::NoId) {
                see(sign);
            }
        });
    });
    (look.signed && !look.set.is_empty()).then_some(look.set)
}
