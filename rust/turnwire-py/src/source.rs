//! Python objects as a source: dicts, lists and scalars read where they lie, SDK objects by what they say of themselves.

use std::borrow::Cow;

use pyo3::{
    ffi,
    prelude::*,
    sync::PyOnceLock,
    types::{PyBool, PyBoolMethods, PyByteArray, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple},
};
use turnwire_core::{
    handle::{Input, Raw, Text, Value},
    node::NodeKind,
    text::Units,
    value::{Key, Source},
};

use crate::{
    freeze::for_each_entry,
    host::{PyHost, PyStr, units},
    leaf::type_name,
};

/// A node of a payload: plain data, or what an SDK's object says of itself.
#[derive(Clone)]
pub(crate) struct PySource<'py>(Bound<'py, PyAny>);

impl<'py> PySource<'py> {
    /// A node of `value`. An object that cannot say what it holds stays what it is, and is an error where it is met.
    #[inline]
    pub(crate) fn new(value: Bound<'py, PyAny>) -> Self {
        // The exact types first: they are nearly all there is.
        let is_usual = value.is_exact_instance_of::<PyString>()
            || value.is_exact_instance_of::<PyDict>()
            || value.is_exact_instance_of::<PyList>();
        if is_usual { Self(value) } else { Self::rarer(value) }
    }

    /// What is there.
    pub(crate) fn object(&self) -> &Bound<'py, PyAny> {
        &self.0
    }

    #[inline(never)]
    fn rarer(value: Bound<'py, PyAny>) -> Self {
        if is_plain(&value) {
            return Self(value);
        }
        match plain(&value) {
            Ok(Some(plain)) => Self(plain),
            _ => Self(value),
        }
    }
}

/// Whether a value is data already.
pub(crate) fn is_plain(value: &Bound<'_, PyAny>) -> bool {
    value.is_none()
        || value.is_instance_of::<PyString>()
        || value.is_instance_of::<PyDict>()
        || value.is_instance_of::<PyList>()
        || value.is_instance_of::<PyInt>()
        || value.is_instance_of::<PyFloat>()
        || value.is_instance_of::<PyTuple>()
        || value.is_instance_of::<PyBytes>()
        || value.is_instance_of::<PyByteArray>()
}

/// What a foreign object holds, as plain data: by its own export method, never by its attributes.
pub(crate) fn plain<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    static TO_PLAIN: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let found = TO_PLAIN.import(value.py(), "turnwire._adapt", "to_plain")?.call1((value,))?;
    Ok((!found.is_none()).then_some(found).filter(is_plain))
}

/// The interned string of a key, made once and kept for the life of the process.
#[inline]
pub(crate) fn interned(py: Python<'_>, key: &'static Key) -> &'static Py<PyString> {
    let address = key.prepared(|name| intern(py, name));
    // SAFETY: the address is that of a `Py<PyString>` leaked by `intern`: no other host prepares keys in this process. It
    // lives as long as the process does.
    unsafe { &*std::ptr::with_exposed_provenance::<Py<PyString>>(address) }
}

/// Apart from what is called each time, which needs no registers kept for this.
#[cold]
#[inline(never)]
fn intern(py: Python<'_>, name: &str) -> usize {
    // Two threads may race here; both strings then live on, and both are the one interned object.
    let made: &'static Py<PyString> = Box::leak(Box::new(PyString::intern(py, name).unbind()));
    std::ptr::from_ref(made).expose_provenance()
}

/// A word that is none of ours: they are all ASCII.
#[cold]
#[inline(never)]
fn wide_word(units: Units<'_>) -> String {
    String::from_utf8_lossy(&units.wtf8()).into_owned()
}

