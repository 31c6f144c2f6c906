//! Writes messages of the family.

pub(crate) mod call;
pub(crate) mod content;
pub(crate) mod part;
pub(crate) mod result;
pub(crate) mod text;

use self::{
    call::{calls, is_call},
    content::{content, is_content},
};
use super::keys as k;
use super::member::{Member, Writes};
use crate::{
    model::Role,
    report::Error,
    value::{Host, Key, Sink, Text},
    wire::{
        plan::{Item, Message, Said},
        write::Writer,
    },
};

pub(crate) fn message<H: Host, K: Sink<H>>(
    writes: &Writes<H, K>,
    w: &mut Writer<'_, '_, H, K>,
    message: &Message<'_, H>,
) -> Result<(), Error> {
    w.out.open_map();
    w.out.key(&k::ROLE);
    if let [item @ Item { said: Said::Result(outcome), .. }] = message.items.as_slice() {
        (writes.answer)(w, item, outcome)?;
    } else {
        w.out.literal(role(writes.member, message.role));
        (writes.spoken)(w, message)?;
    }
    if w.marks_messages(message.role) {
        w.mark_key(message.items.iter().rev().find_map(|item| item.cached));
    }
    w.message_extras(message);
    w.out.close();
    Ok(())
}

/// The member's word for a role.
pub(crate) fn role(member: &Member, role: Role) -> &'static Key {
    match role {
        Role::Developer if member.roles.iter().any(|(_, known)| *known == Role::Developer) => &k::DEVELOPER,
        Role::System | Role::Developer => &k::SYSTEM,
        Role::Assistant => &k::ASSISTANT,
        Role::User | Role::Tool => &k::USER,
    }
}

/// Writes the parts of a message, each under its key.
pub(crate) fn spoken<H: Host, K: Sink<H>>(
    writes: &Writes<H, K>,
    w: &mut Writer<'_, '_, H, K>,
    message: &Message<'_, H>,
) -> Result<(), Error> {
    let items = &message.items;
    content(writes, w, items, is_content, !items.iter().any(is_call))?;
    own_keys(w, items);
    (writes.around)(w, items);
    calls(w, items)
}

/// Writes the items that have their own keys.
pub(crate) fn own_keys<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, items: &[Item<'_, H>]) {
    for item in items {
        if let (Said::Origin(raw), Some(key)) = (&item.said, item.own_key()) {
            w.out.scope(item.input);
            w.out.key_text(&Text::own(key));
            w.out.raw(raw);
        }
    }
}
