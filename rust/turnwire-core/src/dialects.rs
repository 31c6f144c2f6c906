//! The dialects: a table of wire formats and their profiles, and the dispatch to each format's own file.

pub(crate) mod amazon_q;
mod anthropic;
mod bedrock;
mod chat;
mod cohere;
pub mod describe;
#[cfg(test)]
mod flip;
mod gemini;
mod history;
mod hugging_face;
mod llama;
mod mistral;
mod ollama;
mod openai;
mod openai_responses;
mod sharegpt;
mod structured;
mod suggest;
pub(crate) mod table;

#[cfg(test)]
pub(crate) use self::table::formats;
pub use self::table::names;
pub(crate) use self::table::{Stream, profile_signs, reply_keys, signs, without_replies};
use self::table::{Wire, dispatch};
pub use crate::model::dialect_id::DialectId;
pub(crate) use crate::wire::format::{Dialect, Target};
pub(crate) use crate::wire::plan::{hidden_name, leads_to_calls, speaker};
pub use crate::wire::read::elements::{Elements, Made};
pub use crate::wire::rules::limits::Limits;
use crate::{
    model::{
        conversation::{Frame, Parsed, View},
        reply::Said,
        tool::Tool,
        turn::Turn,
    },
    pairing::unnamed,
    report::{
        error::Error,
        loss::{Loss, Losses, Options},
        path::Trail,
        provenance::Provenance,
    },
    value::{
        door::{Sink, Source},
        handle::Host,
        tree::Tree,
    },
    wire::{
        plan,
        read::{payload as read_payload, tools},
        write::{
            payload,
            writer::{self, Writer},
        },
    },
};

/// Reads a payload of the dialect `from`.
pub fn parse<S: Source>(payload: &S, from: DialectId, elements: &Elements<'_, S>) -> Result<Parsed<S::H>, Error> {
    dispatch!(from.row()?.wire, D => read_payload::parse::<D, S>(payload, from, elements))
        .map_err(|error| error.or_in_dialect(&from.name()))
}

/// Reads one element of a list into a turn that says which dialect it is in.
pub(crate) fn read_turn<S: Source>(
    element: &S,
    index: usize,
    at: &Trail<'_>,
    turn: &mut Turn<S::H>,
) -> Result<(), Error> {
    dispatch!(turn.from.row()?.wire, D => D::turn(element, index, at, turn))
}

/// Reads the result out of what the user says in a turn that was read alone, where the caller vouches for it.
pub fn read_results_in_text<H: Host>(turn: &mut Turn<H>) -> Result<(), Error> {
    dispatch!(turn.from.row()?.wire, D => D::results_in_text(turn))?;
    unnamed::link(std::slice::from_mut(turn));
    Ok(())
}

/// Whether a turn with results looks like what its user says in this dialect, so that they are only read where the caller vouches
/// for them.
#[must_use]
pub fn has_results_in_text<H: Host>(turn: &Turn<H>, dialect: DialectId) -> bool {
    let text = dialect.row().is_ok_and(|row| dispatch!(row.wire, D => D::RESULTS_IN_TEXT));
    text && turn.results().next().is_some()
}

/// Reads a whole reply of the dialect `from`.
pub(crate) fn read_reply<H: Host>(payload: &Tree<'_, H>, from: DialectId, said: &mut Said<H>) -> Result<(), Error> {
    dispatch!(from.row()?.wire, D => D::reply(payload, said))?;
    unnamed::link(&mut said.turns);
    Ok(())
}

/// Reads one element of the list of a payload of the dialect `from`.
pub fn parse_turn<S: Source>(element: &S, index: usize, from: DialectId) -> Result<Turn<S::H>, Error> {
    dispatch!(from.row()?.wire, D => read_payload::parse_turn::<D, S>(element, index, from))
        .map_err(|error| error.in_dialect(&from.name()))
}

