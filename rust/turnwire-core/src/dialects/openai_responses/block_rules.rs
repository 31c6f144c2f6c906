//! Describes the provider-run items and tools of Responses, by its SDK's types.

use super::items::{self, CALLER, STATE};
use crate::rules::{BlockRule, CallForm, KeyRule, ValueRule};

const TEXT: ValueRule = ValueRule::Word;
const ID: KeyRule = ("id", ValueRule::Text(|id| items::fits("", id)));
const MAYBE_TEXT: ValueRule = ValueRule::Maybe(&TEXT);
pub(super) const MAYBE_NUMBER: ValueRule = ValueRule::Maybe(&ValueRule::Count);
const TEXTS: ValueRule = ValueRule::ListOf(&TEXT);
const BY: KeyRule = ("caller", CALLER);
const CALL_ID: KeyRule = ("call_id", TEXT);
const EXECUTION: KeyRule = ("execution", ValueRule::OneOf(&["server", "client"]));
/// Items of long-running tools have their own states.
const PROGRESSES: ValueRule = ValueRule::OneOf(&[
    "in_progress",
    "completed",
    "incomplete",
    "searching",
    "generating",
    "interpreting",
    "calling",
    "failed",
]);
const PROGRESS: KeyRule = ("status", PROGRESSES);
/// Where the state is required, servers also accept `null`.
const NEEDED_PROGRESS: KeyRule = ("status", ValueRule::Maybe(&PROGRESSES));
/// An object of one of these types only.
macro_rules! one_of {
    ($($kind:literal: [$($needs:tt)*], [$($may:tt)*]),+ $(,)?) => {
        ValueRule::Both(
            &ValueRule::Fields(&[("type", ValueRule::OneOf(&[$($kind),+]))], &[]),
            &ValueRule::Shaped(&[$(BlockRule { types: $kind, needs: &[$($needs)*], may: &[$($may)*] }),+]),
        )
    };
}

/// Servers have accepted a search without a query, and pages without a URL.
const SEARCHES: ValueRule = one_of! {
    "search": [], [
        ("query", MAYBE_TEXT),
        ("queries", ValueRule::Maybe(&TEXTS)),
        ("sources", ValueRule::Maybe(&ValueRule::ListOf(&ValueRule::Map))),
    ],
    "open_page": [], [("url", MAYBE_TEXT)],
    "find_in_page": [("pattern", TEXT), ("url", MAYBE_TEXT)], [],
};
const LOGS: ValueRule = one_of! {
    "logs": [("logs", TEXT)], [],
    "image": [("url", TEXT)], [],
};
const COMMANDS: ValueRule = ValueRule::Both(&ValueRule::Map, CallForm::Shell.args());
const PATCHES: ValueRule = ValueRule::Both(&ValueRule::Map, CallForm::Patch.args());
const LOCAL: ValueRule =
    ValueRule::Both(&ValueRule::Fields(&[("type", ValueRule::OneOf(&["exec"]))], &[]), CallForm::LocalShell.args());
const ENDED: ValueRule = one_of! {
    "timeout": [], [],
    "exit": [("exit_code", ValueRule::Number)], [],
};
const SAID: ValueRule =
    ValueRule::ListOf(&ValueRule::Fields(&[("outcome", ENDED), ("stdout", TEXT), ("stderr", TEXT)], &[]));
pub(super) const CHECKS: ValueRule =
    ValueRule::ListOf(&ValueRule::Fields(&[("id", TEXT)], &[("code", MAYBE_TEXT), ("message", MAYBE_TEXT)]));
const SCREEN: ValueRule = one_of! { "computer_screenshot": [], [("file_id", TEXT), ("image_url", TEXT)] };
const FOUND: ValueRule = ValueRule::Maybe(&ValueRule::ListOf(&ValueRule::Fields(
    &[],
    &[
        ("attributes", ValueRule::Maybe(&ValueRule::Map)),
        ("file_id", TEXT),
        ("filename", TEXT),
        ("score", ValueRule::Number),
        ("text", TEXT),
    ],
)));
const LISTED: ValueRule = ValueRule::ListOf(&ValueRule::Fields(&[("name", TEXT)], &[("description", MAYBE_TEXT)]));
/// A mark that ends the cached part of a prompt.
pub(super) const BREAKPOINT: ValueRule = ValueRule::Fields(&[("mode", ValueRule::OneOf(&["explicit"]))], &[]);

