//! `_Summary`: what `MessageBuilder.set_compression_summary` is given, checked where it is given.

use pyo3::{
    prelude::*,
    types::{PyIterator, PyString},
};
use turnwire_core::stage;

use crate::{
    arguments::not_a,
    part::{handle, whole},
};

/// How a compression summary may spell its keys: as Python does, or as spec 001 does.
const SPELLINGS: [[&str; 2]; 3] =
    [["summary", "summary"], ["start_message_id", "startMessageId"], ["message_ids", "messageIds"]];

/// A compression summary: its text, the id of the first message that stays, the ids of those that it covers.
#[pyclass(frozen, module = "turnwire._core", name = "_Summary")]
pub(crate) struct Summary(pub(crate) stage::Summary);

#[pymethods]
impl Summary {
    #[new]
    pub(crate) fn new(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if !given.hasattr("__getitem__")? {
            return not_a("a dict with the summary", given);
        }
        let value = |spellings: [&str; 2]| {
            for key in spellings {
                if given.contains(key)? {
                    return given.get_item(key);
                }
            }
            not_a(&format!("a summary with {:?}", spellings[1]), given)
        };
        let [text, start_id, covered] = SPELLINGS.map(value);
        let (text, start_id, covered) = (text?, start_id?, covered?);
        let ids = |covered: &Bound<'_, PyAny>| -> PyResult<Vec<String>> {
            PyIterator::from_object(covered)?.map(|id| whole(&id?.str()?)).collect()
        };
        match text.cast::<PyString>() {
            Ok(text) if !covered.is_instance_of::<PyString>() && covered.hasattr("__iter__")? => {
                Ok(Self(stage::Summary {
                    text: whole(text)?,
                    mended: handle(text)?.has_lone_surrogate(),
                    start_id: whole(&start_id.str()?)?,
                    ids: ids(&covered)?,
                }))
            }
            _ => not_a("a summary whose text is a str and whose message ids are a list", given),
        }
    }
}
