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
    text::Units,
    value::MAX_DEPTH,
};

use crate::{
    freeze::{for_each_entry, too_deep},
    host::units,
    leaf::{self, is_leaf, type_name},
    sink::from_wtf8,
    source::plain,
};

/// Keys longer than this are not kept: they rarely come again.
const LONGEST_KEY: usize = 32;
/// Slots for keys that were seen; a power of two.
const SLOTS: usize = 128;

/// Strings of keys that came before: the same few stand in every object of a conversation.
pub(crate) struct Keys<'py>(Vec<Option<Bound<'py, PyString>>>);

impl<'py> Keys<'py> {
    pub(crate) fn new() -> Self {
        Self(Vec::new())
    }

    fn get(&mut self, py: Python<'py>, bytes: &[u8]) -> Result<Bound<'py, PyString>, Error> {
        if bytes.len() > LONGEST_KEY {
            return from_wtf8(py, bytes);
        }
        if self.0.is_empty() {
            self.0.resize(SLOTS, None);
        }
        let hash = bytes.iter().fold(bytes.len(), |hash, byte| hash.wrapping_mul(31).wrapping_add(usize::from(*byte)));
        let Some(slot) = self.0.get_mut(hash & (SLOTS - 1)) else { return from_wtf8(py, bytes) };
        if let Some(known) = slot
            && matches!(units(known), Ok(Units::Ascii(ascii)) if ascii == bytes)
        {
            return Ok(known.clone());
        }
        let made = from_wtf8(py, bytes)?;
        *slot = Some(made.clone());
        Ok(made)
    }
}

/// JSON text as Python objects. The text may be WTF-8: its lone surrogates survive.
pub(crate) fn load<'py>(py: Python<'py>, text: &[u8], keys: &mut Keys<'py>) -> Result<Bound<'py, PyAny>, Error> {
    let mut loading = Loading { py, open: Vec::new(), root: None, keys, fault: None };
    read::build_wtf8(text, &mut loading)?;
    match (loading.fault, loading.root) {
        (None, Some(root)) => Ok(root),
        (Some(fault), _) => Err(fault),
        (None, None) => Err(Error::new(Code::InvalidJson, "expected a value, got nothing")),
    }
}

struct Loading<'a, 'py> {
    py: Python<'py>,
    open: Vec<(Bound<'py, PyAny>, Option<Bound<'py, PyString>>)>,
    root: Option<Bound<'py, PyAny>>,
    keys: &'a mut Keys<'py>,
    fault: Option<Error>,
}

impl<'py> Loading<'_, 'py> {
    fn put(&mut self, value: PyResult<Bound<'py, PyAny>>) {
        let done = value.and_then(|value| match self.open.last_mut() {
            None => {
                self.root = Some(value);
                Ok(())
            }
            Some((container, key)) => match key.take() {
                // SAFETY-free on purpose: both kinds were made below, so these casts cannot fail.
                Some(key) => container.cast::<PyDict>()?.set_item(key, value),
                None => container.cast::<PyList>()?.append(value),
            },
        });
        if let Err(failure) = done {
            self.fault.get_or_insert_with(|| no_memory(&failure));
        }
    }
}

fn no_memory(failure: &PyErr) -> Error {
    Error::new(Code::NoMemory, failure.to_string())
}

impl Builder for Loading<'_, '_> {
    fn null(&mut self, _: usize) {
        self.put(Ok(self.py.None().into_bound(self.py)));
    }

    fn bool(&mut self, value: bool, _: usize) {
        self.put(Ok(PyBool::new(self.py, value).to_owned().into_any()));
    }

    fn number(&mut self, digits: Number<'_>, _: usize) {
        let made = number(self.py, digits.as_str(), digits.is_integer);
        self.put(made);
    }

    fn text(&mut self, body: Body<'_>) {
        match from_wtf8(self.py, &body.wtf8()) {
            Ok(text) => self.put(Ok(text.into_any())),
            Err(error) => {
                self.fault.get_or_insert(error);
            }
        }
    }

    fn key(&mut self, body: Body<'_>) {
        match (self.keys.get(self.py, &body.wtf8()), self.open.last_mut()) {
            (Ok(text), Some((_, key))) => *key = Some(text),
            (Err(error), _) => {
                self.fault.get_or_insert(error);
            }
            (Ok(_), None) => {}
        }
    }

    fn open_list(&mut self, _: usize) {
        self.open.push((PyList::empty(self.py).into_any(), None));
    }

    fn open_map(&mut self, _: usize) {
        self.open.push((PyDict::new(self.py).into_any(), None));
    }

    fn close(&mut self, _: usize) {
        if let Some((container, _)) = self.open.pop() {
            self.put(Ok(container));
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
