//! Python scalars other than text: how numbers and bytes are written as JSON, and when two are equal.

use std::io::Write;

use pyo3::{
    prelude::*,
    types::{PyByteArray, PyBytes, PyFloat, PyInt},
};
use turnwire_core::{
    report::error::{Code, Error},
    value::{base64, json, node::NodeKind},
};

use crate::node::{Node, type_name};

/// A copy of the buffer as immutable bytes.
pub(crate) fn kept<'py>(buffer: &Bound<'py, PyByteArray>) -> Bound<'py, PyBytes> {
    PyBytes::new(buffer.py(), &buffer.to_vec())
}

/// The kind of a scalar, or of an object that is a turn.
pub(crate) fn kind(leaf: &Bound<'_, PyAny>) -> NodeKind {
    Node::of(leaf).kind()
}

/// Writes a scalar as JSON: an int in full, a float with the digits of Python's `repr`, bytes as base64 text.
pub(crate) fn write(leaf: &Bound<'_, PyAny>, out: &mut Vec<u8>) -> Result<(), Error> {
    if let Ok(number) = leaf.cast::<PyInt>() {
        write_int(number, out)
    } else if let Ok(number) = leaf.cast::<PyFloat>() {
        write_float(number.value(), out)
    } else if let Ok(bytes) = leaf.cast::<PyBytes>() {
        write_bytes(bytes.as_bytes(), out);
        Ok(())
    } else {
        Err(Error::new(Code::NotJson, format!("a value of type {} is not JSON", type_name(leaf))))
    }
}

/// Writes bytes as base64 text.
pub(crate) fn write_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    base64::encode(bytes, out);
    out.push(b'"');
}

/// Whether two scalars are equal: numbers by value, whatever their type; bytes by content.
pub(crate) fn same(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> bool {
    // Asks first, because Python can be set to warn when bytes are compared with a number.
    a.is_instance_of::<PyBytes>() == b.is_instance_of::<PyBytes>() && a.eq(b).unwrap_or(false)
}

fn write_int(number: &Bound<'_, PyInt>, out: &mut Vec<u8>) -> Result<(), Error> {
    if let Ok(small) = number.extract::<i64>() {
        return put(out, format_args!("{small}"));
    }
    // Calls the method of `int` itself: a subclass, such as an enum, may print differently.
    let digits = number.py().get_type::<PyInt>().call_method1("__repr__", (number,));
    match digits.and_then(|digits| digits.extract::<String>()) {
        Ok(digits) => put(out, format_args!("{digits}")),
        Err(failure) => Err(Error::new(Code::NotJson, format!("an int that Python cannot write as text: {failure}"))),
    }
}

fn write_float(number: f64, out: &mut Vec<u8>) -> Result<(), Error> {
    if !number.is_finite() {
        return Err(Error::new(Code::NotJson, format!("{number} is not JSON")));
    }
    json::number::float(number, out);
    Ok(())
}

fn put(out: &mut Vec<u8>, text: std::fmt::Arguments<'_>) -> Result<(), Error> {
    out.write_fmt(text).map_err(|failure| Error::new(Code::NoMemory, failure.to_string()))
}
