//! Rows in one call: their order, what a failing row leaves, threads, lines, and where in a row its payload is.

use turnwire_core::{
    batch::{At, Job, Lost, Note, RecordOptions, Task, Work, lines, run},
    convert::{self, Options},
    detect::Reading,
    report::{Change, Error, Others, error::Code},
    rules::DialectId,
    value::{Input, JsonSink, NoHost, Tape},
};

/// Writes each row twice. Refuses those that begin with `!`, after it has written something.
struct Twice;

impl Work for Twice {
    fn row(&self, at: usize, row: &Input, out: &mut Vec<u8>) -> Result<Lost, Error> {
        out.extend_from_slice(row.bytes());
        if row.bytes().starts_with(b"!") {
            return Err(Error::new(Code::WrongType, at.to_string()));
        }
        out.extend_from_slice(row.bytes());
        Ok(Lost::default())
    }
}

fn rows(texts: &[Option<String>]) -> Vec<Option<Input>> {
    texts.iter().map(|text| text.clone().map(Input::new)).collect()
}

#[test]
fn order_is_kept_on_any_number_of_threads() {
    // Several pieces with rows of every size, each with a missing row and a failing one.
    let texts: Vec<_> = (0..400)
        .map(|at| match at % 40 {
            7 => None,
            8 => Some(format!("!{at}")),
            9 => Some("x".repeat(700_000)),
            _ => Some(format!("<{at}>").repeat(at % 9)),
        })
        .collect();
    let rows = rows(&texts);
    let expected: Vec<_> = texts
        .iter()
        .map(|text| text.as_ref().filter(|text| !text.starts_with('!')).map_or(String::new(), |text| text.repeat(2)))
        .collect();
    for threads in [0, 1, 2, 3, 1_000] {
        let done = run(&rows, threads, &Twice);
        let starts = std::iter::once(&0).chain(&done.ends);
        let got: Vec<_> = starts.zip(&done.ends).map(|(start, end)| &done.bytes[*start..*end]).collect();
        assert_eq!(got, expected.iter().map(String::as_bytes).collect::<Vec<_>>(), "{threads} threads");
        let failed = done.notes.iter().map(|(at, note)| match note {
            Note::Failed(error) => (*at, error.text().to_owned()),
            Note::Losses(_) => (*at, String::new()),
        });
        let wrong: Vec<_> = (0..400).filter(|at| at % 40 == 8).map(|at| (at, at.to_string())).collect();
        assert_eq!(failed.collect::<Vec<_>>(), wrong, "{threads} threads");
    }
}

fn job(at: At) -> Job<NoHost> {
    let (source, target) =
        (DialectId::named("openai").expect("a dialect"), DialectId::named("anthropic").expect("one"));
    // The options that a conversion of one payload has.
    let records = RecordOptions { row: Some(false), rest: Some(Others::Caller) };
    Job { task: Task::Convert { source: Reading::As(source), target, options: Options::default(), records }, at }
}

fn converted(payload: &str) -> String {
    let Task::Convert { source, target, options, .. } = job(At::Found).task else { unreachable!() };
    let mut out = JsonSink::new(Vec::new());
    let tape = Tape::read(&Input::new(payload.to_owned())).expect("JSON");
    convert::convert(&tape.view().root::<NoHost>(), source, target, &options, &mut out).expect("a conversation");
    String::from_utf8(out.into_bytes()).expect("UTF-8")
}

fn row(row: &str, at: At) -> Result<(String, Vec<Change>), Error> {
    let mut out = b"before".to_vec();
    let Lost { losses, .. } = job(at).row(0, &Input::new(row.to_owned()), &mut out)?;
    Ok((String::from_utf8(out).expect("UTF-8").strip_prefix("before").expect("what was there").to_owned(), losses))
}

const ONE: &str = r#"{"messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "é\n"}]}"#;
const TWO: &str = r#"[{"role":"user","content":"2","name":"n"}]"#;

#[test]
fn an_envelope_is_replayed_byte_for_byte() {
    let (one, two) = (converted(ONE), converted(TWO));
    for (around, payloads) in [
        (r#"{ "custom_id" : "r\u002d1",  "body" :@, "url":"/v1/chat/completions" , "n": 1.50}"#, vec![(ONE, &one)]),
        (r#"{"custom_id":1,"params":@}"#, vec![(ONE, &one)]),
        (r#"{"conversation":@,"model":"m"}"#, vec![(TWO, &two)]),
        (r#"{"task_id":1,"traj":@}"#, vec![(TWO, &two)]),
        (r#"{"input":@,"n":1}"#, vec![(ONE, &one)]),
        ("@", vec![(ONE, &one)]),
        ("@", vec![(TWO, &two)]),
    ] {
        let (mut given, mut expected) = (around.to_owned(), around.to_owned());
        for (payload, converted) in payloads {
            given = given.replacen('@', payload, 1);
            expected = expected.replacen('@', converted, 1);
        }
        assert_eq!(row(&given, At::Found).expect("a row").0, expected, "{around}");
    }
}

const CALL: &str =
    r#"{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}"#;

/// The result in a completion belongs to the call in its prompt.
#[test]
fn a_completion_is_read_behind_its_prompt() {
    let given = r#"{"id":1,"prompt":[{"role":"user","content":"q"},@],"chosen":[{"role":"tool","tool_call_id":"c","content":"r"},
        {"role":"assistant","content":"a"}],"rejected":[{"role":"tool","tool_call_id":"c","content":"r"},
        {"role":"assistant","content":"b"}],"k" : 1.50}"#;
    let (written, losses) = row(&given.replace('@', CALL), At::Found).expect("a row");
    let result = r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"r"}]}"#;
    let expected = [
        r#"{"id":1,"prompt":[{"role":"user","content":"q"},"#,
        r#"{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":{}}]}],"chosen":["#,
        result,
        r#",{"role":"assistant","content":"a"}],"rejected":["#,
        result,
        r#",{"role":"assistant","content":"b"}],"k":1.50}"#,
    ];
    assert_eq!(written, expected.concat());
    assert_eq!(losses, []);
}

