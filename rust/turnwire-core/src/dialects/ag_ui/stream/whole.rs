//! Takes events that hold whole messages, and events that no message can hold.

use super::{
    super::keys as k,
    Stream,
    message::{Body, Message},
    nowhere,
};
use crate::{
    report::{Edit, Error},
    value::{Host, Key, Source, Text, Tree, Value},
    wire::{
        read::{Keys, keys::wrong_type},
        stream::{
            Map, Told,
            whole::{kept, word},
        },
    },
};

impl<H: Host> Stream<H> {
    /// Takes the result of a call.
    pub(super) fn result<S: Source<H = H>>(&mut self, keys: &mut Keys<'_, S>, out: &mut Told<H>) -> Result<(), Error> {
        let id = keys.needed_text(&k::MESSAGE_ID)?.detached(keys.node.input());
        keys.needed_text(&k::TOOL_CALL_ID)?;
        keys.needed(&k::CONTENT)?;
        self.whole(id, &k::TOOL, keys.node, out)
    }

    /// Takes an activity. It replaces an earlier one with the same id, unless it says that it must not.
    pub(super) fn activity<S: Source<H = H>>(
        &mut self,
        keys: &mut Keys<'_, S>,
        out: &mut Told<H>,
    ) -> Result<(), Error> {
        let id = keys.needed_text(&k::MESSAGE_ID)?.detached(keys.node.input());
        keys.needed(&k::CONTENT)?;
        let stays = keys.some(&k::REPLACE).is_some_and(|replace| replace.bool() == Some(false));
        if stays && self.place(Some(&id), Body::Whole).is_some() {
            self.unsaid("ACTIVITY_SNAPSHOT");
            return Ok(());
        }
        self.whole(id, &k::ACTIVITY, keys.node, out)
    }

    /// Takes a whole message. A later one with the same id replaces it.
    fn whole<S: Source<H = H>>(
        &mut self,
        id: Text<H>,
        role: &'static Key,
        event: &S,
        out: &mut Told<H>,
    ) -> Result<(), Error> {
        out.divide();
        let mut message = Map::default();
        message.put(&k::ID, Value::Text(id.share()));
        message.put(&k::ROLE, word(role));
        let skipped = [&k::TYPE, &k::MESSAGE_ID, &k::ROLE, &k::TIMESTAMP, &k::REPLACE];
        for (key, value) in event.entries() {
            if skipped.iter().all(|skipped| !key.is(skipped.name, event.input())) {
                message.entry(key.detach(event.input()), kept(&value)?);
            }
        }
        let message = Message::whole(id, message.value());
        match self.place(message.id(), Body::Whole) {
            Some(at) => {
                self.losses.changed(Edit::Opaque, "it replaces the message with its id");
                self.answered.extend(message.answered());
                self.messages[at] = message;
            }
            _ => {
                self.add(message);
            }
        }
        Ok(())
    }

    /// Takes encrypted data that a provider needs back with a message or a call.
    pub(super) fn encrypted<S: Source<H = H>>(
        &mut self,
        keys: &mut Keys<'_, S>,
        out: &mut Told<H>,
    ) -> Result<(), Error> {
        let id = keys.needed_text(&k::ENTITY_ID)?.detached(keys.node.input());
        let value = kept(&keys.needed(&k::ENCRYPTED_VALUE)?)?;
        if keys.text(&k::SUBTYPE)?.is_some_and(|subtype| subtype.is("tool-call", keys.node.input())) {
            let Some((at, call)) = self.calls.get(&*id.wtf8(None)).copied() else {
                return Err(nowhere("REASONING_ENCRYPTED_VALUE", Some(&id), "a call that has begun", &k::ENTITY_ID));
            };
            self.messages[at].calls[call].encrypted = Some(value);
            return Ok(());
        }
        // Hidden reasoning has no other event.
        let at = self.any(&id).unwrap_or_else(|| {
            out.divide();
            self.add(Message::new(Some(id), Body::Thought))
        });
        self.messages[at].encrypted = Some(value);
        Ok(())
    }

    /// Takes the messages of a snapshot that come after the user's last message and have not arrived yet.
    pub(super) fn snapshot<S: Source<H = H>>(
        &mut self,
        keys: &mut Keys<'_, S>,
        out: &mut Told<H>,
    ) -> Result<(), Error> {
        let messages = kept(&keys.needed(&k::MESSAGES)?)?;
        let Value::List(messages) = &messages else {
            return Err(wrong_type("a list", &Tree(&messages), &keys.at.key(k::MESSAGES.name)));
        };
        let is = |message: &Value<H>, role: &str| {
            Tree(message).get(&k::ROLE).and_then(|said| said.text()).is_some_and(|said| said.is(role, None))
        };
        let start = messages.iter().rposition(|message| is(message, "user")).map_or(0, |at| at + 1);
        for message in &messages[start..] {
            let said = |key| Tree(message).get(key).and_then(|said: Tree<'_, H>| said.text()).map(|said| said.share());
            let Some(id) = said(&k::ID) else {
                self.losses.lost(Edit::Id, "a message of a snapshot has no id");
                continue;
            };
            if let Some(at) = self.any(&id) {
                if !self.messages[at].agrees(message)? {
                    self.losses.lost(Edit::Opaque, "a snapshot says something else than the events of a message");
                }
                continue;
            }
            // Some servers give a result another id in the snapshot, so its call decides.
            if said(&k::TOOL_CALL_ID).is_some_and(|call| self.answered.contains(&*call.wtf8(None))) {
                continue;
            }
            out.divide();
            self.add(Message::whole(id, message.share()));
        }
        Ok(())
    }
}
