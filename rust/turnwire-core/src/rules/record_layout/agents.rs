//! What agents and their evaluations did.

use super::{ApartAt, CallAt, EMPTY, Is, Piece, RecordLayout, ResultAt, SentAt, Speaker};

const ROLES: &[(&str, Speaker)] =
    &[("user", Speaker::User), ("assistant", Speaker::Assistant), ("system", Speaker::System), ("tool", Speaker::Tool)];

// `session/message-v2.ts` of opencode: what `opencode export` writes.
pub(super) const OPENCODE: RecordLayout = RecordLayout {
    name: "opencode",
    kept_by: "opencode: `opencode export`",
    first: &[&[("parts", Is::List)]],
    list: "messages $",
    role: "info.role",
    words: &[("user", Speaker::User), ("assistant", Speaker::Assistant)],
    parts: "parts",
    kind: "type",
    kinds: &[
        ("text", Piece::Text, "text"),
        ("reasoning", Piece::Thought, "text"),
        ("file", Piece::Media(""), "url"),
        ("step-start", Piece::Step, ""),
        ("tool", Piece::Both, ""),
    ],
    call: CallAt { id: "callID", name: "tool", args: "state.input" },
    outcome: ResultAt { id: "callID", name: "tool", says: "state.output state.error", failed: "state.status=error" },
    sent: SentAt {
        failed: "info.error",
        stopped: "info.error.name=MessageAbortedError",
        mark: "parts.0.type=compaction",
        tail: "parts.0.tail_start_id",
        id: "info.id",
        summary: "info.summary",
        done: "info.finish",
        parent: "info.parentID",
    },
    skips: "ignored",
    passes: "id sessionID messageID parentID finish",
    ..EMPTY
};

// `model/_chat_message.py` of inspect_ai.
pub(super) const INSPECT: RecordLayout = RecordLayout {
    name: "inspect",
    kept_by: "inspect: samples of an evaluation log",
    some: &[&[("tool_calls.0.function", Is::Text)]],
    apart: ApartAt { texts: "attachments", mark: "attachment://" },
    list: "messages",
    role: "role",
    words: ROLES,
    text: "content",
    calls_at: "tool_calls",
    call: CallAt { id: "id", name: "function", args: "arguments" },
    result: ResultAt { id: "tool_call_id", name: "function", says: "error.message content", failed: "error" },
    passes: "type id source",
    ..EMPTY
};

// `data_model/message.py` of tau2-bench.
pub(super) const TAU2: RecordLayout = RecordLayout {
    name: "tau2",
    kept_by: "tau2-bench: simulations",
    some: &[&[("tool_calls.0.requestor", Is::Text)]],
    list: "messages",
    role: "role",
    words: ROLES,
    text: "content",
    calls_at: "tool_calls",
    call: CallAt { id: "id", name: "name", args: "arguments" },
    result: ResultAt { id: "id", name: "", says: "content", failed: "error" },
    skips: "requestor=user",
    passes: "requestor turn_idx",
    ..EMPTY
};

// The agent trajectory interchange format of Harbor.
pub(super) const ATIF: RecordLayout = RecordLayout {
    name: "atif",
    kept_by: "ATIF: trajectories of Harbor, OpenHands and terminus",
    first: &[&[("step_id", Is::Said)]],
    list: "steps",
    role: "source",
    words: &[("user", Speaker::User), ("agent", Speaker::Assistant), ("system", Speaker::System)],
    thought: "reasoning_content",
    text: "message",
    calls_at: "tool_calls",
    call: CallAt { id: "tool_call_id", name: "function_name", args: "arguments" },
    results_at: "observation.results",
    result: ResultAt { id: "source_call_id", name: "", says: "content", failed: "" },
    passes: "step_id",
    ..EMPTY
};

// The cards of data sets that DataClaw wrote.
pub(super) const DATACLAW: RecordLayout = RecordLayout {
    name: "dataclaw",
    kept_by: "DataClaw: sessions of coding agents",
    some: &[&[("tool_uses.0.tool", Is::Text)]],
    ahead: "session_id",
    list: "messages",
    role: "role",
    words: &[("user", Speaker::User), ("assistant", Speaker::Assistant)],
    thought: "thinking",
    text: "content",
    calls_at: "tool_uses",
    call: CallAt { id: "", name: "tool", args: "input" },
    outcome: ResultAt { id: "", name: "tool", says: "output.text output", failed: "status=error" },
    ..EMPTY
};

// ms-swift's `Custom-dataset.md`.
pub(super) const SWIFT: RecordLayout = RecordLayout {
    name: "swift",
    kept_by: "ms-swift: calls and results as messages of their own",
    some: &[&[("role from", Is::Word("tool_call tool_response"))]],
    json: "tools",
    system: "system",
    tools: "tools",
    list: "messages conversations $",
    role: "role from",
    words: &[
        ("user", Speaker::User),
        ("human", Speaker::User),
        ("assistant", Speaker::Assistant),
        ("gpt", Speaker::Assistant),
        ("system", Speaker::System),
        ("tool", Speaker::Tool),
        ("tool_call", Speaker::Call),
        ("tool_response", Speaker::Tool),
    ],
    text: "content value",
    call: CallAt { id: "", name: "name", args: "arguments" },
    result: ResultAt { id: "", name: "", says: "content value", failed: "" },
    ..EMPTY
};
