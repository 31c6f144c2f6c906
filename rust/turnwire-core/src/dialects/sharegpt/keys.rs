//! Declares the keys of ShareGPT.

use crate::value::door::keys;

keys! {
    CONVERSATIONS = "conversations";
    SYSTEM = "system";
    TOOLS = "tools";
    FROM = "from";
    ROLE = "role";
    VALUE = "value";
    HUMAN = "human";
    GPT = "gpt";
    FUNCTION_CALL = "function_call";
    OBSERVATION = "observation";
    TEXT = "text";
}
