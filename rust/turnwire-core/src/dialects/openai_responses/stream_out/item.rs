//! Holds the open items of a Responses stream that is written: text in one part, and calls.

use crate::{
    dialects::openai_responses::keys::{
        ANNOTATIONS, ARGUMENTS, ASSISTANT, CALL_ID, CONTENT, CUSTOM_TOOL_CALL, EMPTY, FUNCTION_CALL, ID, IN_PROGRESS,
        INPUT, LOGPROBS, MESSAGE, NAME, OUTPUT_TEXT, REASONING, REFUSAL, ROLE, STATUS, SUMMARY, SUMMARY_TEXT, TEXT,
        TYPE,
    },
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
        let mut part = Map::default();
        let (kind, key) = match self.sort {
            PartSort::Text => (&OUTPUT_TEXT, &TEXT),
            PartSort::Refusal => (&REFUSAL, &REFUSAL),
            PartSort::Reasoning => (&SUMMARY_TEXT, &TEXT),
        };
        part.put(&TYPE, said(kind));
        part.put(key, Value::Text(all.share()));
        if self.sort == PartSort::Text {
            part.put(&ANNOTATIONS, Value::List([].into()));
            part.put(&LOGPROBS, Value::List([].into()));
        }
        part.value()
    }

    /// The item at its start, or with all of its text.
    pub(super) fn item(&self, status: &'static Key, all: Option<&Text<H>>) -> Value<H> {
        let parts = Value::List(all.iter().map(|all| self.part(all)).collect());
        let mut item = Map::default();
        item.put(&ID, Value::Text(self.id.share()));
        if self.sort == PartSort::Reasoning {
            item.put(&TYPE, said(&REASONING));
            item.put(&SUMMARY, parts);
        } else {
            item.put(&TYPE, said(&MESSAGE));
            item.put(&STATUS, said(status));
            item.put(&ROLE, said(&ASSISTANT));
            item.put(&CONTENT, parts);
        }
        item.value()
    }
}

impl<H: Host> Call<H> {
    /// The item at its start, or with its arguments.
    pub(super) fn item(&self, status: &'static Key) -> Result<Value<H>, Error> {
        let mut item = Map::default();
        item.put(&ID, Value::Text(self.id.share()));
        let (kind, key) = if self.custom { (&CUSTOM_TOOL_CALL, &INPUT) } else { (&FUNCTION_CALL, &ARGUMENTS) };
        item.put(&TYPE, said(kind));
        item.put(&STATUS, said(status));
        item.put(&CALL_ID, Value::Text(self.result_id.share()));
        item.put(&NAME, Value::Text(self.name.share()));
        let begins = std::ptr::eq(status, &raw const IN_PROGRESS);
        item.put(key, if begins { said(&EMPTY) } else { Value::Text(self.args.text()?) });
        Ok(item.value())
    }
}
