//! Items by their types: who says what nobody else knows, and what their ids look like.

use crate::turn::Role;

/// Who says an item that only this API knows. What clients give back to hosted tools belongs to the run of items around it,
/// between the calls and their results, so it is the assistant's, too.
pub(super) fn speaker(kind: &str) -> Role {
    match kind {
        "additional_tools" | "configuration_update" => Role::Developer,
        "mcp_approval_response" | "compaction_trigger" => Role::User,
        _ => Role::Assistant,
    }
}

/// Whether the client is to answer an item of this type, other than a call of its own tools.
pub(super) fn asks_the_client(kind: &str) -> bool {
    matches!(
        kind,
        "mcp_approval_request"
            | "computer_call"
            | "local_shell_call"
            | "shell_call"
            | "apply_patch_call"
            | "tool_search_call"
    )
}

/// Whether an item of this type may have this id: servers look at how it begins, and at what it is made of.
pub(super) fn fits(kind: &str, id: &str) -> bool {
    let begins = match kind {
        "message" => "msg",
        "function_call" => "fc",
        "reasoning" => "rs",
        _ => "",
    };
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    id.starts_with(begins) && (1..=64).contains(&id.len()) && id.bytes().all(plain)
}

/// An id that is left among the keys that nobody took does not fit its item.
pub(super) fn no_id(_: &str) -> bool {
    false
}
