//! JSON text read straight into Python's dicts and lists.

use pyo3::{
    prelude::*,
    types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString},
};
use turnwire_core::{
    error::{Code, Error},
    json::read::{self, Body, Builder, Number},
};

use super::{keys::Keys, no_memory};
use crate::string::decoded;

/// Reads JSON text as Python objects, one text after the other: what it keeps between them is room and keys.
pub(crate) struct Loader<'py> {
    py: Python<'py>,
    open: Vec<Open<'py>>,
    root: Option<Bound<'py, PyAny>>,
    keys: Keys<'py>,
    fault: Option<PyErr>,
}

/// A container that is not yet closed.
enum Open<'py> {
    List(Bound<'py, PyList>),
    Map(Bound<'py, PyDict>, Option<Bound<'py, PyString>>),
}

impl<'py> Loader<'py> {
    pub(crate) fn new(py: Python<'py>) -> Self {
        Self { py, open: Vec::new(), root: None, keys: Keys::default(), fault: None }
    }

    /// JSON text as Python objects. The text may be WTF-8: its lone surrogates survive.
    pub(crate) fn load(&mut self, text: &[u8]) -> Result<Bound<'py, PyAny>, Error> {
        let read = read::build_wtf8(text, self);
        self.open.clear();
        let (root, fault) = (self.root.take(), self.fault.take());
        read?;
        match (fault, root) {
            (None, Some(root)) => Ok(root),
            (Some(fault), _) => Err(no_memory(&fault)),
            (None, None) => Err(Error::new(Code::InvalidJson, "expected a value, got nothing")),
        }
    }

    #[inline]
    fn put(&mut self, value: Bound<'py, PyAny>) {
        let done = match self.open.last_mut() {
            None => {
                self.root = Some(value);
                return;
            }
            Some(Open::List(list)) => list.append(value),
            Some(Open::Map(dict, key)) => match key.take() {
                Some(key) => dict.set_item(key, value),
                None => return,
            },
        };
        if let Err(failure) = done {
            self.failed(failure);
        }
    }

    #[inline]
    fn put_made(&mut self, made: PyResult<Bound<'py, PyAny>>) {
        match made {
            Ok(value) => self.put(value),
            Err(failure) => self.failed(failure),
        }
    }

    #[cold]
    fn failed(&mut self, failure: PyErr) {
        self.fault.get_or_insert(failure);
    }
}

impl Builder for Loader<'_> {
    fn null(&mut self, _: usize) {
        self.put(self.py.None().into_bound(self.py));
    }

    fn bool(&mut self, value: bool, _: usize) {
        self.put(PyBool::new(self.py, value).to_owned().into_any());
    }

    fn number(&mut self, digits: Number<'_>, _: usize) {
        let made = number(self.py, digits.as_str(), digits.is_integer);
        self.put_made(made);
    }

    fn text(&mut self, body: Body<'_>) {
        let made = decoded(self.py, &body.wtf8());
        self.put_made(made.map(Bound::into_any));
    }

    fn key(&mut self, body: Body<'_>) {
        match (self.keys.get(self.py, &body.wtf8()), self.open.last_mut()) {
            (Ok(text), Some(Open::Map(_, key))) => *key = Some(text),
            (Err(failure), _) => self.failed(failure),
            (Ok(_), _) => {}
        }
    }

    fn open_list(&mut self, _: usize) {
        self.open.push(Open::List(PyList::empty(self.py)));
    }

    fn open_map(&mut self, _: usize) {
        self.open.push(Open::Map(PyDict::new(self.py), None));
    }

    fn close(&mut self, _: usize) {
        match self.open.pop() {
            Some(Open::List(list)) => self.put(list.into_any()),
            Some(Open::Map(dict, _)) => self.put(dict.into_any()),
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
