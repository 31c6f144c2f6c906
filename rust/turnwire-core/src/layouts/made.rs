//! What is read from a record: JSON, and from where in the record each piece of it is.

use std::{borrow::Cow, collections::HashMap};

use crate::{
    detect::Reading,
    report::{Edit, Error, Losses, Path, Step},
    rules::DialectId,
    value::Input,
};

/// What was read from a record.
#[derive(Debug)]
pub struct Made {
    /// Its JSON.
    pub json: Input,
    /// Its form.
    pub form: Form,
    /// What the record says and the messages cannot hold: the path in the record, and why.
    pub(super) lost: Vec<Lost>,
    pub(super) places: Vec<Placed>,
}

pub(super) type Lost = (Edit, Path, Cow<'static, str>);

/// The form of what was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A payload of `otel`.
    Whole,
    /// A payload of `otel` whose messages may be in other dialects.
    Mixed,
    /// A row with a prompt and two answers.
    TwoAnswers,
}

/// From where in the record a piece is.
#[derive(Debug)]
pub(super) struct Placed {
    /// Its place in the JSON.
    pub(super) made: Vec<Step>,
    pub(super) record: Path,
    /// Whether it is the record's own value, so that deeper paths go on in it.
    pub(super) is_same: bool,
}

/// The dialect of what is made.
const OTEL: &str = "otel";

impl Made {
    /// How to read it, for this target.
    pub fn reading(&self, likely: Option<DialectId>) -> Result<Reading, Error> {
        let otel = DialectId::named(OTEL)?;
        Ok(if self.form == Form::Mixed { Reading::Framed(otel, likely) } else { Reading::As(otel) })
    }

    /// Reports what is lost.
    pub fn report(&self, losses: &mut Losses) -> Result<(), Error> {
        self.lost.iter().cloned().try_for_each(|(code, path, reason)| losses.lost(code, path, reason))
    }

    /// The places of its pieces, by their paths in the JSON.
    pub(super) fn index(self) -> Index {
        let by_path = |(index, place): (usize, &Placed)| (Path::of(place.made.iter().cloned()).to_string(), index);
        let all = self.places.iter().enumerate().map(by_path).collect();
        Index { places: self.places, all }
    }
}

/// The places of the pieces of what was read, ready to be searched.
#[derive(Debug)]
pub(super) struct Index {
    places: Vec<Placed>,
    all: HashMap<String, usize>,
}

impl Index {
    /// The path in the record of a path in the JSON: that of the smallest piece around it.
    pub(super) fn place(&self, path: &Path) -> Path {
        let steps: Vec<_> = path.steps().collect();
        let at = |len: usize| Some((len, *self.all.get(&Path::of(steps.iter().take(len).cloned()).to_string())?));
        match (0..=steps.len()).rev().find_map(at).and_then(|(len, at)| Some((len, self.places.get(at)?))) {
            Some((len, one)) if one.is_same => Path::of(one.record.steps().chain(steps.into_iter().skip(len))),
            Some((_, one)) => one.record.clone(),
            None => Path::default(),
        }
    }
}
