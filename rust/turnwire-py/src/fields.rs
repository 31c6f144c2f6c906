//! Reads an SDK's pydantic object from its fields: the same data as its own dump, in a fifth of the time.

use std::error::Error as _;

use pyo3::{
    ffi, intern,
    prelude::*,
    sync::PyOnceLock,
    types::{PyBool, PyDict, PyFloat, PyFrozenSet, PyInt, PyList, PyString, PyTuple, PyType},
};
use turnwire_core::{report::error::Error, value::node::MAX_DEPTH};

use crate::{
    error::{host_fault, raise},
    node::for_each_entry,
};

/// How many classes are remembered at most, because a program may keep making new ones.
const MOST: usize = 4096;

/// The data of an object as a new dict. `None` if only the object itself can export it: its class is another one, or it
/// holds a value that is not plain JSON.
pub(crate) fn held<'py>(value: &Bound<'py, PyAny>) -> Result<Option<Bound<'py, PyAny>>, Error> {
    match object(value, MAX_DEPTH) {
        // A key is not a str, or a dict changed while it was read.
        Err(error) if error.source().is_none() => Ok(None),
        made => made,
    }
}

/// [`held`] for Python, which calls the object's own dump if this is `None`.
#[pyfunction]
pub(crate) fn _held<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    held(value).map_err(raise)
}

fn object<'py>(value: &Bound<'py, PyAny>, levels: usize) -> Result<Option<Bound<'py, PyAny>>, Error> {
    let py = value.py();
    let Some(facts) = facts(value).map_err(host_fault)? else { return Ok(None) };
    // SAFETY: a live object and an attached thread; the function returns a new reference, or NULL with an exception.
    let fields =
        unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyObject_GenericGetDict(value.as_ptr(), std::ptr::null_mut())) };
    let fields = fields.map_err(host_fault)?;
    let (Ok(fields), Some(levels)) = (fields.cast::<PyDict>(), levels.checked_sub(1)) else { return Ok(None) };
    let made = PyDict::new(py);
    let mut plain = true;
    for_each_entry(fields, |name, item| {
        if !plain || item.is_none() {
            return Ok(());
        }
        let Some(fact) = facts.get_item(name).map_err(host_fault)? else {
            plain = false;
            return Ok(());
        };
        let fact = fact.cast_into::<PyTuple>().map_err(|error| host_fault(error.into()))?;
        let (alias, kinds) = (fact.get_item(0).map_err(host_fault)?, fact.get_item(1).map_err(host_fault)?);
        plain &= put(&made, &alias, item, kinds.cast::<PyFrozenSet>().ok(), levels)?;
        Ok(())
    })?;
    let extra = value.getattr(intern!(py, "__pydantic_extra__")).map_err(host_fault)?;
    if let Ok(extra) = extra.cast::<PyDict>() {
        for_each_entry(extra, |name, item| {
            plain = plain && (item.is_none() || put(&made, name, item, None, levels)?);
            Ok(())
        })?;
    }
    Ok(plain.then(|| made.into_any()))
}

fn put<'py>(
    made: &Bound<'py, PyDict>,
    key: &Bound<'py, PyAny>,
    item: &Bound<'py, PyAny>,
    kinds: Option<&Bound<'py, PyFrozenSet>>,
    levels: usize,
) -> Result<bool, Error> {
    let Some(plain) = plain(item, kinds, levels)? else { return Ok(false) };
    made.set_item(key, plain).map_err(host_fault)?;
    Ok(true)
}

/// A value in new containers. Each object in it must be of exactly one of the classes `kinds`, or of any class if that
/// is `None`. A dump writes only the declared fields of a subclass, and turns an int into a float where the field asks
/// for one.
fn plain<'py>(
    item: &Bound<'py, PyAny>,
    kinds: Option<&Bound<'py, PyFrozenSet>>,
    levels: usize,
) -> Result<Option<Bound<'py, PyAny>>, Error> {
    let py = item.py();
    if item.is_exact_instance_of::<PyString>() || item.is_none() {
        return Ok(Some(item.clone()));
    }
    let may_be = |kind: Bound<'_, PyType>| kinds.is_none_or(|kinds| kinds.contains(kind).unwrap_or(false));
    if item.is_exact_instance_of::<PyBool>() || item.is_exact_instance_of::<PyInt>() {
        return Ok(may_be(item.get_type()).then(|| item.clone()));
    }
    let Some(levels) = levels.checked_sub(1) else { return Ok(None) };
    if item.is_exact_instance_of::<PyList>() {
        let (list, made) = (item.cast::<PyList>().map_err(|error| host_fault(error.into()))?, PyList::empty(py));
        for item in list {
            let Some(item) = plain(&item, kinds, levels)? else { return Ok(None) };
            made.append(item).map_err(host_fault)?;
        }
        return Ok(Some(made.into_any()));
    }
    if item.is_exact_instance_of::<PyDict>() {
        let (dict, made) = (item.cast::<PyDict>().map_err(|error| host_fault(error.into()))?, PyDict::new(py));
        let mut whole = true;
        for_each_entry(dict, |key, item| {
            whole = whole && key.is_exact_instance_of::<PyString>() && put(&made, key, item, kinds, levels)?;
            Ok(())
        })?;
        return Ok(whole.then(|| made.into_any()));
    }
    if let Ok(number) = item.cast_exact::<PyFloat>() {
        return Ok(number.value().is_finite().then(|| item.clone()));
    }
    if may_be(item.get_type()) { object(item, levels) } else { Ok(None) }
}

/// The fields of an object's class, each with its name on the wire and the classes of objects in it. `None` for a class
/// whose dump may differ from its fields.
fn facts<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyDict>>> {
    static KNOWN: PyOnceLock<Py<PyDict>> = PyOnceLock::new();
    static FIELDS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = value.py();
    let kind = value.get_type();
    let known = KNOWN.get_or_init(py, || PyDict::new(py).unbind()).bind(py);
    if let Some(found) = known.get_item(&kind)? {
        return Ok(found.cast_into().ok());
    }
    let found = FIELDS.import(py, "turnwire._adapt", "fields_of")?.call1((&kind,))?;
    if known.len() >= MOST {
        known.clear();
    }
    known.set_item(&kind, &found)?;
    Ok(found.cast_into().ok())
}
