//! JSON bytes for Python: written into a reused buffer, then copied once into a `bytes` object of the right size.

use std::cell::RefCell;

use pyo3::{prelude::*, types::PyBytes};
use turnwire_core::{report::error::Error, value::json::write::JsonSink};

/// Frees larger buffers, so that one huge payload does not keep its memory.
const MOST_KEPT: usize = 16 << 20;

thread_local! {
    // Allocating memory costs more than writing to it: the system clears each page on first use.
    static KEPT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// A payload as JSON bytes, and the other result of `write`.
pub(crate) fn written<T>(
    py: Python<'_>,
    write: impl FnOnce(&mut JsonSink) -> Result<T, Error>,
) -> Result<(Bound<'_, PyBytes>, T), Error> {
    in_buffer(py, |buffer| {
        let mut out = JsonSink::new(std::mem::take(buffer));
        let done = write(&mut out);
        *buffer = out.into_bytes();
        done
    })
}

/// The bytes that `write` puts into an empty buffer, and its other result.
pub(crate) fn in_buffer<T>(
    py: Python<'_>,
    write: impl FnOnce(&mut Vec<u8>) -> Result<T, Error>,
) -> Result<(Bound<'_, PyBytes>, T), Error> {
    let mut buffer = KEPT.take();
    buffer.clear();
    let done = write(&mut buffer);
    let result = done.map(|done| (PyBytes::new(py, &buffer), done));
    if buffer.capacity() <= MOST_KEPT {
        KEPT.set(buffer);
    }
    result
}
