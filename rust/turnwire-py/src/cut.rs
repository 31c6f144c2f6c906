//! `Cut`: what `Budget.on_cut` gets, and the marker that it returns.

use std::{cell::RefCell, collections::HashMap, hash::BuildHasher as _};

use pyo3::{
    exceptions::PyTypeError,
    intern,
    prelude::*,
    types::{PyDict, PyString, PyTuple},
};
use turnwire_core::stage::Shortened;

use crate::{
    arguments::Size,
    html,
    node::type_name,
    part::whole,
    wrong_argument::{OwnedStr, Str},
};

#[doc = stub!("Cut")]
#[pyclass(frozen, eq, hash, module = "turnwire.types", name = "Cut")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Cut {
    id: String,
    tool: Option<String>,
    index: usize,
    text: String,
    room: usize,
}

#[pymethods]
impl Cut {
    #[new]
    #[pyo3(signature = (id, tool, index, text, *, room))]
    #[expect(clippy::needless_pass_by_value, reason = "they are arguments")]
    fn new(id: Str<'_, '_>, tool: Option<OwnedStr<'_>>, index: Size, text: Str<'_, '_>, room: Size) -> PyResult<Self> {
        let tool = tool.map(|tool| whole(&tool.0)).transpose()?;
        Ok(Self { id: whole(&id)?, tool, index: index.0, text: whole(&text)?, room: room.0 })
    }

    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str, &'static str) {
        ("id", "tool", "index", "text")
    }

    #[doc = stub!("Cut.id")]
    #[getter]
    fn id(&self) -> &str {
        &self.id
    }

    #[doc = stub!("Cut.tool")]
    #[getter]
    fn tool(&self) -> Option<&str> {
        self.tool.as_deref()
    }

    #[doc = stub!("Cut.index")]
    #[getter]
    fn index(&self) -> usize {
        self.index
    }

    #[doc = stub!("Cut.text")]
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    #[doc = stub!("Cut.sha256")]
    #[getter]
    fn sha256<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let sha256 = py.import(intern!(py, "hashlib"))?.getattr(intern!(py, "sha256"))?;
        sha256.call1((self.text.as_bytes(),))?.call_method0(intern!(py, "hexdigest"))
    }

    #[doc = stub!("Cut.room")]
    #[getter]
    fn room(&self) -> usize {
        self.room
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        html::object(slf, &["id", "tool", "index", "room"])
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let tool = match &self.tool {
            Some(tool) => PyString::new(py, tool).repr()?.to_string(),
            None => "None".to_owned(),
        };
        let id = PyString::new(py, &self.id).repr()?;
        Ok(format!("<Cut: {id}, tool {tool}, index {}, {} bytes, room {}>", self.index, self.text.len(), self.room))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, one) = (slf.py(), slf.get());
        let given = PyDict::new(py);
        given.set_item("id", &one.id)?;
        given.set_item("tool", &one.tool)?;
        given.set_item("index", one.index)?;
        given.set_item("text", &one.text)?;
        given.set_item("room", one.room)?;
        (slf.get_type().getattr("_restore")?, (given,)).into_pyobject(py)
    }

    #[staticmethod]
    fn _restore<'py>(py: Python<'py>, given: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyAny>> {
        py.get_type::<Self>().call((), Some(given))
    }
}

/// The answers of `on_cut` so far: builds of one request ask for each marker once.
#[derive(Default)]
pub(crate) struct Answers(RefCell<HashMap<u64, Option<String>>>);

impl Answers {
    /// The marker that `on_cut` returns. `None` leaves the usual one.
    pub(crate) fn of(&self, on_cut: &Bound<'_, PyAny>, cut: &Shortened) -> PyResult<Option<String>> {
        let key = self.0.borrow().hasher().hash_one((&cut.id, &cut.text));
        if let Some(known) = self.0.borrow().get(&key) {
            return Ok(known.clone());
        }
        let Shortened { id, tool, index, text, room } = cut.clone();
        let answer = on_cut.call1((Cut { id, tool, index, text, room },))?;
        let marker = match answer.cast::<PyString>() {
            _ if answer.is_none() => None,
            Ok(marker) => Some(whole(marker)?),
            Err(_) => return Err(no_marker(&answer)?),
        };
        self.0.borrow_mut().insert(key, marker.clone());
        Ok(marker)
    }
}

/// The error for an answer that is not a marker.
fn no_marker(answer: &Bound<'_, PyAny>) -> PyResult<PyErr> {
    let py = answer.py();
    let mut text = format!("on_cut: expected a function that returns a str or None, got {}", type_name(answer));
    if answer.hasattr(intern!(py, "__await__"))? {
        // Python warns about a coroutine that is never awaited.
        if answer.hasattr(intern!(py, "close"))? {
            answer.call_method0(intern!(py, "close"))?;
        }
        text += ": it is not awaited here";
    }
    Ok(PyTypeError::new_err(text))
}
