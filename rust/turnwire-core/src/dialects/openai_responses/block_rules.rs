//! What items and tools of Responses hold that only the provider runs: its SDK's types.

use super::items::{self, CALLER, STATE};
use crate::rules::{
    block_rule::Shape,
    value_rule::{KeyRule, KeyValue},
};

const TEXT: KeyValue = KeyValue::Word;
const ID: KeyRule = ("id", KeyValue::Text(|id| items::fits("", id)));
const MAYBE_ID: KeyRule = ("id", KeyValue::Maybe(&KeyValue::Text(|id| items::fits("", id))));
const MAYBE_TEXT: KeyValue = KeyValue::Maybe(&TEXT);
const MAYBE_NUMBER: KeyValue = KeyValue::Maybe(&KeyValue::Count);
const TEXTS: KeyValue = KeyValue::ListOf(&TEXT);
const BY: KeyRule = ("caller", CALLER);
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
/// An object of one of these types, and no other.
macro_rules! one_of {
    ($($kind:literal: [$($needs:tt)*], [$($may:tt)*]),+ $(,)?) => {
        KeyValue::Both(
            &KeyValue::Fields(&[("type", KeyValue::OneOf(&[$($kind),+]))], &[]),
            &KeyValue::Shaped(&[$(Shape { types: $kind, needs: &[$($needs)*], may: &[$($may)*] }),+]),
        )
    };
}

/// Servers have taken a search without words, and pages that are nowhere.
const SEARCHES: KeyValue = one_of! {
    "search": [], [
        ("query", MAYBE_TEXT),
        ("queries", KeyValue::Maybe(&TEXTS)),
        ("sources", KeyValue::Maybe(&KeyValue::ListOf(&KeyValue::Map))),
    ],
    "open_page": [], [("url", MAYBE_TEXT)],
    "find_in_page": [("pattern", TEXT), ("url", MAYBE_TEXT)], [],
};
const PATCHES: KeyValue = one_of! {
    "create_file": [("path", TEXT), ("diff", TEXT)], [],
    "update_file": [("path", TEXT), ("diff", TEXT)], [],
    "delete_file": [("path", TEXT)], [],
};
const LOGS: KeyValue = one_of! {
    "logs": [("logs", TEXT)], [],
    "image": [("url", TEXT)], [],
};
const LOCAL: KeyValue = one_of! {
    "exec": [("command", TEXTS), ("env", KeyValue::Map)],
        [("timeout_ms", MAYBE_NUMBER), ("user", MAYBE_TEXT), ("working_directory", MAYBE_TEXT)],
};
const COMMANDS: KeyValue =
    KeyValue::Fields(&[("commands", TEXTS)], &[("max_output_length", MAYBE_NUMBER), ("timeout_ms", MAYBE_NUMBER)]);
const ENDED: KeyValue = one_of! {
    "timeout": [], [],
    "exit": [("exit_code", KeyValue::Number)], [],
};
const SAID: KeyValue =
    KeyValue::ListOf(&KeyValue::Fields(&[("outcome", ENDED), ("stdout", TEXT), ("stderr", TEXT)], &[]));
const CHECKS: KeyValue =
    KeyValue::ListOf(&KeyValue::Fields(&[("id", TEXT)], &[("code", MAYBE_TEXT), ("message", MAYBE_TEXT)]));
const SCREEN: KeyValue = one_of! { "computer_screenshot": [], [("file_id", TEXT), ("image_url", TEXT)] };
const FOUND: KeyValue = KeyValue::Maybe(&KeyValue::ListOf(&KeyValue::Fields(
    &[],
    &[
        ("attributes", KeyValue::Maybe(&KeyValue::Map)),
        ("file_id", TEXT),
        ("filename", TEXT),
        ("score", KeyValue::Number),
        ("text", TEXT),
    ],
)));
const LISTED: KeyValue = KeyValue::ListOf(&KeyValue::Fields(&[("name", TEXT)], &[("description", MAYBE_TEXT)]));
/// A place up to which a prompt is kept.
pub(super) const BREAKPOINT: KeyValue = KeyValue::Fields(&[("mode", KeyValue::OneOf(&["explicit"]))], &[]);

