//! Writes GenAI messages, system instructions and tool definitions.

use super::keys as k;
use super::{Otel, media, part::open};
use crate::{
    model::{Call, Kind, MOVED_MEDIA, Role, Tool},
    report::{Error, Path},
    value::{Host, Piece, Sink},
    wire::{
        format::Write,
        plan::{Item, Message, Outcome, Said},
        write::{SystemText, Writer, single_text},
    },
};

impl Write for Otel {
    /// Writes one message, or several if another format's results are among other parts: here results need a tool's
    /// message.
    fn message<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, message: &Message<'_, H>) -> Result<(), Error> {
        let mut rest = message.items.as_slice();
        if rest.is_empty() || w.p.stores() {
            return one_message(w, message, rest);
        }
        while let [item, ..] = rest {
            let results = is_tools(item, message.role);
            let count = rest.iter().take_while(|item| is_tools(item, message.role) == results).count();
            let (now, later) = rest.split_at(count);
            w.s.provenance.sources.push(message.sources_of(now));
            one_message(w, message, now)?;
            rest = later;
        }
        Ok(())
    }
    fn write_system<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, texts: &[SystemText<'_, H>]) {
        w.out.open_list();
        for SystemText { text, input, origin, extras, .. } in texts {
            w.out.scope(*input);
            if let Some(raw) = origin {
                w.out.raw(raw);
                continue;
            }
            open(w, &k::TEXT);
            w.out.key(&k::CONTENT);
            w.out.text(text);
            if let Some(extras) = extras {
                w.write_extras(extras);
            }
            w.out.close();
        }
        w.out.close();
    }
    fn write_tool<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, tool: &Tool<H>, at: &Path) -> Result<(), Error> {
        open(w, &k::FUNCTION);
        w.out.key(&k::NAME);
        w.out.text(&tool.name);
        if let Some(words) = w.description(tool) {
            w.out.key(&k::DESCRIPTION);
            w.out.text(&words);
        }
        if let Some(schema) = &tool.schema {
            w.out.key(&k::PARAMETERS);
            w.out.sound(schema);
        } else {
            w.no_schema(tool, at)?;
        }
        let _ = w.tool_extras(tool, at)?;
        w.out.close();
        Ok(())
    }
}

/// Whether an item is the first that is written of its turn. A turn of results is written as a message for each.
fn is_first<H: Host, K: Sink<H>>(w: &Writer<'_, '_, H, K>, message: &Message<'_, H>, item: &Item<'_, H>) -> bool {
    if message.items.first().is_some_and(|first| first.site != item.site) {
        return false;
    }
    let parts = w.p.conversation.turns.get(item.site.0).map_or(&[][..], |turn| &turn.parts);
    let before = parts.iter().take(item.site.1);
    message.role != Role::Tool || !before.into_iter().any(|part| matches!(part.kind, Kind::Result(_)))
}

/// Whether an item needs a tool's message. A user's results of this format stay the user's.
fn is_tools<H: Host>(item: &Item<'_, H>, role: Role) -> bool {
    let result = item.part.is_some_and(|part| matches!(part.kind, Kind::Result(_)));
    result && !(item.own && role == Role::User)
}

fn one_message<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    message: &Message<'_, H>,
    items: &[Item<'_, H>],
) -> Result<(), Error> {
    w.out.open_map();
    w.out.key(&k::ROLE);
    w.out.literal(match message.role {
        _ if items.first().is_some_and(|item| is_tools(item, message.role)) => &k::TOOL,
        Role::System => &k::SYSTEM,
        Role::Developer => &k::DEVELOPER,
        Role::Assistant => &k::ASSISTANT,
        // In other formats a tool's turn may have other content than results.
        Role::User | Role::Tool => &k::USER,
    });
    w.out.key(&k::PARTS);
    w.out.open_list();
    items.iter().try_for_each(|item| part(w, item))?;
    w.out.close();
    // When a turn becomes several messages, the first one gets the turn's extras.
    if items.first().is_none_or(|item| is_first(w, message, item)) {
        w.message_extras(message);
    }
    w.out.close();
    Ok(())
}

fn part<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>) -> Result<(), Error> {
    w.out.scope(item.input);
    match &item.said {
        Said::Origin(raw) => {
            w.out.raw(raw);
            return Ok(());
        }
        Said::Call(one) => call(w, item, one)?,
        Said::Result(outcome) => result(w, item, outcome)?,
        Said::Media(shown) => return media::write(w, item, shown),
        Said::MovedMedia(result) => {
            open(w, &k::TEXT);
            w.out.key(&k::CONTENT);
            let id = w.p.id_of(item, &result.id).share();
            w.out.pieces(&[Piece::Str(MOVED_MEDIA), Piece::Text(&id), Piece::Str(":")]);
        }
        _ => {
            let thought = item.part.is_some_and(|part| matches!(part.kind, Kind::Reasoning(_)));
            open(w, if thought { &k::REASONING } else { &k::TEXT });
            w.out.key(&k::CONTENT);
            single_text::write(w, "", &[item])?;
        }
    }
    w.item_extras(item);
    w.out.close();
    Ok(())
}

/// Begins a call; the caller closes it.
fn call<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>, call: &Call<H>) -> Result<(), Error> {
    open(w, &k::TOOL_CALL);
    if has_id(call) {
        w.out.key(&k::ID);
        w.id(item, &call.id);
    }
    w.out.key(&k::NAME);
    w.out.text(&call.name);
    w.out.key(&k::ARGUMENTS);
    w.args(item, call)
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
    open(w, &k::TOOL_CALL_RESPONSE);
    let call = w.p.links.call(item.site.0, item.site.1);
    if call.map_or(!result.made_up_id && !result.id.is_empty(), |(call, _)| has_id(call)) {
        w.out.key(&k::ID);
        w.id(item, &result.id);
    }
    w.result_name_lost(item, result)?;
    w.out.key(&k::RESPONSE);
    match outcome.items.as_slice() {
        [one @ Item { said: Said::Json(raw), .. }] => {
            w.out.scope(one.input);
            w.out.sound(raw);
        }
        _ => single_text::outcome(w, outcome)?,
    }
    w.out.scope(item.input);
    Ok(())
}
