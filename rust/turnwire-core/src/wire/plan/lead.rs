//! Puts system text in front of the user's first words, for a target whose models know no system text.

use super::{item::Item, message::Message, outline::Outline, rules};
use crate::{
    model::{Role, surrogate},
    report::Error,
    value::Host,
    wire::write::says::user_asks,
};

/// System text that waits for the user's first words.
pub(super) struct Lead<'a, H: Host> {
    /// The turn of these words.
    pub(super) at: usize,
    items: Vec<Item<'a, H>>,
}

impl<'a, H: Host> Outline<'_, 'a, H> {
    /// Keeps the system text for the turn with the user's first words. If there is none, the text is a message of the user's.
    pub(super) fn lead_user(&mut self, mut message: Message<'a, H>) -> Result<(), Error> {
        let conversation = self.p.conversation;
        let frame = conversation.frame;
        if message.items.iter().any(|item| item.source == usize::MAX) {
            self.p.losses.changed(rules::SYSTEM_USER.code, frame.system_path(), rules::SYSTEM_USER.says);
        }
        let asks = |index: usize| !self.p.is_hoisted(index) && user_asks(conversation.turns[index], &self.p.target);
        if let Some(at) = (0..conversation.turns.len()).find(|index| asks(*index)) {
            self.lead = Some(Lead { at, items: message.items });
            return Ok(());
        }
        message.role = Role::User;
        self.message(&message)?;
        self.to.replaced(self.p, &mut surrogate::place_in_top_system);
        Ok(())
    }

    /// Begins the user's first words with the system text.
    pub(super) fn leads_in(&mut self, index: usize) {
        if let Some(lead) = self.lead.take_if(|lead| lead.at == index) {
            self.open.items.extend(lead.items);
        }
    }
}
