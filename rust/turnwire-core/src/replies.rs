//! Replies of providers, read as a whole ([`read`]) or assembled from a stream ([`assembler`]).

pub mod assembler;
mod begun;
mod beside;
mod calls;
pub mod converter;
mod failed;
pub mod frames;
mod free_text;
mod gathering;
mod held;
mod limits;
mod place;
mod refused;
mod renaming;
mod turns;
pub mod write;
mod writing;

pub use self::{assembler::Assembler, failed::status_of};

use crate::{
    convert::functions,
    dialects::{registry, table},
    model::{Conversation, Head, Reply, ReplyParts},
    report::{Error, ToolNames, error::Code},
    rules::{DialectId, ToolName},
    value::{Host, Key, Source, Tree, Value, json},
};

/// Reads a whole reply of the dialect `from`, or of the one that its keys show.
pub fn read<H: Host>(payload: &Value<H>, from: Option<DialectId>) -> Result<Reply<H>, Error> {
    read_answer(payload, from, None)
}

/// [`read`] for the body of a response with this status. With that of an error, any body is an error.
pub fn read_answer<H: Host>(
    payload: &Value<H>,
    from: Option<DialectId>,
    status: Option<u16>,
) -> Result<Reply<H>, Error> {
    let from = match from {
        Some(from) => from,
        None => detect(&Tree(payload))?,
    };
    failed::read(payload, from, status).map_err(|error| error.in_dialect(&from.name()))
}

/// [`read_answer`] for a body as bytes, which may be any text if it is that of an error. `plain`: that text, if the bytes
/// are JSON made of a text that UTF-8 cannot hold.
pub fn read_body<H: Host>(
    body: &[u8],
    plain: Option<&str>,
    from: Option<DialectId>,
    status: Option<u16>,
) -> Result<Reply<H>, Error> {
    match json::read::value(body) {
        Ok(payload) => read_answer(&payload, from, status),
        Err(error) => match failed::text(plain.map_or(body, str::as_bytes), status).filter(|_| from.is_some()) {
            Some(text) => read_answer(&text, from, status),
            None => Err(error),
        },
    }
}

pub(crate) fn read_as<H: Host>(payload: &Tree<'_, H>, from: DialectId) -> Result<Reply<H>, Error> {
    let mut said = ReplyParts::new(from);
    registry::read_reply(payload, from, &mut said)?;
    let head = said.head.take();
    let mut reply = said.settle();
    reply.head = head.unwrap_or_else(|| Head::of(payload));
    Ok(reply)
}

/// Finds again what a stored reply does not keep: where its parts were, and the sentence on its end.
pub fn find_places<H: Host>(reply: &mut Reply<H>) {
    let whole = reply.origin.as_ref().or(reply.assembled.as_ref());
    let Some(whole) = whole else { return };
    if let Ok(read) = read_as(&Tree(whole), reply.from) {
        (reply.places, reply.why) = (read.places, read.why);
        (reply.chunks, reply.cut_call) = (read.chunks, read.cut_call);
    }
    if reply.error.as_ref().is_some_and(|error| error.same(whole)) {
        reply.places.error = "";
    }
}

/// The names that a request of the dialect `to` uses for the tools of `request`, whose names are the caller's own; and
/// which of these tools take free text. `client`: the format in which the caller gets the reply.
pub fn names_for<H: Host>(request: &Conversation<H>, to: DialectId, client: DialectId) -> Result<ToolNames, Error> {
    let frame = &request.frame;
    let mut names = frame.names.clone();
    let Ok(limits) = to.limits() else { return Ok(names) };
    for tool in frame.tools.iter().flatten().filter(|tool| !tool.by_provider) {
        let own = tool.name.to_str(frame.input.as_ref());
        if let ToolName::Legal(wire) = limits.tool_name(&tool.name, frame.input.as_ref()) {
            names.add(&wire, &own);
        }
        if tool.custom {
            names.add_text(None, &own);
        }
    }
    if let Ok(made) = functions::names(&request.view(), to) {
        names.join(&made);
    }
    with_own_tools(names, request, to, client)
}

/// Whether a format describes tools that the caller runs, or groups of tools.
#[must_use]
pub fn has_own_tools(dialect: DialectId) -> bool {
    dialect.facts.deferred.is_some() || !dialect.facts.forms.is_empty()
}

/// Adds to the names of a request for `to` those that a caller without such tools has for them.
pub fn with_own_tools<H: Host>(
    names: ToolNames,
    request: &Conversation<H>,
    to: DialectId,
    client: DialectId,
) -> Result<ToolNames, Error> {
    let mut names = names.with_flats(functions::flat_names(&request.view(), client.limits()?));
    if request.frame.from.same_wire(to) {
        registry::hosted(&request.frame)?.into_iter().for_each(|call| names.add_hosted(call));
    }
    Ok(names)
}

fn detect<H: Host>(payload: &Tree<'_, H>) -> Result<DialectId, Error> {
    table::reply_of(payload).ok_or_else(|| {
        let name = |keys: &&[&Key]| keys.iter().map(|key| key.name).collect::<Vec<_>>().join(", ");
        let known: Vec<_> = table::reply_keys()
            .map(|(id, signs)| format!("{} ({})", id.name(), signs.iter().map(name).collect::<Vec<_>>().join(" or ")))
            .collect();
        let text = format!("expected a reply with the keys of one of {}, got {}", known.join(", "), payload.describe());
        Error::new(Code::NoDialect, text)
    })
}
