//! Hash maps and sets with one fast hasher. Its seed differs between processes, so that no input can be slow by design.

#[cfg(fuzzing)]
pub(crate) use foldhash::fast::FixedState as Hasher;
#[cfg(not(fuzzing))]
pub(crate) use foldhash::fast::RandomState as Hasher;

// The fuzzer watches which branches run. With a different seed in each process, those would differ, and the fuzzer
// could not find the same faults again.

pub(crate) type HashMap<K, V> = std::collections::HashMap<K, V, Hasher>;
pub(crate) type HashSet<T> = std::collections::HashSet<T, Hasher>;