#[test]
fn a_row_that_cannot_be_divided_is_an_error() {
    let question = r#"{"role":"user","content":"q"}"#;
    for (given, code, path) in [
        // The target has the results of one step in one message.
        (
            r#"{"prompt":[@,{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}},
            {"id":"d","type":"function","function":{"name":"f","arguments":"{}"}}]},
            {"role":"tool","tool_call_id":"c","content":"r"}],"completion":[{"role":"tool","tool_call_id":"d","content":"s"}]}"#,
            Code::Refused,
            "$.completion",
        ),
        (r#"{"prompt":[@],"chosen":[@]}"#, Code::MissingKey, "$"),
        (r#"{"chosen":[@],"rejected":"r"}"#, Code::WrongType, "$.rejected"),
        (r#"{"prompt":5,"completion":[@]}"#, Code::WrongType, "$.prompt"),
        (r#"{"completion":[@],"prompt":{"messages":[@]}}"#, Code::WrongType, "$.prompt"),
        (r#"{"preferred_output":[@],"non_preferred_output":[@]}"#, Code::MissingKey, "$"),
        (r#"{"input":[@],"preferred_output":[@],"non_preferred_output":[@]}"#, Code::MissingKey, "$.input"),
        (
            r#"{"input":{"messages":{}},"preferred_output":[@],"non_preferred_output":[@]}"#,
            Code::WrongType,
            "$.input.messages",
        ),
        (
            r#"{"input":{"messages":[@]},"preferred_output":[{"role":"x"}],"non_preferred_output":[]}"#,
            Code::UnknownRole,
            "$.preferred_output[0].role",
        ),
        (
            r#"{"input":{"messages":[{"role":"x"}]},"preferred_output":[@],"non_preferred_output":[]}"#,
            Code::UnknownRole,
            "$.input.messages[0].role",
        ),
        (
            r#"{"input":{"messages":[@],"tools":1},"preferred_output":[],"non_preferred_output":[]}"#,
            Code::WrongType,
            "$.input.tools",
        ),
    ] {
        let error = row(&given.replace('@', question), At::Found).expect_err(given);
        assert_eq!((error.code(), error.path().to_string().as_str()), (code, path), "{given}");
    }
}

#[test]
fn a_place_can_be_named() {
    let at = |path: &str| At::named(path).expect("a path");
    let given = format!(r#"{{"a":{{"b":{TWO}}},"b":1}}"#);
    let (written, losses) = row(&given, at("a.b")).expect("a row");
    assert_eq!(written, given.replace(TWO, &converted(TWO)));
    assert_eq!(losses[0].path.to_string(), "$.a.b[0].name");
    assert_eq!(row(&given, at("$.a.b")).expect("a row").0, written);
    assert_eq!(row(ONE, at("$")).expect("a row").0, converted(ONE));
    for (path, code, place) in [
        ("a.c", Code::MissingKey, "$.a"),
        ("c", Code::MissingKey, "$"),
        ("b.c", Code::WrongType, "$.b"),
        ("a", Code::MissingKey, "$.a"),
        ("$", Code::MissingKey, "$"),
    ] {
        let error = row(&given, at(path)).expect_err(path);
        assert_eq!((error.code(), error.path().to_string().as_str()), (code, place), "{path}");
    }
    for path in ["", ".", "a.", "a..b", ".a"] {
        assert_eq!(At::named(path).expect_err(path).code(), Code::UnknownOption);
    }
}

#[test]
fn a_reply_is_no_conversation() {
    for given in [
        r#"{"id":"b","custom_id":"r","response":{"status_code":200,"body":{"choices":[]}},"error":null}"#,
        r#"{"custom_id":"r","result":{"type":"succeeded","message":{"content":[]}}}"#,
    ] {
        assert_eq!(row(given, At::Found).expect_err("a reply").code(), Code::WrongType);
    }
}

#[test]
fn a_block_is_lines_whatever_their_ends() {
    let block = format!("\n{TWO}\r\n  \t\r\n{{\n {TWO} \n{ONE}");
    let done = lines::lines(&Input::new(block.clone()), &lines::ends(block.as_bytes()), 1, Vec::new(), &job(At::Found));
    let (one, two) = (converted(ONE), converted(TWO));
    assert_eq!(String::from_utf8(done.bytes).expect("UTF-8"), format!("{two}\n{two}\n{one}\n"));
    assert_eq!((done.lines, done.rows), (6, 4));
    let notes: Vec<_> = done.notes.iter().map(|(line, note)| (*line, matches!(note, Note::Failed(_)))).collect();
    assert_eq!(notes, [(1, false), (3, true), (4, false)]);
    let nothing = lines::lines(&Input::new(""), &[], 1, Vec::new(), &job(At::Found));
    assert_eq!((nothing.bytes.len(), nothing.lines, nothing.rows), (0, 0, 0));
}
