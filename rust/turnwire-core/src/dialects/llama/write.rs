//! Writes Llama's messages.

use super::{LIMITS, Llama, PARAMETERS, RESULT, TEMPLATE, TOOL_RESULT, keys as k};
use crate::{
    model::Role,
    report::{Edit, Error, Place},
    value::{Host, Raw, Sink, Text, Value},
    wire::{
        format::Write,
        plan::{Item, Message, Outcome, Said},
        write::{Form, One, Writer, call_json, single_part, single_text},
    },
};

impl Write for Llama {
    fn message<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, message: &Message<'_, H>) -> Result<(), Error> {
        let template = w.p.target.id.profile() == TEMPLATE;
        single_part::each(w, message, Form { own_calls: !template, named: !template }, |w, one| {
            w.out.key(&k::ROLE);
            w.out.literal(match (one, message.role) {
                (One::Result(..), _) if template => &k::IPYTHON,
                (One::Result(..), _) | (One::Text(_), Role::User | Role::Tool) => &k::USER,
                (One::Calls(..), _) | (_, Role::Assistant) => &k::ASSISTANT,
                (_, Role::System | Role::Developer) => &k::SYSTEM,
            });
            match one {
                One::Calls([item]) if template => return call(w, item),
                One::Result(item, _) if template => own_id(w, item),
                _ => {}
            }
            w.out.key(&k::CONTENT);
            match one {
                One::Text(items) => {
                    if message.role == Role::Assistant && reads_as_call(items) {
                        let reason = "this text looks like a tool call, but is not one";
                        w.p.losses.changed(Edit::AmbiguousCall, w.p.path_of(&items[0]), reason);
                    }
                    single_text::joined(w, &items.iter().collect::<Vec<_>>())
                }
                One::Calls(items) => call_json::write(w, *items, PARAMETERS),
                One::Result(_, outcome) if template => said(w, outcome),
                One::Result(item, outcome) => result(w, item, outcome),
            }
        })
    }
}

/// Whether a reader would take the assistant's text for a call.
fn reads_as_call<H: Host>(items: &[Item<'_, H>]) -> bool {
    let texts = || items.iter().filter_map(|item| Some(item.text()?.to_str(item.input)));
    let opens = texts().map(|text| text.trim_start().chars().next()).find(Option::is_some).flatten();
    let keys = &[PARAMETERS, k::ARGUMENTS.name];
    let is_call = |text: &str| call_json::read::<H>(text, keys, LIMITS.args, Place::key(k::CONTENT.name)).is_some();
    matches!(opens, Some('{' | '[')) && is_call(&texts().collect::<Vec<_>>().join("\n"))
}

/// `{…, "tool_calls": [{"id"?, "type", "function": {"name", "arguments"}}]`
fn call<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>) -> Result<(), Error> {
    let Said::Call(call) = &item.said else { return Ok(()) };
    w.out.key(&k::TOOL_CALLS);
    w.out.open_list();
    w.out.open_map();
    if item.own && !call.made_up_id {
        w.out.key(&k::ID);
        w.id(item, &call.id);
    }
    w.out.key(&k::TYPE);
    w.out.literal(&k::FUNCTION);
    w.out.key(&k::FUNCTION);
    w.out.open_map();
    w.out.key(&k::NAME);
    w.out.text(&call.name);
    w.out.key(&k::ARGUMENTS);
    w.args(item, call)?;
    w.inner_extras(item);
    w.out.close();
    w.item_extras_but(item, &k::TYPE);
    w.out.close();
    w.out.close();
    Ok(())
}

/// Writes the original id of a result, which the template ignores.
fn own_id<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>) {
    if let Said::Result(Outcome { result, .. }) = &item.said
        && item.own
        && !result.made_up_id
    {
        w.out.key(&k::TOOL_CALL_ID);
        w.id(item, &result.id);
    }
}

/// Writes a tool's answer: a value stays a value, so that the template does not quote it.
fn said<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, outcome: &Outcome<'_, H>) -> Result<(), Error> {
    match outcome.items.as_slice() {
        [Item { said: Said::Json(raw), input, .. }] if outcome.prefix.is_empty() => {
            w.out.scope(*input);
            w.out.sound(raw);
            Ok(())
        }
        _ => single_text::outcome(w, outcome),
    }
}

/// Spec 003: `{"tool_result": {"name", "result"}}` as text.
fn result<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    item: &Item<'_, H>,
    outcome: &Outcome<'_, H>,
) -> Result<(), Error> {
    let name = w.result_name(item, outcome.result);
    let said = match outcome.items.as_slice() {
        [Item { said: Said::Json(raw), input, .. }] if outcome.prefix.is_empty() => w.p.value_of(raw, *input)?,
        _ => Value::Text(single_text::of(w, outcome)?),
    };
    let inner = vec![(Text::own("name"), Value::Text(name)), (Text::own(RESULT), said)];
    let outer = vec![(Text::own(TOOL_RESULT), Value::Map(inner.into()))];
    w.out.raw_as_text(&Raw::Tree(Value::Map(outer.into())));
    Ok(())
}
