//! Bytes that Python looks at where they lie: a large result is not copied once more.

use std::ffi::c_int;

use pyo3::{exceptions::PyBufferError, ffi, prelude::*, types::PyMemoryView};

/// Bytes made here, by the buffer protocol.
#[pyclass(frozen, module = "turnwire._core", name = "_Buffer")]
struct Buffer(Vec<u8>);

/// The bytes, to be looked at.
pub(crate) fn view(py: Python<'_>, bytes: Vec<u8>) -> PyResult<Bound<'_, PyMemoryView>> {
    PyMemoryView::from(Bound::new(py, Buffer(bytes))?.as_any())
}

#[pymethods]
impl Buffer {
    /// # Safety
    /// Python calls this with a view that is to be filled.
    unsafe fn __getbuffer__(slf: &Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        let bytes = &slf.get().0;
        let Ok(size) = isize::try_from(bytes.len()) else { return Err(PyBufferError::new_err("too large")) };
        // SAFETY: the view is Python's to fill. It takes a reference to this object, which is frozen: its bytes stay where
        // they are and what they are for as long as it lives, and nobody gets them to write to.
        let status =
            unsafe { ffi::PyBuffer_FillInfo(view, slf.as_ptr(), bytes.as_ptr().cast_mut().cast(), size, 1, flags) };
        if status == 0 { Ok(()) } else { Err(PyErr::fetch(slf.py())) }
    }
}
