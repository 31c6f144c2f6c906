//! `split_budget`, and the limits that `MessageBuilder.set_budget` takes.

use std::cell::RefCell;

use pyo3::{
    PyTraverseError, PyVisit,
    prelude::*,
    types::{PyBool, PyFloat, PyInt, PyString},
};
use turnwire_core::{
    batch,
    report::error::{Code, Error},
    stage,
    text::budget::{RESERVE, Split},
};

use crate::{
    arguments::{Bytes, Size, Tokens, Word, items},
    error::raise,
    node::type_name,
    wrong_argument::{named, wrong},
};

#[doc = stub!("split_budget")]
#[pyfunction]
#[pyo3(signature = (sizes, max_bytes, *, split = Word(Split::Even)), text_signature = "(sizes, max_bytes, *, split='even')")]
pub(crate) fn split_budget(sizes: &Bound<'_, PyAny>, max_bytes: Bytes, split: Word<Split>) -> PyResult<Vec<usize>> {
    let each = items(sizes, "a list of ints")
        .and_then(|each| each.map(|size| size?.extract::<Size>().map(|size| size.0)).collect::<PyResult<Vec<_>>>());
    let sizes = each.map_err(|error| named(sizes.py(), "sizes", error))?;
    Ok(split.0.shares(&sizes, max_bytes.0))
}

/// How much a build may keep, and how large each result may be. Checked when it is set.
#[pyclass(frozen, module = "turnwire._core", name = "_Budget")]
pub(crate) struct Budget {
    limit: Option<Limit>,
    result_cap: Option<Limit>,
    /// The caller's own counter, for limits in tokens.
    count: Option<Py<PyAny>>,
    pub(crate) reserve: f64,
}

#[derive(Clone, Copy)]
enum Limit {
    Bytes(usize),
    Tokens(usize),
}

impl Limit {
    /// The limit given by one of two keywords. Giving both is a conflict.
    fn one_of(
        bytes: Option<Bytes>,
        tokens: Option<Tokens>,
        [in_bytes, in_tokens]: [&str; 2],
    ) -> PyResult<Option<Self>> {
        match (bytes, tokens) {
            (Some(_), Some(_)) => conflict(&format!("expected {in_bytes} or {in_tokens}, got both: leave one out")),
            (bytes, tokens) => {
                Ok(bytes.map(|bytes| Self::Bytes(bytes.0)).or(tokens.map(|tokens| Self::Tokens(tokens.0))))
            }
        }
    }

    fn in_tokens(limit: Option<Self>) -> bool {
        matches!(limit, Some(Self::Tokens(_)))
    }

    fn counted<'a>(self, count: &'a stage::Counter<'a>) -> stage::Budget<'a> {
        match self {
            Self::Bytes(limit) => stage::Budget::Bytes(limit),
            Self::Tokens(limit) => stage::Budget::Tokens(limit, count),
        }
    }

    fn of_rows(self) -> batch::Limit {
        match self {
            Self::Bytes(limit) => batch::Limit::Bytes(limit),
            Self::Tokens(limit) => batch::Limit::Tokens(limit),
        }
    }
}

fn conflict<T>(text: &str) -> PyResult<T> {
    Err(raise(Error::new(Code::ConflictingOptions, text)))
}

