//! Writes structured entries.

use super::Structured;
use super::keys as k;
use crate::{
    model::{Call, Kind, Role},
    report::{AssistantRole, Error},
    value::{Host, Key, Sink, Value},
    wire::{
        format::Write,
        plan::{Item, Message, Outcome, Said},
        write::{Writer, single_text},
    },
};

impl Write for Structured {
    /// Writes one entry, or several if results are among other parts, because results need a tool's entry.
    fn message<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, message: &Message<'_, H>) -> Result<(), Error> {
        let mut rest = message.items.as_slice();
        if rest.is_empty() || w.p.stores() {
            return entry(w, message, rest, true);
        }
        let mut first = true;
        while let [item, ..] = rest {
            let results = is_result(item);
            let count = rest.iter().take_while(|item| is_result(item) == results).count();
            let (now, later) = rest.split_at(count);
            w.s.provenance.sources.push(message.sources_of(now));
            entry(w, message, now, first)?;
            (rest, first) = (later, false);
        }
        Ok(())
    }
}

fn is_result<H: Host>(item: &Item<'_, H>) -> bool {
    item.part.is_some_and(|part| matches!(part.kind, Kind::Result(_)))
}

fn entry<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    message: &Message<'_, H>,
    items: &[Item<'_, H>],
    first: bool,
) -> Result<(), Error> {
    w.out.open_map();
    w.out.key(&k::ROLE);
    w.out.literal(match message.role {
        _ if items.first().is_some_and(is_result) => &k::TOOL,
        Role::System | Role::Developer => &k::SYSTEM,
        Role::Assistant => speaker(w, message)?,
        Role::User | Role::Tool => &k::USER,
    });
    w.out.key(&k::CONTENT);
    match items {
        // Content in the older form stays in that form.
        [one] if one.own && !one.was_listed() && one.text().is_some() => single_text::joined(w, &[one])?,
        _ => {
            w.out.open_list();
            items.iter().try_for_each(|item| part(w, item))?;
            w.out.close();
        }
    }
    if first {
        w.message_extras(message);
    }
    w.out.close();
    Ok(())
}

/// The provider of an assistant's entry: the original one, the caller's, or that of the source dialect.
fn speaker<H: Host, K: Sink<H>>(w: &Writer<'_, '_, H, K>, message: &Message<'_, H>) -> Result<&'static Key, Error> {
    let Some((_, turn)) = message.turns.first() else { return Ok(&k::GEMINI) };
    if let Some(origin) = turn.origin.as_ref().filter(|_| turn.from.same_wire(w.p.target.id)) {
        let Value::Map(keys) = origin.to_value(turn.input.as_ref())? else { return Ok(&k::GEMINI) };
        let chatgpt =
            |value: &Value<H>| matches!(value, Value::Text(role) if role.is(k::CHATGPT.name, turn.input.as_ref()));
        let spoke = keys.iter().any(|(key, value)| key.is(k::ROLE.name, None) && chatgpt(value));
        return Ok(if spoke { &k::CHATGPT } else { &k::GEMINI });
    }
    Ok(match w.p.target.options.assistant_role {
        Some(AssistantRole::ChatGpt) => &k::CHATGPT,
        None if turn.from.name().starts_with("openai") => &k::CHATGPT,
        Some(AssistantRole::Gemini) | None => &k::GEMINI,
    })
}

fn part<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>) -> Result<(), Error> {
    w.out.scope(item.input);
    match &item.said {
        Said::Origin(raw) => {
            w.out.raw(raw);
            return Ok(());
        }
        Said::Call(call) => self::call(w, item, call)?,
        Said::Result(outcome) => result(w, item, outcome)?,
        _ => {
            open(w, &k::TEXT);
            w.out.key(&k::CONTENT);
            single_text::joined(w, &[item])?;
        }
    }
    w.item_extras(item);
    w.out.close();
    Ok(())
}

fn open<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, kind: &'static Key) {
    w.out.open_map();
    w.out.key(&k::TYPE);
    w.out.literal(kind);
}

/// Begins a call; the caller closes it.
fn call<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>, call: &Call<H>) -> Result<(), Error> {
    open(w, &k::TOOL_CALL);
    w.out.key(&k::CONTENT);
    w.out.open_map();
    w.out.key(&k::NAME);
    w.out.text(&call.name);
    w.out.key(&k::ARGUMENTS);
    w.args(item, call)?;
    if has_id(call) {
        w.out.key(&k::TOOL_CALL_ID);
        w.id(item, &call.id);
    }
    w.inner_extras(item);
    w.out.close();
    Ok(())
}

fn has_id<H: Host>(call: &Call<H>) -> bool {
    !call.made_up_id && !call.id.is_empty()
}

/// Begins a result; the caller closes it.
fn result<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    item: &Item<'_, H>,
    outcome: &Outcome<'_, H>,
) -> Result<(), Error> {
    let result = outcome.result;
    open(w, &k::TOOL_RESULT);
    w.out.key(&k::NAME);
    w.write_result_name(item, result);
    w.out.key(&k::CONTENT);
    match outcome.items.as_slice() {
        [Item { said: Said::Json(raw), input, .. }] if outcome.prefix.is_empty() => {
            w.out.scope(*input);
            w.out.sound(raw);
        }
        _ => single_text::outcome(w, outcome)?,
    }
    w.out.scope(item.input);
    let call = w.p.links.call(item.site.0, item.site.1);
    if call.map_or(!result.made_up_id && !result.id.is_empty(), |(call, _)| has_id(call)) {
        w.out.key(&k::TOOL_CALL_ID);
        w.id(item, &result.id);
    }
    Ok(())
}
