//! Cache marks: their positions in written JSON, and every other byte unchanged.

use turnwire_core::{
    convert::{Options, parse, render},
    detect::Reading,
    report::{AutoMarks, Edit},
    rules::DialectId,
    value::{Input, JsonSink, NoHost, Tape},
};

const MARK: &str = r#","cache_control":{"type":"ephemeral"}"#;
const POINT: &str = r#",{"cachePoint":{"type":"default"}}"#;

/// The body, rewritten after other bytes, and how many marks were reported.
fn written(body: &str, target: &str, marks: bool) -> (String, usize) {
    let tape = Tape::read(&Input::new(body.as_bytes().to_vec())).expect("JSON");
    let conversation = parse(&tape.view().root::<NoHost>(), Reading::named("anthropic", None).expect("a dialect"));
    let options = Options { marks: marks.then(AutoMarks::default), ..Options::default() };
    let mut out = JsonSink::new(b"before\n".to_vec());
    let target = DialectId::named(target).expect("a dialect");
    let rendering = render(&conversation.expect("a body"), target, &options, &mut out).expect("a payload");
    let text = String::from_utf8(out.into_bytes()).expect("UTF-8");
    let reported = rendering.losses.iter().filter(|loss| loss.code == Edit::CacheMark).count();
    (text.strip_prefix("before\n").expect("what was before").to_owned(), reported)
}

#[test]
fn marks_are_added_and_nothing_else() {
    let body = r#"{ "system": [ {"text": "s", "type": "text"} ], "tools": [{"name": "f", "input_schema": {"type": "object"}}],
        "messages": [ {"role": "user", "content": [{"n": 1.0, "text": "\u00e9 🚀", "type": "text"}]},
          {"role": "assistant", "content": [{"type": "thinking", "thinking": "t", "signature": "s"},
             {"type": "tool_use", "id": "a", "name": "f", "input": {}}]},
          {"role": "user", "content": [ {"type": "tool_result", "tool_use_id": "a", "content": "r"} ] }]}"#;
    for (target, mark) in [("anthropic", MARK), ("bedrock", POINT)] {
        let (plain, none) = written(body, target, false);
        let (marked, reported) = written(body, target, true);
        assert_eq!((none, reported), (0, 4), "{target}");
        assert_eq!(marked.matches(mark).count(), 4, "{marked}");
        assert_eq!(marked.replace(mark, ""), plain, "{target}");
    }
}

#[test]
fn a_text_becomes_a_list() {
    let (marked, reported) =
        written(r#"{"system":"s","messages":[{"role":"user","content":"a\"b"}]}"#, "anthropic", true);
    let block = |text: &str| format!(r#"[{{"type":"text","text":"{text}"{MARK}}}]"#);
    let want = format!(r#"{{"system":{},"messages":[{{"role":"user","content":{}}}]}}"#, block("s"), block(r#"a\"b"#));
    assert_eq!((marked, reported), (want, 2));
}

#[test]
fn other_targets_stay_as_they_are() {
    for target in ["openai", "gemini", "openai-responses", "bedrock:nova"] {
        let body = r#"{"messages":[{"role":"user","content":"a"}]}"#;
        assert_eq!(written(body, target, true), (written(body, target, false).0, 0), "{target}");
    }
}
