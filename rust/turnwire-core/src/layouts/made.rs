//! What is read from a record: JSON, and from where in the record each piece of it is.

use std::borrow::Cow;

use crate::{
    detect::Reading,
    report::{
        Edit, Error, Losses, Path,
        placed::{Index, Placed},
    },
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

    /// The places of its pieces.
    pub(super) fn index(self) -> Index {
        Index::of(self.places)
    }
}
