//! Tests that every column of the limits table is read: changing any column of any written row changes some output.

mod columns;
mod faults;
mod payloads;

use self::{
    columns::FLIPS,
    payloads::{made, payloads},
};
use crate::{
    check::check,
    convert,
    dialects::table::WIRES,
    ledger::{self, Choices, State},
    model::conversation::Conversation,
    replies::{self, converter::Converter, frames::ByteFrames, write::Beside},
    report::{Others, ToolNames, loss::Options},
    rules::{
        dialect_id::DialectId,
        facts::Facts,
        limits::{Limits, Strict, overriding},
        media_class::MediaClass,
        settings,
        signs::Spot,
        slots::Slots,
    },
    stage::{self, Budget, inputs::Inputs},
    value::{
        handle::{Input, NoHost},
        json::{read, tape::Tape, write::JsonSink},
    },
};

/// Columns without any effect on these dialects. Their parsers never make reasoning or signed reasoning, or do not read
/// the name of a result's tool; or they have no documents, no choice of tools, or no URLs. A dialect that writes no ids
/// renames none. Free items matter only to a row that repairs keywords. Where a result is in one part with its call, no turn
/// of the assistant is between them. One text is always one text in a format without lists of parts. Bedrock's system text
/// is a list. Only reasoning with an id is bound, and where it is a key of a message, it has none. Other formats of Google
/// write its files as addresses.
const UNSEEN: &[&str] = &[
    "ag-ui: chooses",
    "ag-ui: results_named",
    "ag-ui: tool.free_items",
    "ai-sdk-ui: chooses",
    "ai-sdk-ui: closed",
    "ai-sdk-ui: joins_assistant",
    "ai-sdk-ui: results_named",
    "ai-sdk: chooses",
    "amazon-q: binds_reasoning",
    "amazon-q: checks_prefix",
    "amazon-q: chooses",
    "amazon-q: media.address",
    "amazon-q: media.names",
    "amazon-q: media.schemes",
    "amazon-q: media.text_beside",
    "amazon-q: results_named",
    "anthropic: results_named",
    "anthropic: tool.free_items",
    "bedrock: blank_system",
    "bedrock: results_named",
    "bedrock: tool.free_items",
    "cohere: checks_prefix",
    "cohere: media.names",
    "cohere: results_named",
    "cohere: tool.free_items",
    "gemini-interactions: tool.free_items",
    "gemini: blank_answer",
    "gemini: media.files",
    "history: binds_reasoning",
    "history: checks_prefix",
    "history: chooses",
    "history: media.names",
    "history: media.text_beside",
    "llama: binds_reasoning",
    "llama: checks_prefix",
    "llama: chooses",
    "llama: one_text",
    "mistral: checks_prefix",
    "mistral: nine",
    "ollama: binds_reasoning",
    "ollama: checks_prefix",
    "ollama: chooses",
    "ollama: media.address",
    "ollama: media.names",
    "ollama: media.schemes",
    "ollama: one_text",
    "openai-responses: results_named",
    "openai: binds_reasoning",
    "openai:hf: binds_reasoning",
    "openai:hf: checks_prefix",
    "openai:hf: media.names",
    "openai:hf: media.text_beside",
    "openai:hf: tool.free_items",
    "otel: checks_prefix",
    "otel: chooses",
    "otel: tool.free_items",
    "sharegpt: binds_reasoning",
    "sharegpt: checks_prefix",
    "sharegpt: chooses",
    "sharegpt: joined",
    "sharegpt: one_text",
    "sharegpt: results_named",
    "sharegpt: tool.free_items",
    "structured: checks_prefix",
    "structured: chooses",
];

/// Whether a column about media has no effect, because the row allows none, or no sound, or no documents.
fn says_nothing(column: &str, row: &Limits) -> bool {
    let which = ["media.images", "media.audio", "media.video", "media.documents", "media.urls", "media_of_all"];
    let media = &row.media;
    let takes_some = |class| !media.types(class).is_empty() || media.urls.contains(&class);
    let takes = MediaClass::ALL.iter().any(|class| takes_some(*class));
    column == "media.sound_beside_system" && !takes_some(MediaClass::Audio)
        || column == "media.text_beside" && !takes_some(MediaClass::Document)
        || !takes && column.starts_with("media") && !which.contains(&column)
}

/// Whether a column with a severity has no effect, because the row has no such fault.
fn is_no_fault(column: &str, wire: &Facts, row: &Limits) -> bool {
    let has = |slot: fn(&Slots) -> bool| wire.slots.is_some_and(slot);
    match column {
        "id.form" => row.id.max == usize::MAX && row.id.exact.is_none(),
        "reply_keys" => wire.keys.any || wire.keys.reply_only.is_empty(),
        "no_tools" => wire.keys.any || !has(|slots| slots.tools.is_some()),
        "false_strict" => row.tool.strict == Strict::Any || !has(|slots| slots.tools.is_some()),
        "lone_choice" => !has(|slots| slots.choice.is_some()),
        "blank_beside" => row.blank_replays,
        "blank_answer" => !row.blank_text && !row.blank_replays,
        "blank_system" => row.blank_text || !has(|slots| slots.system.is_some()),
        _ => false,
    }
}

