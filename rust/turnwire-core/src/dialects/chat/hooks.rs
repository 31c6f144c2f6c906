//! Defines the hooks by which members differ; the defaults do what most of them do.

use super::{
    member::{Member, Reads, Usual, Writes},
    part::{Answer, PartDraft},
    read, response, usage, write,
};
use crate::{
    model::{Flaw, Kind, Parts, ReplyParts},
    report::Error,
    rules::Rules,
    value::{Host, Raw, Sink, Source, Text, Tree},
    wire::{
        plan::{Item, Message, Outcome, Shown},
        read::Keys,
        response::{Draft, FailureWords},
        stream::{Assembly, StreamWriter},
        write::Writer,
    },
};

/// A member of the family: how it differs, beside its [`Rules`].
pub(crate) trait Chat: Rules + Sized + 'static {
    /// Assembles a streamed reply: [`Choices`](super::stream::Choices) or [`Flat`](super::stream::Flat).
    type Stream<H: Host>: Assembly<H = H>;
    /// Writes a streamed reply: [`Chunks`](super::stream_out::Chunks), unless the member has its own events.
    type Out<H: Host>: StreamWriter<H = H>;

    /// Its constants.
    const MEMBER: &'static Member;

    /// How it reads from one kind of source.
    fn reads<'s, S: Source + 's>() -> &'s Reads<S> {
        const { &Reads::of::<Self>() }
    }
    /// How it writes into one kind of sink.
    fn writes<'k, H: Host, K: Sink<H> + 'k>() -> &'k Writes<H, K> {
        const { &Writes::of::<Self>() }
    }

    /// Reads the assistant's parts under keys that only this format has.
    fn beside<S: Source>(_: &mut Keys<'_, S>, _: &mut Parts<S::H>) -> Result<Option<&'static Flaw>, Error> {
        Ok(None)
    }
    /// Reads the keys beside the content, whatever the role.
    fn around<S: Source>(_: &mut Keys<'_, S>, _: &mut Parts<S::H>) -> Result<Option<&'static Flaw>, Error> {
        Ok(None)
    }
    /// Reads a result.
    fn result<S: Source>(keys: &mut Keys<'_, S>, usual: Usual<S>) -> Result<Answer<S::H>, Error> {
        read::result(Self::reads(), keys, usual)
    }
    /// Reads a part of content by its type; `None` for one that only its own format knows.
    fn part<S: Source>(kind: &str, draft: &mut PartDraft<'_, '_, S>) -> Result<Option<Kind<S::H>>, Error> {
        read::part(kind, draft)
    }
    /// Reads a whole reply: [`reply::choices`](super::reply::choices) or [`reply::flat`](super::reply::flat).
    fn reply<H: Host>(payload: &Tree<'_, H>, said: &mut ReplyParts<H>) -> Result<(), Error>;
    /// The usage of a reply, in its original form and counted.
    fn cost<H: Host>(payload: &Tree<'_, H>, said: &mut ReplyParts<H>) {
        usage::cost(payload, said);
    }

    /// Writes a whole reply around its message.
    fn response<H: Host, K: Sink<H>>(draft: Draft<H>, out: &mut K) {
        response::write(&draft, None, out);
    }
    /// Writes the body of a response that is an error.
    fn failure<H: Host, K: Sink<H>>(words: &FailureWords<H>, out: &mut K) {
        response::failure(words, out);
    }
    /// The reasoning of another model, as a part of the content.
    fn thought<H: Host, K: Sink<H>>(_: &Text<H>, _: &mut K) {}

    /// Writes one message.
    fn message<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, message: &Message<'_, H>) -> Result<(), Error> {
        write::message(Self::writes(), w, message)
    }
    /// Writes the parts of a message, each under its key, after the role.
    fn spoken<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, message: &Message<'_, H>) -> Result<(), Error> {
        write::spoken(Self::writes(), w, message)
    }
    /// Writes a result, role included.
    fn answer<H: Host, K: Sink<H>>(
        w: &mut Writer<'_, '_, H, K>,
        item: &Item<'_, H>,
        outcome: &Outcome<'_, H>,
    ) -> Result<(), Error> {
        write::result::answer(Self::writes(), w, item, outcome)
    }
    /// Writes the keys beside the content, whatever the role.
    fn write_around<H: Host, K: Sink<H>>(_: &mut Writer<'_, '_, H, K>, _: &[Item<'_, H>]) {}
    /// Writes a part that is a JSON value, except for its end.
    fn value<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>, _: &Raw<H>) -> Result<(), Error> {
        write::part::text_part(w, item, "")
    }
    /// Writes a part of media, except for its end.
    fn media<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>, shown: &Shown<'_, H>) {
        write::part::image(w, item, shown);
    }
}

impl<S: Source> Reads<S> {
    pub(crate) const fn of<D: Chat>() -> Self {
        Self {
            member: D::MEMBER,
            limits: &D::PROFILES[0].1,
            keys: &D::KEYS,
            beside: D::beside::<S>,
            around: D::around::<S>,
            result: D::result::<S>,
            part: D::part::<S>,
        }
    }
}

impl<H: Host, K: Sink<H>> Writes<H, K> {
    pub(crate) const fn of<D: Chat>() -> Self {
        Self {
            member: D::MEMBER,
            spoken: D::spoken::<H, K>,
            answer: D::answer::<H, K>,
            around: D::write_around::<H, K>,
            value: D::value::<H, K>,
            media: D::media::<H, K>,
        }
    }
}
