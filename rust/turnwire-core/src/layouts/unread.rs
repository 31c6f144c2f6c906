//! Reports the keys of a record that no column reads.

use super::{
    at::At,
    ways::{Hop, Way},
    writer::Writer,
};
use crate::{
    report::Edit,
    value::{NodeKind, Source},
};

const NOT_READ: &str = "the layout of the record does not read this key";

/// The ways that were followed inside a value.
#[derive(Default)]
pub(super) struct Used<'a>(Vec<&'a [Hop]>);

impl<'a> Used<'a> {
    /// Adds a way that was followed.
    pub(super) fn add(&mut self, way: &'a Way) {
        self.0.push(way.hops());
    }

    /// Adds ways that were looked at.
    pub(super) fn extend(&mut self, ways: impl IntoIterator<Item = &'a Way>) {
        self.0.extend(ways.into_iter().map(Way::hops));
    }

    /// The ways that go on behind this one.
    pub(super) fn below(&self, way: &Way) -> Self {
        let hops = way.hops().len();
        let starts = |other: &&[Hop]| {
            let mut both = other.iter().zip(way.hops());
            other.len() > hops && both.all(|(a, b)| matches!((a, b), (Hop::Key(a), Hop::Key(b)) if a.name == b.name))
        };
        Self(self.0.iter().copied().filter(starts).map(|other| &other[hops..]).collect())
    }

    /// The ways behind this step, and whether one of them ends there.
    fn behind(&self, is: impl Fn(&Hop) -> bool) -> (Self, bool) {
        let rest = self.0.iter().filter_map(|way| way.split_first().filter(|(hop, _)| is(hop)).map(|(_, rest)| rest));
        let rest: Vec<_> = rest.collect();
        let ends = rest.iter().any(|way| way.is_empty());
        (Self(rest), ends)
    }

    /// The keys with which the ways begin.
    pub(super) fn tops(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().filter_map(|way| match way.first() {
            Some(Hop::Key(key)) => Some(key.name),
            _ => None,
        })
    }

    /// Reports what is in a record beside these ways, under the keys with which they begin. All other keys are kept.
    pub(super) fn report_inside<S: Source>(&self, record: &S, to: &mut Writer) {
        let kept = |key: &str| !self.tops().any(|top| top == key);
        for (key, value) in record.entries() {
            let name = key.to_str(record.input());
            let (rest, ends) = self.behind(|hop| matches!(hop, Hop::Key(key) if key.name == name));
            if !ends && !kept(&name) {
                rest.one(&value, "", &At::ROOT.name(&name), to);
            }
        }
    }

    /// Reports what is in a value beside these ways. `passes`: keys that say nothing of the conversation.
    pub(super) fn report<S: Source>(&self, node: &S, passes: &str, at: &At<'_>, to: &mut Writer) {
        if node.kind() == NodeKind::List {
            for (index, item) in node.items().enumerate() {
                let (rest, ends) = self.behind(|hop| matches!(hop, Hop::Index(one) if *one == index));
                if !ends {
                    rest.one(&item, passes, &at.index(index), to);
                }
            }
            return;
        }
        for (key, value) in node.entries() {
            let name = key.to_str(node.input());
            let (rest, ends) = self.behind(|hop| matches!(hop, Hop::Key(key) if key.name == name));
            if !ends && !passes.split_ascii_whitespace().any(|word| word == name) {
                rest.one(&value, passes, &at.name(&name), to);
            }
        }
    }

    fn one<S: Source>(&self, value: &S, passes: &str, at: &At<'_>, to: &mut Writer) {
        match () {
            () if value.says_nothing() => {}
            () if self.0.is_empty() => to.lost(Edit::Key, at, NOT_READ),
            () => self.report(value, passes, at, to),
        }
    }
}
