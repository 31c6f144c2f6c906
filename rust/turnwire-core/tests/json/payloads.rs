//! Whole payloads go back to their own dialect byte for byte, as one value and turn by turn.

use proptest::prelude::*;
use serde_json::Value as Json;
use turnwire_core::{
    convert::{self, Options},
    rules::DialectId,
    value::{Input, JsonSink, NoHost, Source, Tape},
};

use super::door::vectors;

/// The payload as it is written again; and then its turns one by one, each in its own bytes, with commas between.
fn there_and_back(dialect: &str, payload: &str) -> (String, String) {
    let dialect = DialectId::named(dialect).unwrap();
    let tape = Tape::read(&Input::new(payload.to_owned())).unwrap();
    let mut conversation =
        convert::parse(&tape.view().root::<NoHost>(), dialect).unwrap_or_else(|error| panic!("{payload}: {error}"));
    let render = |conversation: &_| {
        let mut sink = JsonSink::default();
        let losses = convert::render(conversation, dialect, &Options::default(), &mut sink).unwrap().losses;
        assert!(losses.is_empty(), "{payload}: {losses:?}");
        String::from_utf8(sink.into_bytes()).unwrap()
    };
    let whole = render(&conversation);
    // A list that may have been changed is rewritten turn by turn.
    let turns = conversation.turns_mut().len();
    let by_turn = render(&conversation);
    let list = Tape::read(&Input::new(by_turn.clone())).unwrap();
    let elements = convert::parse(&list.view().root::<NoHost>(), dialect).unwrap();
    assert_eq!(elements.turns().len(), turns);
    (whole, by_turn)
}

/// The elements of a payload's list, each in its spelling.
fn elements(payload: &str) -> Vec<String> {
    static MESSAGES: turnwire_core::value::door::Key = turnwire_core::value::door::Key::new("messages");
    let tape = Tape::read(&Input::new(payload.to_owned())).unwrap();
    let view = tape.view();
    let list = view.root::<NoHost>().get(&MESSAGES).unwrap();
    list.items().map(|item| turnwire_core::value::json::encode::to_string(&item.raw(), item.input()).unwrap()).collect()
}

fn check(payload: &str) {
    let (whole, by_turn) = there_and_back("openai", payload);
    assert_eq!(whole, payload);
    assert_eq!(elements(&by_turn), elements(payload));
}

#[test]
fn requests_made_by_hand() {
    for row in vectors("openai") {
        check(row.as_str().unwrap());
    }
}

/// Every recorded request: compact, and with unusual white space and escapes.
#[test]
#[ignore = "needs the recorded traffic; `make test` asks for it where that is"]
fn recorded_requests() {
    let folder = std::env::var("TURNWIRE_RECORDED").expect("a folder, as `tests/recordings.py` describes it");
    let path = format!("{folder}/openai.jsonl");
    let lines = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut seen = 0;
    for line in lines.lines() {
        let record: Json = serde_json::from_str(line).unwrap();
        let Json::Object(request) = &record["request"] else { continue };
        if record["status"] != 200 || !request.contains_key("messages") {
            continue;
        }
        for odd in [None, Some(1), Some(2)] {
            let keys = request.iter().filter(|(key, _)| ["messages", "tools", "tool_choice"].contains(&key.as_str()));
            let entries: Vec<_> =
                keys.map(|(key, value)| format!("{}:{}", Json::from(key.as_str()), spelled(value, odd))).collect();
            check(&format!("{{{}}}", entries.join(",")));
        }
        seen += 1;
    }
    assert!(seen > 100, "only {seen} requests");
}

/// JSON text of `value`. With `odd`, white space and escapes vary.
fn spelled(value: &Json, odd: Option<usize>) -> String {
    let Some(seed) = odd else { return value.to_string() };
    let space = |at: usize| ["", " ", "\n\t", "  \r\n"][(seed * 7 + at) % 4];
    match value {
        Json::Array(items) => {
            let items = items.iter().enumerate().map(|(at, item)| format!("{}{}", space(at), spelled(item, odd)));
            format!("[{}{}]", items.collect::<Vec<_>>().join(&format!("{},", space(seed))), space(1))
        }
        Json::Object(entries) => {
            let entries = entries.iter().enumerate().map(|(at, (key, item))| {
                let (key, item) = (Json::from(key.as_str()), spelled(item, odd));
                format!("{}{key}{}:{}{item}", space(at), space(at + 1), space(at + 2))
            });
            format!("{{{}{}}}", entries.collect::<Vec<_>>().join(","), space(2))
        }
        Json::String(text) => {
            let escaped = |(at, unit): (usize, u16)| match (at + seed) % 5 {
                0 => format!("\\u{unit:04X}"),
                _ if unit == 0x2F => "\\/".to_owned(),
                _ if (0x20..0x7F).contains(&unit) && unit != 0x22 && unit != 0x5C => char::from(unit as u8).to_string(),
                _ => format!("\\u{unit:04x}"),
            };
            format!("\"{}\"", text.encode_utf16().enumerate().map(escaped).collect::<String>())
        }
        scalar => scalar.to_string(),
    }
}

proptest! {
    #[test]
    fn any_content_goes_back(extra in super::writing::any_json(), text in ".{0,60}", seed in 1..50_usize) {
        let message = serde_json::json!({"role": "user", "content": [{"type": "text", "text": text}, {"type": "other", "x": extra}], "extra": extra});
        check(&format!("{{\"messages\":{}}}", spelled(&serde_json::json!([message, {"role": "assistant", "content": text}]), Some(seed))));
    }
}
