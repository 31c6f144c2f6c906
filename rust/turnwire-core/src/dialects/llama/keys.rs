//! Declares the keys of Llama.

use crate::value::door::keys;

keys! {
    ROLE = "role";
    CONTENT = "content";
    TOOL_CALLS = "tool_calls";
    TOOL_CALL_ID = "tool_call_id";
    ID = "id";
    TYPE = "type";
    FUNCTION = "function";
    NAME = "name";
    ARGUMENTS = "arguments";
    SYSTEM = "system";
    USER = "user";
    ASSISTANT = "assistant";
    IPYTHON = "ipython";
}
