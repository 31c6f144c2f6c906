//! Rows about what the server stores, adds or leaves out.

use super::{
    cell::{NONE, own},
    setting::Setting,
};

pub(super) const ROWS: &[Setting] = &[
    Setting {
        name: "goes_on_from",
        meaning: "a conversation on the server that the request continues",
        cells: [
            NONE,
            own(&["previous_response_id", "conversation"]),
            own(&["thread"]),
            own(&["continuationToken", "automaticContinuation"]),
            NONE,
            NONE,
            NONE,
            NONE,
            own(&["previous_interaction_id", "continuation_token"]),
        ],
    },
    Setting {
        name: "include",
        meaning: "what the reply contains in addition",
        cells: [
            NONE,
            own(&["include"]),
            NONE,
            NONE,
            own(&["additionalModelResponseFieldPaths"]),
            NONE,
            NONE,
            NONE,
            NONE,
        ],
    },
    Setting {
        name: "truncation",
        meaning: "what happens to a request that is too long",
        cells: [NONE, own(&["truncation"]), own(&["context_management"]), NONE, NONE, NONE, NONE, NONE, NONE],
    },
    Setting {
        name: "compaction",
        meaning: "when the server summarises the conversation",
        cells: [NONE, own(&["context_management"]), NONE, NONE, NONE, NONE, NONE, NONE, NONE],
    },
    Setting {
        name: "reasoning_format",
        meaning: "how a compatible server writes reasoning into the reply",
        cells: [NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE],
    },
    Setting {
        name: "server_search",
        meaning: "where a compatible server's own search looks",
        cells: [NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE],
    },
    Setting {
        name: "server_tools",
        meaning: "how a compatible server runs its own tools and checks those of the request",
        cells: [NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE],
    },
    Setting {
        name: "prompt_template",
        meaning: "a prompt that is stored on the server",
        cells: [NONE, own(&["prompt"]), NONE, NONE, own(&["promptVariables"]), NONE, NONE, NONE, NONE],
    },
];
