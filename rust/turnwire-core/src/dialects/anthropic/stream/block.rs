//! Assembles one block of a streamed Anthropic reply.

use crate::{
    dialects::anthropic::{ID, INPUT, NAME},
    model::{
        event::{Event, Telling},
        tool::Args,
    },
    report::error::Error,
    value::{
        door::{Key, Source},
        handle::{Host, Raw, Text, Value},
        json::read::{args_state, value},
        node::ArgsState,
    },
    wire::{
        read::keys::Keys,
        stream::{
            grown::{Fields, Grown},
            text::Words,
            told::{Flow, Told},
            whole::changed,
        },
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
    /// Its input as JSON text, where it arrives in pieces.
    pub(super) input: Words<H>,
    pub(super) stopped: bool,
    pub(super) told: bool,
    /// How much of the call was reported to a reader of full events.
    pub(super) flow: Flow,
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

    /// Ends the call for a reader of full events. Without pieces, its start has the whole input.
    pub(super) fn end(&mut self, out: &mut Told<H>) -> Result<(), Error> {
        if !out.is_full() {
            return Ok(());
        }
        if self.input.is_empty()
            && let Some(Value::Map(entries)) = self.fields.get(INPUT.name).map(Grown::value).transpose()?
            && !entries.is_empty()
        {
            let mut json = Vec::new();
            crate::value::json::write::value(&Value::<H>::Map(entries), None, &mut json)?;
            self.flow.grow(&json, out)?;
        }
        self.flow.end(out);
        Ok(())
    }

    /// The input: pieces win over the start, and text that is no object stays text.
    fn input(&self) -> Result<Option<Value<H>>, Error> {
        let text = self.input.bytes();
        if text.trim_ascii().is_empty() {
            return Ok(None);
        }
        Ok(Some(match value(&text) {
            Ok(object @ Value::Map(_)) => object,
            _ => self.input.value()?,
        }))
    }

    /// Reports a call once it is whole. `all`: a call without input is whole, too.
    pub(super) fn tell(&mut self, all: bool, out: &mut Told<H>) -> Result<(), Error> {
        if self.told || !self.call || !self.stopped {
            return Ok(());
        }
        let Some(name) = self.fields.word(&NAME).map(Text::share) else { return Ok(()) };
        let args = match self.input()? {
            Some(Value::Text(text)) if args_state(&text.wtf8(None)) == ArgsState::Object => Args::Text(text),
            Some(object @ Value::Map(_)) => Args::Value(Raw::Tree(object)),
            Some(_) => return Ok(()),
            None => match self.fields.get(INPUT.name).map(Grown::value).transpose()? {
                Some(Value::Map(entries)) if all || !entries.is_empty() => Args::Value(Raw::Tree(Value::Map(entries))),
                _ => return Ok(()),
            },
        };
        out.push(Event::Call { id: self.fields.word(&ID).map(Text::share), name, args });
        self.told = true;
        Ok(())
    }

    /// The block as the provider would have sent it whole.
    pub(super) fn value(&self) -> Result<Value<H>, Error> {
        let mut changes = Vec::new();
        if let Some((key, _)) = self.key.filter(|_| !self.text.is_empty()) {
            changes.push((key, self.text.value()?));
        }
        changes.extend(self.input()?.map(|input| (&INPUT, input)));
        Ok(changed(&self.fields.value()?, changes))
    }
}
