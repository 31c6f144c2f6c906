//! The face for Rust programs: its results are those of the core, and every word and error says what it means.

use serde_json::{Value, json};
use turnwire_core::{
    Budget, Change, ChangeCode, ChangeKind, Code, Edit, End, Error, Failed, Prepare, ReasoningChoice, Receipt,
    Rendered, SettingsChoice, Severity, Unit, Wording, check, convert, detect, prepare, report::error::ErrorKind,
    text::TRUNCATED_SUFFIX,
};

/// A call without its result, a result after the user's next words, and one that belongs to nothing.
fn broken(result: &str) -> String {
    let call = |id: &str| json!({"id": id, "type": "function", "function": {"name": "look", "arguments": "{}"}});
    let messages = json!([
        {"role": "user", "content": "Look twice."},
        {"role": "assistant", "content": null, "tool_calls": [call("call_1"), call("call_2")]},
        {"role": "user", "content": "Quickly, please."},
        {"role": "tool", "tool_call_id": "call_1", "content": result},
        {"role": "tool", "tool_call_id": "gone", "content": "late"},
    ]);
    messages.to_string()
}

const LOOK: &str = r#"[{"name":"look","input_schema":{"type":"object","properties":{}}}]"#;

fn codes(receipt: &Receipt) -> Vec<&'static str> {
    receipt.changes.iter().map(|change| change.code.name()).collect()
}

fn written(rendered: &Rendered) -> Value {
    serde_json::from_slice(&rendered.json).expect("the payload is JSON")
}

fn refused(request: Prepare<'_>) -> Failed {
    request.run().expect_err("it is refused")
}

#[test]
fn a_broken_history_is_repaired_under_a_budget() -> Result<(), Error> {
    let messages = broken(&"here\n".repeat(2_000));
    let ready = prepare(&messages, "anthropic")?.tools(LOOK).budget(2_000).run()?;
    assert_eq!(codes(&ready.receipt), ["missing_result", "moved_result", "cut_result", "orphan_result"]);
    let totals = ready.receipt.totals.as_ref().expect("a budget has totals");
    assert!((totals.unit, totals.budget) == (Unit::Bytes, 2_000) && totals.before > 10_000 && totals.after <= 2_000);
    let body = written(&ready);
    let results = body["messages"][2]["content"].as_array().expect("the results");
    assert_eq!((&results[0]["tool_use_id"], &results[1]["tool_use_id"]), (&json!("call_1"), &json!("call_2")));
    assert!(results[0]["content"].to_string().contains(TRUNCATED_SUFFIX.trim()));
    assert_eq!(body["messages"][3]["content"], "Quickly, please.");
    assert_eq!(ready.sources, [[0], [1], [3], [2]]);
    // What was prepared needs nothing more.
    assert_eq!(codes(&check(&ready.json, "anthropic")?), Vec::<&str>::new());
    Ok(())
}

#[test]
fn check_says_what_run_does() -> Result<(), Error> {
    let own = r#"[{"role":"user","content":"Hi","name":"ann"},{"role":"assistant","content":"a"},{"role":"user","content":"b"}]"#;
    let (short, long) = (broken("here"), broken(&"here\n".repeat(2_000)));
    for messages in [own, &short, &long] {
        for target in ["openai", "anthropic", "gemini", "bedrock", "openai-responses", "same"] {
            for budget in [Budget::Bytes(usize::MAX), Budget::Bytes(1_000), Budget::Turns(4)] {
                let request = prepare(messages, target)?.budget(budget).system("Be brief.");
                assert_eq!(request.clone().run()?.receipt, request.check()?, "{target} {budget:?} {messages:.60}");
            }
        }
    }
    Ok(())
}

#[test]
fn check_says_what_run_refuses() -> Result<(), Error> {
    let end = r#"[{"role":"user","content":"Hi"},{"role":"tool","tool_call_id":"x","content":"late"},{"role":"assistant","content":"And"}]"#;
    let request = prepare(end, "anthropic")?.model("claude-opus-4-6");
    let (Failed { error, receipt }, checked) = (refused(request.clone()), request.check()?);
    assert_eq!((error.code(), receipt.first_changed_index), (Code::EndsWithAssistant, None));
    let (last, before) = checked.changes.split_last().expect("what is refused is a change");
    assert_eq!((last.kind, last.code), (ChangeKind::Refused, ChangeCode::Error(Code::EndsWithAssistant)));
    assert_eq!((&last.path, before), (error.path(), &receipt.changes[..]));
    Ok(())
}

