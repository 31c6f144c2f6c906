//! Collects the payloads that show that a column is read: those of all vectors, and some that no vector has.

use std::{fs, path::PathBuf, sync::Arc};

use serde_json::Value;

use super::faults::FAULTS;
use crate::{
    dialects::table::WIRES,
    model::{
        conversation::{Conversation, Frame},
        media::{Media, MediaData},
        part::{Kind, Part},
        tool::{Args, Call, Content, ToolResult},
        turn::{Role, Turn},
    },
    rules::{dialect_id::DialectId, media_class::MediaClass},
    value::handle::{NoHost, Raw},
};

/// The payloads of the vectors, each with its dialect.
pub(super) fn payloads() -> Vec<(DialectId, String)> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors");
    let mut all = Vec::new();
    // A format that is named like a profile has its vectors in the file of the other format.
    for wire in WIRES.iter().filter(|wire| !wire.name.contains(':')) {
        let text = fs::read(root.join(format!("{}.json", wire.name))).expect("the vectors of a dialect");
        let list: Value = serde_json::from_slice(&text).expect("JSON");
        for vector in list.as_array().expect("a list") {
            let Some(source) = vector["source"].as_str().and_then(|name| DialectId::named(name).ok()) else { continue };
            let payload = vector["payload_text"].as_str().map_or_else(|| vector["payload"].to_string(), str::to_owned);
            all.push((source, payload));
        }
    }
    let builder: Value =
        serde_json::from_slice(&fs::read(root.join("builder.json")).expect("the builder's vectors")).expect("JSON");
    for vector in builder["build"].as_array().expect("a list") {
        let name = vector["dialect"].as_str().or(vector["source"].as_str()).unwrap_or("openai");
        if let Ok(source) = DialectId::named(name) {
            let payload = if vector["payload"].is_null() { &vector["messages"] } else { &vector["payload"] };
            all.push((source, payload.to_string()));
        }
    }
    all.extend(
        MORE.iter()
            .chain(FAULTS)
            .filter_map(|(name, payload)| Some((DialectId::named(name).ok()?, (*payload).to_owned()))),
    );
    all
}

