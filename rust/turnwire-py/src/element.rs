//! One turn as an element of a list: read alone, written alone, and as the line of a stored history.

use std::sync::Arc;

use pyo3::{
    prelude::*,
    pybacked::PyBackedBytes,
    types::{PyBool, PyBytes},
};
use turnwire_core::pairing::unnamed::linked;
use turnwire_core::{
    convert,
    dialects::{self, registry::has_results_in_text},
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

/// Reads one element alone, which is to stand at `index`; what could be that of `like` is.
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

/// The name of a dialect, the turn as that writes it, in new containers, and whether what its user says there is a result.
#[pyfunction]
pub(crate) fn _element_of<'py>(
    py: Python<'py>,
    turn: &Bound<'py, Turn>,
) -> PyResult<(String, Bound<'py, PyAny>, bool)> {
    let turn = &turn.get().turn;
    let (dialect, element) = element_of(py, turn)?;
    Ok((dialect.name(), element, has_results_in_text(turn, dialect)))
}

/// The same turn as it is read from its element, which is to stand at `index`.
#[pyfunction]
pub(crate) fn _settled(py: Python<'_>, turn: &Bound<'_, Turn>, index: usize) -> PyResult<Turn> {
    let turn = &turn.get().turn;
    if stored::origin(turn).is_some() {
        // Its list is this one, whatever key that stood under.
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

/// The same conversation, whose turns were read one by one.
#[pyfunction]
pub(crate) fn _linked(conversation: &Bound<'_, Conversation>) -> Conversation {
    linked(conversation.get().inner.share()).into()
}

/// An element that holds all of a turn, and its dialect: the turn's own, else the first that has one. Where none holds it as
/// it is, some of it is in another form.
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
        // What it refuses it cannot write.
        match wire(py, turn, dialect) {
            Ok(Some((element, Whole::AsItIs))) => return Ok((dialect, element)),
            Ok(Some((element, Whole::Changed))) => changed = changed.or(Some((dialect, element))),
            Ok(None) | Err(_) => {}
        }
    }
    changed.ok_or_else(|| homeless(turn))
}

fn homeless(turn: &CoreTurn) -> PyErr {
    let text = format!("no dialect writes this turn of role {} whole and as one message", turn.role.name());
    raise(Error::new(Code::Refused, text))
}

/// The line of a stored history that holds the turn; None where JSON does not hold it as it is.
#[pyfunction]
pub(crate) fn _stored_line<'py>(py: Python<'py>, turn: &Bound<'py, Turn>) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let line = stored::write(&turn.get().turn).map_err(raise)?;
    Ok(line.map(|line| PyBytes::new(py, &line)))
}

/// The turn in a line, which is to stand at `index`; `False` where all turns so far are gone, None where there are bytes to be put back first.
#[pyfunction]
pub(crate) fn _restored_line(py: Python<'_>, line: PyBackedBytes, index: usize) -> PyResult<Bound<'_, PyAny>> {
    match stored::read(&Input::new(line), index).map_err(raise)? {
        Line::Turn(turn) => Ok(Bound::new(py, Turn { turn })?.into_any()),
        Line::Clear => Ok(PyBool::new(py, false).to_owned().into_any()),
        Line::Blobs => Ok(py.None().into_bound(py)),
    }
}

/// The name of the dialect that a turn is written in; None for one that was made here.
#[pyfunction]
pub(crate) fn _dialect_of(turn: &Bound<'_, Turn>) -> Option<String> {
    let from = turn.get().turn.from;
    (from != DialectId::NONE).then(|| from.name())
}
