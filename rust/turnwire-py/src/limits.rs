//! The limits of one build, with the caller's counter.

use pyo3::{prelude::*, types::PyBool};
use turnwire_core::{
    report::error::{Code, Error},
    stage,
};

use crate::{error::raise, node::type_name};

/// The limits of one build.
#[derive(Clone, Copy)]
pub(crate) struct Limits<'a> {
    pub(crate) budget: Option<stage::Budget<'a>>,
    pub(crate) result_cap: Option<stage::Budget<'a>>,
    /// The caller's own markers of results that are cut.
    pub(crate) markers: Option<&'a stage::Markers<'a>>,
}

impl Limits<'_> {
    /// Leaves an eighth of the budget free, for a summary that is still to be written.
    pub(crate) fn with_room(self) -> Self {
        let budget = self.budget.map(|budget| match budget {
            stage::Budget::Bytes(limit) => stage::Budget::Bytes(limit - limit / 8),
            stage::Budget::Tokens(limit, count) => stage::Budget::Tokens(limit - limit / 8, count),
            stage::Budget::Turns(limit) => stage::Budget::Turns(limit),
        });
        Self { budget, ..self }
    }

    /// Adds the size of a text to the budget, at most an eighth of it.
    pub(crate) fn with_more(self, text: &str) -> Result<Self, Error> {
        let budget = match self.budget {
            Some(stage::Budget::Bytes(limit)) => Some(stage::Budget::Bytes(limit + text.len().min(limit / 8))),
            Some(stage::Budget::Tokens(limit, count)) => {
                Some(stage::Budget::Tokens(limit + count(text)?.min(limit / 8), count))
            }
            other => other,
        };
        Ok(Self { budget, ..self })
    }
}

/// The number that a counter returned.
pub(crate) fn tokens(given: &Bound<'_, PyAny>) -> PyResult<usize> {
    let refused = |got: &str| {
        let text = format!("expected count to return an int of 0 or more, got {got}");
        Err(raise(Error::new(Code::BadCount, text)))
    };
    if given.is_instance_of::<PyBool>() || !given.hasattr("__index__")? {
        return refused(&type_name(given));
    }
    let number = given.call_method0("__index__")?;
    if number.lt(0)? {
        return refused("a negative number");
    }
    // A number that needs more than 64 bits exceeds any budget.
    Ok(number.extract().unwrap_or(usize::MAX))
}
