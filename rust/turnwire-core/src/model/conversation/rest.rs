//! The keys of a body that belong to no conversation: the model, how to sample, and whatever else is the caller's.

use crate::{
    report::path::{Path, Step},
    rules::dialect_id::DialectId,
    value::handle::{Host, Input, Raw, Text},
};

/// All of a body's other keys.
#[derive(Debug)]
pub struct Rest<H: Host> {
    /// The whole body, while nothing in it was changed.
    pub origin: Option<Raw<H>>,
    /// The dialect of the body: tools that were given beside it may have made the frame another's. None where it is the frame's.
    pub from: DialectId,
    /// The keys in their order; one may stand twice.
    pub keys: Vec<RestKey<H>>,
}

/// One of them.
#[derive(Debug)]
pub struct RestKey<H: Host> {
    /// How many of the keys that are known stand before it.
    pub before: usize,
    /// The key.
    pub key: Text<H>,
    /// Its value.
    pub value: Raw<H>,
    /// Whether it says that calls or results may stand on the server, which nobody else has.
    pub continues: bool,
}

impl<H: Host> RestKey<H> {
    /// Where it is in its body.
    #[must_use]
    pub fn path(&self, input: Option<&Input>) -> Path {
        Path::of([Step::Name(self.key.to_str(input).as_ref().into())])
    }
}

impl<H: Host> Rest<H> {
    /// The same keys with every handle made anew, for a body that is changed.
    pub(super) fn map(
        &self,
        text: &mut dyn FnMut(&Text<H>) -> Text<H>,
        raw: &mut dyn FnMut(&Raw<H>) -> Raw<H>,
    ) -> Self {
        let map = |one: &RestKey<H>| RestKey {
            before: one.before,
            key: text(&one.key),
            value: raw(&one.value),
            continues: one.continues,
        };
        Self { origin: None, from: self.from, keys: self.keys.iter().map(map).collect() }
    }
}
