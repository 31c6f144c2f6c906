//! Hash maps and sets with one fast hasher. Its seed differs between processes, so that no input can be slow by design.

use xxhash_rust::xxh3::xxh3_64_with_seed;

#[cfg(fuzzing)]
pub(crate) use foldhash::fast::FixedState as Hasher;
#[cfg(not(fuzzing))]
pub(crate) use foldhash::fast::RandomState as Hasher;

// The fuzzer watches which branches run. With a different seed in each process, those would differ, and the fuzzer
// could not find the same faults again.

pub(crate) type HashMap<K, V> = std::collections::HashMap<K, V, Hasher>;
pub(crate) type HashSet<T> = std::collections::HashSet<T, Hasher>;

/// A hash of a text: `seed` tells apart in which way the bytes spell it.
pub(crate) fn of_bytes(bytes: &[u8], seed: u64) -> u64 {
    xxh3_64_with_seed(bytes, seed)
}

/// A hash of a sequence of numbers. Fast, and only for comparing within one process.
#[derive(Debug, Default)]
pub(crate) struct Sum(u64);

impl Sum {
    /// Adds a number.
    #[inline]
    pub(crate) fn add(&mut self, number: u64) {
        // The halves of the product of two numbers depend on all of their bits. Turning what was there keeps the order.
        let product = u128::from(self.0 ^ number ^ 0x9E37_79B9_7F4A_7C15) * 0x2360_ED05_1FC6_5DA5;
        self.0 = (product as u64 ^ (product >> 64) as u64).wrapping_add(self.0.rotate_left(23));
    }

    /// The hash of everything so far.
    pub(crate) fn get(&self) -> u64 {
        self.0
    }
}
