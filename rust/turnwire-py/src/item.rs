//! Objects in a list of messages that are turns already, or that become one.

use std::sync::Arc;

use pyo3::{
    prelude::*,
    types::{PyDict, PyString},
};
use turnwire_core::{
    model::{part::Kind, turn::Role},
    report::error::{Code, Error},
    value::{handle::Value, tree::Tree},
};

use crate::{
    error::raise,
    host::PyHost,
    message::{assistant::AssistantMessage, result::ToolUseResult, user::UserMessage},
    part::{Part, handle},
    source::PySource,
    turn::{CoreTurn, Turn},
};

/// Whether a value is such an object.
pub(crate) fn is_item(item: &Bound<'_, PyAny>) -> bool {
    item.is_instance_of::<Turn>()
        || item.is_instance_of::<UserMessage>()
        || item.is_instance_of::<AssistantMessage>()
        || item.is_instance_of::<ToolUseResult>()
}

/// The turn of such an object.
fn made(item: &Bound<'_, PyAny>) -> Option<Result<Arc<CoreTurn>, Error>> {
    if let Ok(turn) = item.cast::<Turn>() {
        return Some(Ok(turn.get().turn.clone()));
    }
    if let Ok(result) = item.cast::<ToolUseResult>() {
        let part = Part::new(Kind::Result(result.get().result().share()));
        return Some(Ok(Arc::new(CoreTurn::new(Role::Tool, [part]))));
    }
    if let Ok(message) = item.cast::<UserMessage>() {
        return Some(message.get().to_turn().map(Arc::new));
    }
    let message = item.cast::<AssistantMessage>().ok()?;
    Some(Ok(Arc::new(message.get().to_turn())))
}

/// The turn of an object in a payload that is read in place.
pub(crate) fn in_objects(node: &PySource<'_>) -> Option<Result<CoreTurn, Error>> {
    made(node.object()).map(|turn| turn.map(|turn| turn.share()))
}

/// The turn of an object in a payload that was frozen.
pub(crate) fn in_frozen(node: &Tree<'_, PyHost>) -> Option<Result<CoreTurn, Error>> {
    let Value::Leaf(object) = node.0 else { return None };
    Python::attach(|py| made(object.bind(py))).map(|turn| turn.map(|turn| turn.share()))
}

/// The turn of an item that is complete by itself, such as a str, which is the user's text. `None` for anything else.
pub(crate) fn turn_of(item: &Bound<'_, PyAny>) -> PyResult<Option<Arc<CoreTurn>>> {
    if let Ok(text) = item.cast::<PyString>() {
        return Ok(Some(Arc::new(CoreTurn::new(Role::User, [Part::new(Kind::Text(handle(text)?))]))));
    }
    if let Some(turn) = made(item) {
        return turn.map(Some).map_err(raise);
    }
    if item.is_instance_of::<PyDict>() {
        let text = "a dict has no dialect here: read it with Conversation.parse";
        return Err(raise(Error::new(Code::WrongArgument, text)));
    }
    Ok(None)
}
