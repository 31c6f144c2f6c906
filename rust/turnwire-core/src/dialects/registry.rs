//! Dispatches by a dialect's id: each function finds the format and calls it.

use std::sync::Arc;

use super::table::{Wire, dispatch, without_replies};
use crate::{
    model::{Conversation, Frame, Parsed, ReplyParts, Tool, Turn, View},
    pairing::{Steps, unnamed},
    report::{Change, Error, Losses, Options, Provenance, Trail},
    rules::{DialectId, Limits, Target},
    value::{Host, Sink, Source, Text, Tree, Value, ValueSink},
    wire::{
        format::{Read as _, Reply as _},
        read::{Elements, ReadFns, payload as read_payload, tools},
        response::{Draft, FailureWords, ResponseRule},
        stream::whole::written,
        write::{Job, WriteFns, payload},
    },
};

/// Reads a payload of the dialect `from`.
pub fn parse<S: Source>(payload: &S, from: DialectId, elements: &Elements<'_, S>) -> Result<Parsed<S::H>, Error> {
    let dialect = dispatch!(Wire::of(from)?, D => ReadFns::of::<D>());
    read_payload::parse(&dialect, payload, from, elements, read_turn::<S>)
        .map_err(|error| error.or_in_dialect(&from.name()))
}

/// Reads one element of a list into a turn that names its dialect.
fn read_turn<S: Source>(element: &S, index: usize, at: &Trail<'_>, turn: &mut Turn<S::H>) -> Result<(), Error> {
    dispatch!(Wire::of(turn.from)?, D => D::turn(element, index, at, turn))
}

/// A conversation whose turns were read one by one, as if they had been read together.
pub fn linked<H: Host>(conversation: Conversation<H>) -> Conversation<H> {
    let mut linked = unnamed::linked(conversation);
    let turns = linked.turns_mut();
    let is_unsettled =
        |turn: &Turn<H>| Wire::of(turn.from).is_ok_and(|wire| dispatch!(wire, D => D::is_unsettled(turn)));
    let Some(from) = turns.iter().find(|turn| is_unsettled(turn)).map(|turn| turn.from) else { return linked };
    let mut settled: Vec<_> = turns.iter().map(|turn| turn.share()).collect();
    if let Ok(wire) = Wire::of(from) {
        dispatch!(wire, D => D::settle(&mut settled, &Frame::empty(from)));
    }
    for (turn, settled) in turns.iter_mut().zip(settled).filter(|(turn, _)| is_unsettled(turn)) {
        *turn = Arc::new(settled);
    }
    linked
}

/// Reads the result in a user's text, for a turn that was read by itself, because the caller asks for it.
pub fn read_results_in_text<H: Host>(turn: &mut Turn<H>) -> Result<(), Error> {
    dispatch!(Wire::of(turn.from)?, D => D::results_in_text(turn))?;
    unnamed::link(std::slice::from_mut(turn));
    Ok(())
}

/// Whether a turn with results looks like user text in this dialect, so that results are read only if the caller asks.
#[must_use]
pub fn has_results_in_text<H: Host>(turn: &Turn<H>, dialect: DialectId) -> bool {
    dialect.facts.results_in_text && turn.results().next().is_some()
}

/// Reads a whole reply of the dialect `from`.
pub(crate) fn read_reply<H: Host>(
    payload: &Tree<'_, H>,
    from: DialectId,
    said: &mut ReplyParts<H>,
) -> Result<(), Error> {
    if from.facts.reply_signs.is_empty() {
        return Err(without_replies());
    }
    dispatch!(Wire::of(from)?, D => D::reply(payload, said))?;
    unnamed::link(&mut said.turns);
    dispatch!(Wire::of(from)?, D => D::settle(&mut said.turns, &Frame::empty(from)));
    Ok(())
}

/// The rules for writing replies of a dialect.
pub(crate) fn response_rule(id: DialectId) -> Result<&'static ResponseRule, Error> {
    let rule = dispatch!(Wire::of(id)?, D => D::RESPONSE);
    rule.filter(|_| !id.facts.reply_signs.is_empty()).ok_or_else(without_replies)
}

