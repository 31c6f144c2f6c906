//! Declares the keys of Gemini Interactions.

use crate::value::door::keys;

keys! {
    SYSTEM_INSTRUCTION = "system_instruction";
    INPUT = "input";
    TOOLS = "tools";
    GENERATION_CONFIG = "generation_config";
    TOOL_CHOICE = "tool_choice";
    PREVIOUS_INTERACTION_ID = "previous_interaction_id";
    CONTINUATION_TOKEN = "continuation_token";
    TYPE = "type";
    ROLE = "role";
    CONTENT = "content";
    USER_INPUT = "user_input";
    MODEL_OUTPUT = "model_output";
    THOUGHT = "thought";
    SIGNATURE = "signature";
    SUMMARY = "summary";
    FUNCTION_CALL = "function_call";
    FUNCTION_RESULT = "function_result";
    ID = "id";
    CALL_ID = "call_id";
    NAME = "name";
    ARGUMENTS = "arguments";
    RESULT = "result";
    IS_ERROR = "is_error";
    TEXT = "text";
    IMAGE = "image";
    AUDIO = "audio";
    VIDEO = "video";
    DOCUMENT = "document";
    DATA = "data";
    URI = "uri";
    MIME_TYPE = "mime_type";
    FUNCTION = "function";
    DESCRIPTION = "description";
    PARAMETERS = "parameters";
    ALLOWED_TOOLS = "allowed_tools";
    MODE = "mode";
    AUTO = "auto";
    ANY = "any";
    NONE = "none";
    EMPTY = "";
    // Around a reply.
    OUTPUTS = "outputs";
    INTERACTION = "interaction";
    CODE = "code";
    MESSAGE = "message";
    OBJECT = "object";
    STATUS = "status";
    STEPS = "steps";
    USAGE = "usage";
    ERROR = "error";
    ERRORS = "errors";
    INPUT_TOKENS = "total_input_tokens";
    OUTPUT_TOKENS = "total_output_tokens";
    THOUGHT_TOKENS = "total_thought_tokens";
    CACHED_TOKENS = "total_cached_tokens";
    TOTAL_TOKENS = "total_tokens";
    // In streams.
    EVENT_TYPE = "event_type";
    INDEX = "index";
    STEP = "step";
    DELTA = "delta";
}
