//! A reply that is about to be written on a wire: its messages are written, and all else is decided.

use super::{failure::Failure, id::Tail};
use crate::{
    model::{head::date, reply::Finish},
    rules::dialect_id::DialectId,
    value::{
        door::{Key, Source},
        handle::{Host, Text, Value},
        tree::Tree,
    },
    wire::stream::whole::{Map, number},
};

/// A reply for its format's [`response`](crate::wire::format::Reply::response).
pub(crate) struct Draft<'a, H: Host> {
    pub(crate) target: DialectId,
    /// What all ids of the reply end with.
    pub(crate) tail: Tail,
    /// Its id and its model, where the reply or the request says so.
    pub(crate) has_id: bool,
    pub(crate) model: Option<Text<H>>,
    /// In seconds since 1970.
    pub(crate) created: Option<u64>,
    /// The messages, or items, as the format's requests have them.
    pub(crate) messages: Vec<Value<H>>,
    /// What was thought, where that stands beside the content.
    pub(crate) thoughts: Option<Text<H>>,
    pub(crate) finish: Finish,
    /// The word for the end.
    pub(crate) word: &'static str,
    /// Why the model refuses, where a reply of the same wire says so beside its content.
    pub(crate) refusal: Option<Text<H>>,
    /// What it cost, and the key that the counts stand under.
    pub(crate) counts: Option<(Option<&'static Key>, Map<H>)>,
    /// The request, as its caller wrote it.
    pub(crate) asked: Option<&'a Value<H>>,
    /// What went wrong, where the format has replies for that.
    pub(crate) failure: Option<Failure<H>>,
    /// The keys that the format wants and nobody has said.
    pub(crate) made_up: Vec<&'static str>,
}

impl<H: Host> Draft<'_, H> {
    /// The id of the reply.
    pub(crate) fn id(&self, prefix: &str) -> Value<H> {
        text(&self.tail.reply(prefix))
    }

    /// The model that said it; the format wants one.
    pub(crate) fn model(&mut self, key: &'static Key) -> Value<H> {
        if let Some(model) = &self.model {
            return Value::Text(model.share());
        }
        self.made_up.push(key.name);
        text("")
    }

    /// When it was said, in seconds; the format wants to know.
    pub(crate) fn created(&mut self, key: &'static Key) -> Value<H> {
        number(self.seconds(key))
    }

    /// The same as a date.
    pub(crate) fn created_date(&mut self, key: &'static Key) -> Value<H> {
        let seconds = self.seconds(key);
        text(&date::written(seconds))
    }

    fn seconds(&mut self, key: &'static Key) -> u64 {
        self.created.unwrap_or_else(|| {
            self.made_up.push(key.name);
            0
        })
    }

    /// The one message of a format that has one in a reply, without what stands in it.
    pub(crate) fn message(&mut self) -> Option<Value<H>> {
        self.messages.pop()
    }

    /// What it cost, where somebody knows.
    pub(crate) fn usage(&mut self, out: &mut Map<H>) {
        match self.counts.take() {
            Some((Some(key), counts)) => out.put(key, counts.value()),
            Some((None, counts)) => counts.into_entries().into_iter().for_each(|(key, count)| out.entry(key, count)),
            None => {}
        }
    }

    /// What the request says under a key.
    pub(crate) fn asked(&self, key: &'static Key) -> Option<Value<H>> {
        self.asked.and_then(|body| Some(Tree(body).get(key)?.0.share()))
    }
}

/// A text that is made here.
pub(crate) fn text<H: Host>(text: &str) -> Value<H> {
    Value::Text(Text::own(text))
}

/// The content of a message as a list: one text becomes a block of its own.
pub(crate) fn listed<H: Host>(content: Option<Tree<'_, H>>, block: impl Fn(Value<H>) -> Value<H>) -> Value<H> {
    match content.map(|content| content.0) {
        Some(Value::Text(text)) if !text.is_empty() => Value::List([block(Value::Text(text.share()))].into()),
        Some(Value::List(items)) => Value::List(items.clone()),
        _ => Value::List([].into()),
    }
}
