//! Reads the settings of the model in a request body.

use crate::{
    model::Frame,
    value::{Host, Value},
};

/// Whether thinking is enabled with a fixed token budget: `{"thinking": {"type": "enabled"}}`, under either of its keys.
pub(super) fn thinks_by_hand<H: Host>(frame: &Frame<H>) -> bool {
    let enabled = |value: &Value<H>| matches!(value, Value::Text(text) if text.is("enabled", None));
    let mode = |value: &Value<H>| inside(value, "type").is_some_and(enabled);
    frame.value("thinking").is_some_and(|one| mode(&one))
        || frame.value("additionalModelRequestFields").is_some_and(|one| inside(&one, "thinking").is_some_and(mode))
}

/// The value of a key of an object.
fn inside<'v, H: Host>(value: &'v Value<H>, key: &str) -> Option<&'v Value<H>> {
    let Value::Map(entries) = value else { return None };
    entries.iter().find(|(known, _)| known.is(key, None)).map(|(_, value)| value)
}
