//! Declares the keys of the AI SDK.

pub(super) use crate::k::*;

use crate::value::door::keys;

keys! {
    MEDIA_TYPE = "mediaType";
    TOOL_CALL = "tool-call";
    TOOL_RESULT = "tool-result";
    TOOL_CALL_ID = "toolCallId";
    TOOL_NAME = "toolName";
    IS_ERROR = "isError";
    PROVIDER_OPTIONS = "providerOptions";
    ERROR_TEXT = "error-text";
    ERROR_JSON = "error-json";
    DENIED = "execution-denied";
    PRELIMINARY = "preliminary";
    APPROVAL_REQUEST = "tool-approval-request";
    APPROVAL_RESPONSE = "tool-approval-response";
    APPROVAL_ID = "approvalId";
    APPROVED = "approved";
    FILE_DATA = "file-data";
    FILE_URL = "file-url";
}
