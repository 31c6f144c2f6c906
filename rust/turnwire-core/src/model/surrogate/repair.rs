//! Replaces each lone surrogate by U+FFFD. Values without one are shared.

use std::sync::Arc;

use super::{in_extras, in_part, in_raw, system_places, tool_places};
use crate::{
    model::{Args, Choice, ChoiceKind, Content, Frame, Inner, Kind, Part, Turn},
    report::Path,
    value::{Extras, Host, Input, Raw, Text, Value, extras::map_extras, json::escape::lone},
};

/// The repaired turn, touched.
pub(crate) fn turn<H: Host>(turn: &Turn<H>) -> Turn<H> {
    let mut new = turn.touch();
    let input = turn.input.as_ref();
    new.id = turn.id.as_ref().map(|id| text(id, input));
    for part in &mut new.parts {
        if in_part(part, input) {
            *part = touched_part(part, input);
        }
    }
    new.extras = extras(turn.extras.as_deref(), input);
    new.entity = turn.entity.as_ref().map(|entity| {
        let repaired = entity.map(&mut |one| text(one, input), &mut |one| raw(one, input));
        Box::new(repaired)
    });
    new
}

fn touched_part<H: Host>(part: &Part<H>, input: Option<&Input>) -> Part<H> {
    let mut kind = part.kind.map(&mut |one| text(one, input), &mut |one| raw(one, input));
    let extras = extras(part.extras.as_deref(), input);
    // Ids are left out here. The pair stage gives a call and its result the same new id.
    match (&mut kind, &part.kind) {
        (Kind::Call(new), Kind::Call(old)) => {
            new.id = old.id.share();
            if let (Args::Text(json), false) = (&new.args, old.custom) {
                new.args = Args::Text(self::json(json, input));
            }
        }
        (Kind::Result(new), Kind::Result(old)) => new.id = old.id.share(),
        _ => {}
    }
    if let Kind::Result(result) = &mut kind
        && let Content::Blocks(blocks) = &mut result.content
    {
        for block in blocks.iter_mut() {
            match block.kind {
                Kind::Opaque(_) => block.origin = block.origin.as_ref().map(|origin| raw(origin, input)),
                _ => block.touched = true,
            }
        }
    }
    let inner = part.inner.as_ref().and_then(|inner| Inner::of(inner.key, self::extras(Some(&inner.extras), input)));
    // An opaque part goes back as its repaired wire value. So does reasoning whose text needed no repair.
    let whole = match &part.kind {
        Kind::Opaque(_) => true,
        Kind::Reasoning(thought) => !thought.text.as_ref().is_some_and(Text::has_lone_surrogate),
        _ => false,
    };
    let origin = part.origin.as_ref().map(|origin| if whole { raw(origin, input) } else { origin.share() });
    Part { kind, extras, inner, origin, touched: !whole, ..part.share() }
}

/// The repaired frame and the repaired places; `None` if there are none. Its wire values are repaired too, so that they
/// go back to their own dialect with every key. `others`: whether the other keys of a body are written, too.
pub(crate) fn frame<H: Host>(frame: &Frame<H>, others: bool) -> Option<(Arc<Frame<H>>, Vec<Path>)> {
    let input = frame.input.as_ref();
    let mut places = system_places(frame);
    places.extend(tool_places(frame));
    let choice = frame.choice.as_ref().filter(|choice| in_choice(choice, input));
    places.extend(choice.map(|_| frame.choice_path()));
    let outer = frame.outer.as_ref().filter(|outer| in_extras(outer.extras.as_deref(), input));
    places.extend(outer.map(|outer| Path::key(outer.name)));
    let rest = frame.rest.iter().flat_map(|rest| &rest.keys).filter(|_| others);
    let rest = rest.filter(|one| one.key.has_lone_surrogate() || in_raw(&one.value, input));
    places.extend(rest.map(|one| one.path(input)));
    if places.is_empty() {
        return None;
    }
    let new = frame.map(&mut |one| text(one, input), &mut |one| raw(one, input));
    Some((Arc::new(new), places))
}

fn in_choice<H: Host>(choice: &Choice<H>, input: Option<&Input>) -> bool {
    let named = match &choice.kind {
        ChoiceKind::Tool(name) => name.has_lone_surrogate(),
        ChoiceKind::Among(among) => among.tools.iter().any(|one| one.name.has_lone_surrogate()),
        _ => false,
    };
    named || choice.origin.as_ref().is_some_and(|origin| in_raw(origin, input))
}

fn extras<H: Host>(extras: Option<&Extras<H>>, input: Option<&Input>) -> Option<Box<Extras<H>>> {
    map_extras(extras, &mut |one| text(one, input), &mut |one| raw(one, input))
}

/// Repaired JSON text, with U+FFFD for each escape of a lone surrogate. Everything else keeps its spelling.
fn json<H: Host>(text: &Text<H>, input: Option<&Input>) -> Text<H> {
    let new = lone::replaced(text.to_str(input).as_bytes(), b"\\ufffd");
    new.map_or_else(|| text.share(), |(new, _)| Text::own(&String::from_utf8_lossy(&new)))
}

/// A repaired text.
pub(crate) fn text<H: Host>(text: &Text<H>, input: Option<&Input>) -> Text<H> {
    if text.has_lone_surrogate() { Text::own(&text.to_str(input)) } else { text.share() }
}

fn raw<H: Host>(raw: &Raw<H>, input: Option<&Input>) -> Raw<H> {
    match raw.to_value(input) {
        // Reading JSON text has already replaced them.
        Ok(given) if in_raw(raw, input) => Raw::Tree(value(&given)),
        _ => raw.share(),
    }
}

fn value<H: Host>(given: &Value<H>) -> Value<H> {
    match given {
        Value::Text(words) => Value::Text(text(words, None)),
        Value::List(items) => Value::List(items.iter().map(value).collect()),
        Value::Map(entries) => Value::Map(entries.iter().map(|(key, item)| (text(key, None), value(item))).collect()),
        _ => given.share(),
    }
}
