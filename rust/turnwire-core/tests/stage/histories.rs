//! Broken histories of every dialect at once, with few ids.

use proptest::prelude::*;
use serde_json::{Value, json};
use turnwire_core::{
    dialects,
    model::{Args, Call, Content, Conversation, Frame, Kind, Part, Role, ToolResult, Turn},
    report::Error,
    rules::DialectId,
    value::{Input, NoHost, Tape, Text},
};

use super::promises::Conv;

/// A part of a message, in any order.
#[derive(Clone, Debug)]
pub(crate) enum Said {
    Text,
    Call(&'static str),
    Result(&'static str),
}

/// One message of one dialect. Typed messages have none.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) dialect: &'static str,
    pub(crate) assistant: bool,
    pub(crate) said: Vec<Said>,
}

pub(crate) const DIALECTS: [&str; 6] = ["", "openai", "anthropic", "amazon-q", "gemini", "history"];
/// Ids that all targets accept, ids that some refuse, and one that a new id could equal.
pub(crate) const IDS: [&str; 7] = ["a", "b", "b_2", "a:b", "", "ééééé", "x2345678901234567890123456789012345678901"];

pub(crate) fn message(dialects: &'static [&'static str]) -> impl Strategy<Value = Message> {
    let id = prop_oneof![6 => Just("a"), 2 => Just("b"), 1 => prop::sample::select(&IDS[..])];
    let said = prop_oneof![
        1 => Just(Said::Text),
        3 => id.clone().prop_map(Said::Call),
        3 => id.prop_map(Said::Result),
    ];
    (prop::sample::select(dialects), any::<bool>(), prop::collection::vec(said, 1..4))
        .prop_map(|(dialect, assistant, said)| Message { dialect, assistant, said })
}

/// The messages as turns. Each call has its own name, and each result a text.
pub(crate) fn conversation(messages: &[Message]) -> Result<Conv, Error> {
    let mut count = 0;
    let mut turns = vec![Turn::new(Role::User, [Part::text("start")])];
    for message in messages {
        let from = if message.dialect.is_empty() { DialectId::NONE } else { DialectId::named(message.dialect)? };
        let numbers = count..count + message.said.len();
        count = numbers.end;
        let said = message.said.iter().zip(numbers);
        if message.dialect.is_empty() {
            let role = if message.assistant { Role::Assistant } else { Role::User };
            turns.push(Turn::new(role, said.map(typed).collect::<Vec<_>>()));
            continue;
        }
        for element in elements(message, said) {
            let input = Input::new(element.to_string());
            turns.push(dialects::registry::parse_turn(&Tape::read(&input)?.view().root::<NoHost>(), 0, from)?);
        }
    }
    turns.push(Turn::new(Role::User, [Part::text("end")]));
    let turns = turns.into_iter().map(std::sync::Arc::new).collect();
    Ok(Conversation::new(turns, Frame::empty(DialectId::NONE).into(), None))
}

pub(crate) fn typed((said, number): (&Said, usize)) -> Part<NoHost> {
    Part::new(match said {
        Said::Text => Kind::Text("text".into()),
        Said::Call(id) => Kind::Call(Call {
            id: (*id).into(),
            made_up_id: false,
            name: Text::own(&format!("f{number}")),
            args: Args::Text("{}".into()),
            custom: false,
            before: None,
            form: None,
            namespace: None,
        }),
        Said::Result(id) => Kind::Result(ToolResult {
            id: (*id).into(),
            made_up_id: false,
            name: None,
            content: Content::Text(Text::own(&format!("r{number}"))),
            error: false,
            synthetic: false,
            custom: false,
            form: None,
        }),
    })
}

