//! Values that already are conversations: a `Conversation`, a `MessageHistory`, a `Reply`.

use std::sync::Arc;

use pyo3::{intern, prelude::*, types::PyList};
use turnwire_core::{
    detect::detect,
    model::conversation::{Conversation as Core, Frame},
    report::error::{Code, Error},
    rules::dialect_id::DialectId,
    value::{json::tape::Tape, tree::Tree},
};

use crate::{
    conversation::Conversation, convert::Payload, element::element_of, error::raise, freeze, host::PyHost, node::Node,
    rendered::Rendered, reply::Reply, source::settled,
};

/// The conversation of a value. `None` for a payload that has to be read.
pub(crate) fn conversation_of<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, Conversation>>> {
    // Nearly all values are plain data.
    if !matches!(Node::of(value), Node::Foreign) {
        return Ok(None);
    }
    let py = value.py();
    if let Ok(conversation) = value.cast::<Conversation>() {
        return Ok(Some(conversation.clone()));
    }
    if let Ok(reply) = value.cast::<Reply>() {
        let turns = reply.get().core_turns().to_vec();
        let inner = Core::new(turns, Arc::new(Frame::empty(DialectId::NONE)), None);
        return Bound::new(py, Conversation::from(inner)).map(Some);
    }
    // A history is a Python class. A foreign object that fails here is read like any other object.
    let held = value.getattr(intern!(py, "conversation")).ok();
    Ok(held.and_then(|held| held.cast_into::<Conversation>().ok()))
}

/// The payload of a `Rendered`, or the value itself.
pub(crate) fn payload_of<'py>(value: &Bound<'py, PyAny>) -> Bound<'py, PyAny> {
    match value.cast::<Rendered>() {
        Ok(rendered) => rendered.get().payload(value.py()).clone(),
        Err(_) => value.clone(),
    }
}

/// The dialect of a conversation: that of its turns, or the detected one if they have several.
pub(crate) fn dialect_of(py: Python<'_>, conversation: &Core<PyHost>) -> PyResult<DialectId> {
    let turns = || conversation.turns().iter().filter(|turn| turn.from != DialectId::NONE);
    let first = turns().next().map_or(conversation.frame.from, |turn| turn.from);
    if first == DialectId::NONE {
        return Err(no_dialect());
    }
    if turns().all(|turn| turn.from == first) {
        return Ok(first);
    }
    let elements = turns().map(|turn| element_of(py, turn).map(|(_, element)| element));
    let list = PyList::new(py, elements.collect::<PyResult<Vec<_>>>()?)?;
    let frozen = freeze::value(list.as_any()).map_err(raise)?;
    detect(&Tree(&frozen), None).map_err(raise)
}

/// The dialect of messages in any form.
pub(crate) fn own_dialect(messages: &Bound<'_, PyAny>) -> PyResult<DialectId> {
    if let Some(conversation) = conversation_of(messages)? {
        return dialect_of(messages.py(), &conversation.get().inner);
    }
    let found = match Payload::new(messages)? {
        Payload::Json(input) => Tape::read(&input).and_then(|tape| detect(&tape.view().root::<PyHost>(), None)),
        Payload::Object(root) => settled(&root, |root| detect(root, None)),
    };
    found.map_err(raise)
}

#[cold]
fn no_dialect() -> PyErr {
    let text = "expected messages that were read from a payload, got a conversation without any";
    raise(Error::new(Code::NoDialect, text))
}
