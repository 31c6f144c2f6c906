//! Values and how they are read and written: the two traits of a door, handles that copy no text, JSON.

pub mod base64;
pub(crate) mod build;
pub mod conformance;
pub mod door;
pub mod extras;
pub mod handle;
pub(crate) mod hash;
pub mod json;
pub mod mark;
pub mod node;
pub mod tree;
