//! Windows on a history, summaries of what is outside, and histories as lines, all without Python.

use serde_json::{Value, json};
use turnwire_core::{
    convert,
    model::Conversation,
    report::{Edit, error::Code},
    rules::DialectId,
    spec::stored::{self, Line},
    stage::{Budget, Inputs, Window, summed, window},
    value::{Input, JsonSink, NoHost, Tape, Text},
};

type Conv = Conversation<NoHost>;

fn parse(messages: &Value) -> Conv {
    let tape = Tape::read(&Input::new(messages.to_string())).expect("JSON");
    convert::parse(&tape.view().root::<NoHost>(), DialectId::named("openai").expect("a name")).expect("messages")
}

fn rendered(conversation: &Conv) -> Vec<Value> {
    let mut out = JsonSink::new(Vec::new());
    let openai = DialectId::named("openai").expect("a name");
    convert::render(conversation, openai, &convert::Options::default(), &mut out).expect("rendered");
    let payload: Value = serde_json::from_slice(&out.into_bytes()).expect("JSON");
    payload.as_array().or_else(|| payload["messages"].as_array()).expect("a list").clone()
}

/// A system text and a task, then rounds of a call with its result, then a question.
fn run(rounds: usize) -> Vec<Value> {
    let mut messages = vec![json!({"role": "system", "content": "s"}), json!({"role": "user", "content": "task"})];
    for round in 0..rounds {
        let id = format!("c{round}");
        let call = json!({"id": id, "type": "function", "function": {"name": "f", "arguments": "{}"}});
        messages.push(json!({"role": "assistant", "content": null, "tool_calls": [call]}));
        messages.push(json!({"role": "tool", "tool_call_id": id, "content": "r"}));
    }
    messages.push(json!({"role": "user", "content": "next"}));
    messages
}

fn in_turns(turns: usize) -> Inputs<'static, NoHost> {
    Inputs { budget: Some(Budget::Turns(turns)), ..Inputs::default() }
}

fn left(window: &Window<NoHost>) -> Vec<Value> {
    rendered(&window.built.conversation)
}

#[test]
fn the_newest_whole_exchanges_stay() {
    let messages = run(4);
    let given = parse(&Value::from(messages.clone()));
    let window = window(&given, &in_turns(6)).expect("a window");
    // Three turns that are never dropped leave room for one exchange of two.
    assert_eq!(window.gone, [2, 3, 4, 5, 6, 7]);
    assert_eq!(left(&window), [&messages[..2], &messages[8..]].concat());
    let totals = window.built.receipt.totals.expect("totals");
    assert_eq!((totals.unit.name(), totals.before, totals.after), ("turns", 11, 5));
    assert_eq!(totals.freed, [(Edit::DroppedExchange, 6)]);
}

#[test]
fn what_fits_is_the_very_same() {
    let given = parse(&Value::from(run(4)));
    let window = window(&given, &in_turns(11)).expect("a window");
    assert!(window.gone.is_empty());
    assert!(window.built.receipt.is_unchanged());
    assert!(given.turns().iter().zip(window.built.conversation.turns()).all(|(a, b)| std::sync::Arc::ptr_eq(a, b)));
}

#[test]
fn what_must_stay_is_an_error_that_says_how_much() {
    let given = parse(&Value::from(run(4)));
    let failed = window(&given, &Inputs { pinned: &[3], ..in_turns(4) }).expect_err("too small");
    assert_eq!(failed.error.code(), Code::BudgetTooSmall);
    assert!(failed.error.text().contains("at least 5 turns"), "{failed}");
    assert!(window(&given, &Inputs { pinned: &[3], ..in_turns(5) }).is_ok());
}

#[test]
fn a_summary_takes_the_task_and_the_earlier_summary() {
    let messages = run(4);
    let inputs = Inputs { summarised: true, ..in_turns(2) };
    let first = window(&parse(&Value::from(messages)), &inputs).expect("a window");
    // Of ten turns that are not system turns, only the question stays, because it follows all exchanges.
    assert_eq!(first.gone, (1..10).collect::<Vec<_>>());
    let built = summed(&first.built, first.gone.len(), &Text::own("what was"));
    let said = "[Previous conversation summary (9 messages compressed)]\n\nwhat was";
    let after = rendered(&built.conversation);
    assert_eq!(after[1], json!({"role": "system", "content": said}));
    assert_eq!(built.receipt.first_changed_index, Some(1));
    let grown: Vec<_> = after.into_iter().chain(run(3).split_off(2)).collect();
    let second = window(&parse(&Value::from(grown)), &inputs).expect("a window");
    assert_eq!(left(&second).len(), 2);
    assert!(second.gone.contains(&1));
}

#[test]
fn a_turn_is_its_line_to_the_letter() {
    for spelled in
        [r#"{"role":"user","content":"1.10 \ud83d","odd": [1.10, 1e999]}"#, r#"{ "role": "user","content": [] }"#]
    {
        let tape = Tape::read(&Input::new(spelled.to_owned())).expect("JSON");
        let openai = DialectId::named("openai").expect("a name");
        let turn = convert::parse_element(&tape.view().root::<NoHost>(), 0, openai).expect("a turn");
        let line = stored::write(&turn).expect("written").expect("a line");
        let line = String::from_utf8(line).expect("UTF-8");
        assert_eq!(line, format!("{{\"dialect\":\"openai\",\"element\":{spelled}}}\n"));
        let Line::Turn(read) = stored::read::<NoHost>(&Input::new(line), 0).expect("read") else {
            unreachable!("it is a turn")
        };
        assert!(read.same(&turn));
    }
}

#[test]
fn a_line_has_no_line_break_inside() {
    let tape = Tape::read(&Input::new("{\"role\": \"user\",\r\n \"content\": \"a\\nb\"}".to_owned())).expect("JSON");
    let turn = convert::parse_element(&tape.view().root::<NoHost>(), 0, DialectId::named("openai").expect("a name"));
    let line = stored::write(&turn.expect("a turn")).expect("written").expect("a line");
    assert_eq!(memchr::memchr(b'\n', &line), Some(line.len() - 1));
    assert!(stored::read::<NoHost>(&Input::new(line), 0).is_ok());
}

#[test]
fn what_is_no_line_says_so() {
    let cases = [
        ("", Code::InvalidJson, "$"),
        ("[]", Code::BadHistory, "$"),
        ("{\"clear\": false}", Code::BadHistory, "$"),
        ("{\"dialect\": \"nobody\", \"element\": {}}", Code::UnknownDialect, "$"),
        ("{\"dialect\": \"openai\", \"element\": {\"role\": \"robot\"}}", Code::UnknownRole, "$.element.role"),
        ("{\"dialect\": \"openai\", \"element\": 5}", Code::WrongType, "$.element"),
    ];
    for (line, code, path) in cases {
        let error = stored::read::<NoHost>(&Input::new(line.to_owned()), 0).expect_err(line);
        assert_eq!((error.code(), error.path().to_string().as_str()), (code, path), "{line}");
    }
    let cleared = stored::read::<NoHost>(&Input::new("{\"clear\":true}\n".to_owned()), 0);
    assert!(matches!(cleared, Ok(Line::Clear)));
    let blobs = "{\"dialect\":\"bedrock\",\"element\":{},\"bytes\":[]}";
    assert!(matches!(stored::read::<NoHost>(&Input::new(blobs.to_owned()), 0), Ok(Line::Blobs)));
}
