//! Reading a payload: its keys, what surrounds its turns, its tools.

pub(crate) mod elements;
pub(crate) mod error_flag;
pub(crate) mod keys;
pub(crate) mod payload;
pub mod tools;
