//! Declares the keys of Anthropic Messages.

pub(super) use crate::k::*;

use crate::value::door::keys;

keys! {
    THREAD = "thread";
    DEFER_LOADING = "defer_loading";
    DISABLE_PARALLEL_TOOL_USE = "disable_parallel_tool_use";
    EPHEMERAL = "ephemeral";
    PLAIN = "text/plain";
    OUTPUT_CONFIG = "output_config";
    // Around a reply.
    STOP_SEQUENCE = "stop_sequence";
    STOP_REASON = "stop_reason";
    STOP_DETAILS = "stop_details";
    EXPLANATION = "explanation";
    CACHE_CREATION_INPUT_TOKENS = "cache_creation_input_tokens";
    CACHE_READ_INPUT_TOKENS = "cache_read_input_tokens";
    THINKING_TOKENS = "thinking_tokens";
    // In streams.
    CONTENT_BLOCK = "content_block";
    PARTIAL_JSON = "partial_json";
}