/// Items that nobody takes apart.
pub(super) const ITEMS: &[Shape] = &[
    Shape { types: "web_search_call", needs: &[PROGRESS, ID, ("action", SEARCHES)], may: &[] },
    Shape { types: "file_search_call", needs: &[PROGRESS, ID, ("queries", TEXTS)], may: &[("results", FOUND)] },
    Shape {
        types: "code_interpreter_call",
        needs: &[PROGRESS, ID, ("container_id", TEXT), ("code", MAYBE_TEXT)],
        may: &[("outputs", KeyValue::Maybe(&KeyValue::ListOf(&LOGS)))],
    },
    // Servers have taken an image that was nothing but its id.
    Shape {
        types: "image_generation_call",
        needs: &[ID],
        may: &[PROGRESS, ("result", MAYBE_TEXT), ("revised_prompt", MAYBE_TEXT), ("size", MAYBE_TEXT)],
    },
    Shape {
        types: "tool_search_call",
        needs: &[("arguments", KeyValue::Any)],
        may: &[MAYBE_ID, ("call_id", MAYBE_TEXT), EXECUTION, ("status", STATE)],
    },
    Shape {
        types: "tool_search_output",
        needs: &[("tools", KeyValue::ListOf(&DEFINITION))],
        may: &[MAYBE_ID, ("call_id", MAYBE_TEXT), EXECUTION, ("status", STATE)],
    },
    Shape {
        types: "additional_tools",
        needs: &[("role", KeyValue::OneOf(&["developer"])), ("tools", KeyValue::ListOf(&DEFINITION))],
        may: &[MAYBE_ID],
    },
    Shape { types: "compaction", needs: &[("encrypted_content", TEXT)], may: &[MAYBE_ID] },
    Shape {
        types: "mcp_call mcp_approval_request",
        needs: &[ID, ("arguments", TEXT), ("name", TEXT), ("server_label", TEXT)],
        may: &[PROGRESS, ("approval_request_id", MAYBE_TEXT), ("output", MAYBE_TEXT)],
    },
    Shape { types: "mcp_list_tools", needs: &[ID, ("server_label", TEXT), ("tools", LISTED)], may: &[] },
    Shape {
        types: "mcp_approval_response",
        needs: &[("approval_request_id", TEXT), ("approve", KeyValue::Flag)],
        may: &[MAYBE_ID, ("reason", MAYBE_TEXT)],
    },
    Shape { types: "local_shell_call", needs: &[PROGRESS, ID, CALL_ID, ("action", LOCAL)], may: &[] },
    Shape { types: "local_shell_call_output", needs: &[ID, ("output", TEXT)], may: &[("status", STATE)] },
    Shape { types: "shell_call", needs: &[CALL_ID, ("action", COMMANDS)], may: &[MAYBE_ID, BY, ("status", STATE)] },
    Shape {
        types: "shell_call_output",
        needs: &[CALL_ID, ("output", SAID)],
        may: &[MAYBE_ID, BY, ("max_output_length", MAYBE_NUMBER), ("status", STATE)],
    },
    Shape { types: "apply_patch_call", needs: &[PROGRESS, CALL_ID, ("operation", PATCHES)], may: &[MAYBE_ID, BY] },
    Shape {
        types: "apply_patch_call_output",
        needs: &[PROGRESS, CALL_ID],
        may: &[MAYBE_ID, BY, ("output", MAYBE_TEXT)],
    },
    Shape {
        types: "computer_call",
        needs: &[("status", STATE), ID, CALL_ID, ("pending_safety_checks", CHECKS)],
        may: &[("actions", KeyValue::ListOf(&KeyValue::Map)), ("action", KeyValue::Map)],
    },
    Shape {
        types: "computer_call_output",
        needs: &[CALL_ID, ("output", SCREEN)],
        may: &[MAYBE_ID, ("status", STATE), ("acknowledged_safety_checks", KeyValue::Maybe(&CHECKS))],
    },
    Shape { types: "program", needs: &[ID, CALL_ID, ("code", TEXT), ("fingerprint", TEXT)], may: &[] },
    Shape { types: "program_output", needs: &[("status", STATE), ID, CALL_ID, ("result", TEXT)], may: &[] },
    Shape { types: "compaction_trigger", needs: &[], may: &[MAYBE_ID] },
    Shape { types: "item_reference", needs: &[ID], may: &[] },
];

