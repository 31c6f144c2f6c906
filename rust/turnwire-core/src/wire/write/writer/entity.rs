//! Writes the entity around a message, for formats and callers that store messages in entities.

use super::Writer;
use crate::k;
use crate::{
    model::Entity,
    rules::MessageId,
    value::{Host, Input, Sink, Text},
    wire::plan::Message,
};

/// What is written around a message, with the input of its spans.
pub(crate) enum Around<'a, H: Host> {
    /// Its original entity.
    Entity(&'a Entity<H>, Option<&'a Input>),
    /// An id, in an otherwise empty entity.
    Id(&'a Text<H>, Option<&'a Input>),
}

impl<'a, H: Host, K: Sink<H>> Writer<'_, 'a, H, K> {
    /// The entity around a message.
    pub(crate) fn entity(&self, message: &Message<'a, H>) -> Option<Around<'a, H>> {
        if let Some((_, turn)) = self.p.stored(message) {
            return turn.entity.as_deref().map(|entity| Around::Entity(entity, turn.input.as_ref()));
        }
        let is_entity = self.p.target.limits.message_id == MessageId::Entity;
        let id = if is_entity { message.id(&self.p.target) } else { None };
        id.map(|(_, id, input)| Around::Id(id, input))
    }

    /// Opens the entity around a message.
    pub(crate) fn open_entity(&mut self, around: Option<&Around<'a, H>>) {
        let Some(around) = around else { return };
        self.out.open_map();
        match around {
            Around::Entity(Entity { raw_id: None, .. }, _) => {}
            Around::Entity(Entity { raw_id: Some(id), .. }, input) => {
                self.out.scope(*input);
                self.out.key(&k::ID);
                self.out.raw(id);
            }
            Around::Id(id, input) => {
                self.out.scope(*input);
                self.out.key(&k::ID);
                self.out.text(id);
            }
        }
        self.out.key(&k::BODY);
    }

    /// Closes the entity, after its unknown keys.
    pub(crate) fn close_entity(&mut self, around: Option<&Around<'a, H>>) {
        if let Some(Around::Entity(entity, input)) = around
            && let Some(extras) = &entity.extras
        {
            self.out.scope(*input);
            self.write_extras(extras);
        }
        if around.is_some() {
            self.out.close();
        }
    }
}
