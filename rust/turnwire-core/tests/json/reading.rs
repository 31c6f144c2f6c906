//! What is read, what is refused, and the texts of the errors.

use proptest::prelude::*;
use serde::de::IgnoredAny;
use turnwire_core::value::{
    ArgsState, Body, Builder, Escapes, Input, Key, NoHost, NodeKind, Number, Raw, Source, Tape, Text, Tree,
    conformance::{duplicates, sources},
    json::{encode, escape, read},
};

use super::door::{input, text, vectors};

#[test]
fn valid_text_keeps_its_bytes() {
    for row in vectors("valid") {
        let bytes = text(&row);
        let tape = Tape::read(&Input::new(bytes.clone())).unwrap_or_else(|error| panic!("{row}: {error}"));
        let view = tape.view();
        let root = view.root::<NoHost>();
        let raw = encode::to_string(&root.raw(), root.input()).unwrap();
        assert_eq!(raw.as_bytes(), bytes.trim_ascii());
        let value = read::value::<NoHost>(&bytes).unwrap();
        if root.kind() == NodeKind::Number {
            assert_eq!(encode::to_string(&Raw::Tree(value), None).unwrap(), raw, "a number keeps its spelling");
        }
    }
}

#[test]
fn invalid_text_is_refused_with_its_place() {
    for row in vectors("invalid") {
        let bytes = input(&row);
        let error = Tape::read(&Input::new(bytes.clone())).unwrap_err();
        assert_eq!(error.code().name(), row["code"].as_str().unwrap_or("invalid_json"), "{row}");
        assert_eq!(error.text(), row["error"].as_str().unwrap());
        if let Some(path) = row["path"].as_str() {
            assert_eq!(error.path().to_string(), path, "{row}");
        }
        assert_eq!(read::value::<NoHost>(&bytes).unwrap_err(), error);
    }
}

#[test]
fn a_path_to_what_is_too_deep_has_every_step() {
    let error = read::value::<NoHost>(&b"{\"a\":[".repeat(200)).unwrap_err();
    assert_eq!(error.path().steps().count(), 256);
    assert!(error.path().to_string().starts_with("$.a[0].a[0]"));
}

#[test]
fn arguments_are_objects_beginnings_or_neither() {
    for row in vectors("args") {
        let state = match read::args_state(&text(&row["text"])) {
            ArgsState::Object => "object",
            ArgsState::Incomplete => "incomplete",
            ArgsState::Invalid => "invalid",
        };
        assert_eq!(state, row["state"], "{row}");
    }
}

/// An object that is cut off anywhere is the beginning of one.
#[test]
fn every_cut_object_is_incomplete() {
    let whole = r#" {"a": [1.5e-3, true, {"b\u00e9": "x\n日"}, null], "": {}} "#;
    for cut in 0..whole.len() {
        let expected = match whole[..whole.floor_char_boundary(cut)].trim() {
            "" => ArgsState::Object,
            head if head.len() == whole.trim().len() => ArgsState::Object,
            _ => ArgsState::Incomplete,
        };
        assert_eq!(read::args_state(&whole.as_bytes()[..cut]), expected, "{cut}");
    }
}

#[test]
fn strings_know_their_escapes() {
    for row in vectors("strings") {
        let tape = Tape::read(&Input::new(text(&row["json"]))).unwrap();
        let Some(Text::Span(span)) = tape.view().root::<NoHost>().text() else { panic!("{row} is no string") };
        let escapes = match span.escapes {
            Escapes::None => "none",
            Escapes::Some => "some",
            Escapes::Lone => "lone",
        };
        assert_eq!(escapes, row["escapes"], "{row}");
        assert_eq!(Text::<NoHost>::Span(span).wtf8(Some(tape.input())), text(&row["text"]), "{row}");
    }
}

#[test]
fn the_tape_is_a_source() {
    for case in sources().chain(duplicates()) {
        let tape = Tape::read(&Input::new(format!(" {}\n", case.json))).unwrap();
        case.check(&tape.view().root::<NoHost>());
    }
}

#[test]
fn a_frozen_value_is_a_source() {
    for case in sources().chain(duplicates()) {
        case.check(&Tree(&read::value::<NoHost>(case.json.as_bytes()).unwrap()));
    }
}

