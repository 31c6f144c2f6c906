//! The result of a conversion: the payload, its receipt, and the sources of its elements.

use std::sync::Arc;

use pyo3::{
    PyTraverseError, PyVisit,
    exceptions::PyTypeError,
    intern,
    prelude::*,
    types::{PyBytes, PyDict, PyGenericAlias, PyList, PyTuple, PyType},
};
use turnwire_core::{
    ledger::State,
    report::{
        change::grouped,
        provenance::{Provenance, Rendering},
        tool_names::{OwnTool, ToolNames},
    },
    rules::{CallForm, dialect_id::DialectId, needs},
    stage::Summary,
    value::{json, tree::Tree},
};

use crate::{
    arguments::{Dialect, no_attribute},
    convert::Payload,
    error::raise,
    host::PyHost,
    ledger::{After, LedgerState},
    node::{Node, for_each_entry, type_name},
    receipt::{LastReceipt, Receipt},
    source::settled,
    summarise::LISTS,
    summary::to_dict,
};

/// A tool of the caller that is a plain function in the payload: its name there, its own, its group, and its calls' form.
#[derive(FromPyObject, IntoPyObject)]
pub(crate) struct Stored(String, String, Option<String>, Option<String>);

impl Stored {
    pub(crate) fn of(wire: &str, tool: &OwnTool) -> Self {
        let call = tool.call.map(str::to_owned);
        Self(wire.to_owned(), tool.name.to_string(), tool.namespace.as_deref().map(str::to_owned), call)
    }

    pub(crate) fn add_to(self, names: &mut ToolNames) {
        let call = self.3.as_deref().and_then(CallForm::named).map(CallForm::call);
        names.add_tool(&self.0, OwnTool { name: self.1.into(), namespace: self.2.map(Into::into), call });
    }
}

#[doc = stub!("Rendered")]
#[pyclass(frozen, module = "turnwire", name = "Rendered")]
pub(crate) struct Rendered {
    #[doc = stub!("Rendered.payload")]
    #[pyo3(get)]
    payload: Py<PyAny>,
    target: Option<DialectId>,
    /// Whether a build repaired it. A conversion does not.
    is_built: bool,
    provenance: Provenance,
    names: ToolNames,
    receipt: LastReceipt,
    /// The state for the next request of a run.
    state: Option<Arc<State>>,
    #[doc = stub!("Rendered.stable")]
    #[pyo3(get)]
    stable: Option<usize>,
    #[doc = stub!("Rendered.summary")]
    #[pyo3(get)]
    summary: Option<Py<PyDict>>,
}

impl Rendered {
    /// The tool names of the caller, by their names in the payload.
    pub(crate) fn tool_names(&self) -> &ToolNames {
        &self.names
    }

    pub(crate) fn new(
        payload: Bound<'_, PyAny>,
        target: DialectId,
        rendering: Rendering,
        built: &LastReceipt,
    ) -> PyResult<Self> {
        let py = payload.py();
        let (is_built, receipt) = (built.is_built(py), built.with(py, rendering.losses)?);
        Ok(Self {
            payload: payload.unbind(),
            target: Some(target),
            is_built,
            provenance: rendering.provenance,
            names: rendering.names,
            receipt,
            state: None,
            stable: None,
            summary: None,
        })
    }

    /// Adds the summary that the payload contains.
    pub(crate) fn summed(self, py: Python<'_>, summary: Option<&Summary>) -> PyResult<Self> {
        let summary = summary.map(|summary| to_dict(py, summary)).transpose()?.map(Bound::unbind);
        Ok(Self { summary, ..self })
    }

    /// Adds the state of a run after this request, and how many messages the next request will not change.
    pub(crate) fn remembering(self, state: State, messages: usize) -> Self {
        Self { state: Some(Arc::new(state)), stable: messages.checked_sub(1), ..self }
    }

    /// The state for the next request.
    pub(crate) fn state(&self) -> Option<&Arc<State>> {
        self.state.as_ref()
    }

    /// The target, what the payload has, and what was changed, in one line.
    fn headline(&self, py: Python<'_>) -> PyResult<String> {
        let target = self.target.map_or_else(|| "no target".to_owned(), DialectId::name);
        let repaired = if self.is_built { "" } else { ", not repaired" };
        let (size, receipt) = (size(self.payload.bind(py))?, self.receipt(py)?.get().headline());
        let between = if self.receipt(py)?.get().0.totals.is_some() { ", " } else { "; " };
        Ok(format!("{target}{repaired}: {size}{between}{receipt}"))
    }

