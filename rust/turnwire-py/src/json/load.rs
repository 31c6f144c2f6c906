//! Reads JSON text directly into Python's dicts and lists.

use pyo3::{
    prelude::*,
    types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString},
};
use turnwire_core::{
    report::{
        error::{Code, Error},
        path::{Path, Step},
    },
    value::{
        handle::Escapes,
        json::read::{self, Body, Builder, Number},
    },
};

use super::keys::Keys;
use crate::{
    error::host_fault,
    string::{ascii, decoded, is_ascii},
};

/// Reads JSON texts as Python objects, one after the other. Reuses its buffers and key strings.
pub(crate) struct Loader<'py> {
    py: Python<'py>,
    /// Values whose container is still open. In a map each value follows its key. A container is made when it ends,
    /// from all of its values.
    values: Vec<Bound<'py, PyAny>>,
    open: Vec<Open>,
    keys: Keys<'py>,
    /// Whether the whole text is ASCII.
    ascii: bool,
    fault: Option<Error>,
}

/// An open container, and how many values were waiting when it began.
enum Open {
    List(usize),
    Map(usize),
}

impl Open {
    fn start(&self) -> usize {
        match self {
            Self::List(start) | Self::Map(start) => *start,
        }
    }
}

impl<'py> Loader<'py> {
    pub(crate) fn new(py: Python<'py>) -> Self {
        Self { py, values: Vec::new(), open: Vec::new(), keys: Keys::default(), ascii: false, fault: None }
    }

    /// Reads JSON text as Python objects. The text may be WTF-8: its lone surrogates survive.
    pub(crate) fn load(&mut self, text: &[u8]) -> Result<Bound<'py, PyAny>, Error> {
        self.ascii = is_ascii(text);
        let read = read::build_wtf8(text, self);
        match (read, self.values.pop()) {
            (Ok(()), Some(root)) if self.fault.is_none() => Ok(root),
            (read, _) => Err(self.given_up(read)),
        }
    }

    /// Takes the first failure, and resets the loader for the next text.
    #[cold]
    fn given_up(&mut self, read: Result<(), Error>) -> Error {
        self.values.clear();
        self.open.clear();
        match (read, self.fault.take()) {
            (Err(error), _) => error,
            (Ok(()), Some(fault)) => fault,
            (Ok(()), None) => Error::new(Code::InvalidJson, "expected a value, got nothing"),
        }
    }

    #[inline]
    fn put<T>(&mut self, made: PyResult<Bound<'py, T>>) {
        match made {
            Ok(value) => self.values.push(value.into_any()),
            Err(failure) => self.failed(host_fault(failure)),
        }
    }

    /// Keeps the first failure. A placeholder replaces the value, so that later keys still match their values.
    #[cold]
    fn failed(&mut self, failure: Error) {
        if self.fault.is_none() {
            self.fault = Some(failure.at_path(self.path()));
        }
        self.values.push(self.py.None().into_bound(self.py));
    }

    /// The path of the next value in the text.
    fn path(&self) -> Path {
        let ends = self.open.iter().skip(1).map(Open::start).chain([self.values.len()]);
        Path::of(self.open.iter().zip(ends).filter_map(|(open, end)| match open {
            Open::List(start) => Some(Step::Index(end - start)),
            Open::Map(_) => self.values.get(end.checked_sub(1)?).map(|key| Step::Name(key.to_string().into())),
        }))
    }

    /// A string with its escapes resolved and its lone surrogates kept.
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
        match digits.small() {
            Some(small) => self.put(small.into_pyobject(self.py).map_err(PyErr::from)),
            None => match number(self.py, digits.as_str(), digits.is_integer) {
                Ok(value) => self.values.push(value),
                Err(fault) => self.failed(fault),
            },
        }
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
        // Only a key with escapes has a backslash, and such a key is never kept.
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

/// A JSON number as Python's `json` reads it: an int if it has no fraction or exponent, else a float. A whole number
/// beyond the range of floats becomes an int, because infinity is another number. A number too long for an int is an
/// error.
pub(crate) fn number<'py>(py: Python<'py>, digits: &str, is_integer: bool) -> Result<Bound<'py, PyAny>, Error> {
    if !is_integer {
        let value = digits.parse().unwrap_or(f64::NAN);
        if value.is_finite() {
            return Ok(PyFloat::new(py, value).into_any());
        }
        let whole = whole(digits).and_then(|whole| py.get_type::<PyInt>().call1((whole,)).ok());
        return whole.ok_or_else(|| beyond(digits, "float"));
    }
    match digits.parse::<i64>() {
        Ok(small) => small.into_pyobject(py).map(Bound::into_any).map_err(|never| match never {}),
        // Python refuses to read ints of many thousand digits from text.
        Err(_) => py.get_type::<PyInt>().call1((digits,)).map_err(|_| beyond(digits, "int")),
    }
}

/// The digits of a whole number that has a fraction or an exponent. `None` if it is not whole, or has more digits than
/// Python reads from text.
#[cold]
fn whole(spelled: &str) -> Option<String> {
    const MOST_DIGITS: usize = 4300;
    let (sign, spelled) = spelled.strip_prefix('-').map_or(("", spelled), |rest| ("-", rest));
    let (mantissa, exponent) = spelled.split_once(['e', 'E']).unwrap_or((spelled, "0"));
    let (before, behind) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let point = before.len().checked_add_signed(exponent.parse().ok()?)?;
    let digits = [before, behind].concat();
    let (whole, part) = digits.split_at(point.min(digits.len()));
    if point > MOST_DIGITS || part.bytes().any(|digit| digit != b'0') {
        return None;
    }
    Some(format!("{sign}{whole:0<point$}"))
}

#[cold]
fn beyond(digits: &str, holder: &str) -> Error {
    let head = digits.get(..40).map_or_else(|| digits.to_owned(), |head| format!("{head}…"));
    Error::new(Code::NotJson, format!("the number {head} is too large for a Python {holder}"))
}