/// Opaque items. An optional key whose rule has no `Maybe` is removed if it is `null`: Azure refuses that.
pub(super) const ITEMS: &[BlockRule] = &[
    BlockRule { types: "web_search_call", needs: &[NEEDED_PROGRESS, ID, ("action", SEARCHES)], may: &[] },
    BlockRule {
        types: "file_search_call",
        needs: &[NEEDED_PROGRESS, ID, ("queries", TEXTS)],
        may: &[("results", FOUND)],
    },
    BlockRule {
        types: "code_interpreter_call",
        needs: &[NEEDED_PROGRESS, ID, ("container_id", TEXT), ("code", MAYBE_TEXT)],
        may: &[("outputs", ValueRule::Maybe(&ValueRule::ListOf(&LOGS)))],
    },
    // Servers have accepted an image with only an id.
    BlockRule {
        types: "image_generation_call",
        needs: &[ID],
        may: &[PROGRESS, ("result", MAYBE_TEXT), ("revised_prompt", MAYBE_TEXT), ("size", MAYBE_TEXT)],
    },
    BlockRule {
        types: "tool_search_call",
        needs: &[("arguments", ValueRule::Any)],
        may: &[ID, ("call_id", MAYBE_TEXT), EXECUTION, ("status", STATE)],
    },
    BlockRule {
        types: "tool_search_output",
        needs: &[("tools", ValueRule::ListOf(&DEFINITION))],
        may: &[ID, ("call_id", MAYBE_TEXT), EXECUTION, ("status", STATE)],
    },
    BlockRule {
        types: "additional_tools",
        needs: &[("role", ValueRule::OneOf(&["developer"])), ("tools", ValueRule::ListOf(&DEFINITION))],
        may: &[ID],
    },
    BlockRule { types: "compaction", needs: &[("encrypted_content", TEXT)], may: &[ID] },
    BlockRule {
        types: "mcp_call mcp_approval_request",
        needs: &[ID, ("arguments", TEXT), ("name", TEXT), ("server_label", TEXT)],
        may: &[PROGRESS, ("approval_request_id", MAYBE_TEXT), ("output", MAYBE_TEXT)],
    },
    BlockRule { types: "mcp_list_tools", needs: &[ID, ("server_label", TEXT), ("tools", LISTED)], may: &[] },
    BlockRule {
        types: "mcp_approval_response",
        needs: &[("approval_request_id", TEXT), ("approve", ValueRule::Flag)],
        may: &[ID, ("reason", MAYBE_TEXT)],
    },
    BlockRule { types: "local_shell_call", needs: &[NEEDED_PROGRESS, CALL_ID, ("action", LOCAL)], may: &[ID] },
    BlockRule { types: "local_shell_call_output", needs: &[("output", TEXT)], may: &[ID, CALL_ID, ("status", STATE)] },
    BlockRule { types: "shell_call", needs: &[CALL_ID, ("action", COMMANDS)], may: &[ID, BY, ("status", STATE)] },
    BlockRule {
        types: "shell_call_output",
        needs: &[CALL_ID, ("output", SAID)],
        may: &[ID, BY, ("max_output_length", MAYBE_NUMBER), ("status", STATE)],
    },
    BlockRule { types: "apply_patch_call", needs: &[NEEDED_PROGRESS, CALL_ID, ("operation", PATCHES)], may: &[ID, BY] },
    BlockRule {
        types: "apply_patch_call_output",
        needs: &[NEEDED_PROGRESS, CALL_ID],
        may: &[ID, BY, ("output", MAYBE_TEXT)],
    },
    BlockRule {
        types: "computer_call",
        needs: &[("status", ValueRule::Maybe(&STATE)), ID, CALL_ID, ("pending_safety_checks", CHECKS)],
        may: &[("actions", ValueRule::ListOf(&ValueRule::Map)), ("action", ValueRule::Map)],
    },
    BlockRule {
        types: "computer_call_output",
        needs: &[CALL_ID, ("output", SCREEN)],
        may: &[ID, ("status", STATE), ("acknowledged_safety_checks", ValueRule::Maybe(&CHECKS))],
    },
    BlockRule { types: "program", needs: &[ID, CALL_ID, ("code", TEXT), ("fingerprint", TEXT)], may: &[] },
    BlockRule {
        types: "program_output",
        needs: &[("status", ValueRule::Maybe(&STATE)), ID, CALL_ID, ("result", TEXT)],
        may: &[],
    },
    BlockRule { types: "compaction_trigger", needs: &[], may: &[ID] },
    BlockRule {
        types: "configuration_update",
        needs: &[],
        may: &[ID, ("reasoning", ValueRule::Map), ("text", ValueRule::Map)],
    },
    BlockRule { types: "item_reference", needs: &[ID], may: &[] },
];

