//! The vectors of replies and streams: chunk by chunk through both kinds of source, and as bytes split anywhere.
#![allow(clippy::panic, reason = "a vector that fails names itself")]

use std::{fs, path::PathBuf};

use serde_json::{Value, json};
use turnwire_core::{
    dialects,
    model::{Event, Finish, Reply},
    replies::{self, Assembler},
    report::{Error, error::Code},
    rules::DialectId,
    value::{
        Input, JsonSink, NoHost, Raw, Tree,
        json::{encode, read},
    },
};

fn vectors() -> Vec<Value> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors/streams.json");
    let text = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let list: Value = serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    list.as_array().expect("a list of vectors").clone()
}

fn id(vector: &Value) -> DialectId {
    DialectId::named(vector["dialect"].as_str().expect("a name")).expect("a dialect")
}

fn assembler(vector: &Value) -> Assembler<NoHost> {
    Assembler::new(id(vector)).expect("a dialect with streams")
}

fn input(value: &Value) -> Input {
    Input::new(value.to_string().into_bytes())
}

fn dicts(events: &[Event<NoHost>]) -> Value {
    let written = events.iter().map(|event| {
        let mut sink = JsonSink::default();
        event.write(&mut sink);
        serde_json::from_slice(&sink.into_bytes()).expect("JSON")
    });
    Value::Array(written.collect())
}

/// Whether the body of a response is text.
fn takes_bytes(vector: &Value) -> bool {
    vector["dialect"] != "bedrock"
}

/// A reply in the form of the vectors.
fn said(reply: &Reply<NoHost>) -> Value {
    let turns = reply.turns.iter().flat_map(|turn| {
        let mut sink = JsonSink::default();
        assert!(
            dialects::registry::render_turn(turn, turn.from, &mut sink).expect("a turn of its own dialect").is_empty()
        );
        let written: Value = serde_json::from_slice(&sink.into_bytes()).expect("JSON");
        written.as_array().expect("a list of elements").clone()
    });
    let turns: Vec<Value> = turns.collect();
    let losses: Vec<_> = reply
        .losses
        .iter()
        .map(|loss| json!({"kind": loss.kind.name(), "code": loss.code.name(), "path": loss.path.to_string()}))
        .collect();
    let tokens = reply.tokens;
    let error = reply.error.as_ref().map(|error| {
        let text = encode::to_string(&Raw::<NoHost>::Tree(error.share()), None).expect("JSON");
        serde_json::from_str::<Value>(&text).expect("JSON")
    });
    json!({
        "turns": turns,
        "finish": reply.finish.name(),
        "stop_reason": reply.stop_reason.as_ref().map(|word| word.to_str(None).into_owned()),
        "tokens": [tokens.input, tokens.output, tokens.cached, tokens.reasoning],
        "late": dicts(&reply.events),
        "losses": losses,
        "error": error,
    })
}

fn check(vector: &Value, events: &[Event<NoHost>], reply: &Reply<NoHost>, door: &str) {
    let name = format!("{} ({}, {door})", vector["name"], vector["dialect"]);
    let mut got = said(reply);
    let mut expected =
        json!({"turns": vector["turns"], "finish": vector["finish"], "stop_reason": vector["stop_reason"]});
    expected["late"] = if vector["late"].is_null() { json!([]) } else { vector["late"].clone() };
    expected["losses"] = if vector["losses"].is_null() { json!([]) } else { vector["losses"].clone() };
    expected["error"] = vector["error"].clone();
    if vector["tokens"].is_null() {
        got.as_object_mut().expect("an object").remove("tokens");
    } else {
        expected["tokens"] = vector["tokens"].clone();
    }
    if !vector["events"].is_null() {
        expected["events"] = vector["events"].clone();
        got["events"] = dicts(events);
    }
    // Compared as text, because the order of written keys counts.
    assert_eq!(got["turns"].to_string(), expected["turns"].to_string(), "{name}");
    assert_eq!(got, expected, "{name}");
}

/// Feeds all of a stream through one door.
fn run(vector: &Value, feed: impl Fn(&mut Assembler<NoHost>, &mut Vec<Event<NoHost>>), door: &str) {
    let mut assembler = assembler(vector);
    let mut events = Vec::new();
    feed(&mut assembler, &mut events);
    let reply = assembler.finish().unwrap_or_else(|error| panic!("{} ({door}): {error}", vector["name"]));
    check(vector, &events, &reply, door);
    let again = assembler.finish().err();
    for error in [again, assembler.feed_bytes(b"data: {}\n\n").err(), assembler.feed_json(&input(&json!({}))).err()] {
        assert_eq!(error.expect("finished").code(), Code::Finished);
    }
}

fn as_events(chunks: &[Value]) -> String {
    chunks.iter().flat_map(|chunk| ["data: ".to_owned(), chunk.to_string(), "\n\n".to_owned()]).collect()
}

