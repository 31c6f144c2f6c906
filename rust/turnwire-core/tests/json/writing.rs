//! What is written: `serde_json` reads it as the same value, and every storage gives the same bytes.

use std::sync::Arc;

use proptest::prelude::*;
use serde_json::Value as Json;
use turnwire_core::{
    report::error::Code,
    text::{Units, push_code_point},
    value::{
        ArgsState, Host, Input, JsonSink, Key, NoHost, Raw, Sink, Source, Span, Tape, Text, Value,
        conformance::assert_sink,
        json::{encode, escape, read},
    },
};

use super::{
    door::{text, vectors},
    host::TestHost,
};

fn written(units: Units<'_>) -> (String, usize) {
    let mut out = Vec::new();
    let replaced = escape::string(units, &mut out);
    (String::from_utf8(out).unwrap(), replaced)
}

#[test]
fn strings_are_escaped_as_little_as_may_be() {
    for row in vectors("strings") {
        let wtf8 = text(&row["text"]);
        let expected =
            String::from_utf8(text(if row["written"].is_null() { &row["json"] } else { &row["written"] })).unwrap();
        let replaced = usize::try_from(row["replaced"].as_u64().unwrap_or(0)).unwrap();
        assert_eq!(written(Units::Utf8(&wtf8)), (expected, replaced), "{row}");
    }
}

#[test]
fn the_json_sink_is_a_sink() {
    let read = |sink: JsonSink| String::from_utf8(sink.into_bytes()).unwrap();
    assert_sink::<NoHost, _>(JsonSink::default, read);
    assert_sink::<TestHost, _>(JsonSink::default, read);
    // After an earlier line, whatever it ends with.
    for before in ["{}\n", "[", ""] {
        let read = |sink: JsonSink| String::from_utf8(sink.into_bytes()).unwrap().split_off(before.len());
        assert_sink::<NoHost, _>(|| JsonSink::new(before.into()), read);
    }
}

#[test]
fn a_lone_surrogate_is_replaced_and_counted() {
    let input = Input::new(r#"["a\ud800", {"\udc00": "\ud800"}]"#);
    let tape = Tape::read(&input).unwrap();
    let view = tape.view();
    let root = view.root::<TestHost>();
    let mut items = root.items();
    let (text, map) = (items.next().unwrap(), items.next().unwrap());
    let mut sink = JsonSink::default();
    surrogates(&mut sink, &input, &text.text().unwrap(), &map.raw());
    assert_eq!(sink.replaced(), 3);
    // A value that was not read keeps its spelling.
    let expected = "[\"a\u{FFFD}\",\"\u{FFFD}x\",{\"\\udc00\": \"\\ud800\"},{\"k\":\"\u{FFFD}\"}]";
    assert_eq!(String::from_utf8(sink.into_bytes()).unwrap(), expected);
}

fn surrogates<K: Sink<TestHost>>(out: &mut K, input: &Input, text: &Text<TestHost>, raw: &Raw<TestHost>) {
    let args: Vec<u16> = "{\"k\":\"?\"}".encode_utf16().map(|unit| if unit == 0x3F { 0xDC00 } else { unit }).collect();
    out.scope(Some(input));
    out.open_list();
    out.text(text);
    out.text(&Text::Host(Arc::new(vec![0xD83D, 0x78])));
    out.raw(raw);
    assert_eq!(out.text_as_raw(&Text::Host(Arc::new(args))), ArgsState::Object);
    out.close();
    assert_eq!(out.fault(), None);
}

#[test]
fn a_fault_is_kept_with_its_path_and_ends_the_writing() {
    let value = Value::<TestHost>::Map(Arc::new([(
        Text::own("a"),
        Value::List(Arc::new([Value::Leaf(1.0), Value::Leaf(f64::NAN)])),
    )]));
    let mut sink = JsonSink::default();
    faulty(&mut sink, &Raw::Tree(value));
    assert_eq!(String::from_utf8(sink.into_bytes()).unwrap(), "[{\"a\":[1,");
}

fn faulty<K: Sink<TestHost>>(out: &mut K, raw: &Raw<TestHost>) {
    out.open_list();
    out.raw(raw);
    let fault = out.fault().unwrap();
    assert_eq!((fault.code(), fault.path().to_string()), (Code::NotJson, "$.a[1]".to_owned()));
    out.null();
    out.raw(&Raw::Tree(Value::Leaf(f64::INFINITY)));
    out.close();
    assert_eq!(out.fault(), Some(fault));
}

/// Line breaks of the arguments would end a line of JSONL.
#[test]
fn arguments_stay_on_their_line() {
    let mut sink = JsonSink::default();
    Sink::<NoHost>::text_as_raw(&mut sink, &Text::own("\n{\"a\":\r\n\t[1,\n 2], \"b\": \"x\\ny\"}\n"));
    assert_eq!(String::from_utf8(sink.into_bytes()).unwrap(), "{\"a\":\t[1, 2], \"b\": \"x\\ny\"}");
}

pub(crate) fn any_json() -> impl Strategy<Value = Json> {
    let text = prop_oneof![".{0,40}", "[a-z \"\\\\\n]{0,80}", "[ぁ-ん一-十a]{0,40}"];
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        any::<f64>().prop_map(Json::from),
        text.clone().prop_map(Json::from),
    ];
    leaf.prop_recursive(6, 60, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Json::from),
            prop::collection::vec((text.clone(), inner), 0..6)
                .prop_map(|entries| Json::Object(entries.into_iter().collect())),
        ]
    })
}

