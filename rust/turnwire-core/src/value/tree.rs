//! A frozen value as a source. `Conversation.parse` reads it after copying the caller's containers.

use std::borrow::Cow;

use super::{
    door::{Key, Source},
    handle::{Host, Input, Raw, Text, Value},
    node::NodeKind,
};

/// A node of a frozen value.
pub struct Tree<'a, H: Host>(pub &'a Value<H>);

impl<H: Host> Clone for Tree<'_, H> {
    fn clone(&self) -> Self {
        Self(self.0)
    }
}

impl<H: Host> Source for Tree<'_, H> {
    type H = H;

    fn kind(&self) -> NodeKind {
        match self.0 {
            Value::Null => NodeKind::Null,
            Value::Bool(_) => NodeKind::Bool,
            Value::Number(_) => NodeKind::Number,
            Value::Leaf(leaf) => H::leaf_kind(leaf),
            Value::Text(_) => NodeKind::Text,
            Value::List(_) => NodeKind::List,
            Value::Map(_) => NodeKind::Map,
        }
    }

    #[inline]
    fn get(&self, key: &'static Key) -> Option<Self> {
        match self.0 {
            Value::Map(entries) => {
                entries.iter().rev().find(|(name, _)| name.is(key.name, None)).map(|(_, value)| Self(value))
            }
            _ => None,
        }
    }

    fn get_each<const N: usize>(&self, keys: [&'static Key; N], _: usize) -> [Option<Self>; N] {
        let mut found = [const { None }; N];
        let entries = if let Value::Map(entries) = self.0 { &entries[..] } else { &[] };
        for (name, value) in entries {
            let name = name.to_str(None);
            if let Some(at) = keys.iter().position(|key| key.name == name) {
                // Of repeated keys, the last one counts.
                found[at] = Some(Self(value));
            }
        }
        found
    }

    fn len(&self) -> usize {
        match self.0 {
            Value::Map(entries) => entries.len(),
            Value::List(items) => items.len(),
            _ => 0,
        }
    }

    fn items(&self) -> impl Iterator<Item = Self> {
        let items = if let Value::List(items) = self.0 { &items[..] } else { &[] };
        items.iter().map(Self)
    }

    fn entries(&self) -> impl Iterator<Item = (Text<H>, Self)> {
        let entries = if let Value::Map(entries) = self.0 { &entries[..] } else { &[] };
        entries.iter().map(|(key, value)| (key.share(), Self(value)))
    }

    fn each_entry(&self, mut show: impl FnMut(&str, &Self)) {
        let entries = if let Value::Map(entries) = self.0 { &entries[..] } else { &[] };
        for (key, value) in entries {
            show(&key.to_str(None), &Self(value));
        }
    }

    #[inline]
    fn text(&self) -> Option<Text<H>> {
        if let Value::Text(text) = self.0 { Some(text.share()) } else { None }
    }

    fn word(&self) -> Option<Cow<'_, str>> {
        if let Value::Text(text) = self.0 { Some(text.to_str(None)) } else { None }
    }

    fn bool(&self) -> Option<bool> {
        if let Value::Bool(value) = self.0 { Some(*value) } else { None }
    }

    fn raw(&self) -> Raw<H> {
        Raw::Tree(self.0.share())
    }

    fn input(&self) -> Option<&Input> {
        None
    }
}

/// A text.
pub(crate) fn text<H: Host>(text: &str) -> Value<H> {
    Value::Text(Text::own(text))
}

/// A list.
pub(crate) fn list<H: Host>(items: impl IntoIterator<Item = Value<H>>) -> Value<H> {
    Value::List(items.into_iter().collect())
}

/// An object.
pub(crate) fn map<H: Host>(entries: impl IntoIterator<Item = (&'static str, Value<H>)>) -> Value<H> {
    Value::Map(entries.into_iter().map(|(key, value)| (Text::own(key), value)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        k,
        value::{NoHost, json::read},
    };

    #[test]
    fn several_keys_at_once_are_as_each_by_itself() {
        for json in ["{}", "[]", r#"{"role": 1}"#, r#"{"type": 1, "role": 2, "other": 3, "type": null}"#] {
            let value: Value<NoHost> = read::value(json.as_bytes()).expect("JSON");
            let keys = [&k::ROLE, &k::TYPE, &k::CONTENT];
            let kinds = |found: &Option<Tree<'_, NoHost>>| found.as_ref().map(Source::kind);
            let at_once = Tree(&value).get_each(keys, keys.len());
            assert_eq!(at_once.each_ref().map(kinds), keys.map(|key| kinds(&Tree(&value).get(key))), "{json}");
        }
    }
}