#[test]
fn strict_makes_the_first_loss_an_error() -> Result<(), Error> {
    let named = r#"[{"role":"user","content":"Hi","name":"ann"},{"role":"tool","tool_call_id":"x","content":"late"}]"#;
    let ready = prepare(named, "anthropic")?.run()?;
    assert_eq!(ready.receipt.changes.iter().filter(|change| change.kind == ChangeKind::Lost).count(), 1);
    let Failed { error, receipt } = refused(prepare(named, "anthropic")?.strict());
    assert_eq!((error.code(), error.path().to_string().as_str()), (Code::Loss, "$[0].name"));
    assert_eq!((codes(&receipt), receipt.first_changed_index), (vec!["orphan_result"], None), "the repairs before it");
    assert_eq!(convert(named, "anthropic")?.strict().run().map_err(|error| error.code()), Err(Code::Loss));
    // A repair is no loss.
    assert!(prepare(&broken("here"), "openai")?.strict().run().is_ok());
    Ok(())
}

#[test]
fn a_conversion_says_what_is_lost_and_repairs_nothing() -> Result<(), Error> {
    let messages =
        r#"[{"role":"user","content":"Hi","name":"ann"},{"role":"tool","tool_call_id":"x","content":"late"}]"#;
    let made = convert(messages, "anthropic")?.source("openai")?.run()?;
    let lost: Vec<_> = made.receipt.changes.iter().map(Change::to_string).collect();
    assert_eq!(lost.len(), 1, "{lost:?}");
    assert!(lost[0].starts_with("lost ") && lost[0].contains("$[0].name"), "{lost:?}");
    let content = &written(&made)["messages"];
    assert!(content.to_string().contains("late"), "the result without a call is still there");
    assert_eq!((made.receipt.totals, made.receipt.first_changed_index), (None, None));
    let same = convert(messages, "openai")?.reasoning(ReasoningChoice::Text).end(End::Row).run()?;
    assert!(same.receipt.changes.is_empty());
    Ok(())
}

#[test]
fn names_that_do_not_exist_are_errors() {
    let list = r#"[{"role":"user","content":"Hi"}]"#;
    let unknown = |error: Error| (error.code(), error.code().kind());
    let expected = (Code::UnknownDialect, ErrorKind::UnknownDialect);
    assert_eq!(prepare(list, "nobody").map_err(unknown).err(), Some(expected));
    assert_eq!(check(list, "nobody").map_err(unknown).err(), Some(expected));
    assert_eq!(convert(list, "nobody").map_err(unknown).err(), Some(expected));
    let request = prepare(list, "openai").expect("a dialect");
    assert_eq!(request.source("nobody").map_err(unknown).err(), Some(expected));
}

#[test]
fn what_is_not_messages_is_an_error() -> Result<(), Error> {
    let deep = "[".repeat(5_000) + &"]".repeat(5_000);
    for (json, code) in [
        ("", Code::InvalidJson),
        ("hello", Code::InvalidJson),
        ("[", Code::InvalidJson),
        ("[{\"role\":\"user\",\"content\":\"\u{1}\"}]", Code::InvalidJson),
        ("3", Code::WrongType),
        ("null", Code::WrongType),
        (&deep, Code::TooDeep),
    ] {
        let Failed { error, receipt } = refused(prepare(json, "openai")?);
        assert_eq!((error.code(), *receipt), (code, Receipt::default()), "{json:.9}");
        assert_eq!(prepare(json, "openai")?.check().map_err(|error| error.code()).err(), Some(code), "{json:.9}");
        assert_eq!(convert(json, "openai")?.run().map_err(|error| error.code()).err(), Some(code), "{json:.9}");
        assert!(detect(json).is_err(), "{json:.9}");
    }
    let bytes: &[u8] = b"[{\"role\":\"user\",\"content\":\"\xFF\"}]";
    assert_eq!(refused(prepare(bytes, "openai")?).error.code(), Code::InvalidJson);
    Ok(())
}

