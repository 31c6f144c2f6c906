//! Messages as frameworks keep them.

use super::{CallAt, EMPTY, Is, Piece, RecordLayout, ResultAt, Speaker};

// langchain-core's `messages/`: `model_dump`, `messages_to_dict` and `dumpd`.
pub(super) const LANGCHAIN: RecordLayout = RecordLayout {
    name: "langchain",
    kept_by: "LangChain and LangGraph: `model_dump`, `messages_to_dict`, `dumpd`",
    first: &[&[("content data.content kwargs.content", Is::Said)]],
    list: "messages $",
    unwrap: "kwargs data",
    role: "kwargs.type id.3 type",
    words: &[
        ("human", Speaker::User),
        ("ai", Speaker::Assistant),
        ("system", Speaker::System),
        ("tool", Speaker::Tool),
        ("function", Speaker::Tool),
        ("HumanMessage", Speaker::User),
        ("HumanMessageChunk", Speaker::User),
        ("AIMessage", Speaker::Assistant),
        ("AIMessageChunk", Speaker::Assistant),
        ("SystemMessage", Speaker::System),
        ("ToolMessage", Speaker::Tool),
    ],
    text: "content",
    calls_at: "tool_calls additional_kwargs.tool_calls",
    broken_at: "invalid_tool_calls",
    call: CallAt { id: "id", name: "name function.name", args: "args function.arguments" },
    result: ResultAt { id: "tool_call_id", name: "name", says: "content", failed: "status=error" },
    passes: "type lc id index",
    ..EMPTY
};

// pydantic-ai's `messages.py`, as `ModelMessagesTypeAdapter` writes it.
pub(super) const PYDANTIC_AI: RecordLayout = RecordLayout {
    name: "pydantic-ai",
    kept_by: "Pydantic AI: `all_messages_json`",
    first: &[&[("parts", Is::List)]],
    ahead: "messages.0.kind 0.kind",
    list: "messages $",
    role: "kind",
    words: &[("request", Speaker::User), ("response", Speaker::Assistant)],
    about: "instructions",
    parts: "parts",
    kind: "part_kind",
    kinds: &[
        ("system-prompt", Piece::System, "content"),
        ("user-prompt text", Piece::Text, "content"),
        ("thinking", Piece::Thought, "content"),
        ("tool-call", Piece::Call, ""),
        ("tool-return", Piece::Result, ""),
        ("retry-prompt retry-feedback", Piece::Retry, "content"),
    ],
    call: CallAt { id: "tool_call_id", name: "tool_name", args: "args" },
    result: ResultAt {
        id: "tool_call_id",
        name: "tool_name",
        says: "content",
        failed: "part_kind=retry-prompt outcome=failed outcome=denied outcome=retried",
    },
    passes: "timestamp dynamic_content scope state identifier",
    ..EMPTY
};

// `AIContent.cs` of dotnet/extensions, and `_types.py` of microsoft/agent-framework.
pub(super) const MEAI: RecordLayout = RecordLayout {
    name: "meai",
    kept_by: "Microsoft.Extensions.AI and the Agent Framework",
    first: &[&[("contents", Is::List)]],
    list: "messages $",
    role: "role",
    words: &[
        ("user", Speaker::User),
        ("assistant", Speaker::Assistant),
        ("system", Speaker::System),
        ("tool", Speaker::Tool),
    ],
    parts: "contents",
    kind: "$type type",
    kinds: &[
        ("text", Piece::Text, "text"),
        ("reasoning text_reasoning", Piece::Thought, "text"),
        ("functionCall function_call", Piece::Call, ""),
        ("functionResult function_result", Piece::Result, ""),
        ("data uri", Piece::Media(""), "uri"),
    ],
    call: CallAt { id: "callId call_id", name: "name", args: "arguments" },
    result: ResultAt { id: "callId call_id", name: "", says: "result", failed: "exception" },
    passes: "type",
    ..EMPTY
};

// `crates/goose` of block/goose: what `goose session export` writes.
pub(super) const GOOSE: RecordLayout = RecordLayout {
    name: "goose",
    kept_by: "goose: exported sessions",
    first: &[&[("created", Is::Said), ("content.0.type", Is::Text)]],
    list: "conversation messages",
    role: "role",
    words: &[("user", Speaker::User), ("assistant", Speaker::Assistant)],
    parts: "content",
    kind: "type",
    kinds: &[
        ("text", Piece::Text, "text"),
        ("thinking", Piece::Thought, "thinking"),
        ("image", Piece::Media("image"), ""),
        ("toolRequest", Piece::Call, ""),
        ("toolResponse", Piece::Result, ""),
    ],
    call: CallAt { id: "id", name: "toolCall.value.name", args: "toolCall.value.arguments" },
    result: ResultAt {
        id: "id",
        name: "",
        says: "toolResult.value.content toolResult.value toolResult.error",
        failed: "toolResult.status=error toolResult.value.isError",
    },
    passes: "status created",
    ..EMPTY
};
