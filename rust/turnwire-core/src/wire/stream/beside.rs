//! Keeps the keys of chunks that are beside the message, so that the whole reply has them and a writer reports them.

use super::{
    grown::Fields,
    whole::{Map, kept},
};
use crate::{
    report::Error,
    value::{Host, Key, Source, Value},
    wire::read::Keys,
};

/// Keys beside the message; the last value of each counts.
pub(crate) struct Beside<H: Host> {
    /// Keys that most chunks have. Every chunk comes here, and a walk over its entries costs more than a few look-ups.
    usual: Vec<(&'static Key, Value<H>)>,
    others: Fields<H>,
}

impl<H: Host> Default for Beside<H> {
    fn default() -> Self {
        Self { usual: Vec::new(), others: Fields::default() }
    }
}

impl<H: Host> Beside<H> {
    /// Takes a key that most chunks have.
    #[inline]
    pub(crate) fn usual<S: Source<H = H>>(&mut self, keys: &mut Keys<'_, S>, key: &'static Key) -> Result<(), Error> {
        if let Some(value) = keys.some(key) {
            self.set(key, kept(&value)?);
        }
        Ok(())
    }

    /// Takes a key that is the same in all chunks.
    #[inline]
    pub(crate) fn once<S: Source<H = H>>(&mut self, keys: &mut Keys<'_, S>, key: &'static Key) -> Result<(), Error> {
        if self.usual.iter().any(|(mine, _)| std::ptr::eq(*mine, key)) {
            keys.pass(&[key]);
            return Ok(());
        }
        self.usual(keys, key)
    }

    /// Takes the keys that are left.
    #[inline]
    pub(crate) fn take<S: Source<H = H>>(&mut self, keys: Keys<'_, S>) -> Result<(), Error> {
        let input = keys.node.input();
        for (key, value) in keys.extras().into_iter().flat_map(|extras| *extras) {
            self.others.set(&key.detach(input), value.to_value(input)?);
        }
        Ok(())
    }

    fn set(&mut self, key: &'static Key, value: Value<H>) {
        match self.usual.iter_mut().find(|(mine, _)| std::ptr::eq(*mine, key)) {
            Some((_, place)) => *place = value,
            None => self.usual.push((key, value)),
        }
    }

    /// Writes them into the whole reply.
    pub(crate) fn write(&self, whole: &mut Map<H>) -> Result<(), Error> {
        for (key, value) in &self.usual {
            whole.put(key, value.share());
        }
        whole.fields(&self.others)
    }
}
