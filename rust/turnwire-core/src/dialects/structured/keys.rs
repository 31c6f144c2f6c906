//! Declares the keys of structured prompts.

use crate::value::door::keys;

keys! {
    ROLE = "role";
    CONTENT = "content";
    TYPE = "type";
    NAME = "name";
    ARGUMENTS = "arguments";
    TOOL_CALL_ID = "tool_call_id";
    TEXT = "text";
    TOOL_CALL = "tool_call";
    TOOL_RESULT = "tool_result";
    SYSTEM = "system";
    USER = "user";
    GEMINI = "gemini";
    CHATGPT = "chatgpt";
    TOOL = "tool";
    UNKNOWN = "unknown";
    UNKNOWN_TOOL = "unknown_tool";
}
