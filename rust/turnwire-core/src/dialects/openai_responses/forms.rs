//! Reads and writes the calls that are items of their own kind, and their answers.

pub(super) mod read;
pub(super) mod settle;
pub(super) mod write;
