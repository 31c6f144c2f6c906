//! `truncate`, `truncate_safe` and `utf8_len`.

use pyo3::{Borrowed, prelude::*, sync::PyOnceLock, types::PyString};
use turnwire_core::text::{Keep, TRUNCATED_SUFFIX};

use crate::{
    arguments::{Bytes, Word},
    host::{assemble, units},
};

/// A suffix, whose size is known without a look where it is the default.
#[derive(Clone, Copy)]
pub(crate) enum Suffix<'a, 'py> {
    Default,
    Given(Borrowed<'a, 'py, PyString>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Suffix<'a, 'py> {
    type Error = PyErr;

    fn extract(suffix: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        Ok(Self::Given(suffix.cast()?))
    }
}

impl<'py> Suffix<'_, 'py> {
    fn utf8_len(self) -> PyResult<usize> {
        match self {
            Self::Default => Ok(TRUNCATED_SUFFIX.len()),
            Self::Given(suffix) => Ok(units(&suffix)?.utf8_len()),
        }
    }

    fn text(self, py: Python<'py>) -> Bound<'py, PyString> {
        static DEFAULT: PyOnceLock<Py<PyString>> = PyOnceLock::new();
        match self {
            Self::Default => DEFAULT.get_or_init(py, || PyString::new(py, TRUNCATED_SUFFIX).unbind()).bind(py).clone(),
            Self::Given(suffix) => (*suffix).clone(),
        }
    }
}

/// Cut a text to a number of UTF-8 bytes, suffix included.
#[pyfunction]
#[pyo3(
    signature = (text, max_bytes = Bytes::MESSAGE, *, suffix = Suffix::Default, keep = Word(Keep::Head)),
    text_signature = "(text, max_bytes=MAX_USER_MESSAGE_SIZE, *, suffix=TRUNCATED_SUFFIX, keep='head')"
)]
pub(crate) fn truncate<'py>(
    text: &Bound<'py, PyString>,
    max_bytes: Bytes,
    suffix: Suffix<'_, 'py>,
    keep: Word<Keep>,
) -> PyResult<Bound<'py, PyString>> {
    let all = units(text)?;
    if all.plainly_fits(max_bytes.0) {
        return Ok(text.clone());
    }
    match all.cut(max_bytes.0, suffix.utf8_len()?, keep.0) {
        None => Ok(text.clone()),
        Some(cut) => assemble(text, &cut, &suffix.text(text.py())),
    }
}

/// The longest prefix of whole characters that takes at most so many UTF-8 bytes.
#[pyfunction]
pub(crate) fn truncate_safe<'py>(text: &Bound<'py, PyString>, max_bytes: Bytes) -> PyResult<Bound<'py, PyString>> {
    match units(text)?.cut(max_bytes.0, 0, Keep::Head) {
        None => Ok(text.clone()),
        Some(cut) => assemble(text, &cut, text),
    }
}

/// The size of a text in UTF-8 bytes.
#[pyfunction]
pub(crate) fn utf8_len(text: &Bound<'_, PyString>) -> PyResult<usize> {
    Ok(units(text)?.utf8_len())
}
