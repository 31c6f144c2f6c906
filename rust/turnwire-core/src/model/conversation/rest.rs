//! The keys of a body that do not belong to the conversation: the model, sampling settings, and the caller's own.

use crate::{
    report::{Path, Step},
    rules::DialectId,
    value::{Host, Input, Raw, Text, Value},
};

use super::Frame;

/// All of a body's other keys.
#[derive(Debug)]
pub struct Rest<H: Host> {
    /// The whole body, as long as it is unchanged.
    pub origin: Option<Raw<H>>,
    /// The dialect of the body. It may differ from the frame's, if tools are given beside the body.
    pub from: DialectId,
    /// The keys in their order. A key may occur twice.
    pub keys: Vec<RestKey<H>>,
}

/// One of these keys.
#[derive(Debug)]
pub struct RestKey<H: Host> {
    /// How many of the known keys come before it.
    pub before: usize,
    /// The key.
    pub key: Text<H>,
    /// Its value.
    pub value: Raw<H>,
    /// Whether it says that messages are on the provider's server.
    pub continues: bool,
}

impl<H: Host> RestKey<H> {
    /// Its path in the body.
    #[must_use]
    pub fn path(&self, input: Option<&Input>) -> Path {
        Path::of([Step::Name(self.key.to_str(input).as_ref().into())])
    }
}

impl<H: Host> Rest<H> {
    /// The keys with new handles, to be changed.
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

impl<H: Host> Frame<H> {
    /// The value of one of the body's other keys.
    pub(crate) fn value(&self, key: &str) -> Option<Value<H>> {
        let input = self.input.as_ref();
        let keys = &self.rest.as_ref()?.keys;
        keys.iter().find(|one| one.key.is(key, input))?.value.to_value(input).ok()
    }

    /// The name of the model, under either of its keys.
    pub(crate) fn model(&self) -> Option<String> {
        match self.value("model").or_else(|| self.value("modelId"))? {
            Value::Text(text) => Some(text.to_str(None).into_owned()),
            _ => None,
        }
    }
}
