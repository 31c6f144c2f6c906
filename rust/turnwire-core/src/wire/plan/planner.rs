//! Decides what is written. It has no sink: a [`Printer`] takes each message, so that stages can ask it, too.

use super::{DocumentNames, Item, Message, rules::Rule, signed::Signatures, system_seats::hoisted};
use crate::{
    model::{At, Turn, View, surrogate},
    pairing::Links,
    report::{Error, Losses, Path, Sources},
    rules::{DialectId, MessageId, Target},
    value::{Host, Input, Numbers, Raw, Text, Value, handle::span_bytes, json},
    wire::write::says::{replays, says},
};

/// Takes what a plan decides, in the order of the list.
pub(crate) trait Printer<'a, H: Host> {
    /// A new message.
    fn message(&mut self, p: &mut Planner<'a, H>, message: &Message<'a, H>) -> Result<(), Error>;
    /// A turn that is sent back unchanged.
    fn replay(&mut self, p: &mut Planner<'a, H>, at: At<'a, H>) -> Result<(), Error>;
    /// The input of the spans that follow.
    fn scope(&mut self, input: Option<&'a Input>);
    /// The turns of the last message are complete.
    fn checked_run(&mut self, p: &mut Planner<'a, H>, turn: &Turn<H>, index: usize, last: usize) -> Result<(), Error>;
    /// Reports lone surrogates at this place.
    fn replaced(&mut self, p: &mut Planner<'a, H>, place: &mut dyn FnMut(&View<'_, H>) -> Path);
    /// The sources of the last message.
    fn sources(&mut self, sources: Sources);
}

