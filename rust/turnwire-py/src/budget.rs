//! `split_budget`.

use pyo3::prelude::*;
use turnwire_core::budget::Split;

use crate::arguments::{Bytes, Size, Word};

#[doc = stub!("split_budget")]
#[pyfunction]
#[pyo3(signature = (sizes, max_bytes, *, split = Word(Split::Even)), text_signature = "(sizes, max_bytes, *, split='even')")]
pub(crate) fn split_budget(sizes: &Bound<'_, PyAny>, max_bytes: Bytes, split: Word<Split>) -> PyResult<Vec<usize>> {
    let sizes =
        sizes.try_iter()?.map(|size| size?.extract::<Size>().map(|size| size.0)).collect::<PyResult<Vec<_>>>()?;
    Ok(split.0.shares(&sizes, max_bytes.0))
}
