//! Reads Python objects as a source: dicts, lists and scalars in place, SDK objects through their own export.

use std::{borrow::Cow, cell::Cell, collections::HashSet, error::Error as _, iter};

use pyo3::{
    ffi,
    prelude::*,
    types::{PyBool, PyBoolMethods, PyBytes, PyDict, PyInt, PyList, PyString},
};
use turnwire_core::{
    report::{
        error::Error,
        path::{Path, Step},
    },
    text::Units,
    value::{
        door::{Key, Source},
        handle::{Input, Raw, Text, Value},
        node::{MAX_DEPTH, NodeKind},
    },
};

use crate::{
    error::host_fault,
    host::{PyHost, PyStr, units},
    node::{List, Node, changed, for_each_entry, said, type_name, way_out},
};

/// A node of a payload: plain data, or the export of an SDK's object.
#[derive(Clone)]
pub(crate) struct PySource<'py>(Bound<'py, PyAny>);

thread_local! {
    /// The first fault that a source could not return, because the methods of its trait return no errors; and the
    /// container or object with that fault.
    static FAULT: Cell<Option<(Error, Py<PyAny>)>> = const { Cell::new(None) };
}

/// Keeps the first fault. Reading goes on as if the value were missing, and the result is discarded.
#[cold]
pub(crate) fn keep(fault: Error, of: &Bound<'_, PyAny>) {
    let first = FAULT.take().unwrap_or_else(|| (fault, of.clone().unbind()));
    FAULT.set(Some(first));
}

/// Keeps what a look-up raised: comparing with a key of the caller's own type can fail. Kept apart from the function that
/// runs each time, which then needs fewer registers.
#[cold]
#[inline(never)]
fn keep_raised(of: Borrowed<'_, '_, PyDict>) {
    keep(host_fault(PyErr::fetch(of.py())), of.as_any());
}

/// The result of reading `root`, or the first fault of a source with its path in `root`.
pub(crate) fn settled<'py, T>(
    root: &Bound<'py, PyAny>,
    read: impl FnOnce(&PySource<'py>) -> Result<T, Error>,
) -> Result<T, Error> {
    let read = read(&PySource::new(root.clone()));
    match FAULT.take() {
        None => read,
        Some((fault, of)) => Err(fault_at(root, of.bind(root.py()), fault, read.err())),
    }
}

#[cold]
fn fault_at(root: &Bound<'_, PyAny>, of: &Bound<'_, PyAny>, fault: Error, met: Option<Error>) -> Error {
    let dialect = met.as_ref().and_then(|met| met.dialect().map(str::to_owned));
    let mut steps = Vec::new();
    let path = if find(root, of, &mut steps, &mut HashSet::new()) {
        Path::of(steps)
    } else {
        // The fault is inside an export. The parser's error is the nearest place that is known.
        met.map(|met| met.path().clone()).unwrap_or_default()
    };
    let path = path.join(fault.path());
    let fault = fault.at_path(path);
    match dialect {
        Some(dialect) => fault.in_dialect(&dialect),
        None => fault,
    }
}

/// The path from a container to an object in it.
fn find(here: &Bound<'_, PyAny>, of: &Bound<'_, PyAny>, steps: &mut Vec<Step>, seen: &mut HashSet<usize>) -> bool {
    if here.is(of) {
        return true;
    }
    if steps.len() > MAX_DEPTH || !seen.insert(here.as_ptr().addr()) {
        return false;
    }
    let mut found = false;
    // An error only ends the search here: it is already known.
    let _ = match Node::of(here) {
        Node::Map(dict) => for_each_entry(dict, |key, value| {
            if !found {
                steps.push(Step::Name(key.to_string_lossy().into()));
                found = find(value, of, steps, seen);
                if !found {
                    steps.pop();
                }
            }
            Ok(())
        }),
        Node::List(list) => {
            let mut index = 0;
            list.for_each(|item| {
                if !found {
                    steps.push(Step::Index(index));
                    found = find(item, of, steps, seen);
                    if !found {
                        steps.pop();
                    }
                }
                index += 1;
                Ok(())
            })
        }
        _ => Ok(()),
    };
    found
}

impl<'py> PySource<'py> {
    /// A node for `value`. An object that cannot be exported stays as it is, and is an error where the dialect reads
    /// it.
    #[inline]
    pub(crate) fn new(value: Bound<'py, PyAny>) -> Self {
        // Tries the exact types first, because nearly all values have one of them.
        let is_usual = value.is_exact_instance_of::<PyString>()
            || value.is_exact_instance_of::<PyDict>()
            || value.is_exact_instance_of::<PyList>();
        if is_usual { Self(value) } else { Self::rarer(value) }
    }

    /// The Python object of this node.
    pub(crate) fn object(&self) -> &Bound<'py, PyAny> {
        &self.0
    }

    #[inline(never)]
    fn rarer(value: Bound<'py, PyAny>) -> Self {
        if !matches!(Node::of(&value), Node::Foreign) {
            return Self(value);
        }
        match said(&value) {
            Ok(plain) => Self(plain),
            Err(fault) => {
                // An object without an export is left to the dialect, whose error can say what was expected.
                if fault.source().is_some() {
                    keep(fault, &value);
                }
                Self(value)
            }
        }
    }
}

/// The interned string of a key, made once and kept for the life of the process.
#[inline]
pub(crate) fn interned(py: Python<'_>, key: &'static Key) -> &'static Py<PyString> {
    let address = key.prepared(|name| intern(py, name));
    // SAFETY: the address comes from a `Py<PyString>` that `intern` leaked, because no other host prepares keys in this
    // process. It lives as long as the process.
    unsafe { &*std::ptr::with_exposed_provenance::<Py<PyString>>(address) }
}

