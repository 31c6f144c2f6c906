//! JSON text and Python objects: text read straight into dicts and lists, and a caller's containers written as JSON.

mod dump;
mod keys;
mod load;

use pyo3::PyErr;
use turnwire_core::error::{Code, Error};

pub(crate) use self::{
    dump::dump,
    load::{Loader, number},
};

fn no_memory(failure: &PyErr) -> Error {
    Error::new(Code::NoMemory, failure.to_string())
}
