//! Holds what every renderer needs: the sink, the losses, and the questions that all dialects ask.

mod args;
mod entity;
mod ids;
mod lost;
mod result_name;
mod turns;

pub(crate) use self::args::{INPUT, NO_FREE_TEXT};
use smallvec::smallvec;

use super::{by_order::ByOrder, message_ids::MessageIds, system::SystemText};
use crate::{
    model::{At, Choice, Tool, Turn, View, surrogate},
    report::{Edit, Error, Losses, Path, Provenance, Sources, Why, sentence::HALF},
    rules::{MessageId, Slots, Target},
    value::{Extras, Host, Input, Key, Piece, Raw, Sink},
    wire::{
        plan::{self, Item, Message, Planner, Printer, options},
        settings::Translated,
    },
};

/// A path that is computed only when it is reported.
pub(crate) type Where<'a> = &'a dyn Fn() -> Path;

/// How a dialect writes the parts of a payload into one kind of sink: see the functions of `Dialect`.
#[expect(clippy::type_complexity, reason = "each is the signature of one function of `Dialect`")]
pub(crate) struct WriteFns<H: Host, K: Sink<H>> {
    pub(crate) slots: &'static Slots,
    pub(crate) message: fn(&mut Writer<'_, '_, H, K>, &Message<'_, H>) -> Result<(), Error>,
    pub(crate) system: fn(&mut Writer<'_, '_, H, K>, &[SystemText<'_, H>]),
    pub(crate) tools: fn(&mut Writer<'_, '_, H, K>, &[(usize, &Tool<H>)]) -> Result<(), Error>,
    pub(crate) choice: fn(&mut Writer<'_, '_, H, K>, &Choice<H>),
}

/// A rendering in progress: the plan, and everything that only printing needs.
pub(crate) struct Writer<'w, 'a, H: Host, K: Sink<H>> {
    pub(crate) p: &'w mut Planner<'a, H>,
    pub(crate) dialect: &'w WriteFns<H, K>,
    pub(crate) out: &'w mut K,
    pub(crate) s: &'w mut State<'a, H>,
}

/// The state of printing.
pub(crate) struct State<'a, H: Host> {
    /// The body's settings in the target's form, if they are converted.
    pub(crate) settings: Option<Translated<H>>,
    /// From which turns each element of the list is written, and which turns are written beside the list.
    pub(crate) provenance: Provenance,
    /// The calls that are written without ids, for formats that have none.
    pub(crate) by_order: ByOrder<'a>,
    /// The ids of messages, if each must have one.
    pub(crate) message_ids: MessageIds,
    /// How many lone surrogates have been reported.
    reported: usize,
}

impl<H: Host> State<'_, H> {
    pub(crate) fn new() -> Self {
        Self {
            settings: None,
            provenance: Provenance::default(),
            by_order: ByOrder::default(),
            message_ids: MessageIds::default(),
            reported: 0,
        }
    }
}

/// A rendering, with everything that a [`Writer`] borrows.
pub(crate) struct Job<'a, H: Host, K: Sink<H>> {
    pub(crate) p: Planner<'a, H>,
    dialect: WriteFns<H, K>,
    out: &'a mut K,
    pub(crate) s: State<'a, H>,
}

impl<'a, H: Host, K: Sink<H>> Job<'a, H, K> {
    pub(crate) fn new(
        dialect: WriteFns<H, K>,
        conversation: &'a View<'a, H>,
        target: Target<'a>,
        losses: &'a mut Losses,
        out: &'a mut K,
    ) -> Self {
        Self { p: Planner::new(conversation, target, losses), dialect, out, s: State::new() }
    }

    pub(crate) fn writer(&mut self) -> Writer<'_, 'a, H, K> {
        Writer { p: &mut self.p, dialect: &self.dialect, out: self.out, s: &mut self.s }
    }
}

/// Prints messages into a sink.
pub(crate) struct Print<'w, 'a, H: Host, K: Sink<H>> {
    pub(crate) dialect: &'w WriteFns<H, K>,
    pub(crate) out: &'w mut K,
    pub(crate) s: &'w mut State<'a, H>,
}

impl<'a, H: Host, K: Sink<H>> Print<'_, 'a, H, K> {
    fn writer<'v>(&'v mut self, p: &'v mut Planner<'a, H>) -> Writer<'v, 'a, H, K> {
        Writer { p, dialect: self.dialect, out: self.out, s: self.s }
    }
}