/// Half of the cases are JSON with a few bytes changed, half are bytes that JSON often has.
fn nearly_json() -> impl Strategy<Value = Vec<u8>> {
    let changed =
        (super::writing::any_json(), prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3))
            .prop_map(|(json, changes)| {
                let mut bytes = json.to_string().into_bytes();
                for (at, byte) in changes {
                    let at = at.index(bytes.len());
                    bytes[at] = byte;
                }
                bytes
            });
    let token = prop::sample::select(vec![
        "{", "}", "[", "]", ",", ":", "\"", "\\", "u", "d83d", "0", "1", "-", ".", "e", "E+", "true", "null", " ",
        "\n", "é", "\"a\"", "\u{0}",
    ]);
    prop_oneof![changed, prop::collection::vec(token, 0..24).prop_map(|tokens| tokens.concat().into_bytes())]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn valid_is_what_serde_json_says(bytes in nearly_json()) {
        let valid = str::from_utf8(&bytes).is_ok() && serde_json::from_slice::<IgnoredAny>(&bytes).is_ok();
        prop_assert_eq!(Tape::read(&Input::new(bytes.clone())).map(|_| ()).map_err(|error| error.to_string()).is_ok(), valid);
        prop_assert_eq!(read::value::<NoHost>(&bytes).is_ok(), valid);
    }

    #[test]
    fn a_small_number_is_its_value(spelling in "-?(0|[1-9][0-9]{0,20})(\\.5)?(e1)?") {
        let mut found = Smalls(Vec::new());
        read::build(format!("[{spelling} , {spelling}]").as_bytes(), &mut found).unwrap();
        let value = spelling.parse::<i64>().ok().filter(|value| value.abs() < 10_i64.pow(18));
        prop_assert_eq!(found.0, [value, value]);
    }
}

/// Keeps the small value of each number.
struct Smalls(Vec<Option<i64>>);