/// Payloads beyond the vectors: blank text, parallel runs of calls, repeated or missing ids, calls of one run in two turns.
const MORE: &[(&str, &str)] = &[
    ("mistral", r#"{"messages": [{"role": "user", "content": "q", "x_odd": 1}]}"#),
    ("history", r#"[{"role": "user", "content": "q"}, {"role": "user", "content": " "}]"#),
    (
        "openai-responses",
        r#"{"input": [{"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}", "parsed_arguments": {}},
            {"type": "function_call_output", "call_id": "c", "output": "r"}]}"#,
    ),
    ("openai-responses", r#"{"input": "q", "tools": []}"#),
    (
        "mistral",
        r#"{"messages": [{"role": "system", "content": [{"type": "thinking", "thinking": [{"type": "text", "text": "t"}]},
            {"type": "text", "text": "s"}]}, {"role": "user", "content": "q"}]}"#,
    ),
    (
        "gemini",
        r#"[{"role": "user", "parts": [{"text": "q"}]}, {"role": "model", "parts": [{"text": " "}]},
            {"role": "user", "parts": [{"text": "r"}]}]"#,
    ),
    (
        "openai",
        r#"{"messages": [{"role": "user", "content": "q"},
            {"role": "assistant", "content": "", "tool_calls": [{"id": "abcDEF_12", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": "abcDEF_12", "content": "r"},
            {"role": "assistant", "content": "", "tool_calls": [{"id": "abcDEF123", "type": "function", "function": {"name": "f", "arguments": "{}"}},
                {"id": "abcDEF123", "type": "function", "function": {"name": "g", "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": "abcDEF123", "content": "r"}, {"role": "tool", "tool_call_id": "abcDEF123", "content": "s"}],
          "tools": [{"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {"a": {}}}}}]}"#,
    ),
    ("openai-responses", r#"{"input": "q", "tool_choice": "auto"}"#),
    ("anthropic", r#"{"system": "", "messages": [{"role": "user", "content": "q"}]}"#),
    ("ollama", r#"{"messages": [{"role": "user", "content": "q"}], "tools": []}"#),
    ("mistral", r#"{"messages": [{"role": "user", "content": "q"}], "tools": []}"#),
    (
        "mistral",
        r#"{"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a", "annotations": []}, {"role": "user", "content": "q"}], "tool_choice": "auto"}"#,
    ),
    ("amazon-q", r#"[{"userInputMessage": {"content": " "}}]"#),
    ("llama", r#"[{"role": "user", "content": " "}]"#),
    ("sharegpt", r#"[{"from": "human", "value": " "}]"#),
    (
        "openai:hf",
        r#"[{"role": "user", "content": " "}, {"role": "user", "content": [{"type": "image", "base64": "no base64!"}]},
            {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": {}}}]}, {"role": "assistant", "tool_calls": [{"id": "d", "function": {"name": "f", "arguments": {}}}]},
            {"role": "tool", "tool_call_id": "c", "name": "f", "content": "r"}, {"role": "tool", "tool_call_id": "d", "name": "g", "content": "r"},
            {"role": "assistant", "thinking": "hm"}, {"role": "user", "content": "r"}]"#,
    ),
    ("structured", r#"[{"role": "user", "content": " "}]"#),
    // Signed reasoning after a call without a result.
    (
        "anthropic",
        r#"[{"role": "user", "content": "q"}, {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "f", "input": {}}]},
            {"role": "user", "content": "well?"}, {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm", "signature": "c2ln"}, {"type": "text", "text": "a"}]},
            {"role": "user", "content": "x"}]"#,
    ),
    (
        "bedrock",
        r#"[{"role": "user", "content": [{"text": "q"}]}, {"role": "assistant", "content": [{"toolUse": {"toolUseId": "c", "name": "f", "input": {}}}]},
            {"role": "user", "content": [{"text": "well?"}]}, {"role": "assistant", "content": [{"reasoningContent": {"reasoningText": {"text": "hm", "signature": "c2ln"}}}, {"text": "a"}]},
            {"role": "user", "content": [{"text": "x"}]}]"#,
    ),
    (
        "gemini",
        r#"[{"role": "user", "parts": [{"text": "q"}]}, {"role": "model", "parts": [{"functionCall": {"id": "c", "name": "f", "args": {}}}]},
            {"role": "user", "parts": [{"text": "well?"}]}, {"role": "model", "parts": [{"text": "hm", "thought": true, "thoughtSignature": "c2ln"}, {"text": "a"}]},
            {"role": "user", "parts": [{"text": "x"}]}]"#,
    ),
    (
        "openai-responses",
        r#"[{"role": "user", "content": "q"}, {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}, {"role": "user", "content": "well?"},
            {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "c2ln"}, {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [{"type": "output_text", "text": "a", "annotations": []}]},
            {"role": "user", "content": "x"}]"#,
    ),
    // Reasoning without an id.
    (
        "openai-responses",
        r#"[{"role": "user", "content": "q"}, {"type": "reasoning", "summary": [], "encrypted_content": "c2ln"},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "a"}]}, {"role": "user", "content": "x"}]"#,
    ),
    (
        "llama",
        r#"[{"role": "user", "content": "q"}, {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": {}}}]},
            {"role": "tool", "tool_call_id": "c", "name": "g", "content": "r"}]"#,
    ),
    (
        "structured",
        r#"[{"role": "user", "content": "q"}, {"role": "gemini", "content": [{"type": "tool_call", "content": {"name": "f", "arguments": {}, "tool_call_id": "c"}}]},
            {"role": "gemini", "content": [{"type": "tool_call", "content": {"name": "f", "arguments": {}, "tool_call_id": "d"}}]},
            {"role": "tool", "content": [{"type": "tool_result", "name": "f", "content": "r", "tool_call_id": "c"}, {"type": "tool_result", "name": "f", "content": "r", "tool_call_id": "d"}]},
            {"role": "gemini", "content": [{"type": "reasoning", "content": "hm"}]}, {"role": "user", "content": "r"}]"#,
    ),
    (
        "structured",
        r#"[{"role": "user", "content": "q"}, {"role": "gemini", "content": [{"type": "tool_call", "content": {"name": "f", "arguments": {}, "tool_call_id": "c"}}]},
            {"role": "tool", "content": [{"type": "tool_result", "name": "g", "content": "r", "tool_call_id": "c"}]}]"#,
    ),
    ("bedrock", r#"[{"role": "user", "content": [{"text": "q"}, {"text": " "}]}]"#),
    (
        "openai",
        r##"{"messages": [{"role": "user", "content": "q"}], "tools": [
            {"type": "function", "function": {"name": "f", "strict": true, "parameters": {"type": "object", "title": "T", "$id": "a b",
                "properties": {"ab": {"type": "array"}, "c": true, "d": {"$ref": "#/$defs/D"},
                    "e": {"type": "array", "items": {"type": "string", "format": "uri", "minLength": 1,
                        "$schema": "s", "contains": {"type": "array"}, "items": {"type": "array"}}}}, "$defs": {"D": {"type": "string"}}}}},
            {"type": "function", "function": {"name": "g", "parameters": {"title": "T"}}},
            {"type": "function", "function": {"name": "h", "parameters": {"type": "object", "properties":
                {"a": {"type": "array", "items": [{"type": "string"}]}}}}}]}"##,
    ),
    ("openai-responses", r#"[{"role": "user", "content": " "}]"#),
    (
        "openai",
        r#"[{"role": "user", "content": "q"}, {"role": "assistant", "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": "c", "name": "g", "content": "r"}]"#,
    ),
    (
        "history",
        r#"[{"role": "user", "content": "q"}, {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "f", "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "tool_name": "g", "content": "r"}]}]"#,
    ),
    (
        "gemini",
        r#"[{"role": "user", "parts": [{"text": "q"}]}, {"role": "model", "parts": [{"functionCall": {"id": "c", "name": "f"}, "thoughtSignature": "S"}]},
            {"role": "user", "parts": [{"functionResponse": {"id": "c", "name": "g", "response": {}}}]}]"#,
    ),
    (
        "gemini",
        r#"[{"role": "user", "parts": [{"text": "q"}]}, {"role": "model", "parts": [{"functionCall": {"id": "c", "name": "f"}}]},
            {"role": "model", "parts": [{"functionCall": {"id": "d", "name": "f"}}]},
            {"role": "user", "parts": [{"functionResponse": {"id": "c", "name": "f", "response": {}}}, {"functionResponse": {"id": "d", "name": "f", "response": {}}}]}]"#,
    ),
    (
        "history",
        r#"[{"role": "user", "content": "q"}, {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "f", "input": {}}]},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "d", "name": "f", "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": {"a": 1}}, {"type": "tool_result", "tool_use_id": "d", "content": "r"}]},
            {"role": "assistant", "toolCalls": [{"name": "g", "input": {}}]}, {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "f", "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": [{"type": "text", "text": "x"}]}]}]"#,
    ),
    (
        "amazon-q",
        r#"[{"userInputMessage": {"content": "q"}}, {"assistantResponseMessage": {"content": "a", "toolUses": [{"toolUseId": "c", "name": "f", "input": {}}]}},
            {"assistantResponseMessage": {"content": "b", "toolUses": [{"toolUseId": "d", "name": "f", "input": {}}]}},
            {"userInputMessage": {"content": "", "userInputMessageContext": {"toolResults": [{"toolUseId": "c", "content": [{"json": {"a": 1}}], "status": "success"}, {"toolUseId": "d", "content": [{"text": "r"}], "status": "success"}]}}}]"#,
    ),
    (
        "openai",
        r#"[{"role": "user", "content": "q"}, {"role": "assistant", "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
            {"role": "user", "content": "well?"}, {"role": "assistant", "reasoning_details": [{"type": "reasoning.encrypted", "data": "c2ln"}], "content": "a"},
            {"role": "user", "content": "x"}]"#,
    ),
    (
        "openai",
        r#"[{"role": "user", "content": "q"}, {"role": "assistant", "reasoning": "hm"}, {"role": "user", "content": "r"}]"#,
    ),
    (
        "openai",
        r#"[{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "https://e.org/a"}},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo=", "detail": "low"}},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}]}]"#,
    ),
    (
        "anthropic",
        r#"[{"role": "user", "content": [{"type": "image", "source": {"type": "url", "url": "https://e.org/a"}}]}]"#,
    ),
    (
        "openai-responses",
        r#"[{"role": "user", "content": "q"}, {"type": "function_call", "id": "fc_1", "call_id": "c", "name": "f", "arguments": "{}"},
            {"type": "function_call", "id": "fc_2", "call_id": "c", "name": "f", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "c", "output": "r"}, {"type": "function_call_output", "call_id": "c", "output": "s"}]"#,
    ),
    (
        "bedrock",
        r#"[{"role": "user", "content": [{"text": "q"}]}, {"role": "assistant", "content": [{"toolUse": {"toolUseId": "c", "name": "f", "input": {}}}]},
            {"role": "assistant", "content": [{"toolUse": {"toolUseId": "d", "name": "f", "input": {}}}]},
            {"role": "user", "content": [{"toolResult": {"toolUseId": "c", "content": []}}, {"toolResult": {"toolUseId": "d", "content": []}}]},
            {"role": "assistant", "content": [{"reasoningContent": {"reasoningText": {"text": "hm"}}}]}, {"role": "user", "content": [{"text": "r"}]}]"#,
    ),
    // Media with the wrong type, in the target's own format.
    (
        "anthropic",
        r#"[{"role": "user", "content": [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "R0lGODlhAA=="}}]}]"#,
    ),
    (
        "history",
        r#"[{"role": "user", "content": [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "R0lGODlhAA=="}}]}]"#,
    ),
    (
        "amazon-q",
        r#"[{"userInputMessage": {"content": "q", "images": [{"format": "png", "source": {"bytes": "R0lGODlhAA=="}}]}}]"#,
    ),
    (
        "openai-responses",
        r#"[{"role": "user", "content": [{"type": "input_image", "image_url": "data:image/png;base64,R0lGODlhAA==", "detail": "auto"}]}]"#,
    ),
    (
        "bedrock",
        r#"[{"role": "user", "content": [{"image": {"format": "png", "source": {"bytes": "iVBORw0KGgo_"}}}]}]"#,
    ),
    ("gemini", r#"[{"role": "user", "parts": [{"inlineData": {"mimeType": "image/png", "data": "R0lGODlhAA=="}}]}]"#),
    // The same payload for chat formats, with blank text, a lone thought, and a result that names another tool than its
    // call.
    (
        "mistral",
        r#"[{"role": "user", "content": [{"type": "image_url", "image_url": "data:image/png;base64,R0lGODlhAA=="}]}, {"role": "user", "content": " "},
            {"role": "assistant", "content": [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}]}, {"role": "user", "content": "r"},
            {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": "{}"}}]}, {"role": "tool", "tool_call_id": "c", "name": "g", "content": "r"}]"#,
    ),
    (
        "ollama",
        r#"[{"role": "user", "content": "q", "images": ["R0lGODlhAA=="]}, {"role": "user", "content": " "}, {"role": "assistant", "thinking": "hm"}, {"role": "user", "content": "r"},
            {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": {}}}]}, {"role": "tool", "tool_call_id": "c", "tool_name": "g", "content": "r"}]"#,
    ),
    (
        "cohere",
        r#"[{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,R0lGODlhAA=="}}]}, {"role": "user", "content": [{"type": "text", "text": "q"}, {"type": "text", "text": " "}]},
            {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}]}, {"role": "user", "content": "r"}]"#,
    ),
    (
        "ai-sdk",
        r#"[{"role": "user", "content": [{"type": "image", "image": "R0lGODlhAA==", "mediaType": "image/png"}, {"type": "image", "image": "no base64!"}, {"type": "text", "text": " "}]},
            {"role": "assistant", "content": [{"type": "reasoning", "text": "hm", "providerOptions": {"anthropic": {"signature": "c2ln"}}}]}, {"role": "user", "content": "r"},
            {"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "c", "toolName": "f", "input": {}}]}, {"role": "user", "content": "well?"},
            {"role": "assistant", "content": [{"type": "reasoning", "text": "hm", "providerOptions": {"anthropic": {"signature": "c2ln"}}}, {"type": "text", "text": "a"}]},
            {"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "d", "toolName": "f", "input": {}}]},
            {"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "e", "toolName": "f", "input": {}}]},
            {"role": "tool", "content": [{"type": "tool-result", "toolCallId": "d", "toolName": "g", "output": {"type": "text", "value": "r"}}]},
            {"role": "tool", "content": [{"type": "tool-result", "toolCallId": "e", "toolName": "f", "output": {"type": "text", "value": "r"}}]}]"#,
    ),
    (
        "ai-sdk-ui",
        r#"[{"id": "1", "role": "user", "parts": [{"type": "file", "url": "data:image/png;base64,R0lGODlhAA==", "mediaType": "image/png"}, {"type": "file", "url": "data:image/png;base64,no base64!", "mediaType": "image/png"}, {"type": "text", "text": " "}]},
            {"id": "2", "role": "assistant", "parts": [{"type": "reasoning", "text": "hm", "providerMetadata": {"anthropic": {"signature": "c2ln"}}}]}, {"id": "3", "role": "user", "parts": [{"type": "text", "text": "r"}]},
            {"id": "4", "role": "assistant", "parts": [{"type": "tool-f", "toolCallId": "c", "state": "input-available", "input": {}}]}, {"id": "4", "role": "user", "parts": [{"type": "text", "text": "well?"}]},
            {"id": "6", "role": "assistant", "parts": [{"type": "reasoning", "text": "hm", "providerMetadata": {"anthropic": {"signature": "c2ln"}}}, {"type": "text", "text": "a"}]},
            {"id": "7", "role": "assistant", "parts": [{"type": "tool-f", "toolCallId": "d", "state": "output-available", "input": {}, "output": {"k": 1}}, {"type": "step-start"}, {"type": "tool-f", "toolCallId": "e", "state": "output-error", "input": {}, "errorText": "r"}]}]"#,
    ),
    (
        "ag-ui",
        r#"[{"id": "1", "role": "user", "content": [{"type": "image", "source": {"type": "data", "value": "R0lGODlhAA==", "mimeType": "image/png"}}, {"type": "image", "source": {"type": "data", "value": "no base64!"}}, {"type": "text", "text": " "}]},
            {"id": "2", "role": "reasoning", "content": "hm", "encryptedValue": "c2ln"}, {"id": "3", "role": "user", "content": "r"},
            {"id": "4", "role": "assistant", "toolCalls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}, {"id": "4", "role": "user", "content": "well?"},
            {"id": "6", "role": "reasoning", "content": "hm", "encryptedValue": "c2ln"}, {"id": "7", "role": "assistant", "content": "a"},
            {"id": "8", "role": "assistant", "toolCalls": [{"id": "d", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
            {"id": "9", "role": "assistant", "toolCalls": [{"id": "e", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
            {"id": "10", "role": "tool", "toolCallId": "d", "content": "r"}, {"id": "11", "role": "tool", "toolCallId": "e", "content": "r"}]"#,
    ),
    (
        "otel",
        r#"[{"role": "user", "parts": [{"type": "blob", "modality": "image", "mime_type": "image/png", "content": "R0lGODlhAA=="}, {"type": "blob", "modality": "image", "content": "no base64!"}, {"type": "text", "content": " "}]},
            {"role": "assistant", "parts": [{"type": "reasoning", "content": "hm"}]}, {"role": "user", "parts": [{"type": "text", "content": "r"}]},
            {"role": "assistant", "parts": [{"type": "tool_call", "id": "c", "name": "f", "arguments": {}}]}, {"role": "user", "parts": [{"type": "text", "content": "well?"}]},
            {"role": "assistant", "parts": [{"type": "reasoning", "content": "hm"}, {"type": "text", "content": "a"}]},
            {"role": "assistant", "parts": [{"type": "tool_call", "id": "d", "name": "f", "arguments": {}}]},
            {"role": "assistant", "parts": [{"type": "tool_call", "id": "e", "name": "f", "arguments": {}}]},
            {"role": "tool", "parts": [{"type": "tool_call_response", "id": "d", "name": "g", "response": "r"}]},
            {"role": "tool", "parts": [{"type": "tool_call_response", "id": "e", "response": "r"}]}]"#,
    ),
    (
        "gemini-interactions",
        r#"[{"type": "user_input", "content": [{"type": "image", "mime_type": "image/png", "data": "R0lGODlhAA=="}, {"type": "image", "mime_type": "image/png", "data": "no base64!"}, {"type": "text", "text": " "}]},
            {"type": "thought", "signature": "c2ln"}, {"type": "user_input", "content": [{"type": "text", "text": "r"}]},
            {"type": "function_call", "id": "c", "name": "f", "arguments": {}}, {"type": "user_input", "content": [{"type": "text", "text": "well?"}]},
            {"type": "thought", "signature": "c2ln", "summary": [{"type": "text", "text": "hm"}]}, {"type": "model_output", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": ""}]},
            {"type": "thought", "signature": "c2ln"}, {"type": "function_call", "id": "d", "name": "f", "arguments": {}}, {"type": "function_call", "id": "e", "name": "f", "arguments": {}},
            {"type": "function_result", "call_id": "d", "name": "g", "result": "r"}, {"type": "function_result", "call_id": "e", "name": "f", "result": "r"}]"#,
    ),
    // A message with an id that must be written again.
    (
        "amazon-q",
        r#"[{"userInputMessage": {"content": "q"}}, {"assistantResponseMessage": {"messageId": "m", "content": "", "toolUses": [{"toolUseId": "t", "name": "f", "input": "{}"}]}}, {"userInputMessage": {"content": "", "userInputMessageContext": {"toolResults": [{"toolUseId": "t", "content": [{"text": "ok"}]}]}}}]"#,
    ),
];

/// A conversation that only a program can make: media of every kind from every role, refusals, free text.
pub(super) fn made() -> Conversation<NoHost> {
    let media = |class, mime: &str| {
        let data = MediaData::Base64("AAAA".into());
        Part::new(Kind::Media(Media { class, mime: Some(mime.into()), data, name: None }))
    };
    let call = |id: &str, custom| Call {
        id: id.into(),
        made_up_id: false,
        name: "run".into(),
        args: Args::Text("".into()),
        custom,
        before: None,
        form: None,
        namespace: None,
    };
    let result = |id: &str| ToolResult {
        id: id.into(),
        made_up_id: false,
        name: None,
        content: Content::blocks([Part::new(Kind::Json(Raw::Own("{}".into())))]),
        error: false,
        synthetic: false,
        custom: false,
        form: None,
    };
    let turns = [
        Turn::new(Role::User, vec![Part::text("look"), media(MediaClass::Video, "video/mp4")]),
        Turn::new(
            Role::Assistant,
            vec![
                media(MediaClass::Image, "image/png"),
                Part::new(Kind::Refusal("no".into())),
                Part::new(Kind::Call(call("free", true))),
                Part::new(Kind::Call(call("plain", false))),
            ],
        ),
        Turn::new(Role::Tool, vec![Part::new(Kind::Result(result("free"))), Part::new(Kind::Result(result("plain")))]),
    ];
    Conversation::new(turns.map(Arc::new).into(), Arc::new(Frame::empty(DialectId::NONE)), None)
}
