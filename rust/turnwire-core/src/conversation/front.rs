//! What a caller gives beside a conversation: system text and tools that go before those which it brings.

use std::sync::Arc;

use super::{Conversation, System};
use crate::{
    dialect_id::DialectId,
    handle::{Host, Raw, Text},
    part::Parts,
    tool::Tool,
};

/// What goes in front.
#[derive(Debug)]
pub struct Front<H: Host> {
    /// System text.
    pub system: Parts<H>,
    /// Tool definitions. They need no input.
    pub tools: Vec<Tool<H>>,
    /// The dialect that the tools were read from.
    pub tools_from: DialectId,
}

impl<H: Host> Conversation<H> {
    /// The same turns behind what is given. Of two tools of one name, the given one stands.
    #[must_use]
    pub fn fronted(&self, front: Front<H>) -> Self {
        let mut conversation = self.share();
        if front.system.is_empty() && front.tools.is_empty() {
            return conversation;
        }
        let mut frame = self.frame.map(&mut Text::share, &mut Raw::share);
        let bare = frame.system.is_none() && frame.tools.is_none() && frame.choice.is_none();
        if !front.system.is_empty() {
            let brought = frame.system.take().map(|system| system.parts).into_iter().flatten();
            frame.system = Some(System { parts: front.system.into_iter().chain(brought).collect(), origin: None });
        }
        if !front.tools.is_empty() {
            // Wire values of tools are good in one dialect only: in that of the frame.
            if bare && front.tools_from != DialectId::NONE && front.tools_from != frame.from {
                frame.from = front.tools_from;
                // The list as a whole is not the frame's any more; each turn still knows its own dialect.
                conversation.list_origin = None;
            }
            let own = frame.from.same_wire(front.tools_from);
            let mut tools = front.tools;
            for tool in tools.iter_mut().filter(|tool| !own && !tool.by_provider) {
                tool.origin = None;
            }
            let given: Vec<_> = tools.iter().map(|tool| tool.name.wtf8(None).into_owned()).collect();
            let input = frame.input.clone();
            let brought = frame.tools.take().into_iter().flatten();
            tools.extend(brought.filter(|tool| !given.iter().any(|name| **name == *tool.name.wtf8(input.as_ref()))));
            (frame.tools, frame.tools_origin) = (Some(tools), None);
        }
        conversation.frame = Arc::new(frame);
        conversation
    }
}
