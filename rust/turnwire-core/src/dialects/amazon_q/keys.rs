//! Declares the keys of Amazon Q.

pub(super) use crate::k::*;

use crate::value::door::keys;

keys! {
    USER_MESSAGE = "userInputMessage";
    ASSISTANT_MESSAGE = "assistantResponseMessage";
    CONTEXT = "userInputMessageContext";
    TOOL_RESULTS = "toolResults";
    TOOL_USES = "toolUses";
    TOOL_USE_ID = "toolUseId";
    ENV_STATE = "envState";
    OPERATING_SYSTEM = "operatingSystem";
    WORKING_DIRECTORY = "currentWorkingDirectory";
}
