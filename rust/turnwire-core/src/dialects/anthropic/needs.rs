//! The features of Messages that its API offers under a beta header only.

use super::keys as k;
use crate::{
    rules::{Feature, Needs},
    value::{Key, door::keys},
};

keys! {
    BLOCK_BINDING = "block_binding";
    CLEAR_AT = "clear_at";
    COMPACTION = "compaction";
    CONTEXT_MANAGEMENT = "context_management";
    FALLBACKS = "fallbacks";
    FALLBACK_CREDIT_TOKEN = "fallback_credit_token";
    MCP_SERVERS = "mcp_servers";
}

const BINDING: &[&Key] = &[&k::THINKING, &BLOCK_BINDING];
const TOOL_CHANGES: &str = "mid-conversation-tool-changes-2026-07-01";
const COMPACT: &str = "compact-2026-09-04";
const FALLBACK: &str = "server-side-fallback-2026-07-01";
const MCP: &str = "mcp-client-2026-09-15";

/// Source: the types of its SDK for beta requests, and the pages of each feature.
pub(super) const NEEDS: Needs = Needs {
    header: "anthropic-beta",
    features: &[
        (Feature::Body(BINDING), "thinking-binding-controls-2026-08-01"),
        (Feature::Body(&[&CONTEXT_MANAGEMENT]), "context-management-2025-06-27"),
        (Feature::Body(&[&k::THREAD]), "message-threads-2026-08-12"),
        (Feature::Body(&[&COMPACTION]), COMPACT),
        (Feature::Block("compaction"), COMPACT),
        (Feature::Body(&[&FALLBACKS]), FALLBACK),
        (Feature::Body(&[&FALLBACK_CREDIT_TOKEN]), "fallback-credit-2026-07-01"),
        (Feature::Block("fallback"), FALLBACK),
        (Feature::Body(&[&MCP_SERVERS]), MCP),
        (Feature::Block("mcp_tool_listing"), MCP),
        (Feature::Block("mcp_tool_use"), MCP),
        (Feature::Block("mcp_tool_result"), MCP),
        (Feature::Block("advisor_tool_result"), "advisor-tool-2026-03-01"),
        (Feature::Block("tool_addition"), TOOL_CHANGES),
        (Feature::Block("tool_removal"), TOOL_CHANGES),
        (Feature::Block("tool_definition"), "inline-tools-2026-09-15"),
        (Feature::Message(&CLEAR_AT), "mid-conversation-system-clear-at-2026-08-21"),
        (Feature::Message(&k::OUTPUT_CONFIG), "mid-conversation-output-config-2026-07-01"),
    ],
};
