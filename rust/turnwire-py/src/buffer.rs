//! Bytes that are read in place, by us from Python and by Python from us: copying large bytes is slow.

use std::{
    ffi::c_int,
    sync::{Mutex, PoisonError},
};

use pyo3::{buffer::PyBuffer, exceptions::PyBufferError, ffi, prelude::*, types::PyMemoryView};

/// A buffer of a Python object, read in place. One that is not contiguous reads as empty.
pub(crate) struct Held {
    buffer: PyBuffer<u8>,
    /// Fetched once, because `as_ref` runs for every text in the buffer.
    size: usize,
}

impl<'py> FromPyObject<'_, 'py> for Held {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let buffer = PyBuffer::<u8>::get(&given)?;
        let is_whole = !buffer.buf_ptr().is_null() && buffer.is_c_contiguous();
        Ok(Self { size: if is_whole { buffer.len_bytes() } else { 0 }, buffer })
    }
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        if self.size == 0 {
            return &[];
        }
        // SAFETY: the buffer is not empty and contiguous, so `size` bytes follow its start. The exporter may not move
        // or free them until the view is released, which dropping `self` does. They do not change meanwhile: the
        // docstring of `turnwire.arrow` asks callers not to write to columns, and a block is written to only after all
        // of its lines are done.
        unsafe { std::slice::from_raw_parts(self.buffer.buf_ptr().cast::<u8>().cast_const(), self.size) }
    }
}

/// Our bytes for Python, through the buffer protocol.
#[pyclass(frozen, module = "turnwire._core", name = "_Buffer")]
struct Buffer {
    bytes: Vec<u8>,
    /// Whether the memory is reused.
    kept: bool,
}

/// Frees larger buffers, and unused ones beyond `MANY`, so that one huge result does not keep its memory.
const MOST_KEPT: usize = 4 << 20;
const MANY: usize = 8;

// Allocating memory costs more than writing to it: the system clears each page on first use. Blocks are made on one
// thread and freed on another.
static KEPT: Mutex<Vec<Vec<u8>>> = Mutex::new(Vec::new());

/// An empty buffer, in memory that `view_again` no longer shows.
pub(crate) fn room() -> Vec<u8> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if self.kept && self.bytes.capacity() <= MOST_KEPT {
            let mut bytes = std::mem::take(&mut self.bytes);
            bytes.clear();
            let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.len() < MANY {
                kept.push(bytes);
            }
        }
    }
}

/// Shows the bytes to Python.
pub(crate) fn view(py: Python<'_>, bytes: Vec<u8>) -> PyResult<Bound<'_, PyMemoryView>> {
    PyMemoryView::from(Bound::new(py, Buffer { bytes, kept: false })?.as_any())
}

/// Shows the bytes to Python for a short time: the next `room` reuses their memory.
pub(crate) fn view_again(py: Python<'_>, bytes: Vec<u8>) -> PyResult<Bound<'_, PyMemoryView>> {
    PyMemoryView::from(Bound::new(py, Buffer { bytes, kept: true })?.as_any())
}

#[pymethods]
impl Buffer {
    /// # Safety
    /// Python calls this with a view to fill.
    unsafe fn __getbuffer__(slf: &Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        let bytes = &slf.get().bytes;
        let Ok(size) = isize::try_from(bytes.len()) else { return Err(PyBufferError::new_err("too large")) };
        // SAFETY: Python passes a view to fill. The view takes a reference to this object. The object is frozen, so its
        // bytes neither move nor change while it lives. The view is read-only.
        let status =
            unsafe { ffi::PyBuffer_FillInfo(view, slf.as_ptr(), bytes.as_ptr().cast_mut().cast(), size, 1, flags) };
        if status == 0 { Ok(()) } else { Err(PyErr::fetch(slf.py())) }
    }
}
