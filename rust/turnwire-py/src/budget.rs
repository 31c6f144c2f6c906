//! `Budget`: how much may be sent, and what happens to the rest; and `split_budget`.

use std::cell::RefCell;

use pyo3::{
    Borrowed, PyTraverseError, PyVisit,
    prelude::*,
    types::{PyBool, PyDict, PyFloat, PyInt, PyString, PyTuple},
};
use turnwire_core::{
    batch,
    report::error::{Code, Error},
    stage,
    text::budget::{RESERVE, Split},
};

use crate::{
    arguments::{Bytes, Size, Tokens, Word, argument, function, items},
    cut::Answers,
    error::raise,
    html,
    limits::{Limits, tokens},
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

#[doc = stub!("Budget")]
#[pyclass(frozen, module = "turnwire", name = "Budget")]
pub(crate) struct Budget {
    limit: Option<Limit>,
    result_cap: Option<Limit>,
    /// The caller's own counter, for limits in tokens.
    count: Option<Py<PyAny>>,
    /// The share that is freed ahead. `None` for the default of whoever uses the budget.
    share: Option<f64>,
    /// The caller's function that is called for each result that is cut.
    on_cut: Option<Py<PyAny>>,
    /// The caller's function that sums up the messages which the budget leaves out.
    summarise: Option<Py<PyAny>>,
}

#[derive(Clone, Copy, PartialEq)]
enum Limit {
    Bytes(usize),
    Tokens(usize),
}

impl Limit {
    /// The limit in bytes.
    fn bytes(self) -> Option<usize> {
        if let Self::Bytes(limit) = self { Some(limit) } else { None }
    }

    /// The limit in tokens.
    fn tokens(self) -> Option<usize> {
        if let Self::Tokens(limit) = self { Some(limit) } else { None }
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

/// A budget as functions take it: a number of bytes, or a `Budget`.
pub(crate) enum Given {
    Bytes(Bytes),
    Whole(Py<Budget>),
}

impl<'py> FromPyObject<'_, 'py> for Given {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(budget) = given.cast::<Budget>() {
            return Ok(Self::Whole(budget.to_owned().unbind()));
        }
        if given.is_instance_of::<PyBool>() || !given.hasattr("__index__")? {
            return Err(wrong("an int, the most bytes, or a Budget", &given));
        }
        given.extract().map(Self::Bytes)
    }
}

impl Given {
    /// The budget that an argument means. `None` limits nothing.
    pub(crate) fn budget(given: Option<&Self>, py: Python<'_>) -> Budget {
        match given {
            None => Budget::of(None),
            Some(Self::Bytes(bytes)) => Budget::of(Some(Limit::Bytes(bytes.0))),
            Some(Self::Whole(budget)) => budget.get().share(py),
        }
    }
}

