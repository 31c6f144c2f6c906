//! The vectors of every dialect, through the bytes door and through a frozen value: payload, losses, errors.
#![allow(clippy::panic, reason = "a vector that fails names itself")]

use std::{fs, path::PathBuf, sync::Arc};

use serde_json::{Value, json};
use turnwire_core::{
    convert::{Options, convert, parse, render},
    detect::Reading,
    dialects,
    model::{Args, Content, Conversation, Kind, Part, Role, ToolResult, Turn},
    report::{AssistantRole, Change, Error, Others, Path, Place, ReasoningChoice, ServerTools, error::Code},
    rules::DialectId,
    value::{Input, JsonSink, MAX_DEPTH, NoHost, Source, Tape, Tree, json::read},
};

type Outcome = Result<(String, Vec<Change>), Error>;

/// Each dialect has a file: payloads that are written as it, and payloads that cannot be read as it.
fn vectors() -> Vec<Value> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors");
    let lists = dialects::table::names().filter(|name| !name.contains(':')).map(|name| {
        let path = root.join(format!("{name}.json"));
        let text = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let list: Value = serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        list.as_array().expect("a list of vectors").clone()
    });
    lists.flatten().collect()
}

fn text<'a>(vector: &'a Value, key: &str) -> &'a str {
    vector[key].as_str().unwrap_or_else(|| panic!("{key} of {}", vector["name"]))
}

fn payload(vector: &Value) -> String {
    vector["payload_text"].as_str().map_or_else(|| vector["payload"].to_string(), str::to_owned)
}

fn options(vector: &Value) -> Options {
    let given = &vector["options"];
    let assistant_role = match given["assistant_role"].as_str() {
        Some("gemini") => Some(AssistantRole::Gemini),
        Some("chatgpt") => Some(AssistantRole::ChatGpt),
        _ => None,
    };
    let strict = given["strict"] == true;
    let reasoning = given["reasoning"].as_str().and_then(ReasoningChoice::from_name).unwrap_or_default();
    let rest = match given["settings"].as_str() {
        Some("keep") => Others::Keep,
        Some("convert") => Others::Convert,
        _ => Others::Caller,
    };
    Options {
        strict,
        reasoning,
        server_tools: given["server_tools"].as_str().and_then(ServerTools::from_name).unwrap_or_default(),
        assistant_role,
        rest,
        model: given["model"].as_str().map(Into::into),
        ..Options::default()
    }
}

fn run<S: Source<H = NoHost>>(payload: &S, vector: &Value) -> Outcome {
    let (source, target) = (DialectId::named(text(vector, "source"))?, DialectId::named(text(vector, "target"))?);
    let mut sink = JsonSink::new(Vec::new());
    let results = vector["options"]["tool_results"] == true;
    let source = if results { Reading::WithResults(source) } else { Reading::As(source) };
    let losses = convert(payload, source, target, &options(vector), &mut sink)?.losses;
    Ok((String::from_utf8(sink.into_bytes()).expect("UTF-8"), losses))
}

fn by_bytes(payload: String, vector: &Value) -> Outcome {
    run(&Tape::read(&Input::new(payload.into_bytes()))?.view().root::<NoHost>(), vector)
}

fn by_value(payload: &str, vector: &Value) -> Outcome {
    run(&Tree(&read::value::<NoHost>(payload.as_bytes())?), vector)
}

/// The compact form, with the keys in their order.
fn compact(payload: &str) -> String {
    serde_json::from_str::<Value>(payload).expect("JSON").to_string()
}

