//! `ToolUseResultBlock` and its variants: one block of a tool's result.

use pyo3::{
    prelude::*,
    types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple, PyType},
};
use turnwire_core::{
    model::{
        part::{self, Kind},
        tool::Content,
    },
    report::{
        error::{Code, Error},
        path::Step,
    },
    value::handle::Raw,
};

use super::{Words, call_repr, hash, image::ImageBlock, variant};
use crate::{
    arguments::not_a,
    error::raise,
    freeze,
    host::PyHost,
    html,
    part::{Media, Part, handle, text_of},
    sink::thaw,
};

#[doc = stub!("ToolUseResultBlock")]
#[pyclass(frozen, subclass, module = "turnwire.parts", name = "ToolUseResultBlock")]
pub(crate) struct ToolUseResultBlock(Part);

#[doc = stub!("ToolUseResultBlock.Text")]
#[pyclass(frozen, extends = ToolUseResultBlock, module = "turnwire.parts", name = "Text")]
pub(crate) struct TextBlock;

#[doc = stub!("ToolUseResultBlock.Json")]
#[pyclass(frozen, extends = ToolUseResultBlock, module = "turnwire.parts", name = "Json")]
pub(crate) struct JsonBlock;

#[doc = stub!("ToolUseResultBlock.Media")]
#[pyclass(frozen, extends = ToolUseResultBlock, module = "turnwire.parts", name = "Media")]
pub(crate) struct MediaBlock;

