//! Declares the keys of AG-UI.

pub(super) use crate::k::*;

use crate::value::door::keys;

keys! {
    TOOL_CALLS = "toolCalls";
    TOOL_CALL_ID = "toolCallId";
    ENCRYPTED_VALUE = "encryptedValue";
    ACTIVITY_TYPE = "activityType";
    MIME_TYPE = "mimeType";
    ACTIVITY = "activity";
    THREAD_ID = "threadId";
    RUN_ID = "runId";
    // Around a reply.
    OUTCOME = "outcome";
    INPUT_TOKENS = "inputTokens";
    OUTPUT_TOKENS = "outputTokens";
    TOTAL_TOKENS = "totalTokens";
    REASONING_TOKENS = "reasoningTokens";
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
    ENTITY_ID = "entityId";
    SUBTYPE = "subtype";
    TIMESTAMP = "timestamp";
    REPLACE = "replace";
}
