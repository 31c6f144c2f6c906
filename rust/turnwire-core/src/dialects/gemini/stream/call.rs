//! Assembles one call of a streamed Gemini reply.

use super::super::keys as k;
use super::partial::Partial;
use crate::{
    model::{Args, Event},
    report::Error,
    value::{Host, Key, Raw, Text, Value},
    wire::stream::{Fields, Flow, Map, Told, calls::args_text},
};

/// A call.
pub(super) struct Call<H: Host> {
    /// The spelling of its key.
    pub(super) key: &'static Key,
    /// The keys beside the call, such as a signature.
    pub(super) beside: Fields<H>,
    /// Its keys except the arguments.
    pub(super) fields: Fields<H>,
    pub(super) name: Option<Text<H>>,
    pub(super) id: Option<Text<H>>,
    pub(super) args: Option<Value<H>>,
    pub(super) partial: Option<Partial<H>>,
    /// Whether more of its arguments will follow.
    pub(super) goes_on: bool,
    pub(super) told: bool,
    /// How much of it was reported to a reader of full events.
    pub(super) flow: Flow,
}

impl<H: Host> Call<H> {
    fn arguments(&self) -> Result<Option<Value<H>>, Error> {
        match (&self.args, &self.partial) {
            (None, Some(partial)) => partial.value().map(Some),
            (args, _) => Ok(args.as_ref().map(Value::share)),
        }
    }

    /// Whether it is the same call.
    pub(super) fn is(&self, id: &Text<H>, name: &Text<H>, args: Option<&Value<H>>) -> bool {
        let same = |own: &Option<Text<H>>, other: &Text<H>| own.as_ref().is_some_and(|own| own.same(other));
        let whole = !self.goes_on && self.partial.is_none();
        let alike = match (&self.args, args) {
            (Some(own), Some(other)) => own.same(other),
            (own, other) => own.is_none() && other.is_none(),
        };
        whole && alike && same(&self.id, id) && same(&self.name, name)
    }

    /// Reports the call once it is complete. `all`: whether a call without arguments counts as complete.
    pub(super) fn tell(&mut self, all: bool, out: &mut Told<H>) -> Result<(), Error> {
        let Some(name) = self.name.as_ref().filter(|_| !self.told && !self.goes_on) else { return Ok(()) };
        let args = match self.arguments()? {
            Some(Value::Map(entries)) if all || !entries.is_empty() => Value::Map(entries),
            None if all => Map::default().value(),
            _ => return Ok(()),
        };
        let id = self.id.as_ref().map(Text::share);
        out.push(Event::Call {
            id,
            name: name.share(),
            args: Args::Value(Raw::Tree(args)),
            namespace: None,
            form: None,
        });
        self.told = true;
        self.end(out)
    }

    /// Reports all of the call to a reader of full events, because calls arrive whole.
    pub(super) fn end(&mut self, out: &mut Told<H>) -> Result<(), Error> {
        if !out.is_full() {
            return Ok(());
        }
        let none = Text::own("");
        self.flow.begin(self.id.as_ref(), self.name.as_ref().unwrap_or(&none), false, out);
        if let Some(args) = args_text(&self.given()?)? {
            self.flow.grow(&args.wtf8(None), out)?;
        }
        self.flow.end(out);
        Ok(())
    }

    /// The arguments in their original form. If they were cut off, they are unfinished text.
    fn given(&self) -> Result<Value<H>, Error> {
        Ok(match (&self.args, &self.partial) {
            (None, Some(partial)) if self.goes_on => partial.cut()?,
            (None, None) if self.goes_on => Value::Text(Text::own("{")),
            _ => self.arguments()?.unwrap_or_else(|| Map::default().value()),
        })
    }

    /// The part with this call.
    pub(super) fn value(&self) -> Result<Value<H>, Error> {
        let mut call = Map::default();
        let text = |text: &Text<H>| Value::Text(text.share());
        call.maybe(&k::ID, self.id.as_ref().map(text).as_ref());
        call.put(&k::NAME, self.name.as_ref().map_or_else(|| Value::Text(Text::own("")), text));
        call.put(&k::ARGS, self.given()?);
        call.fields(&self.fields)?;
        let mut part = Map::default();
        part.put(self.key, call.value());
        part.fields(&self.beside)?;
        Ok(part.value())
    }
}
