//! Declares the keys of histories.

use crate::value::door::keys;

keys! {
    ID = "id";
    ROLE = "role";
    CONTENT = "content";
    TYPE = "type";
    TEXT = "text";
    TOOL_USE = "tool_use";
    TOOL_RESULT = "tool_result";
    TOOL_USE_ID = "tool_use_id";
    TOOL_NAME = "tool_name";
    IS_ERROR = "is_error";
    NAME = "name";
    INPUT = "input";
    ARGUMENTS = "arguments";
    FUNCTION = "function";
    TOOL_CALLS_CAMEL = "toolCalls";
    TOOL_CALLS_SNAKE = "tool_calls";
    IMAGE = "image";
    SOURCE = "source";
    BASE64 = "base64";
    MEDIA_TYPE = "media_type";
    DATA = "data";
    URL = "url";
    SYSTEM = "system";
    USER = "user";
    ASSISTANT = "assistant";
    TOOL = "tool";
    UNKNOWN = "unknown";
}
