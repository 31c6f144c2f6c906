//! Assembling a streamed Chat Completions reply: `{"choices": [{"delta", "finish_reason"}], "usage"}`, chunk by chunk.

use std::collections::BTreeSet;

#[allow(clippy::wildcard_imports, reason = "the keys of the family, declared next door")]
use super::*;
use super::{
    super::{frame::wrong_type, read::Keys},
    growing::Growing,
    reply::{CHOICES, ERROR, FINISH_REASON, MESSAGE, USAGE, meaning, usage},
};
use crate::{
    handle::Value,
    node::NodeKind,
    path::Trail,
    reply::{Finish, count},
    stream::{
        Assembly, Event,
        whole::{Map, number},
    },
    value::tree::Tree,
};

keys! {
    CHUNK = "chunk";
    DATA = "data";
    DELTA = "delta";
}

/// The reply as far as it came.
pub(crate) struct Stream<H: Host> {
    /// The index of the choice that is taken: the first that came.
    choice: Option<u64>,
    others: BTreeSet<u64>,
    message: Growing<H>,
    reason: Option<Value<H>>,
    usage: Option<Value<H>>,
    error: Option<Value<H>>,
    ended: bool,
}

impl<H: Host> Assembly for Stream<H> {
    type H = H;

    fn new() -> Result<Self, Error> {
        Ok(Self {
            choice: None,
            others: BTreeSet::new(),
            message: Growing::new(),
            reason: None,
            usage: None,
            error: None,
            ended: false,
        })
    }

    /// The SDK's helper gives events of its own beside the chunk that they are made of.
    fn is_derived(kind: &str) -> bool {
        kind != CHUNK.name
    }

    fn feed<S: Source<H = H>>(&mut self, chunk: &S, out: &mut Vec<Event<H>>) -> Result<(), Error> {
        let at = Trail::ROOT;
        if chunk.kind() != NodeKind::Map {
            return Err(wrong_type("an object", chunk, &at));
        }
        // So do the events of some SDKs hold a chunk.
        for key in [&CHUNK, &DATA] {
            if let Some(inner) = chunk.get(key).filter(|inner| inner.kind() == NodeKind::Map) {
                return self.chunk(&inner, &at.key(key.name), out);
            }
        }
        self.chunk(chunk, &at, out)
    }

    fn has_ended(&self) -> bool {
        self.ended
    }

    fn finish(&mut self, cut: bool, out: &mut Vec<Event<H>>) -> Result<Value<H>, Error> {
        let reason = self.reason.as_ref().map(|reason| meaning(&Tree(reason).word().unwrap_or_default()));
        let cut = cut || reason.is_some_and(Finish::is_cut);
        self.message.finish(cut, out)?;
        let mut whole = Map::default();
        let mut choices = Vec::new();
        if let Some(index) = self.choice {
            let mut choice = Map::default();
            choice.put(&INDEX, number(index));
            choice.put(&MESSAGE, self.message.message()?);
            choice.maybe(&FINISH_REASON, self.reason.as_ref());
            choices.push(choice.value());
        }
        choices.extend(self.others.iter().map(|index| {
            let mut other = Map::default();
            other.put(&INDEX, number(*index));
            other.value()
        }));
        whole.put(&CHOICES, Value::List(choices.into()));
        whole.maybe(&USAGE, self.usage.as_ref());
        whole.maybe(&ERROR, self.error.as_ref());
        Ok(whole.value())
    }
}

impl<H: Host> Stream<H> {
    fn chunk<S: Source<H = H>>(&mut self, chunk: &S, at: &Trail<'_>, out: &mut Vec<Event<H>>) -> Result<(), Error> {
        if let Some(error) = chunk.get(&ERROR).filter(|error| error.kind() != NodeKind::Null) {
            let error = error.raw().to_value(error.input())?;
            self.error.get_or_insert(error);
        }
        // Counts are those of the whole stream so far.
        if let Some(usage) = usage(chunk) {
            self.usage = Some(usage);
        }
        let Some(choices) = chunk.get(&CHOICES).filter(|choices| choices.kind() != NodeKind::Null) else {
            return Ok(());
        };
        let at = at.key(CHOICES.name);
        if choices.kind() != NodeKind::List {
            return Err(wrong_type("a list", &choices, &at));
        }
        // The counts come last, and alone.
        self.ended |= choices.is_empty() && self.usage.is_some();
        for (place, choice) in choices.items().enumerate() {
            self.one_choice(&choice, place, &at.index(place), out)?;
        }
        Ok(())
    }

    fn one_choice<S: Source<H = H>>(
        &mut self,
        choice: &S,
        place: usize,
        at: &Trail<'_>,
        out: &mut Vec<Event<H>>,
    ) -> Result<(), Error> {
        let mut keys = Keys::of(choice, at)?;
        let index = keys.some(&INDEX).as_ref().and_then(count).unwrap_or(place as u64);
        if *self.choice.get_or_insert(index) != index {
            self.others.insert(index);
            return Ok(());
        }
        if let Some(error) = keys.some(&ERROR) {
            let error = error.raw().to_value(error.input())?;
            self.error.get_or_insert(error);
        }
        if let Some(delta) = keys.some(&DELTA) {
            self.message.delta(&delta, &at.key(DELTA.name), out)?;
        } else if let Some(message) = keys.some(&MESSAGE).filter(|_| self.message.says_nothing()) {
            // A server that does not stream.
            self.message.delta(&message, &at.key(MESSAGE.name), out)?;
        }
        if let Some(reason) = keys.text(&FINISH_REASON)? {
            let reason = reason.detach(choice.input());
            self.ended |= !reason.is_empty();
            if !reason.is_empty() || self.reason.is_none() {
                self.reason = Some(Value::Text(reason));
            }
        }
        Ok(())
    }
}
