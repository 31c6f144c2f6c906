//! Finds the branch of a tree of messages that the conversation shows: from its leaf to the root.

use std::collections::HashMap;

use super::{
    at::At,
    ways::{Way, Ways},
    writer::Writer,
};
use crate::{
    report::Edit,
    rules::record_layout::TreeAt,
    value::{NodeKind, Source},
};

/// A message, and where it is in the list or the map around it.
pub(super) struct Placed<S> {
    pub(super) message: S,
    pub(super) place: Place,
}

/// A step into a list or a map.
pub(super) enum Place {
    Index(usize),
    Name(String),
}

impl Place {
    /// The place below this one.
    pub(super) fn at<'a>(&'a self, around: &'a At<'a>) -> At<'a> {
        match self {
            Self::Index(index) => around.index(*index),
            Self::Name(name) => around.name(name),
        }
    }
}

/// Each item of a list, with its place.
pub(super) fn items<S: Source>(list: &S) -> Vec<Placed<S>> {
    let placed = |(index, message)| Placed { message, place: Place::Index(index) };
    list.items().enumerate().map(placed).collect()
}

/// What is in a tree.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) nodes: Ways,
    pub(super) leaf: Ways,
    id: Ways,
    parent: Ways,
    message: Ways,
}

impl Tree {
    pub(super) fn of(at: TreeAt) -> Self {
        let [nodes, leaf, id, parent, message] = [at.nodes, at.leaf, at.id, at.parent, at.message].map(Ways::of);
        Self { nodes, leaf, id, parent, message }
    }

    /// The nodes of a record, if it has some.
    pub(super) fn find<S: Source>(&self, record: &S) -> Option<(S, &Way)> {
        self.nodes.find_if(record, |nodes| matches!(nodes.kind(), NodeKind::List | NodeKind::Map) && !nodes.is_empty())
    }

    /// The messages from the root to the leaf. A leaf that is not named is the last node, and a parent that is not named
    /// is the node before.
    pub(super) fn branch<S: Source>(&self, record: &S, nodes: &S, at: &At<'_>, to: &mut Writer) -> Vec<Placed<S>> {
        let all: Vec<_> = match nodes.kind() {
            NodeKind::Map => nodes
                .entries()
                .map(|(key, message)| Placed { message, place: Place::Name(key.to_str(nodes.input()).into_owned()) })
                .collect(),
            _ => items(nodes),
        };
        let id_of = |node: &Placed<S>| match &node.place {
            Place::Name(name) => Some(name.clone()),
            Place::Index(_) => word(&self.id, &node.message),
        };
        let index: HashMap<String, usize> =
            all.iter().enumerate().filter_map(|(at, node)| Some((id_of(node)?, at))).collect();
        let leaf = word(&self.leaf, record).and_then(|id| index.get(&id).copied());
        let mut here = leaf.or_else(|| all.len().checked_sub(1));
        let mut is_on = vec![false; all.len()];
        let mut order = Vec::new();
        while let Some(at) = here.filter(|at| !is_on[*at]) {
            is_on[at] = true;
            order.push(at);
            let node = &all[at].message;
            let is_named = node.entries().any(|(key, _)| self.parent.tops().any(|top| key.is(top.name, node.input())));
            here = match word(&self.parent, node) {
                Some(parent) => index.get(&parent).copied(),
                None if is_named => None,
                None => at.checked_sub(1),
            };
        }
        let says = |node: &Placed<S>| self.message.is_empty() || self.message.find(&node.message).is_some();
        let others = all.iter().zip(&is_on).filter(|(node, is_on)| !**is_on && says(node)).count();
        if others > 0 {
            let is = if others == 1 { "message is" } else { "messages are" };
            to.lost(Edit::Opaque, at, format!("{others} {is} on other branches"));
        }
        order.reverse();
        let mut all: Vec<_> = all.into_iter().map(Some).collect();
        order.into_iter().filter_map(|at| all[at].take()).filter(says).collect()
    }
}

/// The word at the end of ways.
pub(super) fn word<S: Source>(ways: &Ways, node: &S) -> Option<String> {
    ways.find(node)?.0.word().map(std::borrow::Cow::into_owned)
}
