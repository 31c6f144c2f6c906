//! Declares the keys of histories.

pub(super) use crate::k::*;

use crate::value::door::keys;

keys! {
    TOOL_CALLS_CAMEL = "toolCalls";
}
