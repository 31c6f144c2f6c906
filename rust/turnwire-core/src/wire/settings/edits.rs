//! Changes single settings of a body and leaves all other keys as they came, in their order.

use super::body::{Body, spells};
use crate::{
    model::{Frame, RestKey},
    report::{Error, Path, Step},
    rules::DialectId,
    value::{Host, Raw, Text, Value},
};

type Keys<H> = Vec<(Text<H>, Value<H>)>;

/// The keys of a body while they are changed.
pub(super) struct Edits<H: Host> {
    keys: Keys<H>,
    /// The keys of the body that have another name now.
    renamed: Vec<(String, &'static str)>,
    /// The paths of what was removed or replaced.
    changed: Vec<String>,
    two_spellings: bool,
}

impl<H: Host> Edits<H> {
    pub(super) fn of(body: &Body<H>, two_spellings: bool) -> Self {
        Self { keys: body.keys(), renamed: Vec::new(), changed: Vec::new(), two_spellings }
    }

    /// Whether something changed at a path of the body.
    pub(super) fn has(&self, path: &Path) -> bool {
        path.is_root() || self.changed.contains(&path.to_string())
    }

    /// Removes what is at a path, with the objects that it leaves empty.
    pub(super) fn remove(&mut self, path: &Path) {
        let steps: Vec<_> = path.steps().collect();
        if remove(&mut self.keys, &steps) {
            self.changed.push(path.to_string());
        }
    }

    /// Puts a value at the place of another, in the spelling of the body.
    pub(super) fn replace(&mut self, at: &[Step], new: Option<(&'static str, Value<H>)>) {
        let path = Path::of(at.iter().cloned());
        let Some((place, value)) = new else { return self.remove(&path) };
        if let ([one], false) = (at, place.contains('.'))
            && let Some((key, held)) = self.keys.iter_mut().find(|(key, _)| key.is(one.name(), None))
        {
            if !spells(key, place, self.two_spellings) {
                self.renamed.push((one.name().to_owned(), place));
                *key = Text::own(place);
            }
            *held = value;
            self.changed.push(path.to_string());
            return;
        }
        let same = place.split('.').count() == at.len();
        let is_there = same
            && at
                .iter()
                .zip(place.split('.'))
                .all(|(step, key)| spells(&Text::<H>::own(step.name()), key, self.two_spellings));
        if is_there {
            self.changed.push(path.to_string());
        } else {
            self.remove(&path);
        }
        self.put(place, value);
    }

    /// Puts a value at a place.
    pub(super) fn put(&mut self, place: &str, value: Value<H>) {
        put(&mut self.keys, &place.split('.').collect::<Vec<_>>(), value, self.two_spellings);
    }

    /// The frame with these keys. `None` if nothing changed.
    pub(super) fn applied(self, frame: &Frame<H>, target: DialectId) -> Result<Option<Frame<H>>, Error> {
        if self.changed.is_empty() {
            return Ok(None);
        }
        let (input, mut keys) = (frame.input.as_ref(), self.keys);
        let mut new = frame.map(&mut Text::share, &mut Raw::share);
        if let Some(rest) = &mut new.rest {
            rest.from = target;
        }
        if let Some(outer) = new.outer.as_mut().filter(|outer| outer.settings) {
            let at = keys.iter().position(|(key, _)| key.is(outer.name, None));
            let inner = at.map(|at| keys.remove(at).1);
            let Some(Value::Map(entries)) = inner else {
                outer.extras = None;
                return Ok(Some(new));
            };
            let extras = entries.iter().map(|(key, value)| (key.share(), Raw::Tree(value.share())));
            outer.extras = Some(Box::new(extras.collect()));
        }
        let Some(rest) = &mut new.rest else { return Ok(Some(new)) };
        let mut kept = Vec::with_capacity(rest.keys.len());
        for mut one in std::mem::take(&mut rest.keys) {
            if one.continues {
                kept.push(one);
                continue;
            }
            let name = one.key.to_str(input).into_owned();
            let name = self.renamed.iter().find(|(old, _)| *old == name).map_or(name, |(_, new)| (*new).to_owned());
            // Of repeated keys, the last one counts.
            let Some(at) = keys.iter().position(|(key, _)| key.is(&name, None)) else { continue };
            let value = &keys[at].1;
            if !one.value.to_value(input)?.same(value) {
                one.value = Raw::Tree(value.share());
            }
            if !one.key.is(&name, input) {
                one.key = Text::own(&name);
            }
            kept.retain(|other: &RestKey<H>| other.continues || !other.key.is(&name, input));
            kept.push(one);
        }
        keys.retain(|(key, _)| !kept.iter().any(|one| one.key.wtf8(input) == key.wtf8(None)));
        let before = frame.order.len();
        let added =
            keys.into_iter().map(|(key, value)| RestKey { before, key, value: Raw::Tree(value), continues: false });
        kept.extend(added);
        rest.keys = kept;
        Ok(Some(new))
    }
}

/// Removes the value at these steps. Returns whether it was there.
fn remove<H: Host>(keys: &mut Keys<H>, steps: &[Step]) -> bool {
    let Some((first, inner)) = steps.split_first() else { return false };
    let Some(at) = keys.iter().position(|(key, _)| key.is(first.name(), None)) else { return false };
    if inner.is_empty() {
        keys.remove(at);
        return true;
    }
    let Value::Map(below) = &keys[at].1 else { return false };
    let mut below: Keys<H> = below.iter().map(|(key, value)| (key.share(), value.share())).collect();
    if !remove(&mut below, inner) {
        return false;
    }
    if below.is_empty() {
        keys.remove(at);
    } else {
        keys[at].1 = Value::Map(below.into());
    }
    true
}

/// Puts a value at these keys, into the objects that are there.
fn put<H: Host>(keys: &mut Keys<H>, steps: &[&str], value: Value<H>, two_spellings: bool) {
    let Some((first, inner)) = steps.split_first() else { return };
    let at = keys.iter().position(|(key, _)| spells(key, first, two_spellings)).unwrap_or_else(|| {
        keys.push((Text::own(first), Value::Null));
        keys.len() - 1
    });
    if inner.is_empty() {
        keys[at].1 = value;
        return;
    }
    let mut below: Keys<H> = match &keys[at].1 {
        Value::Map(below) => below.iter().map(|(key, value)| (key.share(), value.share())).collect(),
        _ => Vec::new(),
    };
    put(&mut below, inner, value, two_spellings);
    keys[at].1 = Value::Map(below.into());
}
