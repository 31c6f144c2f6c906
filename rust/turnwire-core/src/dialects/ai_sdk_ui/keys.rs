//! Declares the keys of the AI SDK's UI.

pub(super) use crate::k::*;

use crate::value::door::keys;

keys! {
    MEDIA_TYPE = "mediaType";
    STEP_START = "step-start";
    DYNAMIC_TOOL = "dynamic-tool";
    TOOL_NAME = "toolName";
    TOOL_CALL_ID = "toolCallId";
    TOOL_INVOCATION = "toolInvocation";
    STATE = "state";
    RAW_INPUT = "rawInput";
    ERROR_TEXT = "errorText";
    APPROVAL = "approval";
    APPROVED = "approved";
    PRELIMINARY = "preliminary";
    PROVIDER_METADATA = "providerMetadata";
    CALL_METADATA = "callProviderMetadata";
    RESULT_METADATA = "resultProviderMetadata";
    OUTPUT_AVAILABLE = "output-available";
    OUTPUT_ERROR = "output-error";
    OUTPUT_DENIED = "output-denied";
    // Around a reply.
    CACHE_WRITE = "cacheWriteTokens";
    INPUT_TOKENS = "inputTokens";
    OUTPUT_TOKENS = "outputTokens";
    REASONING_TOKENS = "reasoningTokens";
    INPUT_DETAILS = "inputTokenDetails";
    OUTPUT_DETAILS = "outputTokenDetails";
    CACHE_READ = "cacheReadTokens";
    RESPONSE_MESSAGE = "responseMessage";
    FINISH_REASON = "finishReason";
    IS_ABORTED = "isAborted";
    // In streams.
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
    INPUT_TEXT = "inputTextDelta";
    MESSAGE_METADATA = "messageMetadata";
}
