//! Declares the keys of AG-UI.

use crate::value::door::keys;

keys! {
    MESSAGES = "messages";
    TOOLS = "tools";
    ID = "id";
    ROLE = "role";
    CONTENT = "content";
    NAME = "name";
    TYPE = "type";
    TEXT = "text";
    TOOL_CALLS = "toolCalls";
    TOOL_CALL_ID = "toolCallId";
    FUNCTION = "function";
    ARGUMENTS = "arguments";
    ERROR = "error";
    ENCRYPTED_VALUE = "encryptedValue";
    ACTIVITY_TYPE = "activityType";
    SOURCE = "source";
    VALUE = "value";
    DATA = "data";
    URL = "url";
    FILENAME = "filename";
    MIME_TYPE = "mimeType";
    IMAGE = "image";
    AUDIO = "audio";
    VIDEO = "video";
    DOCUMENT = "document";
    DESCRIPTION = "description";
    PARAMETERS = "parameters";
    SYSTEM = "system";
    DEVELOPER = "developer";
    USER = "user";
    ASSISTANT = "assistant";
    TOOL = "tool";
    REASONING = "reasoning";
    ACTIVITY = "activity";
    THREAD_ID = "threadId";
    RUN_ID = "runId";
    MESSAGE_ID = "messageId";
    DELTA = "delta";
    EMPTY = "";
    // Around a reply.
    OUTCOME = "outcome";
    USAGE = "usage";
    FAILED = "error";
    INPUT_TOKENS = "inputTokens";
    OUTPUT_TOKENS = "outputTokens";
    TOTAL_TOKENS = "totalTokens";
    REASONING_TOKENS = "reasoningTokens";
    CACHED_TOKENS = "cachedInputTokens";
    WRITTEN_TOKENS = "cacheWriteInputTokens";
    // In streams.
    RUN_STARTED = "RUN_STARTED";
    RUN_FINISHED = "RUN_FINISHED";
    RUN_ERROR = "RUN_ERROR";
    TEXT_START = "TEXT_MESSAGE_START";
    TEXT_CONTENT = "TEXT_MESSAGE_CONTENT";
    TEXT_END = "TEXT_MESSAGE_END";
    REASONING_START = "REASONING_START";
    REASONING_MESSAGE_START = "REASONING_MESSAGE_START";
    REASONING_CONTENT = "REASONING_MESSAGE_CONTENT";
    REASONING_MESSAGE_END = "REASONING_MESSAGE_END";
    REASONING_END = "REASONING_END";
    TOOL_START = "TOOL_CALL_START";
    TOOL_ARGS = "TOOL_CALL_ARGS";
    TOOL_END = "TOOL_CALL_END";
    TOOL_NAME = "toolCallName";
    PARENT_ID = "parentMessageId";
    MESSAGE = "message";
    CODE = "code";
    ENTITY_ID = "entityId";
    SUBTYPE = "subtype";
    TIMESTAMP = "timestamp";
    REPLACE = "replace";
}