/// Writes turns as the messages of a reply.
pub(crate) fn messages<H: Host>(
    turns: Vec<&Turn<H>>,
    (target, limits): (DialectId, &Limits),
    losses: &mut Losses,
) -> Result<Vec<Value<H>>, Error> {
    let options = Options::default();
    let frame = Frame::empty(target);
    let conversation = View { turns, list_origin: None, frame: &frame, origins: None };
    let wanted = Target { id: target, limits, options: &options };
    let dialect = dispatch!(Wire::of(target)?, D => WriteFns::of::<D>());
    let mut out = ValueSink::new();
    Job::new(dialect, &conversation, wanted, losses, &mut out).writer().elements()?;
    out.into_values()
}

/// Writes a whole reply around its messages.
pub(crate) fn response<H: Host>(target: DialectId, draft: Draft<H>) -> Result<Value<H>, Error> {
    dispatch!(Wire::of(target)?, D => written(D::LISTED, |out| D::response(draft, out)))
}

/// The body of a response that is an error.
pub(crate) fn failure<H: Host>(target: DialectId, words: &FailureWords<H>) -> Result<Value<H>, Error> {
    dispatch!(Wire::of(target)?, D => written(D::LISTED, |out| D::failure(words, out)))
}

/// Another model's reasoning, as a block of a message of the target.
pub(crate) fn thought<H: Host>(target: DialectId, text: &Text<H>) -> Result<Value<H>, Error> {
    dispatch!(Wire::of(target)?, D => written(false, |out| D::thought(text, out)))
}

/// A refusal as a block of a message of the target.
pub(crate) fn refusal<H: Host>(target: DialectId, text: Text<H>) -> Result<Option<Value<H>>, Error> {
    Ok(dispatch!(Wire::of(target)?, D => D::refusal(text)))
}

/// Reads one element of the list of a payload of the dialect `from`.
pub fn parse_turn<S: Source>(element: &S, index: usize, from: DialectId) -> Result<Turn<S::H>, Error> {
    let dialect = dispatch!(Wire::of(from)?, D => ReadFns::of::<D>());
    read_payload::parse_turn(&dialect, element, index, from).map_err(|error| error.in_dialect(&from.name()))
}

/// The types of the items that call tools which the provider of this frame's format runs.
pub(crate) fn hosted<H: Host>(frame: &Frame<H>) -> Result<Vec<&'static str>, Error> {
    if frame.from == DialectId::NONE {
        return Ok(Vec::new());
    }
    Ok(dispatch!(Wire::of(frame.from)?, D => D::hosted(frame)))
}

/// Reads tool definitions given beside a payload: in a dialect, or in any form.
pub fn read_tools<S: Source>(list: &S, own: Option<DialectId>) -> Result<Vec<Tool<S::H>>, Error> {
    let at = Trail::ROOT.key("tools");
    match own {
        Some(own) => dispatch!(Wire::of(own)?, D => D::tools(list, &at)),
        None => tools::each(list, &at, tools::given),
    }
}

/// Reads tool definitions given beside a payload: each in the dialect that describes it, else in any form.
pub(crate) fn read_mixed_tools<S: Source>(
    list: &S,
    dialect: impl Fn(&S) -> Option<DialectId>,
) -> Result<Vec<Tool<S::H>>, Error> {
    tools::each(list, &Trail::ROOT.key("tools"), |element, at| {
        if let Some(own) = dialect(element) {
            let read = dispatch!(Wire::of(own)?, D => D::tool(element, at))?;
            // Only its own format says more of a sound definition than any other form does.
            if read.by_provider || read.flaw.is_none() {
                return Ok(Tool { of: Some(own), ..read });
            }
        }
        tools::given(element, at)
    })
}

