//! Declares the keys of Amazon Q.

use crate::value::door::keys;

keys! {
    USER_MESSAGE = "userInputMessage";
    ASSISTANT_MESSAGE = "assistantResponseMessage";
    CONTENT = "content";
    CONTEXT = "userInputMessageContext";
    TOOL_RESULTS = "toolResults";
    IMAGES = "images";
    FORMAT = "format";
    SOURCE = "source";
    BYTES = "bytes";
    MESSAGE_ID = "messageId";
    TOOL_USES = "toolUses";
    TOOL_USE_ID = "toolUseId";
    NAME = "name";
    INPUT = "input";
    STATUS = "status";
    SUCCESS = "success";
    ERROR = "error";
    TEXT = "text";
    JSON = "json";
    TYPE = "type";
    ENV_STATE = "envState";
    OPERATING_SYSTEM = "operatingSystem";
    WORKING_DIRECTORY = "currentWorkingDirectory";
    CONTEXT_TOOLS = "tools";
    MODEL_ID = "modelId";
}
