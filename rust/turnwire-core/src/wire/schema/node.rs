//! Holds a schema under repair: objects and lists may change, and leaves stay the same handles.

use std::borrow::Cow;

use crate::value::{HashSet, Host, NodeKind, Text, Value, json::encode};

/// A value that may change.
pub(super) enum Node<H: Host> {
    Leaf(Value<H>),
    List(Vec<Node<H>>),
    Map(Vec<(Text<H>, Node<H>)>),
}

impl<H: Host> Node<H> {
    /// Copies a value so that it can be changed. Of repeated keys, the last one counts.
    pub(super) fn of(value: &Value<H>) -> Self {
        match value {
            Value::List(items) => Self::List(items.iter().map(Self::of).collect()),
            Value::Map(entries) => {
                let mut seen = HashSet::default();
                let mut kept: Vec<_> = entries.iter().rev().filter(|(key, _)| seen.insert(key.wtf8(None))).collect();
                kept.reverse();
                Self::Map(kept.into_iter().map(|(key, value)| (key.share(), Self::of(value))).collect())
            }
            _ => Self::Leaf(value.share()),
        }
    }

    /// The current value.
    pub(super) fn into_value(self) -> Value<H> {
        match self {
            Self::Leaf(value) => value,
            Self::List(items) => Value::List(items.into_iter().map(Self::into_value).collect()),
            Self::Map(entries) => Value::Map(entries.into_iter().map(|(key, node)| (key, node.into_value())).collect()),
        }
    }

    /// A copy.
    pub(super) fn share(&self) -> Self {
        match self {
            Self::Leaf(value) => Self::Leaf(value.share()),
            Self::List(items) => Self::List(items.iter().map(Self::share).collect()),
            Self::Map(entries) => Self::Map(entries.iter().map(|(key, node)| (key.share(), node.share())).collect()),
        }
    }

    /// How many values it holds.
    pub(super) fn count(&self) -> usize {
        match self {
            Self::Leaf(_) => 1,
            Self::List(items) => items.iter().fold(1, |sum, item| sum + item.count()),
            Self::Map(entries) => entries.iter().fold(1, |sum, (_, node)| sum + node.count()),
        }
    }

    pub(super) fn empty() -> Self {
        Self::Map(Vec::new())
    }

    pub(super) fn text(text: &str) -> Self {
        Self::Leaf(Value::Text(Text::own(text)))
    }

    /// An object of one key.
    pub(super) fn pair(key: &str, node: Self) -> Self {
        Self::Map(vec![(Text::own(key), node)])
    }

    /// Whether it can be a schema.
    pub(super) fn is_schema(&self) -> bool {
        matches!(self, Self::Map(_) | Self::Leaf(Value::Bool(_)))
    }

    pub(super) fn flag(&self) -> Option<bool> {
        match self {
            Self::Leaf(Value::Bool(flag)) => Some(*flag),
            _ => None,
        }
    }

    /// Its text, if it is one.
    pub(super) fn word(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Leaf(Value::Text(text)) => Some(text.to_str(None)),
            _ => None,
        }
    }

    /// Its number, if it is one.
    pub(super) fn number(&self) -> Option<f64> {
        let is_number = match self {
            Self::Leaf(Value::Number(_)) => true,
            Self::Leaf(Value::Leaf(leaf)) => H::leaf_kind(leaf) == NodeKind::Number,
            _ => false,
        };
        if is_number { self.json().parse().ok() } else { None }
    }

    /// The items of a list. None for other values.
    pub(super) fn items(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    /// The entries of an object. None for other values.
    pub(super) fn entries(&self) -> &[(Text<H>, Self)] {
        match self {
            Self::Map(entries) => entries,
            _ => &[],
        }
    }

    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        self.entries().iter().find(|(known, _)| known.is(key, None)).map(|(_, node)| node)
    }

    pub(super) fn get_mut(&mut self, key: &str) -> Option<&mut Self> {
        match self {
            Self::Map(entries) => entries.iter_mut().find(|(known, _)| known.is(key, None)).map(|(_, node)| node),
            _ => None,
        }
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    pub(super) fn take(&mut self, key: &str) -> Option<Self> {
        let Self::Map(entries) = self else { return None };
        let at = entries.iter().position(|(known, _)| known.is(key, None))?;
        Some(entries.remove(at).1)
    }

    /// Sets a key where it is, or adds it after the others.
    pub(super) fn set(&mut self, key: &str, node: Self) {
        if let Some(held) = self.get_mut(key) {
            *held = node;
        } else if let Self::Map(entries) = self {
            entries.push((Text::own(key), node));
        }
    }

    /// Whether its type is or includes this one.
    pub(super) fn is_a(&self, kind: &str) -> bool {
        match self.get("type") {
            Some(Self::List(kinds)) => kinds.iter().any(|one| one.word().is_some_and(|word| word == kind)),
            Some(one) => one.word().is_some_and(|word| word == kind),
            None => false,
        }
    }

    /// The texts in the list under a key.
    pub(super) fn words(&self, key: &str) -> Vec<String> {
        let items = self.get(key).map_or(&[][..], Self::items);
        items.iter().filter_map(|item| item.word().map(Cow::into_owned)).collect()
    }

    /// Whether both are equal.
    pub(super) fn same(&self, other: &Self) -> bool {
        self.json() == other.json()
    }

    /// Its compact JSON text. Cannot fail, because everything in it is JSON.
    pub(super) fn json(&self) -> String {
        let mut out = Vec::new();
        let _ = encode::value(&self.share().into_value(), None, &mut out);
        String::from_utf8_lossy(&out).into_owned()
    }
}

/// The schema that a local reference leads to.
pub(super) fn target_of<'n, H: Host>(reference: &str, root: &'n Node<H>) -> Option<&'n Node<H>> {
    let pointer = reference.strip_prefix('#')?;
    let mut at = root;
    for step in pointer.split('/').filter(|step| !step.is_empty()) {
        let step = step.replace("~1", "/").replace("~0", "~");
        at = match at {
            Node::Map(_) => at.get(&step)?,
            Node::List(items) => items.get(step.parse::<usize>().ok()?)?,
            Node::Leaf(_) => return None,
        };
    }
    Some(at)
}

/// A list of texts.
pub(super) fn list_of<H: Host>(words: &[String]) -> Node<H> {
    Node::List(words.iter().map(|word| Node::Leaf(Value::Text(Text::own(word)))).collect())
}
