//! A caller's containers written as JSON.

use pyo3::{
    prelude::*,
    types::{PyBool, PyByteArray, PyDict, PyList, PyString, PyTuple},
};
use turnwire_core::{
    error::{Code, Error},
    node::MAX_DEPTH,
    path::Step,
};

use super::no_memory;
use crate::{
    freeze::{for_each_entry, too_deep},
    host::units,
    leaf::{self, is_leaf, type_name},
    source::plain,
    wide,
};

/// Writes a caller's value as JSON. Returns how many lone surrogates became U+FFFD; an error's path starts at the value.
pub(crate) fn dump(value: &Bound<'_, PyAny>, out: &mut Vec<u8>) -> Result<usize, Error> {
    dump_at(value, out, MAX_DEPTH)
}

fn dump_at(value: &Bound<'_, PyAny>, out: &mut Vec<u8>, levels: usize) -> Result<usize, Error> {
    if let Ok(text) = value.cast::<PyString>() {
        return units(text).map(|units| wide::json_string(units, out)).map_err(|failure| no_memory(&failure));
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
            replaced +=
                units(name).map(|units| wide::json_string(units, out)).map_err(|failure| no_memory(&failure))?;
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
