//! A user message as the model reads it: its context in marked entries, then the prompt (spec 000, section 8).

use super::user::UserMessage;
use crate::{
    model::REDACTED_RESULT,
    report::Error,
    text::{Units, replace_surrogates},
    value::{Host, Text},
};

/// The text before a prompt that has context.
pub const USER_ENTRY_START_HEADER: &str = "--- USER MESSAGE BEGIN ---\n";
/// The text after a prompt that has context.
pub const USER_ENTRY_END_HEADER: &str = "--- USER MESSAGE END ---\n\n";
/// The text before an entry of context.
pub const CONTEXT_ENTRY_START_HEADER: &str = "--- CONTEXT ENTRY BEGIN ---\n";
/// The text after an entry of context.
pub const CONTEXT_ENTRY_END_HEADER: &str = "--- CONTEXT ENTRY END ---\n\n";

impl<H: Host> UserMessage<H> {
    /// The message with its context: the time, the additional context, the prompt between markers. Only the prompt if
    /// there is no context. Trimmed at both ends. A prompt that needs none of this is returned as the same handle.
    ///
    /// An empty list of results without a prompt reads [`REDACTED_RESULT`].
    pub fn content_with_context(&self) -> Result<Text<H>, Error> {
        let redacted = Text::own(REDACTED_RESULT);
        let prompt = if self.is_redacted() { Some(&redacted) } else { self.content.prompt() };
        let time = self.time_entry();
        match prompt {
            Some(prompt) if time.is_empty() && self.additional_context.is_empty() && is_trimmed(prompt) => {
                return Ok(prompt.share());
            }
            _ => {}
        }

        let mut all = time.into_bytes();
        if !self.additional_context.is_empty() {
            all.extend_from_slice(&self.additional_context.wtf8(None));
            all.extend_from_slice(b"\n\n");
        }
        let context = !all.is_empty();
        if let Some(prompt) = prompt {
            let prompt = prompt.wtf8(None);
            if context {
                for piece in [USER_ENTRY_START_HEADER.as_bytes(), &prompt, b"\n", USER_ENTRY_END_HEADER.as_bytes()] {
                    all.extend_from_slice(piece);
                }
            } else {
                all.extend_from_slice(&prompt);
            }
        }
        H::text(trim(&all))
    }

    /// Whether it is an empty list of results without a prompt, which a fixed text replaces.
    fn is_redacted(&self) -> bool {
        matches!(self.content.tool_use_results(), Some([])) && self.content.prompt().is_none_or(Text::is_empty)
    }

    /// How many bytes its context adds to the prompt and the additional context at most.
    pub(super) fn context_overhead(&self) -> usize {
        let time = self.time_entry().len();
        let additional = if self.additional_context.is_empty() { 0 } else { 2 };
        let markers = if time + additional > 0 && (self.content.prompt().is_some() || self.is_redacted()) {
            USER_ENTRY_START_HEADER.len() + 1 + USER_ENTRY_END_HEADER.trim_end().len()
        } else {
            0
        };
        time + additional + markers
    }

    fn time_entry(&self) -> String {
        self.timestamp.map_or_else(String::new, |moment| {
            let weekday = moment.weekday();
            format!("{CONTEXT_ENTRY_START_HEADER}Current time: {weekday}, {moment}\n{CONTEXT_ENTRY_END_HEADER}")
        })
    }
}

/// WTF-8 without white space at its ends.
fn trim(wtf8: &[u8]) -> &[u8] {
    // U+FFFD is as long as the surrogate that it replaces, so offsets are the same in both.
    let text = replace_surrogates(wtf8);
    let start = text.len() - text.trim_start().len();
    wtf8.get(start..text.trim_end().len()).unwrap_or_default()
}

/// Whether a text neither begins nor ends with white space. Looks only at its ends.
fn is_trimmed<H: Host>(text: &Text<H>) -> bool {
    let held;
    let units = if let Text::Host(text) = text {
        H::units(text)
    } else {
        held = text.wtf8(None);
        Units::Utf8(&held)
    };
    let white = |unit: u32| char::from_u32(unit).is_some_and(char::is_whitespace);
    match units {
        Units::Ascii(text) => text.trim().len() == text.len(),
        Units::Utf8(bytes) => {
            // A character takes at most four bytes, and half of one reads as U+FFFD, which is not white space.
            let most = bytes.len().min(4);
            let (start, end) = (&bytes[..most], &bytes[bytes.len() - most..]);
            let (start, end) = (String::from_utf8_lossy(start), String::from_utf8_lossy(end));
            !start.starts_with(char::is_whitespace) && !end.ends_with(char::is_whitespace)
        }
        Units::Latin1(units) => ![units.first(), units.last()].iter().flatten().any(|unit| white(u32::from(**unit))),
        Units::Ucs2(units) => ![units.first(), units.last()].iter().flatten().any(|unit| white(u32::from(**unit))),
        Units::Ucs4(units) => ![units.first(), units.last()].iter().flatten().any(|unit| white(**unit)),
    }
}
