//! Python as the core's host: strings read where they lie, and new ones in CPython's own canonical form.

use pyo3::{exceptions::PyMemoryError, ffi, prelude::*, types::PyString};
use turnwire_core::{
    error::{Code, Error},
    handle::{Host, Value},
    json::write,
    text::{Cut, Units},
    value::NodeKind,
};

use crate::{freeze, leaf};

/// The host of the Python door.
pub(crate) enum PyHost {}

/// A `str` whose data can be read: a strong reference, and the string is ready.
pub(crate) struct PyStr(Py<PyString>);

impl PyStr {
    /// Another reference to `text`.
    pub(crate) fn new(text: &Bound<'_, PyString>) -> PyResult<Self> {
        make_ready(text)?;
        Ok(Self(text.clone().unbind()))
    }

    /// The very object.
    pub(crate) fn object<'py>(&self, py: Python<'py>) -> &Bound<'py, PyString> {
        self.0.bind(py)
    }
}

impl Host for PyHost {
    type Str = PyStr;
    type Leaf = Py<PyAny>;
    type Loan = Py<PyAny>;

    fn units(text: &PyStr) -> Units<'_> {
        // SAFETY: `PyStr::new` made the string ready, and the reference that is borrowed keeps it alive.
        unsafe { data(text.0.as_ptr()) }
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
        Python::attach(|py| {
            let suffix = if cut.suffix { suffix } else { Units::Ascii(&[]) };
            let suffix = string(py, suffix)?;
            Ok(PyStr(assemble(text.0.bind(py), cut, &suffix)?.unbind()))
        })
        .map_err(|failure: PyErr| no_memory(&failure))
    }

    fn leaf_kind(leaf: &Py<PyAny>) -> NodeKind {
        Python::attach(|py| leaf::kind(leaf.bind(py)))
    }

    fn write_leaf(leaf: &Py<PyAny>, out: &mut Vec<u8>) -> Result<(), Error> {
        Python::attach(|py| leaf::write(leaf.bind(py), out))
    }

    fn write_loan(loan: &Py<PyAny>, out: &mut Vec<u8>) -> Result<usize, Error> {
        write::value(&Self::freeze(loan)?, None, out)
    }

    fn freeze(loan: &Py<PyAny>) -> Result<Value<Self>, Error> {
        Python::attach(|py| freeze::value(loan.bind(py)))
    }

    fn same_leaf(a: &Py<PyAny>, b: &Py<PyAny>) -> bool {
        Python::attach(|py| leaf::same(a.bind(py), b.bind(py)))
    }
}

/// The data of a string, where it lies. Never asks for UTF-8, which CPython would keep beside the string for its life.
#[inline]
pub(crate) fn units<'a>(text: &'a Bound<'_, PyString>) -> PyResult<Units<'a>> {
    make_ready(text)?;
    // SAFETY: the string is ready, and the reference that is borrowed keeps it alive.
    Ok(unsafe { data(text.as_ptr()) })
}

/// Before 3.12 a string of the old C interface may still wait for its data; since then every string is ready.
#[inline]
fn make_ready(text: &Bound<'_, PyString>) -> PyResult<()> {
    // SAFETY: the pointer is a live `str`, and a `Bound` proves that the thread is attached.
    let status = unsafe { ffi::PyUnicode_READY(text.as_ptr()) };
    if status == 0 { Ok(()) } else { Err(PyErr::fetch(text.py())) }
}

/// # Safety
/// `text` must be a `str` that is ready and that stays alive for `'a`. A ready string never changes, so this needs no
/// attached thread.
#[inline]
unsafe fn data<'a>(text: *mut ffi::PyObject) -> Units<'a> {
    // SAFETY: `text` is a ready `str`, so its kind says how wide each of its `length` characters is, and its data are
    // aligned for that width.
    unsafe {
        let length = ffi::PyUnicode_GET_LENGTH(text).unsigned_abs();
        let start = ffi::PyUnicode_DATA(text);
        match ffi::PyUnicode_KIND(text) {
            ffi::PyUnicode_1BYTE_KIND if is_ascii(text, start) => {
                Units::Ascii(std::slice::from_raw_parts(start.cast(), length))
            }
            ffi::PyUnicode_1BYTE_KIND => Units::Latin1(std::slice::from_raw_parts(start.cast(), length)),
            ffi::PyUnicode_2BYTE_KIND => Units::Ucs2(std::slice::from_raw_parts(start.cast(), length)),
            _ => Units::Ucs4(std::slice::from_raw_parts(start.cast(), length)),
        }
    }
}

/// Whether the data begin right behind the shorter of CPython's two headers, as they do for ASCII alone. PyO3 reads no flags
/// from 3.14 on, so this asks none. An ASCII string of a subclass keeps its data elsewhere and counts as Latin-1: right,
/// only slower.
#[inline]
fn is_ascii(text: *mut ffi::PyObject, start: *mut std::ffi::c_void) -> bool {
    start == text.cast::<ffi::PyASCIIObject>().wrapping_add(1).cast()
}

