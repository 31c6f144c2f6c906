//! Rows about tools.

use super::{
    cell::{Cell, Kind, NONE, at, own},
    setting::Setting,
};

const PAYLOAD: Cell = at(&[], Kind::Payload);

pub(super) const ROWS: &[Setting] = &[
    Setting {
        name: "tool_choice",
        meaning: "whether a tool may or must be called, and which",
        cells: [PAYLOAD, PAYLOAD, PAYLOAD, PAYLOAD, PAYLOAD, PAYLOAD, PAYLOAD, NONE, PAYLOAD],
    },
    Setting {
        name: "strict_tools",
        meaning: "whether calls must match the schemas of the tools",
        cells: [PAYLOAD, PAYLOAD, PAYLOAD, PAYLOAD, PAYLOAD, PAYLOAD, own(&["strict_tools"]), NONE, PAYLOAD],
    },
    Setting {
        name: "parallel_tool_calls",
        meaning: "whether a reply may have several calls",
        cells: [
            at(&["parallel_tool_calls"], Kind::Flag),
            at(&["parallel_tool_calls"], Kind::Flag),
            at(&["tool_choice.disable_parallel_tool_use"], Kind::InChoice),
            NONE,
            NONE,
            at(&["parallel_tool_calls"], Kind::Flag),
            NONE,
            NONE,
            NONE,
        ],
    },
    Setting {
        name: "max_tool_calls",
        meaning: "how many tools the provider may run",
        cells: [NONE, own(&["max_tool_calls"]), NONE, NONE, NONE, NONE, NONE, NONE, NONE],
    },
    Setting {
        name: "web_search",
        meaning: "how the provider searches the web",
        cells: [own(&["web_search_options"]), NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE],
    },
    Setting {
        name: "servers",
        meaning: "servers and containers whose tools the provider runs",
        cells: [
            NONE,
            NONE,
            own(&["container", "mcp_servers"]),
            NONE,
            NONE,
            own(&["connectors"]),
            NONE,
            NONE,
            own(&["environment"]),
        ],
    },
    Setting {
        name: "documents",
        meaning: "documents beside the messages",
        cells: [NONE, NONE, NONE, NONE, NONE, NONE, own(&["documents"]), NONE, NONE],
    },
];
