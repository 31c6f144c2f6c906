//! Converts events of a streamed reply to dicts and back.

use std::borrow::Borrow;

use pyo3::{
    prelude::*,
    types::{PyDict, PyList},
};
use turnwire_core::{
    model::{
        event::{Event, PartSort},
        finish::Finish,
        reply,
        tool::Args,
    },
    value::{
        door::Key,
        handle::{Raw, Text},
    },
};

use crate::{
    error::raise,
    freeze,
    host::PyHost,
    part::{handle, text_of},
    sink::PySink,
    source::interned,
};

/// Events as dicts.
pub(crate) fn events(
    py: Python<'_>,
    events: impl IntoIterator<Item = impl Borrow<Event<PyHost>>>,
) -> PyResult<Bound<'_, PyList>> {
    let out = PyList::empty(py);
    for event in events {
        let event = event.borrow();
        if let Some((kind, text)) = event.said() {
            out.append(said(py, kind, text)?)?;
        } else {
            let mut sink = PySink::new(py);
            event.write(&mut sink);
            out.append(sink.finish().map_err(raise)?)?;
        }
    }
    Ok(out)
}

/// A text event. Nearly all events are one, so it is written without the stack of containers that a sink needs.
fn said<'py>(py: Python<'py>, kind: &'static Key, text: &Text<PyHost>) -> PyResult<Bound<'py, PyDict>> {
    let [of, content] = Event::<PyHost>::keys().map(|key| interned(py, key).bind(py));
    let dict = PyDict::new(py);
    dict.set_item(of, interned(py, kind).bind(py))?;
    dict.set_item(content, text_of(py, text)?)?;
    Ok(dict)
}

/// Reads an event from its dict.
pub(crate) fn event(dict: &Bound<'_, PyAny>) -> PyResult<Event<PyHost>> {
    let (kind, content) = (dict.get_item("type")?, dict.get_item("content")?);
    let text = |value: Bound<'_, PyAny>| -> PyResult<Text<PyHost>> { handle(value.cast()?) };
    let frozen = |value: &Bound<'_, PyAny>| freeze::value(value).map_err(raise);
    let named = |key: &str| content.get_item(key).ok().map(text).transpose();
    let call = || content.get_item("call")?.extract::<usize>();
    let sort = |word: &str| PartSort::ALL.into_iter().find(|sort| sort.name() == word).unwrap_or(PartSort::Text);
    match kind.extract::<&str>()? {
        "text" => text(content).map(Event::Text),
        "reasoning" => text(content).map(Event::Reasoning),
        "refusal" => text(content).map(Event::Refusal),
        "signature" => text(content).map(Event::Signature),
        "part_begin" => Ok(Event::PartBegun(sort(content.extract()?))),
        "part_end" => Ok(Event::PartEnded(sort(content.extract()?))),
        "begin" => Ok(Event::Begun { id: named("id")?, model: named("model")? }),
        "call_begin" => Ok(Event::CallBegun {
            call: call()?,
            id: named("tool_call_id")?,
            name: text(content.get_item("name")?)?,
            custom: content.contains("custom")?,
            namespace: None,
            form: None,
        }),
        "call_piece" => Ok(Event::CallPiece { call: call()?, text: text(content.get_item("arguments")?)? }),
        "call_whole" => Ok(Event::CallWhole { call: call()?, text: text(content.get_item("arguments")?)? }),
        "call_end" => Ok(Event::CallEnded { call: call()? }),
        "usage" => {
            let count = |key: &str| content.get_item(key).ok().map(|count| count.extract()).transpose();
            Ok(Event::Usage(reply::Tokens {
                input: count("input")?,
                output: count("output")?,
                cached: count("cached")?,
                reasoning: count("reasoning")?,
                written: count("written")?,
            }))
        }
        "finish" => {
            let word = content.extract::<&str>()?;
            Ok(Event::Finished(Finish::ALL.into_iter().find(|known| known.name() == word).unwrap_or(Finish::Other)))
        }
        "error" => frozen(&content).map(Event::Failed),
        _ => {
            let content = content.cast::<PyDict>()?;
            let args = frozen(&content.as_any().get_item("arguments")?)?;
            Ok(Event::Call {
                id: content.get_item("tool_call_id")?.map(text).transpose()?,
                name: text(content.as_any().get_item("name")?)?,
                args: Args::Value(Raw::Tree(args)),
                namespace: None,
                form: None,
            })
        }
    }
}
