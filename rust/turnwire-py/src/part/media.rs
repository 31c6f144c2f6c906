//! `Media`: an image, a document, audio or video.

use pyo3::{
    prelude::*,
    types::{PyByteArray, PyBytes, PyString, PyTuple},
};
use turnwire_core::{
    model::{
        media::{self, MediaClass, MediaData},
        part::Kind,
    },
    report::error::{Code, Error},
    value::handle::{Raw, Value},
};

use super::{Part, handle, maybe_text, text_of};
use crate::{
    arguments::not_a,
    error::raise,
    host::PyHost,
    html, leaf,
    message::Words,
    pickle::named,
    sink::thaw,
    wrong_argument::{Str, named as of_argument, wrong},
};

#[doc = stub!("Media")]
#[pyclass(frozen, module = "turnwire", name = "Media")]
pub(crate) struct Media {
    pub(crate) part: Part,
}

impl Media {
    fn media(&self) -> Option<&media::Media<PyHost>> {
        if let Kind::Media(media) = &self.part.kind { Some(media) } else { None }
    }
}

#[pymethods]
impl Media {
    #[new]
    #[pyo3(signature = (data = None, *, url = None, file_id = None, media_type = None, name = None))]
    fn new(
        data: Option<&Bound<'_, PyAny>>,
        url: Option<Str<'_, '_>>,
        file_id: Option<Str<'_, '_>>,
        media_type: Option<Str<'_, '_>>,
        name: Option<Str<'_, '_>>,
    ) -> PyResult<Self> {
        let mime = media_type.as_deref().map(handle).transpose()?;
        let data = match (data, url, file_id) {
            (Some(data), None, None) => data_of(data)?,
            (None, Some(url), None) => {
                let url = handle(&url)?;
                if url.starts_with("data:", None) { MediaData::DataUrl(url) } else { MediaData::Url(url) }
            }
            (None, None, Some(id)) => MediaData::File(handle(&id)?),
            _ => {
                let text = "expected exactly one of data, url and file_id";
                return Err(raise(Error::new(Code::WrongArgument, text)));
            }
        };
        let name = name.as_deref().map(handle).transpose()?;
        let mut media = media::Media { class: MediaClass::Document, mime, data, name };
        media.class = MediaClass::of(media.media_type(None).as_deref());
        Ok(Self { part: Part::new(Kind::Media(media)) })
    }