/// A plan in progress, without the sink.
pub(crate) struct Planner<'a, H: Host> {
    pub(crate) conversation: &'a View<'a, H>,
    pub(crate) target: Target<'a>,
    pub(crate) losses: &'a mut Losses,
    /// Which result answers which call, and the ids that changed.
    pub(crate) links: Links<'a, H>,
    /// Whether one turn is written by itself. It then keeps its entity, and no rule of a whole list applies.
    pub(crate) alone: bool,
    /// The system turns that are written elsewhere than they stand, by their positions, each with the rule to tell.
    hoisted: Vec<(usize, Option<&'static Rule>)>,
    /// How many messages are written.
    pub(crate) written: usize,
    /// The names of documents so far.
    pub(crate) documents: DocumentNames,
    /// How many lone surrogates became U+FFFD outside the sink.
    pub(crate) made: usize,
    /// The signatures among the details of the turn that was asked for last.
    pub(super) signatures: Option<(&'a Turn<H>, Signatures<H>)>,
    /// Whether it was reported that calls may not wait for their results.
    told_waits: bool,
    /// Whether the items of the turn that was asked for last keep their ids.
    pub(super) ids: Option<(&'a Turn<H>, bool)>,
}

impl<'a, H: Host> Planner<'a, H> {
    pub(crate) fn new(conversation: &'a View<'a, H>, target: Target<'a>, losses: &'a mut Losses) -> Self {
        let is_said = |turn: &Turn<H>| replays(&target, turn) || says(turn, &target);
        let hoisted = hoisted(&target, conversation.frame, conversation.turns.iter().copied(), is_said);
        Self {
            conversation,
            target,
            losses,
            hoisted,
            links: Links::none(conversation, target.id),
            written: 0,
            documents: DocumentNames::none(),
            alone: false,
            made: 0,
            signatures: None,
            told_waits: false,
            ids: None,
        }
    }

    /// The system turns that cannot stay where they are, each with its index.
    pub(crate) fn hoisted(&self) -> impl Iterator<Item = At<'a, H>> + use<'_, 'a, H> {
        self.moved_system().map(|(at, _)| at)
    }

    /// The same, each with the rule to tell.
    pub(crate) fn moved_system(&self) -> impl Iterator<Item = (At<'a, H>, Option<&'static Rule>)> + use<'_, 'a, H> {
        self.hoisted.iter().map(|(at, why)| ((*at, self.conversation.turns[*at]), *why))
    }

    /// Whether the turn at this position is system text that cannot stay where it is.
    pub(crate) fn is_hoisted(&self, index: usize) -> bool {
        self.hoisted.binary_search_by_key(&index, |(at, _)| *at).is_ok()
    }

    /// Whether messages are written in entities.
    pub(crate) fn stores(&self) -> bool {
        self.alone || self.target.limits.message_id == MessageId::Entity
    }

    /// The first turn of a message that had an entity, if entities are written.
    pub(crate) fn stored(&self, message: &Message<'a, H>) -> Option<At<'a, H>> {
        if self.stores() { message.turns.iter().copied().find(|(_, turn)| turn.entity.is_some()) } else { None }
    }

    /// A text of WTF-8 bytes. Its lone surrogates survive if the host's strings can hold them, and are reported if not.
    pub(crate) fn text_of(&mut self, wtf8: &[u8]) -> Result<Text<H>, Error> {
        let text = H::text(wtf8)?;
        if !text.has_lone_surrogate() {
            self.made += surrogate::halves(wtf8);
        }
        Ok(text)
    }

    /// The text without an input, for a new value. Reports lone surrogates if the host cannot hold them.
    pub(crate) fn detached(&mut self, text: &Text<H>, input: Option<&Input>) -> Text<H> {
        let detached = text.detach(input);
        if text.has_lone_surrogate() && !detached.has_lone_surrogate() {
            self.made += surrogate::halves(&text.wtf8(input));
        }
        detached
    }

    /// The value without an input. Reports lone surrogates if the host cannot hold them.
    pub(crate) fn value_of(&mut self, raw: &Raw<H>, input: Option<&Input>) -> Result<Value<H>, Error> {
        match raw {
            Raw::Span(span) => self.json_value(span_bytes(*span, input)),
            Raw::Own(json) => self.json_value(json.as_bytes()),
            Raw::Tree(_) | Raw::Loan(_) => raw.to_value(input),
        }
    }

    /// The value of JSON text. Reports lone surrogates if the host cannot hold them.
    pub(crate) fn json_value(&mut self, json: &[u8]) -> Result<Value<H>, Error> {
        let value = json::read::value(json)?;
        self.counted(value, json)
    }

    /// A value that was read from this text. Reports the surrogates that reading has replaced.
    pub(crate) fn counted(&mut self, value: Value<H>, json: &[u8]) -> Result<Value<H>, Error> {
        if surrogate::in_json(json) {
            // Surrogates that are still in the value are counted when it is written.
            let mut out = Vec::new();
            self.made += json::compact::text(json, Numbers::Spelled, &mut out)?;
            self.made -= json::compact::raw(&Raw::Tree(value.share()), None, Numbers::Spelled, &mut out)?;
        }
        Ok(value)
    }

    /// A value as compact JSON text, the same through either door. Reports lone surrogates.
    pub(crate) fn json_of(&mut self, raw: &Raw<H>, input: Option<&Input>) -> Result<String, Error> {
        let mut out = Vec::new();
        self.made += json::compact::raw(raw, input, Numbers::Spelled, &mut out)?;
        Ok(String::from_utf8_lossy(&out).into_owned())
    }

    /// Whether a key says that calls may wait for their results, and another one that says so was reported.
    pub(crate) fn has_told_waits(&mut self, key: &Text<H>, (from, input): (DialectId, Option<&Input>)) -> bool {
        let waits = from.facts.waits;
        !waits.is_empty() && key.is(waits, input) && std::mem::replace(&mut self.told_waits, true)
    }

    /// The path of the part that an item was made from.
    pub(crate) fn path_of(&self, item: &Item<'_, H>) -> Path {
        let (index, part) = item.site;
        self.conversation.turns.get(index).map(|turn| turn.part_path(index, part)).unwrap_or_default()
    }

    /// The id that is written for a result, for a line that names it.
    pub(crate) fn id_of<'i>(&'i self, item: &Item<'_, H>, id: &'i Text<H>) -> &'i Text<H> {
        self.links.renamed(item.site.0, item.site.1).unwrap_or(id)
    }
}
