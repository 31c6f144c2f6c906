//! Holds a dialect's functions as pointers, so that the code around them is compiled once instead of once for each
//! dialect.
//!
//! They are called once for each turn, message or key of the payload. Code that runs for each key of a message or for
//! each text stays generic.

use super::{
    format::Dialect,
    plan::Message,
    write::{system::SystemText, writer::Writer},
};
use crate::{
    model::{
        conversation::System,
        tool::{Choice, Tool},
        turn::Turn,
    },
    report::{error::Error, path::Trail},
    rules::slots::Slots,
    value::{
        door::{Sink, Source},
        handle::Host,
        tree::Tree,
    },
};

/// How a dialect reads the parts of a payload from one kind of source: see the functions of [`Dialect`].
#[expect(clippy::type_complexity, reason = "each is the signature of one function of `Dialect`")]
pub(crate) struct ReadFns<S: Source> {
    pub(crate) slots: &'static Slots,
    pub(crate) turn: fn(&S, usize, &Trail<'_>, &mut Turn<S::H>) -> Result<(), Error>,
    pub(crate) results_in_text: fn(&mut Turn<S::H>) -> Result<(), Error>,
    pub(crate) system: fn(&S, &'static str) -> Result<System<S::H>, Error>,
    pub(crate) tools: fn(&S, &Trail<'_>) -> Result<Vec<Tool<S::H>>, Error>,
    /// Reads definitions as JSON text. `None` for dialects that never have them.
    pub(crate) tools_of_text: Option<ToolsOfText<S::H>>,
    pub(crate) choice: fn(&S, &Trail<'_>) -> Result<Choice<S::H>, Error>,
}

pub(crate) type ToolsOfText<H> = fn(&Tree<'_, H>, &Trail<'_>) -> Result<Vec<Tool<H>>, Error>;

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
        }
    }
}

/// How a dialect writes the parts of a payload into one kind of sink: see the functions of [`Dialect`].
#[expect(clippy::type_complexity, reason = "each is the signature of one function of `Dialect`")]
pub(crate) struct WriteFns<H: Host, K: Sink<H>> {
    pub(crate) slots: &'static Slots,
    pub(crate) message: fn(&mut Writer<'_, H, K>, &Message<'_, H>) -> Result<(), Error>,
    pub(crate) system: fn(&mut Writer<'_, H, K>, &[SystemText<'_, H>]),
    pub(crate) tools: fn(&mut Writer<'_, H, K>, &[(usize, &Tool<H>)]) -> Result<(), Error>,
    pub(crate) choice: fn(&mut Writer<'_, H, K>, &Choice<H>),
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
