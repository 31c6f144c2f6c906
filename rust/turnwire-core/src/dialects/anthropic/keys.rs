//! Declares the keys of Anthropic Messages.

use crate::value::door::keys;

keys! {
    SYSTEM = "system";
    MESSAGES = "messages";
    TOOLS = "tools";
    TOOL_CHOICE = "tool_choice";
    THREAD = "thread";
    CACHE_CONTROL = "cache_control";
    DEFER_LOADING = "defer_loading";
    DISABLE_PARALLEL_TOOL_USE = "disable_parallel_tool_use";
    EPHEMERAL = "ephemeral";
    ROLE = "role";
    CONTENT = "content";
    TYPE = "type";
    TEXT = "text";
    THINKING = "thinking";
    SIGNATURE = "signature";
    DATA = "data";
    TOOL_USE = "tool_use";
    TOOL_RESULT = "tool_result";
    TOOL_USE_ID = "tool_use_id";
    IS_ERROR = "is_error";
    ID = "id";
    NAME = "name";
    INPUT = "input";
    IMAGE = "image";
    DOCUMENT = "document";
    TITLE = "title";
    SOURCE = "source";
    BASE64 = "base64";
    MEDIA_TYPE = "media_type";
    URL = "url";
    FILE_ID = "file_id";
    PLAIN = "text/plain";
    DESCRIPTION = "description";
    INPUT_SCHEMA = "input_schema";
    FUNCTION = "function";
    PARAMETERS = "parameters";
    USER = "user";
    ASSISTANT = "assistant";
    AUTO = "auto";
    ANY = "any";
    TOOL = "tool";
    NONE = "none";
    // Around a reply.
    STOP_SEQUENCE = "stop_sequence";
    MESSAGE = "message";
    MODEL = "model";
    STOP_REASON = "stop_reason";
    USAGE = "usage";
    STOP_DETAILS = "stop_details";
    EXPLANATION = "explanation";
    ERROR = "error";
    INPUT_TOKENS = "input_tokens";
    OUTPUT_TOKENS = "output_tokens";
    CACHE_CREATION_INPUT_TOKENS = "cache_creation_input_tokens";
    CACHE_READ_INPUT_TOKENS = "cache_read_input_tokens";
    OUTPUT_TOKENS_DETAILS = "output_tokens_details";
    THINKING_TOKENS = "thinking_tokens";
    // In streams.
    INDEX = "index";
    CONTENT_BLOCK = "content_block";
    DELTA = "delta";
    PARTIAL_JSON = "partial_json";
}