fn check(vector: &Value, outcome: &Outcome, door: &str) {
    let name = format!("{} ({} to {}, {door})", text(vector, "name"), text(vector, "source"), text(vector, "target"));
    match outcome {
        Err(error) => {
            let got = json!({"code": error.code().name(), "path": error.path().to_string()});
            assert_eq!(got, vector["error"], "{name}: {error}");
            let json_door = error.code() == Code::InvalidJson;
            assert_eq!(error.dialect().is_none(), json_door, "{name}: {error}");
        }
        Ok((payload, losses)) => {
            match vector["expect_text"].as_str() {
                Some(expected) if door == "bytes" => assert_eq!(payload, expected, "{name}"),
                Some(_) => {}
                None => assert_eq!(compact(payload), vector["expect"].to_string(), "{name}"),
            }
            let got: Vec<_> = losses
                .iter()
                .map(|loss| {
                    let (kind, code) = (loss.kind.name(), loss.code.name());
                    json!({"kind": kind, "code": code, "path": loss.path.to_string()})
                })
                .collect();
            // A frozen value of plain Rust keeps lone surrogates only in JSON text inside it.
            let counts = |loss: &&Value| door == "bytes" || loss["code"] != "lone_surrogate";
            // Their order is that of the payload, whatever the vector lists first, and each is told once.
            let sorted = |all: &[Value]| {
                all.iter().filter(counts).map(Value::to_string).collect::<std::collections::BTreeSet<_>>()
            };
            assert_eq!(sorted(&got), sorted(vector["losses"].as_array().expect("losses")), "{name}");
        }
    }
}

#[test]
fn vectors_hold_on_both_doors() {
    let vectors = vectors();
    assert!(vectors.len() > 150, "the vectors are all there");
    let mut names = std::collections::HashSet::new();
    for vector in &vectors {
        assert!(
            names.insert(format!("{}{}{}", vector["name"], vector["source"], vector["target"])),
            "{}",
            vector["name"]
        );
        let payload = payload(vector);
        check(vector, &by_value(&payload, vector), "value");
        check(vector, &by_bytes(payload, vector), "bytes");
    }
}

/// A dialect replays its own output unchanged: each vector's result is a payload like any other.
#[test]
fn what_is_written_is_replayed() {
    for vector in vectors().iter().filter(|vector| vector["error"].is_null()) {
        let written = vector["expect_text"].as_str().map_or_else(|| vector["expect"].to_string(), str::to_owned);
        let options = json!({"settings": vector["options"]["settings"]});
        let again = json!({"source": vector["target"], "target": vector["target"], "options": options});
        let (payload, losses) =
            by_bytes(written.clone(), &again).unwrap_or_else(|error| panic!("{}: {error}", vector["name"]));
        assert_eq!(payload, written, "{}", vector["name"]);
        assert!(losses.is_empty(), "{}: {losses:?}", vector["name"]);
    }
}

/// Marks parts as if a stage had changed them. A touched part is rewritten from its content.
fn touch(part: &mut Part<NoHost>) {
    match &mut part.kind {
        Kind::Result(result) => {
            if let Content::Blocks(blocks) = &mut result.content {
                blocks.iter_mut().for_each(touch);
            }
        }
        Kind::Text(_) | Kind::Call(_) | Kind::Json(_) => {}
        _ => return,
    }
    part.touched = true;
}

