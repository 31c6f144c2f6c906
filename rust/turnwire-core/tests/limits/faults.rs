//! Lists payloads with one fault each, whose severity is a column: an empty list of tools, a choice without tools, blank
//! text, a key of replies, a tool that says whether it is strict, and reasoning with an id that leads to nothing.

/// The payloads, each with its dialect.
pub(super) const FAULTS: &[(&str, &str)] = &[
    ("cohere", r#"{"messages": [{"role": "user", "content": "q"}], "tool_choice": "NONE"}"#),
    (
        "ai-sdk",
        r#"[{"role": "user", "content": "q"}, {"role": "assistant", "content": [{"type": "text", "text": "a", "providerMetadata": {"x": {}}}]}, {"role": "user", "content": "q"}]"#,
    ),
    ("bedrock", r#"{"system": [], "messages": [{"role": "user", "content": [{"text": "q"}]}]}"#),
    ("bedrock", r#"{"system": [{"text": ""}], "messages": [{"role": "user", "content": [{"text": "q"}]}]}"#),
    ("gemini-interactions", r#"{"system_instruction": "", "input": "q"}"#),
    ("bedrock", r#"{"messages": [{"role": "user", "content": [{"text": "q"}]}], "toolConfig": {"tools": []}}"#),
    (
        "bedrock",
        r#"{"system": [{"text": " "}], "messages": [{"role": "user", "content": [{"text": "q"}]}], "toolConfig": {"toolChoice": {"auto": {}}}}"#,
    ),
    ("cohere", r#"{"messages": [{"role": "user", "content": "q"}], "tools": []}"#),
    (
        "cohere",
        r#"{"messages": [{"role": "system", "content": " "}, {"role": "user", "content": "q"}], "tool_choice": "REQUIRED"}"#,
    ),
    (
        "cohere",
        r#"{"messages": [{"role": "user", "content": [{"type": "text", "text": "q"}, {"type": "text", "text": " "}]}, {"role": "assistant", "content": "a", "annotations": [], "refusal": null, "finish_reason": "x"}, {"role": "user", "content": "q"}]}"#,
    ),
    ("gemini", r#"{"contents": [{"role": "user", "parts": [{"text": "q"}]}], "tools": []}"#),
    (
        "gemini",
        r#"{"systemInstruction": {"parts": [{"text": " "}]}, "contents": [{"role": "user", "parts": [{"text": "q"}]}], "toolConfig": {"functionCallingConfig": {"mode": "AUTO"}}}"#,
    ),
    (
        "gemini-interactions",
        r#"{"input": [{"type": "user_input", "content": [{"type": "text", "text": "q"}, {"type": "text", "text": " "}]}], "tools": []}"#,
    ),
    ("gemini-interactions", r#"{"system_instruction": " ", "input": "q", "tool_choice": "auto"}"#),
    (
        "gemini-interactions",
        r#"{"system_instruction": " ", "input": "q", "generation_config": {"tool_choice": "auto"}}"#,
    ),
    (
        "mistral",
        r#"{"messages": [{"role": "user", "content": [{"type": "text", "text": "q"}, {"type": "text", "text": " "}]}]}"#,
    ),
    (
        "ollama",
        r#"{"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a", "annotations": []}, {"role": "user", "content": "q"}]}"#,
    ),
    ("openai:hf", r#"{"messages": [{"role": "user", "content": "q"}], "tool_choice": "auto"}"#),
    ("ag-ui", r#"{"messages": [{"id": "1", "role": "user", "content": "q"}], "tools": []}"#),
    (
        "otel",
        r#"{"gen_ai.input.messages": [{"role": "user", "parts": [{"type": "text", "content": "q"}]}], "gen_ai.tool.definitions": []}"#,
    ),
    (
        "cohere",
        r#"{"messages": [{"role": "user", "content": "q"}], "tools": [{"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "string"}}}, "strict": false}}, {"type": "function", "function": {"name": "g", "parameters": {"type": "object", "properties": {"a": {"type": "string"}}}, "strict": true}}]}"#,
    ),
    (
        "mistral",
        r#"{"messages": [{"role": "user", "content": "q"}], "tools": [{"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "string"}}}, "strict": false}}, {"type": "function", "function": {"name": "g", "parameters": {"type": "object", "properties": {"a": {"type": "string"}}}, "strict": true}}]}"#,
    ),
    (
        "ollama",
        r#"{"messages": [{"role": "user", "content": "q"}], "tools": [{"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "string"}}}, "strict": false}}, {"type": "function", "function": {"name": "g", "parameters": {"type": "object", "properties": {"a": {"type": "string"}}}, "strict": true}}]}"#,
    ),
    (
        "openai:hf",
        r#"{"messages": [{"role": "user", "content": "q"}], "tools": [{"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "string"}}}, "strict": false}}, {"type": "function", "function": {"name": "g", "parameters": {"type": "object", "properties": {"a": {"type": "string"}}}, "strict": true}}]}"#,
    ),
    (
        "openai",
        r#"{"messages": [{"role": "user", "content": "q"}], "tools": [{"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "string"}}}, "strict": false}}, {"type": "function", "function": {"name": "g", "parameters": {"type": "object", "properties": {"a": {"type": "string"}}}, "strict": true}}]}"#,
    ),
    (
        "gemini-interactions",
        r#"{"input": "q", "tools": [{"type": "function", "name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "string"}}}, "strict": false}]}"#,
    ),
    (
        "bedrock",
        r#"{"messages": [{"role": "user", "content": [{"text": "q"}]}], "toolConfig": {"tools": [{"toolSpec": {"name": "f", "strict": false, "inputSchema": {"json": {"type": "object", "properties": {"a": {"type": "string"}}}}}}]}}"#,
    ),
    (
        "anthropic",
        r#"[{"role": "user", "content": "q"}, {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm", "signature": "s", "id": "r"}]}, {"role": "user", "content": "q"}]"#,
    ),
    (
        "bedrock",
        r#"[{"role": "user", "content": [{"text": "q"}]}, {"role": "assistant", "content": [{"reasoningContent": {"reasoningText": {"text": "hm", "signature": "s"}}, "id": "r"}]}, {"role": "user", "content": [{"text": "q"}]}]"#,
    ),
    (
        "cohere",
        r#"{"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm", "id": "r"}]}, {"role": "user", "content": "q"}]}"#,
    ),
    (
        "mistral",
        r#"{"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}], "id": "r"}]}, {"role": "user", "content": "q"}]}"#,
    ),
    (
        "gemini",
        r#"[{"role": "user", "parts": [{"text": "q"}]}, {"role": "model", "parts": [{"text": "hm", "thought": true, "id": "r"}]}, {"role": "user", "parts": [{"text": "q"}]}]"#,
    ),
    (
        "gemini-interactions",
        r#"{"input": [{"type": "user_input", "content": [{"type": "text", "text": "q"}]}, {"type": "thought", "summary": [{"type": "text", "text": "hm"}], "signature": "c2ln", "id": "r"}, {"type": "user_input", "content": [{"type": "text", "text": "q"}]}]}"#,
    ),
    (
        "otel",
        r#"[{"role": "user", "parts": [{"type": "text", "content": "q"}]}, {"role": "assistant", "parts": [{"type": "reasoning", "content": "hm", "id": "r"}]}, {"role": "user", "parts": [{"type": "text", "content": "q"}]}]"#,
    ),
    (
        "ai-sdk",
        r#"[{"role": "user", "content": "q"}, {"role": "assistant", "content": [{"type": "reasoning", "text": "hm", "id": "r"}]}, {"role": "user", "content": "q"}]"#,
    ),
    (
        "ai-sdk-ui",
        r#"[{"id": "1", "role": "user", "parts": [{"type": "text", "text": "q"}]}, {"id": "2", "role": "assistant", "parts": [{"type": "reasoning", "text": "hm", "id": "r"}]}, {"id": "3", "role": "user", "parts": [{"type": "text", "text": "q"}]}]"#,
    ),
    (
        "structured",
        r#"[{"role": "user", "content": "q"}, {"role": "gemini", "content": [{"type": "reasoning", "content": "hm", "id": "r"}]}, {"role": "user", "content": "q"}]"#,
    ),
    (
        "history",
        r#"[{"role": "user", "content": "q"}, {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm", "signature": "s", "id": "r"}]}, {"role": "user", "content": "q"}]"#,
    ),
    (
        "gemini",
        r#"[{"role": "user", "parts": [{"text": "q"}]}, {"role": "model", "parts": [{"text": "a"}], "finishReason": "STOP", "index": 0}, {"role": "user", "parts": [{"text": "q"}]}]"#,
    ),
    (
        "ag-ui",
        r#"[{"id": "1", "role": "user", "content": "q"}, {"id": "2", "role": "assistant", "content": "a", "annotations": []}, {"id": "3", "role": "user", "content": "q"}]"#,
    ),
];
