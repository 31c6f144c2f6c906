//! Every column of the limits table is read: changing any column of any written row changes what comes out of the vectors.

use std::{fs, path::PathBuf, sync::Arc};

use serde_json::Value;

use super::{
    DialectId,
    limits::{
        Alphabet, ArgsForm, BesideCalls, Files, IdRule, JsonPlace, Judged, LastWord, Limits, MediaInResult, MediaRule,
        MessageId, NameRule, PartOrder, PlainDocument, ReasoningRule, ResultPlace, SystemPlace, overriding,
    },
    table::WIRES,
};
use crate::{
    conversation::{Conversation, Frame},
    convert::{self, Options},
    handle::{Input, NoHost, Raw},
    json::{read, write::JsonSink},
    media::{Media, MediaClass, MediaData},
    part::{Kind, Part},
    stage::{self, Inputs},
    tool::{Args, Call, Content, ToolResult},
    turn::{Role, Turn},
};

/// A column by its name, and the row with another value in it.
type Flip = (&'static str, fn(Limits) -> Limits);

/// No name begins with any of these.
static NO_LETTERS: Alphabet = Alphabet::of(b"").without(b"abcdefghijklmnopqrstuvwxyz");

/// The other value of a flag, or one that the row does not have.
const FLIPS: &[Flip] = &[
    ("id.max", |row| Limits { id: IdRule { max: 3, ..row.id }, ..row }),
    ("id.exact", |row| Limits { id: IdRule { exact: Some(9), ..row.id }, ..row }),
    ("id.alphabet", |row| Limits { id: IdRule { alphabet: Alphabet::ALPHANUMERIC, ..row.id }, ..row }),
    ("id.optional", |row| Limits { id: IdRule { optional: !row.id.optional, ..row.id }, ..row }),
    ("id.not", |row| Limits { id: IdRule { not: "c", ..row.id }, ..row }),
    ("id.once", |row| Limits { id: IdRule { once: !row.id.once, ..row.id }, ..row }),
    ("name.max", |row| Limits { name: NameRule { max: 2, ..row.name }, ..row }),
    ("name.alphabet", |row| Limits { name: NameRule { alphabet: Alphabet::ALPHANUMERIC, ..row.name }, ..row }),
    ("name.first", |row| Limits { name: NameRule { first: &NO_LETTERS, ..row.name }, ..row }),
    ("results", |row| Limits {
        results: if row.results == ResultPlace::OneEach { ResultPlace::OneTurn } else { ResultPlace::OneEach },
        ..row
    }),
    ("results_in_call_order", |row| Limits { results_in_call_order: !row.results_in_call_order, ..row }),
    ("results_named", |row| Limits { results_named: !row.results_named, ..row }),
    ("blank_result", |row| Limits { blank_result: !row.blank_result, ..row }),
    ("error_flag", |row| Limits { error_flag: !row.error_flag, ..row }),
    ("alternates", |row| Limits { alternates: !row.alternates, ..row }),
    ("blank_text", |row| Limits { blank_text: !row.blank_text, ..row }),
    ("blank_replays", |row| Limits { blank_replays: !row.blank_replays, ..row }),
    ("trailing_space", |row| Limits { trailing_space: !row.trailing_space, ..row }),
    ("starts_with_assistant", |row| Limits { starts_with_assistant: !row.starts_with_assistant, ..row }),
    ("ends_with_assistant", |row| Limits {
        ends_with_assistant: if row.ends_with_assistant == LastWord::Anybody {
            LastWord::NotAssistant
        } else {
            LastWord::Anybody
        },
        ..row
    }),
    ("args", |row| Limits { args: if row.args == ArgsForm::Text { ArgsForm::Object } else { ArgsForm::Text }, ..row }),
    ("free_text", |row| Limits { free_text: !row.free_text, ..row }),
    ("json", |row| Limits {
        json: if row.json == JsonPlace::Nowhere { JsonPlace::InResult } else { JsonPlace::Nowhere },
        ..row
    }),
    ("refusals", |row| Limits { refusals: !row.refusals, ..row }),
    ("media.images", |row| Limits {
        media: MediaRule { images: if row.media.images.is_empty() { &[""] } else { &[] }, ..row.media },
        ..row
    }),
    ("media.audio", |row| Limits {
        media: MediaRule { audio: if row.media.audio.is_empty() { &[""] } else { &[] }, ..row.media },
        ..row
    }),
    ("media.video", |row| Limits {
        media: MediaRule { video: if row.media.video.is_empty() { &[""] } else { &[] }, ..row.media },
        ..row
    }),
    ("media.documents", |row| Limits {
        media: MediaRule { documents: if row.media.documents.is_empty() { &[""] } else { &[] }, ..row.media },
        ..row
    }),
    ("media.urls", |row| Limits {
        media: MediaRule { urls: if row.media.urls.is_empty() { &[MediaClass::Image] } else { &[] }, ..row.media },
        ..row
    }),
    ("media.files", |row| Limits {
        media: MediaRule {
            files: if row.media.files.is_some() {
                None
            } else {
                Some(Files { holder: "openai", classes: &MediaClass::ALL })
            },
            ..row.media
        },
        ..row
    }),
    ("media.address", |row| Limits { media: MediaRule { address: Some(|_| false), ..row.media }, ..row }),
    ("media.schemes", |row| Limits { media: MediaRule { schemes: &["gs://"], ..row.media }, ..row }),
    ("media.typed_data", |row| Limits { media: MediaRule { typed_data: !row.media.typed_data, ..row.media }, ..row }),
    ("media.typed_urls", |row| Limits {
        media: MediaRule { typed_urls: !row.media.typed_urls, urls: &MediaClass::ALL, ..row.media },
        ..row
    }),
    ("media.named", |row| Limits {
        media: MediaRule { named: if row.media.named.is_empty() { &MediaClass::ALL } else { &[] }, ..row.media },
        ..row
    }),
    ("media.detail", |row| Limits { media: MediaRule { detail: !row.media.detail, ..row.media }, ..row }),
    ("media.names", |row| Limits {
        media: MediaRule {
            names: if row.media.names.is_some() { None } else { Some(NameRule { max: 2, ..row.name }) },
            ..row.media
        },
        ..row
    }),
    ("media.text_beside", |row| Limits {
        media: MediaRule { text_beside: !row.media.text_beside, ..row.media },
        ..row
    }),
    ("media.sound_beside_system", |row| Limits {
        media: MediaRule { sound_beside_system: !row.media.sound_beside_system, ..row.media },
        ..row
    }),
    ("media.plain", |row| Limits {
        media: MediaRule {
            plain: if row.media.plain == PlainDocument::Text { PlainDocument::Refused } else { PlainDocument::Text },
            ..row.media
        },
        ..row
    }),
    ("media.judged", |row| Limits {
        media: MediaRule {
            judged: if row.media.judged == Judged::Never { Judged::Ordinary } else { Judged::Never },
            ..row.media
        },
        ..row
    }),
    ("media_in_result", |row| Limits {
        media_in_result: if row.media_in_result == MediaInResult::Never {
            MediaInResult::Always
        } else {
            MediaInResult::Never
        },
        ..row
    }),
    ("media_of_all", |row| Limits { media_of_all: !row.media_of_all, ..row }),
    ("order", |row| Limits {
        order: if row.order == PartOrder::Free { PartOrder::CallsLast } else { PartOrder::Free },
        ..row
    }),
    ("chooses", |row| Limits { chooses: &[], ..row }),
    ("beside_calls", |row| Limits {
        beside_calls: if row.beside_calls == BesideCalls::Nothing { BesideCalls::All } else { BesideCalls::Nothing },
        ..row
    }),
    ("message_id", |row| Limits {
        message_id: if row.message_id == MessageId::Nobody { MessageId::Everybody } else { MessageId::Nobody },
        ..row
    }),
    ("system", |row| Limits {
        system: if row.system == SystemPlace::Nowhere { SystemPlace::Anywhere } else { SystemPlace::Nowhere },
        ..row
    }),
    ("reasoning", |row| Limits {
        reasoning: match row.reasoning {
            ReasoningRule::Key(_) => ReasoningRule::Replay,
            _ => ReasoningRule::Key("reasoning_content"),
        },
        ..row
    }),
    ("tools_required", |row| Limits { tools_required: !row.tools_required, ..row }),
    ("tools_max", |row| Limits { tools_max: 0, ..row }),
    ("joins_assistant", |row| Limits { joins_assistant: !row.joins_assistant, ..row }),
    ("binds_reasoning", |row| Limits { binds_reasoning: !row.binds_reasoning, ..row }),
];

/// Payloads of every dialect, each with its name: those of the vectors.
fn payloads() -> Vec<(DialectId, String)> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors");
    let mut all = Vec::new();
    // A format with the name of a profile has its vectors among those of the other.
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
    all.extend(MORE.iter().filter_map(|(name, payload)| Some((DialectId::named(name).ok()?, (*payload).to_owned()))));
    all
}

