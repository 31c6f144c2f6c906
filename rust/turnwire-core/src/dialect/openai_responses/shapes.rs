//! What items and tools of Responses hold that only the provider runs: its SDK's types.

use super::item::STATE;
use crate::dialect::{KeyRule, KeyValue, shape::Shape};

const TEXT: KeyValue = KeyValue::Word;
const ID: KeyRule = ("id", TEXT);
const MAYBE_TEXT: KeyValue = KeyValue::Maybe(&TEXT);
const CALL_ID: KeyRule = ("call_id", TEXT);
const EXECUTION: KeyRule = ("execution", KeyValue::OneOf(&["server", "client"]));
/// Items of tools that run for a while have states of their own.
const PROGRESS: KeyRule = (
    "status",
    KeyValue::Maybe(&KeyValue::OneOf(&[
        "in_progress",
        "completed",
        "incomplete",
        "searching",
        "generating",
        "interpreting",
        "calling",
        "failed",
    ])),
);
const SEARCHES: KeyValue =
    KeyValue::Fields(&[("type", KeyValue::OneOf(&["search", "open_page", "find_in_page"]))], &[]);
const PATCHES: KeyValue =
    KeyValue::Fields(&[("type", KeyValue::OneOf(&["create_file", "delete_file", "update_file"]))], &[]);
/// A place up to which a prompt is kept.
pub(super) const BREAKPOINT: KeyValue = KeyValue::Fields(&[("mode", KeyValue::OneOf(&["explicit"]))], &[]);

/// Items that nobody takes apart.
pub(super) const ITEMS: &[Shape] = &[
    Shape { types: "web_search_call", needs: &[ID, ("action", SEARCHES)], may: &[PROGRESS] },
    Shape { types: "file_search_call", needs: &[ID, ("queries", KeyValue::ListOf(&TEXT))], may: &[PROGRESS] },
    Shape {
        types: "code_interpreter_call",
        needs: &[ID, ("container_id", TEXT)],
        may: &[PROGRESS, ("code", MAYBE_TEXT), ("outputs", KeyValue::Maybe(&KeyValue::List))],
    },
    Shape { types: "image_generation_call", needs: &[ID], may: &[PROGRESS, ("result", MAYBE_TEXT)] },
    Shape {
        types: "tool_search_call",
        needs: &[],
        may: &[("id", MAYBE_TEXT), ("call_id", MAYBE_TEXT), EXECUTION, ("status", STATE)],
    },
    Shape {
        types: "tool_search_output",
        needs: &[("tools", KeyValue::ListOf(&DEFINITION))],
        may: &[("id", MAYBE_TEXT), ("call_id", MAYBE_TEXT), EXECUTION, ("status", STATE)],
    },
    Shape {
        types: "additional_tools",
        needs: &[("role", KeyValue::OneOf(&["developer"])), ("tools", KeyValue::ListOf(&DEFINITION))],
        may: &[("id", MAYBE_TEXT)],
    },
    Shape { types: "compaction", needs: &[("encrypted_content", TEXT)], may: &[("id", MAYBE_TEXT)] },
    Shape {
        types: "mcp_call mcp_approval_request",
        needs: &[ID, ("arguments", TEXT), ("name", TEXT), ("server_label", TEXT)],
        may: &[PROGRESS],
    },
    Shape { types: "mcp_list_tools", needs: &[ID, ("server_label", TEXT), ("tools", KeyValue::List)], may: &[] },
    Shape {
        types: "mcp_approval_response",
        needs: &[("approval_request_id", TEXT), ("approve", KeyValue::Flag)],
        may: &[("id", MAYBE_TEXT)],
    },
    Shape { types: "local_shell_call", needs: &[ID, CALL_ID, ("action", KeyValue::Map)], may: &[PROGRESS] },
    Shape { types: "local_shell_call_output", needs: &[ID, ("output", TEXT)], may: &[("status", STATE)] },
    Shape { types: "shell_call", needs: &[CALL_ID, ("action", KeyValue::Map)], may: &[("status", STATE)] },
    Shape { types: "shell_call_output", needs: &[CALL_ID, ("output", KeyValue::List)], may: &[("status", STATE)] },
    Shape { types: "apply_patch_call", needs: &[CALL_ID, ("operation", PATCHES)], may: &[PROGRESS] },
    Shape { types: "apply_patch_call_output", needs: &[CALL_ID], may: &[PROGRESS, ("output", MAYBE_TEXT)] },
    Shape {
        types: "computer_call",
        needs: &[ID, CALL_ID, ("pending_safety_checks", KeyValue::List)],
        may: &[("status", STATE)],
    },
    Shape { types: "computer_call_output", needs: &[CALL_ID, ("output", KeyValue::Map)], may: &[("status", STATE)] },
    Shape { types: "item_reference", needs: &[ID], may: &[] },
];

