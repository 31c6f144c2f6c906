//! Where the reader is in a record, kept on the stack: it becomes a path only for an error, or where paths are kept.

use super::ways::{Hop, Way};
use crate::report::{Path, Step};

/// A place in a record.
#[derive(Clone, Copy, Debug)]
pub(super) struct At<'a> {
    parent: Option<&'a At<'a>>,
    step: AtStep<'a>,
}

#[derive(Clone, Copy, Debug)]
enum AtStep<'a> {
    Root,
    Way(&'a Way),
    Name(&'a str),
    Index(usize),
}

impl<'a> At<'a> {
    /// The record itself.
    pub(super) const ROOT: At<'static> = At { parent: None, step: AtStep::Root };

    /// Along a way.
    pub(super) fn way(&'a self, way: &'a Way) -> At<'a> {
        At { parent: Some(self), step: AtStep::Way(way) }
    }

    /// Under a key of the data.
    pub(super) fn name(&'a self, name: &'a str) -> At<'a> {
        At { parent: Some(self), step: AtStep::Name(name) }
    }

    /// In a list.
    pub(super) fn index(&'a self, index: usize) -> At<'a> {
        At { parent: Some(self), step: AtStep::Index(index) }
    }

    /// As a path.
    pub(super) fn path(&self) -> Path {
        let before = self.parent.map_or_else(Path::default, At::path);
        match self.step {
            AtStep::Root => before,
            AtStep::Name(name) => before.then(Step::Name(name.into())),
            AtStep::Index(index) => before.then(Step::Index(index)),
            AtStep::Way(way) => way.hops().iter().fold(before, |path, hop| {
                path.then(match hop {
                    Hop::Key(key) => Step::Key(key.name),
                    Hop::Index(index) => Step::Index(*index),
                })
            }),
        }
    }
}
