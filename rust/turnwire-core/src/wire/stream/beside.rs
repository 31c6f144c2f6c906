//! Keeps the keys of chunks that are beside the message, so that the whole reply has them and a writer reports them.

use super::{
    grown::Fields,
    whole::{Map, kept},
};
use crate::{
    report::error::Error,
    value::{door::Source, handle::Host, node::NodeKind},
};

/// Keys beside the message; the last value of each counts.
pub(crate) struct Beside<H: Host>(Fields<H>);

impl<H: Host> Default for Beside<H> {
    fn default() -> Self {
        Self(Fields::default())
    }
}

impl<H: Host> Beside<H> {
    /// Takes the keys of an object, except for those that are read elsewhere.
    pub(crate) fn take<S: Source<H = H>>(&mut self, node: &S, read: &[&str]) -> Result<(), Error> {
        let input = node.input();
        for (key, value) in node.entries() {
            // Every chunk comes here, and reading a key costs more than to compare it.
            let is_read = read.contains(&&*key.to_str(input));
            if !is_read && value.kind() != NodeKind::Null {
                self.0.set(&key.detach(input), kept(&value)?);
            }
        }
        Ok(())
    }

    /// Writes them into the whole reply.
    pub(crate) fn write(&self, whole: &mut Map<H>) -> Result<(), Error> {
        whole.fields(&self.0)
    }
}
