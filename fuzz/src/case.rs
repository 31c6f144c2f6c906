//! Makes a typed case of an input's bytes, as libFuzzer's macro does.

use arbitrary::{Arbitrary, Unstructured};

/// The case, if there are enough bytes for one.
pub fn case<'a, T: Arbitrary<'a>>(bytes: &'a [u8]) -> Option<T> {
    T::arbitrary_take_rest(Unstructured::new(bytes)).ok()
}