/// A touched turn is rewritten. In its own dialect it must have the same content, unknown keys included.
#[test]
fn touched_turns_say_the_same_at_home() {
    // Losses of content that no dialect accepts when it is rewritten, or that the bytes door cannot hold.
    let expected = |loss: &Change| {
        let invalid = [
            "blank_text",
            "empty_turn",
            "joined",
            "empty_result",
            "stand_in",
            "arguments",
            "id",
            "renamed_id",
            "error_flag",
            "order",
            "reordered_result",
            "json_as_text",
            "signature",
            "duplicate_result",
        ];
        invalid.contains(&loss.code.name())
    };
    for (vector, deep) in vectors().iter().flat_map(|vector| [(vector.clone(), false), (vector.clone(), true)]) {
        let name = text(&vector, "name");
        if vector["error"].is_object() || name.starts_with("C41") {
            continue;
        }
        let source = DialectId::named(text(&vector, "source")).expect("a dialect");
        let tape = Tape::read(&Input::new(payload(&vector).into_bytes())).expect("JSON");
        let mut conversation = parse(&tape.view().root::<NoHost>(), source).expect("a conversation");
        for turn in conversation.turns_mut() {
            let mut touched = turn.touch();
            if deep {
                touched.parts.iter_mut().for_each(touch);
            }
            *turn = Arc::new(touched);
        }
        let mut sink = JsonSink::new(Vec::new());
        let losses = render(&conversation, source, &Options::default(), &mut sink);
        let losses = losses.unwrap_or_else(|error| panic!("{name}: {error}")).losses;
        // Only stored histories have entities.
        let stored = conversation.turns().iter().any(|turn| turn.entity.is_some()) && source.name() != "history";
        let around = |loss: &Change| stored && loss.code.name() == "key";
        // Of two spellings of a key, only one is read.
        let unread = conversation.frame.unread.iter().map(|place| Path::default().at(Place::key(place)).to_string());
        let unread: Vec<_> = unread.collect();
        let unread = |loss: &Change| unread.contains(&loss.path.to_string());
        // A part that is written anew says of which type or state it is, so another value of that key has no place.
        let says = |loss: &Change| {
            let path = loss.path.to_string();
            loss.code.name() == "key" && (path.ends_with("].type") || path.ends_with("].state"))
        };
        let unexpected: Vec<_> =
            losses.iter().filter(|loss| !(expected(loss) || around(loss) || unread(loss) || says(loss))).collect();
        assert!(unexpected.is_empty(), "{name} at home: {unexpected:?}");
        if losses.iter().any(|loss| loss.code.name() != "error_flag") {
            continue;
        }
        let written = sink.into_bytes();
        let tape = Tape::read(&Input::new(written.clone())).expect("JSON");
        let again = parse(&tape.view().root::<NoHost>(), source).expect("a conversation");
        // If the sides alternate, neighbours of one side have become one.
        let sides = |conversation: &Conversation<NoHost>| {
            let mut roles: Vec<_> = conversation.turns().iter().map(|turn| turn.role).collect();
            let is_side = |role: Role| !role.is_system();
            let assistant = |role: Role| role == Role::Assistant;
            roles.dedup_by(|one, next| is_side(*one) && is_side(*next) && assistant(*one) == assistant(*next));
            roles.len()
        };
        if source.limits().expect("limits").alternates && sides(&conversation) < conversation.turns().len() {
            assert_eq!(sides(&conversation), again.turns().len(), "{name}");
            continue;
        }
        assert_eq!(conversation.turns().len(), again.turns().len(), "{name}");
        // A turn with a flaw is written as a build mends it, and the text null of no arguments as an empty object.
        let is_null = |turn: &Turn<NoHost>| {
            turn.calls().any(|call| matches!(&call.args, Args::Text(text) if text.is("null", turn.input.as_ref())))
        };
        let sound = conversation.turns().iter().zip(again.turns());
        let sound = sound.filter(|(before, _)| before.flaw.is_none() && !is_null(before));
        for (before, after) in sound {
            assert!(before.same(after), "{name}: {}", String::from_utf8_lossy(&written));
            assert_eq!(extras(before), extras(after), "{name}: {}", String::from_utf8_lossy(&written));
        }
    }
}

/// How many unknown keys a turn has.
fn extras(turn: &Turn<NoHost>) -> usize {
    fn of(part: &Part<NoHost>) -> usize {
        let inner = match &part.kind {
            Kind::Result(ToolResult { content: Content::Blocks(blocks), .. }) => blocks.iter().map(of).sum(),
            _ => 0,
        };
        inner + part.extras.as_ref().map_or(0, |extras| extras.len())
    }
    turn.extras.as_ref().map_or(0, |extras| extras.len()) + turn.parts.iter().map(of).sum::<usize>()
}

