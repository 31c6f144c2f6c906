//! Collects the events of a stream: those that a program can use at once, or all, with the start and end of parts and
//! calls.
//!
//! Assemblies push what they read. The start and end of a part follow from its pieces, so a writer for another client
//! never gets a piece outside of a part.

use crate::{
    model::{Event, PartSort},
    report::Error,
    rules::CallForm,
    value::{Host, Text},
};

/// Who takes the events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reader {
    /// A program, which uses each at once.
    Program,
    /// A writer, which needs all of them.
    Writer,
    /// A writer that has one part or call open at a time.
    SerialWriter,
}

/// The events that the caller has not taken yet.
pub(crate) struct Told<H: Host> {
    events: Vec<Event<H>>,
    reader: Reader,
    begun: bool,
    /// Whether a refusal was reported.
    refused: bool,
    /// The sort of the open part.
    open: Option<PartSort>,
    /// How many calls have begun.
    calls: usize,
    /// The ids and names of the calls that were reported as complete.
    complete: Vec<(Option<Text<H>>, Text<H>)>,
    /// The types of the items that call tools which the provider runs.
    hosted: Vec<&'static str>,
}

impl<H: Host> Told<H> {
    /// No events yet. `full`: whether the reader asks for full events.
    pub(crate) fn new(full: bool) -> Self {
        let (events, complete, hosted) = (Vec::new(), Vec::new(), Vec::new());
        let reader = if full { Reader::Writer } else { Reader::Program };
        Self { events, reader, begun: false, refused: false, open: None, calls: 0, complete, hosted }
    }

    /// The same for a reader that takes one part or call at a time.
    pub(crate) fn serial(self) -> Self {
        Self { reader: Reader::SerialWriter, ..self }
    }

    /// Whether the reader takes one part or call at a time.
    pub(crate) fn is_serial(&self) -> bool {
        self.reader == Reader::SerialWriter
    }

    /// Reports a refusal that stands beside the content, unless it came in pieces.
    pub(crate) fn refuse(&mut self, words: &Text<H>) {
        if self.is_full() && !self.refused {
            self.push(Event::Refusal(words.share()));
        }
    }

    /// Learns that the provider runs the tools of these calls.
    pub(crate) fn host(&mut self, call: &'static str) {
        self.hosted.push(call);
    }

    /// Whether the provider runs the tools of these calls.
    pub(crate) fn is_hosted(&self, call: &str) -> bool {
        self.hosted.contains(&call)
    }

    /// Whether the reader asks for full events.
    pub(crate) fn is_full(&self) -> bool {
        self.reader != Reader::Program
    }

    /// Whether the reply has begun, for readers of full events.
    pub(crate) fn has_begun(&self) -> bool {
        self.begun
    }

    /// Adds an event.
    pub(crate) fn push(&mut self, event: Event<H>) {
        if let Event::Call { id, name, .. } = &event {
            self.complete.push((id.as_ref().map(Text::share), name.share()));
        }
        self.refused |= matches!(event, Event::Refusal(_));
        if self.is_full() {
            self.enter(event.part());
        }
        self.events.push(event);
    }

    /// Adds an event for readers of full events.
    pub(crate) fn push_full(&mut self, event: impl FnOnce() -> Option<Event<H>>) {
        if self.is_full()
            && let Some(event) = event()
        {
            self.push(event);
        }
    }

    /// Adds the whole signature of the open reasoning, for readers of full events. Reasoning without text begins with
    /// it.
    pub(crate) fn sign(&mut self, signature: impl FnOnce() -> Option<Text<H>>) {
        if self.is_full()
            && let Some(signature) = signature().filter(|signature| !signature.is_empty())
        {
            self.enter(Some(PartSort::Reasoning));
            self.events.push(Event::Signature(signature));
        }
    }

    /// Adds events.
    pub(crate) fn extend(&mut self, event: impl IntoIterator<Item = Event<H>>) {
        event.into_iter().for_each(|event| self.push(event));
    }

