//! Holds the open items of a Responses stream that is written: text in one part, and calls.

use super::super::{
    keys as k,
    response::{message, output_text, refusal, summary},
};
use crate::{
    model::PartSort,
    report::Error,
    value::{Host, Key, Text, Value},
    wire::stream::{Map, Words, whole::word as said},
};

/// An item with one part.
pub(super) struct Open<H: Host> {
    pub(super) index: u64,
    pub(super) id: Text<H>,
    pub(super) sort: PartSort,
    pub(super) said: Words<H>,
}

/// An open call.
pub(super) struct Call<H: Host> {
    pub(super) index: u64,
    pub(super) id: Text<H>,
    /// The id that its result uses.
    pub(super) result_id: Text<H>,
    pub(super) name: Text<H>,
    pub(super) custom: bool,
    pub(super) args: Words<H>,
}

impl<H: Host> Open<H> {
    /// Its part with the text so far.
    pub(super) fn part(&self, all: &Text<H>) -> Value<H> {
        match self.sort {
            PartSort::Text => output_text(Value::Text(all.share())),
            PartSort::Refusal => refusal(all.share()),
            PartSort::Reasoning => summary(all.share()),
        }
    }

    /// The item at its start, or with all of its text.
    pub(super) fn item(&self, status: &'static Key, all: Option<&Text<H>>) -> Value<H> {
        let parts = Value::List(all.iter().map(|all| self.part(all)).collect());
        if self.sort != PartSort::Reasoning {
            return message(self.id.share(), status, parts);
        }
        let mut item = Map::default();
        item.put(&k::ID, Value::Text(self.id.share()));
        item.put(&k::TYPE, said(&k::REASONING));
        item.put(&k::SUMMARY, parts);
        item.value()
    }
}

impl<H: Host> Call<H> {
    /// The item at its start, or with its arguments.
    pub(super) fn item(&self, status: &'static Key) -> Result<Value<H>, Error> {
        let mut item = Map::default();
        item.put(&k::ID, Value::Text(self.id.share()));
        let (kind, key) =
            if self.custom { (&k::CUSTOM_TOOL_CALL, &k::INPUT) } else { (&k::FUNCTION_CALL, &k::ARGUMENTS) };
        item.put(&k::TYPE, said(kind));
        item.put(&k::STATUS, said(status));
        item.put(&k::CALL_ID, Value::Text(self.result_id.share()));
        item.put(&k::NAME, Value::Text(self.name.share()));
        let begins = std::ptr::eq(status, &raw const k::IN_PROGRESS);
        item.put(key, if begins { said(&k::EMPTY) } else { Value::Text(self.args.text()?) });
        Ok(item.value())
    }
}