/// A definition inside an item: its type must be known, and it must follow that type's rule.
const DEFINITION: ValueRule = ValueRule::Both(
    &ValueRule::Both(&ValueRule::Fields(&[("type", ValueRule::OneOf(TYPES))], &[]), &ValueRule::Shaped(DEFINITIONS)),
    &ValueRule::Shaped(TOOLS),
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
    ("allowed_callers", ValueRule::Maybe(&ValueRule::ListOf(&ValueRule::OneOf(&["direct", "programmatic"]))));
const SCHEMA: KeyRule = ("parameters", ValueRule::Maybe(&ValueRule::Map));
const STRICT: KeyRule = ("strict", ValueRule::Maybe(&ValueRule::Flag));
/// The keys of a function's definition.
const OF_FUNCTION: &[KeyRule] = &[
    ("async", ValueRule::Flag),
    ("defer_loading", ValueRule::Flag),
    ("description", MAYBE_TEXT),
    ("output_schema", ValueRule::Maybe(&ValueRule::Map)),
    CALLERS,
    SCHEMA,
    STRICT,
];
const FORMAT: ValueRule = one_of! {
    "text": [], [],
    "grammar": [("definition", TEXT), ("syntax", ValueRule::OneOf(&["lark", "regex"]))], [],
};
const CUSTOM: BlockRule = BlockRule {
    types: "custom",
    needs: &[("name", TEXT)],
    may: &[
        ("async", ValueRule::Flag),
        ("defer_loading", ValueRule::Flag),
        ("description", TEXT),
        ("format", FORMAT),
        CALLERS,
    ],
};
const DEFINITIONS: &[BlockRule] =
    &[BlockRule { types: "function", needs: &[("name", TEXT), SCHEMA], may: OF_FUNCTION }, CUSTOM];

/// A definition inside a namespace.
const MEMBER: ValueRule = ValueRule::Both(
    &ValueRule::Fields(&[("type", ValueRule::OneOf(&["function", "custom"]))], &[]),
    &ValueRule::Shaped(&[BlockRule { types: "function", needs: &[("name", TEXT)], may: OF_FUNCTION }, CUSTOM]),
);
const MEMORY: KeyRule = ("memory_limit", ValueRule::Maybe(&ValueRule::OneOf(&["1g", "4g", "16g", "64g"])));
const NETWORK: KeyRule = (
    "network_policy",
    one_of! {
        "disabled": [], [],
        "allowlist": [("allowed_domains", TEXTS)], [("domain_secrets", ValueRule::ListOf(&ValueRule::Map))],
    },
);
const CONTAINER: ValueRule = ValueRule::Either(&[TEXT, one_of! { "auto": [], [("file_ids", TEXTS), MEMORY, NETWORK] }]);
const SHELL: ValueRule = one_of! {
    "container_auto": [], [("file_ids", TEXTS), MEMORY, NETWORK, ("skills", ValueRule::ListOf(&ValueRule::Map))],
    "local": [], [("skills", ValueRule::ListOf(&ValueRule::Map))],
    "container_reference": [("container_id", TEXT)], [],
};
/// The user's approximate location.
const LOCATION: ValueRule = ValueRule::Maybe(&ValueRule::Fields(
    &[],
    &[
        ("type", ValueRule::OneOf(&["approximate"])),
        ("city", MAYBE_TEXT),
        ("country", MAYBE_TEXT),
        ("region", MAYBE_TEXT),
        ("timezone", MAYBE_TEXT),
    ],
));
const SIZE: KeyRule = ("search_context_size", ValueRule::OneOf(&["low", "medium", "high"]));
const SOME_TOOLS: ValueRule = ValueRule::Fields(&[], &[("read_only", ValueRule::Flag), ("tool_names", TEXTS)]);
const DOMAINS: ValueRule = ValueRule::Maybe(&ValueRule::Fields(&[], &[("allowed_domains", ValueRule::Maybe(&TEXTS))]));

/// Provider-run tools.
pub(super) const TOOLS: &[BlockRule] = &[
    BlockRule { types: "code_interpreter", needs: &[("container", CONTAINER)], may: &[CALLERS] },
    BlockRule {
        types: "file_search",
        needs: &[("vector_store_ids", TEXTS)],
        may: &[
            ("filters", ValueRule::Maybe(&ValueRule::Map)),
            ("max_num_results", ValueRule::Count),
            ("ranking_options", ValueRule::Map),
        ],
    },
    BlockRule {
        types: "image_generation",
        needs: &[],
        may: &[
            ("action", ValueRule::OneOf(&["generate", "edit", "auto"])),
            ("background", ValueRule::OneOf(&["transparent", "opaque", "auto"])),
            ("complexity", ValueRule::Any),
            ("frame_count", ValueRule::Any),
            ("frame_duration_ms", ValueRule::Any),
            ("input_fidelity", ValueRule::Maybe(&ValueRule::OneOf(&["high", "low"]))),
            ("input_image_mask", ValueRule::Fields(&[], &[("file_id", TEXT), ("image_url", TEXT)])),
            ("model", TEXT),
            ("moderation", ValueRule::OneOf(&["auto", "low"])),
            ("output_compression", ValueRule::Count),
            ("output_format", ValueRule::OneOf(&["png", "webp", "jpeg", "gif", "svg"])),
            ("partial_images", ValueRule::Count),
            ("quality", ValueRule::OneOf(&["low", "medium", "high", "xhigh", "max", "auto"])),
            ("size", TEXT),
            ("svg", ValueRule::Any),
        ],
    },
    BlockRule {
        types: "web_search web_search_2025_08_26",
        needs: &[],
        may: &[("external_web_access", ValueRule::Flag), ("filters", DOMAINS), SIZE, ("user_location", LOCATION)],
    },
    BlockRule {
        types: "web_search_preview web_search_preview_2025_03_11",
        needs: &[],
        may: &[
            ("search_content_types", ValueRule::ListOf(&ValueRule::OneOf(&["text", "image"]))),
            SIZE,
            ("user_location", LOCATION),
        ],
    },
    BlockRule {
        types: "mcp",
        needs: &[("server_label", TEXT)],
        may: &[
            CALLERS,
            ("allowed_tools", ValueRule::Maybe(&ValueRule::Either(&[TEXTS, SOME_TOOLS]))),
            ("authorization", TEXT),
            ("connector_id", TEXT),
            ("defer_loading", ValueRule::Flag),
            ("headers", ValueRule::Maybe(&ValueRule::Map)),
            (
                "require_approval",
                ValueRule::Maybe(&ValueRule::Either(&[
                    ValueRule::OneOf(&["always", "never"]),
                    ValueRule::Fields(&[], &[("always", SOME_TOOLS), ("never", SOME_TOOLS)]),
                ])),
            ),
            ("server_description", TEXT),
            ("server_url", TEXT),
            ("tunnel_id", TEXT),
        ],
    },
    BlockRule {
        types: "namespace",
        needs: &[("name", TEXT), ("description", TEXT), ("tools", ValueRule::ListOf(&MEMBER))],
        may: &[],
    },
    BlockRule {
        types: "tool_search",
        needs: &[],
        may: &[EXECUTION, ("description", MAYBE_TEXT), ("parameters", ValueRule::Any)],
    },
    BlockRule {
        types: "computer_use_preview",
        needs: &[
            ("display_height", ValueRule::Count),
            ("display_width", ValueRule::Count),
            ("environment", ValueRule::OneOf(&["windows", "mac", "linux", "ubuntu", "browser"])),
        ],
        may: &[],
    },
    BlockRule { types: "shell", needs: &[], may: &[CALLERS, ("environment", ValueRule::Maybe(&SHELL))] },
    BlockRule { types: "apply_patch", needs: &[], may: &[CALLERS] },
    BlockRule { types: "computer local_shell programmatic_tool_calling", needs: &[], may: &[] },
];
