//! Writes a payload as Python containers: new dicts and lists around the caller's own strings, or around the caller's own
//! elements.

use pyo3::{
    ffi,
    prelude::*,
    types::{PyBytes, PyDict, PyList, PyString},
};
use turnwire_core::{
    report::error::{Code, Error},
    value::{
        base64,
        door::{Key, Piece, Sink},
        handle::{Input, Raw, Text, Value},
        json,
        mark::Marks,
        node::{ArgsState, MAX_DEPTH},
    },
};

use crate::{
    error::host_fault,
    host::PyHost,
    json::{Loader, number},
    leaf, mark,
    node::{Node, deeper, for_each_entry, said},
    share::OwnElements,
    source::interned,
    string::decoded,
};

/// A payload that is being written as Python containers.
pub(crate) struct PySink<'py> {
    py: Python<'py>,
    /// The containers that are still open. Each is already in its parent.
    open: Vec<Open<'py>>,
    /// The key of the next value in a map: either a known one,
    key: Option<&'static Py<PyString>>,
    /// or one that came with the data.
    key_text: Option<Bound<'py, PyString>>,
    root: Option<Bound<'py, PyAny>>,
    input: Option<Input>,
    loader: Loader<'py>,
    /// The caller's elements, if those that are unchanged are handed on.
    own: Option<OwnElements>,
    /// How many lone surrogates became U+FFFD, which happens only in JSON text.
    replaced: usize,
    fault: Option<Error>,
}

enum Open<'py> {
    List(Bound<'py, PyList>),
    Map(Bound<'py, PyDict>),
}

impl<'py> PySink<'py> {
    pub(crate) fn new(py: Python<'py>) -> Self {
        Self {
            py,
            open: Vec::with_capacity(8),
            key: None,
            key_text: None,
            root: None,
            input: None,
            loader: Loader::new(py),
            own: None,
            replaced: 0,
            fault: None,
        }
    }

    /// Hands on the caller's elements instead of equal copies.
    pub(crate) fn sharing(self, own: Option<OwnElements>) -> Self {
        Self { own, ..self }
    }

    /// The payload, once it is whole.
    pub(crate) fn finish(self) -> Result<Bound<'py, PyAny>, Error> {
        match (self.fault, self.root) {
            (Some(fault), _) => Err(fault),
            (None, Some(root)) => Ok(root),
            (None, None) => Err(Error::new(Code::NotJson, "nothing was written")),
        }
    }

    /// Adds a value to the open container, which takes its own reference.
    #[inline]
    fn put(&mut self, value: &Bound<'py, PyAny>) {
        let status = match self.open.last_mut() {
            // SAFETY: two live objects, the first of them a list, and an attached thread.
            Some(Open::List(list)) => unsafe { ffi::PyList_Append(list.as_ptr(), value.as_ptr()) },
            Some(Open::Map(dict)) => {
                let Some(key) = self.key.take() else { return self.put_under_text(value) };
                // SAFETY: three live objects, the first of them a dict, and an attached thread.
                unsafe { ffi::PyDict_SetItem(dict.as_ptr(), key.as_ptr(), value.as_ptr()) }
            }
            None => {
                self.root = Some(value.clone());
                0
            }
        };
        if status != 0 {
            self.fetch();
        }
    }

    #[inline(never)]
    fn put_under_text(&mut self, value: &Bound<'py, PyAny>) {
        if let (Some(Open::Map(dict)), Some(key)) = (self.open.last(), self.key_text.take())
            && let Err(failure) = dict.set_item(key, value)
        {
            self.fail(failure);
        }
    }

    #[cold]
    #[inline(never)]
    fn fetch(&mut self) {
        self.fail(PyErr::fetch(self.py));
    }

    fn put_or_fail(&mut self, value: Result<Bound<'py, PyAny>, Error>) {
        match value {
            Ok(value) => self.put(&value),
            Err(error) => {
                self.fault.get_or_insert(error);
            }
        }
    }

    #[cold]
    fn fail(&mut self, failure: PyErr) {
        self.fault.get_or_insert_with(|| host_fault(failure));
    }

    fn string(&self, text: &Text<PyHost>) -> Result<Bound<'py, PyString>, Error> {
        string(self.py, text, self.input.as_ref())
    }
}