    /// The payload as a dict.
    fn dict<'a, 'py>(&'a self, py: Python<'py>) -> PyResult<&'a Bound<'py, PyDict>> {
        let payload = self.payload.bind(py);
        payload.cast().map_err(|_| no_keys(payload, "a dict with keys"))
    }

    /// The key of the payload's list of messages, and the list.
    fn list<'py>(&self, py: Python<'py>) -> PyResult<Option<(&'static str, Bound<'py, PyAny>)>> {
        let body = self.dict(py)?;
        for key in LISTS {
            if let Some(list) = body.get_item(key)? {
                return Ok(Some((key, list)));
            }
        }
        Ok(None)
    }

    pub(crate) fn payload<'py>(&self, py: Python<'py>) -> &Bound<'py, PyAny> {
        self.payload.bind(py)
    }
}

#[pymethods]
impl Rendered {
    fn __getattr__(slf: &Bound<'_, Self>, name: &str) -> PyResult<Py<PyAny>> {
        Err(no_attribute(slf, name))
    }

    /// The payload is the caller's to edit.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.payload)?;
        visit.call(&self.summary)
    }

    #[classattr]
    fn __match_args__() -> (&'static str, &'static str) {
        ("payload", "receipt")
    }

    #[classmethod]
    fn __class_getitem__<'py>(class: &Bound<'py, PyType>, item: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyGenericAlias::new(class.py(), class, item)?.into_any())
    }

    #[doc = stub!("Rendered.sources")]
    #[getter]
    fn sources<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let sources = self.provenance.sources.iter().map(|one| PyTuple::new(py, one.iter()));
        PyTuple::new(py, sources.collect::<PyResult<Vec<_>>>()?)
    }

    #[doc = stub!("Rendered.hoisted")]
    #[getter]
    fn hoisted<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.provenance.hoisted)
    }

    #[doc = stub!("Rendered.names")]
    #[getter]
    fn names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let names = PyDict::new(py);
        self.names.iter().try_for_each(|(wire, own)| names.set_item(wire, own))?;
        Ok(names)
    }

    #[doc = stub!("Rendered.headers")]
    #[getter]
    fn headers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let headers = PyDict::new(py);
        let Some(target) = self.target.filter(|target| needs::are_known(*target)) else {
            return Ok(headers);
        };
        let found = match Payload::new(self.payload.bind(py))? {
            Payload::Json(input) => {
                json::read::value::<PyHost>(input.bytes()).map(|body| needs::header(&Tree(&body), target))
            }
            Payload::Object(root) => settled(&root, |body| Ok(needs::header(body, target))),
        };
        if let Some((name, values)) = found.map_err(raise)? {
            headers.set_item(name, values)?;
        }
        Ok(headers)
    }

    #[doc = stub!("Rendered.messages")]
    #[getter]
    fn messages<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let payload = self.payload.bind(py);
        if payload.is_instance_of::<PyList>() {
            return Ok(payload.clone());
        }
        match self.list(py)? {
            Some((_, list)) => Ok(list),
            None => Err(no_keys(payload, "a list of messages")),
        }
    }

    #[doc = stub!("Rendered.config")]
    #[getter]
    fn config<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        if self.payload.bind(py).is_instance_of::<PyList>() {
            return Ok(PyDict::new(py));
        }
        let config = self.dict(py)?.copy()?;
        if let Some((key, _)) = self.list(py)? {
            config.del_item(key)?;
        }
        Ok(config)
    }

    #[doc = stub!("Rendered.keys")]
    fn keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.dict(py)?.call_method0(intern!(py, "keys"))
    }

    #[doc = stub!("Rendered.get")]
    #[pyo3(signature = (key, default = None, /))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        key: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(self.dict(py)?.get_item(key)?.or(default))
    }

    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.dict(py)?.as_any().get_item(key)
    }

    fn __contains__(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.dict(py)?.contains(key)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.dict(py)?.try_iter()?.into_any())
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.dict(py)?.len())
    }

    /// A payload without keys is true, too.
    #[expect(clippy::unused_self, reason = "Python calls it")]
    fn __bool__(&self) -> bool {
        true
    }

    #[getter]
    fn _ledger(&self) -> Option<LedgerState> {
        self.state.clone().map(LedgerState)
    }

    #[doc = stub!("Rendered.receipt")]
    #[getter]
    fn receipt<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, Receipt>> {
        self.receipt.get(py)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, this) = (slf.py(), slf.get());
        let from = (this.sources(py)?, this.hoisted(py)?);
        let state = this.state.as_ref().map(|state| PyBytes::new(py, &state.to_json()));
        let run = (state, this.stable);
        let target = this.target.map(DialectId::name);
        let (receipt, names) = (this.receipt(py)?, this.names(py)?);
        let tools: Vec<_> = this.names.tools().map(|(wire, tool)| Stored::of(wire, tool)).collect();
        let said = (&this.payload, this.is_built, from.0, from.1, receipt, names, run, target, &this.summary, tools);
        (slf.get_type().getattr("_restore")?, said).into_pyobject(py)
    }

    // Pickles of earlier versions have no run, target, summary or tools.
    #[staticmethod]
    #[pyo3(signature = (payload, is_built, sources, hoisted, receipt, names, run = (None, None), target = None, summary = None, tools = Vec::new()))]
    #[expect(clippy::too_many_arguments, reason = "what a pickle holds")]
    fn _restore(
        py: Python<'_>,
        payload: Py<PyAny>,
        is_built: bool,
        sources: Vec<Vec<usize>>,
        hoisted: Vec<usize>,
        receipt: Py<Receipt>,
        names: &Bound<'_, PyDict>,
        run: (Option<After>, Option<usize>),
        target: Option<Dialect>,
        summary: Option<Py<PyDict>>,
        tools: Vec<Stored>,
    ) -> PyResult<Self> {
        let sources = sources.into_iter().map(Into::into).collect();
        let names = names.iter().map(|(wire, own)| Ok((wire.extract()?, own.extract()?)));
        let mut names = ToolNames::of(names.collect::<PyResult<Vec<(String, String)>>>()?);
        for tool in tools {
            tool.add_to(&mut names);
        }
        let receipt = LastReceipt::of(py, receipt);
        Ok(Self {
            payload,
            target: target.map(|target| target.0),
            is_built,
            provenance: Provenance { sources, hoisted, left: Vec::new() },
            names,
            receipt,
            state: run.0.and_then(|state| state.0),
            stable: run.1,
            summary,
        })
    }

    fn __eq__(&self, other: &Self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.provenance == other.provenance
            && self.names == other.names
            && self.receipt(py)?.eq(other.receipt(py)?)?
            && self.payload.bind(py).eq(&other.payload)?)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<Rendered for {}>", self.headline(py)?))
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        let receipt = self.receipt(py)?.get();
        let headline = self.headline(py)?;
        Ok(if receipt.0.changes.is_empty() { headline } else { format!("{headline}\n{}", receipt.0) })
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.receipt(py)?.get().html(&format!("Rendered for {}", self.headline(py)?)))
    }
}

/// The error for a payload that has no keys, or no list.
#[cold]
fn no_keys(payload: &Bound<'_, PyAny>, expected: &str) -> PyErr {
    let text = format!("payload: expected {expected}, got {}: use .payload", type_name(payload));
    PyTypeError::new_err(text)
}

/// A short description of a payload, which may be many megabytes.
fn size(payload: &Bound<'_, PyAny>) -> PyResult<String> {
    match Node::of(payload) {
        Node::Map(dict) => {
            let mut keys = Vec::with_capacity(dict.len());
            for_each_entry(dict, |key, value| {
                keys.push(match Node::of(value) {
                    Node::List(list) => counted(list.len(), &key.to_string_lossy()),
                    _ => key.to_string_lossy().into_owned(),
                });
                Ok(())
            })
            .map_err(raise)?;
            Ok(keys.join(", "))
        }
        Node::List(list) => Ok(counted(list.len(), "messages")),
        _ => Ok(format!("{} bytes of JSON", payload.len()?)),
    }
}

/// A number with its plural noun.
fn counted(count: usize, noun: &str) -> String {
    let noun = if count == 1 { noun.strip_suffix('s').unwrap_or(noun) } else { noun };
    format!("{} {noun}", grouped(count))
}
