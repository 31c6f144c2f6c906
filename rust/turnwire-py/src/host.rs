//! Python as the core's host: strings are read in place.

use std::{
    error::Error as _,
    sync::atomic::{AtomicIsize, Ordering},
};

use pyo3::{
    ffi, intern,
    prelude::*,
    types::{PyBytes, PyString},
};
use turnwire_core::{
    report::error::Error,
    text::{Cut, Units, replace_surrogates},
    value::{
        handle::{Host, Text, Value},
        node::NodeKind,
    },
};

use crate::{error::host_fault, freeze, json, leaf, source::keep, string, wide};

/// The host for Python objects.
pub(crate) enum PyHost {}

/// A strong reference to a `str` that is ready to be read.
pub(crate) struct PyStr(Py<PyString>);

impl PyStr {
    /// Another reference to `text`.
    #[inline]
    pub(crate) fn new(text: &Bound<'_, PyString>) -> PyResult<Self> {
        make_ready(text)?;
        Ok(Self(text.clone().unbind()))
    }

    /// The Python object itself.
    pub(crate) fn object<'py>(&self, py: Python<'py>) -> &Bound<'py, PyString> {
        self.0.bind(py)
    }
}

impl Host for PyHost {
    type Str = PyStr;
    type Leaf = Py<PyAny>;
    type Loan = Py<PyAny>;

    fn units(text: &PyStr) -> Units<'_> {
        // SAFETY: `PyStr::new` made the string ready, and the borrowed reference keeps it alive.
        unsafe { data(text.0.as_ptr()) }
    }

    #[cfg(target_pointer_width = "64")]
    fn sum(text: &PyStr) -> u64 {
        let kept = kept_hash(&text.0);
        // CPython computes it once for each string. A string always has one.
        let hash = if kept == -1 { Python::attach(|py| hash(text.0.bind(py)).unwrap_or_default()) } else { kept };
        hash.cast_unsigned() as u64
    }

    fn share(text: &PyStr) -> PyStr {
        Python::attach(|py| PyStr(text.0.clone_ref(py)))
    }

    fn share_leaf(leaf: &Py<PyAny>) -> Py<PyAny> {
        Python::attach(|py| leaf.clone_ref(py))
    }

    fn share_loan(loan: &Py<PyAny>) -> Py<PyAny> {
        Python::attach(|py| loan.clone_ref(py))
    }

    fn cut(text: &PyStr, cut: &Cut, suffix: Units<'_>) -> Result<PyStr, Error> {
        Python::attach(|py| string::cut(py, Self::units(text), cut, suffix).map(|new| PyStr(new.unbind())))
            .map_err(host_fault)
    }

    fn text(wtf8: &[u8]) -> Result<Text<Self>, Error> {
        // SAFETY: any thread may call the function, even one that Python does not know.
        if unsafe { ffi::PyGILState_Check() } == 0 {
            // The threads that work on rows do not wait for the interpreter.
            return Ok(Text::own(&replace_surrogates(wtf8)));
        }
        Python::attach(|py| string::decoded(py, wtf8).map(|new| Text::Host(PyStr(new.unbind())))).map_err(host_fault)
    }

    fn write_body(text: Units<'_>, out: &mut Vec<u8>) -> usize {
        wide::json_body(text, out)
    }

    fn write_plain(text: Units<'_>, out: &mut Vec<u8>) -> usize {
        wide::plain(text, out)
    }

    fn leaf_kind(leaf: &Py<PyAny>) -> NodeKind {
        Python::attach(|py| leaf::kind(leaf.bind(py)))
    }

    fn blob_len(leaf: &Py<PyAny>) -> Option<usize> {
        Python::attach(|py| leaf.bind(py).cast::<PyBytes>().ok().map(|bytes| bytes.as_bytes().len()))
    }

    fn join_blobs(leaves: &[Py<PyAny>]) -> Result<Option<Py<PyAny>>, Error> {
        Python::attach(|py| {
            let mut whole = Vec::new();
            for leaf in leaves {
                let Ok(bytes) = leaf.bind(py).cast::<PyBytes>() else { return Ok(None) };
                whole.extend_from_slice(bytes.as_bytes());
            }
            Ok(Some(PyBytes::new(py, &whole).unbind().into_any()))
        })
    }

    fn write_leaf(leaf: &Py<PyAny>, out: &mut Vec<u8>) -> Result<(), Error> {
        Python::attach(|py| leaf::write(leaf.bind(py), out))
    }

    fn write_loan(loan: &Py<PyAny>, out: &mut Vec<u8>) -> Result<usize, Error> {
        Python::attach(|py| json::dump(loan.bind(py), out))
    }

    fn freeze(loan: &Py<PyAny>) -> Result<Value<Self>, Error> {
        Python::attach(|py| {
            let loan = loan.bind(py);
            // Keeps the error too, because a caller that needs only the text may drop it.
            freeze::value(loan).inspect_err(|fault| {
                if fault.source().is_some() {
                    keep(fault.clone(), loan);
                }
            })
        })
    }

    fn same_leaf(a: &Py<PyAny>, b: &Py<PyAny>) -> bool {
        Python::attach(|py| leaf::same(a.bind(py), b.bind(py)))
    }
}

