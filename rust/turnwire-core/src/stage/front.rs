//! The system text and tools that a caller gives beside a conversation. They are put before its own.

use std::sync::Arc;

use crate::{
    detect::{are_tools_of, dialect_of_tool, is_tool_of},
    dialects,
    model::{Conversation, Part, Parts, System, Tool},
    report::Error,
    rules::DialectId,
    value::{HashSet, Host, Input, Raw, Source, Tape, Text},
    wire::read::tools::declares,
};

/// What is put before a conversation.
#[derive(Debug)]
pub struct Front<H: Host> {
    /// System text.
    pub system: Parts<H>,
    /// Tool definitions. They need no input.
    pub tools: Vec<Tool<H>>,
    /// The dialect that the tools were read from.
    pub tools_from: DialectId,
}

impl<H: Host> Front<H> {
    /// No system text and no tools.
    #[must_use]
    pub fn none() -> Self {
        Self { system: Parts::new(), tools: Vec::new(), tools_from: DialectId::NONE }
    }

    /// A copy with shared handles.
    #[must_use]
    pub fn share(&self) -> Self {
        Self {
            system: self.system.iter().map(Part::share).collect(),
            tools: self.tools.iter().map(|tool| tool.map(&mut Text::share, &mut Raw::share)).collect(),
            tools_from: self.tools_from,
        }
    }

    /// Reads system text, and tool definitions from JSON. Tries the target's form first.
    pub fn read(system: &[String], tools: Option<&Input>, target: Option<DialectId>) -> Result<Self, Error> {
        let system = system.iter().map(|text| Part::text(Text::own(text))).collect();
        let Some(input) = tools else { return Ok(Self { system, ..Self::none() }) };
        let tape = Tape::read(input)?;
        let view = tape.view();
        let list = view.root::<H>();
        let (tools, from) = tools_beside(&list, target)?;
        let tools = tools.into_iter();
        let tools =
            tools.map(|tool| tool.map(&mut |text| text.detach(Some(input)), &mut |raw| raw.detach(Some(input))));
        Ok(Self { system, tools: tools.collect(), tools_from: from })
    }
}

/// Tools and their dialect.
pub type Beside<H> = (Vec<Tool<H>>, DialectId);

/// Reads tool definitions that are given beside a payload, and their dialect: the target's, or none. Without one dialect
/// for all, each is read in the one that describes it. A tool that another provider runs, and of which nothing says
/// whose it is, has no wire value and is lost.
pub fn tools_beside<S: Source>(list: &S, target: Option<DialectId>) -> Result<Beside<S::H>, Error> {
    if let Some(own) = target.filter(|target| are_tools_of(list, *target)) {
        return Ok((dialects::registry::read_tools(list, Some(own))?, own));
    }
    // Where one definition says whose it is, and all may be, none is read as another's.
    let whole = list.items().find_map(|element| dialect_of_tool(&element, None));
    let whole = whole.filter(|one| are_tools_of(list, *one));
    let of = |element: &_| whole.or_else(|| dialect_of_tool(element, target));
    let mut tools = dialects::registry::read_mixed_tools(list, of)?;
    if let Some(target) = target {
        // A tool among several in one entry is never the provider's.
        let alone = tools.iter_mut().filter(|tool| tool.inside.is_none());
        let entries = list.items().filter(|entry| !declares(entry));
        for (tool, element) in alone.zip(entries).filter(|(tool, _)| tool.by_provider && tool.of.is_none()) {
            tool.of = is_tool_of(&element, target).then_some(target);
            tool.origin = tool.origin.take().filter(|_| tool.of.is_some());
        }
    }
    Ok((tools, DialectId::NONE))
}

impl<H: Host> Conversation<H> {
    /// The turns with these system texts and tools before their own. If two tools have one name, the given one counts.
    #[must_use]
    pub fn fronted(&self, front: Front<H>) -> Self {
        let mut conversation = self.share();
        if front.system.is_empty() && front.tools.is_empty() {
            return conversation;
        }
        let mut frame = self.frame.map(&mut Text::share, &mut Raw::share);
        let bare = frame.system.is_none() && frame.tools.is_none() && frame.choice.is_none();
        let bare = bare && frame.outer.is_none() && frame.continues.is_none();
        if !front.system.is_empty() {
            let brought = frame.system.take().unwrap_or_else(|| System::of(Parts::new()));
            let parts = front.system.into_iter().chain(brought.parts).collect();
            frame.system = Some(System { parts, origin: None, ..brought });
        }
        if !front.tools.is_empty() {
            // A tool's wire value is valid in one dialect only, which is the frame's, or its own.
            if bare && front.tools_from != DialectId::NONE && front.tools_from != frame.from {
                frame.from = front.tools_from;
                // The list as a whole is no longer the frame's. Each turn still knows its own dialect.
                conversation.list_origin = None;
            }
            let from = Some(front.tools_from).filter(|from| *from != DialectId::NONE && *from != frame.from);
            let mut tools = front.tools;
            for tool in &mut tools {
                tool.of = tool.of.or(from);
                if tool.of.is_none() && front.tools_from == DialectId::NONE && !tool.by_provider {
                    tool.origin = None;
                }
            }
            let given: HashSet<_> = tools.iter().map(|tool| tool.known_as(None)).collect();
            let input = frame.input.clone();
            let brought = frame.tools.take().into_iter().flatten();
            tools.extend(brought.filter(|tool| !given.contains(&tool.known_as(input.as_ref()))));
            (frame.tools, frame.tools_origin) = (Some(tools), None);
            frame.renew();
        }
        conversation.frame = Arc::new(frame);
        conversation
    }
}
