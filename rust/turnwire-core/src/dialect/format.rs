//! What a dialect is: how one wire format is read and written.

use super::{
    DialectId, Signs, WireKeys, limits::Limits, outline::Message, slots::Slots, system::SystemText,
    table::without_replies, tools, write::Writer,
};
use crate::{
    conversation::System,
    error::Error,
    handle::Host,
    loss::Options,
    part::Parts,
    path::{Path, Trail},
    reply::Said,
    stream::Assembly,
    tool::{Choice, ChoiceKind, Tool},
    turn::Turn,
    value::{Key, Sink, Source, tree::Tree},
};

/// One wire format: how its payload is read and written. Stages never see it; it never sees a budget.
pub(crate) trait Dialect {
    /// Its public name.
    const NAME: &'static str;
    /// By what its payloads can be told from others.
    const SIGNS: Signs;
    /// The same of profiles that know more, by their full names: they count where the profile is the target.
    const PROFILE_SIGNS: &'static [(&'static str, Signs)] = &[];
    /// Where the payload keeps what.
    const SLOTS: Slots;
    /// Its limits, by the name of the profile; the first is the format itself and has no name.
    const PROFILES: &'static [(&'static str, Limits)];
    /// Profiles that spell the format in a way of their own: what came in one of them is another format's everywhere else.
    const APART: &'static [&'static str] = &[];
    /// Whether tool definitions are JSON text.
    const TOOLS_AS_TEXT: bool = false;
    /// Whether results are what the user says, which is read so where the caller asks for it.
    const RESULTS_IN_TEXT: bool = false;
    /// Keys that it takes though nothing here looks at them, and keys of its SDK's reply objects, which it refuses.
    const KEYS: WireKeys = WireKeys::ANY;
    /// Keys by which a reply can be told from others: one of these sets is there.
    const REPLY: &'static [&'static [&'static Key]] = &[];
    /// What a streamed reply is put together in.
    type Stream<H: Host>: Assembly<H = H>;

    /// Reads one element of the list into `turn`, which has nothing in it yet but its wire value.
    fn turn<S: Source>(element: &S, index: usize, at: &Trail<'_>, turn: &mut Turn<S::H>) -> Result<(), Error>;
    /// Reads results out of what a user says, where the caller asks for it: anybody can say that.
    fn results_in_text<H: Host>(_: &mut Turn<H>) -> Result<(), Error> {
        Ok(())
    }
    /// Reads top-level system text, which stands at `place`. Only formats with a slot for it are asked.
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
    /// Reads a whole reply.
    fn reply<H: Host>(_: &Tree<'_, H>, _: &mut Said<H>) -> Result<(), Error> {
        Err(without_replies())
    }

    /// Writes one message. What it says is decided: see [`outline`].
    fn message<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, message: &Message<'_, H>) -> Result<(), Error>;
    /// Writes top-level system text, at least one. Only formats with a slot for it are asked.
    fn write_system<H: Host, K: Sink<H>>(_: &mut Writer<'_, H, K>, _: &[SystemText<'_, H>]) {}
    /// Writes the list of tool definitions, each with its index.
    fn write_tools<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, tools: &[(usize, &Tool<H>)]) -> Result<(), Error> {
        let frame = w.conversation.frame;
        let own = frame.from.same_wire(w.target.id);
        w.out.open_list();
        for (index, tool) in tools {
            match &tool.origin {
                Some(origin) if own => w.out.raw(origin),
                _ => Self::write_tool(w, tool, &frame.tool_path(*index))?,
            }
        }
        w.out.close();
        Ok(())
    }
    /// Writes a tool definition that the format can express.
    fn write_tool<H: Host, K: Sink<H>>(_: &mut Writer<'_, H, K>, _: &Tool<H>, _: &Path) -> Result<(), Error> {
        Ok(())
    }
    /// Writes the choice of tools; never an opaque one.
    fn write_choice<H: Host, K: Sink<H>>(_: &mut Writer<'_, H, K>, _: &Choice<H>) {}
}

/// What a payload is written for.
#[derive(Clone, Copy)]
pub(crate) struct Target<'a> {
    pub(crate) id: DialectId,
    pub(crate) limits: &'static Limits,
    pub(crate) options: &'a Options,
}
