//! Reads and writes one turn by itself: as an element of a list, and as a line of a stored history.

use std::sync::Arc;

use pyo3::{
    prelude::*,
    pybacked::PyBackedBytes,
    types::{PyBool, PyBytes},
};
use turnwire_core::{
    convert,
    dialects::{
        self,
        registry::{has_results_in_text, linked},
    },
    report::error::{Code, Error},
    rules::dialect_id::DialectId,
    spec::stored::{self, Line},
    value::{door::Sink, handle::Input, tree::Tree},
};

use crate::{
    arguments::{Dialect, Written},
    conversation::Conversation,
    error::raise,
    freeze,
    sink::PySink,
    turn::{CoreTurn, Turn, Whole, wire},
};

/// Reads an element by itself, which will be at `index`. If its signs fit several dialects, `like` decides.
#[pyfunction]
pub(crate) fn _element_turn(
    element: &Bound<'_, PyAny>,
    index: usize,
    dialect: Written,
    like: Option<Dialect>,
) -> PyResult<Turn> {
    let reading = dialect.reading(like.map(|like| like.0));
    let frozen = freeze::value(element).map_err(raise)?;
    let turn = convert::parse_element(&Tree(&frozen), index, reading).map_err(raise)?;
    Ok(Turn { turn: Arc::new(turn) })
}

/// A dialect's name, the turn as its element in new containers, and whether the user's text in it is a result.
#[pyfunction]
pub(crate) fn _element_of<'py>(
    py: Python<'py>,
    turn: &Bound<'py, Turn>,
) -> PyResult<(String, Bound<'py, PyAny>, bool)> {
    let turn = &turn.get().turn;
    let (dialect, element) = element_of(py, turn)?;
    Ok((dialect.name(), element, has_results_in_text(turn, dialect)))
}

/// The turn as it reads from its own element, which will be at `index`.
#[pyfunction]
pub(crate) fn _settled(py: Python<'_>, turn: &Bound<'_, Turn>, index: usize) -> PyResult<Turn> {
    let turn = &turn.get().turn;
    if stored::origin(turn).is_some() {
        // It now belongs to the history's list, whatever key its old list had.
        let is_bare = turn.list.is_empty() && !turn.lone;
        let turn = if is_bare { turn.clone() } else { Arc::new(CoreTurn { list: "", lone: false, ..turn.share() }) };
        return Ok(Turn { turn });
    }
    let (dialect, element) = element_of(py, turn)?;
    let frozen = freeze::value(&element).map_err(raise)?;
    let mut settled = dialects::registry::parse_turn(&Tree(&frozen), index, dialect).map_err(raise)?;
    if has_results_in_text(turn, dialect) {
        dialects::registry::read_results_in_text(&mut settled).map_err(raise)?;
    }
    Ok(Turn { turn: Arc::new(settled) })
}

/// Links the calls and results of a conversation whose turns were read one by one.
#[pyfunction]
pub(crate) fn _linked(conversation: &Bound<'_, Conversation>) -> Conversation {
    linked(conversation.get().inner.share()).into()
}

/// An element that holds all of a turn, and its dialect. Tries the turn's own dialect first, then all others. If no
/// dialect keeps the turn unchanged, it is the first element that holds some of it in another form.
pub(crate) fn element_of<'py>(py: Python<'py>, turn: &CoreTurn) -> PyResult<(DialectId, Bound<'py, PyAny>)> {
    if let Some(origin) = stored::origin(turn) {
        let mut out = PySink::new(py);
        out.scope(turn.input.as_ref());
        out.raw(origin);
        return Ok((turn.from, out.finish().map_err(raise)?));
    }
    let named =
        dialects::table::names().filter(|name| !name.contains(':')).filter_map(|name| DialectId::named(&name).ok());
    let mut changed = None;
    for dialect in [turn.from].into_iter().chain(named) {
        // A dialect that refuses the turn cannot write it, so the next one is tried.
        match wire(py, turn, dialect) {
            Ok(Some((element, Whole::AsItIs))) => return Ok((dialect, element)),
            Ok(Some((element, Whole::Changed))) => changed = changed.or(Some((dialect, element))),
            Ok(None) | Err(_) => {}
        }
    }
    changed.ok_or_else(|| homeless(turn))
}

fn homeless(turn: &CoreTurn) -> PyErr {
    let text = format!("no dialect can write this turn of role {} as one message without a loss", turn.role.name());
    raise(Error::new(Code::Refused, text))
}

/// The turn as a line of a stored history. `None` if JSON cannot hold it.
#[pyfunction]
pub(crate) fn _stored_line<'py>(py: Python<'py>, turn: &Bound<'py, Turn>) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let line = stored::write(&turn.get().turn).map_err(raise)?;
    Ok(line.map(|line| PyBytes::new(py, &line)))
}

/// The turn of a line, which will be at `index`. `False` if the line removes all turns so far, `None` if bytes have to
/// be restored first.
#[pyfunction]
pub(crate) fn _restored_line(py: Python<'_>, line: PyBackedBytes, index: usize) -> PyResult<Bound<'_, PyAny>> {
    match stored::read(&Input::new(line), index).map_err(raise)? {
        Line::Turn(turn) => Ok(Bound::new(py, Turn { turn })?.into_any()),
        Line::Clear => Ok(PyBool::new(py, false).to_owned().into_any()),
        Line::Blobs => Ok(py.None().into_bound(py)),
    }
}

/// The name of a turn's dialect. `None` for a turn that was not read from a payload.
#[pyfunction]
pub(crate) fn _dialect_of(turn: &Bound<'_, Turn>) -> Option<String> {
    let from = turn.get().turn.from;
    (from != DialectId::NONE).then(|| from.name())
}
