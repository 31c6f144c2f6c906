//! Classifies items by type: their role, their state, and the form of their ids.

use crate::{
    model::{Role, Tie},
    rules::ValueRule,
};

/// The role of an item that only this API knows. A client's output for a hosted tool is part of the run of items
/// between the calls and their results, so it counts as the assistant's too.
pub(super) fn speaker(kind: &str) -> Role {
    match kind {
        "additional_tools" | "configuration_update" => Role::Developer,
        "mcp_approval_response" | "compaction_trigger" => Role::User,
        _ => Role::Assistant,
    }
}

/// Whether the client must answer an item of this type, as it must answer calls of its own tools.
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

/// Who made a call.
pub(super) const CALLER: ValueRule = ValueRule::Fields(&[("type", ValueRule::OneOf(&["direct", "program"]))], &[]);

/// Which part of an answer a message is. By OpenAI's own type it may be `null`.
pub(super) const PHASE: ValueRule = ValueRule::Maybe(&ValueRule::OneOf(&["commentary", "final_answer"]));

/// The state of an item. OpenAI also accepts `null`, which it writes itself, but Azure refuses it.
pub(super) const STATE: ValueRule = ValueRule::OneOf(STATES);
pub(super) const STATES: &[&str] = &["in_progress", "completed", "incomplete"];

/// How an item of this type depends on others.
pub(super) fn tie(kind: &str) -> Tie {
    match kind {
        "item_reference" => Tie::Refers,
        _ if kind.ends_with("_output") => Tie::GivesBack,
        _ => Tie::None,
    }
}

/// Whether this is the type of an item that no message can hold.
pub(super) fn is_item(kind: &str) -> bool {
    matches!(
        kind,
        "function_call"
            | "function_call_output"
            | "custom_tool_call"
            | "custom_tool_call_output"
            | "reasoning"
            | "message"
            | "item_reference"
    )
}

/// Whether this is the type of a part in a message.
pub(super) fn is_part(kind: &str) -> bool {
    matches!(kind, "text" | "input_text" | "input_image" | "input_file" | "output_text" | "refusal")
}

/// The types of provider-run tools that a choice may name; a search preview may have a date.
const CHOSEN: &[&str] = &[
    "apply_patch",
    "code_interpreter",
    "computer",
    "computer_use",
    "computer_use_preview",
    "file_search",
    "image_generation",
    "mcp",
    "programmatic_tool_calling",
    "shell",
    "web_search_preview",
];

/// Whether a choice may name a tool of this type.
pub(super) fn is_tool(kind: &str) -> bool {
    let kind = kind.strip_prefix("web_search_preview").map_or(kind, |_| "web_search_preview");
    CHOSEN.contains(&kind)
}

/// Whether an item of this type may have this id: servers check its prefix and its characters.
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

/// Refuses every id: one that is among the extras does not fit its item.
pub(super) fn no_id(_: &str) -> bool {
    false
}
