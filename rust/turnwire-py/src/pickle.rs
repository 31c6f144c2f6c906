//! How pickles store the core's small values: paths as keys and indices, codes by name.

pub(crate) mod state;

use std::{
    collections::HashSet,
    sync::{LazyLock, Mutex, PoisonError},
};

use pyo3::{
    Borrowed,
    exceptions::PyValueError,
    prelude::*,
    types::{PyInt, PyString, PyTuple},
};
use turnwire_core::report::path::{self, Step};

/// A path as a tuple of keys and indices.
pub(crate) struct Path(pub(crate) path::Path);

impl<'py> IntoPyObject<'py> for Path {
    type Target = PyTuple;
    type Output = Bound<'py, PyTuple>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let steps = self.0.steps().map(|step| match step {
            Step::Index(index) => index.into_pyobject(py).map(Bound::into_any).map_err(PyErr::from),
            Step::Key(key) => Ok(PyString::new(py, key).into_any()),
            Step::Name(key) => Ok(PyString::new(py, &key).into_any()),
        });
        PyTuple::new(py, steps.collect::<PyResult<Vec<_>>>()?)
    }
}

impl<'py> FromPyObject<'_, 'py> for Path {
    type Error = PyErr;

    fn extract(steps: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let steps = steps.try_iter()?.map(|step| {
            let step = step?;
            Ok(if step.is_instance_of::<PyInt>() {
                Step::Index(step.extract()?)
            } else {
                Step::Name(step.extract::<String>()?.into())
            })
        });
        steps.collect::<PyResult<Vec<_>>>().map(path::Path::of).map(Self)
    }
}

/// Finds a value among `all` by its name.
pub(crate) fn named<T: Copy + 'static>(
    all: &'static [T],
    name: &str,
    name_of: impl Fn(T) -> &'static str,
) -> PyResult<T> {
    let found = all.iter().copied().find(|one| name_of(*one) == name);
    found.ok_or_else(|| PyValueError::new_err(format!("a pickle of another version: nothing is named {name:?}")))
}

/// A word that lives as long as the process, as the core's own words do. Each is allocated once.
pub(crate) fn lasting(word: &str) -> &'static str {
    static WORDS: LazyLock<Mutex<HashSet<&'static str>>> = LazyLock::new(Mutex::default);
    let mut words = WORDS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = words.get(word) {
        return known;
    }
    let kept: &'static str = Box::leak(word.into());
    words.insert(kept);
    kept
}
