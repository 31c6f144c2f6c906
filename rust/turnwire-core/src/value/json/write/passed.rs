//! Passes over the first elements of a list that an earlier body had, too, so that the bytes that are written stay few.

use super::{JsonSink, value};
use crate::{
    report::path::Step,
    value::{
        door::Sink,
        handle::{Host, Value},
    },
};

/// The list, and what is known of its first elements.
#[derive(Debug)]
pub(crate) struct Passed {
    /// The position of the first element.
    pub(crate) start: usize,
    /// How many containers are open around an element.
    pub(crate) depth: usize,
    /// A hash of each element's bytes, and their number.
    pub(crate) elements: Vec<(u64, usize)>,
    /// The hash.
    pub(crate) hash: fn(&[u8]) -> u64,
    /// How many elements were passed over.
    pub(crate) count: usize,
}

impl Passed {
    /// Where the next element ends, if it is the known one. No value ends at 0.
    fn end(&self) -> usize {
        self.elements.get(self.count).map_or(0, |(_, length)| self.start + length)
    }

    /// Drops the element that has been written, if it is the known one. Returns where the next one ends.
    fn pass(&mut self, depth: usize, out: &mut Vec<u8>) -> usize {
        if depth != self.depth {
            return self.end();
        }
        let sum = self.elements.get(self.count).map(|(sum, _)| *sum);
        if sum != out.get(self.start..).map(self.hash) {
            // What follows is new, even where it repeats what was said.
            return 0;
        }
        out.truncate(self.start);
        self.count += 1;
        self.end()
    }
}

impl JsonSink {
    /// Drops the first elements of a list where they are those that are known.
    pub(crate) fn passing(mut self, passed: Passed) -> Self {
        self.passed_at = passed.end();
        self.passed = Some(Box::new(passed));
        self
    }

    /// How many elements were dropped.
    pub(crate) fn passed(&self) -> usize {
        self.passed.as_ref().map_or(0, |passed| passed.count)
    }

    /// Writes a list element by element, so that each may be dropped.
    pub(super) fn list<H: Host>(&mut self, items: &[Value<H>]) {
        Sink::<H>::open_list(self);
        for (index, item) in items.iter().enumerate() {
            if self.fault.is_none() {
                self.begin();
                let written = value(item, self.input.as_ref(), &mut self.out);
                self.keep(written.map_err(|error| error.under(Step::Index(index))));
                self.ended();
            }
        }
        Sink::<H>::close(self);
    }

    /// A value has been written that may be an element.
    #[inline]
    pub(super) fn ended(&mut self) {
        if self.out.len() == self.passed_at
            && let Some(passed) = &mut self.passed
        {
            self.passed_at = passed.pass(self.open.len(), &mut self.out);
        }
    }
}