#[pymethods]
impl ToolUseResultBlock {
    #[doc = stub!("ToolUseResultBlock.Text")]
    #[classattr]
    #[pyo3(name = "Text")]
    fn text_class(py: Python<'_>) -> PyResult<Bound<'_, PyType>> {
        variant::<TextBlock>(py, "ToolUseResultBlock.Text")
    }

    #[doc = stub!("ToolUseResultBlock.Json")]
    #[classattr]
    #[pyo3(name = "Json")]
    fn json_class(py: Python<'_>) -> PyResult<Bound<'_, PyType>> {
        variant::<JsonBlock>(py, "ToolUseResultBlock.Json")
    }

    #[doc = stub!("ToolUseResultBlock.Media")]
    #[classattr]
    #[pyo3(name = "Media")]
    fn media_class(py: Python<'_>) -> PyResult<Bound<'_, PyType>> {
        variant::<MediaBlock>(py, "ToolUseResultBlock.Media")
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        html::object(slf, &["text", "value", "media"])
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        match slf.get().said(slf.py())? {
            Some(said) => call_repr(&slf.get_type().qualname()?.to_string_lossy(), &[("", said)]),
            None => Ok("<ToolUseResultBlock of another dialect>".to_owned()),
        }
    }

    fn __eq__(&self, other: &Bound<'_, Self>) -> bool {
        self.0.same(&other.get().0)
    }

    fn __hash__(&self) -> u64 {
        match &self.0.kind {
            Kind::Text(text) => hash([text]),
            Kind::Json(_) => 1,
            Kind::Media(_) => 2,
            _ => 3,
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        match slf.get().said(slf.py())? {
            Some(said) => (slf.get_type(), (said,)).into_pyobject(slf.py()),
            None => not_a("a block that can be pickled alone", slf.as_any()),
        }
    }
}

impl ToolUseResultBlock {
    /// The arguments of the variant's constructor. `None` for a block that only parsing makes.
    fn said<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match &self.0.kind {
            Kind::Text(text) | Kind::Refusal(text) => text_of(py, text).map(|text| Some(text.into_any())),
            Kind::Json(raw) => raw.to_value(None).and_then(|value| thaw(py, &value)).map(Some).map_err(raise),
            Kind::Media(_) => {
                Bound::new(py, Media { part: part::Part::new(self.0.kind.share()) }).map(|media| Some(media.into_any()))
            }
            _ => Ok(None),
        }
    }
}

#[pymethods]
impl TextBlock {
    #[new]
    fn new(text: Words) -> PyClassInitializer<Self> {
        PyClassInitializer::from(ToolUseResultBlock(Part::new(Kind::Text(text.0)))).add_subclass(Self)
    }

    #[classattr]
    fn __match_args__() -> (&'static str,) {
        ("text",)
    }

    #[doc = stub!("ToolUseResultBlock.Text.text")]
    #[getter]
    fn text<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyAny>>> {
        slf.as_super().get().said(slf.py())
    }
}

#[pymethods]
impl JsonBlock {
    #[new]
    fn new(value: &Bound<'_, PyAny>) -> PyResult<PyClassInitializer<Self>> {
        Ok(PyClassInitializer::from(ToolUseResultBlock(json(value).map_err(raise)?)).add_subclass(Self))
    }

    #[classattr]
    fn __match_args__() -> (&'static str,) {
        ("value",)
    }

    #[doc = stub!("ToolUseResultBlock.Json.value")]
    #[getter]
    fn value<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyAny>>> {
        slf.as_super().get().said(slf.py())
    }
}

#[pymethods]
impl MediaBlock {
    #[new]
    fn new(media: &Bound<'_, PyAny>) -> PyResult<PyClassInitializer<Self>> {
        let Some(part) = media_of(media)? else { return not_a("a Media or an ImageBlock", media) };
        Ok(PyClassInitializer::from(ToolUseResultBlock(part)).add_subclass(Self))
    }

    #[classattr]
    fn __match_args__() -> (&'static str,) {
        ("media",)
    }

    #[doc = stub!("ToolUseResultBlock.Media.media")]
    #[getter]
    fn media<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyAny>>> {
        slf.as_super().get().said(slf.py())
    }
}

fn json(value: &Bound<'_, PyAny>) -> Result<Part, Error> {
    Ok(Part::new(Kind::Json(Raw::Tree(freeze::json(value)?))))
}

fn media_of(media: &Bound<'_, PyAny>) -> PyResult<Option<Part>> {
    if let Ok(media) = media.cast::<Media>() {
        return Ok(Some(media.get().part.share()));
    }
    if let Ok(image) = media.cast::<ImageBlock>() {
        let media = image.get().0.to_media().map_err(raise)?;
        return Ok(Some(Part::new(Kind::Media(media))));
    }
    Ok(None)
}

/// A block as the object that Python sees.
pub(crate) fn wrap(py: Python<'_>, part: Part) -> PyResult<Py<PyAny>> {
    let variant = match &part.kind {
        Kind::Text(_) | Kind::Refusal(_) => 't',
        Kind::Json(_) => 'j',
        Kind::Media(_) => 'm',
        _ => 'o',
    };
    let base = PyClassInitializer::from(ToolUseResultBlock(part));
    Ok(match variant {
        't' => Py::new(py, base.add_subclass(TextBlock))?.into_any(),
        'j' => Py::new(py, base.add_subclass(JsonBlock))?.into_any(),
        'm' => Py::new(py, base.add_subclass(MediaBlock))?.into_any(),
        _ => Py::new(py, base)?.into_any(),
    })
}

/// The content of a result from a Python value: a str, a JSON value, a block, or a list of those.
pub(crate) fn content_of(content: &Bound<'_, PyAny>) -> PyResult<Content<PyHost>> {
    if let Ok(text) = content.cast::<PyString>() {
        return Ok(Content::Text(handle(text)?));
    }
    let blocks = if let Ok(list) = content.cast::<PyList>() {
        blocks_of(list.iter())?
    } else if let Ok(tuple) = content.cast::<PyTuple>() {
        blocks_of(tuple.iter())?
    } else if let Some(block) = block_of(content, None)? {
        vec![block]
    } else {
        return not_a("a str, a dict, or a list of blocks", content);
    };
    Ok(Content::blocks(blocks))
}

fn blocks_of<'py>(blocks: impl Iterator<Item = Bound<'py, PyAny>>) -> PyResult<Vec<Part>> {
    blocks
        .enumerate()
        .map(|(index, block)| {
            if let Some(part) = block_of(&block, Some(index))? {
                return Ok(part);
            }
            let what = "a str, a dict or a ToolUseResultBlock; a list is JSON only in ToolUseResultBlock.Json";
            not_a(&format!("content[{index}] to be {what}"), &block)
        })
        .collect()
}

fn block_of(block: &Bound<'_, PyAny>, index: Option<usize>) -> PyResult<Option<Part>> {
    if let Ok(text) = block.cast::<PyString>() {
        return Ok(Some(Part::new(Kind::Text(handle(text)?))));
    }
    if let Ok(block) = block.cast::<ToolUseResultBlock>() {
        return Ok(Some(block.get().0.share()));
    }
    let scalar = index.is_none()
        && (block.is_instance_of::<PyBool>() || block.is_instance_of::<PyInt>() || block.is_instance_of::<PyFloat>());
    if let Ok(dict) = block.cast::<PyDict>() {
        refuse_wire_block(dict)?;
    }
    if scalar || block.is_instance_of::<PyDict>() {
        let place = |error: Error| match index {
            Some(index) => error.under(Step::Index(index)).under(Step::Key("content")),
            None => error.under(Step::Key("content")),
        };
        return json(block).map(Some).map_err(place).map_err(raise);
    }
    media_of(block)
}

/// Refuses a dict that is a provider's content block: it would reach the model as JSON text by mistake.
fn refuse_wire_block(dict: &Bound<'_, PyDict>) -> PyResult<()> {
    const BLOCKS: [&str; 9] =
        ["text", "image", "image_url", "audio", "document", "input_text", "input_image", "input_audio", "input_file"];
    const CONTENTS: [&str; 6] = ["text", "source", "data", "image_url", "input_audio", "file_id"];
    let Some(kind) = dict.get_item("type")? else { return Ok(()) };
    let Ok(kind) = kind.cast::<PyString>() else { return Ok(()) };
    let kind = kind.to_string_lossy();
    if !BLOCKS.contains(&&*kind) || !CONTENTS.iter().any(|key| dict.contains(key).unwrap_or(false)) {
        return Ok(());
    }
    let text = format!(
        "expected a JSON value, got what looks like a content block of type {kind:?}: give its text as a str, media as \
         Media, or the dict as it is in ToolUseResultBlock.Json"
    );
    Err(raise(Error::new(Code::WrongArgument, text)))
}
