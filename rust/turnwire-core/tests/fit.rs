//! Fitting to a budget: what is cut first, what is never cut, how much is left, and what a growing history keeps.
#![allow(clippy::panic, reason = "a test that fails says with what")]

use std::{
    cell::{Cell, RefCell},
    sync::Arc,
};

use proptest::prelude::*;
use serde_json::{Value, json};
use turnwire_core::{
    convert,
    model::{Conversation, Frame},
    report::{Edit, Error, Totals, error::Code},
    rules::DialectId,
    stage::{Budget, Built, Inputs, Markers, Shortened, build},
    text::TRUNCATED_SUFFIX,
    value::{Input, JsonSink, NoHost, Tape, Tree, json::read},
};

type Conv = Conversation<NoHost>;

fn named(name: &str) -> DialectId {
    DialectId::named(name).expect(name)
}

fn parse(payload: &Value, dialect: &str) -> Conv {
    let tape = Tape::read(&Input::new(payload.to_string())).expect("JSON");
    convert::parse(&tape.view().root::<NoHost>(), named(dialect)).expect("a payload")
}

fn openai(payload: &Value) -> Conv {
    parse(payload, "openai")
}

fn in_bytes(max: usize) -> Inputs<'static, NoHost> {
    Inputs { budget: Some(Budget::Bytes(max)), ..Inputs::default() }
}

/// The messages as `dialect` writes them.
fn rendered(conversation: &Conv, dialect: &str) -> Vec<Value> {
    let mut out = JsonSink::new(Vec::new());
    convert::render(conversation, named(dialect), &convert::Options::default(), &mut out).expect("rendered");
    let payload: Value = serde_json::from_slice(&out.into_bytes()).expect("JSON");
    payload.as_array().or_else(|| payload["messages"].as_array()).expect("a list of messages").clone()
}

fn fitted(messages: &Value, max: usize) -> (Vec<Value>, Built<NoHost>) {
    let built = build(&openai(messages), &in_bytes(max)).unwrap_or_else(|error| panic!("{error}"));
    (rendered(&built.conversation, "openai"), built)
}

fn codes(built: &Built<NoHost>) -> Vec<&'static str> {
    built.receipt.changes.iter().map(|entry| entry.code.name()).collect()
}

fn totals(built: &Built<NoHost>) -> &Totals {
    built.receipt.totals.as_ref().expect("a budget has totals")
}

/// The size of openai messages, counted separately: texts, arguments as compact JSON, base64 data.
fn measure(messages: &[Value]) -> usize {
    messages.iter().map(size_of).sum()
}

fn size_of(message: &Value) -> usize {
    let text = |value: &Value| value.as_str().map_or(0, |text| text.rsplit(";base64,").next().unwrap_or(text).len());
    let content = match &message["content"] {
        Value::Array(blocks) => {
            blocks.iter().map(|block| text(&block["text"]) + text(&block["image_url"]["url"])).sum()
        }
        content => text(content),
    };
    let call = |call: &Value| {
        let arguments = call["function"]["arguments"].as_str().unwrap_or_default();
        let compact = serde_json::from_str::<Value>(arguments).map(|value| value.to_string());
        compact.as_deref().unwrap_or(arguments).len() + text(&call["custom"]["input"])
    };
    content + message["tool_calls"].as_array().into_iter().flatten().map(call).sum::<usize>()
}

fn user(text: &str) -> Value {
    json!({"role": "user", "content": text})
}

fn said(text: &str) -> Value {
    json!({"role": "assistant", "content": text})
}

fn call(id: &str, arguments: &str) -> Value {
    let call = json!({"id": id, "type": "function", "function": {"name": "f", "arguments": arguments}});
    json!({"role": "assistant", "content": null, "tool_calls": [call]})
}

fn result(id: &str, text: &str) -> Value {
    json!({"role": "tool", "tool_call_id": id, "content": text})
}

// --- One thing at a time ---

