//! Holds the calls of a stream until its end, where its server may answer them itself: a client would run those again.

use crate::{
    model::{Event, Reply},
    value::{HashMap, HashSet, Host},
};

/// The events of calls, in order.
pub(super) struct Held<H: Host> {
    events: Vec<Event<H>>,
}

impl<H: Host> Held<H> {
    pub(super) fn new() -> Self {
        Self { events: Vec::new() }
    }

    /// Keeps an event of a call; returns any other one.
    pub(super) fn keep(&mut self, event: Event<H>) -> Option<Event<H>> {
        match event {
            Event::CallBegun { .. } | Event::CallPiece { .. } | Event::CallWhole { .. } | Event::CallEnded { .. } => {
                self.events.push(event);
                None
            }
            event => Some(event),
        }
    }

    /// Whether it holds any.
    pub(super) fn is_waiting(&self) -> bool {
        !self.events.is_empty()
    }

    /// The events of the calls that the client has to run, numbered anew, once the reply has ended.
    pub(super) fn left(self, reply: &Reply<H>) -> Vec<Event<H>> {
        let answered: HashSet<_> = reply.results().map(|result| result.id.wtf8(None).into_owned()).collect();
        let mut numbers = HashMap::default();
        let mut left = Vec::with_capacity(self.events.len());
        for event in self.events {
            match event {
                Event::CallBegun { call, id, name, custom, namespace, form } => {
                    if id.as_ref().is_none_or(|id| !answered.contains(&*id.wtf8(None))) {
                        let new = numbers.len();
                        numbers.insert(call, new);
                        left.push(Event::CallBegun { call: new, id, name, custom, namespace, form });
                    }
                }
                Event::CallPiece { call, text } => {
                    left.extend(numbers.get(&call).map(|call| Event::CallPiece { call: *call, text }));
                }
                Event::CallWhole { call, text } => {
                    left.extend(numbers.get(&call).map(|call| Event::CallWhole { call: *call, text }));
                }
                Event::CallEnded { call } => {
                    left.extend(numbers.get(&call).map(|call| Event::CallEnded { call: *call }));
                }
                event => left.push(event),
            }
        }
        left
    }
}
