//! Signs that something failed or is left out: keys, or keys with a word behind `=`.

use super::ways::Way;
use crate::value::Source;

/// The signs of a column.
#[derive(Debug)]
pub(super) struct Signs(Vec<(Way, Option<&'static str>)>);

impl Signs {
    pub(super) fn of(column: &'static str) -> Self {
        let one = |sign: &'static str| match sign.split_once('=') {
            Some((way, word)) => (Way::of(way), Some(word)),
            None => (Way::of(sign), None),
        };
        Self(column.split_ascii_whitespace().map(one).collect())
    }

    /// The way to the first sign that a value has. Without a word, `false` is no sign.
    pub(super) fn find<S: Source>(&self, node: &S) -> Option<&Way> {
        let is_there = |(way, word): &&(Way, Option<&str>)| {
            way.follow(node).is_some_and(|value| match word {
                Some(word) => value.word().as_deref() == Some(word),
                None => value.bool() != Some(false),
            })
        };
        self.0.iter().find(is_there).map(|(way, _)| way)
    }

    /// The ways to all signs that a value may have.
    pub(super) fn ways(&self) -> impl Iterator<Item = &Way> {
        self.0.iter().map(|(way, _)| way)
    }
}
