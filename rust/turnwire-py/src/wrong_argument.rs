//! The type error that names its argument; and arguments that are a text or a flag.

use std::ops::Deref;

use pyo3::{
    Borrowed,
    exceptions::PyTypeError,
    prelude::*,
    types::{PyBool, PyString, PyTuple, PyType},
};

/// A `TypeError` for a caller. The code that reads an argument does not know the argument's name. PyO3 does, and adds
/// it as a note. This class also puts the name in front of the sentence, so that a log has it.
#[pyclass(extends = PyTypeError, module = "builtins", name = "TypeError")]
pub(crate) struct WrongArgument;

#[pymethods]
impl WrongArgument {
    #[new]
    #[pyo3(signature = (*_args))]
    fn new(_args: &Bound<'_, PyTuple>) -> Self {
        Self
    }

    fn add_note(slf: &Bound<'_, Self>, note: &Bound<'_, PyAny>) -> PyResult<()> {
        let said = note.str()?.to_string_lossy().into_owned();
        match said.strip_prefix("while processing '").and_then(|rest| rest.strip_suffix('\'')) {
            Some(name) => slf.setattr("args", (format!("{name}: {}", slf.str()?),)),
            None => slf.py().get_type::<PyTypeError>().call_method1("add_note", (slf, note)).map(drop),
        }
    }

    /// A pickle keeps the sentence.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyType>, Bound<'py, PyAny>)> {
        Ok((slf.py().get_type::<PyTypeError>(), slf.getattr("args")?))
    }
}

/// The type error for a wrong value of an argument.
#[cold]
pub(crate) fn wrong(expected: &str, came: &Bound<'_, PyAny>) -> PyErr {
    match came.get_type().name() {
        Ok(name) => PyErr::new::<WrongArgument, _>(format!("expected {expected}, got {name}")),
        Err(failure) => failure,
    }
}

/// The same error with the name of the argument.
pub(crate) fn named(py: Python<'_>, name: &str, error: PyErr) -> PyErr {
    if !error.is_instance_of::<PyTypeError>(py) {
        return error;
    }
    PyTypeError::new_err(format!("{name}: {}", error.value(py)))
}

/// An argument that is a `str`.
#[derive(Clone, Copy)]
pub(crate) struct Str<'a, 'py>(Borrowed<'a, 'py, PyString>);

impl<'py> Deref for Str<'_, 'py> {
    type Target = Bound<'py, PyString>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Str<'a, 'py> {
    type Error = PyErr;

    #[inline]
    fn extract(text: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        text.cast().map(Self).map_err(|_| wrong("a str", &text))
    }
}

/// A [`Str`] that the caller can keep.
pub(crate) struct OwnedStr<'py>(pub(crate) Bound<'py, PyString>);

impl<'py> FromPyObject<'_, 'py> for OwnedStr<'py> {
    type Error = PyErr;

    fn extract(text: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        text.extract::<Str<'_, 'py>>().map(|text| Self(Bound::clone(&text)))
    }
}

/// An argument that is `True` or `False`.
#[derive(Clone, Copy)]
pub(crate) struct Flag(pub(crate) bool);

impl<'py> FromPyObject<'_, 'py> for Flag {
    type Error = PyErr;

    #[inline]
    fn extract(flag: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        flag.cast::<PyBool>().map(|flag| Self(flag.is_true())).map_err(|_| wrong("True or False", &flag))
    }
}
