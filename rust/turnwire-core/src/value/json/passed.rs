//! Passes over the first elements of a list that an earlier body had, too, so that the bytes that are written stay few.

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
    pub(super) fn end(&self) -> usize {
        self.elements.get(self.count).map_or(0, |(_, length)| self.start + length)
    }

    /// Drops the element that has been written, if it is the known one. Returns where the next one ends.
    pub(super) fn pass(&mut self, depth: usize, out: &mut Vec<u8>) -> usize {
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
