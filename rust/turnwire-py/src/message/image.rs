//! `ImageBlock`: an image by its format and bytes.

use pyo3::{
    prelude::*,
    types::{PyByteArray, PyBytes, PyString, PyTuple},
};
use turnwire_core::spec::message::{self, ImageData};

use super::{Words, call_repr, hash};
use crate::{
    arguments::not_a,
    host::PyHost,
    html,
    part::{handle, text_of},
};

pub(crate) type CoreImage = message::ImageBlock<PyHost>;

#[doc = stub!("ImageBlock")]
#[pyclass(frozen, module = "turnwire.parts", name = "ImageBlock")]
pub(crate) struct ImageBlock(pub(crate) CoreImage);

#[pymethods]
impl ImageBlock {
    #[new]
    fn new(format: Words, data: &Bound<'_, PyAny>) -> PyResult<Self> {
        let data = if let Ok(text) = data.cast::<PyString>() {
            ImageData::Base64(handle(text)?)
        } else if let Ok(bytes) = data.cast::<PyBytes>() {
            ImageData::Bytes(bytes.clone().into_any().unbind())
        } else if let Ok(bytes) = data.cast::<PyByteArray>() {
            // Copies the buffer, because its owner may still change it.
            ImageData::Bytes(PyBytes::new(data.py(), &bytes.to_vec()).into_any().unbind())
        } else {
            return not_a("bytes or base64 text", data);
        };
        Ok(Self(CoreImage { format: format.0, data }))
    }

    #[classattr]
    fn __match_args__() -> (&'static str, &'static str) {
        ("format", "data")
    }

    #[doc = stub!("ImageBlock.format")]
    #[getter]
    fn format<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        text_of(py, &self.0.format)
    }

    #[doc = stub!("ImageBlock.data")]
    #[getter]
    fn data<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match &self.0.data {
            ImageData::Base64(text) => text_of(py, text).map(Bound::into_any),
            ImageData::Bytes(bytes) => Ok(bytes.bind(py).clone()),
        }
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        html::object(slf, &["format", "data"])
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let (py, image) = (slf.py(), slf.get());
        call_repr("ImageBlock", &[("", image.format(py)?.into_any()), ("", image.data(py)?)])
    }

    fn __eq__(&self, other: &Bound<'_, Self>) -> bool {
        self.0.same(&other.get().0)
    }

    fn __hash__(&self) -> u64 {
        hash([&self.0.format])
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, image) = (slf.py(), slf.get());
        (slf.get_type(), (image.format(py)?, image.data(py)?)).into_pyobject(py)
    }
}
