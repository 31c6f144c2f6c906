//! Declares the keys of the AI SDK's UI.

use crate::value::door::keys;

keys! {
    ID = "id";
    ROLE = "role";
    PARTS = "parts";
    TYPE = "type";
    TEXT = "text";
    FILE = "file";
    URL = "url";
    MEDIA_TYPE = "mediaType";
    FILENAME = "filename";
    STEP_START = "step-start";
    DYNAMIC_TOOL = "dynamic-tool";
    TOOL_NAME = "toolName";
    TOOL_CALL_ID = "toolCallId";
    TOOL_INVOCATION = "toolInvocation";
    STATE = "state";
    INPUT = "input";
    RAW_INPUT = "rawInput";
    OUTPUT = "output";
    ERROR_TEXT = "errorText";
    APPROVAL = "approval";
    REASON = "reason";
    PROVIDER_EXECUTED = "providerExecuted";
    PROVIDER_METADATA = "providerMetadata";
    CALL_METADATA = "callProviderMetadata";
    OUTPUT_AVAILABLE = "output-available";
    OUTPUT_ERROR = "output-error";
    OUTPUT_DENIED = "output-denied";
    SYSTEM = "system";
    USER = "user";
    ASSISTANT = "assistant";
    METADATA = "metadata";
    REASONING = "reasoning";
    MESSAGE_ID = "messageId";
    // Around a reply.
    CACHE_WRITE = "cacheWriteTokens";
    USAGE = "usage";
    INPUT_TOKENS = "inputTokens";
    OUTPUT_TOKENS = "outputTokens";
    CACHED = "cachedInputTokens";
    REASONING_TOKENS = "reasoningTokens";
    INPUT_DETAILS = "inputTokenDetails";
    OUTPUT_DETAILS = "outputTokenDetails";
    CACHE_READ = "cacheReadTokens";
    FAILED = "error";
    RESPONSE_MESSAGE = "responseMessage";
    FINISH_REASON = "finishReason";
    IS_ABORTED = "isAborted";
    // In streams.
    START = "start";
    FINISH = "finish";
    START_STEP = "start-step";
    FINISH_STEP = "finish-step";
    TEXT_START = "text-start";
    TEXT_DELTA = "text-delta";
    TEXT_END = "text-end";
    REASONING_START = "reasoning-start";
    REASONING_DELTA = "reasoning-delta";
    REASONING_END = "reasoning-end";
    INPUT_START = "tool-input-start";
    INPUT_DELTA = "tool-input-delta";
    INPUT_AVAILABLE = "tool-input-available";
    INPUT_ERROR = "tool-input-error";
    DELTA = "delta";
    INPUT_TEXT = "inputTextDelta";
    MESSAGE_METADATA = "messageMetadata";
}
