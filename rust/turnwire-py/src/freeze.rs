//! A caller's container as a frozen value: the containers are copied, the leaves stay the caller's own objects.

use pyo3::{
    ffi,
    prelude::*,
    sync::critical_section::with_critical_section,
    types::{PyBool, PyByteArray, PyBytes, PyDict, PyList, PyString, PyTuple},
};
use turnwire_core::{
    error::{Code, Error},
    handle::{Text, Value},
    node::MAX_DEPTH,
    path::Step,
};

use crate::{
    host::{PyHost, PyStr},
    item::is_item,
    leaf::{self, is_leaf, type_name},
    source::plain,
};

/// The frozen copy of a value. Fails for what JSON has no word for, and for what is nested deeper than `MAX_DEPTH`.
pub(crate) fn value(value: &Bound<'_, PyAny>) -> Result<Value<PyHost>, Error> {
    frozen(value, MAX_DEPTH)
}

/// The frozen copy of a payload, in whose lists objects that are turns stay what they are.
pub(crate) fn payload(value: &Bound<'_, PyAny>) -> Result<Value<PyHost>, Error> {
    if let Some(elements) = elements(value, MAX_DEPTH)? {
        return Ok(elements);
    }
    let Ok(dict) = value.cast::<PyDict>() else { return self::value(value) };
    let levels = deeper(MAX_DEPTH)?;
    entries(dict, |value| match elements(value, levels)? {
        Some(elements) => Ok(elements),
        None => frozen(value, levels),
    })
}

/// The frozen copy of a list with an object in it that is a turn; `None` for any other value.
fn elements(value: &Bound<'_, PyAny>, levels: usize) -> Result<Option<Value<PyHost>>, Error> {
    let list: Vec<_> = match (value.cast::<PyList>(), value.cast::<PyTuple>()) {
        (Ok(list), _) => list.iter().collect(),
        (_, Ok(tuple)) => tuple.iter().collect(),
        _ => return Ok(None),
    };
    if !list.iter().any(is_item) {
        return Ok(None);
    }
    let levels = deeper(levels)?;
    let frozen = items(list.into_iter(), |item| {
        if is_item(item) { Ok(Value::Leaf(item.clone().unbind())) } else { frozen(item, levels) }
    })?;
    Ok(Some(Value::List(frozen.into())))
}

/// The frozen copy of a value that JSON can write: no NaN, no infinity, no bytes, no int beyond what Python prints.
pub(crate) fn json(value: &Bound<'_, PyAny>) -> Result<Value<PyHost>, Error> {
    let frozen = self::value(value)?;
    writable(value.py(), &frozen)?;
    Ok(frozen)
}

fn writable(py: Python<'_>, value: &Value<PyHost>) -> Result<(), Error> {
    match value {
        Value::Leaf(scalar) if scalar.bind(py).is_instance_of::<PyBytes>() => {
            Err(Error::new(Code::NotJson, "bytes are not JSON: give their text"))
        }
        Value::Leaf(scalar) => leaf::write(scalar.bind(py), &mut Vec::new()),
        Value::List(items) => items
            .iter()
            .enumerate()
            .try_for_each(|(index, item)| writable(py, item).map_err(|error| error.under(Step::Index(index)))),
        Value::Map(entries) => entries.iter().try_for_each(|(key, value)| {
            writable(py, value).map_err(|error| error.under(Step::Name(key.to_str(None).as_ref().into())))
        }),
        _ => Ok(()),
    }
}

