//! Writes the ids of calls, results and messages, and reports those that changed or were made.

use super::Writer;
use crate::{
    model::{Part, surrogate::place_in_top_system},
    report::{Edit, Path},
    value::{Host, Sink, Text},
    wire::plan::{Item, Message, Said},
};

impl<H: Host, K: Sink<H>> Writer<'_, '_, H, K> {
    /// Writes the id of a call or result, and reports it if it changed.
    pub(crate) fn id(&mut self, item: &Item<'_, H>, id: &Text<H>) {
        if self.p.links.renamed(item.site.0, item.site.1).is_none() {
            return self.out.text(id);
        }
        // A made-up id is reported with its call.
        let told = matches!(item.said, Said::Call(_)) || self.p.links.call_site(item.site).is_some();
        let made_up = item.part.is_some_and(Part::has_made_up_id);
        if !(told && made_up) {
            let reason = match (made_up || id.is_empty(), &item.said) {
                (false, _) => "the target refuses this id, or it is used already",
                (true, Said::Call(_)) => "the call came without an id",
                (true, _) => "the result came without the id of its call",
            };
            let path = self.p.path_of(item);
            self.p.losses.changed(Edit::RenamedId, path, reason);
        }
        if let Some(new) = self.p.links.renamed(item.site.0, item.site.1) {
            self.out.text(new);
        }
    }

    /// The id of a message. Reports it if it is made.
    pub(crate) fn message_id(&mut self, message: &Message<'_, H>) -> Text<H> {
        let (id, made) = self.s.message_ids.id(message, &self.p.target, &self.p.conversation.turns);
        if made {
            let reason = "the target requires an id on each message: it is made from the message's content";
            self.p.losses.changed(Edit::RenamedId, self.path_of_message(message), reason);
        }
        id
    }

    /// The path of its first item.
    fn path_of_message(&self, message: &Message<'_, H>) -> Path {
        let turn = message.turns.first().map(|(index, _)| *index);
        let index = turn.or_else(|| message.items.first().map(|item| item.site.0));
        let turn = index.and_then(|index| Some((index, self.p.conversation.turns.get(index)?)));
        turn.map_or_else(|| place_in_top_system(self.p.conversation), |(index, turn)| turn.path(index))
    }
}