/// The kept parts as a new string, with `suffix` between them if the cut says so.
///
/// CPython compares and hashes strings by their stored form, so the result must be as narrow as its own characters allow,
/// whatever the source was.
pub(crate) fn assemble<'py>(
    text: &Bound<'py, PyString>,
    cut: &Cut,
    suffix: &Bound<'py, PyString>,
) -> PyResult<Bound<'py, PyString>> {
    let (all, added) = (units(text)?, units(suffix)?);
    let end = all.len() - cut.tail;
    let pieces = [
        (text, all.head(cut), 0),
        (suffix, if cut.suffix { added } else { Units::Ascii(&[]) }, 0),
        (text, all.tail(cut), end),
    ];
    let mut kept = pieces.iter().filter(|(_, units, _)| !units.is_empty());
    let first = kept.next().unwrap_or(&pieces[0]);
    if kept.next().is_none() {
        return slice(first.0, first.2, first.1.len());
    }

    let bits = pieces.iter().fold(0, |bits, (_, units, _)| bits | units.bits(width_limit(*units)));
    let new = allocate(text.py(), pieces.iter().map(|(_, units, _)| units.len()).sum(), bits)?;
    let mut at = 0;
    for (from, units, start) in pieces {
        copy(&new, at, from, start, units.len())?;
        at += units.len();
    }
    Ok(new)
}

/// Where the search for a wider character may stop: no string of that kind needs more bits.
fn width_limit(units: Units<'_>) -> u32 {
    match units {
        Units::Utf8(_) | Units::Ascii(_) => 0,
        Units::Latin1(_) => 0x80,
        Units::Ucs2(_) => 0x100,
        Units::Ucs4(_) => 0x1_0000,
    }
}

fn slice<'py>(text: &Bound<'py, PyString>, start: usize, length: usize) -> PyResult<Bound<'py, PyString>> {
    // SAFETY: a live `str`, an attached thread; the function checks the places itself and returns a new `str` or NULL.
    unsafe {
        let new = ffi::PyUnicode_Substring(text.as_ptr(), start.cast_signed(), (start + length).cast_signed());
        Bound::from_owned_ptr_or_err(text.py(), new).map(|new| new.cast_into_unchecked())
    }
}

/// An unwritten string of `length` characters, as wide as the widest of them.
fn allocate(py: Python<'_>, length: usize, bits: u32) -> PyResult<Bound<'_, PyString>> {
    let widest = bits.min(char::MAX.into());
    // SAFETY: an attached thread; the function returns a new `str` or NULL. The caller writes every character.
    unsafe {
        let new = ffi::PyUnicode_New(length.cast_signed(), widest);
        Bound::from_owned_ptr_or_err(py, new).map(|new| new.cast_into_unchecked())
    }
}

fn copy(
    into: &Bound<'_, PyString>,
    at: usize,
    from: &Bound<'_, PyString>,
    start: usize,
    length: usize,
) -> PyResult<()> {
    // SAFETY: both are live `str`, and nobody else has seen `into` yet; the function checks places and widths itself.
    let copied = unsafe {
        ffi::PyUnicode_CopyCharacters(
            into.as_ptr(),
            at.cast_signed(),
            from.as_ptr(),
            start.cast_signed(),
            length.cast_signed(),
        )
    };
    if copied < 0 { Err(PyErr::fetch(into.py())) } else { Ok(()) }
}

/// A new string of the given units, canonical; lone surrogates stay.
pub(crate) fn string<'py>(py: Python<'py>, units: Units<'_>) -> PyResult<Bound<'py, PyString>> {
    // SAFETY: each pointer and length belong to one live slice, and the kind is the width of its units; the functions copy
    // what they read and return a new `str` or NULL.
    unsafe {
        let kind_and_data = |kind: std::ffi::c_uint, start: *const std::ffi::c_void, length: usize| {
            ffi::PyUnicode_FromKindAndData(kind.cast_signed(), start, length.cast_signed())
        };
        let new = match units {
            Units::Utf8(units) => {
                let start = units.as_ptr().cast();
                ffi::PyUnicode_DecodeUTF8(start, units.len().cast_signed(), c"surrogatepass".as_ptr())
            }
            Units::Ascii(units) | Units::Latin1(units) => {
                kind_and_data(ffi::PyUnicode_1BYTE_KIND, units.as_ptr().cast(), units.len())
            }
            Units::Ucs2(units) => kind_and_data(ffi::PyUnicode_2BYTE_KIND, units.as_ptr().cast(), units.len()),
            Units::Ucs4(units) => kind_and_data(ffi::PyUnicode_4BYTE_KIND, units.as_ptr().cast(), units.len()),
        };
        Bound::from_owned_ptr_or_err(py, new).map(|new| new.cast_into_unchecked())
    }
}

/// Strings are only refused for want of memory.
fn no_memory(failure: &PyErr) -> Error {
    debug_assert!(Python::attach(|py| failure.is_instance_of::<PyMemoryError>(py)), "{failure}");
    Error::new(Code::NoMemory, "no memory for a new string")
}