fn frozen(value: &Bound<'_, PyAny>, levels: usize) -> Result<Value<PyHost>, Error> {
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(Value::Text(handle(text)?));
    }
    if let Ok(dict) = value.cast::<PyDict>() {
        let levels = deeper(levels)?;
        return entries(dict, |value| frozen(value, levels));
    }
    if let Ok(list) = value.cast::<PyList>() {
        let length = list.len();
        let levels = deeper(levels)?;
        let items = items(list.iter(), |item| frozen(item, levels))?;
        return if items.len() == length { Ok(Value::List(items.into())) } else { Err(changed()) };
    }
    if let Ok(tuple) = value.cast::<PyTuple>() {
        let levels = deeper(levels)?;
        return Ok(Value::List(items(tuple.iter(), |item| frozen(item, levels))?.into()));
    }
    if value.is_none() {
        return Ok(Value::Null);
    }
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(Value::Bool(flag.is_true()));
    }
    if let Ok(bytes) = value.cast::<PyByteArray>() {
        // Its owner may still change it.
        return Ok(Value::Leaf(PyBytes::new(value.py(), &bytes.to_vec()).into_any().unbind()));
    }
    if is_leaf(value) {
        return Ok(Value::Leaf(value.clone().unbind()));
    }
    match plain(value) {
        Ok(Some(data)) => frozen(&data, deeper(levels)?),
        _ => Err(Error::new(Code::NotJson, format!("a value of type {} is not JSON", type_name(value)))),
    }
}

/// A dict's entries in their order, each value as `frozen` makes it.
fn entries<'py>(
    dict: &Bound<'py, PyDict>,
    frozen: impl Fn(&Bound<'py, PyAny>) -> Result<Value<PyHost>, Error>,
) -> Result<Value<PyHost>, Error> {
    let mut entries = Vec::with_capacity(dict.len());
    for_each_entry(dict, |key, value| {
        let Ok(key) = key.cast::<PyString>() else {
            return Err(Error::new(Code::NotJson, format!("a key of type {}: expected a str", type_name(key))));
        };
        let value = frozen(value).map_err(|error| error.under(Step::Name(key.to_string_lossy().into())))?;
        entries.push((handle(key)?, value));
        Ok(())
    })?;
    Ok(Value::Map(entries.into()))
}

fn items<'py>(
    items: impl Iterator<Item = Bound<'py, PyAny>>,
    frozen: impl Fn(&Bound<'py, PyAny>) -> Result<Value<PyHost>, Error>,
) -> Result<Vec<Value<PyHost>>, Error> {
    let items = items.enumerate();
    items.map(|(index, item)| frozen(&item).map_err(|error| error.under(Step::Index(index)))).collect()
}

fn handle(text: &Bound<'_, PyString>) -> Result<Text<PyHost>, Error> {
    PyStr::new(text).map(Text::Host).map_err(|_| Error::new(Code::NoMemory, "no memory for a string's data"))
}

fn deeper(levels: usize) -> Result<usize, Error> {
    levels.checked_sub(1).ok_or_else(too_deep)
}

/// One container too many.
#[cold]
pub(crate) fn too_deep() -> Error {
    Error::new(Code::TooDeep, format!("nested deeper than {MAX_DEPTH} containers"))
}

fn changed() -> Error {
    Error::new(Code::ChangedWhileRead, "a container was changed while it was read")
}

/// Every entry of a dict in its own order. PyO3's iterator would panic if another thread changed the dict; here that is
/// an error.
pub(crate) fn for_each_entry<'py>(
    dict: &Bound<'py, PyDict>,
    mut visit: impl FnMut(&Bound<'py, PyAny>, &Bound<'py, PyAny>) -> Result<(), Error>,
) -> Result<(), Error> {
    with_critical_section(dict.as_any(), || {
        let length = dict.len();
        let mut place = 0;
        let mut seen = 0;
        let (mut key, mut value) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: a live dict and an attached thread; the function checks `place` against the dict as it is now, and the
        // dict cannot change before the next line holds references of our own to what it lent.
        while unsafe { ffi::PyDict_Next(dict.as_ptr(), &raw mut place, &raw mut key, &raw mut value) } != 0 {
            // SAFETY: both were just lent by the dict.
            let (key, value) =
                unsafe { (Bound::from_borrowed_ptr(dict.py(), key), Bound::from_borrowed_ptr(dict.py(), value)) };
            visit(&key, &value)?;
            seen += 1;
            if dict.len() != length || seen > length {
                return Err(changed());
            }
        }
        if seen == length { Ok(()) } else { Err(changed()) }
    })
}
