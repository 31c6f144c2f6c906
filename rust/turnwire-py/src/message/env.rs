//! `UserEnvContext` and `EnvState`: the environment in which a message was written.

use pyo3::{
    prelude::*,
    types::{PyString, PyTuple},
};
use turnwire_core::spec::message;

use super::{Words, call_repr, hash};
use crate::{error::raise, host::PyHost, html, part::maybe_text};

type CoreState = message::EnvState<PyHost>;
type CoreContext = message::UserEnvContext<PyHost>;

#[doc = stub!("EnvState")]
#[pyclass(frozen, module = "turnwire.spec", name = "EnvState")]
pub(crate) struct EnvState(CoreState);

#[pymethods]
impl EnvState {
    #[new]
    #[pyo3(signature = (operating_system = None, current_working_directory = None))]
    fn new(operating_system: Option<Words>, current_working_directory: Option<Words>) -> PyResult<Self> {
        let state =
            CoreState::new(operating_system.map(|words| words.0), current_working_directory.map(|words| words.0));
        state.map(Self).map_err(raise)
    }

    #[classattr]
    fn __match_args__() -> (&'static str, &'static str) {
        ("operating_system", "current_working_directory")
    }

    #[doc = stub!("EnvState.operating_system")]
    #[getter]
    fn operating_system<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        maybe_text(py, self.0.operating_system.as_ref())
    }

    #[doc = stub!("EnvState.current_working_directory")]
    #[getter]
    fn current_working_directory<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        maybe_text(py, self.0.current_working_directory.as_ref())
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        html::object(slf, &["operating_system", "current_working_directory"])
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let (py, state) = (slf.py(), slf.get());
        let (name, path) = (state.operating_system(py)?, state.current_working_directory(py)?);
        call_repr("EnvState", &[("", name.into_pyobject(py)?), ("", path.into_pyobject(py)?)])
    }

    fn __eq__(&self, other: &Bound<'_, Self>) -> bool {
        self.0.same(&other.get().0)
    }

    fn __hash__(&self) -> u64 {
        hash(self.0.operating_system.iter().chain(&self.0.current_working_directory))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, state) = (slf.py(), slf.get());
        let arguments = (state.operating_system(py)?, state.current_working_directory(py)?);
        (slf.get_type(), arguments).into_pyobject(py)
    }
}

#[doc = stub!("UserEnvContext")]
#[pyclass(frozen, module = "turnwire.spec", name = "UserEnvContext")]
pub(crate) struct UserEnvContext(pub(crate) CoreContext);

#[pymethods]
impl UserEnvContext {
    #[new]
    #[pyo3(signature = (env_state = None))]
    fn new(env_state: Option<&Bound<'_, EnvState>>) -> Self {
        Self(CoreContext { env_state: env_state.map(|state| state.get().0.share()) })
    }

    #[classattr]
    fn __match_args__() -> (&'static str,) {
        ("env_state",)
    }

    #[doc = stub!("UserEnvContext.generate_new")]
    #[staticmethod]
    #[pyo3(name = "generate_new")]
    fn generated(py: Python<'_>) -> PyResult<Self> {
        generate_new(py).map(Self)
    }

    #[doc = stub!("UserEnvContext.env_state")]
    #[getter]
    fn env_state(&self) -> Option<EnvState> {
        self.0.env_state.as_ref().map(|state| EnvState(state.share()))
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        html::object(slf, &["env_state"])
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let state = slf.get().env_state().into_pyobject(slf.py())?;
        call_repr("UserEnvContext", &[("", state)])
    }

    fn __eq__(&self, other: &Bound<'_, Self>) -> bool {
        self.0.same(&other.get().0)
    }

    fn __hash__(&self) -> u64 {
        self.env_state().map_or(0, |state| state.__hash__())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        (slf.get_type(), (slf.get().env_state(),)).into_pyobject(slf.py())
    }
}

/// The environment of this process. A problem is logged as a warning of the logger `turnwire`.
pub(crate) fn generate_new(py: Python<'_>) -> PyResult<CoreContext> {
    let mut problem = None;
    let context = CoreContext::generate_new(|what| problem = Some(what.to_owned()));
    if let Some(problem) = problem {
        let logger = py.import("turnwire._log")?.getattr("logger")?;
        logger.call_method1("warning", ("%s", problem))?;
    }
    Ok(context)
}