/// A definition inside an item: of a type that is known, and as such a one is.
const DEFINITION: KeyValue = KeyValue::Both(
    &KeyValue::Both(&KeyValue::Fields(&[("type", KeyValue::OneOf(TYPES))], &[]), &KeyValue::Shaped(DEFINITIONS)),
    &KeyValue::Shaped(TOOLS),
);
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
/// Who may call a tool.
pub(super) const CALLERS: KeyRule =
    ("allowed_callers", KeyValue::Maybe(&KeyValue::ListOf(&KeyValue::OneOf(&["direct", "programmatic"]))));
const SCHEMA: KeyRule = ("parameters", KeyValue::Maybe(&KeyValue::Map));
const STRICT: KeyRule = ("strict", KeyValue::Maybe(&KeyValue::Flag));
/// What the definition of a function may hold.
const OF_FUNCTION: &[KeyRule] = &[
    ("async", KeyValue::Flag),
    ("defer_loading", KeyValue::Flag),
    ("description", MAYBE_TEXT),
    ("output_schema", KeyValue::Maybe(&KeyValue::Map)),
    CALLERS,
    SCHEMA,
    STRICT,
];
const FORMAT: KeyValue = one_of! {
    "text": [], [],
    "grammar": [("definition", TEXT), ("syntax", KeyValue::OneOf(&["lark", "regex"]))], [],
};
const CUSTOM: Shape = Shape {
    types: "custom",
    needs: &[("name", TEXT)],
    may: &[
        ("async", KeyValue::Flag),
        ("defer_loading", KeyValue::Flag),
        ("description", TEXT),
        ("format", FORMAT),
        CALLERS,
    ],
};
const DEFINITIONS: &[Shape] =
    &[Shape { types: "function", needs: &[("name", TEXT), SCHEMA, STRICT], may: OF_FUNCTION }, CUSTOM];

/// A definition inside a namespace.
const MEMBER: KeyValue = KeyValue::Both(
    &KeyValue::Fields(&[("type", KeyValue::OneOf(&["function", "custom"]))], &[]),
    &KeyValue::Shaped(&[Shape { types: "function", needs: &[("name", TEXT)], may: OF_FUNCTION }, CUSTOM]),
);
const MEMORY: KeyRule = ("memory_limit", KeyValue::Maybe(&KeyValue::OneOf(&["1g", "4g", "16g", "64g"])));
const NETWORK: KeyRule = (
    "network_policy",
    one_of! {
        "disabled": [], [],
        "allowlist": [("allowed_domains", TEXTS)], [("domain_secrets", KeyValue::ListOf(&KeyValue::Map))],
    },
);
const CONTAINER: KeyValue = KeyValue::Either(&[TEXT, one_of! { "auto": [], [("file_ids", TEXTS), MEMORY, NETWORK] }]);
const SHELL: KeyValue = one_of! {
    "container_auto": [], [("file_ids", TEXTS), MEMORY, NETWORK, ("skills", KeyValue::ListOf(&KeyValue::Map))],
    "local": [], [("skills", KeyValue::ListOf(&KeyValue::Map))],
    "container_reference": [("container_id", TEXT)], [],
};
/// Where the user is, roughly.
const LOCATION: KeyValue = KeyValue::Maybe(&KeyValue::Fields(
    &[],
    &[
        ("type", KeyValue::OneOf(&["approximate"])),
        ("city", MAYBE_TEXT),
        ("country", MAYBE_TEXT),
        ("region", MAYBE_TEXT),
        ("timezone", MAYBE_TEXT),
    ],
));
const SIZE: KeyRule = ("search_context_size", KeyValue::OneOf(&["low", "medium", "high"]));
const SOME_TOOLS: KeyValue = KeyValue::Fields(&[], &[("read_only", KeyValue::Flag), ("tool_names", TEXTS)]);
const DOMAINS: KeyValue = KeyValue::Maybe(&KeyValue::Fields(&[], &[("allowed_domains", KeyValue::Maybe(&TEXTS))]));

