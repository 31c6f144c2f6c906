//! `truncate`, `truncate_safe` and `utf8_len`.

use pyo3::{Borrowed, prelude::*, types::PyString};
use turnwire_core::text::{Keep, TRUNCATED_SUFFIX, Units};

use crate::{
    arguments::{Bytes, Word},
    host::units,
    string, wide,
    wrong_argument::{Str, wrong},
};

/// The text that replaces what was cut away.
#[derive(Clone, Copy)]
pub(crate) enum Suffix<'a, 'py> {
    Default,
    Given(Borrowed<'a, 'py, PyString>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Suffix<'a, 'py> {
    type Error = PyErr;

    fn extract(suffix: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        suffix.cast().map(Self::Given).map_err(|_| wrong("a str", &suffix))
    }
}

impl Suffix<'_, '_> {
    pub(crate) fn units(&self) -> PyResult<Units<'_>> {
        match self {
            Self::Default => Ok(Units::Ascii(TRUNCATED_SUFFIX)),
            Self::Given(suffix) => units(suffix),
        }
    }
}

#[doc = stub!("truncate")]
#[pyfunction]
#[pyo3(
    signature = (text, max_bytes = Bytes::MESSAGE, *, suffix = Suffix::Default, keep = Word(Keep::Head)),
    text_signature = "(text, max_bytes=MAX_USER_MESSAGE_SIZE, *, suffix=TRUNCATED_SUFFIX, keep='head')"
)]
pub(crate) fn truncate<'py>(
    text: Str<'_, 'py>,
    max_bytes: Bytes,
    suffix: Suffix<'_, 'py>,
    keep: Word<Keep>,
) -> PyResult<Bound<'py, PyString>> {
    let all = units(&text)?;
    if all.plainly_fits(max_bytes.0) {
        return Ok(Bound::clone(&text));
    }
    let suffix = suffix.units()?;
    match wide::cut(all, max_bytes.0, suffix.utf8_len(), keep.0) {
        None => Ok(Bound::clone(&text)),
        Some(cut) => string::cut(text.py(), all, &cut, suffix),
    }
}

#[doc = stub!("truncate_safe")]
#[pyfunction]
pub(crate) fn truncate_safe<'py>(text: Str<'_, 'py>, max_bytes: Bytes) -> PyResult<Bound<'py, PyString>> {
    let all = units(&text)?;
    match wide::cut(all, max_bytes.0, 0, Keep::Head) {
        None => Ok(Bound::clone(&text)),
        Some(cut) => string::cut(text.py(), all, &cut, Units::Ascii("")),
    }
}

#[doc = stub!("utf8_len")]
#[pyfunction]
pub(crate) fn utf8_len(text: Str<'_, '_>) -> PyResult<usize> {
    Ok(wide::utf8_len(units(&text)?))
}