#[pymethods]
impl Budget {
    /// A counter may be a method of the object that holds the builder.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.count)
    }

    #[new]
    #[pyo3(signature = (
        max_bytes = None, *, max_tokens = None, count = None, reserve = None, max_result_bytes = None,
        max_result_tokens = None
    ))]
    pub(crate) fn new(
        max_bytes: Option<Bytes>,
        max_tokens: Option<Tokens>,
        count: Option<Bound<'_, PyAny>>,
        reserve: Option<Bound<'_, PyAny>>,
        max_result_bytes: Option<Bytes>,
        max_result_tokens: Option<Tokens>,
    ) -> PyResult<Self> {
        let limit = Limit::one_of(max_bytes, max_tokens, ["max_bytes", "max_tokens"])?;
        let result_cap = Limit::one_of(max_result_bytes, max_result_tokens, ["max_result_bytes", "max_result_tokens"])?;
        let needs = match (Limit::in_tokens(limit), Limit::in_tokens(result_cap)) {
            (true, _) => Some("max_tokens"),
            (_, true) => Some("max_result_tokens"),
            _ => None,
        };
        match (&count, needs) {
            (None, Some(name)) => {
                return conflict(&format!(
                    "{name} needs count=, a function that gets a str and returns its number of tokens as an int"
                ));
            }
            (Some(_), None) => return conflict("count= needs max_tokens=, which is missing"),
            (Some(count), _) if !count.is_callable() => {
                return Err(named(count.py(), "count", wrong("a function", count)));
            }
            _ => {}
        }
        let reserve = reserve.map_or(Ok(RESERVE), |share| self::reserve(&share))?;
        Ok(Self { limit, result_cap, count: count.map(Bound::unbind), reserve })
    }
}

/// The limits of one build.
#[derive(Clone, Copy)]
pub(crate) struct Limits<'a> {
    pub(crate) budget: Option<stage::Budget<'a>>,
    pub(crate) result_cap: Option<stage::Budget<'a>>,
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

impl Budget {
    /// Whether it limits anything.
    pub(crate) fn has_limit(&self) -> bool {
        self.limit.is_some() || self.result_cap.is_some()
    }

    /// The budget for rows, whose builds run on any thread. The counter's exception becomes the cause of the core's
    /// error.
    pub(crate) fn of_rows(&self, py: Python<'_>) -> batch::Budget {
        let count = self.count.as_ref().map(|count| {
            let count = count.clone_ref(py);
            let count = move |text: &str| {
                let counted = Python::attach(|py| tokens(&count.bind(py).call1((PyString::new(py, text),))?));
                counted.map_err(|raised| Error::new(Code::BadCount, "the counter failed").because(raised))
            };
            let count: batch::Counter = Box::new(count);
            count
        });
        batch::Budget {
            limit: self.limit.map_or(batch::Limit::None, Limit::of_rows),
            result_cap: self.result_cap.map_or(batch::Limit::None, Limit::of_rows),
            count,
            reserve: self.reserve,
        }
    }

    /// Runs `work` under this budget. If the caller's counter raises, its exception is raised unchanged.
    pub(crate) fn with<T>(&self, work: impl FnOnce(Limits<'_>) -> T) -> PyResult<T> {
        let failure = RefCell::new(None);
        let count = |text: &str| {
            let counted = Python::attach(|py| match &self.count {
                Some(count) => tokens(&count.bind(py).call1((PyString::new(py, text),))?),
                None => Ok(0),
            });
            counted.map_err(|raised| {
                *failure.borrow_mut() = Some(raised);
                Error::new(Code::BadCount, "the counter failed")
            })
        };
        let done = work(Limits {
            budget: self.limit.map(|limit| limit.counted(&count)),
            result_cap: self.result_cap.map(|limit| limit.counted(&count)),
        });
        failure.into_inner().map_or(Ok(done), Err)
    }
}

/// The number that a counter returned.
fn tokens(given: &Bound<'_, PyAny>) -> PyResult<usize> {
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

/// A share from 0 to 1.
fn reserve(share: &Bound<'_, PyAny>) -> PyResult<f64> {
    let is_number = share.is_instance_of::<PyFloat>() || share.is_instance_of::<PyInt>();
    if !is_number || share.is_instance_of::<PyBool>() {
        return Err(named(share.py(), "reserve", wrong("a number", share)));
    }
    match share.extract::<f64>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => {
            let text = format!("expected a reserve from 0 to 1, the share of the budget to free ahead, got {share}");
            Err(raise(Error::new(Code::OutOfRange, text)))
        }
    }
}
