//! Describes the calls that Anthropic ran as records of other formats have them: under its ids, their results by their tools.

use crate::rules::ran_rule::{Passed, Remade, RemadeRule};

const fn of(tool: &'static str, result: &'static str) -> Remade {
    Remade { tool, result, content: tool, around: ("", "") }
}

const fn search(tool: &'static str) -> Remade {
    let around = ("tool_search_tool_search_result", "tool_references");
    Remade { tool, result: "tool_search_tool_result", content: "tool_search_tool", around }
}

pub(super) const REMADE: RemadeRule = RemadeRule {
    id: "srvtoolu_",
    call: ("server_tool_use", "tool_use_id"),
    tools: &[
        of("web_search", "web_search_tool_result"),
        of("web_fetch", "web_fetch_tool_result"),
        of("code_execution", "code_execution_tool_result"),
        of("bash_code_execution", "bash_code_execution_tool_result"),
        of("text_editor_code_execution", "text_editor_code_execution_tool_result"),
        search("tool_search_tool_regex"),
        search("tool_search_tool_bm25"),
    ],
    plain: "programmatic-tool-call",
    passed: Passed {
        option: ("mcp-tool-use", "serverName"),
        call: "mcp_tool_use",
        result: "mcp_tool_result",
        server: "server_name",
    },
};
