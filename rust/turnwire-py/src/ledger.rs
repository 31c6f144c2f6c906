//! The state of a run between two requests, and the caller's choices for it.

use std::sync::Arc;

use pyo3::{
    Borrowed,
    prelude::*,
    types::{PyBytes, PyTuple},
};
use turnwire_core::{
    ledger::{Choices, OnChange, Over, State},
    report::error::{Code, Error},
    value::json,
};

use crate::{
    arguments::{Word, Words},
    error::raise,
    rendered::Rendered,
    wrong_argument::wrong,
};

impl Words for OnChange {
    const OPTION: &'static str = "on_system_change= or on_tools_change=";
    const ALL: &'static [Self] = Self::ALL;
    fn name(self) -> &'static str {
        self.name()
    }
}

impl Words for Over {
    const OPTION: &'static str = "on_full";
    const ALL: &'static [Self] = Self::ALL;
    fn name(self) -> &'static str {
        match self {
            Self::Cut => "cut",
            Self::Error => "error",
            Self::Soft => "send",
        }
    }
}

/// The state after a request; `None` before the first.
pub(crate) struct After(pub(crate) Option<Arc<State>>);

impl<'py> FromPyObject<'_, 'py> for After {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if given.is_none() {
            return Ok(Self(None));
        }
        if let Ok(rendered) = given.cast::<Rendered>() {
            let state = rendered.get().state().cloned();
            return state.map(|state| Self(Some(state))).ok_or_else(|| {
                let text = "expected a Rendered of a ledger, got one that remembers nothing: use Ledger.prepare";
                raise(Error::new(Code::BadState, text))
            });
        }
        if let Ok(state) = given.cast::<LedgerState>() {
            return Ok(Self(Some(state.get().0.clone())));
        }
        if let Ok(bytes) = given.cast::<PyBytes>() {
            return State::of_json(bytes.as_bytes()).map(|state| Self(Some(Arc::new(state)))).map_err(raise);
        }
        Err(wrong("a Rendered, the state of a ledger as bytes, or None", &given))
    }
}

/// The state of a ledger between two requests.
#[pyclass(frozen, module = "turnwire._core", name = "_LedgerState")]
pub(crate) struct LedgerState(pub(crate) Arc<State>);

#[pymethods]
impl LedgerState {
    /// Reads the state from bytes, or makes a new one.
    #[new]
    #[pyo3(signature = (state = None))]
    fn new(state: Option<After>) -> Self {
        Self(state.and_then(|state| state.0).unwrap_or_default())
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_json())
    }

    /// The state with the caller's own settings, as JSON.
    fn with_settings(&self, settings: &str) -> PyResult<Self> {
        let settings = json::read::value(settings.as_bytes()).map_err(raise)?;
        let mut state = (*self.0).clone();
        state.settings = settings;
        Ok(Self(Arc::new(state)))
    }

    /// The caller's own settings, as JSON.
    #[getter]
    fn settings(&self) -> PyResult<String> {
        json::encode::to_string(&turnwire_core::value::handle::Raw::Tree(self.0.settings.share()), None).map_err(raise)
    }

    #[getter]
    fn target(&self) -> &str {
        &self.0.target
    }

    fn forgotten(&self) -> Self {
        Self(Arc::new(self.0.forgotten()))
    }

    #[getter]
    fn breaks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.breaks.iter().map(|one| (one.length, one.path.as_str())))
    }
}

/// The choices of a `Ledger`: how much a cut leaves, and what happens when the budget is full or the head changes.
pub(crate) type Chosen = (f64, Word<Over>, Word<OnChange>, Word<OnChange>);

pub(crate) fn choices((keep, over, system, tools): Chosen) -> Choices {
    Choices { keep, over: over.0, system: system.0, tools: tools.0, json: true }
}
