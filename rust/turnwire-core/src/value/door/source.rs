//! How a node of a payload is read, whatever holds it.

use std::borrow::Cow;

use super::key::Key;
use crate::value::{Host, Input, NodeKind, Raw, Text, Value, handle::span_bytes, json};

/// A node of a payload that is being read. A clone must be about as cheap as a reference count.
pub trait Source: Clone {
    /// The host of its handles.
    type H: Host;

    /// Its kind. Cheap: asked of nearly every node.
    fn kind(&self) -> NodeKind;
    /// The value of a known key. Of repeated keys, the last one counts. `None` if this is not a map. Hot.
    fn get(&self, key: &'static Key) -> Option<Self>;
    /// The values of several known keys, of which at most `most` are present. Hot: in one walk, if that is cheaper.
    fn get_each<const N: usize>(&self, keys: [&'static Key; N], most: usize) -> [Option<Self>; N] {
        let mut left = most;
        keys.map(|key| {
            let found = if left == 0 { None } else { self.get(key) };
            left -= usize::from(found.is_some());
            found
        })
    }
    /// How many entries a map or list has, 0 for anything else. If as many known keys were found, there are no unknown
    /// ones.
    fn len(&self) -> usize;
    /// Whether it has no entries.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// How many entries a map has. `None` if this is not a map. Hot: asked of every map that is read.
    fn map_len(&self) -> Option<usize> {
        (self.kind() == NodeKind::Map).then(|| self.len())
    }
    /// The items of a list, in order; none if this is not a list.
    fn items(&self) -> impl Iterator<Item = Self>;
    /// The entries of a map, in order, without keys that are not text. Cold: for unknown keys only.
    fn entries(&self) -> impl Iterator<Item = (Text<Self::H>, Self)>;
    /// Shows each entry of a map, in order: its key as a word, and its value. Makes no handles.
    fn each_entry(&self, mut show: impl FnMut(&str, &Self)) {
        for (key, value) in self.entries() {
            show(&key.to_str(self.input()), &value);
        }
    }
    /// The string as a handle. Costs no copy.
    fn text(&self) -> Option<Text<Self::H>>;
    /// A short string to `match` on: a role, a type. Borrowed where it can be.
    fn word(&self) -> Option<Cow<'_, str>>;
    /// The value paired with the string in a list of short words. Cheap for few, known words.
    fn one_of<T: Copy>(&self, words: &[(&'static str, T)]) -> Option<T> {
        let mine = self.word()?;
        words.iter().find(|(word, _)| *word == mine).map(|(_, meaning)| *meaning)
    }
    /// Whether it says nothing: it is null, `false` or empty.
    fn says_nothing(&self) -> bool {
        match self.kind() {
            NodeKind::Null => true,
            NodeKind::Bool => self.bool() == Some(false),
            NodeKind::Text => self.text().is_some_and(|text| text.is_empty()),
            NodeKind::List | NodeKind::Map => self.is_empty(),
            _ => false,
        }
    }
    /// The boolean.
    fn bool(&self) -> Option<bool>;
    /// A number without sign or fraction, as counts and indices are. Hot in streams.
    fn count(&self) -> Option<u64> {
        let digits = match self.raw() {
            Raw::Tree(Value::Number(digits)) => return digits.parse().ok(),
            Raw::Span(span) => Cow::Borrowed(span_bytes(span, self.input())),
            raw => {
                let mut digits = Vec::new();
                json::encode::raw(&raw, self.input(), &mut digits).ok()?;
                Cow::Owned(digits)
            }
        };
        str::from_utf8(&digits).ok()?.parse().ok()
    }
    /// The node as an unread value. Costs no copy.
    fn raw(&self) -> Raw<Self::H>;
    /// Its kind for an error message: `a list`, or the name of a host's type.
    fn describe(&self) -> String {
        self.kind().name().to_owned()
    }
    /// The bytes that its spans point into.
    fn input(&self) -> Option<&Input>;
}