/// Runs of one kind and of all kinds, so that every step of the escape loop runs.
fn any_codes() -> impl Strategy<Value = Vec<u32>> {
    let code = prop_oneof![
        6 => 0x20_u32..0x7F,
        1 => 0_u32..0x20,
        1 => prop::sample::select(vec![0x22, 0x5C, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF]),
        2 => 0x80_u32..0x800,
        4 => 0x3040_u32..0xA000,
        1 => 0xD800_u32..0xE000,
        1 => 0x1_0000_u32..0x11_0000,
    ];
    let run = (code.clone(), 0_usize..40).prop_map(|(code, count)| vec![code; count]);
    prop::collection::vec(prop_oneof![run, prop::collection::vec(code, 0..40)], 0..6).prop_map(|runs| runs.concat())
}

/// One code point after the other, as `serde_json` escapes them.
fn reference(codes: &[u32]) -> (String, usize) {
    let text: String = codes.iter().map(|code| char::from_u32(*code).unwrap_or('\u{FFFD}')).collect();
    let replaced = codes.iter().filter(|code| (0xD800..0xE000).contains(*code)).count();
    (serde_json::to_string(&text).unwrap(), replaced)
}

/// Short words are copied with padding, long ones are not.
#[test]
fn keys_and_literals_of_every_length() {
    for length in 0..70 {
        let word: &'static str = String::leak("k".repeat(length));
        let key: &'static Key = Box::leak(Box::new(Key::new(word)));
        let mut sink = JsonSink::new(Vec::new());
        Sink::<NoHost>::open_map(&mut sink);
        for _ in 0..2 {
            Sink::<NoHost>::key(&mut sink, key);
            Sink::<NoHost>::literal(&mut sink, key);
        }
        Sink::<NoHost>::close(&mut sink);
        let entry = format!("\"{word}\":\"{word}\"");
        assert_eq!(String::from_utf8_lossy(&sink.into_bytes()), format!("{{{entry},{entry}}}"));
    }
}

proptest! {
    #[test]
    fn escaped_from_every_storage_alike(codes in any_codes()) {
        let expected = reference(&codes);
        prop_assert_eq!(written(Units::Ucs4(&codes)), expected.clone());
        let narrower: Vec<u16> = codes.iter().filter_map(|code| u16::try_from(*code).ok()).collect();
        let wide = |units: &[u16]| units.iter().map(|unit| u32::from(*unit)).collect::<Vec<_>>();
        prop_assert_eq!(written(Units::Ucs2(&narrower)), reference(&wide(&narrower)));
        let narrowest: Vec<u8> = codes.iter().filter_map(|code| u8::try_from(*code).ok()).collect();
        prop_assert_eq!(written(Units::Latin1(&narrowest)), reference(&narrowest.iter().map(|unit| u32::from(*unit)).collect::<Vec<_>>()));
        let ascii: String = narrowest.into_iter().filter(u8::is_ascii).map(char::from).collect();
        prop_assert_eq!(written(Units::Ascii(&ascii)), reference(&ascii.chars().map(u32::from).collect::<Vec<_>>()));

        let mut wtf8 = Vec::new();
        // In WTF-8, two halves of a pair in a row would be one character.
        let codes: Vec<u32> = codes.into_iter().filter(|code| !(0xDC00..0xE000).contains(code)).collect();
        for code in &codes {
            push_code_point(*code, &mut wtf8);
        }
        prop_assert_eq!(written(Units::Utf8(&wtf8)), reference(&codes));
        let mut plain = Vec::new();
        escape::plain(Units::Ucs4(&codes), &mut plain);
        prop_assert_eq!(serde_json::to_string(&String::from_utf8(plain).unwrap()).unwrap(), reference(&codes).0);
    }

    #[test]
    fn escaped_and_back(codes in any_codes()) {
        let text: String = codes.into_iter().filter_map(char::from_u32).collect();
        let json = written(Units::from(text.as_str())).0;
        let body = &json.as_bytes()[1..json.len() - 1];
        prop_assert_eq!(escape::unescape(body), text.as_bytes());
    }

    #[test]
    fn read_and_written_as_serde_json_does(json in any_json()) {
        let text = json.to_string();
        let value = read::value::<NoHost>(text.as_bytes()).unwrap();
        prop_assert_eq!(encode::to_string(&Raw::Tree(value), None).unwrap(), text.clone());
        // The same, nested in a string and read back.
        let (mut outer, mut inner) = (JsonSink::default(), JsonSink::default());
        Sink::<NoHost>::raw_as_text(&mut outer, &Raw::Own(text.as_str().into()));
        let outer: String = serde_json::from_slice(&outer.into_bytes()).unwrap();
        prop_assert_eq!(&outer, &text);
        Sink::<NoHost>::text_as_raw(&mut inner, &Text::own(&outer));
        let expected = if json.is_object() { text } else { "{}".to_owned() };
        prop_assert_eq!(String::from_utf8(inner.into_bytes()).unwrap(), expected);
    }
}

#[test]
fn a_span_that_a_host_string_replaces_says_the_same() {
    let json = r#""\u65e5\n""#;
    let tape = Tape::read(&Input::new(json)).unwrap();
    let view = tape.view();
    let span = view.root::<TestHost>().text().unwrap();
    let host = Text::<TestHost>::Host(Arc::new("日\n".encode_utf16().collect()));
    assert_eq!(span.wtf8(Some(tape.input())), host.wtf8(None));
    assert!(matches!(span, Text::Span(Span { start: 1, len: 8, .. })));
    assert_eq!(TestHost::units(&Arc::new(vec![0x65E5])).utf8_len(), 3);
}
