//! Hash maps and sets with one fast hasher, whose seed differs in each process so that no input is slow by design.

#[cfg(fuzzing)]
pub(crate) use foldhash::fast::FixedState as Hasher;
#[cfg(not(fuzzing))]
pub(crate) use foldhash::fast::RandomState as Hasher;

// The fuzzer watches which branches run. A seed of its own in each process would change them, and the same seeds of
// the fuzzer would not find the same faults again.

pub(crate) type HashMap<K, V> = std::collections::HashMap<K, V, Hasher>;
pub(crate) type HashSet<T> = std::collections::HashSet<T, Hasher>;