/// Writes only the list of turns. Turns with an entity are written in it.
fn render_turns<H: Host, K: Sink<H>>(
    conversation: &View<'_, H>,
    target: DialectId,
    losses: &mut Losses,
    out: &mut K,
) -> Result<(), Error> {
    let options = Options::default();
    let wanted = Target { id: target, limits: target.limits()?, options: &options };
    out.open_list();
    let dialect = dispatch!(Wire::of(target)?, D => WriteFns::of::<D>());
    in_steps(conversation, target, losses, |view, losses| {
        let mut job = Job::new(dialect, view, wanted, losses, out);
        job.p.alone = true;
        job.writer().elements().map(|()| job.s.provenance)
    })?;
    out.close();
    Ok(())
}

/// Writes a payload of the dialect `target`. Returns where its elements come from.
pub fn render<H: Host, K: Sink<H>>(
    conversation: &View<'_, H>,
    target: DialectId,
    options: &Options,
    losses: &mut Losses,
    out: &mut K,
) -> Result<Provenance, Error> {
    in_steps(conversation, target, losses, |view, losses| render_steps(view, target, options, losses, out))
}

/// Runs `write` on a view in which turns of another format are split into their steps. Paths and sources still name the
/// whole turns.
fn in_steps<H: Host>(
    conversation: &View<'_, H>,
    target: DialectId,
    losses: &mut Losses,
    write: impl FnOnce(&View<'_, H>, &mut Losses) -> Result<Provenance, Error>,
) -> Result<Provenance, Error> {
    let Some(steps) = Steps::of(conversation, target) else { return write(conversation, losses) };
    let (before, origins) = (losses.list.len(), steps.origins());
    let made_of = conversation.origins.map(|of| origins.iter().map(|turn| of[turn[0]].clone()).collect::<Vec<_>>());
    let written = write(&View { origins: made_of.as_deref(), ..steps.view(conversation) }, losses);
    for loss in losses.list.iter_mut().skip(before) {
        loss.path = std::mem::take(&mut loss.path).in_turns(&origins);
    }
    match written {
        Ok(written) => Ok(written.seen_from(&origins)),
        Err(error) => {
            let path = error.path().clone().in_turns(&origins);
            Err(error.at_path(path))
        }
    }
}

fn render_steps<H: Host, K: Sink<H>>(
    conversation: &View<'_, H>,
    target: DialectId,
    options: &Options,
    losses: &mut Losses,
    out: &mut K,
) -> Result<Provenance, Error> {
    let wanted = Target { id: target, limits: target.limits()?, options };
    let dialect = dispatch!(Wire::of(target)?, D => WriteFns::of::<D>());
    let mut job = Job::new(dialect, conversation, wanted, losses, out);
    payload::render(&mut job.writer()).map_err(|error| error.in_dialect(&target.name()))?;
    Ok(job.s.provenance)
}

/// Writes one turn as a list of elements of `target`, in its entity. Returns what was lost or changed.
pub fn render_turn<H: Host, K: Sink<H>>(turn: &Turn<H>, target: DialectId, out: &mut K) -> Result<Vec<Change>, Error> {
    let mut losses = Losses::new(&Options::default());
    let frame = Frame::empty(turn.from);
    let conversation = View { turns: vec![turn], list_origin: None, frame: &frame, origins: None };
    render_turns(&conversation, target, &mut losses, out)?;
    Ok(losses.list)
}

/// Writes one turn as an element of its own dialect. Returns what was lost or changed.
pub(crate) fn render_message<H: Host, K: Sink<H>>(turn: &Turn<H>, out: &mut K) -> Result<Vec<Change>, Error> {
    let mut losses = Losses::new(&Options::default());
    let frame = Frame::empty(turn.from);
    let conversation = View { turns: vec![turn], list_origin: None, frame: &frame, origins: None };
    let options = Options::default();
    let wanted = Target { id: turn.from, limits: turn.from.limits()?, options: &options };
    let dialect = dispatch!(Wire::of(turn.from)?, D => WriteFns::of::<D>());
    let mut job = Job::new(dialect, &conversation, wanted, &mut losses, out);
    job.writer().elements().map_err(|error| error.in_dialect(turn.from.facts.name))?;
    job.writer().out.fault().map_or(Ok(losses.list), Err)
}
