//! `AssistantToolUse`: a request by the model to run a tool.

use pyo3::{
    prelude::*,
    types::{PyString, PyTuple},
};
use turnwire_core::{
    model::tool::{Args, Call},
    report::error::Code,
    rules::CallForm,
    value::{
        handle::{Raw, Value},
        json,
        node::ArgsState,
    },
};

use super::{Words, call_repr, hash};
use crate::{
    error::raise,
    freeze,
    host::PyHost,
    html,
    part::{handle, text_of},
    sink::thaw,
};

#[doc = stub!("AssistantToolUse")]
#[pyclass(frozen, module = "turnwire.parts", name = "AssistantToolUse")]
pub(crate) struct AssistantToolUse(Call<PyHost>);

impl AssistantToolUse {
    pub(crate) fn call(&self) -> &Call<PyHost> {
        &self.0
    }

    /// Name and arguments before the program changed them for the model.
    fn before(&self) -> (&crate::part::Handle, &Args<PyHost>) {
        self.0.before.as_ref().map_or((&self.0.name, &self.0.args), |before| (&before.0, &before.1))
    }
}

/// The call must not hold spans.
impl From<Call<PyHost>> for AssistantToolUse {
    fn from(call: Call<PyHost>) -> Self {
        Self(call)
    }
}

#[pymethods]
impl AssistantToolUse {
    #[new]
    #[pyo3(signature = (id, name, args, orig_name = None, orig_args = None, custom = false))]
    fn new(
        id: Words,
        name: Words,
        args: &Bound<'_, PyAny>,
        orig_name: Option<Words>,
        orig_args: Option<&Bound<'_, PyAny>>,
        custom: bool,
    ) -> PyResult<Self> {
        let (name, args) = (name.0, args_of(args, "args")?);
        let orig_name = orig_name.map_or_else(|| name.share(), |words| words.0);
        let orig_args = orig_args.map_or_else(|| Ok(args.share()), |args| args_of(args, "orig_args"))?;
        let differs = !orig_name.same(&name) || !orig_args.same(&args, custom, (None, None));
        let before = differs.then(|| Box::new((orig_name, orig_args)));
        Ok(Self(Call { id: id.0, made_up_id: false, name, args, custom, before, form: None, namespace: None }))
    }

    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str) {
        ("id", "name", "args")
    }

    #[doc = stub!("AssistantToolUse.id")]
    #[getter]
    fn id<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        text_of(py, &self.0.id)
    }

    #[doc = stub!("AssistantToolUse.name")]
    #[getter]
    fn name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        text_of(py, &self.0.name)
    }

    #[doc = stub!("AssistantToolUse.args")]
    #[getter]
    fn args<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        object(py, &self.0.args)
    }

    #[doc = stub!("AssistantToolUse.args_text")]
    #[getter]
    fn args_text<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        match &self.0.args {
            Args::Text(text) => text_of(py, text),
            Args::Value(raw) => Ok(PyString::new(py, &json::encode::to_string(raw, None).map_err(raise)?)),
        }
    }

    #[doc = stub!("AssistantToolUse.args_state")]
    #[getter]
    pub(crate) fn args_state(&self, py: Python<'_>) -> PyResult<&'static str> {
        match self.0.args.state(None) {
            // It may hold a number that Python cannot.
            ArgsState::Object if object(py, &self.0.args)?.is_some() => Ok("object"),
            ArgsState::Object | ArgsState::Invalid => Ok("invalid"),
            ArgsState::Incomplete => Ok("incomplete"),
        }
    }

    #[doc = stub!("AssistantToolUse.orig_name")]
    #[getter]
    fn orig_name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        text_of(py, self.before().0)
    }

    #[doc = stub!("AssistantToolUse.orig_args")]
    #[getter]
    fn orig_args<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        object(py, self.before().1)
    }

    #[doc = stub!("AssistantToolUse.custom")]
    #[getter]
    fn custom(&self) -> bool {
        self.0.custom
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        html::object(slf, &["id", "name", "args_text", "orig_name"])
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let (py, call) = (slf.py(), slf.get());
        let (id, name, args) = (call.id(py)?, call.name(py)?, given(py, &call.0.args)?);
        let mut arguments = vec![("", id.into_any()), ("", name.into_any()), ("", args)];
        if call.0.before.is_some() {
            let (name, args) = call.before();
            arguments.push(("orig_name", text_of(py, name)?.into_any()));
            arguments.push(("orig_args", given(py, args)?));
        }
        if call.0.custom {
            arguments.push(("custom", true.into_pyobject(py)?.to_owned().into_any()));
        }
        call_repr("AssistantToolUse", &arguments)
    }

    fn __eq__(&self, other: &Bound<'_, Self>) -> bool {
        self.0.same(&other.get().0, (None, None))
    }

    fn __hash__(&self) -> u64 {
        hash([&self.0.id, &self.0.name])
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, call) = (slf.py(), slf.get());
        let (name, args) = call.before();
        let now = (call.id(py)?, call.name(py)?, given(py, &call.0.args)?);
        let (name, args) = (text_of(py, name)?, given(py, args)?);
        let form = call.0.form.map(CallForm::call);
        let namespace = call.0.namespace.as_deref().map(|name| text_of(py, name)).transpose()?;
        let arguments = (now.0, now.1, now.2, name, args, call.0.custom, call.0.made_up_id, form, namespace);
        (slf.get_type().getattr("_restore")?, arguments).into_pyobject(py)
    }

    /// Also restores the fields that `__init__` does not take.
    #[staticmethod]
    #[pyo3(signature = (id, name, args, orig_name, orig_args, custom, made_up_id, form = None, namespace = None))]
    #[expect(clippy::too_many_arguments, reason = "each is a field")]
    fn _restore(
        id: Words,
        name: Words,
        args: &Bound<'_, PyAny>,
        orig_name: Words,
        orig_args: &Bound<'_, PyAny>,
        custom: bool,
        made_up_id: bool,
        form: Option<&str>,
        namespace: Option<Words>,
    ) -> PyResult<Self> {
        let Self(call) = Self::new(id, name, args, Some(orig_name), Some(orig_args), custom)?;
        let (form, namespace) = (form.and_then(CallForm::named), namespace.map(|name| Box::new(name.0)));
        Ok(Self(Call { made_up_id, form, namespace, ..call }))
    }
}

