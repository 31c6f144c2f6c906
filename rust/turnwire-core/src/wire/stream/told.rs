//! What a stream tells: what a program can use at once; and, for whoever asks for all, how its parts and calls begin, grow and end.
//!
//! Assemblies push what they read; which part a piece stands in follows from the pieces, so that whoever writes them for another
//! client never gets one outside of its part.

use crate::{
    model::event::{Event, PartSort},
    report::error::Error,
    value::handle::{Host, Text},
};

/// The events that nobody took yet.
pub(crate) struct Told<H: Host> {
    events: Vec<Event<H>>,
    /// Whether somebody asks for all.
    full: bool,
    begun: bool,
    /// What the part is that has begun and not ended.
    open: Option<PartSort>,
    /// How many calls began.
    calls: usize,
}

impl<H: Host> Told<H> {
    /// None yet. `full`: whether somebody asks for all.
    pub(crate) fn new(full: bool) -> Self {
        Self { events: Vec::new(), full, begun: false, open: None, calls: 0 }
    }

    /// Whether somebody asks for all.
    pub(crate) fn is_full(&self) -> bool {
        self.full
    }

    /// One more.
    pub(crate) fn push(&mut self, event: Event<H>) {
        if self.full {
            self.enter(event.part());
        }
        self.events.push(event);
    }

    /// One more that only those want who ask for all.
    pub(crate) fn push_full(&mut self, event: impl FnOnce() -> Option<Event<H>>) {
        if self.full
            && let Some(event) = event()
        {
            self.push(event);
        }
    }

    /// One more, if there is one.
    pub(crate) fn extend(&mut self, event: impl IntoIterator<Item = Event<H>>) {
        event.into_iter().for_each(|event| self.push(event));
    }

    /// The reply begins, with its id and its model where it says them. Only the first time counts.
    pub(crate) fn begin(&mut self, said: impl FnOnce() -> [Option<Text<H>>; 2]) {
        if self.full && !self.begun {
            self.begun = true;
            let [id, model] = said();
            self.events.push(Event::Begun { id, model });
        }
    }

    /// What comes next stands in another part.
    pub(crate) fn divide(&mut self) {
        if let Some(sort) = self.open.take() {
            self.events.push(Event::PartEnded(sort));
        }
    }

    /// `sort`: the part that the next event stands in; `None` where it stands in none, and ends none.
    fn enter(&mut self, sort: Option<PartSort>) {
        self.begin(|| [None, None]);
        if sort.is_some() && sort != self.open {
            self.divide();
            self.open = sort;
            self.events.extend(sort.map(Event::PartBegun));
        }
    }

    /// Every one, taken.
    pub(crate) fn take(&mut self) -> Vec<Event<H>> {
        std::mem::take(&mut self.events)
    }

    /// Every one, to be changed.
    pub(crate) fn iter_mut(&mut self) -> std::slice::IterMut<'_, Event<H>> {
        self.events.iter_mut()
    }

    /// Every one, one by one.
    pub(crate) fn drain(&mut self) -> std::vec::Drain<'_, Event<H>> {
        self.events.drain(..)
    }
}

/// How much of a call was told, to whoever asks for all.
#[derive(Debug, Default)]
pub(crate) struct Flow {
    /// Its number among the calls of the reply, once it began.
    call: Option<usize>,
    /// How many bytes of its arguments.
    sent: usize,
    ended: bool,
}

/// The first byte of half a character, and what follows it where it is a first half.
const HALF: (u8, std::ops::RangeInclusive<u8>) = (0xED, 0xA0..=0xAF);

impl Flow {
    /// It begins. Only the first time counts.
    pub(crate) fn begin<H: Host>(&mut self, id: Option<&Text<H>>, name: &Text<H>, custom: bool, out: &mut Told<H>) {
        if out.full && self.call.is_none() {
            out.divide();
            self.call = Some(out.calls);
            let (id, name) = (id.map(Text::share), name.share());
            out.push(Event::CallBegun { call: out.calls, id, name, custom });
            out.calls += 1;
        }
    }

    /// `all`: its arguments so far, as WTF-8. Nothing is told twice, nor of a call that did not begin or has ended.
    pub(crate) fn grow<H: Host>(&mut self, all: &[u8], out: &mut Told<H>) -> Result<(), Error> {
        let Some(call) = self.call.filter(|_| !self.ended) else { return Ok(()) };
        // The other half of the last character may still come.
        let half = matches!(all, [.., first, second, _] if *first == HALF.0 && HALF.1.contains(second));
        let end = all.len() - if half { 3 } else { 0 };
        if let Some(piece) = all.get(self.sent..end).filter(|piece| !piece.is_empty()) {
            self.sent = end;
            out.push(Event::CallPiece { call, text: H::text(piece)? });
        }
        Ok(())
    }

    /// It ends.
    pub(crate) fn end<H: Host>(&mut self, out: &mut Told<H>) {
        if let Some(call) = self.call.filter(|_| !self.ended) {
            self.ended = true;
            out.push(Event::CallEnded { call });
        }
    }
}
