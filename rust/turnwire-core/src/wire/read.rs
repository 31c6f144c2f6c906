//! Reads a payload: its keys, the values around its turns, its tools.

mod among;
pub mod elements;
pub(crate) mod error_flag;
pub(crate) mod keys;
pub(crate) mod openapi;
pub(crate) mod payload;
pub(crate) mod proto_schema;
pub(crate) mod stand_ins;
pub mod tools;
pub(crate) mod unclear;

pub use self::elements::{Elements, Made};
pub(crate) use self::{
    among::among,
    keys::{Keys, NULL},
    payload::{ReadFns, SINGLE},
    tools::{FOREIGN_TOOL, NO_SCHEMA},
    unclear::NO_CALL_ID,
};
