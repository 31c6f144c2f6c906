//! An event: what a stream has said so far that a program can use at once.

use super::tool::Args;
use crate::report::tool_names::ToolNames;
use crate::value::{
    door::{Key, Sink, keys},
    handle::{Host, Raw, Text},
};

keys! {
    TYPE = "type";
    CONTENT = "content";
    TEXT = "text";
    REASONING = "reasoning";
    TOOL_CALL = "tool_call";
    NAME = "name";
    ARGUMENTS = "arguments";
    TOOL_CALL_ID = "tool_call_id";
}

/// One event. Its handles need no input.
#[derive(Debug)]
pub enum Event<H: Host> {
    /// More text of the answer.
    Text(Text<H>),
    /// More of what the model thinks.
    Reasoning(Text<H>),
    /// A whole call, whose arguments are an object.
    Call {
        /// Its id, where the wire has one.
        id: Option<Text<H>>,
        /// The tool's name.
        name: Text<H>,
        /// Its arguments.
        args: Args<H>,
    },
}

/// What more of a text is to a program.
pub(crate) type Telling<H> = fn(Text<H>) -> Event<H>;

impl<H: Host> Event<H> {
    /// The keys that every event has, for hosts that write them in a way of their own.
    #[must_use]
    pub fn keys() -> [&'static Key; 2] {
        [&TYPE, &CONTENT]
    }

    /// The word for what it is, and the text, where it is no more than that.
    #[must_use]
    pub fn said(&self) -> Option<(&'static Key, &Text<H>)> {
        match self {
            Self::Text(text) => Some((&TEXT, text)),
            Self::Reasoning(text) => Some((&REASONING, text)),
            Self::Call { .. } => None,
        }
    }

    /// Gives a call the name that the caller knows its tool by.
    pub(crate) fn rename(&mut self, names: &ToolNames) {
        if let Self::Call { name, .. } = self
            && let Some(own) = names.own(&name.to_str(None))
        {
            *name = Text::own(own);
        }
    }

    /// Writes it as the one dict that all providers' events become (spec 004).
    pub fn write<K: Sink<H>>(&self, out: &mut K) {
        out.open_map();
        out.key(&TYPE);
        match self {
            Self::Text(text) => said(&TEXT, text, out),
            Self::Reasoning(text) => said(&REASONING, text, out),
            Self::Call { id, name, args } => {
                out.literal(&TOOL_CALL);
                out.key(&CONTENT);
                out.open_map();
                out.key(&NAME);
                out.text(name);
                out.key(&ARGUMENTS);
                match args {
                    Args::Value(value) => out.raw(value),
                    Args::Text(text) => {
                        let _ = out.text_as_raw(text);
                    }
                }
                if let Some(id) = id {
                    out.key(&TOOL_CALL_ID);
                    out.text(id);
                }
                out.close();
            }
        }
        out.close();
    }

    /// Another handle to the same event.
    #[must_use]
    pub fn share(&self) -> Self {
        match self {
            Self::Text(text) => Self::Text(text.share()),
            Self::Reasoning(text) => Self::Reasoning(text.share()),
            Self::Call { id, name, args } => Self::Call {
                id: id.as_ref().map(Text::share),
                name: name.share(),
                args: args.map(&mut Text::share, &mut Raw::share),
            },
        }
    }
}

fn said<H: Host, K: Sink<H>>(kind: &'static Key, text: &Text<H>, out: &mut K) {
    out.literal(kind);
    out.key(&CONTENT);
    out.text(text);
}
