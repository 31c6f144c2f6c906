//! Freezes a caller's container: containers are copied, leaves stay the caller's own objects.

use pyo3::{
    prelude::*,
    types::{PyBytes, PyDict, PyString},
};
use turnwire_core::{
    report::{
        error::{Code, Error},
        path::Step,
    },
    value::{
        handle::{Text, Value},
        node::MAX_DEPTH,
    },
};

use crate::{
    error::host_fault,
    host::{PyHost, PyStr},
    item::is_item,
    leaf,
    node::{List, Node, deeper, for_each_entry, said},
};

/// The frozen copy of a value. Fails for values that JSON cannot hold, and for nesting deeper than `MAX_DEPTH`.
pub(crate) fn value(value: &Bound<'_, PyAny>) -> Result<Value<PyHost>, Error> {
    frozen(value, MAX_DEPTH, &mut Scratch::default())
}

/// The entries and items of the containers that are being copied. When one is complete, it moves to memory of its own.
#[derive(Default)]
struct Scratch {
    entries: Vec<(Text<PyHost>, Value<PyHost>)>,
    items: Vec<Value<PyHost>>,
}

/// The frozen copy of a payload. Objects in its lists that are turns are kept.
pub(crate) fn payload(value: &Bound<'_, PyAny>) -> Result<Value<PyHost>, Error> {
    let mut scratch = Scratch::default();
    match Node::of(value) {
        Node::Map(dict) => {
            let levels = deeper(MAX_DEPTH)?;
            map(dict, &mut scratch, |value, scratch| elements(value, levels, scratch))
        }
        _ => elements(value, MAX_DEPTH, &mut scratch),
    }
}

/// The frozen copy of what may be a list of messages.
fn elements(value: &Bound<'_, PyAny>, levels: usize, scratch: &mut Scratch) -> Result<Value<PyHost>, Error> {
    match Node::of(value) {
        Node::List(all) => {
            let levels = deeper(levels)?;
            list(all, scratch, |item, scratch| {
                if is_item(item) { Ok(Value::Leaf(item.clone().unbind())) } else { frozen(item, levels, scratch) }
            })
        }
        _ => frozen(value, levels, scratch),
    }
}

/// The frozen copy of a value that JSON can write: no NaN, no infinity, no bytes, no int too long for Python to print.
pub(crate) fn json(value: &Bound<'_, PyAny>) -> Result<Value<PyHost>, Error> {
    let frozen = self::value(value)?;
    writable(value.py(), &frozen)?;
    Ok(frozen)
}

fn writable(py: Python<'_>, value: &Value<PyHost>) -> Result<(), Error> {
    match value {
        Value::Leaf(scalar) if scalar.bind(py).is_instance_of::<PyBytes>() => {
            Err(Error::new(Code::NotJson, "bytes are not JSON: pass them as text"))
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

fn frozen(value: &Bound<'_, PyAny>, levels: usize, scratch: &mut Scratch) -> Result<Value<PyHost>, Error> {
    match Node::of(value) {
        Node::Text(text) => handle(text).map(Value::Text),
        Node::Map(dict) => {
            let levels = deeper(levels)?;
            map(dict, scratch, |value, scratch| frozen(value, levels, scratch))
        }
        Node::List(all) => {
            let levels = deeper(levels)?;
            list(all, scratch, |item, scratch| frozen(item, levels, scratch))
        }
        Node::Null => Ok(Value::Null),
        Node::Bool(flag) => Ok(Value::Bool(flag)),
        Node::Number | Node::Bytes => Ok(Value::Leaf(value.clone().unbind())),
        Node::Buffer(buffer) => Ok(Value::Leaf(leaf::kept(buffer).into_any().unbind())),
        Node::Foreign => frozen(&said(value)?, deeper(levels)?, scratch),
    }
}

/// A dict's entries in order. `frozen` makes each value.
fn map<'py>(
    dict: &Bound<'py, PyDict>,
    scratch: &mut Scratch,
    frozen: impl Fn(&Bound<'py, PyAny>, &mut Scratch) -> Result<Value<PyHost>, Error>,
) -> Result<Value<PyHost>, Error> {
    let start = scratch.entries.len();
    for_each_entry(dict, |key, value| {
        let entry = (handle(key)?, frozen(value, scratch)?);
        scratch.entries.push(entry);
        Ok(())
    })?;
    Ok(Value::Map(scratch.entries.drain(start..).collect()))
}

fn list<'py>(
    list: List<'_, 'py>,
    scratch: &mut Scratch,
    frozen: impl Fn(&Bound<'py, PyAny>, &mut Scratch) -> Result<Value<PyHost>, Error>,
) -> Result<Value<PyHost>, Error> {
    let start = scratch.items.len();
    list.for_each(|item| {
        let item = frozen(item, scratch)?;
        scratch.items.push(item);
        Ok(())
    })?;
    Ok(Value::List(scratch.items.drain(start..).collect()))
}

#[inline]
fn handle(text: &Bound<'_, PyString>) -> Result<Text<PyHost>, Error> {
    PyStr::new(text).map(Text::Host).map_err(host_fault)
}
