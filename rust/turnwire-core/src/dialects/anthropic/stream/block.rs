//! Assembles one block of a streamed Anthropic reply.

use super::super::keys as k;
use crate::{
    model::Telling,
    report::Error,
    value::{Host, Key, Source, Text, Value},
    wire::{
        read::Keys,
        stream::{CallInput, Fields, Grown, Told, Words, whole::changed},
    },
};

/// A block, as much of it as has arrived.
pub(super) struct Block<H: Host> {
    pub(super) index: u64,
    pub(super) fields: Fields<H>,
    /// For text or thinking: the key of the text, and the event for its pieces.
    pub(super) key: Option<(&'static Key, Telling<H>)>,
    pub(super) text: Words<H>,
    /// Whether the caller must run it.
    pub(super) call: bool,
    pub(super) input: CallInput<H>,
    pub(super) stopped: bool,
}

impl<H: Host> Block<H> {
    /// Appends to the text under `key`, and reports the piece as this block's kind of event.
    pub(super) fn grow<S: Source<H = H>>(
        &mut self,
        keys: &mut Keys<'_, S>,
        key: &'static Key,
        out: &mut Told<H>,
    ) -> Result<(), Error> {
        let Some(text) = keys.text(key)?.filter(|text| !text.is_empty()) else { return Ok(()) };
        let text = text.detached(keys.node.input());
        match self.key {
            Some((own, event)) if std::ptr::eq(own, key) => {
                self.text.push(&text, None);
                out.push(event(text));
            }
            _ => self.fields.grow(&Text::own(key.name), Value::Text(text)),
        }
        Ok(())
    }

    /// The input in its start event.
    fn start(&self) -> Result<Option<Value<H>>, Error> {
        self.fields.get(k::INPUT.name).map(Grown::value).transpose()
    }

    /// Ends the block. The arguments of a call may go on behind it.
    pub(super) fn stop(&mut self, out: &mut Told<H>) -> Result<(), Error> {
        self.stopped = true;
        self.tell(false, out)?;
        if self.call && self.input.is_open(self.start()?.as_ref()) { Ok(()) } else { self.end(out) }
    }

    /// Ends a block that has stopped, before the next one: a call without arguments will not get any more.
    pub(super) fn settle(&mut self, out: &mut Told<H>) -> Result<(), Error> {
        self.tell(self.stopped, out)?;
        if self.stopped && self.input.is_empty() { self.end(out) } else { Ok(()) }
    }

    /// Ends the call for a reader of full events.
    pub(super) fn end(&mut self, out: &mut Told<H>) -> Result<(), Error> {
        if out.is_full() { self.input.end(self.start()?, out) } else { Ok(()) }
    }

    /// Reports a call once it is complete. `all`: whether a call without input counts as complete.
    pub(super) fn tell(&mut self, all: bool, out: &mut Told<H>) -> Result<(), Error> {
        if !self.call || !self.stopped {
            return Ok(());
        }
        let start = self.start()?;
        let Some(name) = self.fields.word(&k::NAME) else { return Ok(()) };
        self.input.tell(all, (self.fields.word(&k::ID), name), start, out)
    }

    /// The block as the provider would have sent it in a whole reply.
    pub(super) fn value(&self) -> Result<Value<H>, Error> {
        let mut changes = Vec::new();
        if let Some((key, _)) = self.key.filter(|_| !self.text.is_empty()) {
            changes.push((key, self.text.value()?));
        }
        changes.extend(self.input.value()?.map(|input| (&k::INPUT, input)));
        Ok(changed(&self.fields.value()?, changes))
    }
}
