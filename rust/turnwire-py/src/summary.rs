//! `_Summary`: the argument of `MessageBuilder.set_compression_summary`, checked when it is set.

use pyo3::{
    prelude::*,
    types::{PyDict, PyIterator, PyString},
};
use turnwire_core::stage;

use crate::{
    arguments::not_a,
    conversation::given::any_index,
    part::{handle, whole},
};

/// How a compression summary may spell its keys: in snake case, or in camel case as in spec 001.
const SPELLINGS: [[&str; 2]; 3] =
    [["summary", "summary"], ["start_message_id", "startMessageId"], ["message_ids", "messageIds"]];

/// The key of the indices that `summarise=` has summed up.
const INDICES: &str = "indices";

/// A compression summary: its text, the id of the first message that stays, and the ids of the messages that it covers.
#[pyclass(frozen, module = "turnwire._core", name = "_Summary")]
pub(crate) struct Summary(pub(crate) stage::Summary);

#[pymethods]
impl Summary {
    #[new]
    pub(crate) fn new(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if !given.hasattr("__getitem__")? {
            return not_a("a dict with the summary", given);
        }
        // A summary by indices needs no ids.
        let indices = if given.contains(INDICES)? { read_indices(&given.get_item(INDICES)?)? } else { Vec::new() };
        if !indices.is_empty() && !given.contains(SPELLINGS[1][0])? && !given.contains(SPELLINGS[1][1])? {
            let text = given.get_item(SPELLINGS[0][0])?;
            let Ok(text) = text.cast::<PyString>() else { return not_a("a summary whose text is a str", given) };
            return Ok(Self(stage::Summary { indices, ..of_text(text)? }));
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
                let (start_id, ids) = (whole(&start_id.str()?)?, ids(&covered)?);
                Ok(Self(stage::Summary { start_id, ids, indices, ..of_text(text)? }))
            }
            _ => not_a("a summary whose text is a str and whose message ids are a list", given),
        }
    }
}

/// A summary that does not yet cover any message.
pub(crate) fn of_text(text: &Bound<'_, PyString>) -> PyResult<stage::Summary> {
    let repaired = handle(text)?.has_lone_surrogate();
    Ok(stage::Summary { text: whole(text)?, repaired, ..stage::Summary::default() })
}

fn read_indices(given: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
    let Ok(each) = PyIterator::from_object(given) else { return not_a("a summary whose indices are a list", given) };
    each.map(|index| any_index(&index?, "summary", "indices of a summary")).collect()
}

/// The summary as the dict that `summary=` takes.
pub(crate) fn to_dict<'py>(py: Python<'py>, summary: &stage::Summary) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item(SPELLINGS[0][0], &summary.text)?;
    if !summary.ids.is_empty() || summary.indices.is_empty() {
        dict.set_item(SPELLINGS[1][1], &summary.start_id)?;
        dict.set_item(SPELLINGS[2][1], &summary.ids)?;
    }
    if !summary.indices.is_empty() {
        dict.set_item(INDICES, &summary.indices)?;
    }
    Ok(dict)
}