/// Tools that the provider runs.
pub(super) const TOOLS: &[Shape] = &[
    Shape { types: "code_interpreter", needs: &[("container", CONTAINER)], may: &[CALLERS] },
    Shape {
        types: "file_search",
        needs: &[("vector_store_ids", TEXTS)],
        may: &[
            ("filters", KeyValue::Maybe(&KeyValue::Map)),
            ("max_num_results", KeyValue::Count),
            ("ranking_options", KeyValue::Map),
        ],
    },
    Shape {
        types: "image_generation",
        needs: &[],
        may: &[
            ("action", KeyValue::OneOf(&["generate", "edit", "auto"])),
            ("background", KeyValue::OneOf(&["transparent", "opaque", "auto"])),
            ("input_fidelity", KeyValue::Maybe(&KeyValue::OneOf(&["high", "low"]))),
            ("input_image_mask", KeyValue::Fields(&[], &[("file_id", TEXT), ("image_url", TEXT)])),
            ("model", TEXT),
            ("moderation", KeyValue::OneOf(&["auto", "low"])),
            ("output_compression", KeyValue::Count),
            ("output_format", KeyValue::OneOf(&["png", "webp", "jpeg", "gif", "svg"])),
            ("partial_images", KeyValue::Count),
            ("quality", KeyValue::OneOf(&["low", "medium", "high", "xhigh", "max", "auto"])),
            ("size", TEXT),
        ],
    },
    Shape {
        types: "web_search web_search_2025_08_26",
        needs: &[],
        may: &[("external_web_access", KeyValue::Flag), ("filters", DOMAINS), SIZE, ("user_location", LOCATION)],
    },
    Shape {
        types: "web_search_preview web_search_preview_2025_03_11",
        needs: &[],
        may: &[
            ("search_content_types", KeyValue::ListOf(&KeyValue::OneOf(&["text", "image"]))),
            SIZE,
            ("user_location", LOCATION),
        ],
    },
    Shape {
        types: "mcp",
        needs: &[("server_label", TEXT)],
        may: &[
            CALLERS,
            ("allowed_tools", KeyValue::Maybe(&KeyValue::Either(&[TEXTS, SOME_TOOLS]))),
            ("authorization", TEXT),
            ("connector_id", TEXT),
            ("defer_loading", KeyValue::Flag),
            ("headers", KeyValue::Maybe(&KeyValue::Map)),
            (
                "require_approval",
                KeyValue::Maybe(&KeyValue::Either(&[
                    KeyValue::OneOf(&["always", "never"]),
                    KeyValue::Fields(&[], &[("always", SOME_TOOLS), ("never", SOME_TOOLS)]),
                ])),
            ),
            ("server_description", TEXT),
            ("server_url", TEXT),
            ("tunnel_id", TEXT),
        ],
    },
    Shape {
        types: "namespace",
        needs: &[("name", TEXT), ("description", TEXT), ("tools", KeyValue::ListOf(&MEMBER))],
        may: &[],
    },
    Shape {
        types: "tool_search",
        needs: &[],
        may: &[EXECUTION, ("description", MAYBE_TEXT), ("parameters", KeyValue::Any)],
    },
    Shape {
        types: "computer_use_preview",
        needs: &[
            ("display_height", KeyValue::Count),
            ("display_width", KeyValue::Count),
            ("environment", KeyValue::OneOf(&["windows", "mac", "linux", "ubuntu", "browser"])),
        ],
        may: &[],
    },
    Shape { types: "shell", needs: &[], may: &[CALLERS, ("environment", KeyValue::Maybe(&SHELL))] },
    Shape { types: "apply_patch", needs: &[], may: &[CALLERS] },
    Shape { types: "computer local_shell programmatic_tool_calling", needs: &[], may: &[] },
];
