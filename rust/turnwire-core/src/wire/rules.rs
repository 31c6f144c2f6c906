//! What a wire format is, as data: limits, signs, keys, what its values may hold.

pub(crate) mod alphabet;
pub(crate) mod block_rule;
pub(crate) mod extra_keys;
pub mod limits;
pub(crate) mod presets;
pub(crate) mod signs;
pub(crate) mod slots;
pub(crate) mod value_rule;
