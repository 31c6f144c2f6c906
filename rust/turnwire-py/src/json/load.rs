//! JSON text read straight into Python's dicts and lists.

use pyo3::{
    prelude::*,
    types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString},
};
use turnwire_core::{
    error::{Code, Error},
    handle::Escapes,
    json::read::{self, Body, Builder, Number},
};

use super::{keys::Keys, no_memory};
use crate::string::{ascii, decoded, is_ascii};

/// Reads JSON text as Python objects, one text after the other: what it keeps between them is room and keys.
pub(crate) struct Loader<'py> {
    py: Python<'py>,
    /// What no container has taken yet: values, and in a map each behind its key. A container is made when it ends, of
    /// all that it holds.
    values: Vec<Bound<'py, PyAny>>,
    open: Vec<Open>,
    keys: Keys<'py>,
    /// Whether the whole text is ASCII.
    ascii: bool,
    fault: Option<PyErr>,
}

/// A container that is not yet closed, and how many values wait before its first one.
enum Open {
    List(usize),
    Map(usize),
}

impl<'py> Loader<'py> {
    pub(crate) fn new(py: Python<'py>) -> Self {
        Self { py, values: Vec::new(), open: Vec::new(), keys: Keys::default(), ascii: false, fault: None }
    }

    /// JSON text as Python objects. The text may be WTF-8: its lone surrogates survive.
    pub(crate) fn load(&mut self, text: &[u8]) -> Result<Bound<'py, PyAny>, Error> {
        self.ascii = is_ascii(text);
        let read = read::build_wtf8(text, self);
        match (read, self.values.pop()) {
            (Ok(()), Some(root)) if self.fault.is_none() => Ok(root),
            (read, _) => Err(self.given_up(read)),
        }
    }

    /// Why nothing was made; the next text finds everything clean.
    #[cold]
    fn given_up(&mut self, read: Result<(), Error>) -> Error {
        self.values.clear();
        self.open.clear();
        match (read, self.fault.take()) {
            (Err(error), _) => error,
            (Ok(()), Some(fault)) => no_memory(&fault),
            (Ok(()), None) => Error::new(Code::InvalidJson, "expected a value, got nothing"),
        }
    }

    #[inline]
    fn put<T>(&mut self, made: PyResult<Bound<'py, T>>) {
        match made {
            Ok(value) => self.values.push(value.into_any()),
            Err(failure) => self.failed(failure),
        }
    }

    /// Keeps the first failure. Something must stand where the value would, so that keys still meet their values.
    #[cold]
    fn failed(&mut self, failure: PyErr) {
        self.fault.get_or_insert(failure);
        self.values.push(self.py.None().into_bound(self.py));
    }

    /// Any string: its escapes resolved, its surrogates kept.
    #[inline(never)]
    fn string(&self, bytes: &[u8], escapes: Escapes) -> PyResult<Bound<'py, PyString>> {
        decoded(self.py, &Body { bytes, at: 0, escapes }.wtf8())
    }

    #[inline(never)]
    fn new_key(&mut self, bytes: &[u8], escapes: Escapes) {
        let made = self.string(bytes, escapes);
        if let (Ok(made), Escapes::None) = (&made, escapes) {
            self.keys.keep(bytes, made);
        }
        self.put(made);
    }

    fn list(&mut self, start: usize) -> PyResult<Bound<'py, PyList>> {
        PyList::new(self.py, self.values.drain(start..))
    }

    fn map(&mut self, start: usize) -> PyResult<Bound<'py, PyDict>> {
        let made = PyDict::new(self.py);
        let (entries, _) = self.values.get(start..).unwrap_or_default().as_chunks();
        for [key, value] in entries {
            made.set_item(key, value)?;
        }
        self.values.truncate(start);
        Ok(made)
    }
}

impl Builder for Loader<'_> {
    #[inline]
    fn null(&mut self, _: usize) {
        self.values.push(self.py.None().into_bound(self.py));
    }

    #[inline]
    fn bool(&mut self, value: bool, _: usize) {
        self.values.push(PyBool::new(self.py, value).to_owned().into_any());
    }

    #[inline]
    fn number(&mut self, digits: Number<'_>, _: usize) {
        let made = match digits.small() {
            Some(small) => small.into_pyobject(self.py).map(Bound::into_any).map_err(PyErr::from),
            None => number(self.py, digits.as_str(), digits.is_integer),
        };
        self.put(made);
    }

    #[inline(never)]
    fn text(&mut self, body: Body<'_>) {
        let made = match body.escapes {
            Escapes::None if self.ascii => ascii(self.py, body.bytes),
            escapes => self.string(body.bytes, escapes),
        };
        self.put(made);
    }

    #[inline]
    fn key(&mut self, body: Body<'_>) {
        // A key with escapes is never kept, and no other one has a backslash.
        match self.keys.get(body.bytes) {
            Some(known) => self.values.push(known.into_any()),
            None => self.new_key(body.bytes, body.escapes),
        }
    }

    #[inline]
    fn open_list(&mut self, _: usize) {
        self.open.push(Open::List(self.values.len()));
    }

    #[inline]
    fn open_map(&mut self, _: usize) {
        self.open.push(Open::Map(self.values.len()));
    }

    #[inline(never)]
    fn close(&mut self, _: usize) {
        match self.open.pop() {
            Some(Open::List(start)) => {
                let made = self.list(start);
                self.put(made);
            }
            Some(Open::Map(start)) => {
                let made = self.map(start);
                self.put(made);
            }
            None => {}
        }
    }
}

/// A JSON number as Python's `json` reads it: an int where it has neither fraction nor exponent.
pub(crate) fn number<'py>(py: Python<'py>, digits: &str, is_integer: bool) -> PyResult<Bound<'py, PyAny>> {
    if !is_integer {
        return Ok(PyFloat::new(py, digits.parse().unwrap_or(f64::NAN)).into_any());
    }
    match digits.parse::<i64>() {
        Ok(small) => Ok(small.into_pyobject(py)?.into_any()),
        // Python refuses ints of many thousand digits written out; such a number stays readable as a float.
        Err(_) => py
            .get_type::<PyInt>()
            .call1((digits,))
            .or_else(|_| Ok(PyFloat::new(py, digits.parse().unwrap_or(f64::NAN)).into_any())),
    }
}
