//! The builder's one native step: a conversation and what the caller wants, in; a conversation with its receipt, out.

use pyo3::{
    prelude::*,
    types::{PyDict, PyString, PyTuple},
};
use turnwire_core::{
    model::conversation,
    report::error::{Code, Error},
    rules::dialect_id::DialectId,
    stage::{self, Inputs, Relay, Summary, Thinking},
    value::handle::Text,
};

use crate::{
    arguments::{Dialect, Word, Words},
    budget::Budget,
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

/// The text of a summary, the id of the first message that stays, and the ids of those that it covers.
type SummaryParts<'py> = (Bound<'py, PyString>, Bound<'py, PyString>, Vec<Bound<'py, PyString>>);

/// What `MessageBuilder` gathers.
pub(crate) struct Wanted {
    prompts: Vec<Text<PyHost>>,
    pub(crate) summary: Option<Summary>,
    budget: Py<Budget>,
    pub(crate) pinned: Vec<usize>,
    target: Option<DialectId>,
    pub(crate) keep_open: bool,
    pub(crate) thinking: Thinking,
    opening: Option<Text<PyHost>>,
    relay: Relay,
}

impl Wanted {
    /// From a dict, by name.
    pub(crate) fn new(gathered: &Bound<'_, PyDict>) -> PyResult<Self> {
        let given = |key: &str| gathered.as_any().get_item(key);
        let prompts: Vec<Bound<'_, PyString>> = given("system_prompts")?.extract()?;
        let summary: Option<SummaryParts<'_>> = given("summary")?.extract()?;
        let opening: Option<Bound<'_, PyString>> = given("opening")?.extract()?;
        let (no_blanks, only_objects) = given("relay")?.extract()?;
        Ok(Self {
            prompts: prompts.iter().map(handle).collect::<PyResult<_>>()?,
            summary: summary.map(|(text, start_id, ids)| summary_of(&text, &start_id, &ids)).transpose()?,
            budget: given("budget")?.extract()?,
            pinned: given("pinned")?.extract()?,
            target: given("target")?.extract::<Option<Dialect>>()?.map(|target| target.0),
            keep_open: given("keep_open")?.extract()?,
            thinking: given("thinking")?.extract::<Word<Thinking>>()?.0,
            opening: opening.as_ref().map(handle).transpose()?,
            relay: Relay { no_blanks, only_objects },
        })
    }

    pub(crate) fn prompts(&self) -> impl Iterator<Item = &Text<PyHost>> {
        self.prompts.iter()
    }

    pub(crate) fn opening(&self) -> Option<&Text<PyHost>> {
        self.opening.as_ref()
    }

    pub(crate) fn budget(&self) -> &Budget {
        self.budget.get()
    }

    fn inputs<'a>(&'a self, budget: Option<stage::Budget<'a>>) -> Inputs<'a, PyHost> {
        Inputs {
            system_prompts: &self.prompts,
            summary: self.summary.as_ref(),
            budget,
            reserve: self.budget.get().reserve,
            pinned: &self.pinned,
            target: self.target,
            opening: self.opening.as_ref(),
            relay: self.relay,
            keep_open: self.keep_open,
            thinking: self.thinking,
            summarised: false,
        }
    }

    pub(crate) fn build(
        &self,
        conversation: &conversation::Conversation<PyHost>,
    ) -> PyResult<(conversation::Conversation<PyHost>, Receipt)> {
        let run = |budget: Option<stage::Budget<'_>>| stage::build(conversation, &self.inputs(budget));
        let built = self.budget.get().with(run)?.map_err(raise_failed)?;
        Ok((built.conversation, Receipt(built.receipt)))
    }

    pub(crate) fn check<'py>(
        &self,
        py: Python<'py>,
        conversation: &conversation::Conversation<PyHost>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let check = |budget: Option<stage::Budget<'_>>| stage::check(conversation, &self.inputs(budget));
        let found = self.budget.get().with(check)?.into_iter().map(|found| Py::new(py, Finding(found)));
        PyTuple::new(py, found.collect::<PyResult<Vec<_>>>()?)
    }
}

/// What stays of a history: so many turns, or what a budget allows; with what that changed, and the indices of the turns
/// that went.
pub(crate) fn window(
    conversation: &conversation::Conversation<PyHost>,
    (turns, budget): (Option<usize>, &Budget),
    pinned: &[usize],
    summarised: bool,
) -> PyResult<(conversation::Conversation<PyHost>, Receipt, Vec<usize>)> {
    let run = |limit: Option<stage::Budget<'_>>| {
        if turns.is_some() && limit.is_some() {
            let text = "expected one of turns, max_bytes and max_tokens, got two: leave one out";
            return Err(raise(Error::new(Code::ConflictingOptions, text)));
        }
        let budget = (turns.map(stage::Budget::Turns).or(limit), budget.reserve);
        let inputs = Inputs { budget: budget.0, reserve: budget.1, pinned, summarised, ..Inputs::default() };
        stage::window(conversation, &inputs).map_err(raise_failed)
    };
    let window = budget.with(run)??;
    Ok((window.built.conversation, Receipt(window.built.receipt), window.gone))
}

/// A summary as the core keeps it: in whole characters, and it says so where they were not.
fn summary_of(
    text: &Bound<'_, PyString>,
    start_id: &Bound<'_, PyString>,
    ids: &[Bound<'_, PyString>],
) -> PyResult<Summary> {
    let whole = |text: &Bound<'_, PyString>| handle(text).map(|text| text.to_str(None).into_owned());
    let mended = handle(text)?.has_lone_surrogate();
    Ok(Summary {
        text: whole(text)?,
        mended,
        start_id: whole(start_id)?,
        ids: ids.iter().map(whole).collect::<PyResult<_>>()?,
    })
}
