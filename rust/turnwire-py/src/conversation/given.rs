//! What Python gives to make a conversation of: turns, system text, tools, indices.

use std::sync::Arc;

use pyo3::{
    prelude::*,
    types::{PyBool, PyInt, PyList, PyString},
};
use turnwire_core::{
    detect::are_tools_of,
    dialects,
    model::{part::Kind, tool::Tool},
    report::error::{Code, Error},
    rules::dialect_id::DialectId,
    value::tree::Tree,
};

use crate::{
    arguments::{items, not_a},
    error::raise,
    freeze,
    host::PyHost,
    item::turn_of,
    part::{Part, handle},
    turn::CoreTurn,
};

/// Indices of turns, of which there are `turns`.
pub(super) fn pins(pinned: &Bound<'_, PyAny>, turns: usize) -> PyResult<Vec<usize>> {
    let checked = pinned.try_iter()?.map(|pin| index(&pin?, turns));
    checked.collect()
}

/// The index of one of `turns` turns.
fn index(pin: &Bound<'_, PyAny>, turns: usize) -> PyResult<usize> {
    if !pin.is_instance_of::<PyInt>() || pin.is_instance_of::<PyBool>() {
        return not_a("an index of a message, an int,", pin);
    }
    pin.extract::<usize>().ok().filter(|at| *at < turns).ok_or_else(|| {
        let text = format!("expected pins below {turns}, the number of messages, and none below 0, got {pin}");
        raise(Error::new(Code::OutOfRange, text))
    })
}

/// System text: one str, or several.
pub(super) fn system_parts(system: &Bound<'_, PyAny>) -> PyResult<Vec<Part>> {
    if let Ok(text) = system.cast::<PyString>() {
        return Ok(vec![Part::new(Kind::Text(handle(text)?))]);
    }
    let texts = items(system, "a str or several")?.map(|text| {
        let text = text?;
        match text.cast::<PyString>() {
            Ok(text) => Ok(Part::new(Kind::Text(handle(text)?))),
            Err(_) => not_a("a str or several", &text),
        }
    });
    texts.collect()
}

/// Tool definitions in whatever form, and the dialect that they are in if that is the target's.
pub(super) fn tool_list(
    tools: &Bound<'_, PyAny>,
    target: Option<DialectId>,
) -> PyResult<(Vec<Tool<PyHost>>, DialectId)> {
    let listed = PyList::new(tools.py(), items(tools, "a list of tool definitions")?.collect::<PyResult<Vec<_>>>()?)?;
    let frozen = freeze::value(listed.as_any()).map_err(raise)?;
    let list = Tree(&frozen);
    let own = target.filter(|target| are_tools_of(&list, *target));
    Ok((dialects::registry::read_tools(&list, own).map_err(raise)?, own.unwrap_or(DialectId::NONE)))
}

/// Adds what Python gives as turns, one or several.
pub(super) fn extend(turns: &mut Vec<Arc<CoreTurn>>, given: &Bound<'_, PyAny>) -> PyResult<()> {
    if let Some(turn) = turn_of(given)? {
        turns.push(turn);
        return Ok(());
    }
    let expected = "a str, Turn, UserMessage, AssistantMessage or ToolUseResult";
    for item in items(given, expected)? {
        let item = item?;
        turns.push(turn_of(&item)?.map_or_else(|| not_a(expected, &item), Ok)?);
    }
    Ok(())
}
