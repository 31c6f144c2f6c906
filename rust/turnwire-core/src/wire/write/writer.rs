//! Holds what every renderer needs: the sink, the losses, and the questions that all dialects ask.

mod args;
mod entity;
mod ids;
mod lost;
mod result_name;
mod turns;

pub(crate) use self::args::INPUT;
use smallvec::smallvec;

use super::{by_order::ByOrder, message_ids::MessageIds, says::gathers, system::SystemText};
use crate::{
    model::{
        conversation::View,
        surrogate,
        tool::{Choice, Tool},
        turn::Turn,
    },
    pairing::links::Links,
    report::{
        error::Error,
        loss::{LossCode, Losses},
        path::Path,
        provenance::Provenance,
    },
    rules::{
        limits::{MessageId, SystemPlace},
        slots::Slots,
        target::Target,
    },
    value::{
        door::{Key, Piece, Sink},
        extras::Extras,
        handle::{Host, Input, Raw, Text, Value, span_bytes},
        json::{self, compact::Numbers},
    },
    wire::{
        plan::{DocumentNames, Item, Message},
        settings::Translated,
    },
};

/// A path that is computed only when it is reported.
pub(crate) type Where<'a> = &'a dyn Fn() -> Path;

/// How a dialect writes the parts of a payload into one kind of sink: see the functions of `Dialect`.
#[expect(clippy::type_complexity, reason = "each is the signature of one function of `Dialect`")]
pub(crate) struct WriteFns<H: Host, K: Sink<H>> {
    pub(crate) slots: &'static Slots,
    pub(crate) message: fn(&mut Writer<'_, H, K>, &Message<'_, H>) -> Result<(), Error>,
    pub(crate) system: fn(&mut Writer<'_, H, K>, &[SystemText<'_, H>]),
    pub(crate) tools: fn(&mut Writer<'_, H, K>, &[(usize, &Tool<H>)]) -> Result<(), Error>,
    pub(crate) choice: fn(&mut Writer<'_, H, K>, &Choice<H>),
}

/// A rendering in progress.
pub(crate) struct Writer<'a, H: Host, K: Sink<H>> {
    pub(crate) dialect: WriteFns<H, K>,
    pub(crate) conversation: &'a View<'a, H>,
    pub(crate) target: Target<'a>,
    pub(crate) losses: &'a mut Losses,
    pub(crate) out: &'a mut K,
    /// Which result answers which call, and the ids that changed.
    pub(crate) links: Links<'a, H>,
    /// Whether one turn is written by itself. It then keeps its entity, and no rule of a whole list applies.
    pub(crate) alone: bool,
    /// Whether all system text is put in front.
    gathers: bool,
    /// The body's settings in the target's form, if they are converted.
    pub(crate) settings: Option<Translated<H>>,
    /// How many messages are written.
    pub(crate) written: usize,
    /// From which turns each element of the list is written, and which turns are written beside the list.
    pub(crate) provenance: Provenance,
    /// The calls that are written without ids, for formats that have none.
    pub(crate) by_order: ByOrder<'a>,
    /// The names of documents so far.
    pub(crate) documents: DocumentNames,
    /// The ids of messages, if each must have one.
    pub(crate) message_ids: MessageIds,
    /// How many lone surrogates became U+FFFD outside the sink, and how many have been reported.
    made: usize,
    reported: usize,
}

impl<'a, H: Host, K: Sink<H>> Writer<'a, H, K> {
    pub(crate) fn new(
        dialect: WriteFns<H, K>,
        conversation: &'a View<'a, H>,
        target: Target<'a>,
        losses: &'a mut Losses,
        out: &'a mut K,
    ) -> Self {
        let gathers = target.limits.system == SystemPlace::First && gathers(&conversation.turns, target.id);
        Self {
            dialect,
            conversation,
            target,
            losses,
            out,
            gathers,
            settings: None,
            links: Links::none(conversation, target.id),
            written: 0,
            provenance: Provenance::default(),
            by_order: ByOrder::default(),
            documents: DocumentNames::none(),
            message_ids: MessageIds::default(),
            alone: false,
            made: 0,
            reported: 0,
        }
    }

    /// Writes the wire value of a turn that is [sent back unchanged](Self::replays). An error names the turn.
    pub(crate) fn replay(&mut self, turn: &Turn<H>, index: usize) -> Result<(), Error> {
        let entity = turn.entity.as_ref().filter(|_| self.stores()).map(|entity| &entity.origin);
        let Some(origin) = entity.or(turn.origin.as_ref()) else { return Ok(()) };
        if entity.is_none() {
            self.entity_lost(turn, index)?;
        }
        self.out.scope(turn.input.as_ref());
        self.out.raw(origin);
        self.provenance.sources.push(smallvec![index]);
        if self.target.limits.id.optional {
            self.by_order.replayed(index);
        }
        if self.target.limits.message_id == MessageId::EveryMessage {
            self.message_ids.take(turn);
        }
        self.checked(turn, index)
    }

