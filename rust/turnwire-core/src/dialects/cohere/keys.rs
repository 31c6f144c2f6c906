//! Declares the keys of Cohere.

pub(super) use crate::k::*;

use crate::value::door::keys;

keys! {
    TOOL_PLAN = "tool_plan";
    MUST = "REQUIRED";
    NEVER = "NONE";
    TOKENS = "tokens";
    BILLED_UNITS = "billed_units";
}
