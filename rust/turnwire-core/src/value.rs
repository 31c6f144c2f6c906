//! Values and how they are read and written: the two traits of a door, handles that copy no text, JSON.

pub mod base64;
pub(crate) mod blob;
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

pub(crate) use self::{
    build::ValueSink,
    door::Head,
    hash::{HashMap, HashSet, Sum},
    json::write::{Known, Passed},
};
pub use self::{
    door::{Key, Piece, Sink, Source},
    extras::Extras,
    handle::{Escapes, Host, Input, NoHost, Raw, Span, Text, Value},
    json::{
        compact::Numbers,
        read::{Body, Builder, Number},
        tape::{Tape, TapeSource},
        write::JsonSink,
    },
    mark::{Marks, Spot, TEXT, TYPE},
    node::{ArgsState, MAX_DEPTH, NodeKind},
    tree::Tree,
};
