//! Holds the open items of a Responses stream that is written: text in one part, and calls.

use super::super::{
    forms::write::arguments,
    keys as k,
    response::{message, output_text, refusal, summary},
};
use crate::{
    model::{Args, PartSort},
    report::Error,
    rules::CallForm,
    value::{Host, Key, Text, Value},
    wire::stream::{
        Map, Words,
        out::{text, value, word},
        whole::{self, object},
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
    pub(super) namespace: Option<Text<H>>,
    /// The form of its item, if that is not the plain one.
    pub(super) form: Option<CallForm>,
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
    /// Its form, if its arguments allow that, with them.
    pub(super) fn shaped(&self) -> Result<(Option<CallForm>, Option<Value<H>>), Error> {
        let args = Args::Text(self.args.text()?).value(None);
        Ok((self.form.filter(|form| args.as_ref().is_some_and(|args| form.fits(args))), args))
    }

    /// The item at its start, or with its arguments.
    pub(super) fn item(&self, status: &'static Key) -> Result<Value<H>, Error> {
        let (kind, key) =
            if self.custom { (&k::CUSTOM_TOOL_CALL, &k::INPUT) } else { (&k::FUNCTION_CALL, &k::ARGUMENTS) };
        if let Some(form) = self.form {
            let args = Args::Text(self.args.text()?);
            let said = arguments(form, &args, (None, false))?;
            let mut item = Map::default();
            item.put(&k::ID, Value::Text(self.id.share()));
            item.put(&k::TYPE, Value::Text(Text::own(form.call())));
            item.put(&k::CALL_ID, Value::Text(self.result_id.share()));
            for (key, value) in said {
                item.entry(key, value);
            }
            item.put(&k::STATUS, whole::word(status));
            return Ok(item.value());
        }
        let args = self.args.text()?;
        Ok(object(|out| {
            text(out, &k::ID, &self.id);
            word(out, &k::TYPE, kind);
            word(out, &k::STATUS, status);
            text(out, &k::CALL_ID, &self.result_id);
            text(out, &k::NAME, &self.name);
            if let Some(namespace) = &self.namespace {
                text(out, &k::NAMESPACE, namespace);
            }
            text(out, key, &args);
        }))
    }
}
