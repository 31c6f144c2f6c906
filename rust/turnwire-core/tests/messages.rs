//! The vectors of messages, which the Python tests also read: results cut to a budget, messages cut, messages read.

use serde_json::Value;
use turnwire_core::{
    model::{Content, Kind, Part, ToolResult},
    spec::message::{Block, Timestamp, UserEnvContext, UserMessage, UserMessageContent, truncate_results},
    text::{Split, TRUNCATED_SUFFIX, Units},
    value::{NoHost, Raw, Text, json},
};

const VECTORS: &str = include_str!("../../../tests/vectors/messages.json");

fn vectors(name: &str) -> Vec<Value> {
    let all: Value = serde_json::from_str(VECTORS).expect("the vectors are JSON");
    all[name].as_array().expect("a list of vectors").clone()
}

fn piece(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(both) => piece(&both[0]).repeat(both[1].as_u64().expect("how often") as usize),
        other => unreachable!("{other} is no piece of valid text"),
    }
}

fn joined(pieces: &Value) -> String {
    match pieces {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        pieces => pieces.as_array().expect("pieces").iter().map(piece).collect(),
    }
}

fn split(case: &Value) -> Split {
    case["split"].as_str().map_or(Split::Even, |name| Split::from_name(name).expect("a known split"))
}

fn result_of(blocks: &Value) -> ToolResult<NoHost> {
    let block = |block: &Value| match block {
        Value::String(text) => Part::text(text.as_str()),
        block if block["text"].is_null() => Part::new(Kind::Json(Raw::Own(block["json"].to_string().into()))),
        block => Part::text(joined(&block["text"]).as_str()),
    };
    let blocks = match blocks {
        Value::String(_) => vec![block(blocks)],
        blocks => blocks.as_array().expect("blocks").iter().map(block).collect(),
    };
    ToolResult {
        id: Text::own("id"),
        made_up_id: false,
        name: None,
        content: Content::blocks(blocks),
        error: false,
        synthetic: false,
        custom: false,
        form: None,
    }
}

fn results_of(results: &Value) -> Vec<ToolResult<NoHost>> {
    results.as_array().into_iter().flatten().map(result_of).collect()
}

/// The content of a result: its texts, and its JSON with a mark before it.
fn said(result: &ToolResult<NoHost>) -> Vec<String> {
    result
        .blocks()
        .map(|block| match block {
            Block::Text(text) => text.to_str(None).into_owned(),
            Block::Json(raw) => format!("JSON {}", json::encode::to_string(raw, None).expect("it was read")),
            Block::Media(_) | Block::Other(_) => unreachable!("no vector has such a block"),
        })
        .collect()
}

fn all_said(results: &[ToolResult<NoHost>]) -> Vec<Vec<String>> {
    results.iter().map(said).collect()
}

#[test]
fn results_are_cut_to_their_shares() {
    for case in vectors("truncate_results") {
        let results = results_of(&case["results"]);
        let suffix = if case["suffix"].is_null() { TRUNCATED_SUFFIX.to_owned() } else { joined(&case["suffix"]) };
        let max_bytes = case["max_bytes"].as_u64().expect("a budget") as usize;
        let all: Vec<_> = results.iter().collect();
        let cut = truncate_results(&all, max_bytes, Units::from(&*suffix), split(&case)).expect("all JSON is writable");
        let now: Vec<_> = cut.into_iter().zip(results).map(|(new, old)| new.unwrap_or(old)).collect();
        assert_eq!(all_said(&now), all_said(&results_of(&case["expect"])), "{}", case["name"]);
    }
}

fn message(case: &Value) -> UserMessage<NoHost> {
    let tool_use_results = results_of(&case["results"]);
    let content = match (&case["prompt"], &case["cancelled"], &case["results"]) {
        (Value::Null, Value::Null, _) => UserMessageContent::ToolUseResults { tool_use_results },
        (Value::Null, prompt, _) => {
            UserMessageContent::CancelledToolUses { prompt: Some(Text::own(&joined(prompt))), tool_use_results }
        }
        (prompt, ..) => UserMessageContent::Prompt { prompt: Text::own(&joined(prompt)) },
    };
    let timestamp = case["timestamp"].as_str().map(|text| Timestamp::parse(text).expect(text));
    let mut message = UserMessage::new(content, UserEnvContext { env_state: None }, timestamp);
    message.additional_context = Text::own(&joined(&case["additional_context"]));
    message
}

#[test]
fn messages_are_cut_to_what_they_emit() {
    for case in vectors("truncate_message") {
        let max_bytes = case["max_bytes"].as_u64().expect("a budget") as usize;
        let (name, expect) = (&case["name"], &case["expect"]);
        let cut = message(&case).truncate_safe(max_bytes, split(&case)).expect("all JSON is writable");
        let cut = cut.expect("every vector is cut");
        assert!(cut.truncate_safe(max_bytes, split(&case)).expect("still writable").is_none(), "{name}");
        let prompt = cut.content.prompt().map(|prompt| prompt.to_str(None).into_owned());
        assert_eq!(prompt, Some(joined(&expect["prompt"])), "{name}");
        assert_eq!(cut.additional_context.to_str(None), joined(&expect["additional_context"]), "{name}");
        let results = cut.content.tool_use_results().unwrap_or_default();
        assert_eq!(all_said(results), all_said(&results_of(&expect["results"])), "{name}");
        assert_eq!(cut.timestamp, None, "{name}");
        if let Some(emitted) = expect["emitted"].as_u64() {
            let read = cut.content_with_context().expect("text");
            assert_eq!(read.utf8_len(None) as u64, emitted, "{name}");
        }
    }
}

#[test]
fn messages_read_with_their_context() {
    for case in vectors("content_with_context") {
        let read = message(&case).content_with_context().expect("text");
        assert_eq!(read.to_str(None), case["expect"].as_str().expect("text"), "{}", case["name"]);
    }
}
