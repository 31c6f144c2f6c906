//! Declares what a dialect is: its rules, and how it reads and writes one wire format.

use super::{
    plan::Message,
    read::tools,
    response::{FailureWords, draft::Draft, rule::ResponseRule},
    stream::{Assembly, no_replies, out::StreamWriter},
    write::{system::SystemText, writer::Writer},
};
use crate::{
    model::{Choice, ChoiceKind, Frame, Parts, ReplyParts, System, Tool, Turn},
    report::{Error, Path, Trail},
    rules::Rules,
    value::{Host, Sink, Source, Text, Tree, Value},
};

/// One wire format: its rules, and how it is read and written. Stages never see it; it never sees a budget.
pub(crate) trait Dialect: Rules + Read + Write + Reply {}

impl<D: Rules + Read + Write + Reply> Dialect for D {}

/// How a payload is read.
pub(crate) trait Read {
    /// Reads one element of the list into `turn`, which has only its wire value so far.
    fn turn<S: Source>(element: &S, index: usize, at: &Trail<'_>, turn: &mut Turn<S::H>) -> Result<(), Error>;
    /// Reads results from a user's text. Only if the caller asks for it, because any user can write such text.
    fn results_in_text<H: Host>(_: &mut Turn<H>) -> Result<(), Error> {
        Ok(())
    }
    /// Reads top-level system text at `place`. Called only for formats with a slot for it.
    fn system<S: Source>(_: &S, _place: &'static str) -> Result<System<S::H>, Error> {
        Ok(System::of(Parts::new()))
    }
    /// Reads the list of tool definitions.
    fn tools<S: Source>(list: &S, at: &Trail<'_>) -> Result<Vec<Tool<S::H>>, Error> {
        tools::each(list, at, Self::tool)
    }
    /// Reads one tool definition.
    fn tool<S: Source>(tool: &S, at: &Trail<'_>) -> Result<Tool<S::H>, Error> {
        tools::tool(tool, at)
    }
    /// Reads the choice of tools.
    fn choice<S: Source>(choice: &S, _: &Trail<'_>) -> Result<Choice<S::H>, Error> {
        Ok(Choice { kind: ChoiceKind::Opaque, origin: Some(choice.raw()), extras: None, flaw: None })
    }
    /// Settles what only the whole list says of its turns.
    fn settle<H: Host>(_: &mut [Turn<H>], _: &Frame<H>) {}
    /// Whether a turn that was read by itself may be settled by an earlier one.
    fn is_unsettled<H: Host>(_: &Turn<H>) -> bool {
        false
    }
    /// The types of the items that call tools which the provider runs, where only the definitions say so.
    fn hosted<H: Host>(_: &Frame<H>) -> Vec<&'static str> {
        Vec::new()
    }
}

/// How a payload is written.
pub(crate) trait Write {
    /// Writes one message. The plan has decided its content.
    fn message<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, message: &Message<'_, H>) -> Result<(), Error>;
    /// Writes top-level system text, of which there is at least one. Called only for formats with a slot for it.
    fn write_system<H: Host, K: Sink<H>>(_: &mut Writer<'_, '_, H, K>, _: &[SystemText<'_, H>]) {}
    /// Writes the list of tool definitions, each with its index.
    fn write_tools<H: Host, K: Sink<H>>(
        w: &mut Writer<'_, '_, H, K>,
        tools: &[(usize, &Tool<H>)],
    ) -> Result<(), Error> {
        let frame = w.p.conversation.frame;
        w.out.open_list();
        for (index, tool) in tools {
            match &tool.origin {
                Some(origin) if frame.is_own(tool, w.p.target.id) => w.out.raw(origin),
                _ => Self::write_tool(w, tool, &frame.tool_path(*index))?,
            }
        }
        w.out.close();
        Ok(())
    }
    /// Writes a tool definition that the format can express.
    fn write_tool<H: Host, K: Sink<H>>(_: &mut Writer<'_, '_, H, K>, _: &Tool<H>, _: &Path) -> Result<(), Error> {
        Ok(())
    }
    /// Writes the choice of tools, which is never an opaque one.
    fn write_choice<H: Host, K: Sink<H>>(_: &mut Writer<'_, '_, H, K>, _: &Choice<H>) {}
}

/// How a reply is read, whole or streamed, and written.
pub(crate) trait Reply {
    /// How its replies are written around their turns, if they are written at all.
    const RESPONSE: Option<&'static ResponseRule> = None;
    /// Assembles a streamed reply.
    type Stream<H: Host>: Assembly<H = H>;
    /// Writes a streamed reply.
    type Out<H: Host>: StreamWriter<H = H>;

    /// Reads a whole reply.
    fn reply<H: Host>(_: &Tree<'_, H>, _: &mut ReplyParts<H>) -> Result<(), Error> {
        Err(no_replies())
    }
    /// Whether a whole reply is the list of the events of a stream. Others are objects.
    const LISTED: bool = false;
    /// Writes the keys or events of a whole reply around its messages. Called only for formats with a
    /// [`RESPONSE`](Self::RESPONSE).
    fn response<H: Host, K: Sink<H>>(_: Draft<H>, _: &mut K) {}
    /// Writes the keys or events of a response that is an error.
    fn failure<H: Host, K: Sink<H>>(_: &FailureWords<H>, _: &mut K) {}
    /// Writes the keys of a block of a message with another model's reasoning. Called only where [`Thoughts::Block`] says
    /// so.
    fn thought<H: Host, K: Sink<H>>(_: &Text<H>, _: &mut K) {}
    /// A refusal as a block of a message.
    fn refusal<H: Host>(_: Text<H>) -> Option<Value<H>> {
        None
    }
}