#[test]
fn the_last_cut_is_only_as_deep_as_needed() {
    let messages = json!([
        user("q"),
        call("a", "{}"),
        result("a", &"x".repeat(9_990)),
        call("b", "{}"),
        result("b", "new"),
        user("go on")
    ]);
    let (left, built) = fitted(&messages, 10_000);
    assert_eq!(totals(&built).before, 10_003);
    // Frees one step of a quarter of the budget, and not a byte more.
    assert_eq!((totals(&built).after, measure(&left)), (7_503, 7_503));
    assert_eq!(totals(&built).freed, [(Edit::CutResult, 2_500)]);
    assert_eq!(codes(&built), ["cut_result"]);
    // Nothing is cut if that saves less than the marker takes.
    let exact = Inputs { reserve: 0.0, ..in_bytes(10_000) };
    let marker = format!("\n{TRUNCATED_SUFFIX} (9990 bytes left out)\n");
    assert_eq!(totals(&build(&openai(&messages), &exact).expect("fits")).after, 10_003 - marker.len());
}

#[test]
fn results_a_quarter_beyond_what_is_freed_pay_before_an_exchange_goes() {
    let mut messages = vec![user("q")];
    for round in 0..5 {
        let id = format!("c{round}");
        messages.extend([call(&id, "{}"), result(&id, &"r".repeat(1_000))]);
    }
    let (left, built) = fitted(&messages.into(), 4_000);
    assert_eq!(codes(&built), ["cut_result"; 3]);
    let sizes: Vec<_> = left.iter().filter(|message| message["role"] == "tool").map(size_of).collect();
    assert_eq!(sizes, [64, 64, 872, 1_000, 1_000]);
}

#[test]
fn the_task_stays_however_long_the_history() {
    let mut messages = vec![user("TASK"), said("which repo?"), user("repo X")];
    for round in 0..400 {
        let id = format!("c{round}");
        messages.extend([call(&id, "{}"), result(&id, &"r".repeat(100))]);
        if round % 10 == 9 {
            messages.push(user("and now?"));
        }
    }
    let (left, built) = fitted(&messages.into(), 5_000);
    assert_eq!(left[0], user("TASK"));
    assert!((3_640..=5_000).contains(&measure(&left)), "{}", measure(&left));
    assert!(codes(&built).contains(&"dropped_turn"));
}

#[test]
fn a_paste_over_half_of_the_budget_is_cut_first_and_as_the_last_resort() {
    let paste = format!("look at this: {}", "p".repeat(500_000));
    let (left, built) = fitted(&json!([user("TASK"), said("sure"), user(&paste)]), 300_000);
    // Two steps of a quarter and what is left of a third.
    assert_eq!((&left[0], measure(&left)), (&user("TASK"), totals(&built).before - 225_000));
    assert_eq!(codes(&built), ["cut_text"]);
    assert_eq!(built.receipt.changes[0].code.name(), "cut_text");
    // Two of them are cut alike; then the older exchange is dropped.
    let (left, built) = fitted(&json!([user(&paste), said(&"s".repeat(9_000)), user("go on")]), 4_000);
    assert_eq!((left.len(), size_of(&left[0]), left.last()), (2, 2_000, Some(&user("go on"))));
    assert_eq!(codes(&built), ["cut_text", "dropped_exchange"]);
}

#[test]
fn long_arguments_are_cut_and_stay_json_with_the_same_keys() {
    let given =
        json!({"path": "a.txt", "content": "line\n".repeat(60_000), "n": 1.50, "deep": [{"more": "m".repeat(9_000)}]});
    let (left, built) = fitted(&json!([user("write it"), call("a", &given.to_string()), result("a", "ok")]), 100_000);
    let arguments = left[1]["tool_calls"][0]["function"]["arguments"].as_str().expect("text");
    let arguments: Value = serde_json::from_str(arguments).expect("still JSON");
    let content = arguments["content"].as_str().expect("a string");
    assert!(
        content.starts_with("line\nline") && content.ends_with("line\n") && content.contains("...content truncated")
    );
    // The newest exchange is cut no more than needed, and small results stay whole.
    assert!((99_990..=100_000).contains(&measure(&left)), "{}", measure(&left));
    assert_eq!((&arguments["path"], &arguments["n"]), (&given["path"], &given["n"]));
    assert_eq!(arguments["deep"], given["deep"]);
    assert_eq!(codes(&built), ["cut_arguments"]);
    assert_eq!(built.receipt.changes[0].id.as_deref(), Some("a"));
}

