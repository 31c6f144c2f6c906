//! The dialects: a table of wire formats and their profiles, and the dispatch to each format's own file.

mod alphabet;
mod amazon_q;
mod anthropic;
mod bedrock;
mod by_order;
mod called;
mod chat;
mod cohere;
mod elements;
mod envelope;
mod erased;
mod error_flag;
#[cfg(test)]
mod flip;
mod format;
mod frame;
mod gemini;
mod grammar;
mod history;
mod hugging_face;
mod key_value;
pub mod limits;
mod llama;
mod misspelt;
mod mistral;
mod nameless;
mod ollama;
mod one_each;
mod one_text;
mod openai;
mod openai_responses;
mod outline;
mod read;
mod rows;
mod schema;
pub(crate) mod shape;
mod sharegpt;
mod signs;
mod slots;
mod structured;
mod system;
mod table;
pub mod tools;
mod wire_keys;
pub mod words;
mod write;

pub(crate) use amazon_q::typed;

pub use crate::dialect_id::DialectId;
use crate::{
    conversation::{Frame, Parsed, View},
    error::Error,
    handle::Host,
    loss::{Loss, Losses, Options},
    path::Trail,
    provenance::Provenance,
    reply::Said,
    tool::Tool,
    turn::Turn,
    value::{Sink, Source, tree::Tree},
};
pub use elements::{Elements, Made};
use erased::{ReadFns, WriteFns};
pub(crate) use format::{Dialect, Target};
pub(crate) use key_value::{KeyRule, KeyValue};
pub use limits::Limits;
pub(crate) use nameless::relink;
pub(crate) use outline::{hidden_name, leads_to_calls, media_fits, speaker, takes as media_takes};
pub(crate) use signs::{Signs, Spot};
#[cfg(test)]
pub(crate) use table::formats;
pub use table::names;
pub(crate) use table::{Stream, profile_signs, reply_keys, signs, without_replies};
use table::{Wire, dispatch};
pub(crate) use wire_keys::{Verdict, WireKeys};
use write::Writer;

/// Reads a payload of the dialect `from`.
pub fn parse<S: Source>(payload: &S, from: DialectId, elements: &Elements<'_, S>) -> Result<Parsed<S::H>, Error> {
    let dialect = dispatch!(from.row()?.wire, D => ReadFns::of::<D>());
    frame::parse(&dialect, payload, from, elements).map_err(|error| error.or_in_dialect(&from.name()))
}

/// Reads one element of a list into a turn that says which dialect it is in.
fn read_turn<S: Source>(element: &S, index: usize, at: &Trail<'_>, turn: &mut Turn<S::H>) -> Result<(), Error> {
    dispatch!(turn.from.row()?.wire, D => D::turn(element, index, at, turn))
}

/// Reads the result out of what the user says in a turn that was read alone, where the caller vouches for it.
pub fn read_results_in_text<H: Host>(turn: &mut Turn<H>) -> Result<(), Error> {
    dispatch!(turn.from.row()?.wire, D => D::results_in_text(turn))?;
    nameless::link(std::slice::from_mut(turn));
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
    nameless::link(&mut said.turns);
    Ok(())
}

/// Reads one element of the list of a payload of the dialect `from`.
pub fn parse_turn<S: Source>(element: &S, index: usize, from: DialectId) -> Result<Turn<S::H>, Error> {
    let dialect = dispatch!(from.row()?.wire, D => ReadFns::of::<D>());
    frame::parse_turn(&dialect, element, index, from).map_err(|error| error.in_dialect(&from.name()))
}

/// Reads tool definitions that are given beside a payload: as those of a dialect, or in any form.
pub fn read_tools<S: Source>(list: &S, own: Option<DialectId>) -> Result<Vec<Tool<S::H>>, Error> {
    let at = Trail::ROOT.key("tools");
    match own {
        Some(own) => dispatch!(own.row()?.wire, D => D::tools(list, &at)),
        None => tools::each(list, &at, tools::tool),
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
    let dialect = dispatch!(row.wire, D => WriteFns::of::<D>());
    let mut w = Writer::new(dialect, conversation, wanted, losses, out);
    w.in_entities = true;
    outline::write(&mut w)?;
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
    let dialect = dispatch!(row.wire, D => WriteFns::of::<D>());
    let mut w = Writer::new(dialect, conversation, wanted, losses, out);
    envelope::render(&mut w).map_err(|error| error.in_dialect(&target.name()))?;
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
    as_it_came || write::says(turn, limits, false, |part| write::goes_back(turn, part, target))
}

/// Whether the user says something beside results in a turn, as far as the target takes it.
pub(crate) fn asks<H: Host>(turn: &Turn<H>, target: DialectId) -> bool {
    let Ok(limits) = target.limits() else { return false };
    write::asks(turn, limits, false, |part| write::goes_back(turn, part, target))
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
    let dialect = dispatch!(row.wire, D => WriteFns::of::<D>());
    let mut w = Writer::new(dialect, &conversation, wanted, &mut losses, out);
    outline::write(&mut w).map_err(|error| error.in_dialect(row.name))?;
    w.out.fault().map_or(Ok(losses.list), Err)
}
