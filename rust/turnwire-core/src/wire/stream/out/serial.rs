//! Orders events: if several parts and calls grow at once, one is open at a time, and the others wait.

use std::collections::VecDeque;

use crate::{
    report::Error,
    value::{HashMap, Host},
    wire::stream::{Event, Words},
};

/// The waiting events, in order.
pub(crate) struct Serial<H: Host> {
    /// The open call.
    open: Option<usize>,
    waiting: VecDeque<Waiting<H>>,
    /// How many waiting events have been passed on, so that indices stay valid.
    gone: usize,
    /// The index of each waiting call.
    places: HashMap<usize, usize>,
}

enum Waiting<H: Host> {
    Event(Event<H>),
    Call { call: usize, begun: Event<H>, args: Words<H>, ended: bool },
}

impl<H: Host> Serial<H> {
    pub(crate) fn new() -> Self {
        Self { open: None, waiting: VecDeque::new(), gone: 0, places: HashMap::default() }
    }

    /// Whether any event waits.
    pub(crate) fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Takes an event, and passes on all events that need not wait.
    pub(crate) fn take(
        &mut self,
        event: Event<H>,
        out: &mut impl FnMut(&Event<H>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Some(open) = self.open else {
            if let Event::CallBegun { call, .. } = &event {
                self.open = Some(*call);
            }
            return out(&event);
        };
        match event {
            Event::CallPiece { call, .. } | Event::CallWhole { call, .. } if call == open => out(&event),
            Event::CallEnded { call } if call == open => {
                self.open = None;
                out(&event)?;
                self.release(out)
            }
            Event::CallBegun { call, .. } => {
                self.places.insert(call, self.gone + self.waiting.len());
                self.waiting.push_back(Waiting::Call { call, begun: event, args: Words::default(), ended: false });
                Ok(())
            }
            Event::CallPiece { call, text } => {
                if let Some(Waiting::Call { args, .. }) = self.waits(call) {
                    args.push(&text, None);
                }
                Ok(())
            }
            Event::CallWhole { call, text } => {
                if let Some(Waiting::Call { args, .. }) = self.waits(call) {
                    *args = Words::of(text);
                }
                Ok(())
            }
            Event::CallEnded { call } => {
                if let Some(Waiting::Call { ended, .. }) = self.waits(call) {
                    *ended = true;
                }
                Ok(())
            }
            event => {
                self.waiting.push_back(Waiting::Event(event));
                Ok(())
            }
        }
    }

    fn waits(&mut self, call: usize) -> Option<&mut Waiting<H>> {
        let place = *self.places.get(&call)?;
        self.waiting.get_mut(place.checked_sub(self.gone)?)
    }

    /// Passes on waiting events until a call is open again.
    fn release(&mut self, out: &mut impl FnMut(&Event<H>) -> Result<(), Error>) -> Result<(), Error> {
        while let Some(next) = self.waiting.pop_front() {
            self.gone += 1;
            match next {
                Waiting::Event(event) => out(&event)?,
                Waiting::Call { call, begun, args, ended } => {
                    out(&begun)?;
                    if !args.is_empty() {
                        out(&Event::CallPiece { call, text: args.text()? })?;
                    }
                    if !ended {
                        self.open = Some(call);
                        return Ok(());
                    }
                    out(&Event::CallEnded { call })?;
                }
            }
        }
        Ok(())
    }
}