/// Apart for the same reason as [`keep_raised`].
#[cold]
#[inline(never)]
fn intern(py: Python<'_>, name: &str) -> usize {
    // Two threads may race here. Both boxes then live on, and both hold the one interned object.
    let made: &'static Py<PyString> = Box::leak(Box::new(PyString::intern(py, name).unbind()));
    std::ptr::from_ref(made).expose_provenance()
}

/// A short string.
#[inline]
fn word<'a>(text: &'a Bound<'_, PyString>) -> PyResult<Cow<'a, str>> {
    Ok(match units(text)? {
        Units::Ascii(word) => Cow::Borrowed(word),
        other => Cow::Owned(wide_word(other)),
    })
}

/// A word that is not a known key, since those are all ASCII.
#[cold]
#[inline(never)]
fn wide_word(units: Units<'_>) -> String {
    String::from_utf8_lossy(&units.wtf8()).into_owned()
}

impl Source for PySource<'_> {
    type H = PyHost;

    #[inline]
    fn kind(&self) -> NodeKind {
        Node::of(&self.0).kind()
    }

    // Called in about 500 places. Inlined, it would make the library 75 kB larger.
    fn get(&self, key: &'static Key) -> Option<Self> {
        let dict = self.0.cast::<PyDict>().ok()?;
        let py = dict.py();
        let mut found = std::ptr::null_mut();
        // SAFETY: a live dict, a live key and an attached thread. The function returns an owned reference.
        let status =
            unsafe { ffi::compat::PyDict_GetItemRef(dict.as_ptr(), interned(py, key).as_ptr(), &raw mut found) };
        match status {
            // SAFETY: with a status of 1 the reference is owned.
            1 => Some(Self::new(unsafe { Bound::from_owned_ptr(py, found) })),
            0 => None,
            _ => {
                keep_raised(dict.as_borrowed());
                None
            }
        }
    }

    #[inline]
    fn len(&self) -> usize {
        match Node::of(&self.0) {
            Node::Map(dict) => dict.len(),
            Node::List(list) => list.len(),
            _ => 0,
        }
    }

    #[inline]
    fn map_len(&self) -> Option<usize> {
        self.0.cast::<PyDict>().ok().map(PyDictMethods::len)
    }

    fn items(&self) -> impl Iterator<Item = Self> {
        let list = if let Node::List(list) = Node::of(&self.0) { Some(list) } else { None };
        let length = list.map_or(0, List::len);
        let mut at = 0;
        iter::from_fn(move || {
            let list = list?;
            // Checked before each item and once after the last.
            if list.len() != length {
                keep(changed(), &self.0);
                return None;
            }
            let item = list.get(at);
            at += 1;
            item
        })
        .map(Self::new)
    }

    fn entries(&self) -> impl Iterator<Item = (Text<PyHost>, Self)> {
        let mut entries = Vec::new();
        if let Node::Map(dict) = Node::of(&self.0) {
            let walked = for_each_entry(dict, |key, value| {
                entries.push((Text::Host(PyStr::new(key).map_err(host_fault)?), Self::new(value.clone())));
                Ok(())
            });
            if let Err(fault) = walked {
                keep(fault, &self.0);
            }
        }
        entries.into_iter()
    }

    fn each_entry(&self, mut show: impl FnMut(&str, &Self)) {
        let Node::Map(dict) = Node::of(&self.0) else { return };
        let walked = for_each_entry(dict, |key, value| {
            show(&word(key).map_err(host_fault)?, &Self::new(value.clone()));
            Ok(())
        });
        if let Err(fault) = walked {
            keep(fault, &self.0);
        }
    }

    #[inline]
    fn text(&self) -> Option<Text<PyHost>> {
        self.0.cast::<PyString>().ok().and_then(|text| PyStr::new(text).ok()).map(Text::Host)
    }

    #[inline]
    fn word(&self) -> Option<Cow<'_, str>> {
        word(self.0.cast::<PyString>().ok()?).ok()
    }

    fn bool(&self) -> Option<bool> {
        self.0.cast::<PyBool>().ok().map(PyBoolMethods::is_true)
    }

    #[inline]
    fn count(&self) -> Option<u64> {
        self.0.cast::<PyInt>().ok().filter(|_| self.kind() == NodeKind::Number)?.extract().ok()
    }

    #[inline]
    fn raw(&self) -> Raw<PyHost> {
        match self.kind() {
            NodeKind::Null => Raw::Tree(Value::Null),
            NodeKind::Text => self.text().map_or(Raw::Tree(Value::Null), |text| Raw::Tree(Value::Text(text))),
            NodeKind::Bool => Raw::Tree(Value::Bool(self.bool().unwrap_or_default())),
            NodeKind::Number => Raw::Tree(Value::Leaf(self.0.clone().unbind())),
            NodeKind::Blob if self.0.is_instance_of::<PyBytes>() => Raw::Tree(Value::Leaf(self.0.clone().unbind())),
            NodeKind::List | NodeKind::Map | NodeKind::Blob | NodeKind::Other => Raw::Loan(self.0.clone().unbind()),
        }
    }

    fn describe(&self) -> String {
        match self.kind() {
            NodeKind::Other => format!("an object of type {}{}", type_name(&self.0), way_out(&self.0)),
            kind => kind.name().to_owned(),
        }
    }

    fn input(&self) -> Option<&Input> {
        None
    }
}