impl<'a, H: Host, K: Sink<H>> Printer<'a, H> for Print<'_, 'a, H, K> {
    fn message(&mut self, p: &mut Planner<'a, H>, message: &Message<'a, H>) -> Result<(), Error> {
        let mut w = self.writer(p);
        let before = w.s.provenance.sources.len();
        let entity = w.entity(message);
        w.open_entity(entity.as_ref());
        (w.dialect.message)(&mut w, message)?;
        w.close_entity(entity.as_ref());
        if w.s.provenance.sources.len() == before {
            w.s.provenance.sources.push(message.sources());
        }
        Ok(())
    }
    fn replay(&mut self, p: &mut Planner<'a, H>, (index, turn): At<'a, H>) -> Result<(), Error> {
        self.writer(p).replay(turn, index)
    }
    fn scope(&mut self, input: Option<&'a Input>) {
        self.out.scope(input);
    }
    fn checked_run(&mut self, p: &mut Planner<'a, H>, turn: &Turn<H>, index: usize, last: usize) -> Result<(), Error> {
        self.writer(p).checked_run(turn, index, last)
    }
    fn replaced(&mut self, p: &mut Planner<'a, H>, place: &mut dyn FnMut(&View<'_, H>) -> Path) {
        self.writer(p).replaced(|view| place(view));
    }
    fn sources(&mut self, sources: Sources) {
        self.s.provenance.sources.pop();
        self.s.provenance.sources.push(sources);
    }
}

impl<H: Host, K: Sink<H>> Writer<'_, '_, H, K> {
    /// Writes the list's elements.
    pub(crate) fn elements(&mut self) -> Result<(), Error> {
        self.s.provenance.sources.reserve(self.p.conversation.turns.len());
        let mut print = Print { dialect: self.dialect, out: self.out, s: self.s };
        plan::write(self.p, &mut print)
    }

    /// Writes the wire value of a turn that is [sent back unchanged](Self::replays). An error names the turn.
    pub(crate) fn replay(&mut self, turn: &Turn<H>, index: usize) -> Result<(), Error> {
        let entity = turn.entity.as_ref().filter(|_| self.p.stores()).map(|entity| &entity.origin);
        let Some(origin) = entity.or(turn.origin.as_ref()) else { return Ok(()) };
        if entity.is_none() {
            self.p.entity_lost(turn, index)?;
        }
        self.out.scope(turn.input.as_ref());
        self.out.raw(origin);
        self.s.provenance.sources.push(smallvec![index]);
        if !self.p.target.limits.needs_ids() {
            self.s.by_order.replayed(index);
        }
        if self.p.target.limits.message_id == MessageId::EveryMessage {
            self.s.message_ids.take(turn);
        }
        self.checked(turn, index)
    }

    /// Whether a reply may hold only one call, if the choice of tools must say so.
    pub(crate) fn one_call(&self) -> bool {
        self.s.settings.as_ref().is_some_and(|settings| settings.parallel == Some(false))
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
        let all = self.out.replaced() + self.p.made;
        if all > self.s.reported {
            let why: Why = match all - self.s.reported {
                1 => HALF.into(),
                count => (format!("{count} halves of surrogate pairs"), "they become U+FFFD").into(),
            };
            self.s.reported = all;
            self.p.losses.changed(Edit::LoneSurrogate, place(self.p.conversation), why);
        }
    }

    /// Writes a JSON value as compact text.
    pub(crate) fn json_text(&mut self, raw: &Raw<H>, input: Option<&Input>) {
        match raw {
            // A host's values have no white space.
            Raw::Tree(_) | Raw::Loan(_) => self.out.raw_as_text(raw),
            Raw::Span(_) | Raw::Own(_) => match self.p.json_of(raw, input) {
                Ok(json) => self.out.pieces(&[Piece::Str(&json)]),
                // It was JSON when it was read. If it is no longer, the sink refuses it.
                Err(_) => self.out.raw_as_text(raw),
            },
        }
    }

    /// Writes unknown keys, after the known ones.
    pub(crate) fn write_extras(&mut self, extras: &Extras<H>) {
        for (key, raw) in extras {
            self.out.key_text(key);
            self.out.raw(raw);
        }
    }

    /// Whether an item of another format gets options of its provider.
    pub(crate) fn has_options(&self, item: &Item<'_, H>) -> bool {
        let turn = self.p.conversation.turns.get(item.site.0).copied();
        options::of_item(&self.p.target, turn, item).is_some()
    }

    /// Writes the options of its provider that an item of another format gets.
    pub(crate) fn item_options(&mut self, item: &Item<'_, H>, key: &'static Key) {
        let turn = self.p.conversation.turns.get(item.site.0).copied();
        if let Some(options) = options::of_item(&self.p.target, turn, item) {
            self.out.key(key);
            self.out.raw(&Raw::Tree(options));
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
        if let Some((extras, input)) = message.extras(self.p.target.id) {
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
        if let Some((extras, input)) = message.extras(self.p.target.id) {
            self.out.scope(input);
            self.write_extras(extras);
        }
    }
}
