//! Reads the settings of the model in a request body.

use crate::{
    model::Frame,
    value::{Host, Value},
};

/// The value of one of the body's other keys.
fn value<H: Host>(frame: &Frame<H>, key: &str) -> Option<Value<H>> {
    let input = frame.input.as_ref();
    let keys = &frame.rest.as_ref()?.keys;
    keys.iter().find(|one| one.key.is(key, input))?.value.to_value(input).ok()
}

/// The name of the model, under either of its keys.
pub(crate) fn model<H: Host>(frame: &Frame<H>) -> Option<String> {
    match value(frame, "model").or_else(|| value(frame, "modelId"))? {
        Value::Text(text) => Some(text.to_str(None).into_owned()),
        _ => None,
    }
}

/// Whether thinking is enabled with a fixed token budget: `{"thinking": {"type": "enabled"}}`, under either of its keys.
pub(super) fn thinks_by_hand<H: Host>(frame: &Frame<H>) -> bool {
    let enabled = |value: &Value<H>| matches!(value, Value::Text(text) if text.is("enabled", None));
    let mode = |value: &Value<H>| inside(value, "type").is_some_and(enabled);
    value(frame, "thinking").is_some_and(|one| mode(&one))
        || value(frame, "additionalModelRequestFields").is_some_and(|one| inside(&one, "thinking").is_some_and(mode))
}

/// The value of a key of an object.
fn inside<'v, H: Host>(value: &'v Value<H>, key: &str) -> Option<&'v Value<H>> {
    let Value::Map(entries) = value else { return None };
    entries.iter().find(|(known, _)| known.is(key, None)).map(|(_, value)| value)
}
