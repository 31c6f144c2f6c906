//! JSON text and Python objects: text read straight into dicts and lists, and a caller's containers written as JSON.

use pyo3::{
    prelude::*,
    types::{PyBool, PyByteArray, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple},
};
use turnwire_core::{
    error::{Code, Error},
    json::{
        escape,
        read::{self, Body, Builder, Number},
    },
    path::Step,
    value::MAX_DEPTH,
};

use crate::{
    freeze::{for_each_entry, too_deep},
    host::units,
    leaf::{self, is_leaf, type_name},
    source::plain,
    string::decoded,
};

/// Keys longer than this are not kept: two numbers would not tell them apart.
const LONGEST_KEY: usize = 16;
/// Slots for keys that were seen; a power of two.
const SLOTS: usize = 128;

/// Strings of keys that came before, each by its mark: the same few stand in every object of a conversation.
struct Keys<'py>(Vec<Option<(Mark, Bound<'py, PyString>)>>);

impl<'py> Keys<'py> {
    fn get(&mut self, py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
        let Some(mark) = mark(bytes) else { return decoded(py, bytes) };
        if self.0.is_empty() {
            self.0.resize(SLOTS, None);
        }
        let hash = (mark.1 ^ mark.2.rotate_left(29)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        // Two slots for each, so that two keys of every object do not drive each other out.
        let pair = (hash >> 57) as usize % SLOTS;
        for slot in [pair, pair ^ 1] {
            if let Some(Some((known, text))) = self.0.get(slot)
                && *known == mark
            {
                return Ok(text.clone());
            }
        }
        let made = decoded(py, bytes)?;
        let free = self.0.get(pair).is_some_and(Option::is_none);
        if let Some(slot) = self.0.get_mut(if free { pair } else { pair ^ 1 }) {
            *slot = Some((mark, made.clone()));
        }
        Ok(made)
    }
}

/// What no other key has: the length of a short key, its first and its last bytes, which overlap or meet.
type Mark = (usize, u64, u64);

fn mark(key: &[u8]) -> Option<Mark> {
    let half = |half: &[u8; 4]| u64::from(u32::from_le_bytes(*half));
    let (first, last) = match key {
        [_, _, _, _, _, _, _, _, ..] => {
            (u64::from_le_bytes(*key.first_chunk()?), u64::from_le_bytes(*key.last_chunk()?))
        }
        [_, _, _, _, ..] => (half(key.first_chunk()?), half(key.last_chunk()?)),
        [first, .., last] => (u64::from(*first) << 8 | u64::from(*key.get(1)?), u64::from(*last)),
        [only] => (u64::from(*only), 0),
        [] => (0, 0),
    };
    (key.len() <= LONGEST_KEY).then_some((key.len(), first, last))
}

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
        Self { py, open: Vec::new(), root: None, keys: Keys(Vec::new()), fault: None }
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

fn no_memory(failure: &PyErr) -> Error {
    Error::new(Code::NoMemory, failure.to_string())
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

/// Writes a caller's value as JSON. Returns how many lone surrogates became U+FFFD; an error's path starts at the value.
pub(crate) fn dump(value: &Bound<'_, PyAny>, out: &mut Vec<u8>) -> Result<usize, Error> {
    dump_at(value, out, MAX_DEPTH)
}

fn dump_at(value: &Bound<'_, PyAny>, out: &mut Vec<u8>, levels: usize) -> Result<usize, Error> {
    if let Ok(text) = value.cast::<PyString>() {
        return units(text).map(|units| escape::string(units, out)).map_err(|failure| no_memory(&failure));
    }
    let deeper = || levels.checked_sub(1).ok_or_else(too_deep);
    if let Ok(dict) = value.cast::<PyDict>() {
        let (levels, mut replaced) = (deeper()?, 0);
        out.push(b'{');
        for_each_entry(dict, |key, value| {
            let Ok(name) = key.cast::<PyString>() else {
                return Err(Error::new(Code::NotJson, format!("a key of type {}: expected a str", type_name(key))));
            };
            comma(out);
            replaced += units(name).map(|units| escape::string(units, out)).map_err(|failure| no_memory(&failure))?;
            out.push(b':');
            replaced +=
                dump_at(value, out, levels).map_err(|error| error.under(Step::Name(name.to_string_lossy().into())))?;
            Ok(())
        })?;
        out.push(b'}');
        return Ok(replaced);
    }
    if let Ok(list) = value.cast::<PyList>() {
        return dump_items(list.iter(), out, deeper()?);
    }
    if let Ok(tuple) = value.cast::<PyTuple>() {
        return dump_items(tuple.iter(), out, deeper()?);
    }
    if value.is_none() {
        out.extend_from_slice(b"null");
        return Ok(0);
    }
    if let Ok(flag) = value.cast::<PyBool>() {
        out.extend_from_slice(if flag.is_true() { b"true" } else { b"false" });
        return Ok(0);
    }
    if is_leaf(value) {
        return leaf::write(value, out).map(|()| 0);
    }
    if let Ok(bytes) = value.cast::<PyByteArray>() {
        out.push(b'"');
        turnwire_core::base64::encode(&bytes.to_vec(), out);
        out.push(b'"');
        return Ok(0);
    }
    match plain(value) {
        Ok(Some(data)) => dump_at(&data, out, deeper()?),
        _ => Err(Error::new(Code::NotJson, format!("a value of type {} is not JSON", type_name(value)))),
    }
}

fn dump_items<'py>(
    items: impl Iterator<Item = Bound<'py, PyAny>>,
    out: &mut Vec<u8>,
    levels: usize,
) -> Result<usize, Error> {
    let mut replaced = 0;
    out.push(b'[');
    for (index, item) in items.enumerate() {
        comma(out);
        replaced += dump_at(&item, out, levels).map_err(|error| error.under(Step::Index(index)))?;
    }
    out.push(b']');
    Ok(replaced)
}

/// A comma before any entry but the first: the last byte tells, as no value ends in an opening bracket.
fn comma(out: &mut Vec<u8>) {
    if !matches!(out.last(), Some(b'{' | b'[')) {
        out.push(b',');
    }
}
