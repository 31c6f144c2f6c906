//! The first difference between two corresponding pieces: the leaf, the byte, and the content of both sides there.

use super::element::{Element, IDS, Kind, get, json};
use crate::{
    report::{Path, Step},
    value::{Host, Value},
};

/// How many characters of each side are shown.
const SHOWN: usize = 40;

/// The first place at which two pieces differ.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The leaf that differs, by its path in the block.
    pub path: Path,
    /// The first byte that differs in its text, or in its JSON if it is not text.
    pub byte: usize,
    /// Its size in bytes.
    pub length: usize,
    /// The content of the first body from there on. Empty if it has none.
    pub before: String,
    /// The content of the second body from there on.
    pub after: String,
}

/// The comparison of two leaves.
pub(super) struct Leaves {
    pub(super) place: Place,
    /// Whether the leaf is an id.
    pub(super) is_id: bool,
    /// How many bytes both have in common before and after the difference.
    pub(super) common: (usize, usize),
    pub(super) lengths: (usize, usize),
}

/// The first leaf in which two pieces differ.
pub(super) fn of<H: Host>(a: &Element<H>, b: &Element<H>) -> Leaves {
    let mut steps = Vec::new();
    // The word of a message is its role, which may be what differs.
    let one_kind = a.kind == b.kind && (a.word == b.word || a.kind == Kind::Head);
    let (old, new) = if one_kind { descend(&a.value, &b.value, &mut steps) } else { (Some(&a.value), Some(&b.value)) };
    let is_id = matches!(steps.last(), Some(Step::Name(name)) if IDS.contains(&&**name));
    let is_text = steps.is_empty() || matches!(steps.last(), Some(Step::Name(name)) if **name == *"text");
    let (key, lead) = b.text_at;
    let mut path = b.path.clone();
    if let (Some(key), true) = (key, steps.is_empty()) {
        path = path.then(Step::Key(key));
    }
    let path = steps.into_iter().fold(path, Path::then);
    let mut leaves = compare(old, new, path, is_id);
    if is_text && matches!(new, Some(Value::Text(_))) && one_kind {
        leaves.place.byte += lead;
        leaves.place.length += lead;
    }
    leaves
}

/// The place for a piece that only one body has, or that became a piece of another kind.
pub(super) fn whole<H: Host>(a: Option<&Value<H>>, b: Option<&Value<H>>, path: Path) -> Place {
    Place { byte: 0, ..compare(a, b, path, false).place }
}

fn compare<H: Host>(a: Option<&Value<H>>, b: Option<&Value<H>>, path: Path, is_id: bool) -> Leaves {
    // A text and another value are compared as JSON.
    let both_text = !matches!((a, b), (Some(Value::Text(_)), Some(other)) | (Some(other), Some(Value::Text(_))) if !matches!(other, Value::Text(_)));
    let bytes = |value: Option<&Value<H>>| match value {
        Some(Value::Text(text)) if both_text => text.wtf8(None).into_owned(),
        Some(value) => json(value),
        None => Vec::new(),
    };
    let (old, new) = (bytes(a), bytes(b));
    let front = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let behind = old[front..].iter().rev().zip(new[front..].iter().rev()).take_while(|(a, b)| a == b).count();
    let length = if b.is_some() { new.len() } else { old.len() };
    let place = Place { path, byte: front, length, before: excerpt(&old, front), after: excerpt(&new, front) };
    Leaves { place, is_id, common: (front, behind), lengths: (old.len(), new.len()) }
}

/// Descends to the first value that differs. `None` for a side that does not have it.
fn descend<'a, H: Host>(
    a: &'a Value<H>,
    b: &'a Value<H>,
    steps: &mut Vec<Step>,
) -> (Option<&'a Value<H>>, Option<&'a Value<H>>) {
    match (a, b) {
        (Value::Map(old), Value::Map(new)) => {
            let keys = old.iter().chain(new.iter()).map(|(key, _)| key.to_str(None));
            let differs = |key: &str| match (get(a, key), get(b, key)) {
                (Some(old), Some(new)) => !old.same(new),
                (old, new) => old.is_some() != new.is_some(),
            };
            let Some(key) = keys.into_iter().find(|key| differs(key)) else { return (Some(a), Some(b)) };
            steps.push(Step::Name(key.as_ref().into()));
            match (get(a, &key), get(b, &key)) {
                (Some(old), Some(new)) => descend(old, new, steps),
                sides => sides,
            }
        }
        (Value::List(old), Value::List(new)) => {
            let at = old.iter().zip(new.iter()).take_while(|(old, new)| old.same(new)).count();
            steps.push(Step::Index(at));
            match (old.get(at), new.get(at)) {
                (Some(old), Some(new)) => descend(old, new, steps),
                sides => sides,
            }
        }
        _ => (Some(a), Some(b)),
    }
}

/// The content from a byte on, beginning with a whole character.
fn excerpt(text: &[u8], from: usize) -> String {
    let is_inside = |byte: &u8| byte & 0xC0 == 0x80;
    let mut from = from.min(text.len());
    while text.get(from).is_some_and(is_inside) {
        from -= 1;
    }
    // A character has at most four bytes.
    let end = text.len().min(from + 4 * SHOWN + 4);
    let said = String::from_utf8_lossy(&text[from..end]);
    let shown: String = said.chars().take(SHOWN).collect();
    if shown.len() < text.len() - from { format!("{shown}…") } else { shown }
}

/// The first leaf in which two values differ.
pub(super) fn between<H: Host>(a: &Value<H>, b: &Value<H>, path: &Path) -> Place {
    let mut steps = Vec::new();
    let (old, new) = descend(a, b, &mut steps);
    compare(old, new, steps.into_iter().fold(path.clone(), Path::then), false).place
}
