//! Assembles a growing text in an item of a streamed Responses reply, with the part around it.

use super::super::keys as k;
use std::borrow::Cow;

use super::kinds::Growth;
use crate::{
    model::{Event, Telling},
    report::Error,
    value::{Host, Key, Source, Text, Tree, Value},
    wire::stream::{
        Map, Told, Words,
        whole::{changed, word},
    },
};

/// A text, as much of it as has arrived.
pub(crate) struct Growing<H: Host> {
    /// Its key.
    pub(crate) key: &'static Key,
    /// The part around it, from its start.
    part: Value<H>,
    words: Words<H>,
    size: usize,
    /// Lists beside the text, entry by entry.
    notes: Vec<(&'static Key, Vec<Value<H>>)>,
    /// The event for its pieces.
    event: Option<Telling<H>>,
}

impl<H: Host> Growing<H> {
    /// The own text of an item, still empty.
    pub(crate) fn own(key: &'static Key) -> Self {
        Self { key, part: Value::Null, words: Words::default(), size: 0, notes: Vec::new(), event: None }
    }

    /// The text of a part in an item of the type `item`. Text in the part itself is not reported.
    pub(crate) fn of(item: &str, part: &Value<H>) -> Self {
        let node = Tree(part);
        let kind = node.get(&k::TYPE);
        let is = |known: &Key| kind.as_ref().and_then(Source::word).is_some_and(|kind| kind == known.name);
        let refusal = is(&k::REFUSAL);
        let event: Option<Telling<H>> = match item {
            "message" if is(&k::OUTPUT_TEXT) => Some(Event::Text),
            name if name == k::REASONING.name && !refusal => Some(Event::Reasoning),
            _ => None,
        };
        let mut made = Self { part: part.share(), event, ..Self::own(if refusal { &k::REFUSAL } else { &k::TEXT }) };
        if let Some(text) = node.get(made.key).and_then(|text| text.text()) {
            made.keep(&text);
        }
        made
    }

    /// The text of a part without a start event.
    pub(crate) fn unnamed(item: &str, growth: Growth) -> Self {
        let mut part = Map::default();
        part.put(&k::TYPE, word(growth.part()));
        if growth == Growth::Text {
            part.put(&k::ANNOTATIONS, Value::List([].into()));
        }
        Self::of(item, &part.value())
    }

    fn keep(&mut self, piece: &Text<H>) {
        self.size += piece.utf8_len(None);
        self.words.push(piece, None);
    }

    /// Whether its pieces are reported.
    pub(crate) fn is_told(&self) -> bool {
        self.event.is_some()
    }

    /// How many bytes have arrived.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// All that has arrived.
    pub(crate) fn text(&self) -> Result<Text<H>, Error> {
        self.words.text()
    }

    /// The event for its pieces. Only a reader of full events gets one for a refusal.
    fn telling(&self, out: &Told<H>) -> Option<Telling<H>> {
        let refusal = out.is_full() && std::ptr::eq(self.key, &raw const k::REFUSAL);
        self.event.or_else(|| refusal.then_some(Event::Refusal as Telling<H>))
    }

    /// All that has arrived, as WTF-8.
    pub(crate) fn bytes(&self) -> Cow<'_, [u8]> {
        self.words.bytes()
    }

    /// Reports all that has arrived.
    pub(crate) fn tell(&self, out: &mut Told<H>) -> Result<(), Error> {
        if let Some(event) = self.telling(out).filter(|_| self.size > 0) {
            out.push(event(self.text()?));
        }
        Ok(())
    }

    /// Appends a piece.
    pub(crate) fn push(&mut self, piece: Text<H>, out: &mut Told<H>) {
        if !piece.is_empty() {
            self.keep(&piece);
            out.extend(self.telling(out).map(|event| event(piece)));
        }
    }

    /// Takes another text in place of the pieces.
    pub(crate) fn replace(&mut self, text: &Text<H>) {
        (self.words, self.size) = (Words::of(text.share()), text.utf8_len(None));
    }

    /// Takes the whole text, unless it is shorter than its pieces. If it begins with the pieces, reports the rest.
    pub(crate) fn all(&mut self, text: &Text<H>, out: &mut Told<H>) -> Result<bool, Error> {
        let size = text.utf8_len(None);
        if size < self.size {
            return Ok(false);
        }
        if let Some(event) = self.telling(out).filter(|_| size > self.size) {
            match text.wtf8(None).strip_prefix(&*self.words.bytes()) {
                Some(_) if self.size == 0 => out.push(event(text.share())),
                Some(rest) => out.push(event(H::text(rest)?)),
                None => {}
            }
        }
        self.replace(text);
        Ok(true)
    }

    /// Takes the part again, for example at its end. Text that was reported stays, whatever the part's later type.
    pub(crate) fn again(&mut self, other: Self, out: &mut Told<H>) -> Result<(), Error> {
        if self.size == 0 {
            self.event = other.event;
        } else if self.is_told() != other.is_told() {
            return Ok(());
        }
        if self.all(&other.text()?, out)? {
            let node = Tree(&other.part);
            self.notes.retain(|(key, list)| node.get(key).is_none_or(|told| told.len() < list.len()));
            self.part = other.part;
            self.event = other.event;
        }
        Ok(())
    }

    /// Adds an entry to a list beside the text.
    pub(crate) fn note(&mut self, key: &'static Key, value: Value<H>) {
        match self.notes.iter_mut().find(|(known, _)| std::ptr::eq(*known, key)) {
            Some((_, list)) => list.push(value),
            None => self.notes.push((key, vec![value])),
        }
    }

    /// The part.
    pub(crate) fn value(&self) -> Result<Value<H>, Error> {
        let mut changes = vec![(self.key, self.words.value()?)];
        for (key, list) in &self.notes {
            changes.push((*key, Value::List(list.iter().map(Value::share).collect())));
        }
        Ok(changed(&self.part, changes))
    }
}