/// Arguments from a Python value: a str is JSON text, kept as it is; anything else is a JSON value.
fn args_of(args: &Bound<'_, PyAny>, name: &'static str) -> PyResult<Args<PyHost>> {
    if let Ok(text) = args.cast::<PyString>() {
        return Ok(Args::Text(handle(text)?));
    }
    let value = freeze::json(args).map_err(|error| raise(error.under(turnwire_core::report::path::Step::Key(name))))?;
    Ok(Args::Value(Raw::Tree(value)))
}

/// The arguments as an object in new containers. `None` if they are not an object.
fn object<'py>(py: Python<'py>, args: &Args<PyHost>) -> PyResult<Option<Bound<'py, PyAny>>> {
    if args.state(None) != ArgsState::Object {
        return Ok(None);
    }
    let value = match args {
        Args::Value(_) => args.value(None),
        // Replaces a lone surrogate in the text, so that the rest is not lost.
        Args::Text(text) => Args::Text(crate::part::Handle::own(&text.to_str(None))).value(None),
    };
    match value.filter(|value| matches!(value, Value::Map(_))).map(|value| thaw(py, &value)).transpose() {
        Err(fault) if fault.code() == Code::NotJson => Ok(None),
        thawed => thawed.map_err(raise),
    }
}

/// Arguments in their original form, text or value.
fn given<'py>(py: Python<'py>, args: &Args<PyHost>) -> PyResult<Bound<'py, PyAny>> {
    match args {
        Args::Text(text) => text_of(py, text).map(Bound::into_any),
        Args::Value(raw) => raw.to_value(None).and_then(|value| thaw(py, &value)).map_err(raise),
    }
}
