//! Holds the open call of a stream until it is complete, for formats that write a call whole.

use super::text::Words;
use crate::{
    model::Event,
    value::{ArgsState, Host, Text, json::read::args_state},
};

/// A call of which some pieces have come.
pub(crate) struct HeldCall<H: Host> {
    pub(crate) id: Option<Text<H>>,
    pub(crate) name: Text<H>,
    pub(crate) args: Words<H>,
}

impl<H: Host> HeldCall<H> {
    /// Takes an event about a call. Returns the call once it is complete, if its arguments are an object or nothing.
    pub(crate) fn take(held: &mut Option<Self>, event: &Event<H>) -> Option<Self> {
        match event {
            Event::CallBegun { id, name, .. } => {
                let id = id.as_ref().map(Text::share);
                *held = Some(Self { id, name: name.share(), args: Words::default() });
            }
            Event::CallPiece { text, .. } => {
                if let Some(call) = held {
                    call.args.push(text, None);
                }
            }
            Event::CallWhole { text, .. } => {
                if let Some(call) = held {
                    call.args = Words::of(text.share());
                }
            }
            Event::CallEnded { .. } => {
                return held.take().filter(|call| args_state(&call.args.bytes()) == ArgsState::Object);
            }
            _ => {}
        }
        None
    }
}
