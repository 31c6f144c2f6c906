//! Assembles one part of a message: a text in pieces, a call, or a part that arrived whole.

use super::super::keys as k;
use super::call::Call;
use crate::{
    report::Error,
    value::{Host, Text, Value},
    wire::stream::{Map, Words, whole::word},
};

/// A part, as much of it as has arrived.
pub(super) enum Part<H: Host> {
    Words(Spoken<H>),
    Call(Box<Call<H>>),
    Whole(Value<H>),
}

impl<H: Host> Part<H> {
    pub(super) fn call(&mut self) -> Option<&mut Call<H>> {
        match self {
            Self::Call(call) => Some(call),
            _ => None,
        }
    }

    pub(super) fn value(&self) -> Result<Value<H>, Error> {
        match self {
            Self::Words(spoken) => spoken.value(),
            Self::Call(call) => call.value(),
            Self::Whole(part) => Ok(part.share()),
        }
    }
}

/// A text, or reasoning.
pub(super) struct Spoken<H: Host> {
    thought: bool,
    pub(super) words: Words<H>,
    pub(super) metadata: Option<Value<H>>,
}

impl<H: Host> Spoken<H> {
    pub(super) fn new(thought: bool, metadata: Option<Value<H>>) -> Self {
        Self { thought, words: Words::default(), metadata }
    }

    fn value(&self) -> Result<Value<H>, Error> {
        let mut part = Map::default();
        part.put(&k::TYPE, word(if self.thought { &k::REASONING } else { &k::TEXT }));
        part.put(&k::TEXT, self.words.value()?);
        part.maybe(&k::PROVIDER_METADATA, self.metadata.as_ref());
        Ok(part.value())
    }
}

/// Merges later metadata into earlier ones key by key, as the SDK's client does.
pub(super) fn merged<H: Host>(old: &Value<H>, new: &Value<H>) -> Value<H> {
    let (Value::Map(mine), Value::Map(theirs)) = (old, new) else { return new.share() };
    let mut all: Vec<(Text<H>, Value<H>)> = mine.iter().map(|(key, value)| (key.share(), value.share())).collect();
    for (key, value) in theirs.iter() {
        match all.iter_mut().find(|(name, _)| name.wtf8(None) == key.wtf8(None)) {
            Some((_, place)) => *place = merged(place, value),
            None => all.push((key.share(), value.share())),
        }
    }
    Value::Map(all.into())
}
