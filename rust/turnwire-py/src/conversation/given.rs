//! Reads what Python gives for a conversation: turns, system text, tools, indices.

use std::sync::Arc;

use pyo3::{
    prelude::*,
    types::{PyBool, PyInt, PyIterator, PyList, PyString},
};
use turnwire_core::{
    model::{conversation::Conversation, part::Kind, tool::Tool},
    report::{
        error::{Code, Error},
        path::Step,
    },
    rules::dialect_id::DialectId,
    stage::front::{Front, tools_beside},
    value::tree::Tree,
};

use crate::{
    arguments::{items, not_a},
    error::raise,
    freeze,
    host::PyHost,
    item::turn_of,
    node::Node,
    ours::conversation_of,
    part::{Part, handle},
    summarise::own_list,
    turn::{CoreTurn, Turn},
    wrong_argument::{named, wrong},
};

/// The turns that a budget leaves alone: those with the caller's indices, or for which the caller's function is true. The
/// function gets the caller's own messages, or turns where there is no such list.
pub(crate) fn chosen(
    pinned: &Bound<'_, PyAny>,
    messages: &Bound<'_, PyAny>,
    read: &Conversation<PyHost>,
) -> PyResult<Vec<usize>> {
    let turns = read.turns();
    if !pinned.is_callable() {
        return pins(pinned, turns.len());
    }
    let own = own_list(messages, turns.len())?;
    let mut found = Vec::new();
    for (index, turn) in turns.iter().enumerate() {
        let is_pinned = match &own {
            Some(list) => pinned.call1((list.get_item(index)?,))?,
            None => pinned.call1((Turn { turn: turn.clone() },))?,
        };
        if is_pinned.is_truthy()? {
            found.push(index);
        }
    }
    Ok(found)
}

/// Indices of turns, all below `turns`.
pub(crate) fn pins(pinned: &Bound<'_, PyAny>, turns: usize) -> PyResult<Vec<usize>> {
    let checked = pin_list(pinned)?.map(|pin| index(&pin?, turns));
    checked.collect()
}

fn pin_list<'py>(pinned: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyIterator>> {
    items(pinned, "a list of message indices, or a function of a message")
        .map_err(|error| named(pinned.py(), "pinned", error))
}

/// Indices of turns in rows. Each row has its own number of turns, so only the rows can check the upper bound.
pub(crate) fn pins_of_rows(pinned: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
    let checked = pin_list(pinned)?.map(|pin| any_index(&pin?, "pinned", "pins"));
    checked.collect()
}

/// An index of a message in a conversation that is not known yet. An error calls it `option` or `indices`.
pub(crate) fn any_index(index: &Bound<'_, PyAny>, option: &'static str, indices: &str) -> PyResult<usize> {
    check_index(index, option)?;
    let text = || format!("expected {indices} of 0 or more, got {index}");
    index.extract().map_err(|_| raise(Error::new(Code::OutOfRange, text())))
}

/// The index of a turn, below `turns`.
fn index(pin: &Bound<'_, PyAny>, turns: usize) -> PyResult<usize> {
    check_index(pin, "pinned")?;
    pin.extract::<usize>().ok().filter(|at| *at < turns).ok_or_else(|| {
        let there = if turns == 1 { "is 1 message".to_owned() } else { format!("are {turns} messages") };
        let text = format!("pinned index {pin} is out of range: there {there}, counted from 0");
        raise(Error::new(Code::OutOfRange, text))
    })
}

/// The error for anything but an int. A bool is a mistake too.
fn check_index(index: &Bound<'_, PyAny>, option: &'static str) -> PyResult<()> {
    if index.is_instance_of::<PyInt>() && !index.is_instance_of::<PyBool>() {
        return Ok(());
    }
    Err(named(index.py(), option, wrong("an int, the index of a message", index)))
}

/// System text: one str, or several.
pub(crate) fn system_texts<'py>(system: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyString>>> {
    if let Ok(text) = system.cast::<PyString>() {
        return Ok(vec![text.clone()]);
    }
    let text = |text: PyResult<Bound<'py, PyAny>>| {
        text?.cast_into().or_else(|error| not_a("a str or a list of str", &error.into_inner()))
    };
    let texts = items(system, "a str or a list of str").and_then(|texts| texts.map(text).collect());
    texts.map_err(|error| named(system.py(), "system", error))
}

/// System text as parts.
pub(crate) fn system_parts(system: &Bound<'_, PyAny>) -> PyResult<Vec<Part>> {
    system_texts(system)?.iter().map(|text| Ok(Part::new(Kind::Text(handle(text)?)))).collect()
}

fn listed_tools<'py>(tools: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyIterator>> {
    items(tools, "a list of tool definitions").map_err(|error| named(tools.py(), "tools", error))
}

/// Tool definitions in any form, and their dialect if it is the target's.
pub(crate) fn tool_list(
    tools: &Bound<'_, PyAny>,
    target: Option<DialectId>,
) -> PyResult<(Vec<Tool<PyHost>>, DialectId)> {
    let given = listed_tools(tools)?.map(|tool| definition(tool?));
    let listed = PyList::new(tools.py(), given.collect::<PyResult<Vec<_>>>()?)?;
    let frozen = freeze::value(listed.as_any()).map_err(|error| raise(error.under(Step::Key("tools"))))?;
    tools_beside(&Tree(&frozen), target).map_err(raise)
}

/// A tool definition as plain data. Objects of a framework are asked for their own export.
fn definition(tool: Bound<'_, PyAny>) -> PyResult<Bound<'_, PyAny>> {
    if !matches!(Node::of(&tool), Node::Foreign) {
        return Ok(tool);
    }
    let said = tool.py().import("turnwire._definitions")?.call_method1("definition", (&tool,))?;
    Ok(if said.is_none() { tool } else { said })
}

/// The system text and tools that come before the messages.
pub(crate) fn front(
    system: Option<&Bound<'_, PyAny>>,
    tools: Option<&Bound<'_, PyAny>>,
    target: Option<DialectId>,
) -> PyResult<Front<PyHost>> {
    let system = system.map(system_parts).transpose()?.unwrap_or_default().into();
    let (tools, tools_from) =
        tools.map(|tools| tool_list(tools, target)).transpose()?.unwrap_or((Vec::new(), DialectId::NONE));
    Ok(Front { system, tools, tools_from })
}

/// Adds a Python value as one or several turns.
pub(crate) fn extend(turns: &mut Vec<Arc<CoreTurn>>, given: &Bound<'_, PyAny>) -> PyResult<()> {
    if let Some(turn) = turn_of(given)? {
        turns.push(turn);
        return Ok(());
    }
    if let Some(whole) = conversation_of(given)? {
        turns.extend(whole.get().inner.turns().iter().cloned());
        return Ok(());
    }
    let expected = "a str, Turn, UserMessage, AssistantMessage or ToolUseResult";
    let of_items = |error| named(given.py(), "items", error);
    for item in items(given, expected).map_err(of_items)? {
        let item = item?;
        turns.push(turn_of(&item)?.map_or_else(|| not_a(expected, &item).map_err(of_items), Ok)?);
    }
    Ok(())
}