/// A definition inside an item: of a type that is known, and as such a one is.
const DEFINITION: KeyValue =
    KeyValue::Both(&KeyValue::Fields(&[("type", KeyValue::OneOf(TYPES))], &[]), &KeyValue::Shaped(DEFINITIONS));
const TYPES: &[&str] = &[
    "apply_patch",
    "code_interpreter",
    "computer",
    "computer_use_preview",
    "custom",
    "file_search",
    "function",
    "image_generation",
    "local_shell",
    "mcp",
    "namespace",
    "programmatic_tool_calling",
    "shell",
    "tool_search",
    "web_search",
    "web_search_2025_08_26",
    "web_search_preview",
    "web_search_preview_2025_03_11",
];
const DEFINITIONS: &[Shape] = &[
    Shape {
        types: "function",
        needs: &[("name", TEXT)],
        may: &[
            ("description", MAYBE_TEXT),
            ("parameters", KeyValue::Maybe(&KeyValue::Map)),
            ("strict", KeyValue::Maybe(&KeyValue::Flag)),
            ("defer_loading", KeyValue::Flag),
        ],
    },
    Shape {
        types: "custom",
        needs: &[("name", TEXT)],
        may: &[("description", TEXT), ("format", KeyValue::Map), ("defer_loading", KeyValue::Flag)],
    },
];

/// A definition inside a namespace.
const MEMBER: KeyValue = KeyValue::Both(
    &KeyValue::Fields(&[("type", KeyValue::OneOf(&["function", "custom"]))], &[]),
    &KeyValue::Shaped(DEFINITIONS),
);
const CONTAINER: KeyValue = KeyValue::Either(&[TEXT, KeyValue::Fields(&[("type", KeyValue::OneOf(&["auto"]))], &[])]);

/// Tools that the provider runs.
pub(super) const TOOLS: &[Shape] = &[
    Shape { types: "code_interpreter", needs: &[("container", CONTAINER)], may: &[] },
    Shape { types: "file_search", needs: &[("vector_store_ids", KeyValue::ListOf(&TEXT))], may: &[] },
    Shape {
        types: "image_generation",
        needs: &[],
        may: &[
            ("background", KeyValue::OneOf(&["transparent", "opaque", "auto"])),
            ("input_fidelity", KeyValue::Maybe(&KeyValue::OneOf(&["high", "low"]))),
            ("model", TEXT),
            ("moderation", KeyValue::OneOf(&["auto", "low"])),
            ("output_compression", KeyValue::Number),
            ("output_format", KeyValue::OneOf(&["png", "webp", "jpeg"])),
            ("partial_images", KeyValue::Number),
            ("quality", KeyValue::OneOf(&["low", "medium", "high", "auto"])),
            ("size", TEXT),
        ],
    },
    Shape {
        types: "web_search web_search_2025_08_26 web_search_preview web_search_preview_2025_03_11",
        needs: &[],
        may: &[
            ("filters", KeyValue::Maybe(&KeyValue::Map)),
            ("search_context_size", KeyValue::OneOf(&["low", "medium", "high"])),
            ("user_location", KeyValue::Maybe(&KeyValue::Map)),
        ],
    },
    Shape { types: "mcp", needs: &[("server_label", TEXT)], may: &[] },
    Shape {
        types: "namespace",
        needs: &[("name", TEXT), ("description", TEXT), ("tools", KeyValue::ListOf(&MEMBER))],
        may: &[],
    },
    Shape { types: "tool_search", needs: &[], may: &[EXECUTION, ("description", MAYBE_TEXT)] },
    Shape {
        types: "computer computer_use_preview local_shell shell apply_patch programmatic_tool_calling",
        needs: &[],
        may: &[],
    },
];