/// The elements of a dialect's list with this content.
pub(crate) fn elements<'a>(message: &Message, said: impl Iterator<Item = (&'a Said, usize)>) -> Vec<Value> {
    let role = if message.assistant { "assistant" } else { "user" };
    let (mut text, mut calls, mut results, mut blocks) = (Value::Null, Vec::new(), Vec::new(), Vec::new());
    for (said, number) in said {
        let (name, words) = (format!("f{number}"), format!("r{number}"));
        match said {
            Said::Text => {
                text = json!("text");
                blocks.push(json!({"type": "text", "text": "text"}));
            }
            Said::Call(id) => {
                blocks.push(json!({"type": "tool_use", "id": id, "name": name, "input": {}}));
                calls.push((id, name));
            }
            Said::Result(id) => {
                blocks.push(json!({"type": "tool_result", "tool_use_id": id, "content": words}));
                results.push((id, words));
            }
        }
    }
    if message.dialect == "openai" {
        let calls: Vec<_> = calls
            .into_iter()
            .map(|(id, name)| json!({"id": id, "type": "function", "function": {"name": name, "arguments": "{}"}}))
            .collect();
        let results =
            results.into_iter().map(|(id, words)| json!({"role": "tool", "tool_call_id": id, "content": words}));
        let asks = (!calls.is_empty()).then(|| json!({"role": "assistant", "content": null, "tool_calls": calls}));
        let says = (!text.is_null()).then(|| json!({"role": role, "content": text}));
        return says.into_iter().chain(asks).chain(results).collect();
    }
    if message.dialect == "amazon-q" {
        let text = text.as_str().unwrap_or_default();
        let uses: Vec<_> =
            calls.into_iter().map(|(id, name)| json!({"toolUseId": id, "name": name, "input": {}})).collect();
        let results: Vec<_> = results
            .into_iter()
            .map(|(id, words)| json!({"toolUseId": id, "content": [{"text": words}], "status": "success"}))
            .collect();
        let asks = json!({"assistantResponseMessage": {"content": text, "toolUses": uses}});
        let says = json!({"userInputMessage": {"content": text, "userInputMessageContext": {"toolResults": results}}});
        let mut list = Vec::new();
        if !uses.is_empty() {
            list.push(asks);
        }
        if !results.is_empty() {
            list.push(says);
        }
        return list;
    }
    if message.dialect == "gemini" {
        let role = if message.assistant { "model" } else { role };
        return vec![json!({"role": role, "parts": blocks.iter().map(gemini).collect::<Vec<_>>()})];
    }
    vec![json!({"role": role, "content": blocks})]
}

/// Histories of one id in every shape, `many` calls long.
pub(crate) fn of_one_id(many: usize) -> Vec<Vec<Message>> {
    let of = |dialect, said: Vec<Said>| Message { dialect, assistant: false, said };
    let calls = || vec![Said::Call("a"); many];
    let results = || vec![Said::Result("a"); many];
    let one_each = |said: Said| vec![of("anthropic", vec![said]); many];
    let rounds = (0..many).flat_map(|_| [of("", vec![Said::Call("a")]), of("", vec![Said::Result("a")])]);
    vec![
        vec![of("anthropic", calls()), of("anthropic", results())],
        vec![of("openai", calls()), of("openai", results())],
        vec![of("anthropic", results()), of("anthropic", calls())],
        vec![of("amazon-q", calls()), of("", vec![Said::Text]), of("amazon-q", results())],
        one_each(Said::Call("a")).into_iter().chain(one_each(Said::Result("a"))).collect(),
        std::iter::once(of("", calls())).chain(rounds).chain([of("", results())]).collect(),
        vec![of("", [calls(), vec![Said::Text], results()].concat())],
    ]
}

/// The same block in Gemini's form.
fn gemini(block: &Value) -> Value {
    match block["type"].as_str() {
        Some("tool_use") => json!({"functionCall": {"id": block["id"], "name": block["name"], "args": {}}}),
        Some("tool_result") => {
            json!({"functionResponse": {"id": block["tool_use_id"], "name": "f", "response": {"result": block["content"]}}})
        }
        _ => json!({"text": block["text"]}),
    }
}
