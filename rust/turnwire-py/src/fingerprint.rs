//! Computes a number for an element of a list. Adapters recognise an element by it.

use std::hash::{DefaultHasher, Hash, Hasher};

use pyo3::{
    intern,
    prelude::*,
    types::{PyDict, PyMapping, PySlice, PyString},
};

use crate::{
    host::{hash, units},
    node::{Node, for_each_entry},
};

/// Deeper values do not count.
const DEEP: usize = 8;
/// Longer texts count by their ends and their length, unless the caller wants whole texts to count.
const WHOLE: usize = 4096;

/// Marks for an object, and for where a list begins and ends.
const MAP: u8 = 1;
const OPEN_LIST: u8 = 2;
const CLOSE: u8 = 3;

/// The number of an element. Equal elements of one process have the same number, in any order of keys. Cache marks do
/// not count, nor that a text becomes a block to carry one. `whole`: whether all of each text counts.
#[pyfunction]
pub(crate) fn _fingerprint(value: &Bound<'_, PyAny>, whole: bool) -> PyResult<u64> {
    let mut hasher = DefaultHasher::new();
    add(value, DEEP, whole, true, &mut hasher)?;
    Ok(hasher.finish())
}

/// Adds a value. `is_element`: whether a text under `content` counts as a block of text.
fn add(value: &Bound<'_, PyAny>, deep: usize, whole: bool, is_element: bool, to: &mut DefaultHasher) -> PyResult<()> {
    match Node::of(value) {
        Node::Text(text) => return text_of(text, whole, to),
        Node::Null | Node::Bool(_) | Node::Number | Node::Bytes => {
            value.hash()?.hash(to);
        }
        _ if deep == 0 => {}
        Node::Map(dict) => return map(dict, deep, whole, is_element, to),
        Node::List(list) => {
            OPEN_LIST.hash(to);
            for item in (0..list.len()).filter_map(|index| list.get(index)) {
                add(&item, deep - 1, whole, false, to)?;
            }
            CLOSE.hash(to);
        }
        Node::Buffer(buffer) => buffer.to_vec().hash(to),
        Node::Foreign => {
            if let Ok(mapping) = value.cast::<PyMapping>() {
                let dict = PyDict::new(value.py());
                dict.update(mapping)?;
                return map(&dict, deep, whole, is_element, to);
            }
            // An SDK's object is known by its attributes. One without any is known by its identity.
            match value.getattr(intern!(value.py(), "__dict__")) {
                Ok(held) if held.is_truthy()? => return add(&held, deep - 1, whole, false, to),
                _ => value.as_ptr().addr().hash(to),
            }
        }
    }
    Ok(())
}

fn map(dict: &Bound<'_, PyDict>, deep: usize, whole: bool, is_element: bool, to: &mut DefaultHasher) -> PyResult<()> {
    let py = dict.py();
    let mut failed = None;
    let mut sum = Entries::default();
    let read = for_each_entry(dict, |key, item| {
        if failed.is_some() || is(key, intern!(py, "cache_control")) {
            return Ok(());
        }
        let added = sum.add(key, |to| match item.cast::<PyString>() {
            Ok(text) if is_element && is(key, intern!(py, "content")) => block(text, whole, to),
            _ => add(item, deep - 1, whole, false, to),
        });
        failed = added.err();
        Ok(())
    });
    if read.is_err() {
        // Whatever reads the value later reports what is wrong with it.
        dict.len().hash(to);
    }
    sum.end(to);
    failed.map_or(Ok(()), Err)
}

/// The entries of an object, which count in any order: a framework may read a stored item with its keys in another one.
#[derive(Default)]
struct Entries(u64);

impl Entries {
    fn add(
        &mut self,
        key: &Bound<'_, PyString>,
        value: impl FnOnce(&mut DefaultHasher) -> PyResult<()>,
    ) -> PyResult<()> {
        let mut entry = DefaultHasher::new();
        text_of(key, true, &mut entry)?;
        value(&mut entry)?;
        self.0 = self.0.wrapping_add(entry.finish());
        Ok(())
    }

    fn end(self, to: &mut DefaultHasher) {
        MAP.hash(to);
        self.0.hash(to);
    }
}

fn is(key: &Bound<'_, PyString>, name: &Bound<'_, PyString>) -> bool {
    key.is(name) || key.as_any().eq(name).unwrap_or(false)
}

/// Adds a text as if it were a list with one block of text.
fn block(text: &Bound<'_, PyString>, whole: bool, to: &mut DefaultHasher) -> PyResult<()> {
    let py = text.py();
    let mut sum = Entries::default();
    sum.add(intern!(py, "type"), |to| text_of(intern!(py, "text"), true, to))?;
    sum.add(intern!(py, "text"), |to| text_of(text, whole, to))?;
    OPEN_LIST.hash(to);
    sum.end(to);
    CLOSE.hash(to);
    Ok(())
}

/// Adds a text by the hash of its characters, which a string caches.
fn text_of(text: &Bound<'_, PyString>, whole: bool, to: &mut DefaultHasher) -> PyResult<()> {
    let (py, length) = (text.py(), units(text)?.len());
    if whole || length <= WHOLE {
        hash(text)?.hash(to);
        return Ok(());
    }
    length.hash(to);
    for (from, until) in [(0, WHOLE / 2), (length - WHOLE / 2, length)] {
        let slice = PySlice::new(py, from.cast_signed(), until.cast_signed(), 1);
        // A subclass may have its own slices, too.
        let piece = py.get_type::<PyString>().call_method1(intern!(py, "__getitem__"), (text, slice))?;
        piece.hash()?.hash(to);
    }
    Ok(())
}