impl Source for PySource<'_> {
    type H = PyHost;

    #[inline]
    fn kind(&self) -> NodeKind {
        let value = &self.0;
        if value.is_instance_of::<PyString>() {
            NodeKind::Text
        } else if value.is_instance_of::<PyDict>() {
            NodeKind::Map
        } else if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
            NodeKind::List
        } else if value.is_none() {
            NodeKind::Null
        } else if value.is_instance_of::<PyBool>() {
            NodeKind::Bool
        } else if value.is_instance_of::<PyInt>() || value.is_instance_of::<PyFloat>() {
            NodeKind::Number
        } else if value.is_instance_of::<PyBytes>() || value.is_instance_of::<PyByteArray>() {
            NodeKind::Blob
        } else {
            NodeKind::Other
        }
    }

    #[inline]
    fn get(&self, key: &'static Key) -> Option<Self> {
        let dict = self.0.cast::<PyDict>().ok()?;
        let py = dict.py();
        let mut found = std::ptr::null_mut();
        // SAFETY: a live dict, a live key and an attached thread. The function gives a reference of our own.
        let status =
            unsafe { ffi::compat::PyDict_GetItemRef(dict.as_ptr(), interned(py, key).as_ptr(), &raw mut found) };
        match status {
            // SAFETY: a status of 1 comes with a reference that is ours.
            1 => Some(Self::new(unsafe { Bound::from_owned_ptr(py, found) })),
            0 => None,
            _ => {
                // A key of the caller's own type can fail to compare; then it is not this key.
                drop(PyErr::take(py));
                None
            }
        }
    }

    #[inline]
    fn len(&self) -> usize {
        if let Ok(dict) = self.0.cast::<PyDict>() {
            dict.len()
        } else if let Ok(list) = self.0.cast::<PyList>() {
            list.len()
        } else if let Ok(tuple) = self.0.cast::<PyTuple>() {
            tuple.len()
        } else {
            0
        }
    }

    fn items(&self) -> impl Iterator<Item = Self> {
        // By index, so that a list which shrinks meanwhile only ends early. The length is asked first: an index beyond the
        // end would make an exception.
        let (list, tuple) = (self.0.cast::<PyList>().ok(), self.0.cast::<PyTuple>().ok());
        (0..)
            .map_while(move |index| match (list, tuple) {
                (Some(list), _) if index < list.len() => list.get_item(index).ok(),
                (_, Some(tuple)) if index < tuple.len() => tuple.get_item(index).ok(),
                _ => None,
            })
            .map(Self::new)
    }

    fn entries(&self) -> impl Iterator<Item = (Text<PyHost>, Self)> {
        let mut entries = Vec::new();
        if let Ok(dict) = self.0.cast::<PyDict>() {
            // A dict that changes meanwhile ends the walk early; copying it is what reports that.
            let _ = for_each_entry(dict, |key, value| {
                if let Ok(key) = key.cast::<PyString>()
                    && let Ok(key) = PyStr::new(key)
                {
                    entries.push((Text::Host(key), Self::new(value.clone())));
                }
                Ok(())
            });
        }
        entries.into_iter()
    }

    #[inline]
    fn text(&self) -> Option<Text<PyHost>> {
        self.0.cast::<PyString>().ok().and_then(|text| PyStr::new(text).ok()).map(Text::Host)
    }

    #[inline]
    fn word(&self) -> Option<Cow<'_, str>> {
        match units(self.0.cast::<PyString>().ok()?).ok()? {
            // SAFETY: ASCII is UTF-8.
            Units::Ascii(bytes) => Some(Cow::Borrowed(unsafe { std::str::from_utf8_unchecked(bytes) })),
            other => Some(Cow::Owned(wide_word(other))),
        }
    }

    fn bool(&self) -> Option<bool> {
        self.0.cast::<PyBool>().ok().map(PyBoolMethods::is_true)
    }

    #[inline]
    fn raw(&self) -> Raw<PyHost> {
        match self.kind() {
            NodeKind::Null => Raw::Tree(Value::Null),
            NodeKind::Text => self.text().map_or(Raw::Tree(Value::Null), |text| Raw::Tree(Value::Text(text))),
            NodeKind::Bool => Raw::Tree(Value::Bool(self.bool().unwrap_or_default())),
            NodeKind::Number => Raw::Tree(Value::Leaf(self.0.clone().unbind())),
            NodeKind::List | NodeKind::Map | NodeKind::Blob | NodeKind::Other => Raw::Loan(self.0.clone().unbind()),
        }
    }

    fn describe(&self) -> String {
        match self.kind() {
            NodeKind::Other => format!("an object of type {}", type_name(&self.0)),
            kind => kind.name().to_owned(),
        }
    }

    fn input(&self) -> Option<&Input> {
        None
    }
}
