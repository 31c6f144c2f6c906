//! `summarise=`: asks the caller's function for a summary of the messages that a budget leaves out.

use pyo3::{
    exceptions::PyTypeError,
    intern,
    prelude::*,
    types::{PyDict, PyList, PyString, PyTuple},
};
use turnwire_core::{model::conversation::Conversation, stage::Summary};

use crate::{host::PyHost, node::type_name, summary::of_text, turn::Turn};

/// The keys of a body that hold its list.
pub(crate) const LISTS: [&str; 5] = ["messages", "input", "contents", "conversations", "spans"];

/// Calls the function with an earlier summary, if there is one, and the messages with these indices.
pub(crate) fn ask(
    function: &Bound<'_, PyAny>,
    messages: &Bound<'_, PyAny>,
    read: &Conversation<PyHost>,
    earlier: Option<&Summary>,
    gone: &[usize],
) -> PyResult<Summary> {
    let py = function.py();
    let told = PyList::empty(py);
    if let Some(earlier) = earlier {
        let message = PyDict::new(py);
        message.set_item(intern!(py, "role"), intern!(py, "system"))?;
        message.set_item(intern!(py, "content"), &earlier.text)?;
        told.append(message)?;
    }
    let own = own_list(messages, read.turns().len())?;
    for index in gone {
        match &own {
            Some(list) => told.append(list.get_item(index)?)?,
            None => told.append(Turn { turn: read.turns()[*index].clone() })?,
        }
    }
    let answer = function.call1((told,))?;
    match answer.cast::<PyString>() {
        Ok(text) => of_text(text),
        Err(_) => Err(no_text(&answer)?),
    }
}

/// The caller's own list, if its elements are the messages that were read.
pub(crate) fn own_list<'py>(messages: &Bound<'py, PyAny>, count: usize) -> PyResult<Option<Bound<'py, PyAny>>> {
    let is_own = |list: &Bound<'py, PyAny>| {
        (list.is_instance_of::<PyList>() || list.is_instance_of::<PyTuple>())
            && list.len().is_ok_and(|len| len == count)
    };
    let Ok(body) = messages.cast::<PyDict>() else { return Ok(Some(messages.clone()).filter(is_own)) };
    for key in LISTS {
        if let Some(list) = body.get_item(key)?.filter(is_own) {
            return Ok(Some(list));
        }
    }
    Ok(None)
}

/// The error for an answer that is not text.
fn no_text(answer: &Bound<'_, PyAny>) -> PyResult<PyErr> {
    let py = answer.py();
    let got = type_name(answer);
    if !answer.hasattr(intern!(py, "__await__"))? {
        return Ok(PyTypeError::new_err(format!("summarise: expected a function that returns a str, got {got}")));
    }
    // Python warns about a coroutine that is never awaited.
    if answer.hasattr(intern!(py, "close"))? {
        answer.call_method0(intern!(py, "close"))?;
    }
    let text = format!("summarise: expected a function that returns a str, got {got}: it is not awaited here");
    Ok(PyTypeError::new_err(text))
}