    #[doc = stub!("Media.kind")]
    #[getter]
    fn kind(&self) -> &'static str {
        self.media().map_or("document", |media| media.class.name())
    }

    #[doc = stub!("Media.data")]
    #[getter]
    fn data<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        let Some(media) = self.media() else { return Ok(None) };
        let found = media.base64(None).map_err(raise)?;
        maybe_text(py, found.as_ref().map(|inline| &inline.data))
    }

    #[doc = stub!("Media.url")]
    #[getter]
    fn url<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        match self.media().map(|media| &media.data) {
            Some(MediaData::Url(url) | MediaData::DataUrl(url)) => text_of(py, url).map(Some),
            _ => Ok(None),
        }
    }

    #[doc = stub!("Media.file_id")]
    #[getter]
    fn file_id<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        match self.media().map(|media| &media.data) {
            Some(MediaData::File(id)) => text_of(py, id).map(Some),
            _ => Ok(None),
        }
    }

    #[doc = stub!("Media.media_type")]
    #[getter]
    fn media_type(&self) -> Option<String> {
        self.media()?.media_type(None).map(std::borrow::Cow::into_owned)
    }

    #[doc = stub!("Media.name")]
    #[getter]
    fn name<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        maybe_text(py, self.media().and_then(|media| media.name.as_ref()))
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        html::object(slf, &["kind", "media_type", "name", "data", "url", "file_id"])
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let size = self.data(py)?.map(|data| data.len().unwrap_or_default());
        let place = match (size, self.url(py)?, self.file_id(py)?) {
            (Some(size), ..) => format!("data=<{size} characters of base64>"),
            (_, Some(url), _) => format!("url={}", url.repr()?),
            (.., Some(id)) => format!("file_id={}", id.repr()?),
            _ => "text".to_owned(),
        };
        Ok(format!("Media({place}, media_type={:?})", self.media_type().unwrap_or_default()))
    }

    fn __eq__(&self, other: &Bound<'_, Self>) -> bool {
        self.part.same(&other.get().part)
    }

    fn __hash__(&self) -> isize {
        self.media().map_or(0, |media| media.class.name().len().cast_signed())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = slf.py();
        let Some(media) = slf.get().media() else { return not_a("media", slf) };
        let form = match &media.data {
            MediaData::Base64(_) => "base64",
            MediaData::DataUrl(_) => "data_url",
            MediaData::Url(_) => "url",
            MediaData::File(_) => "file",
            MediaData::Frames(_) => "frames",
            // A copy of a document has all of its text at once.
            MediaData::Plain(_) | MediaData::Texts(_) => "plain",
            MediaData::Bytes(_) => "bytes",
        };
        let data = match &media.data {
            MediaData::Bytes(bytes) => bytes_of(py, bytes)?,
            MediaData::Frames(frames) => {
                let frames = frames.iter().map(|frame| text_of(py, frame)).collect::<PyResult<Vec<_>>>()?;
                frames.into_pyobject(py)?.into_any()
            }
            data => maybe_text(py, data.text())?.into_pyobject(py)?,
        };
        let (mime, name) = (maybe_text(py, media.mime.as_ref())?, maybe_text(py, media.name.as_ref())?);
        (slf.get_type().getattr("_restore")?, (media.class.name(), form, data, mime, name)).into_pyobject(py)
    }

    /// Also restores what `__init__` does not take: the kind, and plain text, which only parsing makes.
    #[staticmethod]
    fn _restore(
        class: &str,
        form: &str,
        data: &Bound<'_, PyAny>,
        mime: Option<Words>,
        name: Option<Words>,
    ) -> PyResult<Self> {
        let text = || data.extract::<Words>().map(|words| words.0);
        let data = match form {
            "base64" => MediaData::Base64(text()?),
            "data_url" => MediaData::DataUrl(text()?),
            "url" => MediaData::Url(text()?),
            "file" => MediaData::File(text()?),
            "bytes" => data_of(data)?,
            "frames" => MediaData::Frames(data.extract::<Vec<Words>>()?.into_iter().map(|words| words.0).collect()),
            _ => MediaData::Plain(text()?),
        };
        let class = named(&MediaClass::ALL, class, MediaClass::name)?;
        let (mime, name) = (mime.map(|words| words.0), name.map(|words| words.0));
        Ok(Self { part: Part::new(Kind::Media(media::Media { class, mime, data, name })) })
    }
}

/// The data: base64 text or bytes, kept as they are.
fn data_of(data: &Bound<'_, PyAny>) -> PyResult<MediaData<PyHost>> {
    if let Ok(text) = data.cast::<PyString>() {
        return handle(text).map(MediaData::Base64);
    }
    let bytes = if let Ok(buffer) = data.cast::<PyByteArray>() {
        // Copied, because the buffer's owner may still change it.
        leaf::kept(buffer)
    } else if let Ok(bytes) = data.cast::<PyBytes>() {
        bytes.clone()
    } else {
        return Err(of_argument(data.py(), "data", wrong("bytes or base64 text", data)));
    };
    Ok(MediaData::Bytes(Raw::Tree(Value::Leaf(bytes.into_any().unbind()))))
}

/// The original object of the bytes.
fn bytes_of<'py>(py: Python<'py>, bytes: &Raw<PyHost>) -> PyResult<Bound<'py, PyAny>> {
    bytes.to_value(None).and_then(|value| thaw(py, &value)).map_err(raise)
}
