//! Declares the keys of Gemini.

pub(super) use crate::k::*;

use crate::value::door::keys;

keys! {
    SYSTEM_INSTRUCTION = "systemInstruction";
    SYSTEM_INSTRUCTION_SNAKE = "system_instruction";
    TOOL_CONFIG = "toolConfig";
    TOOL_CONFIG_SNAKE = "tool_config";
    FUNCTION_CALLING_CONFIG = "functionCallingConfig";
    FUNCTION_CALLING_CONFIG_SNAKE = "function_calling_config";
    ALLOWED_FUNCTION_NAMES = "allowedFunctionNames";
    VALIDATED = "VALIDATED";
    ALLOWED_FUNCTION_NAMES_SNAKE = "allowed_function_names";
    FUNCTION_DECLARATIONS = "functionDeclarations";
    FUNCTION_DECLARATIONS_SNAKE = "function_declarations";
    PARAMETERS_JSON_SCHEMA = "parametersJsonSchema";
    PARAMETERS_JSON_SCHEMA_SNAKE = "parameters_json_schema";
    THOUGHT_SIGNATURE = "thoughtSignature";
    THOUGHT_SIGNATURE_SNAKE = "thought_signature";
    FUNCTION_CALL = "functionCall";
    FUNCTION_CALL_SNAKE = "function_call";
    FUNCTION_RESPONSE = "functionResponse";
    FUNCTION_RESPONSE_SNAKE = "function_response";
    INLINE_DATA = "inlineData";
    INLINE_DATA_SNAKE = "inline_data";
    FILE_DATA = "fileData";
    FILE_DATA_SNAKE = "file_data";
    MIME_TYPE = "mimeType";
    MIME_TYPE_SNAKE = "mime_type";
    FILE_URI = "fileUri";
    FILE_URI_SNAKE = "file_uri";
    DISPLAY_NAME = "displayName";
    DISPLAY_NAME_SNAKE = "display_name";
    AUTO = "AUTO";
    ANY = "ANY";
    NONE = "NONE";
    // Around a reply.
    CANDIDATES = "candidates";
    FINISH_REASON = "finishReason";
    FINISH_REASON_SNAKE = "finish_reason";
    PROMPT_FEEDBACK = "promptFeedback";
    PROMPT_FEEDBACK_SNAKE = "prompt_feedback";
    USAGE = "usageMetadata";
    USAGE_SNAKE = "usage_metadata";
    PROMPT_TOKENS = "promptTokenCount";
    CANDIDATES_TOKENS = "candidatesTokenCount";
    THOUGHTS_TOKENS = "thoughtsTokenCount";
    CACHED_TOKENS = "cachedContentTokenCount";
    TOTAL_TOKENS = "totalTokenCount";
    // In streams.
    RESPONSE_ID = "responseId";
    MODEL_VERSION = "modelVersion";
    WILL_CONTINUE = "willContinue";
    WILL_CONTINUE_SNAKE = "will_continue";
}
