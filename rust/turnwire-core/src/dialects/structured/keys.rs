//! Declares the keys of structured prompts.

pub(super) use crate::k::*;

use crate::value::door::keys;

keys! {
    GEMINI = "gemini";
    CHATGPT = "chatgpt";
    UNKNOWN_TOOL = "unknown_tool";
}
