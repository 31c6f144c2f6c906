//! Declares the keys of Gemini Interactions.

pub(super) use crate::k::*;

use crate::value::door::keys;

keys! {
    GENERATION_CONFIG = "generation_config";
    PREVIOUS_INTERACTION_ID = "previous_interaction_id";
    CONTINUATION_TOKEN = "continuation_token";
    USER_INPUT = "user_input";
    MODEL_OUTPUT = "model_output";
    FUNCTION_RESULT = "function_result";
    // Around a reply.
    STEPS = "steps";
    ERRORS = "errors";
    INPUT_TOKENS = "total_input_tokens";
    OUTPUT_TOKENS = "total_output_tokens";
    THOUGHT_TOKENS = "total_thought_tokens";
    CACHED_TOKENS = "total_cached_tokens";
    // In streams.
    EVENT_TYPE = "event_type";
    STEP = "step";
}
