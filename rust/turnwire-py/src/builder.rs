//! One native step for a whole build: takes a conversation and the caller's options, returns a conversation with its
//! receipt.

use std::collections::BTreeSet;

use pyo3::prelude::*;
use turnwire_core::{
    check, convert,
    detect::{Reading, detect},
    ledger::{self, Choices, Request, State},
    model::conversation,
    prefix,
    report::{
        self,
        error::{Code, Error},
    },
    rules::dialect_id::DialectId,
    stage::{self, Inputs, Relay, Summary},
    text::budget::RESERVE,
    value::{
        handle::{Text, Value},
        json::{read, write::JsonSink},
        tree::Tree,
    },
};

use crate::{
    budget::Budget,
    cut::Answers,
    diff::Body,
    error::{raise, raise_failed},
    host::PyHost,
    limits::Limits,
    log,
    options::Wording,
    receipt::{LastReceipt, Receipt},
};

/// The options that `MessageBuilder` and `prepare` collect.
#[allow(clippy::struct_excessive_bools, reason = "independent choices of the caller")]
pub(crate) struct Wanted<'a> {
    pub(crate) prompts: Vec<Text<PyHost>>,
    pub(crate) summary: Option<&'a Summary>,
    pub(crate) budget: &'a Budget,
    pub(crate) pinned: Vec<usize>,
    pub(crate) target: Option<DialectId>,
    pub(crate) keep_open: bool,
    pub(crate) model: Option<&'a str>,
    pub(crate) prefill: bool,
    pub(crate) wording: &'a Wording,
    pub(crate) relay: Relay,
    /// How the result will be written.
    pub(crate) rendering: &'a convert::Options,
    /// Whether the build is logged. Those that turnwire makes for itself are not.
    pub(crate) logs: bool,
}

