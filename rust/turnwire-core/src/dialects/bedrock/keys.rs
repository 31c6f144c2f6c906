//! Declares the keys of Bedrock Converse.

use crate::value::door::keys;

keys! {
    SYSTEM = "system";
    MESSAGES = "messages";
    TOOL_CONFIG = "toolConfig";
    TOOLS = "tools";
    TOOL_CHOICE = "toolChoice";
    CACHE_POINT = "cachePoint";
    DEFAULT = "default";
    ROLE = "role";
    CONTENT = "content";
    USER = "user";
    ASSISTANT = "assistant";
    TEXT = "text";
    IMAGE = "image";
    DOCUMENT = "document";
    VIDEO = "video";
    AUDIO = "audio";
    FORMAT = "format";
    NAME = "name";
    SOURCE = "source";
    BYTES = "bytes";
    S3_LOCATION = "s3Location";
    URI = "uri";
    TOOL_USE = "toolUse";
    TOOL_RESULT = "toolResult";
    TOOL_USE_ID = "toolUseId";
    INPUT = "input";
    TYPE = "type";
    STATUS = "status";
    SUCCESS = "success";
    ERROR = "error";
    JSON = "json";
    REASONING_CONTENT = "reasoningContent";
    REASONING_TEXT = "reasoningText";
    SIGNATURE = "signature";
    REDACTED_CONTENT = "redactedContent";
    GUARD_CONTENT = "guardContent";
    CITATIONS = "citations";
    CITATIONS_CONTENT = "citationsContent";
    TOOL_SPEC = "toolSpec";
    FUNCTION = "function";
    DESCRIPTION = "description";
    INPUT_SCHEMA = "inputSchema";
    AUTO = "auto";
    ANY = "any";
    TOOL = "tool";
    // Around a reply.
    METRICS = "metrics";
    OUTPUT = "output";
    MESSAGE = "message";
    STOP_REASON = "stopReason";
    USAGE = "usage";
    INPUT_TOKENS = "inputTokens";
    OUTPUT_TOKENS = "outputTokens";
    CACHE_READ_INPUT_TOKENS = "cacheReadInputTokens";
    CACHE_WRITE_INPUT_TOKENS = "cacheWriteInputTokens";
    // In streams.
    MESSAGE_START = "messageStart";
    CONTENT_BLOCK_START = "contentBlockStart";
    CONTENT_BLOCK_DELTA = "contentBlockDelta";
    CONTENT_BLOCK_STOP = "contentBlockStop";
    MESSAGE_STOP = "messageStop";
    METADATA = "metadata";
    CONTENT_BLOCK_INDEX = "contentBlockIndex";
    START = "start";
    DELTA = "delta";
}