/// Values nested as deep as allowed pass through every dialect and both doors unchanged. One container more is refused.
#[test]
fn nesting_is_bounded_in_every_dialect() {
    let vectors = vectors();
    for name in dialects::table::names() {
        let base = name.split(':').next().expect("a name");
        let replays =
            |vector: &&Value| vector["source"] == base && vector["target"] == base && vector["error"].is_null();
        let slots = DialectId::named(&name).ok().and_then(|id| id.facts.slots).expect("a dialect with a list");
        let own = payload(vectors.iter().find(replays).expect("something that replays"));
        let own: Value = serde_json::from_str(&own.replace("1e400", "1").replace("1E400", "1")).expect("JSON");
        let vector = json!({"source": name, "target": name});
        let with = |lists: usize| {
            let mut payload = own.clone();
            let list = if own.is_array() { &mut payload } else { &mut payload[slots.list_key()] };
            list[0]["odd"] = "DEEP".into();
            payload.to_string().replace("\"DEEP\"", &format!("{}{}", "[".repeat(lists), "]".repeat(lists)))
        };
        let deepest = MAX_DEPTH - if own.is_array() { 2 } else { 3 };
        let payload = with(deepest);
        for outcome in [by_bytes(payload.clone(), &vector), by_value(&payload, &vector)] {
            let (written, _) = outcome.unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(written.contains(&"[".repeat(deepest)), "{name}: {written}");
        }
        for lists in [deepest + 1, 10_000] {
            let error = by_bytes(with(lists), &vector).expect_err("too deep");
            assert_eq!(error.code(), Code::TooDeep, "{name}");
            assert_eq!(error.path().steps().count(), MAX_DEPTH, "{name}");
        }
    }
}

/// A new id depends only on the old one, so what was written stays the same while the conversation grows.
#[test]
fn new_ids_stay_while_a_conversation_grows() {
    let turn = |at: usize| {
        format!(
            r#"{{"role":"assistant","tool_calls":[{{"id":"call:{at}","type":"function","function":{{"name":"f","arguments":"{{}}"}}}}]}},{{"role":"tool","tool_call_id":"call:{at}","content":"ok"}}"#
        )
    };
    let vector = json!({"source": "openai", "target": "anthropic"});
    let mut before: Vec<Value> = Vec::new();
    for count in 1..40 {
        let turns: Vec<_> = (0..count).map(turn).collect();
        let list = format!(r#"[{{"role":"user","content":"go"}},{}]"#, turns.join(","));
        let (payload, _) = by_bytes(list, &vector).expect("a payload");
        let payload: Value = serde_json::from_str(&payload).expect("JSON");
        let messages = payload["messages"].as_array().expect("a list").clone();
        assert_eq!(messages[..before.len()], before[..], "{count} calls");
        let ids: std::collections::HashSet<_> =
            messages.iter().filter_map(|message| message["content"][0]["id"].as_str()).collect();
        assert_eq!(ids.len(), count, "ids are unique");
        before = messages;
    }
}

/// A new id never equals one in the conversation, even if the caller has predicted it.
#[test]
fn new_ids_do_not_collide() {
    let call = |id: &str| {
        json!([{"role": "assistant", "tool_calls": [{"id": id, "type": "function", "function": {"name": "f", "arguments": ""}}]},
               {"role": "tool", "tool_call_id": id, "content": id}])
    };
    let convert = |ids: &[&str]| {
        let mut list = vec![json!({"role": "user", "content": "go"})];
        list.extend(ids.iter().flat_map(|id| call(id).as_array().expect("a list").clone()));
        let vector = json!({"source": "openai", "target": "anthropic"});
        let (payload, _) = by_bytes(Value::from(list).to_string(), &vector).expect("a payload");
        serde_json::from_str::<Value>(&payload).expect("JSON")["messages"].clone()
    };
    let made = convert(&["a:b"])[1]["content"][0]["id"].as_str().expect("an id").to_owned();
    let both = convert(&["a:b", &made]);
    assert_eq!(both[3]["content"][0]["id"], made.as_str(), "a valid id is left alone");
    assert_ne!(both[1]["content"][0]["id"], made.as_str());
    for (call, result) in [(1, 2), (3, 4)] {
        assert_eq!(both[call]["content"][0]["id"], both[result]["content"][0]["tool_use_id"]);
    }
    assert_eq!(both[2]["content"][0]["content"], "a:b");
    assert_eq!(both[4]["content"][0]["content"], made.as_str());
}
