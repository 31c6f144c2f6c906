//! Declares the keys of the family.

use crate::value::door::keys;

keys! {
    MESSAGES = "messages";
    TOOLS = "tools";
    TOOL_CHOICE = "tool_choice";
    ROLE = "role";
    CONTENT = "content";
    NAME = "name";
    TYPE = "type";
    TEXT = "text";
    REFUSAL = "refusal";
    IMAGE_URL = "image_url";
    URL = "url";
    DETAIL = "detail";
    TOOL_CALLS = "tool_calls";
    TOOL_CALL_ID = "tool_call_id";
    ID = "id";
    INDEX = "index";
    FUNCTION = "function";
    CUSTOM = "custom";
    INPUT = "input";
    ARGUMENTS = "arguments";
    PARAMETERS = "parameters";
    DESCRIPTION = "description";
    FORMAT = "format";
    SYSTEM = "system";
    DEVELOPER = "developer";
    USER = "user";
    ASSISTANT = "assistant";
    TOOL = "tool";
    AUTO = "auto";
    REQUIRED = "required";
    NONE = "none";
    THINKING = "thinking";
    EMPTY = "";
    // Around a reply.
    OBJECT = "object";
    CREATED = "created";
    MODEL = "model";
    PARAM = "param";
    CODE = "code";
    TOTAL_TOKENS = "total_tokens";
    CHOICES = "choices";
    MESSAGE = "message";
    FINISH_REASON = "finish_reason";
    USAGE = "usage";
    ERROR = "error";
    PROMPT_TOKENS = "prompt_tokens";
    COMPLETION_TOKENS = "completion_tokens";
    PROMPT_TOKENS_DETAILS = "prompt_tokens_details";
    COMPLETION_TOKENS_DETAILS = "completion_tokens_details";
    CACHED_TOKENS = "cached_tokens";
    CACHE_WRITE_TOKENS = "cache_write_tokens";
    REASONING_TOKENS = "reasoning_tokens";
    // In streams.
    DELTA = "delta";
    REASONING_CONTENT = "reasoning_content";
    AUDIO = "audio";
    FUNCTION_CALL = "function_call";
    REASONING = "reasoning";
    REASONING_DETAILS = "reasoning_details";
}