/// Reads tool definitions that are given beside a payload: as those of a dialect, or in any form.
pub fn read_tools<S: Source>(list: &S, own: Option<DialectId>) -> Result<Vec<Tool<S::H>>, Error> {
    let at = Trail::ROOT.key("tools");
    match own {
        Some(own) => dispatch!(own.row()?.wire, D => D::tools(list, &at)),
        None => list.items().enumerate().map(|(index, tool)| tools::tool(&tool, &at.index(index))).collect(),
    }
}

/// Writes nothing but the list of turns, those of entities in their entities.
fn render_turns<H: Host, K: Sink<H>>(
    conversation: &View<'_, H>,
    target: DialectId,
    losses: &mut Losses,
    out: &mut K,
) -> Result<(), Error> {
    let row = target.row()?;
    let options = Options::default();
    let wanted = Target { id: target, limits: target.limits()?, options: &options };
    out.open_list();
    let mut w = Writer::new(conversation, wanted, losses, out);
    w.in_entities = true;
    dispatch!(row.wire, D => plan::write::<D, H, K>(&mut w))?;
    out.close();
    Ok(())
}

/// Writes a payload of the dialect `target`. Says where its elements come from.
pub fn render<H: Host, K: Sink<H>>(
    conversation: &View<'_, H>,
    target: DialectId,
    options: &Options,
    losses: &mut Losses,
    out: &mut K,
) -> Result<Provenance, Error> {
    let row = target.row()?;
    let wanted = Target { id: target, limits: target.limits()?, options };
    let mut w = Writer::new(conversation, wanted, losses, out);
    dispatch!(row.wire, D => payload::render::<D, H, K>(&mut w)).map_err(|error| error.in_dialect(&target.name()))?;
    Ok(w.provenance)
}

/// Whether anything of a turn will be written for the target.
pub(crate) fn says<H: Host>(turn: &Turn<H>, target: DialectId) -> bool {
    let Ok(limits) = target.limits() else { return true };
    if turn.lone && turn.parts.is_empty() {
        // A payload that is the empty string.
        return false;
    }
    let as_it_came = turn.from.same_wire(target) && !turn.touched && turn.origin.is_some();
    as_it_came || writer::says(turn, limits, false, |part| writer::goes_back(turn, part, target))
}

/// Whether the user says something beside results in a turn, as far as the target takes it.
pub(crate) fn asks<H: Host>(turn: &Turn<H>, target: DialectId) -> bool {
    let Ok(limits) = target.limits() else { return false };
    writer::asks(turn, limits, false, |part| writer::goes_back(turn, part, target))
}

/// Writes one turn as `target` does, in its entity, as a list of elements. Says what was lost or changed.
pub fn render_turn<H: Host, K: Sink<H>>(turn: &Turn<H>, target: DialectId, out: &mut K) -> Result<Vec<Loss>, Error> {
    let mut losses = Losses::new(&Options::default());
    let frame = Frame::empty(turn.from);
    let conversation = View { turns: vec![turn], list_origin: None, frame: &frame };
    render_turns(&conversation, target, &mut losses, out)?;
    Ok(losses.list)
}

/// Writes one turn as its own dialect does, as the element itself. Says what was lost or changed.
pub(crate) fn render_message<H: Host, K: Sink<H>>(turn: &Turn<H>, out: &mut K) -> Result<Vec<Loss>, Error> {
    let mut losses = Losses::new(&Options::default());
    let frame = Frame::empty(turn.from);
    let conversation = View { turns: vec![turn], list_origin: None, frame: &frame };
    let (options, row) = (Options::default(), turn.from.row()?);
    let wanted = Target { id: turn.from, limits: turn.from.limits()?, options: &options };
    let mut w = Writer::new(&conversation, wanted, &mut losses, out);
    dispatch!(row.wire, D => plan::write::<D, H, K>(&mut w)).map_err(|error| error.in_dialect(row.name))?;
    w.out.fault().map_or(Ok(losses.list), Err)
}
