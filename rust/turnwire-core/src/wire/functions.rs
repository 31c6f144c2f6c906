//! Takes a dialect's functions as pointers, so that the code around them is compiled once instead of once for each
//! dialect.
//!
//! The tables are where they are used: in `read/payload.rs` and `write/writer.rs`, which know no dialect. The functions are
//! called once for each turn, message or key of the payload. Code that runs for each key of a message or for each text
//! stays generic.

use super::{format::Dialect, read::payload::ReadFns, write::writer::WriteFns};
use crate::value::{Host, Sink, Source};

impl<S: Source> ReadFns<S> {
    pub(crate) fn of<D: Dialect>() -> Self {
        Self {
            slots: &D::SLOTS,
            turn: D::turn::<S>,
            results_in_text: D::results_in_text::<S::H>,
            system: D::system::<S>,
            tools: D::tools::<S>,
            tools_of_text: if D::TOOLS_AS_TEXT { Some(|list, at| D::tools(list, at)) } else { None },
            choice: D::choice::<S>,
            settle: D::settle::<S::H>,
        }
    }
}

impl<H: Host, K: Sink<H>> WriteFns<H, K> {
    pub(crate) fn of<D: Dialect>() -> Self {
        Self {
            slots: &D::SLOTS,
            message: D::message::<H, K>,
            system: D::write_system::<H, K>,
            tools: D::write_tools::<H, K>,
            choice: D::write_choice::<H, K>,
        }
    }
}
