//! Lists the texts that grow in a streamed Responses reply, with their events and keys.

use super::super::keys as k;
use crate::value::{Key, door::keys};

keys! {
    MCP_CALL = "mcp_call";
    CODE_INTERPRETER_CALL = "code_interpreter_call";
}

/// A text that comes in pieces.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Growth {
    Text,
    Refusal,
    Thought,
    Summary,
    Arguments,
    McpArguments,
    Input,
    Code,
}

impl Growth {
    /// The text that an event is about, and whether the event has the whole text.
    pub(crate) fn of(event: &str) -> Option<(Self, bool)> {
        let event = event.strip_prefix("response.")?;
        let (name, whole) = match event.strip_suffix(".delta") {
            Some(name) => (name, false),
            None => (event.strip_suffix(".done")?, true),
        };
        let growth = match name {
            "output_text" => Self::Text,
            "refusal" => Self::Refusal,
            "reasoning_text" => Self::Thought,
            "reasoning_summary_text" => Self::Summary,
            "function_call_arguments" => Self::Arguments,
            "mcp_call_arguments" => Self::McpArguments,
            "custom_tool_call_input" => Self::Input,
            "code_interpreter_call_code" => Self::Code,
            _ => return None,
        };
        Some((growth, whole))
    }

    /// The type of its item.
    pub(crate) fn item(self) -> &'static Key {
        match self {
            Self::Text | Self::Refusal => &k::MESSAGE,
            Self::Thought | Self::Summary => &k::REASONING,
            Self::Arguments => &k::FUNCTION_CALL,
            Self::McpArguments => &MCP_CALL,
            Self::Input => &k::CUSTOM_TOOL_CALL,
            Self::Code => &CODE_INTERPRETER_CALL,
        }
    }

    /// The list that holds its part; `None` for the item's own text.
    pub(crate) fn list(self) -> Option<&'static Key> {
        match self {
            Self::Text | Self::Refusal | Self::Thought => Some(&k::CONTENT),
            Self::Summary => Some(&k::SUMMARY),
            Self::Arguments | Self::McpArguments | Self::Input | Self::Code => None,
        }
    }

    /// The key of the number of its part.
    pub(crate) fn number(self) -> &'static Key {
        if self == Self::Summary { &k::SUMMARY_INDEX } else { &k::CONTENT_INDEX }
    }

    /// The type of its part.
    pub(crate) fn part(self) -> &'static Key {
        match self {
            Self::Refusal => &k::REFUSAL,
            Self::Thought => &k::REASONING_TEXT,
            Self::Summary => &k::SUMMARY_TEXT,
            _ => &k::OUTPUT_TEXT,
        }
    }

    /// The key of the text: in its part or item, and in the event that has the whole text.
    pub(crate) fn text(self) -> &'static Key {
        match self {
            Self::Text | Self::Thought | Self::Summary => &k::TEXT,
            Self::Refusal => &k::REFUSAL,
            Self::Arguments | Self::McpArguments => &k::ARGUMENTS,
            Self::Input => &k::INPUT,
            Self::Code => &k::CODE,
        }
    }

    /// The key that grows in an item of a type.
    pub(crate) fn in_item(kind: &str) -> Option<&'static Key> {
        let all = [Self::Arguments, Self::McpArguments, Self::Input, Self::Code];
        all.into_iter().find(|growth| growth.item().name == kind).map(Self::text)
    }
}