#[pymethods]
impl Budget {
    /// A counter may be a method of the object that holds the builder.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.count)?;
        visit.call(&self.on_cut)?;
        visit.call(&self.summarise)
    }

    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str) {
        ("max_bytes", "max_tokens", "per_result")
    }

    #[new]
    #[pyo3(
        signature = (
            max_bytes = None, *, max_tokens = None, count = None, per_result = None, reserve = None, on_cut = None,
            summarise = None
        ),
        text_signature = "(max_bytes=None, *, max_tokens=None, count=None, per_result=None, reserve=None, \
                          on_cut=None, summarise=None)"
    )]
    pub(crate) fn new(
        max_bytes: Option<Bytes>,
        max_tokens: Option<Tokens>,
        count: Option<Bound<'_, PyAny>>,
        per_result: Option<Bound<'_, PyAny>>,
        reserve: Option<Bound<'_, PyAny>>,
        on_cut: Option<Bound<'_, PyAny>>,
        summarise: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        if max_bytes.is_some() && max_tokens.is_some() {
            return conflict("expected max_bytes or max_tokens, got both: leave one out");
        }
        if max_tokens.is_some() && count.is_none() {
            return conflict(
                "max_tokens needs count=, a function that gets a str and returns its number of tokens as an int",
            );
        }
        if count.is_some() && max_bytes.is_some() {
            return conflict("expected no count= with max_bytes, which counts bytes: pass max_tokens=");
        }
        if count.is_some() && max_tokens.is_none() && per_result.is_none() {
            return conflict("count= needs max_tokens= or per_result=, which are missing");
        }
        let result_cap = match (per_result, count.is_some()) {
            (None, _) => None,
            (Some(cap), false) => Some(Limit::Bytes(argument::<Bytes>("per_result", &cap)?.0)),
            (Some(cap), true) => Some(Limit::Tokens(argument::<Tokens>("per_result", &cap)?.0)),
        };
        let limit = max_bytes.map(|bytes| Limit::Bytes(bytes.0));
        let called = |name: &str, given: Option<Bound<'_, PyAny>>| match given {
            Some(given) => function(name, given).map(|given| given.map(Bound::unbind)),
            None => Ok(None),
        };
        Ok(Self {
            limit: limit.or(max_tokens.map(|tokens| Limit::Tokens(tokens.0))),
            result_cap,
            count: called("count", count)?,
            share: reserve.map(|share| self::reserve(&share)).transpose()?,
            on_cut: called("on_cut", on_cut)?,
            summarise: called("summarise", summarise)?,
        })
    }

    #[doc = stub!("Budget.max_bytes")]
    #[getter]
    fn max_bytes(&self) -> Option<usize> {
        self.limit.and_then(Limit::bytes)
    }

    #[doc = stub!("Budget.max_tokens")]
    #[getter]
    fn max_tokens(&self) -> Option<usize> {
        self.limit.and_then(Limit::tokens)
    }

    #[doc = stub!("Budget.per_result")]
    #[getter]
    fn per_result(&self) -> Option<usize> {
        self.result_cap.and_then(|cap| cap.bytes().or(cap.tokens()))
    }

    #[doc = stub!("Budget.count")]
    #[getter]
    fn count<'py>(&self, py: Python<'py>) -> Option<&Bound<'py, PyAny>> {
        self.count.as_ref().map(|count| count.bind(py))
    }

    #[doc = stub!("Budget.reserve")]
    #[getter(reserve)]
    fn given_reserve(&self) -> Option<f64> {
        self.share
    }

    #[doc = stub!("Budget.on_cut")]
    #[getter(on_cut)]
    fn given_on_cut<'py>(&self, py: Python<'py>) -> Option<&Bound<'py, PyAny>> {
        self.on_cut(py)
    }

    #[doc = stub!("Budget.summarise")]
    #[getter(summarise)]
    fn given_summarise<'py>(&self, py: Python<'py>) -> Option<&Bound<'py, PyAny>> {
        self.summarise(py)
    }

    #[doc = stub!("Budget.unit")]
    #[getter]
    fn unit(&self) -> &'static str {
        if self.count.is_some() { "tokens" } else { "bytes" }
    }

    /// The arguments that make this budget again, for copies with other ones.
    #[getter(_given)]
    fn given_values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let given = PyDict::new(py);
        let add = |name: &str, value: Option<Bound<'py, PyAny>>| match value {
            Some(value) => given.set_item(name, value),
            None => Ok(()),
        };
        let number = |number: Option<usize>| number.map(|number| PyInt::new(py, number).into_any());
        add("max_bytes", number(self.max_bytes()))?;
        add("max_tokens", number(self.max_tokens()))?;
        add("count", self.count(py).cloned())?;
        add("per_result", number(self.per_result()))?;
        add("reserve", self.share.map(|share| PyFloat::new(py, share).into_any()))?;
        add("on_cut", self.on_cut(py).cloned())?;
        add("summarise", self.summarise(py).cloned())?;
        Ok(given)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        (slf.get_type().getattr("_restore")?, (slf.get().given_values(slf.py())?,)).into_pyobject(slf.py())
    }

    #[staticmethod]
    fn _restore<'py>(py: Python<'py>, given: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyAny>> {
        py.get_type::<Self>().call((), Some(given))
    }

    fn __eq__(&self, other: &Self, py: Python<'_>) -> PyResult<bool> {
        self.given_values(py)?.eq(other.given_values(py)?)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        (self.max_bytes(), self.max_tokens(), self.per_result()).into_pyobject(py)?.hash()
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        html::object(slf, &["max_bytes", "max_tokens", "per_result", "reserve"])
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut said = Vec::new();
        for (name, value) in self.given_values(py)?.iter() {
            let named = value.getattr_opt("__name__")?.unwrap_or(value.repr()?.into_any());
            said.push(if name.eq("max_bytes")? { named.to_string() } else { format!("{name}={named}") });
        }
        Ok(format!("Budget({})", said.join(", ")))
    }
}

impl Budget {
    fn of(limit: Option<Limit>) -> Self {
        Self { limit, result_cap: None, count: None, share: None, on_cut: None, summarise: None }
    }

    fn share(&self, py: Python<'_>) -> Self {
        let shared = |function: &Option<Py<PyAny>>| function.as_ref().map(|function| function.clone_ref(py));
        Self {
            limit: self.limit,
            result_cap: self.result_cap,
            count: shared(&self.count),
            share: self.share,
            on_cut: shared(&self.on_cut),
            summarise: shared(&self.summarise),
        }
    }

    /// The share of the budget that is freed ahead.
    pub(crate) fn reserve(&self) -> f64 {
        self.share.unwrap_or(RESERVE)
    }

    /// The caller's function for each result that is cut.
    pub(crate) fn on_cut<'py>(&self, py: Python<'py>) -> Option<&Bound<'py, PyAny>> {
        self.on_cut.as_ref().map(|function| function.bind(py))
    }

    /// The caller's function that sums up what the budget leaves out.
    pub(crate) fn summarise<'py>(&self, py: Python<'py>) -> Option<&Bound<'py, PyAny>> {
        self.summarise.as_ref().map(|function| function.bind(py))
    }

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
            reserve: self.reserve(),
        }
    }

    /// Runs `work` under this budget. If a function of the caller raises, its exception is raised unchanged. `answers`
    /// are those of `on_cut` so far.
    pub(crate) fn with<T>(&self, answers: &Answers, work: impl FnOnce(Limits<'_>) -> T) -> PyResult<T> {
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
        let name = |cut: &stage::Shortened| {
            let marker = Python::attach(|py| self.on_cut(py).map(|on_cut| answers.of(on_cut, cut)).transpose());
            marker.map(Option::flatten).map_err(|raised| {
                *failure.borrow_mut() = Some(raised);
                Error::new(Code::BadCount, "on_cut failed")
            })
        };
        let name: Option<&stage::NameMarker<'_>> = if self.on_cut.is_some() { Some(&name) } else { None };
        let markers = name.map(|name| stage::Markers::new(Some(name)));
        let done = work(Limits {
            budget: self.limit.map(|limit| limit.counted(&count)),
            result_cap: self.result_cap.map(|limit| limit.counted(&count)),
            markers: markers.as_ref(),
        });
        drop(markers);
        failure.into_inner().map_or(Ok(done), Err)
    }
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
