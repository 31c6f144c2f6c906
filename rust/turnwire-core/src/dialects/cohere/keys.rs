//! Declares the keys of Cohere.

use crate::value::door::keys;

keys! {
    TOOL_PLAN = "tool_plan";
    DOCUMENT = "document";
    DATA = "data";
    MUST = "REQUIRED";
    NEVER = "NONE";
    TOKENS = "tokens";
    BILLED_UNITS = "billed_units";
    INPUT_TOKENS = "input_tokens";
    OUTPUT_TOKENS = "output_tokens";
}