/// A text as a Python string; the original object if there is one.
pub(crate) fn string<'py>(
    py: Python<'py>,
    text: &Text<PyHost>,
    input: Option<&Input>,
) -> Result<Bound<'py, PyString>, Error> {
    match text {
        Text::Host(text) => Ok(text.object(py).clone()),
        Text::Own(text) => Ok(PyString::new(py, text)),
        Text::Span(_) => from_wtf8(py, &text.wtf8(input)),
    }
}

/// A Python string of WTF-8 bytes: lone surrogates survive.
pub(crate) fn from_wtf8<'py>(py: Python<'py>, bytes: &[u8]) -> Result<Bound<'py, PyString>, Error> {
    decoded(py, bytes).map_err(host_fault)
}

/// A frozen value as Python objects in new containers.
pub(crate) fn thaw<'py>(py: Python<'py>, value: &Value<PyHost>) -> Result<Bound<'py, PyAny>, Error> {
    thaw_around(py, value, None)
}

/// A frozen value as Python objects: `own` elements that are unchanged, and new containers.
fn thaw_around<'py>(
    py: Python<'py>,
    value: &Value<PyHost>,
    own: Option<&OwnElements>,
) -> Result<Bound<'py, PyAny>, Error> {
    if let Some(element) = own.and_then(|own| own.unchanged(py, value)) {
        return Ok(element.clone());
    }
    match value {
        Value::Null => Ok(py.None().into_bound(py)),
        Value::Bool(flag) => Ok(pyo3::types::PyBool::new(py, *flag).to_owned().into_any()),
        Value::Number(digits) => {
            let is_integer = !digits.bytes().any(|byte| matches!(byte, b'.' | b'e' | b'E'));
            number(py, digits, is_integer)
        }
        Value::Leaf(leaf) => Ok(leaf.bind(py).clone()),
        Value::Text(text) => string(py, text, None).map(Bound::into_any),
        Value::List(items) => {
            let list = PyList::empty(py);
            for item in items.iter() {
                list.append(thaw_around(py, item, own)?).map_err(host_fault)?;
            }
            Ok(list.into_any())
        }
        Value::Map(entries) => {
            let dict = PyDict::new(py);
            for (key, value) in entries.iter() {
                dict.set_item(string(py, key, None)?, thaw_around(py, value, own)?).map_err(host_fault)?;
            }
            Ok(dict.into_any())
        }
    }
}

/// A deep copy of a caller's container: new dicts and lists, the same scalars. SDK objects become their exported data.
pub(crate) fn copy<'py>(value: &Bound<'py, PyAny>, levels: usize) -> Result<Bound<'py, PyAny>, Error> {
    let py = value.py();
    match Node::of(value) {
        Node::Map(dict) => {
            let (levels, made) = (deeper(levels)?, PyDict::new(py));
            for_each_entry(dict, |key, value| made.set_item(key, copy(value, levels)?).map_err(host_fault))?;
            Ok(made.into_any())
        }
        Node::List(list) => {
            let (levels, made) = (deeper(levels)?, PyList::empty(py));
            list.for_each(|item| made.append(copy(item, levels)?).map_err(host_fault))?;
            Ok(made.into_any())
        }
        Node::Text(_) | Node::Null | Node::Bool(_) | Node::Number | Node::Bytes => Ok(value.clone()),
        Node::Buffer(buffer) => Ok(leaf::kept(buffer).into_any()),
        Node::Foreign => copy(&said(value)?, deeper(levels)?),
    }
}

