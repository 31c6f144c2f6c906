//! Classifies Python values by their JSON type, and reads containers safely although they may change meanwhile.

use pyo3::{
    ffi,
    prelude::*,
    sync::{PyOnceLock, critical_section::with_critical_section},
    types::{PyBool, PyByteArray, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple},
};
use turnwire_core::{
    report::{
        error::{Code, Error},
        path::Step,
    },
    value::node::{MAX_DEPTH, NodeKind},
};

use crate::fields;

/// A Python value by what JSON would call it.
pub(crate) enum Node<'a, 'py> {
    Text(&'a Bound<'py, PyString>),
    Map(&'a Bound<'py, PyDict>),
    List(List<'a, 'py>),
    Null,
    Bool(bool),
    /// An int or a float.
    Number,
    Bytes,
    /// A buffer that its owner may still change.
    Buffer(&'a Bound<'py, PyByteArray>),
    /// Any other object, which has to be exported first: see [`said`].
    Foreign,
}

impl<'a, 'py> Node<'a, 'py> {
    #[inline]
    pub(crate) fn of(value: &'a Bound<'py, PyAny>) -> Self {
        if let Ok(text) = value.cast::<PyString>() {
            Self::Text(text)
        } else if let Ok(dict) = value.cast::<PyDict>() {
            Self::Map(dict)
        } else if let Ok(list) = value.cast::<PyList>() {
            Self::List(List::List(list))
        } else if let Ok(tuple) = value.cast::<PyTuple>() {
            Self::List(List::Tuple(tuple))
        } else if value.is_none() {
            Self::Null
        } else if let Ok(flag) = value.cast::<PyBool>() {
            Self::Bool(flag.is_true())
        } else if value.is_instance_of::<PyInt>() || value.is_instance_of::<PyFloat>() {
            Self::Number
        } else if value.is_instance_of::<PyBytes>() {
            Self::Bytes
        } else if let Ok(buffer) = value.cast::<PyByteArray>() {
            Self::Buffer(buffer)
        } else {
            Self::Foreign
        }
    }

    #[inline]
    pub(crate) fn kind(&self) -> NodeKind {
        match self {
            Self::Text(_) => NodeKind::Text,
            Self::Map(_) => NodeKind::Map,
            Self::List(_) => NodeKind::List,
            Self::Null => NodeKind::Null,
            Self::Bool(_) => NodeKind::Bool,
            Self::Number => NodeKind::Number,
            Self::Bytes | Self::Buffer(_) => NodeKind::Blob,
            Self::Foreign => NodeKind::Other,
        }
    }
}

/// A list or a tuple.
#[derive(Clone, Copy)]
pub(crate) enum List<'a, 'py> {
    List(&'a Bound<'py, PyList>),
    Tuple(&'a Bound<'py, PyTuple>),
}

impl<'py> List<'_, 'py> {
    #[inline]
    pub(crate) fn len(self) -> usize {
        match self {
            Self::List(list) => list.len(),
            Self::Tuple(tuple) => tuple.len(),
        }
    }

    /// The item at `index`. Asks for the length first, because an index beyond the end would make an exception.
    #[inline]
    pub(crate) fn get(self, index: usize) -> Option<Bound<'py, PyAny>> {
        match self {
            Self::List(list) if index < list.len() => list.get_item(index).ok(),
            Self::Tuple(tuple) if index < tuple.len() => tuple.get_item(index).ok(),
            _ => None,
        }
    }

    /// Visits every item in order. An error's path begins with the index.
    pub(crate) fn for_each(self, mut visit: impl FnMut(&Bound<'py, PyAny>) -> Result<(), Error>) -> Result<(), Error> {
        let length = self.len();
        for index in 0..length {
            let item = self.get(index).ok_or_else(changed)?;
            visit(&item).map_err(|error| error.under(Step::Index(index)))?;
        }
        if self.len() == length { Ok(()) } else { Err(changed()) }
    }
}