#[test]
fn arguments_that_are_invalid_or_signed_are_left_alone() {
    let long = "x".repeat(900);
    for (arguments, extra) in [
        (format!("{{\"a\": \"{long}"), None),
        (format!("[\"{long}\"]"), None),
        (json!({"a": long}).to_string(), Some(json!({"google": {"thought_signature": "c2ln"}}))),
    ] {
        let mut asked = call("a", &arguments);
        if let Some(extra) = extra {
            asked["tool_calls"][0]["extra_content"] = extra;
        }
        let messages = json!([user("q"), asked, result("a", "r"), call("b", "{}"), result("b", "new"), user("x")]);
        let built = build(&openai(&messages), &Inputs { pinned: &[2], ..in_bytes(500) });
        let error = built.expect_err("neither cut nor dropped");
        assert_eq!(error.error.code(), Code::BudgetTooSmall);
        let (_, built) = fitted(&messages, 500);
        assert_eq!(codes(&built), ["dropped_exchange"]);
    }
}

#[test]
fn a_call_that_gemini_has_signed_goes_whole_or_stays_whole() {
    let contents = |signature: Option<&str>| {
        let mut part = json!({"functionCall": {"name": "f", "args": {"a": "x".repeat(900)}}});
        if let Some(signature) = signature {
            part["thoughtSignature"] = signature.into();
        }
        let result = |text: &str| json!({"functionResponse": {"name": "f", "response": {"output": text}}});
        json!([
            {"role": "user", "parts": [{"text": "q"}]},
            {"role": "model", "parts": [part]},
            {"role": "user", "parts": [result("r")]},
            {"role": "model", "parts": [{"text": "done"}]},
            {"role": "user", "parts": [{"text": "x"}]},
        ])
    };
    for (signature, code) in [(None, "cut_arguments"), (Some("c2ln"), "dropped_exchange")] {
        let built = build(&parse(&contents(signature), "gemini"), &in_bytes(500)).expect("fits");
        assert_eq!(codes(&built), [code]);
    }
}

#[test]
fn free_text_of_a_tool_is_cut_like_a_result() {
    let free = json!({"id": "a", "type": "custom", "custom": {"name": "run", "input": "print()\n".repeat(500)}});
    let asked = json!({"role": "assistant", "content": null, "tool_calls": [free]});
    let messages = json!([user("q"), asked, result("a", "done"), said("it ran"), user("x")]);
    let (left, built) = fitted(&messages, 3_000);
    assert_eq!(codes(&built), ["cut_arguments"]);
    assert_eq!(measure(&left), totals(&built).after);
    let input = left[1]["tool_calls"][0]["custom"]["input"].as_str().expect("text");
    assert!(input.starts_with("print()\n") && input.ends_with("print()\n"));
    // For a target that needs JSON, it counts as it is written there.
    let target = Inputs { target: Some(named("anthropic")), ..in_bytes(3_000) };
    let built = build(&openai(&messages), &target).expect("fits");
    let input = &rendered(&built.conversation, "anthropic")[1]["content"][0]["input"];
    assert!(input["input"].is_string());
    assert!(totals(&built).before > 4_500 && input.to_string().len() < 3_000);
}

#[test]
fn media_in_an_old_result_become_a_word_before_its_text_is_cut() {
    let image = |data: usize| json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "A".repeat(data)}});
    let asked =
        |id: &str| json!({"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": "f", "input": {}}]});
    let seen = |id: &str| {
        let content = json!([image(400), {"type": "text", "text": "t".repeat(500)}]);
        json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": content}]})
    };
    let messages = json!([user("q"), asked("a"), seen("a"), asked("b"), seen("b")]);
    let built = build(&parse(&messages, "anthropic"), &in_bytes(1_700)).expect("fits");
    let left = rendered(&built.conversation, "anthropic");
    let texts = [&left[2]["content"][0]["content"], &left[4]["content"][0]["content"]];
    assert_eq!(texts[0][0], json!({"type": "text", "text": "[image]"}));
    // The text keeps as many bytes as the word has freed.
    assert_eq!(texts[0][1]["text"].as_str().map(str::len), Some(468));
    assert_eq!(texts[1], &seen("b")["content"][0]["content"]);
}

#[test]
fn results_of_the_newest_exchange_share_what_is_left() {
    let sizes = [200, 90_000, 100, 70_000];
    let calls: Vec<_> = (0..4)
        .map(|at| json!({"id": format!("c{at}"), "type": "function", "function": {"name": "f", "arguments": "{}"}}))
        .collect();
    let mut messages = vec![user("q"), json!({"role": "assistant", "content": null, "tool_calls": calls})];
    messages.extend(sizes.iter().enumerate().map(|(at, size)| result(&format!("c{at}"), &"r".repeat(*size))));
    let (left, _) = fitted(&messages.into(), 50_309);
    let left: Vec<_> = left[2..].iter().map(size_of).collect();
    assert_eq!(left, [200, 25_000, 100, 25_000]);
}

