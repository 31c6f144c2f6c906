//! Declares the keys of OpenTelemetry.

pub(super) use crate::k::*;

use crate::value::door::keys;

keys! {
    INPUT_MESSAGES = "gen_ai.input.messages";
    OUTPUT_MESSAGES = "gen_ai.output.messages";
    SYSTEM_INSTRUCTIONS = "gen_ai.system_instructions";
    TOOL_DEFINITIONS = "gen_ai.tool.definitions";
    TOOL_CALL_RESPONSE = "tool_call_response";
    BUILTIN = "builtin";
    BLOB = "blob";
    MODALITY = "modality";
}