/// Visits every entry of a dict in order. An error's path begins with the key. A dict that changes meanwhile is an
/// error; PyO3's iterator would panic.
pub(crate) fn for_each_entry<'py>(
    dict: &Bound<'py, PyDict>,
    mut visit: impl FnMut(&Bound<'py, PyString>, &Bound<'py, PyAny>) -> Result<(), Error>,
) -> Result<(), Error> {
    with_critical_section(dict.as_any(), || {
        let length = dict.len();
        let mut place = 0;
        let mut seen = 0;
        let (mut key, mut value) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: a live dict and an attached thread. The function checks `place` against the dict as it is now. The
        // dict cannot change before the next line has made owned references to the key and value that it lent.
        while unsafe { ffi::PyDict_Next(dict.as_ptr(), &raw mut place, &raw mut key, &raw mut value) } != 0 {
            // SAFETY: the dict has just lent both.
            let (key, value) =
                unsafe { (Bound::from_borrowed_ptr(dict.py(), key), Bound::from_borrowed_ptr(dict.py(), value)) };
            let key = key
                .cast::<PyString>()
                .map_err(|_| Error::new(Code::NotJson, format!("a key of type {}: expected a str", type_name(&key))))?;
            visit(key, &value).map_err(|error| error.under(Step::Name(key.to_string_lossy().into())))?;
            seen += 1;
            if dict.len() != length || seen > length {
                return Err(changed());
            }
        }
        if seen == length { Ok(()) } else { Err(changed()) }
    })
}

/// The error for a container that changed while it was read.
#[cold]
pub(crate) fn changed() -> Error {
    Error::new(Code::ChangedWhileRead, "a container was changed while it was read")
}

/// The levels that are left inside one more container.
#[inline]
pub(crate) fn deeper(levels: usize) -> Result<usize, Error> {
    levels.checked_sub(1).ok_or_else(|| Error::new(Code::TooDeep, format!("nested deeper than {MAX_DEPTH} containers")))
}

/// The data of a foreign object, from its own export method and never from its attributes. An error says why there is
/// none: the method failed, or there is no such method.
#[cold]
pub(crate) fn said<'py>(value: &Bound<'py, PyAny>) -> Result<Bound<'py, PyAny>, Error> {
    static TO_PLAIN: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    if let Some(held) = fields::held(value)? {
        return Ok(held);
    }
    asked(value, |py| TO_PLAIN.import(py, "turnwire._adapt", "to_plain")?.call1((value,)))
}

/// The data of a stream's event. Its export may leave out what is not needed, or only its attributes may have the data.
pub(crate) fn said_event<'py>(value: &Bound<'py, PyAny>, by_attribute: bool) -> Result<Bound<'py, PyAny>, Error> {
    static TO_EVENT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    asked(value, |py| TO_EVENT.import(py, "turnwire._adapt", "to_event")?.call1((value, by_attribute)))
}

fn asked<'py>(
    value: &Bound<'py, PyAny>,
    export: impl FnOnce(Python<'py>) -> PyResult<Bound<'py, PyAny>>,
) -> Result<Bound<'py, PyAny>, Error> {
    let failed = |failure: PyErr| {
        let text = format!("a value of type {} failed to give its content: {failure}", type_name(value));
        Error::new(Code::NotJson, text).because(failure)
    };
    let data = export(value.py()).map_err(failed)?;
    if data.is_none() || matches!(Node::of(&data), Node::Foreign) { Err(no_data(value)) } else { Ok(data) }
}

/// The error for an object that has no data to export.
#[cold]
fn no_data(value: &Bound<'_, PyAny>) -> Error {
    Error::new(Code::NotJson, format!("a value of type {} is not JSON{}", type_name(value), way_out(value)))
}

/// Advice on how to convert a value that turnwire does not read, after a colon. Empty if there is none.
#[cold]
pub(crate) fn way_out(value: &Bound<'_, PyAny>) -> String {
    let found = value.py().import("turnwire._adapt").and_then(|adapt| adapt.call_method1("way_out", (value,)));
    match found.and_then(|way| way.extract::<String>()) {
        Ok(way) if !way.is_empty() => format!(": {way}"),
        _ => String::new(),
    }
}

/// The name of a value's type, for error messages.
pub(crate) fn type_name(value: &Bound<'_, PyAny>) -> String {
    value.get_type().name().map_or_else(|_| "unknown".into(), |name| name.to_string())
}
