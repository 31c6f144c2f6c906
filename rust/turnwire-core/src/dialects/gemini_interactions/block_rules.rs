//! Lists what the steps and tools that Google runs must contain, by its SDK's types.

use crate::rules::{BlockRule, KeyRule, ValueRule};

const ID: KeyRule = ("id", ValueRule::Word);
const CALL_ID: KeyRule = ("call_id", ValueRule::Word);
const ARGUMENTS: KeyRule = ("arguments", ValueRule::Map);
const NAME: KeyRule = ("name", ValueRule::Word);
const IS_ERROR: KeyRule = ("is_error", ValueRule::Flag);
const SERVER: KeyRule = ("server_name", ValueRule::Word);
const MAPS: ValueRule = ValueRule::ListOf(&ValueRule::Map);
const WORDS: ValueRule = ValueRule::ListOf(&ValueRule::Word);
/// Steps of server tools may be signed. Recorded steps of functions have the key too.
pub(super) const SIGNED: KeyRule = ("signature", ValueRule::Word);

/// The steps whose calls and results Google pairs.
pub(super) const STEPS: &[BlockRule] = &[
    BlockRule {
        types: "google_search_call code_execution_call url_context_call retrieval_call tool_search_call",
        needs: &[ID, ARGUMENTS],
        may: &[SIGNED, ("search_type", ValueRule::Word), ("retrieval_type", ValueRule::Word)],
    },
    BlockRule { types: "google_maps_call file_search_call processing_call", needs: &[ID], may: &[SIGNED, ARGUMENTS] },
    BlockRule { types: "mcp_server_tool_call", needs: &[ID, NAME, SERVER, ARGUMENTS], may: &[SIGNED] },
    BlockRule {
        types: "google_search_result google_maps_result url_context_result",
        needs: &[CALL_ID, ("result", MAPS)],
        may: &[SIGNED, IS_ERROR],
    },
    BlockRule {
        types: "code_execution_result mcp_server_tool_result",
        needs: &[CALL_ID, ("result", ValueRule::Any)],
        may: &[SIGNED, IS_ERROR, NAME, SERVER],
    },
    BlockRule {
        types: "file_search_result processing_result retrieval_result tool_search_result",
        needs: &[CALL_ID],
        may: &[SIGNED, IS_ERROR, ("result", MAPS)],
    },
];

/// The tools other than functions.
pub(super) const TOOLS: &[BlockRule] = &[
    BlockRule { types: "google_search", needs: &[], may: &[("search_types", WORDS)] },
    BlockRule { types: "code_execution url_context", needs: &[], may: &[] },
    BlockRule {
        types: "file_search",
        needs: &[],
        may: &[("file_search_store_names", WORDS), ("metadata_filter", ValueRule::Word), ("top_k", ValueRule::Count)],
    },
    BlockRule {
        types: "google_maps",
        needs: &[],
        may: &[("enable_widget", ValueRule::Flag), ("latitude", ValueRule::Number), ("longitude", ValueRule::Number)],
    },
    BlockRule {
        types: "computer_use",
        needs: &[],
        may: &[
            ("disabled_safety_policies", WORDS),
            ("enable_prompt_injection_detection", ValueRule::Flag),
            ("environment", ValueRule::Word),
            ("excluded_predefined_functions", WORDS),
        ],
    },
    BlockRule {
        types: "retrieval",
        needs: &[],
        may: &[
            ("exa_ai_search_config", ValueRule::Map),
            ("parallel_ai_search_config", ValueRule::Map),
            ("rag_store_config", ValueRule::Map),
            ("retrieval_types", WORDS),
            ("vertex_ai_search_config", ValueRule::Map),
        ],
    },
    BlockRule {
        types: "mcp_server",
        needs: &[],
        may: &[
            ("allowed_tools", MAPS),
            ("defer_loading", ValueRule::Flag),
            ("headers", ValueRule::Map),
            NAME,
            ("url", ValueRule::Word),
        ],
    },
    BlockRule {
        types: "tool_search",
        needs: &[],
        may: &[
            ("description", ValueRule::Word),
            ("execution", ValueRule::OneOf(&["client", "server"])),
            NAME,
            ("parameters", ValueRule::Map),
        ],
    },
];
