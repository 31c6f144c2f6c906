//! Adds cache marks to the Python containers of a rendering.

use pyo3::{
    prelude::*,
    types::{PyDict, PyList},
};
use turnwire_core::{
    report::error::Error,
    value::{
        door::Key,
        mark::{Marks, Spot, TEXT, TYPE},
    },
};

use crate::{
    error::host_fault,
    host::PyHost,
    share::unshare,
    source::{PySource, interned, settled},
};

/// Adds the marks to a payload. `shared`: whether it may have elements of the caller, which get no marks, but copies of
/// them do.
pub(crate) fn add<'py>(payload: &Bound<'py, PyAny>, marks: &mut impl Marks<PyHost>, shared: bool) -> Result<(), Error> {
    let (key, kind) = marks.mark();
    let mut spots = || settled(payload, |payload: &PySource<'py>| Ok(marks.spots(payload)));
    if shared {
        unshare(payload, &spots()?)?;
    }
    let spots = spots()?;
    // Begins at the end, so that the indices of the other marks stay right.
    for spot in spots.into_iter().rev() {
        put(&spot, key, kind).map_err(host_fault)?;
    }
    Ok(())
}

fn put(spot: &Spot<PySource<'_>>, key: &'static Key, kind: &'static Key) -> PyResult<()> {
    match spot {
        Spot::Key(object) => entry(object.object().cast()?, key, kind),
        Spot::Behind(list, index) => {
            let block = PyDict::new(list.object().py());
            entry(&block, key, kind)?;
            list.object().cast::<PyList>()?.insert(index + 1, block)
        }
        Spot::Text(object, under) => {
            let (py, object) = (object.object().py(), object.object().cast::<PyDict>()?);
            let block = PyDict::new(py);
            block.set_item(interned(py, &TYPE), interned(py, &TEXT))?;
            block.set_item(interned(py, &TEXT), object.get_item(interned(py, under))?)?;
            entry(&block, key, kind)?;
            object.set_item(interned(py, under), PyList::new(py, [block])?)
        }
    }
}

/// The entry `{key: {"type": kind}}`.
fn entry(object: &Bound<'_, PyDict>, key: &'static Key, kind: &'static Key) -> PyResult<()> {
    let py = object.py();
    let mark = PyDict::new(py);
    mark.set_item(interned(py, &TYPE), interned(py, kind))?;
    object.set_item(interned(py, key), mark)
}
