//! Writes a caller's containers as JSON.

use pyo3::{prelude::*, types::PyString};
use turnwire_core::{report::error::Error, value::node::MAX_DEPTH};

use crate::{
    error::host_fault,
    host::units,
    leaf,
    node::{Node, deeper, for_each_entry, said},
    wide,
};

/// Writes a caller's value as JSON. Returns how many lone surrogates became U+FFFD; an error's path starts at the value.
pub(crate) fn dump(value: &Bound<'_, PyAny>, out: &mut Vec<u8>) -> Result<usize, Error> {
    dump_at(value, out, MAX_DEPTH)
}

fn dump_at(value: &Bound<'_, PyAny>, out: &mut Vec<u8>, levels: usize) -> Result<usize, Error> {
    let mut replaced = 0;
    match Node::of(value) {
        Node::Text(text) => replaced += string(text, out)?,
        Node::Map(dict) => {
            let levels = deeper(levels)?;
            out.push(b'{');
            for_each_entry(dict, |key, value| {
                comma(out);
                replaced += string(key, out)?;
                out.push(b':');
                replaced += dump_at(value, out, levels)?;
                Ok(())
            })?;
            out.push(b'}');
        }
        Node::List(list) => {
            let levels = deeper(levels)?;
            out.push(b'[');
            list.for_each(|item| {
                comma(out);
                replaced += dump_at(item, out, levels)?;
                Ok(())
            })?;
            out.push(b']');
        }
        Node::Null => out.extend_from_slice(b"null"),
        Node::Bool(flag) => out.extend_from_slice(if flag { b"true" } else { b"false" }),
        Node::Number | Node::Bytes => leaf::write(value, out)?,
        Node::Buffer(buffer) => leaf::write_bytes(&buffer.to_vec(), out),
        Node::Foreign => replaced += dump_at(&said(value)?, out, deeper(levels)?)?,
    }
    Ok(replaced)
}

fn string(text: &Bound<'_, PyString>, out: &mut Vec<u8>) -> Result<usize, Error> {
    units(text).map(|units| wide::json_string(units, out)).map_err(host_fault)
}

/// Writes a comma before every entry but the first. The last byte shows which it is: no value ends in an opening
/// bracket.
fn comma(out: &mut Vec<u8>) {
    if !matches!(out.last(), Some(b'{' | b'[')) {
        out.push(b',');
    }
}
