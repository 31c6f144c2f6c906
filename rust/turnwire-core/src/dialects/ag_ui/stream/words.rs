//! Takes the events of texts and of reasoning.

use super::super::keys as k;
use super::{
    Stream,
    message::{Body, Message},
    nowhere,
};
use crate::{
    model::Event,
    report::Error,
    value::{Host, NodeKind, Source},
    wire::{
        read::{Keys, keys::wrong_type},
        stream::Told,
    },
};

impl<H: Host> Stream<H> {
    /// Takes an event of a text or of reasoning.
    pub(super) fn words<S: Source<H = H>>(
        &mut self,
        kind: &str,
        body: Body,
        keys: &mut Keys<'_, S>,
        out: &mut Told<H>,
    ) -> Result<(), Error> {
        let input = keys.node.input();
        let id = keys.text(&k::MESSAGE_ID)?.map(|id| id.detached(input)).filter(|id| !id.is_empty());
        let last = if body == Body::Text { self.last_text } else { self.last_thought };
        let chunk = kind.ends_with("_CHUNK");
        // Events of older versions have no ids.
        let loose = chunk || kind.starts_with("THINKING_");
        let starts = kind.ends_with("_START");
        let named = self.place(id.as_ref(), body);
        let place = if id.is_none() && loose && !starts { last } else { named };
        if id.is_none() && !loose {
            return Err(keys.missing(&k::MESSAGE_ID));
        }
        let open = place.filter(|at| self.messages[*at].is_open(body));
        let role = keys.text(&k::ROLE)?.map(|role| role.detached(input));
        let at = match open {
            Some(_) if starts => return Err(nowhere(kind, id.as_ref(), "a message that is not open", &k::MESSAGE_ID)),
            Some(at) => at,
            None if starts || chunk && id.is_some() => {
                if place.is_some_and(|at| !self.messages[at].may_begin(body)) {
                    return Err(nowhere(kind, id.as_ref(), "a message without text so far", &k::MESSAGE_ID));
                }
                let piece = keys.node.get(&k::DELTA);
                if let Some(piece) = piece.filter(|piece| piece.kind() != NodeKind::Null && piece.text().is_none()) {
                    return Err(wrong_type("a string", &piece, &keys.at.key(k::DELTA.name)));
                }
                let at = place.unwrap_or_else(|| self.add(Message::new(id, body)));
                // Reasoning has events of its own, so a text with its role is the assistant's.
                let role = role.filter(|role| body == Body::Text && !role.is(k::REASONING.name, None));
                self.messages[at].begin(role, keys)?;
                out.divide();
                at
            }
            None => return Err(nowhere(kind, id.as_ref(), "a message that is open", &k::MESSAGE_ID)),
        };
        if body == Body::Text {
            self.last_text = Some(at);
        } else {
            self.last_thought = Some(at);
        }
        if chunk {
            keys.some(&k::NAME);
            self.messages[at].chunked();
        }
        if kind.ends_with("_END") {
            self.messages[at].close(body);
            out.divide();
            return Ok(());
        }
        let piece = if kind.ends_with("_CONTENT") { Some(keys.needed_text(&k::DELTA)?) } else { keys.text(&k::DELTA)? };
        // Some servers send empty pieces to keep the connection alive.
        if let Some(piece) = piece.filter(|piece| !piece.is_empty()) {
            let piece = piece.detached(input);
            let message = &mut self.messages[at];
            message.push(&piece);
            if message.is_models() {
                out.push(if body == Body::Text { Event::Text(piece) } else { Event::Reasoning(piece) });
            }
        }
        Ok(())
    }
}
