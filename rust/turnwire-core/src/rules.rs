//! Describes a wire format as data: limits, signs, keys, and the values that they may have.

pub(crate) mod alphabet;
pub(crate) mod block_rule;
pub mod bound;
pub(crate) mod cache_rule;
pub mod compaction;
pub mod dialect_id;
pub(crate) mod extra_keys;
pub(crate) mod facts;
pub mod family;
pub mod limits;
pub mod media_class;
pub mod needs;
pub(crate) mod presets;
pub(crate) mod ran_rule;
pub mod request_keys;
pub mod result_keys;
pub(crate) mod row_layout;
pub mod settings;
pub(crate) mod shared_block;
pub(crate) mod signs;
pub(crate) mod slots;
pub(crate) mod target;
pub(crate) mod tool_name;
pub mod tool_rule;
pub(crate) mod unknown_kind;
pub(crate) mod value_rule;