fn fed(result: Result<(), Error>, vector: &Value) {
    result.unwrap_or_else(|error| panic!("{}: {error}", vector["name"]));
}

fn by_bytes(vector: &Value, bytes: &[u8], step: usize) {
    let feed = |assembler: &mut Assembler<NoHost>, events: &mut Vec<_>| {
        for piece in bytes.chunks(step.max(1)) {
            fed(assembler.feed_bytes(piece), vector);
            events.extend(assembler.events());
        }
    };
    run(vector, feed, &format!("{step} bytes at a time"));
}

#[test]
fn vectors_hold_through_every_door() {
    let vectors = vectors();
    assert!(vectors.len() > 100, "the vectors are all there");
    let mut names = std::collections::HashSet::new();
    for vector in &vectors {
        assert!(names.insert(format!("{}{}", vector["name"], vector["dialect"])), "{}", vector["name"]);
        if !vector["fails"].is_null() {
            continue;
        }
        if !vector["reply"].is_null() {
            let payload = read::value::<NoHost>(vector["reply"].to_string().as_bytes()).expect("JSON");
            let reply =
                replies::read(&payload, Some(id(vector))).unwrap_or_else(|error| panic!("{}: {error}", vector["name"]));
            check(vector, &[], &reply, "whole");
            continue;
        }
        if let Some(text) = vector["sse"].as_str() {
            (1..80).chain([text.len()]).for_each(|step| by_bytes(vector, text.as_bytes(), step));
            continue;
        }
        let chunks = vector["chunks"].as_array().expect("chunks");
        let by_tape = |assembler: &mut Assembler<NoHost>, events: &mut Vec<_>| {
            for chunk in chunks {
                fed(assembler.feed_json(&input(chunk)), vector);
                events.extend(assembler.events());
            }
        };
        run(vector, by_tape, "tape");
        let by_value = |assembler: &mut Assembler<NoHost>, events: &mut Vec<_>| {
            for chunk in chunks {
                let value = read::value::<NoHost>(chunk.to_string().as_bytes()).expect("JSON");
                fed(assembler.feed(&Tree(&value)), vector);
                events.extend(assembler.events());
            }
        };
        run(vector, by_value, "value");
        let sse = as_events(chunks);
        for step in [1, 7, sse.len()].into_iter().filter(|_| takes_bytes(vector)) {
            by_bytes(vector, sse.as_bytes(), step);
        }
    }
}

/// A chunk that cannot be read is an error with a path. The stream continues, and no earlier event is lost.
#[test]
fn a_bad_chunk_is_an_error_and_the_stream_goes_on() {
    for vector in vectors().iter().filter(|vector| !vector["fails"].is_null()) {
        let name = &vector["name"];
        let fails = &vector["fails"];
        let chunks = vector["chunks"].as_array().expect("chunks");
        let mut assembler = assembler(vector);
        for (at, chunk) in chunks.iter().enumerate() {
            let result = assembler.feed_json(&input(chunk));
            if json!(at) == fails["chunk"] {
                let error = result.expect_err("a bad chunk");
                let got = json!({"chunk": at, "code": error.code().name(), "path": error.path().to_string()});
                assert_eq!(got, *fails, "{name}: {error}");
                assert_eq!(error.dialect(), vector["dialect"].as_str(), "{name}");
            } else {
                fed(result, vector);
            }
        }
        let _ = assembler.finish().unwrap_or_else(|error| panic!("{name}: {error}"));
        if !takes_bytes(vector) {
            continue;
        }
        // As bytes: the next call returns what follows the bad event.
        let sse = as_events(chunks);
        let mut assembler = self::assembler(vector);
        assert_eq!(assembler.feed_bytes(sse.as_bytes()).expect_err("a bad event").code().name(), fails["code"]);
        fed(assembler.feed_bytes(b""), vector);
        let _ = assembler.finish().expect("the rest is sound");
    }
}

#[test]
fn a_reply_is_known_by_its_keys() {
    for vector in vectors().iter().filter(|vector| !vector["reply"].is_null()) {
        let payload = read::value::<NoHost>(vector["reply"].to_string().as_bytes()).expect("JSON");
        // An error alone has no sign. Mistral's replies have the same keys as OpenAI's.
        let name = id(vector).name().replace("mistral", "openai");
        match replies::read(&payload, None) {
            Ok(reply) => assert!(name.starts_with(&reply.from.name()), "{}", vector["name"]),
            Err(error) => assert_eq!((error.code(), vector["turns"].to_string()), (Code::NoDialect, "[]".to_owned())),
        }
    }
}

