//! The typed messages of spec 000, with a file for each class.

pub(crate) mod assistant;
pub(crate) mod block;
pub(crate) mod call;
pub(crate) mod content;
pub(crate) mod env;
pub(crate) mod image;
pub(crate) mod result;
pub(crate) mod status;
pub(crate) mod timestamp;
pub(crate) mod user;

use std::hash::{DefaultHasher, Hasher};

use pyo3::{Borrowed, PyTypeInfo, prelude::*, types::PyType};

use crate::{
    part::{Handle, handle},
    wrong_argument::Str,
};

/// A `str` argument as a handle.
pub(crate) struct Words(pub(crate) Handle);

impl<'py> FromPyObject<'_, 'py> for Words {
    type Error = PyErr;

    #[inline]
    fn extract(text: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let text: Str<'_, '_> = text.extract()?;
        handle(&text).map(Self)
    }
}

/// The class of a variant. Its qualified name shows the nesting, so pickle and tracebacks find it.
fn variant<'py, T: PyTypeInfo>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyType>> {
    let class = py.get_type::<T>();
    class.setattr("__qualname__", name)?;
    Ok(class)
}

/// A hash of texts. JSON values do not count, because equal ones may be spelled differently.
fn hash<'a>(texts: impl IntoIterator<Item = &'a Handle>) -> u64 {
    let mut hasher = DefaultHasher::new();
    for text in texts {
        hasher.write(&text.wtf8(None));
        hasher.write_u8(0xFF);
    }
    hasher.finish()
}

/// The `repr` of a call: `Class(a, b, key=c)`. Positional arguments come first.
fn call_repr(class: &str, arguments: &[(&str, Bound<'_, PyAny>)]) -> PyResult<String> {
    let mut all = Vec::with_capacity(arguments.len());
    for (name, argument) in arguments {
        let argument = argument.repr()?.to_string_lossy().into_owned();
        all.push(if name.is_empty() { argument } else { format!("{name}={argument}") });
    }
    Ok(format!("{class}({})", all.join(", ")))
}