    /// Begins the reply, with its id and its model if the source has them. Only the first call counts.
    pub(crate) fn begin(&mut self, said: impl FnOnce() -> [Option<Text<H>>; 2]) {
        if self.is_full() && !self.begun {
            self.begun = true;
            let [id, model] = said();
            self.events.push(Event::Begun { id, model });
        }
    }

    /// Ends the open part, so that the next piece belongs to another one.
    pub(crate) fn divide(&mut self) {
        if let Some(sort) = self.open.take() {
            self.events.push(Event::PartEnded(sort));
        }
    }

    /// Opens the part of the next event. `sort`: its sort; `None` if the event belongs to no part and ends none.
    fn enter(&mut self, sort: Option<PartSort>) {
        self.begin(|| [None, None]);
        if sort.is_some() && sort != self.open {
            self.divide();
            self.open = sort;
            self.events.extend(sort.map(Event::PartBegun));
        }
    }

    /// Whether a call was reported as complete. A call that came without an id is known by its name.
    pub(crate) fn is_complete(&self, id: &Text<H>, name: &Text<H>) -> bool {
        let same =
            |told: &(Option<Text<H>>, Text<H>)| told.0.as_ref().map_or_else(|| told.1.same(name), |told| told.same(id));
        self.complete.iter().any(same)
    }

    /// Takes all events.
    pub(crate) fn take(&mut self) -> Vec<Event<H>> {
        std::mem::take(&mut self.events)
    }

    /// All events, to be changed.
    pub(crate) fn iter_mut(&mut self) -> std::slice::IterMut<'_, Event<H>> {
        self.events.iter_mut()
    }

    /// Takes all events one by one.
    pub(crate) fn drain(&mut self) -> std::vec::Drain<'_, Event<H>> {
        self.events.drain(..)
    }
}

/// How much of a call was reported to a reader of full events.
#[derive(Debug, Default)]
pub(crate) struct Flow {
    /// Its index among the calls of the reply, once it has begun.
    call: Option<usize>,
    /// How many bytes of its arguments were reported.
    sent: usize,
    ended: bool,
}

/// The first byte of a surrogate, and the range of the second byte of a first half.
const HALF: (u8, std::ops::RangeInclusive<u8>) = (0xED, 0xA0..=0xAF);

impl Flow {
    /// Begins the call. Only the first call of this counts.
    pub(crate) fn begin<H: Host>(&mut self, id: Option<&Text<H>>, name: &Text<H>, custom: bool, out: &mut Told<H>) {
        self.begin_in(id, (name, None, None), custom, out);
    }

    /// [`Self::begin`] for a tool in a group, or a call of a kind that only its own format has.
    pub(crate) fn begin_in<H: Host>(
        &mut self,
        id: Option<&Text<H>>,
        (name, namespace, form): (&Text<H>, Option<Text<H>>, Option<CallForm>),
        custom: bool,
        out: &mut Told<H>,
    ) {
        if out.is_full() && self.call.is_none() {
            out.divide();
            self.call = Some(out.calls);
            let (id, name) = (id.map(Text::share), name.share());
            out.push(Event::CallBegun { call: out.calls, id, name, custom, namespace, form });
            out.calls += 1;
        }
    }

    /// Reports more of the arguments. `all`: the arguments so far, as WTF-8. Reports no byte twice, and nothing of a
    /// call that has not begun or has ended.
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

    /// Reports all of the arguments, because the pieces before were not those.
    pub(crate) fn replace<H: Host>(&mut self, all: &Text<H>, out: &mut Told<H>) {
        if let Some(call) = self.call.filter(|_| !self.ended && self.sent > 0) {
            self.sent = all.utf8_len(None);
            out.push(Event::CallWhole { call, text: all.share() });
        }
    }

    /// Ends the call.
    pub(crate) fn end<H: Host>(&mut self, out: &mut Told<H>) {
        if let Some(call) = self.call.filter(|_| !self.ended) {
            self.ended = true;
            out.push(Event::CallEnded { call });
        }
    }
}
