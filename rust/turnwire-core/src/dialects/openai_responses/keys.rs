//! Declares the keys of OpenAI Responses.

pub(super) use crate::k::*;

use crate::value::door::keys;

keys! {
    PHASE = "phase";
    INSTRUCTIONS = "instructions";
    PREVIOUS_RESPONSE_ID = "previous_response_id";
    INPUT_TEXT = "input_text";
    OUTPUT_TEXT = "output_text";
    INPUT_IMAGE = "input_image";
    INPUT_FILE = "input_file";
    FILE_URL = "file_url";
    FUNCTION_CALL_OUTPUT = "function_call_output";
    CUSTOM_TOOL_CALL = "custom_tool_call";
    CUSTOM_TOOL_CALL_OUTPUT = "custom_tool_call_output";
    NAMESPACE = "namespace";
    SUMMARY_TEXT = "summary_text";
    REASONING_TEXT = "reasoning_text";
    ENCRYPTED_CONTENT = "encrypted_content";
    // Around a reply.
    PARALLEL_TOOL_CALLS = "parallel_tool_calls";
    MAX_OUTPUT_TOKENS = "max_output_tokens";
    STORE = "store";
    TEMPERATURE = "temperature";
    TOP_P = "top_p";
    COMPLETED = "completed";
    INCOMPLETE = "incomplete";
    INCOMPLETE_DETAILS = "incomplete_details";
    INPUT_TOKENS_DETAILS = "input_tokens_details";
    // In streams.
    ITEM = "item";
    ITEM_ID = "item_id";
    OUTPUT_INDEX = "output_index";
    PART = "part";
    CONTENT_INDEX = "content_index";
    SUMMARY_INDEX = "summary_index";
}
