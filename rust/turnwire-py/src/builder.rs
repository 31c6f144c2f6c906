//! The builder's one native step: a conversation and what the caller wants, in; a conversation with its receipt, out.

use pyo3::{
    prelude::*,
    types::{PyString, PyTuple},
};
use turnwire_core::{
    conversation,
    dialect::DialectId,
    handle::Text,
    stage::{self, Inputs, Summary, Thinking},
};

use crate::{
    arguments::{Bytes, Word, Words},
    error::{raise, raise_failed},
    host::PyHost,
    part::handle,
    receipt::{Finding, Receipt},
};

impl Words for Thinking {
    const OPTION: &'static str = "thinking";
    const ALL: &'static [Self] = Self::ALL;
    fn name(self) -> &'static str {
        self.name()
    }
}

/// What `MessageBuilder` gathers. Its place in a signature is a tuple, because only our own Python writes it.
pub(crate) struct Wanted {
    prompts: Vec<Text<PyHost>>,
    summary: Option<Summary>,
    budget: Option<usize>,
    target: Option<DialectId>,
    keep_open: bool,
    thinking: Thinking,
    opening: Option<Text<PyHost>>,
}

/// `(system_prompts, summary, max_bytes, target, keep_open, thinking, opening)`
type Gathered<'py> = (
    Vec<Bound<'py, PyString>>,
    Option<(String, String, Vec<String>)>,
    Option<Bytes>,
    Option<String>,
    bool,
    Word<Thinking>,
    Option<Bound<'py, PyString>>,
);

impl Wanted {
    pub(crate) fn new(gathered: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let (prompts, summary, budget, target, keep_open, thinking, opening) = gathered.extract::<Gathered<'_>>()?;
        Ok(Self {
            prompts: prompts.iter().map(handle).collect::<PyResult<_>>()?,
            summary: summary.map(|(text, start_id, ids)| Summary { text, start_id, ids }),
            budget: budget.map(|bytes| bytes.0),
            target: target.as_deref().map(DialectId::named).transpose().map_err(raise)?,
            keep_open,
            thinking: thinking.0,
            opening: opening.as_ref().map(handle).transpose()?,
        })
    }

    fn inputs(&self) -> Inputs<'_, PyHost> {
        Inputs {
            system_prompts: &self.prompts,
            summary: self.summary.as_ref(),
            budget: self.budget,
            target: self.target,
            opening: self.opening.as_ref(),
            keep_open: self.keep_open,
            thinking: self.thinking,
        }
    }

    pub(crate) fn build(
        &self,
        conversation: &conversation::Conversation<PyHost>,
    ) -> PyResult<(conversation::Conversation<PyHost>, Receipt)> {
        let built = stage::build(conversation, &self.inputs()).map_err(raise_failed)?;
        Ok((built.conversation, Receipt(built.receipt)))
    }

    pub(crate) fn check<'py>(
        &self,
        py: Python<'py>,
        conversation: &conversation::Conversation<PyHost>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let found = stage::check(conversation, &self.inputs()).into_iter().map(|found| Py::new(py, Finding(found)));
        PyTuple::new(py, found.collect::<PyResult<Vec<_>>>()?)
    }
}
