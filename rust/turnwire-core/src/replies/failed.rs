//! Reads the error of a reply: what the source's format says, and the bodies that servers and proxies send instead.

use super::{place::inside, read_as};
use crate::{
    dialects::{registry, table},
    k,
    model::{Finish, Reply, ReplyParts},
    report::{Error, Path},
    rules::DialectId,
    value::{Host, NodeKind, Source, Tree, Value},
    wire::response::{
        FailureWords, ResponseRule,
        failure::{self, Failure, Trouble, is_failed, names_error, says_nothing},
    },
};

/// Reads a reply whose response may have a status. With that of an error, any body is one. Without it, a body is an
/// error if it names one and is no reply.
pub(super) fn read<H: Host>(payload: &Value<H>, from: DialectId, status: Option<u16>) -> Result<Reply<H>, Error> {
    let node = Tree(payload);
    let failed = status.is_some_and(is_failed);
    let silent = || status.is_some() && (node.kind() == NodeKind::Text || says_nothing(payload));
    let reply = match read_as(&node, from) {
        Ok(reply) if reply.error.is_some() => Reply { origin: Some(payload.share()), ..reply },
        Ok(reply) if failed || reply.turns.is_empty() && names_error(&node) => as_error(reply, payload)?,
        Ok(reply) => Reply { origin: Some(payload.share()), ..reply },
        Err(_) if failed || names_error(&node) || silent() => as_error(ReplyParts::new(from).settle(), payload)?,
        Err(error) => return Err(error),
    };
    Ok(Reply { status, ..reply })
}

/// Reads a body that is not JSON, if the status says that it is an error, or if it is a text or a page.
pub(super) fn text<H: Host>(body: &[u8], status: Option<u16>) -> Option<Value<H>> {
    let begins_json = matches!(body.trim_ascii_start().first(), Some(b'{' | b'['));
    status.filter(|status| is_failed(*status) || !begins_json).map(|_| failure::text_of(body))
}

/// A reply whose body is an error. Unless it has a form of its format, it is written anew for every client.
pub(super) fn as_error<H: Host>(mut reply: Reply<H>, body: &Value<H>) -> Result<Reply<H>, Error> {
    (reply.error, reply.finish) = (Some(body.share()), Finish::Error);
    reply.places.error = "";
    let origin = has_form(body, registry::response_rule(reply.from)?).then(|| body.share());
    Ok(Reply { origin, assembled: Some(body.share()), ..reply })
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

/// Whether the body of an error goes back to a client of its own format as it came: it has a form of that format, and, for
/// a client of another server of it, the words for a request that is too long.
pub(super) fn replays<H: Host>(
    reply: &Reply<H>,
    origin: &Value<H>,
    target: DialectId,
    failure: &Failure<H>,
) -> Result<bool, Error> {
    let rule = registry::response_rule(target)?;
    // The error of an item or a choice is within a reply.
    if reply.places.error.contains('[') {
        return Ok(true);
    }
    // Clients read a list only where its elements are the chunks of a reply.
    if matches!(origin, Value::List(_)) && reply.chunks.is_none() {
        return Ok(false);
    }
    if !rule.error_forms.is_empty() && !has_form(origin, rule) {
        return Ok(false);
    }
    if reply.from == target || failure.trouble != Trouble::TooLong {
        return Ok(true);
    }
    let words = FailureWords::of(failure, rule);
    let said = Tree(error_in(origin)).get(&k::ERROR).and_then(|error| error.get(&k::CODE)?.text());
    Ok(match words.code {
        Some(code) => said.is_some_and(|said| said.same(&code)),
        None => words.message.same(&failure.message),
    })
}

/// The body of an error, or the chunk of a list that has it.
fn error_in<H: Host>(body: &Value<H>) -> &Value<H> {
    match body {
        Value::List(chunks) => chunks.iter().find(|chunk| names_error(&Tree(*chunk))).unwrap_or(body),
        one => one,
    }
}

/// Whether a body has one of the forms of a format's errors.
fn has_form<H: Host>(body: &Value<H>, rule: &ResponseRule) -> bool {
    let body = error_in(body);
    rule.error_forms.iter().any(|form| form.iter().all(|path| says(body, path)))
}

/// Whether a path in a body leads to a text or a list.
fn says<H: Host>(body: &Value<H>, path: &'static str) -> bool {
    let found = Path::written(path).steps().try_fold(Tree(body), |node, step| inside(&node, &step));
    found.is_some_and(|found| match found.kind() {
        NodeKind::Text => found.text().is_some_and(|text| !text.is_empty()),
        kind => kind == NodeKind::List && !found.is_empty(),
    })
}

/// Whether a stream that broke off told its client of the error itself: clients read an object.
pub(super) fn is_told<H: Host>(reply: &Reply<H>) -> Result<bool, Error> {
    let forms = registry::response_rule(reply.from)?.error_forms;
    let is_object = forms.iter().flat_map(|form| form.iter()).any(|path| path.starts_with(".error."));
    let Some(error) = &reply.error else { return Ok(false) };
    Ok(!reply.places.error.is_empty() && (!is_object || matches!(error, Value::Map(_))))
}

/// The status that means the same as a word of any format for an error.
#[must_use]
pub fn status_of(word: &str) -> Option<u16> {
    let words = [word.to_owned()];
    table::failure_rows().find_map(|rows| failure::meaning(&words, None, rows)).map(Trouble::status)
}