#[test]
fn results_of_calls_on_the_server_are_cut_and_never_dropped() {
    let mut given = openai(&json!([
        result("s", &"r".repeat(900)),
        user("q"),
        said(&"a".repeat(140)),
        user("r"),
        said(&"b".repeat(140)),
        user("x")
    ]));
    given.frame = Arc::new(Frame { continues: Some("previous_response_id"), ..Frame::empty(given.frame.from) });
    let built = build(&given, &in_bytes(300)).expect("fits");
    assert_eq!(codes(&built)[..2], ["cut_result", "dropped_exchange"]);
    let left = rendered(&built.conversation, "openai");
    assert_eq!(left[0]["tool_call_id"], "s");
}

#[test]
fn pins_are_neither_cut_nor_dropped_and_keep_their_exchange() {
    let old = "o".repeat(400);
    let mut messages = vec![user("q")];
    for id in ["a", "b", "c"] {
        messages.extend([call(id, "{}"), result(id, &old)]);
    }
    messages.extend([user("NOTE"), said("noted"), user(&"n".repeat(300)), said("ok"), user("x")]);
    // The result of `b`, and a text of the user.
    let inputs = Inputs { pinned: &[4, 7], ..in_bytes(900) };
    let built = build(&openai(&messages.clone().into()), &inputs).expect("fits");
    let left = rendered(&built.conversation, "openai");
    assert!([3, 4, 7].iter().all(|pin| left.contains(&messages[*pin])), "{}", built.receipt);
    assert!(measure(&left) <= 900);
    let error = build(&openai(&messages.into()), &Inputs { pinned: &[4, 7], ..in_bytes(400) }).expect_err("too small");
    assert_eq!(error.error.code(), Code::BudgetTooSmall);
}

#[test]
fn a_user_turn_that_also_holds_results_goes_in_two_parts() {
    let asked =
        |id: &str| json!({"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": "f", "input": {}}]});
    let both = json!({"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": "a", "content": "r".repeat(60)}, {"type": "text", "text": "u".repeat(50)}]});
    let messages = json!([user("q"), asked("a"), both, asked("b"),
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "b", "content": "s".repeat(60)}]}, said("done"), user("x")]);
    let given = parse(&messages, "anthropic");
    // The call of exchange `a` is pinned. The text beside its result is dropped without it.
    let built = build(&given, &Inputs { pinned: &[1], reserve: 0.0, ..in_bytes(105) }).expect("fits");
    let left = rendered(&built.conversation, "anthropic");
    assert_eq!(left[2]["content"].as_array().map(Vec::len), Some(1), "{}", built.receipt);
    assert_eq!(left[2]["content"][0]["tool_use_id"], "a");
}

#[test]
fn what_is_needed_is_said_and_is_enough() {
    let system = json!({"role": "system", "content": "s".repeat(700)});
    let messages =
        json!([system, user(&"q".repeat(500)), call("a", "{}"), result("a", &"r".repeat(500)), said(&"t".repeat(90))]);
    let error = build(&openai(&messages), &in_bytes(300)).expect_err("too small");
    assert_eq!(error.error.code(), Code::BudgetTooSmall);
    // The assistant's text is too short to be cut: that would save less than the marker takes.
    let needed = 700 + 64 + 90;
    assert!(error.error.text().contains(&format!("at least {needed} bytes")), "{error}");
    assert_eq!(measure(&fitted(&messages, needed).0), needed);
    assert!(build(&openai(&messages), &in_bytes(needed - 1)).is_err());
}