/// The data of a string, in place. Never asks CPython for UTF-8, which it would store with the string.
#[inline]
pub(crate) fn units<'a>(text: &'a Bound<'_, PyString>) -> PyResult<Units<'a>> {
    make_ready(text)?;
    // SAFETY: the string is ready, and the borrowed reference keeps it alive.
    Ok(unsafe { data(text.as_ptr()) })
}

/// Before Python 3.12 a string of the old C interface may not have its data yet. Since then every string is ready.
#[inline]
fn make_ready(text: &Bound<'_, PyString>) -> PyResult<()> {
    // SAFETY: the pointer is a live `str`, and a `Bound` proves that the thread is attached.
    let status = unsafe { ffi::PyUnicode_READY(text.as_ptr()) };
    if status == 0 { Ok(()) } else { Err(fetch(text.py())) }
}

#[cold]
#[inline(never)]
fn fetch(py: Python<'_>) -> PyErr {
    PyErr::fetch(py)
}

/// # Safety
/// `text` must be a ready `str` that stays alive for `'a`. A ready string never changes, so this needs no attached
/// thread.
#[inline]
unsafe fn data<'a>(text: *mut ffi::PyObject) -> Units<'a> {
    // SAFETY: `text` is a ready `str`, so its kind says how wide each of its `length` characters is, and its data are
    // aligned for that width.
    unsafe {
        let length = ffi::PyUnicode_GET_LENGTH(text).unsigned_abs();
        let start = ffi::PyUnicode_DATA(text);
        match ffi::PyUnicode_KIND(text) {
            ffi::PyUnicode_1BYTE_KIND if is_ascii(text, start) => {
                // ASCII is UTF-8.
                Units::Ascii(std::str::from_utf8_unchecked(std::slice::from_raw_parts(start.cast(), length)))
            }
            ffi::PyUnicode_1BYTE_KIND => Units::Latin1(std::slice::from_raw_parts(start.cast(), length)),
            ffi::PyUnicode_2BYTE_KIND => Units::Ucs2(std::slice::from_raw_parts(start.cast(), length)),
            _ => Units::Ucs4(std::slice::from_raw_parts(start.cast(), length)),
        }
    }
}

/// The hash of a string's characters. A subclass may define another one, which equal strings need not share.
pub(crate) fn hash(text: &Bound<'_, PyString>) -> PyResult<isize> {
    if text.is_exact_instance_of::<PyString>() {
        return text.hash();
    }
    let py = text.py();
    py.get_type::<PyString>().call_method1(intern!(py, "__hash__"), (text,))?.extract()
}

/// The hash that CPython keeps with a string; -1 if it was not computed yet.
#[inline]
fn kept_hash(text: &Py<PyString>) -> isize {
    // SAFETY: the string is alive, and every `str` begins with this header. Another thread may store the hash meanwhile,
    // so it is read as one word.
    unsafe { AtomicIsize::from_ptr(&raw mut (*text.as_ptr().cast::<ffi::PyASCIIObject>()).hash) }
        .load(Ordering::Relaxed)
}

/// Whether the data begin right after the shorter of CPython's two headers, as only ASCII data do. Does not read the
/// string's flags, which PyO3 hides from Python 3.14 on. An ASCII string of a subclass has its data elsewhere and
/// counts as Latin-1: correct, only slower.
#[inline]
fn is_ascii(text: *mut ffi::PyObject, start: *mut std::ffi::c_void) -> bool {
    start == text.cast::<ffi::PyASCIIObject>().wrapping_add(1).cast()
}
