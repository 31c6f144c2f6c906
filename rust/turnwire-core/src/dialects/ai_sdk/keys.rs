//! Declares the keys of the AI SDK.

use crate::value::door::keys;

keys! {
    ROLE = "role";
    CONTENT = "content";
    TYPE = "type";
    TEXT = "text";
    IMAGE = "image";
    FILE = "file";
    DATA = "data";
    URL = "url";
    MEDIA_TYPE = "mediaType";
    FILENAME = "filename";
    TOOL_CALL = "tool-call";
    TOOL_RESULT = "tool-result";
    TOOL_CALL_ID = "toolCallId";
    TOOL_NAME = "toolName";
    INPUT = "input";
    ARGS = "args";
    OUTPUT = "output";
    RESULT = "result";
    IS_ERROR = "isError";
    VALUE = "value";
    REASON = "reason";
    PROVIDER_EXECUTED = "providerExecuted";
    PROVIDER_OPTIONS = "providerOptions";
    JSON = "json";
    ERROR_TEXT = "error-text";
    ERROR_JSON = "error-json";
    DENIED = "execution-denied";
    FILE_DATA = "file-data";
    FILE_URL = "file-url";
    SYSTEM = "system";
    USER = "user";
    ASSISTANT = "assistant";
    TOOL = "tool";
}