#[test]
fn the_same_input_takes_the_same_bytes_by_both_doors() {
    let text = r#"[{"role": "user", "content": "caf\u00e9 \ud83d\ude42 \/"}, {"role": "assistant", "content": [
        {"type": "tool_use", "id": "a", "name": "f", "input": {"code": "\n\n\/", "n": [1.50, 1E2, -0, 0.1], "k\u00e9y": null}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "is_error": true, "content": [
        {"type": "text", "text": "r\u2028"}, {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AA\/\/"}}]}]}]"#;
    let tape = Tape::read(&Input::new(text.to_owned())).expect("JSON");
    let frozen = read::value::<NoHost>(text.as_bytes()).expect("JSON");
    let doors = [
        convert::parse(&tape.view().root::<NoHost>(), named("anthropic")).expect("a payload"),
        convert::parse(&Tree(&frozen), named("anthropic")).expect("a payload"),
    ];
    let texts = "café 🙂 /".len() + r#"{"code":"\n\n/","n":[1.5,100.0,0,0.1],"kéy":null}"#.len();
    let result = "r\u{2028}".len() + "AA//".len();
    // A target without media in a failed result writes a line before them. One without a flag writes that the result
    // failed.
    let line = "Media from the result of tool call a:".len();
    let said = "[tool error] ".len() + line;
    for (target, size) in [(None, result), (Some("openai"), result + said), (Some("anthropic"), result + line)] {
        let inputs = Inputs { target: target.map(named), ..in_bytes(1_000) };
        let sizes = doors.each_ref().map(|door| totals(&build(door, &inputs).expect("fits")).before);
        assert_eq!(sizes, [texts + size; 2], "{target:?}");
    }
}

#[test]
fn json_results_are_compact_where_they_are_text() {
    let text = r#"[{"role": "user", "content": "q"}, {"role": "assistant", "content": null, "toolCalls": [
        {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": {"n": 1.50, "k\u00e9y": [ "\/" ] }}]}]"#;
    let tape = Tape::read(&Input::new(text.to_owned())).expect("JSON");
    let frozen = read::value::<NoHost>(text.as_bytes()).expect("JSON");
    let doors = [
        convert::parse(&tape.view().root::<NoHost>(), named("history")).expect("a payload"),
        convert::parse(&Tree(&frozen), named("history")).expect("a payload"),
    ];
    let written = r#"{"n":1.50,"kéy":["/"]}"#;
    for door in &doors {
        let inputs = Inputs { target: Some(named("openai")), ..in_bytes(1_000) };
        let built = build(door, &inputs).expect("fits");
        let left = rendered(&built.conversation, "openai");
        assert_eq!(left[2]["content"], written);
        assert_eq!(totals(&built).before, "q{}".len() + written.len());
        assert_eq!(measure(&left), totals(&built).after);
    }
}

#[test]
fn tools_count_by_their_words_and_their_schema() {
    let tool = json!({"type": "function", "function": {"name": "look", "description": "Look it up.",
        "parameters": {"type": "object", "properties": {"q": {"type": "string"}}}, "strict": true}});
    let built = build(&openai(&json!({"messages": [user("q")], "tools": [tool]})), &in_bytes(1_000)).expect("fits");
    let words = 1 + "look".len() + "Look it up.".len() + tool["function"]["parameters"].to_string().len();
    assert_eq!(totals(&built).before, words);
}

// --- With the caller's own counter ---

/// Counts words and half-words: a cut does not shrink it evenly, and a longer text may count less.
fn odd(text: &str) -> usize {
    text.split(' ').map(|word| 1 + word.len() / 5).sum::<usize>() - usize::from(text.len().is_multiple_of(7))
}

#[test]
fn a_counter_that_fails_ends_the_build_with_its_own_error() {
    let count = |_: &str| Err(Error::new(Code::NotJson, "mine"));
    let inputs = Inputs { budget: Some(Budget::Tokens(10, &count)), ..Inputs::default() };
    assert_eq!(build(&openai(&json!([user("q")])), &inputs).expect_err("it fails").error.text(), "mine");
}

#[test]
fn media_are_not_asked_of_a_counter() {
    let image = json!({"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}});
    let asked = RefCell::new(Vec::new());
    let count = |text: &str| {
        asked.borrow_mut().push(text.to_owned());
        Ok(text.len())
    };
    let inputs = Inputs { budget: Some(Budget::Tokens(10, &count)), ..Inputs::default() };
    let given = openai(&json!([{"role": "user", "content": [{"type": "text", "text": "look"}, image]}]));
    let built = build(&given, &inputs).expect("fits");
    assert_eq!(*asked.borrow(), ["look"]);
    assert_eq!(totals(&built).before, 4);
    assert_eq!(built.receipt.changes[0].code.name(), "media_not_counted");
}

#[test]
fn the_cost_is_linear_in_what_is_counted() {
    let cost = |rounds: usize, parallel: usize| {
        let mut messages = vec![user("q")];
        for round in 0..rounds {
            let calls: Vec<_> = (0..parallel)
                .map(|at| json!({"id": format!("{round}.{at}"), "type": "function", "function": {"name": "f", "arguments": "{}"}}))
                .collect();
            messages.push(json!({"role": "assistant", "content": null, "tool_calls": calls}));
            messages.extend((0..parallel).map(|at| result(&format!("{round}.{at}"), &"r".repeat(150))));
        }
        let counted = Cell::new(0);
        let count = |text: &str| {
            counted.set(counted.get() + text.len());
            Ok(text.len())
        };
        let inputs = Inputs { budget: Some(Budget::Tokens(rounds * parallel * 90, &count)), ..Inputs::default() };
        let built = build(&openai(&messages.into()), &inputs).expect("fits");
        assert!(built.receipt.totals.is_some_and(|totals| totals.after < totals.before));
        counted.get()
    };
    for (small, large) in [((400, 1), (4_000, 1)), ((1, 400), (1, 4_000)), ((20, 20), (20, 200))] {
        let (small, large) = (cost(small.0, small.1), cost(large.0, large.1));
        assert!(large <= 12 * small, "{small} and {large}");
    }
}

// --- Any history, any budget ---

/// One exchange of a random history.
#[derive(Clone, Debug)]
struct Round {
    says: usize,
    /// The sizes of a string in the arguments, and of the result.
    calls: Vec<(usize, usize)>,
    /// The user's text after it.
    asks: Option<usize>,
}

fn round(most: usize) -> impl Strategy<Value = Round> {
    let call = (0..most / 3, 0..most);
    let asks = prop::option::weighted(0.3, 0..most / 3);
    (0..most / 5, prop::collection::vec(call, 0..4), asks).prop_map(|(says, calls, asks)| {
        // Without calls it must have text.
        Round { says: says.max(usize::from(calls.is_empty())), calls, asks }
    })
}

/// The messages of a history; and for each exchange, its size together with the user's text that led to it.
fn written(rounds: &[Round]) -> (Vec<Value>, Vec<usize>) {
    let mut messages = vec![json!({"role": "system", "content": "be brief"}), user("TASK")];
    let (mut sizes, mut asked) = (Vec::<usize>::new(), 0);
    for (at, round) in rounds.iter().enumerate() {
        let calls = round.calls.iter().enumerate().map(|(call, (long, _))| {
            let arguments = json!({"n": call, "text": "a".repeat(*long)}).to_string();
            json!({"id": format!("{at}.{call}"), "type": "function", "function": {"name": "f", "arguments": arguments}})
        });
        let mut message = said(&"t".repeat(round.says));
        if !round.calls.is_empty() {
            message["tool_calls"] = calls.collect();
        }
        let start = messages.len();
        messages.push(message);
        for (call, (_, size)) in round.calls.iter().enumerate() {
            messages.push(result(&format!("{at}.{call}"), &"r".repeat(*size)));
        }
        let own = measure(&messages[start..]);
        // Assistant turns with no calls between them are one run and one exchange.
        let joins = at > 0 && rounds[at - 1].calls.is_empty() && rounds[at - 1].asks.is_none();
        match sizes.last_mut() {
            Some(last) if joins => *last += own,
            _ => sizes.push(own),
        }
        if let Some(size) = round.asks {
            *sizes.last_mut().expect("an exchange") += std::mem::replace(&mut asked, size + 1);
            messages.push(user(&"u".repeat(size + 1)));
        }
    }
    (messages, sizes)
}

/// A budget, and the share of it that is freed ahead.
fn reserves() -> impl Strategy<Value = f64> {
    prop::sample::select(vec![0.0, 0.1, 0.25, 0.5, 1.0])
}

#[allow(clippy::cast_precision_loss, clippy::cast_sign_loss, reason = "a share of a size, in whole bytes")]
fn step(budget: usize, reserve: f64) -> usize {
    ((budget as f64 * reserve).floor() as usize).max(1)
}

/// Whether the message is unchanged.
fn is_whole(left: &[Value], message: &Value) -> bool {
    left.contains(message)
}

proptest! {
    #[test]
    fn a_pasted_text_leaves_recent_results_their_room(
        rounds in 3..16_usize,
        (place, percent) in (0..40_usize, 50..300_usize),
        sizes in prop::collection::vec(1_000..40_000_usize, 24),
        budget in 50_000..300_000_usize,
    ) {
        let mut messages = vec![user("TASK")];
        for (round, size) in sizes.iter().enumerate().take(rounds) {
            if place % rounds == round {
                messages.push(user(&"p".repeat(budget * percent / 100)));
            }
            let id = format!("c{round}");
            messages.extend([call(&id, "{}"), result(&id, &"r".repeat(*size))]);
        }
        let (left, built) = fitted(&messages.clone().into(), budget);
        let results = |list: &[Value]| -> Vec<usize> {
            list.iter().filter(|message| message["role"] == "tool").map(size_of).collect()
        };
        let (given, kept) = (results(&messages), results(&left));
        let last_two = |sizes: &[usize]| sizes.iter().rev().take(2).sum::<usize>();
        let said: usize = left.iter().filter(|message| message["role"] == "user").map(size_of).sum();
        let room = (measure(&left) - said) / 2;
        // The last cut saves at least the bytes of its marker.
        let marker = TRUNCATED_SUFFIX.len() + "\n (100000 bytes left out)\n".len();
        prop_assert!(last_two(&kept) + marker >= last_two(&given).min(room), "{kept:?} of {given:?}, room {room}\n{}", built.receipt);
        // Every cut saves at least the bytes of its marker.
        for entry in built.receipt.changes.iter().filter(|entry| entry.code.name().starts_with("cut_")) {
            prop_assert!(entry.before() - entry.after() >= TRUNCATED_SUFFIX.len(), "{entry}");
        }
    }

    #[test]
    fn what_is_left(rounds in prop::collection::vec(round(600), 1..24), budget in 200..6_000_usize, reserve in reserves()) {
        let (messages, sizes) = written(&rounds);
        let before = measure(&messages);
        let inputs = Inputs { reserve, ..in_bytes(budget) };
        let built = match build(&openai(&messages.clone().into()), &inputs) {
            Ok(built) => built,
            Err(error) => {
                prop_assert!(error.error.code() == Code::BudgetTooSmall, "{}", error);
                return Ok(());
            }
        };
        let left = rendered(&built.conversation, "openai");
        let after = measure(&left);
        prop_assert!(after <= budget, "{} of {}: {}", after, budget, built.receipt);
        let books = totals(&built);
        prop_assert_eq!((books.before, books.after), (before, after));
        prop_assert_eq!(books.freed.iter().map(|(_, freed)| freed).sum::<usize>(), before - after);
        if before <= budget {
            prop_assert!(built.receipt.is_unchanged());
            return Ok(());
        }
        // What is left is at most one exchange smaller than the budget without the step.
        let step = step(budget, reserve);
        let largest = sizes.iter().copied().max().unwrap_or(0);
        prop_assert!(after + largest >= budget.saturating_sub(step), "{} of {}: {}", after, budget, built.receipt);
        prop_assert!(left[0] == messages[0], "the system text is not what it was");
        prop_assert!(left[1] == messages[1], "the task is not what it was");
        // If possible, only the zone is cut.
        let need = (before - budget).div_ceil(step) * step;
        let spoken_since = rounds.last().is_some_and(|round| round.asks.is_some());
        let old = if spoken_since { &sizes[..] } else { &sizes[..sizes.len() - 1] };
        if old.iter().sum::<usize>() >= need {
            let mut zone = 0;
            let mut start = 2;
            let mut at = 0;
            while at < old.len() && zone < need + budget / 4 {
                zone += old[at];
                at += 1;
            }
            // The messages after the zone's last exchange.
            let mut exchange = 0;
            for (index, message) in messages.iter().enumerate().skip(2) {
                let begins = message["role"] == "assistant" && !(messages[index - 1]["role"] == "assistant");
                exchange += usize::from(begins);
                if exchange > at {
                    break;
                }
                start = index + 1;
            }
            let results = messages[start..].iter().filter(|message| message["role"] != "user");
            for message in results {
                prop_assert!(is_whole(&left, message), "{} is behind the zone\n{}", message, built.receipt);
            }
        }
        let again = build(&built.conversation, &inputs)?;
        prop_assert!(again.receipt.is_unchanged(), "{}\nafter {}", again.receipt, built.receipt);
    }

    #[test]
    fn never_over_with_a_counter(rounds in prop::collection::vec(round(900), 1..14), budget in 100..3_000_usize, reserve in reserves()) {
        let (messages, _) = written(&rounds);
        let messages: Value = messages.iter().map(|message| {
            let mut message = message.clone();
            if let Some(text) = message["content"].as_str().filter(|_| message["role"] == "tool") {
                message["content"] = text.replace("rrrrrrr", "rr rrr ").into();
            }
            message
        }).collect();
        let count = |text: &str| Ok(odd(text));
        let inputs = Inputs { budget: Some(Budget::Tokens(budget, &count)), reserve, ..Inputs::default() };
        let built = match build(&openai(&messages), &inputs) {
            Ok(built) => built,
            Err(error) => {
                prop_assert!(error.error.code() == Code::BudgetTooSmall, "{}", error);
                return Ok(());
            }
        };
        let counted = rendered(&built.conversation, "openai").iter().flat_map(|message| {
            let content = message["content"].as_str().unwrap_or_default().to_owned();
            let arguments = |call: &Value| {
                let text = call["function"]["arguments"].as_str().unwrap_or_default();
                serde_json::from_str::<Value>(text).map_or_else(|_| text.to_owned(), |value| value.to_string())
            };
            let calls: Vec<_> = message["tool_calls"].as_array().into_iter().flatten().map(arguments).collect();
            calls.into_iter().chain([content])
        }).filter(|text| !text.is_empty()).map(|text| odd(&text)).sum::<usize>();
        prop_assert!(counted <= budget, "{} of {}: {}", counted, budget, built.receipt);
        prop_assert_eq!(counted, totals(&built).after);
        prop_assert!(build(&built.conversation, &inputs)?.receipt.is_unchanged());
    }
}

proptest! {
    // Each case builds every step of a run.
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_prefix_stands_while_the_step_does(
        rounds in prop::collection::vec(round(300), 8..40),
        budget in 1_200..4_000_usize,
        reserve in prop::sample::select(vec![0.1, 0.25, 0.5]),
    ) {
        let mut before: Option<(usize, usize, Vec<Value>)> = None;
        for count in 1..=rounds.len() {
            let (messages, sizes) = written(&rounds[..count]);
            let total = measure(&messages);
            let Ok(built) = build(&openai(&messages.clone().into()), &Inputs { reserve, ..in_bytes(budget) }) else { break };
            let left = rendered(&built.conversation, "openai");
            let need = total.saturating_sub(budget).div_ceil(step(budget, reserve));
            // What may not be dropped, and the newest exchange.
            let going = sizes[..sizes.len() - 1].iter().sum::<usize>();
            if let Some((then, fixed, earlier)) = &before {
                let share = 0.75 - reserve;
                #[allow(clippy::cast_precision_loss, reason = "a share of a size")]
                let fair = (*fixed).max(total - going) as f64 <= budget as f64 * share;
                if *then == need && fair {
                    prop_assert!(left.starts_with(earlier), "{}", built.receipt);
                }
            }
            before = Some((need, total - going, left));
        }
    }
}

// --- Markers of the caller's ---

#[test]
fn a_marker_of_the_callers_is_whole_and_asked_for_once() {
    let texts = ["a".repeat(4_000), "é".repeat(3_000), "c".repeat(90)];
    let mut messages = vec![user("q")];
    for (at, text) in texts.iter().enumerate() {
        let id = format!("c{at}");
        messages.extend([call(&id, "{}"), result(&id, text)]);
    }
    let messages = Value::from(messages);
    let asked = RefCell::new(Vec::new());
    let name = |cut: &Shortened| -> Result<Option<String>, Error> {
        asked.borrow_mut().push((cut.id.clone(), cut.tool.clone(), cut.index));
        Ok(Some(format!("[{} bytes are elsewhere]", cut.text.len())))
    };
    let markers = Markers::new(Some(&name));
    let inputs = Inputs { markers: Some(&markers), result_cap: Some(Budget::Bytes(2_000)), ..in_bytes(3_000) };
    for _ in 0..2 {
        let built = build(&openai(&messages), &inputs).expect("fits");
        let left = rendered(&built.conversation, "openai");
        assert!(measure(&left) <= 3_000, "{}", built.receipt);
        for (at, size) in [(2, 4_000), (4, 6_000)] {
            let text = left[at]["content"].as_str().expect("text");
            assert_eq!(text.matches(&format!("[{size} bytes are elsewhere]")).count(), 1, "{text}");
        }
    }
    let tool = |id: &str, index| (id.to_owned(), Some("f".to_owned()), index);
    assert_eq!(asked.into_inner(), [tool("c0", 2), tool("c1", 4)]);
}
