//! Bytes that are read in place, Python's here and ours there, because copies of large bytes cost.

use std::{
    ffi::c_int,
    sync::{Mutex, PoisonError},
};

use pyo3::{buffer::PyBuffer, exceptions::PyBufferError, ffi, prelude::*, types::PyMemoryView};

/// A buffer of Python's, read in place; one that is not contiguous reads as empty.
pub(crate) struct Held {
    buffer: PyBuffer<u8>,
    /// Fetched once: the bytes are read for every text in them.
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
        // SAFETY: the buffer has bytes and is contiguous, so it is as many of them from its start, and whoever exports it
        // keeps them where they are until the view is given back, which dropping `self` does. Nobody writes to them
        // meanwhile: the docstring of `turnwire.arrow` asks for that of columns, and a block is written to when all of its
        // lines are done.
        unsafe { std::slice::from_raw_parts(self.buffer.buf_ptr().cast::<u8>().cast_const(), self.size) }
    }
}

/// Our bytes for Python, by the buffer protocol.
#[pyclass(frozen, module = "turnwire._core", name = "_Buffer")]
struct Buffer {
    bytes: Vec<u8>,
    /// Whether the memory is used again.
    kept: bool,
}

/// A larger buffer is freed, and so is one beyond this number of unused ones: one huge result must not keep its memory.
const MOST_KEPT: usize = 4 << 20;
const MANY: usize = 8;

// New memory costs more than writing to it: the system clears each page when it is first touched. Blocks are made on
// one thread and given back on another.
static KEPT: Mutex<Vec<Vec<u8>>> = Mutex::new(Vec::new());

/// An empty buffer, with the memory of one that `view_again` has shown to the end.
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

/// The bytes, to be looked at.
pub(crate) fn view(py: Python<'_>, bytes: Vec<u8>) -> PyResult<Bound<'_, PyMemoryView>> {
    PyMemoryView::from(Bound::new(py, Buffer { bytes, kept: false })?.as_any())
}

/// The same of bytes that are looked at once: their memory is the next `room`.
pub(crate) fn view_again(py: Python<'_>, bytes: Vec<u8>) -> PyResult<Bound<'_, PyMemoryView>> {
    PyMemoryView::from(Bound::new(py, Buffer { bytes, kept: true })?.as_any())
}

#[pymethods]
impl Buffer {
    /// # Safety
    /// Python calls this with a view that is to be filled.
    unsafe fn __getbuffer__(slf: &Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        let bytes = &slf.get().bytes;
        let Ok(size) = isize::try_from(bytes.len()) else { return Err(PyBufferError::new_err("too large")) };
        // SAFETY: the view is Python's to fill. It takes a reference to this object, which is frozen: its bytes stay where
        // they are and what they are for as long as it lives, and nobody gets them to write to.
        let status =
            unsafe { ffi::PyBuffer_FillInfo(view, slf.as_ptr(), bytes.as_ptr().cast_mut().cast(), size, 1, flags) };
        if status == 0 { Ok(()) } else { Err(PyErr::fetch(slf.py())) }
    }
}
