//! Passes over the first elements of a list that an earlier body had, too, so that the bytes that are written stay few.

use super::{super::encode, JsonSink};
use crate::{
    report::Step,
    value::{Host, Input, Sink, Sum, Text, Value, hash::of_bytes},
};

/// What is known of an element that was written.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Known {
    /// A hash of its bytes.
    pub(crate) sum: u64,
    /// How many bytes it has.
    pub(crate) length: usize,
    /// A hash of the value that it was written from, which is faster than to write it. 0 if it is not known. It is the
    /// same in one process only.
    quick: u64,
}

impl Known {
    /// An element of these bytes.
    pub(crate) fn of(bytes: &[u8], hash: fn(&[u8]) -> u64) -> Self {
        Self { sum: hash(bytes), length: bytes.len(), quick: 0 }
    }
}

/// The list, and what is known of its first elements.
#[derive(Debug)]
pub(crate) struct Passed {
    /// The position of the first element.
    pub(crate) start: usize,
    /// How many containers are open around an element.
    pub(crate) depth: usize,
    /// What is known of each element.
    pub(crate) elements: Vec<Known>,
    /// The hash.
    pub(crate) hash: fn(&[u8]) -> u64,
    /// How many elements were passed over.
    pub(crate) count: usize,
}

impl Passed {
    /// Where the next element ends, if it is the known one. No value ends at 0.
    fn end(&self) -> usize {
        self.elements.get(self.count).map_or(0, |known| self.start + known.length)
    }

    /// Drops the element that has been written, if it is the known one. Returns where the next one ends.
    fn pass(&mut self, depth: usize, out: &mut Vec<u8>) -> usize {
        if depth != self.depth {
            return self.end();
        }
        let sum = self.elements.get(self.count).map(|known| known.sum);
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

    /// What is known of the elements that were dropped.
    pub(crate) fn passed(&mut self) -> Vec<Known> {
        self.passed.take().map_or_else(Vec::new, |passed| {
            let mut elements = passed.elements;
            elements.truncate(passed.count);
            elements
        })
    }

    /// Writes a value that may be an element, or holds the list. An element is not even written if it is made of the
    /// same values as the known one.
    pub(super) fn passing_over<H: Host>(&mut self, item: &Value<H>) {
        let (depth, size) = (self.open.len(), self.out.len());
        let Some(passed) = self.passed.as_mut().filter(|passed| depth <= passed.depth && self.passed_at > 0) else {
            return self.whole(item);
        };
        match item {
            Value::List(items) if depth < passed.depth => {
                Sink::<H>::open_list(self);
                for (index, item) in items.iter().enumerate() {
                    self.under(Ok(index), item);
                }
                return Sink::<H>::close(self);
            }
            Value::Map(entries) if depth < passed.depth => {
                Sink::<H>::open_map(self);
                for (key, item) in entries.iter() {
                    Sink::<H>::key_text(self, key);
                    self.under(Err(key), item);
                }
                return Sink::<H>::close(self);
            }
            _ if size != passed.start => return self.whole(item),
            _ => {}
        }
        let quick = quick_sum(item, self.input.as_ref());
        if passed.elements.get(passed.count).is_some_and(|known| known.quick == quick) {
            passed.count += 1;
            self.passed_at = passed.end();
            return;
        }
        let (count, replaced) = (passed.count, self.replaced);
        self.whole(item);
        // Replaced surrogates are reported each time, so an element that has some is written each time.
        if let Some(passed) = self.passed.as_mut().filter(|passed| passed.count > count && self.replaced == replaced) {
            passed.elements[count].quick = quick;
        }
    }

    /// The same under an index of a list or a key of an object.
    fn under<H: Host>(&mut self, place: Result<usize, &Text<H>>, item: &Value<H>) {
        if self.fault.is_none() {
            self.passing_over(item);
            self.fault = self.fault.take().map(|fault| {
                fault.under(
                    place.map_or_else(|key| Step::Name(key.to_str(self.input.as_ref()).as_ref().into()), Step::Index),
                )
            });
        }
    }

    fn whole<H: Host>(&mut self, item: &Value<H>) {
        self.begin();
        let written = encode::value(item, self.input.as_ref(), &mut self.out);
        self.keep(written);
        self.ended();
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

/// A hash of everything that the JSON text of a value depends on. Never 0.
fn quick_sum<H: Host>(item: &Value<H>, input: Option<&Input>) -> u64 {
    let mut sum = Sum::default();
    add(item, input, &mut sum);
    sum.get().max(1)
}

fn add<H: Host>(item: &Value<H>, input: Option<&Input>, sum: &mut Sum) {
    match item {
        Value::Null => sum.add(1),
        Value::Bool(is) => sum.add(2 + u64::from(*is)),
        Value::Number(spelling) => {
            sum.add(4);
            sum.add(of_bytes(spelling.as_bytes(), 0));
        }
        Value::Leaf(leaf) => {
            let mut bytes = Vec::new();
            // An element with a value that JSON cannot hold is never known.
            let _ = H::write_leaf(leaf, &mut bytes);
            sum.add(5);
            sum.add(of_bytes(&bytes, 0));
        }
        Value::Text(text) => {
            sum.add(6);
            sum.add(text.sum(input));
        }
        Value::List(items) => {
            sum.add(7);
            sum.add(items.len() as u64);
            items.iter().for_each(|item| add(item, input, sum));
        }
        Value::Map(entries) => {
            sum.add(8);
            sum.add(entries.len() as u64);
            for (key, item) in entries.iter() {
                sum.add(key.sum(input));
                add(item, input, sum);
            }
        }
    }
}