    /// Whether a reply may hold only one call, if the choice of tools must say so.
    pub(crate) fn one_call(&self) -> bool {
        self.settings.as_ref().is_some_and(|settings| settings.parallel == Some(false))
    }

    /// The sink's first error, with the turn that was being written. Reports lone surrogates.
    pub(crate) fn checked(&mut self, turn: &Turn<H>, index: usize) -> Result<(), Error> {
        self.checked_run(turn, index, index)
    }

    /// [`Self::checked`] for several turns up to `last` that were written together.
    pub(crate) fn checked_run(&mut self, turn: &Turn<H>, index: usize, last: usize) -> Result<(), Error> {
        self.replaced(|conversation| {
            surrogate::turn_places(conversation, index..=last).next().unwrap_or_else(|| turn.path(index))
        });
        match self.out.fault() {
            None => Ok(()),
            Some(fault) => {
                let path = turn.path(index).join(fault.path());
                Err(fault.at_path(path))
            }
        }
    }

    /// Reports the lone surrogates that became U+FFFD since the last call. The sink counts them as it writes, so this
    /// costs nothing if there are none.
    #[inline]
    pub(crate) fn replaced(&mut self, place: impl FnOnce(&View<'_, H>) -> Path) {
        let all = self.out.replaced() + self.made;
        if all > self.reported {
            let reason = format!("lone surrogates that became U+FFFD: {}", all - self.reported);
            self.reported = all;
            self.losses.changed(LossCode::Surrogate, place(self.conversation), reason);
        }
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
    fn json_value(&mut self, json: &[u8]) -> Result<Value<H>, Error> {
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

    /// Writes a JSON value as compact text.
    pub(crate) fn json_text(&mut self, raw: &Raw<H>, input: Option<&Input>) {
        match raw {
            // A host's values have no white space.
            Raw::Tree(_) | Raw::Loan(_) => self.out.raw_as_text(raw),
            Raw::Span(_) | Raw::Own(_) => match self.json_of(raw, input) {
                Ok(json) => self.out.pieces(&[Piece::Str(&json)]),
                // It was JSON when it was read. If it is no longer, the sink refuses it.
                Err(_) => self.out.raw_as_text(raw),
            },
        }
    }

    /// The path of the part that an item was made from.
    pub(crate) fn path_of(&self, item: &Item<'_, H>) -> Path {
        let (index, part) = item.site;
        self.conversation.turns.get(index).map(|turn| turn.part_path(index, part)).unwrap_or_default()
    }

    /// Writes unknown keys, after the known ones.
    pub(crate) fn write_extras(&mut self, extras: &Extras<H>) {
        for (key, raw) in extras {
            self.out.key_text(key);
            self.out.raw(raw);
        }
    }

    /// Writes the unknown keys of an item of the target's own format.
    #[inline]
    pub(crate) fn item_extras(&mut self, item: &Item<'_, H>) {
        if let Some(extras) = item.extras() {
            self.write_extras(extras);
        }
    }

    /// Writes the unknown keys of an item of the target's own format, except one that is written already.
    pub(crate) fn item_extras_but(&mut self, item: &Item<'_, H>, without: &'static Key) {
        let extras = item.extras().into_iter().flatten().filter(|(key, _)| !key.is(without.name, item.input));
        for (key, value) in extras {
            self.out.key_text(key);
            self.out.raw(value);
        }
    }

    /// Writes the unknown keys of the object inside an item of the target's own format.
    #[inline]
    pub(crate) fn inner_extras(&mut self, item: &Item<'_, H>) {
        if let Some(extras) = item.inner_extras() {
            self.write_extras(extras);
        }
    }

    /// Writes the unknown keys of a message of the target's own format, except one.
    pub(crate) fn message_extras_but(&mut self, message: &Message<'_, H>, without: &'static Key) {
        if let Some((extras, input)) = message.extras(self.target.id) {
            self.out.scope(input);
            for (key, value) in extras.iter().filter(|(key, _)| !key.is(without.name, input)) {
                self.out.key_text(key);
                self.out.raw(value);
            }
        }
    }

    /// Writes the unknown keys of a message of the target's own format.
    #[inline]
    pub(crate) fn message_extras(&mut self, message: &Message<'_, H>) {
        if let Some((extras, input)) = message.extras(self.target.id) {
            self.out.scope(input);
            self.write_extras(extras);
        }
    }
}
