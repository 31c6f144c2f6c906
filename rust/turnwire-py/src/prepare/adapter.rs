//! What adapters call: `prepare` for a framework that writes the payload, or that takes the caller's own elements.

use pyo3::{prelude::*, types::PyDict};
use turnwire_core::{convert as core, model::conversation, report::loss::Others, stage::Relay};

use super::From;
use crate::{
    arguments::{Dialect, Written},
    budget::Given,
    conversation::Conversation,
    convert::rendering_options,
    error::raise,
    host::PyHost,
    options::Options,
    receipt::LastReceipt,
    rendered::Rendered,
    share::OwnElements,
    sink::PySink,
};

/// The result of `prepare` as a conversation, for adapters whose framework writes the payload. `relay`: whether the
/// framework refuses blank texts, whether it refuses arguments that are not an object, and whether it has its own keys.
/// `logs`: whether the build is logged.
#[pyfunction]
#[pyo3(signature = (messages, source, target, budget, relay, logs, **options))]
#[expect(clippy::needless_pass_by_value, reason = "it is an argument")]
pub(crate) fn _prepared<'py>(
    messages: &Bound<'py, PyAny>,
    source: Written,
    target: Option<Dialect>,
    budget: Option<Given>,
    relay: (bool, bool, bool),
    logs: bool,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Conversation> {
    let options = Options::read(messages.py(), ("an adapter", None), budget.as_ref(), options)?;
    let (built, receipt) = relayed(messages, (source, target), (relay, logs), options, None)?;
    Ok(Conversation::of_build(built, receipt))
}

/// The same, written as `dialect` by the options `rendering`, with the caller's own elements where they are unchanged.
#[pyfunction]
#[pyo3(signature = (messages, source, target, budget, relay, dialect, rendering, **options))]
#[expect(clippy::too_many_arguments, clippy::needless_pass_by_value, reason = "they are what an adapter has")]
pub(crate) fn _to_send<'py>(
    messages: &Bound<'py, PyAny>,
    source: Written,
    target: Option<Dialect>,
    budget: Option<Given>,
    relay: (bool, bool, bool),
    dialect: Dialect,
    rendering: &Bound<'py, PyDict>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Rendered> {
    let py = messages.py();
    let options = Options::read(py, ("an adapter", None), budget.as_ref(), options)?;
    let how = rendering_options(py, "an adapter", Some(rendering))?;
    let mut own = OwnElements::default();
    let (built, receipt) = relayed(messages, (source, target), (relay, true), options, Some(&mut own))?;
    let mut out = PySink::new(py).sharing(Some(own));
    let rendering = core::render(&built, dialect.0, &how, &mut out).map_err(raise)?;
    Rendered::new(out.finish().map_err(raise)?, dialect.0, rendering, &receipt)
}

/// What an adapter's build makes, with its receipt.
fn relayed(
    messages: &Bound<'_, PyAny>,
    (source, target): (Written, Option<Dialect>),
    (relay, logs): ((bool, bool, bool), bool),
    mut options: Options<'_>,
    own: Option<&mut OwnElements>,
) -> PyResult<(conversation::Conversation<PyHost>, LastReceipt)> {
    // The framework writes the body.
    options.others = Some(Others::Caller);
    let how = options.written(Others::Caller)?;
    let (target, relay) = (target.map(|target| target.0), relay_of(relay));
    let from = From { messages, source, target, system: None, tools: None, relay, rendering: &how, logs };
    let (built, receipt, _) = from.built(&options, own)?;
    Ok((built, receipt))
}

pub(super) fn relay_of((no_blanks, only_objects, own_keys): (bool, bool, bool)) -> Relay {
    Relay { no_blanks, only_objects, own_keys }
}