/// The cost of a chunk does not depend on what came before it. If it did, this test would never end.
#[test]
fn chunks_of_one_character_by_the_thousand() {
    const MANY: usize = 50_000;
    let mut assembler = assembler(&json!({"dialect": "openai"}));
    let chunk = |delta: &str| format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{delta}}}]}}\n\n");
    let call = chunk(r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"q\":\""}}]}"#);
    fed(assembler.feed_bytes(call.as_bytes()), &Value::Null);
    let (text, piece) =
        (chunk(r#"{"content":"x"}"#), chunk(r#"{"tool_calls":[{"index":0,"function":{"arguments":"y"}}]}"#));
    let both = [text, piece].concat();
    for _ in 0..MANY {
        fed(assembler.feed_bytes(both.as_bytes()), &Value::Null);
    }
    assert_eq!(assembler.events().len(), MANY);
    // Each byte of a line is read once, even if the line comes byte by byte.
    for byte in chunk(&format!(r#"{{"content":"{}"}}"#, "z".repeat(MANY))).bytes() {
        fed(assembler.feed_bytes(&[byte]), &Value::Null);
    }
    let reply = assembler.finish().expect("a reply");
    assert_eq!(reply.texts().map(|text| text.utf8_len(None)).sum::<usize>(), 2 * MANY);
    assert_eq!(reply.calls().map(|call| call.args.state(None)).collect::<Vec<_>>().len(), 1);
}

/// Bedrock's body is a binary stream of frames with checksums. Text in its place is the body of an error, so that the reply
/// ends with one. Decoded events are still accepted.
#[test]
fn text_is_no_frame() {
    let mut textual = assembler(&json!({"dialect": "bedrock"}));
    fed(textual.feed_bytes(b"data: {\"text\": 1}\n\n"), &Value::Null);
    assert_eq!(textual.finish().expect("a reply").finish, Finish::Error);
    let mut assembler = assembler(&json!({"dialect": "bedrock"}));
    fed(assembler.feed_json(&input(&json!({"messageStop": {"stopReason": "end_turn"}}))), &Value::Null);
    assert_eq!(assembler.finish().expect("a reply").finish, Finish::Stop);
}

/// The same cost test for every other format.
#[test]
fn pieces_of_one_character_by_the_thousand() {
    const MANY: usize = 20_000;
    for [dialect, begin, text, piece] in [
        [
            "openai-responses",
            r#"{"type":"response.output_item.added","output_index":1,"item":{"type":"function_call","id":"fc_1","call_id":"c","name":"f","arguments":""}}"#,
            r#"{"type":"response.output_text.delta","output_index":0,"item_id":"msg_1","content_index":0,"delta":"x"}"#,
            r#"{"type":"response.function_call_arguments.delta","output_index":1,"item_id":"fc_1","delta":"y"}"#,
        ],
        [
            "anthropic",
            r#"{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"c","name":"f","input":{}}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"}}"#,
            r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"y"}}"#,
        ],
        [
            "gemini",
            r#"{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","willContinue":true}}]}}]}"#,
            r#"{"candidates":[{"content":{"parts":[{"text":"x"}]}}]}"#,
            r#"{"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.a","stringValue":"y","willContinue":true}],"willContinue":true}}]}}]}"#,
        ],
        [
            "bedrock",
            r#"{"contentBlockStart":{"contentBlockIndex":1,"start":{"toolUse":{"toolUseId":"c","name":"f"}}}}"#,
            r#"{"contentBlockDelta":{"contentBlockIndex":0,"delta":{"text":"x"}}}"#,
            r#"{"contentBlockDelta":{"contentBlockIndex":1,"delta":{"toolUse":{"input":"y"}}}}"#,
        ],
    ] {
        let mut assembler = assembler(&json!({"dialect": dialect}));
        let mut feed = |text: &str| fed(assembler.feed_json(&Input::new(text.as_bytes().to_vec())), &json!(dialect));
        feed(begin);
        for _ in 0..MANY {
            feed(text);
        }
        for _ in 0..MANY {
            feed(piece);
        }
        assert_eq!(assembler.events().len(), MANY, "{dialect}");
        let reply = assembler.finish().expect("a reply");
        assert_eq!(reply.texts().map(|text| text.utf8_len(None)).sum::<usize>(), MANY, "{dialect}");
        assert_eq!(reply.calls().count(), 1, "{dialect}");
    }
}

/// Stored formats have no replies, and the error names the formats that have.
#[test]
fn formats_without_replies_say_so() {
    let payload = read::value::<NoHost>(b"{}").expect("JSON");
    for name in ["history", "amazon-q"] {
        let id = DialectId::named(name).expect("a dialect");
        let errors = [Assembler::<NoHost>::new(id).err(), replies::read(&payload, Some(id)).err()];
        for error in errors.into_iter().map(|error| error.expect("no replies")) {
            assert_eq!(error.code(), Code::UnknownDialect);
            assert!(error.text().contains("openai"), "{error}");
        }
    }
}
