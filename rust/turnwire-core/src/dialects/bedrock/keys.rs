//! Declares the keys of Bedrock Converse.

pub(super) use crate::k::*;

use crate::value::door::keys;

keys! {
    TOOL_CONFIG = "toolConfig";
    TOOL_CHOICE = "toolChoice";
    CACHE_POINT = "cachePoint";
    DEFAULT = "default";
    S3_LOCATION = "s3Location";
    TOOL_USE = "toolUse";
    TOOL_RESULT = "toolResult";
    TOOL_USE_ID = "toolUseId";
    REASONING_CONTENT = "reasoningContent";
    REASONING_TEXT = "reasoningText";
    REDACTED_CONTENT = "redactedContent";
    GUARD_CONTENT = "guardContent";
    CITATIONS_CONTENT = "citationsContent";
    INPUT_SCHEMA = "inputSchema";
    // Around a reply.
    METRICS = "metrics";
    STOP_REASON = "stopReason";
    INPUT_TOKENS = "inputTokens";
    OUTPUT_TOKENS = "outputTokens";
    CACHE_READ_INPUT_TOKENS = "cacheReadInputTokens";
    // In streams.
    MESSAGE_START = "messageStart";
    CONTENT_BLOCK_START = "contentBlockStart";
    CONTENT_BLOCK_DELTA = "contentBlockDelta";
    CONTENT_BLOCK_STOP = "contentBlockStop";
    MESSAGE_STOP = "messageStop";
    CONTENT_BLOCK_INDEX = "contentBlockIndex";
}