impl Sink<PyHost> for PySink<'_> {
    #[inline]
    fn scope(&mut self, input: Option<&Input>) {
        self.input = input.cloned();
    }

    fn open_map(&mut self) {
        let dict = PyDict::new(self.py);
        self.put(&dict);
        self.open.push(Open::Map(dict));
    }

    fn open_list(&mut self) {
        let list = PyList::empty(self.py);
        self.put(&list);
        self.open.push(Open::List(list));
    }

    fn close(&mut self) {
        self.open.pop();
    }

    fn key(&mut self, key: &'static Key) {
        self.key = Some(interned(self.py, key));
    }

    fn key_text(&mut self, key: &Text<PyHost>) {
        match self.string(key) {
            Ok(key) => self.key_text = Some(key),
            Err(error) => {
                self.fault.get_or_insert(error);
            }
        }
    }

    fn literal(&mut self, word: &'static Key) {
        self.put(interned(self.py, word).bind(self.py));
    }

    fn text(&mut self, text: &Text<PyHost>) {
        if let Text::Host(text) = text {
            self.put(text.object(self.py));
        } else {
            let text = self.string(text);
            self.put_or_fail(text.map(Bound::into_any));
        }
    }

    fn pieces(&mut self, pieces: &[Piece<'_, PyHost>]) {
        let mut all = Vec::new();
        for piece in pieces {
            match piece {
                Piece::Str(text) => all.extend_from_slice(text.as_bytes()),
                Piece::Text(text) => all.extend_from_slice(&text.wtf8(self.input.as_ref())),
            }
        }
        self.put_or_fail(from_wtf8(self.py, &all).map(Bound::into_any));
    }

    fn bool(&mut self, value: bool) {
        self.put(&pyo3::types::PyBool::new(self.py, value));
    }

    fn null(&mut self) {
        self.put(self.py.None().bind(self.py));
    }

    fn number(&mut self, number: u64) {
        match number.into_pyobject(self.py) {
            Ok(number) => self.put(&number),
        }
    }

    fn raw(&mut self, raw: &Raw<PyHost>) {
        let value = match raw {
            Raw::Loan(loan) => copy(loan.bind(self.py), MAX_DEPTH),
            Raw::Tree(value) => thaw_around(self.py, value, self.own.as_ref()),
            Raw::Span(span) => match &self.input {
                Some(input) => self.loader.load(input.at(*span)),
                None => Err(Error::new(Code::InvalidJson, "a span without its input")),
            },
            Raw::Own(text) => self.loader.load(text.as_bytes()),
        };
        self.put_or_fail(value);
    }

    fn raw_as_text(&mut self, raw: &Raw<PyHost>) {
        let mut json = Vec::new();
        let written = json::encode::sound(raw, self.input.as_ref(), &mut json);
        self.replaced += *written.as_ref().unwrap_or(&0);
        let text = written.and_then(|_| from_wtf8(self.py, &json));
        self.put_or_fail(text.map(Bound::into_any));
    }

    fn text_as_blob(&mut self, text: &Text<PyHost>) {
        let bytes = base64::decode(&text.wtf8(self.input.as_ref()));
        match bytes {
            Some(bytes) => self.put(&PyBytes::new(self.py, &bytes)),
            None => self.text(text),
        }
    }

    fn text_as_raw(&mut self, text: &Text<PyHost>) -> ArgsState {
        let loaded = {
            let bytes = text.wtf8(self.input.as_ref());
            // Tries to load an object at once, because arguments nearly always are one. Anything else is looked at
            // again.
            match self.loader.load(&bytes) {
                Ok(object) if object.is_instance_of::<PyDict>() => Ok(object),
                // Python cannot hold one of its numbers, so the object cannot be made unchanged.
                Err(fault) if fault.code() == Code::NotJson => Err(ArgsState::Invalid),
                Err(fault) if fault.code() == Code::NoMemory => {
                    self.fault.get_or_insert(fault);
                    Err(ArgsState::Invalid)
                }
                _ => Err(json::read::args_state(&bytes)),
            }
        };
        match loaded {
            Ok(object) => {
                self.put(&object);
                ArgsState::Object
            }
            Err(state) => {
                self.put(&PyDict::new(self.py));
                state
            }
        }
    }

    fn mark<M: Marks<PyHost>>(&mut self, marks: &mut M) -> Result<(), Error> {
        self.root.as_ref().map_or(Ok(()), |payload| mark::add(payload, marks, self.own.is_some()))
    }

    fn replaced(&self) -> usize {
        self.replaced
    }

    fn fault(&mut self) -> Option<Error> {
        self.fault.clone()
    }
}
