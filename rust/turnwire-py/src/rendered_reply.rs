//! `RenderedReply`: a reply in another provider's form; `convert_reply` and `convert_reply_json`, which make one.

use pyo3::{
    PyTraverseError, PyVisit,
    prelude::*,
    types::{PyDict, PyGenericAlias, PyTuple, PyType},
};
use turnwire_core::{
    replies::write::{Beside, Written, write},
    rules::dialect_id::DialectId,
    value::{
        handle::Value,
        json::{self, encode::value as write_json},
    },
};

use crate::{
    arguments::{Dialect, Status, no_attribute},
    bytes::in_buffer,
    convert::Payload,
    error::raise,
    freeze,
    host::PyHost,
    receipt::Receipt,
    rendered::Rendered,
    reply::read,
    request,
    sink::thaw,
};

type Core = turnwire_core::model::reply::Reply<PyHost>;

#[doc = stub!("RenderedReply")]
#[pyclass(frozen, module = "turnwire.replies", name = "RenderedReply")]
pub(crate) struct RenderedReply {
    #[doc = stub!("RenderedReply.payload")]
    #[pyo3(get)]
    payload: Py<PyAny>,
    #[doc = stub!("RenderedReply.receipt")]
    #[pyo3(get)]
    receipt: Py<Receipt>,
    #[doc = stub!("RenderedReply.status")]
    #[pyo3(get)]
    status: Option<u16>,
}

#[pymethods]
impl RenderedReply {
    fn __getattr__(slf: &Bound<'_, Self>, name: &str) -> PyResult<Py<PyAny>> {
        Err(no_attribute(slf, name))
    }

    /// The payload is the caller's to edit.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.payload)
    }

    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str) {
        ("payload", "receipt", "status")
    }

    #[classmethod]
    fn __class_getitem__<'py>(class: &Bound<'py, PyType>, item: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyGenericAlias::new(class.py(), class, item)?.into_any())
    }

    fn __eq__(&self, other: &Self, py: Python<'_>) -> PyResult<bool> {
        let receipt = self.receipt.get() == other.receipt.get();
        Ok(receipt && self.status == other.status && self.payload.bind(py).eq(&other.payload)?)
    }

    fn __repr__(&self) -> String {
        let receipt = self.receipt.get().headline();
        let status = self.status.map_or_else(String::new, |status| format!(", status {status}"));
        format!("<RenderedReply: {receipt}{status}>")
    }

    fn _repr_html_(&self) -> String {
        self.receipt.get().html(self.__repr__().trim_matches(['<', '>']))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, this) = (slf.py(), slf.get());
        (slf.get_type().getattr("_restore")?, (&this.payload, &this.receipt, this.status)).into_pyobject(py)
    }

    #[staticmethod]
    fn _restore(payload: Py<PyAny>, receipt: Py<Receipt>, status: Option<u16>) -> Self {
        Self { payload, receipt, status }
    }
}

/// Whether the result is objects or JSON.
#[derive(Clone, Copy)]
pub(crate) enum Door {
    Objects,
    Json,
}

/// A reply in the format of `target`.
pub(crate) fn rendered(
    py: Python<'_>,
    reply: &Core,
    target: DialectId,
    request: Option<&Bound<'_, PyAny>>,
    status: Option<Status>,
    door: Door,
) -> PyResult<RenderedReply> {
    let names = request::names(request, reply.from, target)?;
    let asked = request.map(asked).transpose()?.flatten();
    let beside = Beside { status: status.map(|status| status.0), asked: asked.as_ref() };
    let texts = names.has_texts() && target.limits().map_err(raise)?.free_text;
    let written = if names.is_empty() && !texts {
        write(reply, target, &beside)
    } else {
        let mut own = reply.share();
        own.rename(&names);
        if texts {
            own.free_texts(&names).map_err(raise)?;
        }
        write(&own, target, &beside)
    };
    let Written { payload, losses, status } = written.map_err(raise)?;
    let payload = match door {
        Door::Objects => thaw(py, &payload).map_err(raise)?,
        Door::Json => in_buffer(py, |out| write_json(&payload, None, out)).map_err(raise)?.0.into_any(),
    };
    let receipt = Py::new(py, Receipt::told(losses))?;
    Ok(RenderedReply { payload: payload.unbind(), receipt, status })
}

/// The caller's own request body. `None` for a request that was prepared for a provider.
fn asked(request: &Bound<'_, PyAny>) -> PyResult<Option<Value<PyHost>>> {
    if request.is_instance_of::<Rendered>() {
        return Ok(None);
    }
    let value = match Payload::new(request)? {
        Payload::Json(input) => json::read::value(input.bytes()),
        Payload::Object(body) if body.is_instance_of::<PyDict>() => freeze::value(&body),
        Payload::Object(_) => return Ok(None),
    };
    value.map(Some).map_err(raise)
}

fn converted(
    payload: &Bound<'_, PyAny>,
    source: &str,
    target: Dialect,
    request: Option<&Bound<'_, PyAny>>,
    status: Option<Status>,
    door: Door,
) -> PyResult<RenderedReply> {
    let reply = read(payload, source, status)?;
    rendered(payload.py(), &reply, target.0, request, status, door)
}

#[doc = stub!("convert_reply")]
#[pyfunction]
#[pyo3(signature = (payload, target, *, source = "auto", request = None, status = None))]
pub(crate) fn convert_reply(
    payload: &Bound<'_, PyAny>,
    target: Dialect,
    source: &str,
    request: Option<&Bound<'_, PyAny>>,
    status: Option<Status>,
) -> PyResult<RenderedReply> {
    converted(payload, source, target, request, status, Door::Objects)
}

#[doc = stub!("convert_reply_json")]
#[pyfunction]
#[pyo3(signature = (payload, target, *, source = "auto", request = None, status = None))]
pub(crate) fn convert_reply_json(
    payload: &Bound<'_, PyAny>,
    target: Dialect,
    source: &str,
    request: Option<&Bound<'_, PyAny>>,
    status: Option<Status>,
) -> PyResult<RenderedReply> {
    converted(payload, source, target, request, status, Door::Json)
}
