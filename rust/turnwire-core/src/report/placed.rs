//! The pieces of what was made from a record, each with its place in that record.

use std::{collections::HashMap, sync::OnceLock};

use super::path::{Path, Step};

/// From where in the record a piece is.
#[derive(Debug)]
pub struct Placed {
    /// Its place in what was made.
    pub made: Vec<Step>,
    /// Its place in the record.
    pub record: Path,
    /// Whether it is the record's own value, so that deeper paths go on in it.
    pub is_same: bool,
}

/// The places of all pieces. They are made ready to be searched for the first path.
#[derive(Debug, Default)]
pub struct Index {
    places: Vec<Placed>,
    all: OnceLock<HashMap<String, usize>>,
}

impl Index {
    /// The index of these pieces.
    #[must_use]
    pub fn of(places: Vec<Placed>) -> Self {
        Self { places, all: OnceLock::new() }
    }

    /// The path in the record of a path in what was made: that of the smallest piece around it.
    #[must_use]
    pub fn place(&self, path: &Path) -> Path {
        let by_path = |(index, place): (usize, &Placed)| (Path::of(place.made.iter().cloned()).to_string(), index);
        let all = self.all.get_or_init(|| self.places.iter().enumerate().map(by_path).collect());
        let steps: Vec<_> = path.steps().collect();
        let at = |len: usize| Some((len, *all.get(&Path::of(steps.iter().take(len).cloned()).to_string())?));
        match (0..=steps.len()).rev().find_map(at).and_then(|(len, at)| Some((len, self.places.get(at)?))) {
            Some((len, one)) if one.is_same => Path::of(one.record.steps().chain(steps.into_iter().skip(len))),
            Some((_, one)) => one.record.clone(),
            None => Path::default(),
        }
    }
}