impl Builder for Smalls {
    fn number(&mut self, number: Number<'_>, _: usize) {
        self.0.push(number.small());
    }
    fn null(&mut self, _: usize) {}
    fn bool(&mut self, _: bool, _: usize) {}
    fn text(&mut self, _: Body<'_>) {}
    fn key(&mut self, _: Body<'_>) {}
    fn open_list(&mut self, _: usize) {}
    fn open_map(&mut self, _: usize) {}
    fn close(&mut self, _: usize) {}
}

/// A character, and one of the ways to spell it in JSON.
fn spelled() -> impl Strategy<Value = (char, String)> {
    let some = prop_oneof![Just(' '), Just('\n'), Just('\u{3000}'), Just('a'), Just('é'), Just('行'), Just('🚧')];
    (some, any::<bool>()).prop_map(|(one, escape)| {
        let units: Vec<_> = one.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect();
        (one, if escape || one == '\n' { units.concat() } else { one.to_string() })
    })
}

proptest! {
    #[test]
    fn a_beginning_is_the_same_however_it_is_spelled(
        text in prop::collection::vec(spelled(), 0..30), lone in any::<bool>(), cut in 0_usize..12, prefix in "[ \na行]{0,3}",
    ) {
        let plain: String = text.iter().map(|(one, _)| *one).collect();
        let body: String = text.iter().map(|(_, spelled)| &**spelled).chain(lone.then_some("\\ud83d")).collect();
        let input = Input::new(format!("\"{body}\""));
        let tape = Tape::read(&input).unwrap();
        let Some(said) = tape.view().root::<NoHost>().text() else { return Err(TestCaseError::fail("a string")) };
        let wtf8 = said.wtf8(Some(&input)).into_owned();
        prop_assert!(wtf8.starts_with(plain.as_bytes()));
        prop_assert_eq!(said.is_blank(Some(&input)), !lone && plain.chars().all(char::is_whitespace));
        prop_assert_eq!(said.starts_with(&prefix, Some(&input)), wtf8.starts_with(prefix.as_bytes()));
        prop_assert_eq!(&*said.head_bytes(cut, Some(&input)), &wtf8[..wtf8.len().min(cut)]);
    }
}

/// A stretch of a string body, valid or not. Runs of one kind are as long as those that are read in blocks.
fn stretch() -> impl Strategy<Value = String> {
    let unit = prop::sample::select(vec![
        "\\u65e5",
        "\\u672C",
        "\\ud7ff",
        "\\uE000",
        "\\ud83d\\ude80",
        "\\uD83D\\uDE80",
        "\\ud83d",
        "\\udc00",
        "\\u0041",
        "\\u00e9",
        "\\n",
        "\\\"",
        "\\\\",
        "\\/",
        "a",
        "é",
        "日本語",
        "🚧",
        " and some more of it in plain letters, ",
    ]);
    let wrong = prop::sample::select(vec!["\\u65e", "\\u65g5", "\\x", "\\U65e5", "\n", "\\u 5e5", "\\uD8:0"]);
    let run = (unit, 1..30_usize).prop_map(|(unit, times)| unit.repeat(times));
    prop_oneof![12 => run, 1 => wrong.prop_map(str::to_owned)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn runs_of_escapes_are_read_as_serde_json_reads_them(body in prop::collection::vec(stretch(), 0..8)) {
        let json = format!("\"{}\"", body.concat());
        let input = Input::new(json.clone());
        let valid = serde_json::from_str::<IgnoredAny>(&json).is_ok();
        let tape = Tape::read(&input);
        prop_assert_eq!(tape.is_ok(), valid);
        let Ok(tape) = tape else { return Ok(()) };
        let Some(said) = tape.view().root::<NoHost>().text() else { return Err(TestCaseError::fail("a string")) };
        let Text::Span(span) = said else { return Err(TestCaseError::fail("a span")) };
        // A lone surrogate is not a string to serde_json, but here it is bytes.
        if let Ok(text) = serde_json::from_str::<String>(&json) {
            prop_assert_eq!(&*said.wtf8(Some(&input)), text.as_bytes());
            prop_assert_eq!(span.escapes, if json.contains('\\') { Escapes::Some } else { Escapes::None });
        } else {
            prop_assert_eq!(span.escapes, Escapes::Lone);
        }
    }
}

/// Escapes are undone in blocks, so this tries each kind of escape at each place of a block and of the next one.
#[test]
fn an_escape_is_undone_wherever_it_stands() {
    for escape in ["\\n", "\\\\", "\\\"", "\\u0041", "\\u00e9", "\\u6f22", "\\ud83d\\ude00", "\\\\\\n\\u6f22\\\\"] {
        for (before, behind) in (0..150).flat_map(|before| [0, 1, 15, 16, 17, 64].map(|behind| (before, behind))) {
            let body = format!("{}{escape}{}", "x".repeat(before), "y".repeat(behind));
            let text: String = serde_json::from_str(&format!("\"{body}\"")).expect("a JSON string");
            assert_eq!(escape::unescape(body.as_bytes()), text.as_bytes(), "{body}");
        }
    }
}

proptest! {
    /// Bytes after a body do not belong to it, whatever they are.
    #[test]
    fn a_body_ends_where_it_is_said_to(
        body in prop::collection::vec(stretch(), 0..6), behind in prop::collection::vec(stretch(), 0..4),
    ) {
        let (body, behind) = (body.concat(), behind.concat());
        if serde_json::from_str::<IgnoredAny>(&format!("\"{body}\"")).is_err() {
            return Ok(());
        }
        let mut out = b"before".to_vec();
        escape::unescape_into(format!("{body}\"{behind}").as_bytes(), body.len(), &mut out);
        prop_assert_eq!(&out[..6], b"before");
        prop_assert_eq!(&out[6..], &*escape::unescape(body.as_bytes()));
    }

    /// Keys of every length, in every spelling, anywhere in the text. Of two equal keys, the last one counts.
    #[test]
    fn a_key_is_found_by_all_of_its_bytes(
        entries in prop::collection::vec((0..NAMES.len(), any::<bool>(), 0..1000_u32), 0..8), space in " {0,20}",
    ) {
        let spelled = |name: &str, escaped: bool| match name.chars().next() {
            Some(first) if escaped => format!("\\u{:04x}{}", u32::from(first), &name[1..]),
            _ => name.to_owned(),
        };
        let entry = |(name, escaped, value): &(usize, bool, u32)| {
            format!("\"{}\":{value}", spelled(NAMES[*name].name, *escaped))
        };
        let all: Vec<_> = entries.iter().map(entry).collect();
        let tape = Tape::read(&Input::new(format!("{{{}}}{space}", all.join(",")))).unwrap();
        let view = tape.view();
        for (at, key) in NAMES.iter().enumerate() {
            let found = view.root::<NoHost>().get(key).and_then(|value| value.count());
            let wanted = entries.iter().rev().find(|(name, ..)| *name == at).map(|(.., value)| u64::from(*value));
            prop_assert_eq!(found, wanted, "{}", key.name);
        }
    }
}

/// Keys with the same length, the same beginning, or the same end.
static NAMES: [Key; 10] = [
    Key::new(""),
    Key::new("a"),
    Key::new("b"),
    Key::new("content"),
    Key::new("contest"),
    Key::new("contents"),
    Key::new("sixteen_bytes_of"),
    Key::new("sixteen_bytes_if"),
    Key::new("sixteen_bytes_of_it_and_then_some"),
    Key::new("sixteen_bytes_of_it_and_then_more"),
];