/// What no vector needs: blank text, two runs of calls side by side, ids twice or not at all, calls of one run in two turns.
const MORE: &[(&str, &str)] = &[
    ("history", r#"[{"role": "user", "content": "q"}, {"role": "user", "content": " "}]"#),
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
    // Media that are not what they are declared to be, in the target's own format.
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
    // The same of chats, with blank text, a thought alone, and a result that names another tool than the one that was called.
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
    // A message with an id that has to be written anew.
    (
        "amazon-q",
        r#"[{"userInputMessage": {"content": "q"}}, {"assistantResponseMessage": {"messageId": "m", "content": "", "toolUses": [{"toolUseId": "t", "name": "f", "input": "{}"}]}}, {"userInputMessage": {"content": "", "userInputMessageContext": {"toolResults": [{"toolUseId": "t", "content": [{"text": "ok"}]}]}}}]"#,
    ),
];

/// What only a program makes: media of every class, said by everybody, refusals, free text.
fn made() -> Conversation<NoHost> {
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
    };
    let result = |id: &str| ToolResult {
        id: id.into(),
        made_up_id: false,
        name: None,
        content: Content::blocks([Part::new(Kind::Json(Raw::Own("{}".into())))]),
        error: false,
        synthetic: false,
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

/// No parser of these makes reasoning, so there is none to bind, or finds the name of a tool in a result; they have no documents,
/// no choice of tools, and one of them no addresses. Where ids are never written, none is renamed.
const UNSEEN: &[&str] = &[
    "amazon-q: binds_reasoning",
    "amazon-q: chooses",
    "amazon-q: media.names",
    "amazon-q: media.address",
    "amazon-q: media.schemes",
    "amazon-q: media.text_beside",
    "amazon-q: results_named",
    "anthropic: results_named",
    "bedrock: results_named",
    "cohere: media.names",
    "cohere: results_named",
    "history: binds_reasoning",
    "history: chooses",
    "history: media.names",
    "history: media.text_beside",
    "llama: binds_reasoning",
    "llama: chooses",
    "llama: id.once",
    "ollama: chooses",
    "ollama: media.names",
    "ollama: media.address",
    "ollama: media.schemes",
    "openai-responses: results_named",
    "openai:hf: media.names",
    "openai:hf: media.text_beside",
    "sharegpt: binds_reasoning",
    "sharegpt: chooses",
    "sharegpt: id.once",
    "sharegpt: results_named",
    "structured: chooses",
];

/// What is said of media has no meaning for a row that takes none, but for the columns that say which.
fn says_nothing(column: &str, row: &Limits) -> bool {
    let which = ["media.images", "media.audio", "media.video", "media.documents", "media.urls", "media_of_all"];
    let media = &row.media;
    let takes = MediaClass::ALL.iter().any(|class| !media.types(*class).is_empty() || media.urls.contains(class));
    !takes && column.starts_with("media") && !which.contains(&column)
}

/// What a target makes of a payload: converted, and built and rendered, losses and receipts included.
fn outcome(conversation: &Conversation<NoHost>, target: DialectId) -> String {
    let render = |conversation: &Conversation<NoHost>| {
        let mut sink = JsonSink::new(Vec::new());
        match convert::render(conversation, target, &Options::default(), &mut sink) {
            Ok(rendering) => format!("{} {:?}", String::from_utf8_lossy(&sink.into_bytes()), rendering),
            Err(error) => format!("{error}"),
        }
    };
    let inputs = Inputs { target: Some(target), ..Inputs::default() };
    let built = match stage::build(conversation, &inputs) {
        Ok(built) => format!("{}\n{:?}\n{}", render(&built.conversation), built.receipt, built.receipt.warnings.len()),
        Err(failed) => format!("{}\n{}", failed.error, failed.receipt),
    };
    format!("{}\n{built}", render(conversation))
}

#[test]
fn every_column_of_every_written_row_is_read() {
    let payloads = payloads();
    assert!(payloads.len() > 200, "the vectors are all there");
    let mut parsed: Vec<Conversation<NoHost>> = payloads
        .iter()
        .filter_map(|(source, payload)| {
            let tape = read::tape(&Input::new(payload.clone().into_bytes())).ok()?;
            convert::parse(&tape.view().root::<NoHost>(), *source).ok()
        })
        .collect();
    parsed.push(made());
    let mut unread = Vec::new();
    for (row, wire) in WIRES.iter().enumerate() {
        let target = DialectId { row: row as u8, profile: 0 };
        let limits = *target.limits().expect("its own row");
        let as_it_is: Vec<String> = parsed.iter().map(|one| outcome(one, target)).collect();
        for (column, flip) in FLIPS {
            let flipped: &'static Limits = Box::leak(Box::new(flip(limits)));
            let read = overriding(target, flipped, || {
                parsed.iter().zip(&as_it_is).any(|(one, before)| outcome(one, target) != *before)
            });
            if !read && !says_nothing(column, &limits) && !UNSEEN.contains(&format!("{}: {column}", wire.name).as_str())
            {
                unread.push(format!("{}: {column}", wire.name));
            }
        }
    }
    assert!(unread.is_empty(), "nobody would notice these columns:\n{}", unread.join("\n"));
}
