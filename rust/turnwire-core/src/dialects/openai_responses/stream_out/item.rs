//! Holds the open items of a Responses stream that is written: text in one part, and calls.

use super::super::{
    keys as k,
    response::{message, output_text, refusal, summary},
};
use crate::{
    model::PartSort,
    report::Error,
    value::{Host, Key, Text, Value},
    wire::stream::{
        Words,
        out::{text, value, word},
        whole::object,
    },
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
        object(|out| match self.sort {
            PartSort::Text => output_text(all, out),
            PartSort::Refusal => refusal(all, out),
            PartSort::Reasoning => summary(all, out),
        })
    }

    /// The item at its start, or with all of its text.
    pub(super) fn item(&self, status: &'static Key, all: Option<&Text<H>>) -> Value<H> {
        let parts = Value::List(all.iter().map(|all| self.part(all)).collect());
        if self.sort != PartSort::Reasoning {
            return message(&self.id, status, &parts);
        }
        object(|out| {
            text(out, &k::ID, &self.id);
            word(out, &k::TYPE, &k::REASONING);
            value(out, &k::SUMMARY, &parts);
        })
    }
}

impl<H: Host> Call<H> {
    /// The item at its start, or with its arguments.
    pub(super) fn item(&self, status: &'static Key) -> Result<Value<H>, Error> {
        let (kind, key) =
            if self.custom { (&k::CUSTOM_TOOL_CALL, &k::INPUT) } else { (&k::FUNCTION_CALL, &k::ARGUMENTS) };
        let args = self.args.text()?;
        Ok(object(|out| {
            text(out, &k::ID, &self.id);
            word(out, &k::TYPE, kind);
            word(out, &k::STATUS, status);
            text(out, &k::CALL_ID, &self.result_id);
            text(out, &k::NAME, &self.name);
            text(out, key, &args);
        }))
    }
}
