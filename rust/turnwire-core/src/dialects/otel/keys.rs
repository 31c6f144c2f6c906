//! Declares the keys of OpenTelemetry.

use crate::value::door::keys;

keys! {
    INPUT_MESSAGES = "gen_ai.input.messages";
    OUTPUT_MESSAGES = "gen_ai.output.messages";
    SYSTEM_INSTRUCTIONS = "gen_ai.system_instructions";
    TOOL_DEFINITIONS = "gen_ai.tool.definitions";
    ROLE = "role";
    PARTS = "parts";
    TYPE = "type";
    TEXT = "text";
    CONTENT = "content";
    REASONING = "reasoning";
    TOOL_CALL = "tool_call";
    TOOL_CALL_RESPONSE = "tool_call_response";
    ID = "id";
    NAME = "name";
    ARGUMENTS = "arguments";
    RESPONSE = "response";
    RESULT = "result";
    BUILTIN = "builtin";
    BLOB = "blob";
    URI = "uri";
    MODALITY = "modality";
    MIME_TYPE = "mime_type";
    MEDIA_TYPE = "media_type";
    FILE_ID = "file_id";
    URL = "url";
    IMAGE = "image";
    AUDIO = "audio";
    VIDEO = "video";
    DOCUMENT = "document";
    FUNCTION = "function";
    DESCRIPTION = "description";
    PARAMETERS = "parameters";
    SYSTEM = "system";
    DEVELOPER = "developer";
    USER = "user";
    ASSISTANT = "assistant";
    TOOL = "tool";
}