/// Whether a column has no effect on a dialect: it lacks what the column is about, or is listed above.
fn has_no_effect(column: &str, wire: &Facts, row: &Limits) -> bool {
    let is_developer = |spot: Spot, words: &str| spot == Spot::Role && words.contains("developer");
    let names_developer =
        || wire.signs.iter().any(|words| words.iter().any(|(spot, words)| is_developer(*spot, words)));
    column.starts_with("tool.") && wire.slots.is_none_or(|slots| slots.tools.is_none())
        || column.starts_with("later.") && wire.tell.is_none()
        || is_no_fault(column, wire, row)
        || column == "closed" && wire.keys.any
        || column == "beta_keys" && wire.keys.beta.is_empty()
        || column == "marks" && wire.marks.reads.is_empty()
        || column == "system_reasons" && wire.name != "mistral"
        || column == "chooses_thinking"
            && (wire.name == "ollama"
                || UNSEEN.contains(&format!("{}: chooses", wire.name).as_str())
                || wire.slots.is_none_or(|slots| slots.choice.is_none()))
        || matches!(column, "typed_items" | "reasoning_ids") && wire.name != "openai-responses"
        || column == "silent_calls" && !wire.says.contains(&"content")
        || column.starts_with("settings.") && !settings::WIRES.contains(&wire.name)
        || column == "developer" && !names_developer()
        || column == "thoughts" && wire.reply_signs.is_empty()
        || column == "family" && wire.shared.is_empty()
        || says_nothing(column, row)
        || UNSEEN.contains(&format!("{}: {column}", wire.name).as_str())
}

/// Renders a payload, and builds and renders it, with losses and receipts.
fn outcome(conversation: &Conversation<NoHost>, target: DialectId) -> String {
    let render = |conversation: &Conversation<NoHost>| {
        let mut sink = JsonSink::new(Vec::new());
        match convert::render(conversation, target, &Options::default(), &mut sink) {
            Ok(rendering) => format!("{} {:?}", String::from_utf8_lossy(&sink.into_bytes()), rendering),
            Err(error) => format!("{error}"),
        }
    };
    // With a budget, the receipt states the total size.
    let budget = Some(Budget::Bytes(1 << 40));
    let inputs = Inputs { target: Some(target), budget, ..Inputs::default() };
    let built = match stage::build(conversation, &inputs) {
        Ok(built) => format!("{}\n{:?}\n{}", render(&built.conversation), built.receipt, built.receipt.changes.len()),
        Err(failed) => format!("{}\n{}", failed.error, failed.receipt),
    };
    let checked = check(conversation, &Inputs { target: Some(target), ..Inputs::default() });
    let prefill = Inputs { target: Some(target), prefill: true, ..Inputs::default() };
    let begins = stage::build(conversation, &prefill).is_ok();
    format!("{}\n{built}\n{begins}\n{checked:?}", render(conversation))
}

