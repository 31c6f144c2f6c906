//! `split_budget`, and what `MessageBuilder.set_budget` is given.

use std::cell::RefCell;

use pyo3::{
    exceptions::PyTypeError,
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
    arguments::{Bytes, Size, Tokens, Word},
    error::raise,
    node::type_name,
};

#[doc = stub!("split_budget")]
#[pyfunction]
#[pyo3(signature = (sizes, max_bytes, *, split = Word(Split::Even)), text_signature = "(sizes, max_bytes, *, split='even')")]
pub(crate) fn split_budget(sizes: &Bound<'_, PyAny>, max_bytes: Bytes, split: Word<Split>) -> PyResult<Vec<usize>> {
    let sizes =
        sizes.try_iter()?.map(|size| size?.extract::<Size>().map(|size| size.0)).collect::<PyResult<Vec<_>>>()?;
    Ok(split.0.shares(&sizes, max_bytes.0))
}

/// How much a build may leave, checked where it is given.
#[pyclass(frozen, module = "turnwire._core", name = "_Budget")]
pub(crate) struct Budget {
    limit: Limit,
    pub(crate) reserve: f64,
}

enum Limit {
    None,
    Bytes(usize),
    /// With the caller's own counter.
    Tokens(usize, Py<PyAny>),
}

#[pymethods]
impl Budget {
    #[new]
    #[pyo3(signature = (max_bytes = None, *, max_tokens = None, count = None, reserve = None))]
    pub(crate) fn new(
        max_bytes: Option<Bytes>,
        max_tokens: Option<Tokens>,
        count: Option<Bound<'_, PyAny>>,
        reserve: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let conflict = |text: &str| Err(raise(Error::new(Code::ConflictingOptions, text)));
        let limit = match (max_bytes, max_tokens, count) {
            (Some(_), Some(_), _) => return conflict("expected max_bytes or max_tokens, got both: leave one out"),
            (None, Some(_), None) => {
                return conflict("max_tokens needs count=, a function that takes a str and gives its tokens as an int");
            }
            (_, None, Some(_)) => return conflict("count= counts for max_tokens=, which is not here"),
            (None, Some(_), Some(count)) if !count.is_callable() => {
                let name = type_name(&count);
                return Err(PyTypeError::new_err(format!("expected a function as count, got {name}")));
            }
            (None, Some(tokens), Some(count)) => Limit::Tokens(tokens.0, count.unbind()),
            (Some(bytes), None, None) => Limit::Bytes(bytes.0),
            (None, None, None) => Limit::None,
        };
        Ok(Self { limit, reserve: reserve.map_or(Ok(RESERVE), |share| self::reserve(&share))? })
    }
}

impl Budget {
    /// The same for rows, whose builds run on any thread. What the counter raises is the cause of its error.
    pub(crate) fn of_rows(&self, py: Python<'_>) -> batch::Limit {
        match &self.limit {
            Limit::None => batch::Limit::None,
            Limit::Bytes(limit) => batch::Limit::Bytes(*limit),
            Limit::Tokens(limit, count) => {
                let count = count.clone_ref(py);
                let count = move |text: &str| {
                    let counted = Python::attach(|py| tokens(&count.bind(py).call1((PyString::new(py, text),))?));
                    counted.map_err(|raised| Error::new(Code::BadCount, "the counter failed").because(raised))
                };
                batch::Limit::Tokens(*limit, Box::new(count))
            }
        }
    }

    /// Does something under this budget. Where the caller's counter raises, its exception comes out as it is.
    pub(crate) fn with<T>(&self, work: impl FnOnce(Option<stage::Budget<'_>>) -> T) -> PyResult<T> {
        let failure = RefCell::new(None);
        let done = match &self.limit {
            Limit::None => work(None),
            Limit::Bytes(limit) => work(Some(stage::Budget::Bytes(*limit))),
            Limit::Tokens(limit, count) => {
                let count = |text: &str| {
                    let counted = Python::attach(|py| tokens(&count.bind(py).call1((PyString::new(py, text),))?));
                    counted.map_err(|raised| {
                        *failure.borrow_mut() = Some(raised);
                        Error::new(Code::BadCount, "the counter failed")
                    })
                };
                work(Some(stage::Budget::Tokens(*limit, &count)))
            }
        };
        failure.into_inner().map_or(Ok(done), Err)
    }
}

/// What a counter gave, as a count.
fn tokens(given: &Bound<'_, PyAny>) -> PyResult<usize> {
    let refused = |got: &str| {
        let text = format!("expected the counter to give an int of 0 or more, got {got}");
        Err(raise(Error::new(Code::BadCount, text)))
    };
    if given.is_instance_of::<PyBool>() || !given.hasattr("__index__")? {
        return refused(&type_name(given));
    }
    let number = given.call_method0("__index__")?;
    if number.lt(0)? {
        return refused("a negative number");
    }
    // More than 64 bits hold is more than any budget.
    Ok(number.extract().unwrap_or(usize::MAX))
}

/// A share from 0 to 1.
fn reserve(share: &Bound<'_, PyAny>) -> PyResult<f64> {
    let is_number = share.is_instance_of::<PyFloat>() || share.is_instance_of::<PyInt>();
    if !is_number || share.is_instance_of::<PyBool>() {
        return Err(PyTypeError::new_err(format!("expected a number as reserve, got {}", type_name(share))));
    }
    match share.extract::<f64>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => {
            let text = format!("expected a reserve from 0 to 1, the share of the budget to free ahead, got {share}");
            Err(raise(Error::new(Code::OutOfRange, text)))
        }
    }
}