impl Wanted<'_> {
    fn inputs<'b>(&'b self, limits: Limits<'b>) -> Inputs<'b, PyHost> {
        Inputs {
            system_prompts: &self.prompts,
            summary: self.summary,
            budget: limits.budget,
            result_cap: limits.result_cap,
            markers: limits.markers,
            cut_words: self.wording.cut.as_deref(),
            omitted: self.wording.omitted.as_ref(),
            missing_result: self.wording.missing_result.as_ref(),
            reserve: self.budget.reserve(),
            pinned: &self.pinned,
            target: self.target,
            opening: self.wording.opening.as_ref(),
            bridge: self.wording.bridge.as_ref(),
            relay: self.relay,
            rendering: self.rendering,
            model: self.model,
            prefill: self.prefill,
            keep_open: self.keep_open,
            frozen: None,
            measured: false,
            summarised: false,
        }
    }

    /// Builds, and logs it if it should.
    pub(crate) fn build(
        &self,
        py: Python<'_>,
        conversation: &conversation::Conversation<PyHost>,
    ) -> PyResult<(conversation::Conversation<PyHost>, LastReceipt)> {
        let answers = Answers::default();
        let run = |limits: Limits<'_>| stage::build(conversation, &self.inputs(limits));
        let built = self.budget.with(&answers, run).and_then(|built| built.map_err(raise_failed));
        self.told(py, conversation.turns().len(), built)
    }

    /// Builds. If the budget leaves out messages, `ask` sums them up, and the build takes that summary.
    ///
    /// `ask` is called only once. Builds that leave room for the summary therefore find first what the summary will
    /// displace.
    pub(crate) fn build_summed(
        &self,
        py: Python<'_>,
        conversation: &conversation::Conversation<PyHost>,
        ask: &dyn Fn(&[usize]) -> PyResult<Summary>,
    ) -> PyResult<(conversation::Conversation<PyHost>, LastReceipt, Option<Summary>)> {
        let given = conversation.turns().len();
        let answers = Answers::default();
        let run = |limits: Limits<'_>| stage::build(conversation, &self.inputs(limits));
        let first = self.budget.with(&answers, run)?;
        let mut dropped = match &first {
            Ok(built) => built.dropped.clone(),
            Err(_) => Vec::new(),
        };
        let mut summary = self.summary.cloned().unwrap_or_default();
        let known = summary.indices.len();
        let mut gone = BTreeSet::new();
        loop {
            gone.extend(dropped.iter().map(|(index, _)| *index));
            let whole = dropped.iter().filter_map(|(index, whole)| whole.then_some(*index));
            let before = summary.indices.len();
            summary.indices.extend(whole);
            if summary.indices.len() == before {
                break;
            }
            let inputs = |limits: Limits<'_>| {
                stage::build(conversation, &Inputs { summary: Some(&summary), ..self.inputs(limits.with_room()) })
            };
            dropped = self.budget.with(&answers, inputs)?.map_or_else(|_| Vec::new(), |built| built.dropped);
        }
        if summary.indices.len() == known {
            let (built, receipt) = self.told(py, given, first.map_err(raise_failed))?;
            return Ok((built, receipt, self.summary.cloned()));
        }
        summary.indices.sort_unstable();
        let said = ask(&gone.into_iter().collect::<Vec<_>>())?;
        let summary = Summary { text: said.text, repaired: said.repaired, ..summary };
        // The whole budget cuts less from what stays. A build that leaves the same room as before is used only if it
        // drops fewer messages.
        let run = |limits: Limits<'_>| {
            let build = |limits| stage::build(conversation, &Inputs { summary: Some(&summary), ..self.inputs(limits) });
            let drops = |built: &Result<stage::Built<PyHost>, _>| {
                built.as_ref().map_or(usize::MAX, |built| built.dropped.len())
            };
            let whole = build(limits);
            if drops(&whole) == 0 {
                return Ok(whole);
            }
            let tight = build(limits.with_room().with_more(&summary.text)?);
            Ok(if drops(&tight) < drops(&whole) { tight } else { whole })
        };
        let built = self
            .budget
            .with(&answers, run)
            .and_then(|built| built.map_err(raise).and_then(|one| one.map_err(raise_failed)));
        let (built, receipt) = self.told(py, given, built)?;
        Ok((built, receipt, Some(summary)))
    }

    /// Builds the next request after `state`, and logs it if it should.
    pub(crate) fn request(
        &self,
        py: Python<'_>,
        conversation: &conversation::Conversation<PyHost>,
        target: DialectId,
        (choices, state, asks): (Choices, Option<&State>, bool),
    ) -> PyResult<(Request<PyHost>, LastReceipt)> {
        let given = conversation.turns().len();
        let run = |limits: Limits<'_>| {
            let make = if asks { ledger::compaction } else { ledger::prepare };
            // The caller's reserve is what the ledger's own cut frees. Within it, a build frees the usual share.
            let inputs = Inputs { reserve: RESERVE, ..self.inputs(limits) };
            make(conversation, (&inputs, target), choices, state)
        };
        let made = self.budget.with(&Answers::default(), run).and_then(|made| made.map_err(raise_failed));
        let mut made = made.map_err(|error| self.failed(py, given, error))?;
        let receipt = std::mem::take(&mut made.built.receipt);
        let receipt = self.done(py, given, made.built.conversation.turns().len(), receipt)?;
        Ok((made, receipt))
    }

    /// Logs a build of `given` turns if it should.
    fn told(
        &self,
        py: Python<'_>,
        given: usize,
        built: PyResult<stage::Built<PyHost>>,
    ) -> PyResult<(conversation::Conversation<PyHost>, LastReceipt)> {
        let built = built.map_err(|error| self.failed(py, given, error))?;
        let receipt = self.done(py, given, built.conversation.turns().len(), built.receipt)?;
        Ok((built.conversation, receipt))
    }

    fn done(&self, py: Python<'_>, given: usize, left: usize, receipt: report::Receipt) -> PyResult<LastReceipt> {
        let receipt = Bound::new(py, Receipt(receipt))?;
        if self.logs {
            log::built(py, given, left, &receipt)?;
        }
        Ok(LastReceipt::of(py, receipt.unbind()))
    }

    fn failed(&self, py: Python<'_>, given: usize, error: PyErr) -> PyErr {
        if self.logs { log::failed(py, given, error) } else { error }
    }

    pub(crate) fn check(
        &self,
        conversation: &conversation::Conversation<PyHost>,
        after: Option<&Body>,
    ) -> PyResult<Receipt> {
        let answers = Answers::default();
        let run = |limits: Limits<'_>| check::check(conversation, &self.inputs(limits));
        let mut receipt = self.budget.with(&answers, run)?;
        if let Some(Body(before)) = after {
            let wire = self.target.or_else(|| conversation.payload().map(|_| conversation.frame.from));
            let wire = wire.map_or_else(|| detect(&Tree(before), None), Ok).map_err(raise)?;
            if let Some(sent) = self.sent(conversation, wire, &answers)? {
                let diff = prefix::diff(before, &sent, Reading::Auto(Some(wire)), self.model).map_err(raise)?;
                receipt.changes.extend(check::after(&diff));
            }
        }
        Ok(Receipt(receipt))
    }

    /// The body that these messages are, or that a build makes of them. `None` if the build refuses them.
    fn sent(
        &self,
        conversation: &conversation::Conversation<PyHost>,
        wire: DialectId,
        answers: &Answers,
    ) -> PyResult<Option<Value<PyHost>>> {
        let is_whole = self.prompts.is_empty() && self.summary.is_none() && !self.budget.has_limit();
        let own = is_whole && conversation.frame.from == wire;
        if let Some(payload) = conversation.payload().filter(|_| own) {
            return payload.to_value(conversation.frame.input.as_ref()).map(Some).map_err(raise);
        }
        let run =
            |limits: Limits<'_>| stage::build(conversation, &Inputs { target: Some(wire), ..self.inputs(limits) });
        let Ok(built) = self.budget.with(answers, run)? else { return Ok(None) };
        let mut out = JsonSink::new(Vec::new());
        if convert::render(&built.conversation, wire, &convert::Options::default(), &mut out).is_err() {
            return Ok(None);
        }
        read::value(&out.into_bytes()).map(Some).map_err(raise)
    }
}

/// The newest turns of a history, by number or by budget; with the receipt, and the indices of the turns outside.
pub(crate) fn window(
    conversation: &conversation::Conversation<PyHost>,
    (turns, budget): (Option<usize>, &Budget),
    pinned: &[usize],
    summarised: bool,
) -> PyResult<(conversation::Conversation<PyHost>, Receipt, Vec<usize>)> {
    let run = |Limits { budget: limit, markers, .. }: Limits<'_>| {
        if turns.is_some() && limit.is_some() {
            let text = "expected turns or budget, got both: leave one out";
            return Err(raise(Error::new(Code::ConflictingOptions, text)));
        }
        let budget = (turns.map(stage::Budget::Turns).or(limit), budget.reserve());
        let inputs = Inputs { budget: budget.0, reserve: budget.1, pinned, summarised, markers, ..Inputs::default() };
        stage::window(conversation, &inputs).map_err(raise_failed)
    };
    let window = budget.with(&Answers::default(), run)??;
    Ok((window.built.conversation, Receipt(window.built.receipt), window.gone))
}
