//! Reads the error of a reply: what the source's format says, and the bodies that servers and proxies send instead.

use super::read_as;
use crate::{
    dialects::{registry, table},
    k,
    model::{Finish, Reply, ReplyParts},
    report::Error,
    rules::DialectId,
    value::{Host, NodeKind, Source, Tree, Value},
    wire::response::failure::{self, Failure, Trouble, is_failed, names_error, says_nothing},
};

/// Reads a reply whose response may have a status. With that of an error, any body is one. Without it, a body is an
/// error if it names one and is no reply.
pub(super) fn read<H: Host>(payload: &Value<H>, from: DialectId, status: Option<u16>) -> Result<Reply<H>, Error> {
    let node = Tree(payload);
    let failed = status.is_some_and(is_failed);
    let silent = || status.is_some() && (node.kind() == NodeKind::Text || says_nothing(payload));
    let reply = match read_as(&node, from) {
        Ok(reply) if reply.error.is_some() => Reply { origin: Some(payload.share()), ..reply },
        Ok(reply) if failed || reply.turns.is_empty() && names_error(&node) => as_error(reply, payload),
        Ok(reply) => Reply { origin: Some(payload.share()), ..reply },
        Err(_) if failed || names_error(&node) || silent() => as_error(ReplyParts::new(from).settle(), payload),
        Err(error) => return Err(error),
    };
    Ok(Reply { status, ..reply })
}

/// Reads a body that is not JSON, if the status says that it is an error, or if it is a text or a page.
pub(super) fn text<H: Host>(body: &[u8], status: Option<u16>) -> Option<Value<H>> {
    let begins_json = matches!(body.trim_ascii_start().first(), Some(b'{' | b'['));
    status.filter(|status| is_failed(*status) || !begins_json).map(|_| failure::text_of(body))
}

/// A reply whose body is an error. It is written anew for every client, because no format has it.
pub(super) fn as_error<H: Host>(mut reply: Reply<H>, body: &Value<H>) -> Reply<H> {
    (reply.error, reply.finish) = (Some(body.share()), Finish::Error);
    reply.places.error = "";
    Reply { origin: None, assembled: Some(body.share()), ..reply }
}

/// The failure of a reply with an error. `status`: that of its response, where the reply does not know it.
pub(super) fn failure<H: Host>(reply: &Reply<H>, status: Option<u16>) -> Result<Option<Failure<H>>, Error> {
    let Some(error) = &reply.error else { return Ok(None) };
    // What stands beside an error says more about it. A list of events has it in one of them.
    let whole = reply.origin.as_ref().or(reply.assembled.as_ref());
    let whole = whole.filter(|whole| reply.places.error == ".error" && Tree(*whole).get(&k::ERROR).is_some());
    let rows = registry::response_rule(reply.from)?.failures;
    let status = status.or(reply.status);
    Ok(Some(Failure::read(whole.unwrap_or(error), status, rows, table::failure_rows())))
}

/// The status that means the same as a word of any format for an error.
#[must_use]
pub fn status_of(word: &str) -> Option<u16> {
    let words = [word.to_owned()];
    table::failure_rows().find_map(|rows| failure::meaning(&words, None, rows)).map(Trouble::status)
}
