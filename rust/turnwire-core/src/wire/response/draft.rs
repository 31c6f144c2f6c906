//! Holds a reply whose messages are already written, with everything that its format needs to write the rest.

use super::{failure::Failure, id::Tail};
use crate::{
    model::{Finish, head::date},
    rules::DialectId,
    value::{Host, Key, Source, Text, Tree, Value},
    wire::stream::{Map, whole::number},
};

/// A reply for its format's [`response`](crate::wire::format::Reply::response).
pub(crate) struct Draft<'a, H: Host> {
    pub(crate) target: DialectId,
    /// The tail of all ids of the reply.
    pub(crate) tail: Tail,
    /// Whether the reply came in the target's own format.
    pub(crate) own: bool,
    /// Whether the reply has an id of its own; and its model, if the reply or the request names it.
    pub(crate) has_id: bool,
    pub(crate) model: Option<Text<H>>,
    /// The time in seconds since 1970.
    pub(crate) created: Option<u64>,
    /// The messages or items, in the form of the format's requests.
    pub(crate) messages: Vec<Value<H>>,
    /// The reasoning beside the content, and its key.
    pub(crate) thoughts: Option<(&'static Key, Text<H>)>,
    pub(crate) finish: Finish,
    /// The word for why it ended.
    pub(crate) word: &'static str,
    /// The refusal, if a reply of the same format has it beside its content.
    pub(crate) refusal: Option<Text<H>>,
    /// The tokens, and their key.
    pub(crate) counts: Option<(Option<&'static Key>, Map<H>)>,
    /// The caller's request.
    pub(crate) asked: Option<&'a Value<H>>,
    /// The error, if the format has a kind of reply for that.
    pub(crate) failure: Option<Failure<H>>,
    /// The required keys whose values are made up.
    pub(crate) made_up: Vec<&'static str>,
}

impl<H: Host> Draft<'_, H> {
    /// The id of the reply.
    pub(crate) fn id(&self, prefix: &str) -> Value<H> {
        text(&self.tail.reply(prefix))
    }

    /// The model, which the format requires.
    pub(crate) fn model(&mut self, key: &'static Key) -> Value<H> {
        if let Some(model) = &self.model {
            return Value::Text(model.share());
        }
        self.made_up.push(key.name);
        text("")
    }

    /// The time in seconds, which the format requires.
    pub(crate) fn created(&mut self, key: &'static Key) -> Value<H> {
        number(self.seconds(key))
    }

    /// The time as a date.
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

    /// The only message of a format with one message in a reply, without its content.
    pub(crate) fn message(&mut self) -> Option<Value<H>> {
        self.messages.pop()
    }

    /// Writes the tokens, if they are known.
    pub(crate) fn usage(&mut self, out: &mut Map<H>) {
        match self.counts.take() {
            Some((Some(key), counts)) => out.put(key, counts.value()),
            Some((None, counts)) => counts.into_entries().into_iter().for_each(|(key, count)| out.entry(key, count)),
            None => {}
        }
    }

    /// The value of a key in the request.
    pub(crate) fn asked(&self, key: &'static Key) -> Option<Value<H>> {
        self.asked.and_then(|body| Some(Tree(body).get(key)?.0.share()))
    }

    /// The text of a key in the request; `None` if the request has no text there.
    pub(crate) fn asked_text(&self, key: &'static Key) -> Option<Value<H>> {
        self.asked(key).filter(|value| matches!(value, Value::Text(_)))
    }
}

/// A new text.
pub(crate) fn text<H: Host>(text: &str) -> Value<H> {
    Value::Text(Text::own(text))
}

/// The content of a message as a list: one text becomes a separate block.
pub(crate) fn listed<H: Host>(content: Option<Tree<'_, H>>, block: impl Fn(Value<H>) -> Value<H>) -> Value<H> {
    match content.map(|content| content.0) {
        Some(Value::Text(text)) if !text.is_empty() => Value::List([block(Value::Text(text.share()))].into()),
        Some(Value::List(items)) => Value::List(items.clone()),
        _ => Value::List([].into()),
    }
}