#[test]
fn an_empty_list_and_a_huge_one() -> Result<(), Error> {
    assert_eq!(refused(prepare("[]", "openai")?).error.code(), Code::EmptyMessages);
    assert_eq!(codes(&check("[]", "openai")?), ["empty_messages"]);
    let huge: Vec<_> = (0..4_000)
        .map(|at| json!({"role": if at % 2 == 0 { "user" } else { "assistant" }, "content": "x".repeat(1_000)}))
        .collect();
    let huge = json!([&huge[..], &[json!({"role": "user", "content": "Now?"})]].concat()).to_string();
    let ready = prepare(&huge, "anthropic")?.budget(20_000).run()?;
    assert!(ready.json.len() < 30_000 && ready.json.ends_with(br#"{"role":"user","content":"Now?"}]}"#));
    assert_eq!(ready.sources.last(), Some(&vec![4_000]));
    let small = refused(prepare(&huge, "anthropic")?.budget(3));
    assert_eq!(small.error.code(), Code::BudgetTooSmall);
    Ok(())
}

#[test]
fn each_option_reaches_the_build() -> Result<(), Error> {
    let messages = broken(&"here\n".repeat(2_000));
    let body = |request: Prepare<'_>| request.run().map(|ready| String::from_utf8_lossy(&ready.json).into_owned());
    let request = || prepare(&messages, "openai");
    let wording = Wording { missing_result: Some("It crashed."), cut: Some("[{bytes} more]"), ..Wording::default() };
    let worded = body(request()?.budget(2_000).wording(wording))?;
    assert!(
        worded.contains("It crashed.") && worded.contains(" more]") && !worded.contains(TRUNCATED_SUFFIX),
        "{worded}"
    );
    assert_eq!(refused(request()?.budget(2_000).pinned(&[3])).error.code(), Code::BudgetTooSmall);
    let out = refused(request()?.pinned(&[5])).error;
    assert_eq!((out.code(), out.text()), (Code::OutOfRange, "pinned: expected indices below 5, got 5"));

    let open = r#"[{"role":"user","content":"Go"},{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"go","arguments":"{}"}}]}]"#;
    assert!(body(prepare(open, "openai")?.end(End::Calls))?.ends_with("}]}]}"));
    assert!(body(prepare(open, "openai")?)?.contains("\"tool\""), "a request needs the result");
    let said = r#"[{"role":"user","content":"Go"},{"role":"assistant","content":"Then"}]"#;
    assert!(
        body(prepare(said, "anthropic")?.end(End::Prefill))?.ends_with(r#"{"role":"assistant","content":"Then"}]}"#)
    );
    assert_eq!(refused(prepare(said, "anthropic")?).error.code(), Code::EndsWithAssistant);
    let brief = r#"[{"role":"system","content":"Be brief."},{"role":"user","content":"Hi"}]"#;
    assert_eq!(codes(&prepare(brief, "openai")?.model("o1-mini").check()?), ["refused_content"]);

    let thought = r#"[{"role":"user","content":"Go"},{"role":"assistant","reasoning_content":"So","content":"Gone"},{"role":"user","content":"On"}]"#;
    let reasons =
        |choice| body(prepare(thought, "openai")?.source("openai:deepseek")?.reasoning(choice)).map_err(Error::from);
    assert!(reasons(ReasoningChoice::Text)?.contains("So") && !reasons(ReasoningChoice::Drop)?.contains("So"));
    Ok(())
}

#[test]
fn tools_and_system_text_come_first() -> Result<(), Error> {
    let own = r#"{"messages":[{"role":"system","content":"Own."},{"role":"user","content":"Hi"}]}"#;
    let ready = prepare(own, "openai")?.system("Given.").tools(LOOK).run()?;
    let body = written(&ready);
    assert_eq!(body["tools"][0]["function"]["name"], "look");
    assert_eq!(body["messages"][0]["role"], "system");
    assert!(body["messages"][0].to_string().contains("Given."));
    for (tools, path) in [("", "$.tools"), ("[", "$.tools[0]"), ("[3]", "$.tools[0]")] {
        let error = refused(prepare(own, "openai")?.tools(tools)).error;
        assert_eq!(error.path().to_string(), path, "{error}");
    }
    Ok(())
}

#[test]
fn the_counter_of_the_caller_counts_and_fails() -> Result<(), Error> {
    let messages = broken(&"here\n".repeat(2_000));
    let count = |text: &str| Ok(text.len().div_ceil(4));
    let ready = prepare(&messages, "openai")?.budget(Budget::Tokens(500, &count)).run()?;
    let totals = ready.receipt.totals.as_ref().expect("a budget has totals");
    assert!(totals.unit == Unit::Tokens && totals.after <= 500 && totals.before > 2_000);
    let fails = |_: &str| Err(Error::new(Code::BadCount, "the counter failed"));
    assert_eq!(refused(prepare(&messages, "openai")?.budget(Budget::Tokens(500, &fails))).error.code(), Code::BadCount);
    Ok(())
}

#[test]
fn headers_and_names_are_told() -> Result<(), Error> {
    let call = json!({"id": "1", "type": "function", "function": {"name": "my tool", "arguments": "{}"}});
    let list = json!([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": null, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": "Done"}]);
    let ready = prepare(&list.to_string(), "anthropic")?.run()?;
    let wire = written(&ready)["messages"][1]["content"][0]["name"].as_str().expect("a name").to_owned();
    assert_eq!(ready.names, [(wire, "my tool".to_owned())]);
    assert_eq!(ready.headers, []);
    let compacted = r#"[{"role":"user","content":"Hi"},{"role":"assistant","content":[{"type":"compaction","content":"So far."}]},{"role":"user","content":"On"}]"#;
    let ready = prepare(compacted, "anthropic")?.run()?;
    let [(header, value)] = &ready.headers[..] else { unreachable!("one header: {:?}", ready.headers) };
    assert!(header == "anthropic-beta" && value.starts_with("compact-"), "{value}");
    Ok(())
}

#[test]
fn settings_are_left_kept_or_converted() -> Result<(), Error> {
    let body = r#"{"model":"gpt-5","max_completion_tokens":9,"messages":[{"role":"user","content":"Hi"}]}"#;
    let made = |choice| -> Result<Value, Error> {
        let request = prepare(body, "anthropic")?.model("claude-sonnet-4-5").settings(choice);
        let ready = request.clone().run()?;
        assert_eq!(ready.receipt, request.check()?, "{choice:?}");
        Ok(written(&ready))
    };
    let list = json!([{"role": "user", "content": "Hi"}]);
    assert_eq!(made(SettingsChoice::Caller)?, json!({"messages": list}));
    assert_eq!(made(SettingsChoice::Keep)?, json!({"model": "gpt-5", "max_completion_tokens": 9, "messages": list}));
    let converted = json!({"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": list});
    assert_eq!(made(SettingsChoice::Convert)?, converted);
    let own = convert(body, "openai")?.settings(SettingsChoice::Keep).run()?;
    assert_eq!(written(&own), serde_json::from_str::<Value>(body).expect("JSON"));
    Ok(())
}

#[test]
fn detection_names_dialects_and_layouts() -> Result<(), Error> {
    let name = detect(r#"[{"role":"user","parts":[{"text":"Hi"}]}]"#)?;
    assert_eq!(name, "gemini");
    assert!(convert(r#"[{"role":"user","content":"Hi"}]"#, &name).is_ok());
    let record = r#"{"instruction":"Add.","input":"1 and 2","output":"3"}"#;
    let layout = detect(record)?;
    assert_eq!(layout, "alpaca");
    let made = convert(record, "openai")?.source(&layout)?.run()?;
    assert_eq!(written(&made)["messages"][1]["content"], "3");
    assert_eq!(refused(prepare(record, "openai")?).error.code(), Code::WrongDialect, "a record is read, and not sent");
    assert_eq!(detect("[{\"speaks\":\"Ann\"}]").map_err(|error| error.code().kind()), Err(ErrorKind::UnknownDialect));
    Ok(())
}

/// The words of a type alias in the Python package.
fn literals(name: &str) -> Vec<String> {
    let types = include_str!("../../../python/turnwire/types.py");
    let (_, alias) = types.split_once(&format!("\n{name}: TypeAlias = Literal[")).expect("the alias is there");
    let (words, _) = alias.split_once(']').expect("it ends");
    serde_json::from_str(&format!("[{words}]")).expect("the words are texts")
}

#[test]
fn the_words_are_those_of_the_core_and_of_python() {
    let names = |words: &[End]| words.iter().map(|word| word.name()).collect::<Vec<_>>();
    assert_eq!(names(End::ALL), literals("End"));
    assert!(End::ALL.iter().all(|end| End::from_name(end.name()) == Some(*end)));
    let reasoning: Vec<_> = ReasoningChoice::ALL.iter().map(|choice| choice.name()).collect();
    assert_eq!(reasoning, literals("ReasoningChoice"));
    assert_eq!(ChangeKind::ALL.iter().map(|kind| kind.name()).collect::<Vec<_>>(), literals("Kind"));
    assert_eq!(Severity::ALL.map(Severity::name).to_vec(), literals("Severity"));
    // A change has the name of what it is about.
    for edit in Edit::ALL {
        assert_eq!(ChangeCode::from(*edit).name(), edit.name());
    }
    for code in Code::ALL {
        assert_eq!(ChangeCode::Error(*code).name(), code.name());
    }
}
