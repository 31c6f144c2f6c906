//! Pickles a conversation: as its payload where nothing has changed, else field by field.

use std::sync::Arc;

use pyo3::{prelude::*, types::PyTuple};
use turnwire_core::{
    convert as core,
    detect::Reading,
    dialects::registry::has_results_in_text,
    model::{conversation, turn::Role},
    rules::dialect_id::DialectId,
    value::{
        handle::{Input, Raw},
        json::tape::Tape,
        tree::Tree,
    },
};

use super::Conversation;
use crate::{
    error::raise,
    host::PyHost,
    pickle::state::{Packing, State},
    receipt::{LastReceipt, Receipt},
    turn::{CoreTurn, Turn},
};

/// The result of `__reduce__`.
pub(super) fn reduced<'py>(slf: &Bound<'py, Conversation>) -> PyResult<Bound<'py, PyTuple>> {
    let (py, this) = (slf.py(), slf.get());
    let (class, receipt) = (slf.get_type(), this.receipt.get(py)?);
    let frame = &this.inner.frame;
    let to = Packing { py, input: frame.input.as_ref() };
    if let Some(payload) = this.inner.payload() {
        let said = |turn: &Arc<CoreTurn>| turn.role == Role::User && has_results_in_text(turn, turn.from);
        let results = this.inner.turns().iter().any(said);
        let state = (frame.from.pack(&to)?, payload.pack(&to)?, results, receipt);
        return (class.getattr("_reread")?, state).into_pyobject(py);
    }
    let origins = this.inner.origins().map(|all| all.iter().map(|one| one.to_vec()).collect::<Vec<_>>());
    let list = this.inner.list_origin().map(|list| list.pack(&to)).transpose()?;
    let state = (this.turns(py)?, frame.pack(&to)?, list, origins, receipt);
    (class.getattr("_restore")?, state).into_pyobject(py)
}

/// Reads the payload of a pickle again.
pub(super) fn reread(
    from: &Bound<'_, PyAny>,
    payload: &Bound<'_, PyAny>,
    results: bool,
    receipt: &Bound<'_, Receipt>,
) -> PyResult<Conversation> {
    let from = DialectId::unpack(from)?;
    let reading = if results { Reading::WithResults(from) } else { Reading::As(from) };
    let inner = match Raw::unpack(payload)? {
        Raw::Own(text) => {
            let input = Input::new(text.as_bytes().to_vec());
            Tape::read(&input).and_then(|tape| core::parse(&tape.view().root::<PyHost>(), reading))
        }
        raw => raw.to_value(None).and_then(|value| core::parse(&Tree(&value), reading)),
    };
    Ok(with(inner.map_err(raise)?, receipt))
}

/// Restores the turns and their frame.
pub(super) fn restored(
    turns: &Bound<'_, PyTuple>,
    frame: &Bound<'_, PyAny>,
    list: &Bound<'_, PyAny>,
    origins: Option<Vec<Vec<usize>>>,
    receipt: &Bound<'_, Receipt>,
) -> PyResult<Conversation> {
    let turns = turns.iter().map(|turn| Ok(turn.cast::<Turn>()?.get().turn.clone())).collect::<PyResult<_>>()?;
    let origins = origins.map(|all| all.into_iter().map(|one| one.into_iter().collect()).collect());
    let inner = conversation::Conversation::new(turns, Arc::new(State::unpack(frame)?), State::unpack(list)?);
    Ok(with(inner.made_of(origins), receipt))
}

fn with(inner: conversation::Conversation<PyHost>, receipt: &Bound<'_, Receipt>) -> Conversation {
    Conversation { receipt: LastReceipt::of(receipt.py(), receipt.clone().unbind()), ..inner.into() }
}
