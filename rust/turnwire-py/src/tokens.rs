//! `Tokens`: what a reply cost, counted the same way for every provider.

use pyo3::{prelude::*, types::PyTuple};
use turnwire_core::model::reply;

use crate::{arguments::Count, html};

#[doc = stub!("Tokens")]
#[pyclass(frozen, eq, hash, module = "turnwire.replies", name = "Tokens")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Tokens(pub(crate) reply::Tokens);

#[pymethods]
impl Tokens {
    #[new]
    #[pyo3(signature = (input = None, output = None, cached = None, reasoning = None, written = None))]
    fn new(
        input: Option<Count>,
        output: Option<Count>,
        cached: Option<Count>,
        reasoning: Option<Count>,
        written: Option<Count>,
    ) -> Self {
        let [input, output, cached, reasoning, written] =
            [input, output, cached, reasoning, written].map(|count| count.map(|count| count.0));
        Self(reply::Tokens { input, output, cached, reasoning, written })
    }

    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str, &'static str, &'static str) {
        ("input", "output", "cached", "reasoning", "written")
    }

    #[doc = stub!("Tokens.input")]
    #[getter]
    fn input(&self) -> Option<u64> {
        self.0.input
    }

    #[doc = stub!("Tokens.output")]
    #[getter]
    fn output(&self) -> Option<u64> {
        self.0.output
    }

    #[doc = stub!("Tokens.cached")]
    #[getter]
    fn cached(&self) -> Option<u64> {
        self.0.cached
    }

    #[doc = stub!("Tokens.reasoning")]
    #[getter]
    fn reasoning(&self) -> Option<u64> {
        self.0.reasoning
    }

    #[doc = stub!("Tokens.written")]
    #[getter]
    fn written(&self) -> Option<u64> {
        self.0.written
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        html::object(slf, &["input", "output", "cached", "reasoning", "written"])
    }

    fn __repr__(&self) -> String {
        let number = |count: Option<u64>| count.map_or_else(|| "None".to_owned(), |count| count.to_string());
        let reply::Tokens { input, output, cached, reasoning, written } = self.0;
        format!(
            "Tokens(input={}, output={}, cached={}, reasoning={}, written={})",
            number(input),
            number(output),
            number(cached),
            number(reasoning),
            number(written)
        )
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let reply::Tokens { input, output, cached, reasoning, written } = slf.get().0;
        (slf.get_type(), (input, output, cached, reasoning, written)).into_pyobject(slf.py())
    }
}
