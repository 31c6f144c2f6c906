//! How arguments of calls are written.

use crate::value::{
    ArgsState, Host, Input, Text,
    door::keys,
    json::read::{args_state, is_json, says_no_args},
};

keys! {
    NULL = "null";
}

/// How arguments are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgsForm {
    /// As a JSON object; anything else is a loss.
    Object,
    /// As JSON text, which may be any text.
    Text,
    /// As a JSON object, or as text if they are not an object.
    Either,
    /// As JSON text, which may be any text. The format's own objects are accepted too.
    TextOrObject,
    /// As the JSON text of an object; anything else is a loss.
    ObjectText,
    /// The same, but the server itself writes the text `null` for no arguments, and takes it back.
    ObjectOrNullText,
    /// As the JSON text of any value; text that is not JSON is a loss.
    JsonText,
}

impl ArgsForm {
    /// Whether argument text of the target's own format may be sent back.
    #[must_use]
    pub fn replays_text<H: Host>(self, text: &Text<H>, input: Option<&Input>) -> bool {
        self.allows_text(text, input)
            || self == Self::ObjectOrNullText && text.wtf8(input).trim_ascii() == NULL.name.as_bytes()
    }

    /// Whether argument text is sent as it is.
    #[must_use]
    pub fn allows_text<H: Host>(self, text: &Text<H>, input: Option<&Input>) -> bool {
        match self {
            Self::Text | Self::Either | Self::TextOrObject => true,
            Self::Object => false,
            Self::ObjectText | Self::ObjectOrNullText => {
                let text = text.wtf8(input);
                !says_no_args(&text) && args_state(&text) == ArgsState::Object
            }
            Self::JsonText => is_json(&text.wtf8(input)),
        }
    }
}