/// Requests that follow another one: with more system text, and with another tool.
fn later(target: DialectId) -> String {
    let read = |payload: &str| {
        let tape = Tape::read(&Input::new(payload.as_bytes().to_vec())).expect("JSON");
        convert::parse(&tape.view().root::<NoHost>(), DialectId::named("openai").expect("a dialect"))
            .expect("a payload")
    };
    let tool = |name: &str| {
        format!(
            r#"{{"type":"function","function":{{"name":"{name}","description":"d","parameters":{{"type":"object"}}}}}}"#
        )
    };
    let said = r#"{"role":"user","content":"a"}"#;
    let first = read(&format!(r#"{{"messages":[{{"role":"system","content":"s"}},{said}],"tools":[{}]}}"#, tool("f")));
    let answer = r#"{"role":"assistant","content":"b"}"#;
    let next = [("s\\nt", tool("f")), ("s", tool("g"))].map(|(system, tools)| {
        let system = format!(r#"{{"role":"system","content":"{system}"}}"#);
        read(&format!(r#"{{"messages":[{system},{said},{answer},{said}],"tools":[{tools}]}}"#))
    });
    let inputs = Inputs { target: Some(target), ..Inputs::default() };
    let prepare = |conversation: &Conversation<NoHost>, state: Option<&State>| {
        let made = ledger::prepare(conversation, (&inputs, target), Choices::default(), state);
        made.map(|made| (String::from_utf8_lossy(&made.json).into_owned(), made.state))
    };
    let said = |second: &Conversation<NoHost>| match prepare(&first, None)
        .and_then(|(_, state)| prepare(second, Some(&state)))
    {
        Ok((json, _)) => json,
        Err(failed) => failed.error.to_string(),
    };
    next.iter().map(said).collect()
}

/// A whole body with its settings, from another format.
fn settings_of(target: DialectId) -> String {
    let (source, format) = if target.facts.name == "openai-responses" {
        (
            "anthropic",
            r#""output_config":{"effort":"high","format":{"type":"json_schema","schema":{"type":"object","properties":{},"additionalProperties":false}}},"tools":[{"name":"f","input_schema":{"type":"object"}}],"max_tokens":9"#,
        )
    } else {
        (
            "openai-responses",
            r#""reasoning":{"effort":"high"},"text":{"format":{"type":"json_schema","name":"n","schema":{"type":"object","properties":{},"additionalProperties":false}}},"tools":[{"type":"function","name":"f","parameters":{"type":"object"},"strict":false}]"#,
        )
    };
    let list = if source == "anthropic" { "messages" } else { "input" };
    let body = format!(r#"{{"{list}":[{{"role":"user","content":"q"}}],"temperature":0.5,{format}}}"#);
    let tape = Tape::read(&Input::new(body.into_bytes())).expect("JSON");
    let source = DialectId::named(source).expect("a dialect");
    let read = convert::parse(&tape.view().root::<NoHost>(), source).expect("a body");
    let options = Options { rest: Others::Convert, ..Options::default() };
    let mut sink = JsonSink::new(Vec::new());
    match convert::render(&read, target, &options, &mut sink) {
        Ok(rendering) => format!("{} {rendering:?}", String::from_utf8_lossy(&sink.into_bytes())),
        Err(error) => error.to_string(),
    }
}

/// A reply in which the model thinks, whole and streamed. Nothing for a format without replies.
fn replies(target: DialectId) -> String {
    // In both formats the only chunk of a stream is a whole reply. A reply of the target's own format stays as it is.
    let (source, reply) = if target.facts.name == "ollama" {
        ("gemini", r#"{"candidates":[{"content":{"parts":[{"text":"t","thought":true}]},"finishReason":"STOP"}]}"#)
    } else {
        ("ollama", r#"{"message":{"role":"assistant","thinking":"t"},"done":true,"done_reason":"stop"}"#)
    };
    let source = DialectId::named(source).expect("a dialect");
    let read = read::value(reply.as_bytes()).and_then(|whole| replies::read::<NoHost>(&whole, Some(source)));
    let written = replies::write::write(&read.expect("a reply"), target, &Beside { status: None, asked: None });
    let Ok(written) = written else { return String::new() };
    let mut converter =
        Converter::<NoHost>::new(source, target, ToolNames::default(), None).expect("formats of replies");
    let mut out = ByteFrames::new(converter.framing());
    converter.feed_json(&Input::new(reply.as_bytes().to_vec()), &mut out).expect("a chunk");
    format!("{:?} {:?}", written.payload, out.into_bytes())
}

#[test]
fn every_column_of_every_written_row_is_read() {
    let payloads = payloads();
    assert!(payloads.len() > 200, "the vectors are all there");
    let mut parsed: Vec<Conversation<NoHost>> = payloads
        .iter()
        .filter_map(|(source, payload)| {
            let tape = Tape::read(&Input::new(payload.clone().into_bytes())).ok()?;
            convert::parse(&tape.view().root::<NoHost>(), *source).ok()
        })
        .collect();
    parsed.push(made());
    let mut unread = Vec::new();
    // What shows a change of a column shows it in most dialects, so it is tried first in the next one. The last
    // numbers stand for the requests that follow another one, for settings, and for replies.
    let mut tried: Vec<Vec<usize>> = vec![(0..parsed.len() + 3).rev().collect(); FLIPS.len()];
    for wire in WIRES {
        let target = DialectId { facts: wire, profile: 0 };
        let limits = *target.limits().expect("its own row");
        let becomes = |at: usize| match parsed.get(at) {
            Some(one) => outcome(one, target),
            None if at == parsed.len() => later(target),
            None if at == parsed.len() + 1 => settings_of(target),
            None => replies(target),
        };
        let mut as_it_is: Vec<Option<String>> = vec![None; parsed.len() + 3];
        for ((column, flip), tried) in FLIPS.iter().zip(&mut tried) {
            if has_no_effect(column, wire, &limits) {
                continue;
            }
            let flipped: &'static Limits = Box::leak(Box::new(flip(limits)));
            let shows = |at: &usize| {
                let before = as_it_is[*at].get_or_insert_with(|| becomes(*at));
                overriding(target, flipped, || becomes(*at)) != *before
            };
            match tried.iter().position(shows) {
                Some(place) => tried[..=place].rotate_right(1),
                None => unread.push(format!("{}: {column}", wire.name)),
            }
        }
    }
    assert!(unread.is_empty(), "no test would notice a change of these columns:\n{}", unread.join("\n"));
}
