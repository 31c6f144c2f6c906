//! Writes ModelMessages.

use super::{
    AiSdk, keys as k,
    output::{self, file, open},
};
use crate::{
    model::{Kind, MOVED_MEDIA, Role},
    report::{Edit, Error},
    rules::{MediaClass, option_rule::EFFORT},
    value::{Host, Piece, Sink},
    wire::{
        format::Write,
        plan::{Item, Message, Outcome, Said, Shown, rules},
        write::{Writer, single_text},
    },
};

impl Write for AiSdk {
    /// Writes one message, or several if results are among other parts, because results need a tool's message.
    fn message<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, message: &Message<'_, H>) -> Result<(), Error> {
        let mut rest = message.items.as_slice();
        if rest.is_empty() || w.p.stores() {
            return one_message(w, message, rest);
        }
        while let [item, ..] = rest {
            let results = is_tools(item);
            let count = rest.iter().take_while(|item| is_tools(item) == results).count();
            let (now, later) = rest.split_at(count);
            w.s.provenance.sources.push(message.sources_of(now));
            one_message(w, message, now)?;
            rest = later;
        }
        Ok(())
    }
}

/// Whether an item goes into a tool's message: a result, or the user's approval, which only the SDK has.
fn is_tools<H: Host>(item: &Item<'_, H>) -> bool {
    item.part.is_some_and(|part| match &part.kind {
        Kind::Result(_) => true,
        Kind::Opaque(name) => name.is("tool-approval-response", item.input),
        _ => false,
    })
}

/// Whether an item is the setting of an effort.
fn is_setting<H: Host>(item: &Item<'_, H>) -> bool {
    item.part.is_some_and(|part| matches!(&part.kind, Kind::Opaque(name) if name.is(EFFORT, item.input)))
}

fn one_message<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    message: &Message<'_, H>,
    items: &[Item<'_, H>],
) -> Result<(), Error> {
    // A setting is a message of its own, without text.
    if let [item] = items
        && is_setting(item)
        && let Some(raw) = item.whole()
    {
        w.out.scope(item.input);
        w.out.raw(raw);
        return Ok(());
    }
    w.out.open_map();
    w.out.key(&k::ROLE);
    let role = match message.role {
        _ if items.first().is_some_and(is_tools) => &k::TOOL,
        Role::System | Role::Developer => &k::SYSTEM,
        Role::Assistant => &k::ASSISTANT,
        Role::User | Role::Tool => &k::USER,
    };
    w.out.literal(role);
    w.out.key(&k::CONTENT);
    let bare = |one: &&Item<'_, H>| items.len() == message.items.len() && !w.has_options(one);
    match message.alone().filter(bare) {
        _ if role.name == k::SYSTEM.name => system(w, items)?,
        _ if items.is_empty() => w.out.pieces(&[]),
        Some(one) => single_text::write(w, "", &[one])?,
        None => {
            w.out.open_list();
            items.iter().try_for_each(|item| part(w, item, message.role))?;
            w.out.close();
        }
    }
    if let Some(last) = items.last().filter(|_| role.name == k::SYSTEM.name) {
        w.item_options(last, &k::PROVIDER_OPTIONS);
    }
    // When a turn becomes several messages, the first one gets the turn's extras.
    if items.first().is_none_or(|item| item.site.1 == 0) {
        w.message_extras(message);
    }
    w.out.close();
    Ok(())
}

/// Writes system text as one string.
fn system<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, items: &[Item<'_, H>]) -> Result<(), Error> {
    let (words, others): (Vec<_>, Vec<_>) = items.iter().partition(|item| !item.is_media());
    for item in others {
        w.p.losses.lost(Edit::Media, w.p.path_of(item), rules::SYSTEM_MEDIA.says)?;
    }
    single_text::joined(w, &words)
}

fn part<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>, role: Role) -> Result<(), Error> {
    w.out.scope(item.input);
    match &item.said {
        Said::Origin(raw) => {
            w.out.raw(raw);
            return Ok(());
        }
        Said::Translated(raw) => {
            w.out.raw(raw);
            return Ok(());
        }
        Said::Call(call) => {
            open(w, &k::TOOL_CALL);
            w.out.key(&k::TOOL_CALL_ID);
            w.id(item, &call.id);
            w.out.key(&k::TOOL_NAME);
            w.out.text(&call.name);
            w.out.key(&k::INPUT);
            w.args(item, call)?;
        }
        Said::Result(outcome) => result(w, item, outcome)?,
        Said::Media(shown) => media(w, item, shown, role)?,
        Said::MovedMedia(result) => {
            open(w, &k::TEXT);
            w.out.key(&k::TEXT);
            let id = w.p.id_of(item, &result.id).share();
            w.out.pieces(&[Piece::Str(MOVED_MEDIA), Piece::Text(&id), Piece::Str(":")]);
        }
        _ => {
            open(w, &k::TEXT);
            w.out.key(&k::TEXT);
            single_text::write(w, "", &[item])?;
        }
    }
    w.out.scope(item.input);
    w.item_options(item, &k::PROVIDER_OPTIONS);
    w.item_extras(item);
    w.out.close();
    Ok(())
}

/// Begins a result; the caller closes it.
fn result<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    item: &Item<'_, H>,
    outcome: &Outcome<'_, H>,
) -> Result<(), Error> {
    open(w, &k::TOOL_RESULT);
    w.out.key(&k::TOOL_CALL_ID);
    w.id(item, &outcome.result.id);
    w.out.key(&k::TOOL_NAME);
    w.write_result_name(item, outcome.result);
    w.out.key(&k::OUTPUT);
    output::write(w, item, outcome)?;
    w.out.scope(item.input);
    w.inner_extras(item);
    w.out.close();
    Ok(())
}

/// Begins a part of media; the caller closes it. An assistant's images are files, and so are media with a name.
fn media<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    item: &Item<'_, H>,
    shown: &Shown<'_, H>,
    role: Role,
) -> Result<(), Error> {
    let image = shown.class == MediaClass::Image && role != Role::Assistant && shown.name.is_none();
    open(w, if image { &k::IMAGE } else { &k::FILE });
    file(w, item, shown, if image { &k::IMAGE } else { &k::DATA })
}
