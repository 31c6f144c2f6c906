//! Holds everything about a reply but its content and its end. Whole replies and streams are written from it.

use super::{
    id::Tail,
    rule::{Required, ResponseRule},
    wanted::Wanted,
};
use crate::{
    k,
    model::{Head, head::date},
    value::{Host, Key, Raw, Sink, Text},
};

/// What stands around the content of a reply, in the terms of its format.
pub(crate) struct Around<H: Host> {
    rule: &'static ResponseRule,
    pub(crate) wanted: Wanted<H>,
    tail: Tail,
    /// The id of the reply.
    pub(crate) id: Text<H>,
    /// Whether the source has an id of its own.
    pub(crate) has_id: bool,
    /// The model, if the reply or the request names it.
    pub(crate) model: Option<Text<H>>,
    /// The time in seconds since 1970.
    pub(crate) created: Option<u64>,
}

impl<H: Host> Around<H> {
    /// `seed`: what the ids of a reply without an id are made from, if its request is unknown.
    pub(crate) fn of(
        rule: &'static ResponseRule,
        head: Head<H>,
        wanted: Wanted<H>,
        seed: impl FnOnce() -> Vec<u8>,
    ) -> Self {
        let said = |text: Option<Text<H>>| text.filter(|text| !text.is_empty());
        let of_id = said(head.id).map(|id| Tail::of(&id.to_str(None)));
        let has_id = of_id.is_some();
        let tail = of_id.or_else(|| wanted.tail()).unwrap_or_else(|| Tail::hashed(&seed()));
        let (id, model) = (Text::own(&tail.reply(rule.id)), said(head.model).or_else(|| said(wanted.model())));
        Self { rule, wanted, tail, id, has_id, model, created: head.created }
    }

    /// An id for the reply with another prefix.
    pub(crate) fn named(&self, prefix: &str) -> Text<H> {
        Text::own(&self.tail.reply(prefix))
    }

    /// The id of one of its items.
    pub(crate) fn item(&self, prefix: &str, index: usize) -> Text<H> {
        Text::own(&self.tail.item(prefix, index))
    }

    /// Writes the keys that the format requires.
    pub(crate) fn required<K: Sink<H>>(&self, out: &mut K) {
        for required in self.rule.required {
            out.key(required.key());
            match required {
                Required::Model(_) => match &self.model {
                    Some(model) => out.text(model),
                    None => out.literal(&k::EMPTY),
                },
                Required::Seconds(_) => out.number(self.created.unwrap_or(0)),
                Required::Date(_) => out.text(&Text::own(&date::written(self.created.unwrap_or(0)))),
                Required::Zero(_) => out.number(0),
            }
        }
    }

    /// The required keys that the reply does not have, so that their values are made up.
    pub(crate) fn made_up(&self) -> impl Iterator<Item = &'static str> {
        let missing = |required: &&Required| match required {
            Required::Model(_) => self.model.is_none(),
            Required::Seconds(_) | Required::Date(_) => self.created.is_none(),
            Required::Zero(_) => true,
        };
        self.rule.required.iter().filter(missing).map(|required| required.key().name)
    }

    /// Writes the model under a key, if it is known.
    pub(crate) fn model<K: Sink<H>>(&self, key: &'static Key, out: &mut K) {
        if let Some(model) = &self.model {
            out.key(key);
            out.text(model);
        }
    }

    /// Writes the keys of the request that the format repeats.
    pub(crate) fn echo<K: Sink<H>>(&self, out: &mut K) {
        for echo in self.rule.echoes {
            let without = || Some(Raw::Own(echo.without?.into()));
            if let Some(raw) = self.wanted.says(echo.key).map(|value| Raw::Tree(value.0.share())).or_else(without) {
                out.key(echo.key);
                out.raw(&raw);
            }
        }
    }
}
