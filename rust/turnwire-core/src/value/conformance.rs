//! Checks that a source or sink keeps its contract. A failed check panics, as tests do.
//!
//! For a source: read the text of each of [`sources`] through the door under test and pass its root to
//! [`SourceCase::check`]. For a sink: pass [`assert_sink`] a way to make one and a way to read what it wrote. Doors
//! that keep repeated keys must also pass [`duplicates`]; host objects cannot hold them. A sink whose host has bytes
//! must also pass [`assert_blobs`].

use super::{
    door::{Key, Piece, Sink, Source},
    handle::{Host, Input, NoHost, Raw, Span, Text, Value},
    json::{encode, read, tape::Tape},
    node::{ArgsState, MAX_DEPTH, NodeKind},
};

/// A payload, and what its source must return for it.
pub struct SourceCase {
    /// The payload as JSON text.
    pub json: String,
    want: Value<NoHost>,
}

impl SourceCase {
    fn new(json: impl Into<String>) -> Self {
        let json = json.into();
        let want = frozen(&json);
        Self { json, want }
    }

    /// Checks every method of a source, in all of its nodes.
    ///
    /// # Panics
    /// If the source does not keep its contract.
    pub fn check<S: Source>(&self, root: &S) {
        check(root, &self.want, &self.json);
    }
}

/// Payloads that every door can hold.
pub fn sources() -> impl Iterator<Item = SourceCase> {
    let plain = [
        "null",
        "true",
        "false",
        "0",
        "-7",
        "1.5",
        "12345678901234567890",
        r#""""#,
        r#""user""#,
        r#""Latin-1: é, BMP: 日本語, beyond: 🚀, NUL: \u0000, quote: \", backslash: \\, line: \n""#,
        r#""\ud83d\ude80 and \u65e5""#,
        "[]",
        "{}",
        "[[], {}, [[]], [{}], {\"a\": []}, {\"a\": {}}]",
        r#"[null, true, 1, "one", [1], {"one": 1}]"#,
        r#"{"role": "user", "content": [{"type": "text", "text": "hi"}], "name": null, "z": 1, "a": 2}"#,
        r#"{"": "the empty key", "\u00e9": "é", "日本": {"b": {"c": [1, 2, {"d": false}]}}, "last": "one"}"#,
    ];
    let deep = [
        format!("{}{}", "[".repeat(MAX_DEPTH), "]".repeat(MAX_DEPTH)),
        format!("{}1{}", r#"{"a":"#.repeat(MAX_DEPTH), "}".repeat(MAX_DEPTH)),
    ];
    let wide = [
        format!("[{}0]", "0,".repeat(70_000)),
        format!("{{{}}}", (0..300).map(|key| format!("\"key {key}\": [{key}]")).collect::<Vec<_>>().join(",")),
    ];
    plain.into_iter().map(str::to_owned).chain(deep).chain(wide).map(SourceCase::new)
}

/// Payloads with repeated keys: all entries are there in order, and the last one counts.
pub fn duplicates() -> impl Iterator<Item = SourceCase> {
    [r#"{"a": 1, "a": 2}"#, r#"{"a": {"b": 1, "b": []}, "c": 1, "a": null, "c": [{}]}"#, r#"{"a": 1, "\u0061": 2}"#]
        .into_iter()
        .map(SourceCase::new)
}

fn frozen(json: &str) -> Value<NoHost> {
    let value = read::value(json.as_bytes());
    assert!(value.is_ok(), "{json} is no JSON: {value:?}");
    value.unwrap_or(Value::Null)
}

fn word(text: &Text<NoHost>) -> String {
    text.to_str(None).into_owned()
}

/// A key for this run only.
fn key(name: &str) -> &'static Key {
    Box::leak(Box::new(Key::new(String::leak(name.to_owned()))))
}

static ABSENT: Key = Key::new("no such key");

fn check<S: Source>(node: &S, want: &Value<NoHost>, json: &str) {
    let (kind, entries, items): (_, &[_], &[_]) = match want {
        Value::Null => (NodeKind::Null, &[], &[]),
        Value::Bool(_) => (NodeKind::Bool, &[], &[]),
        Value::Number(_) => (NodeKind::Number, &[], &[]),
        Value::Text(_) => (NodeKind::Text, &[], &[]),
        Value::List(items) => (NodeKind::List, &[], items),
        Value::Map(entries) => (NodeKind::Map, entries, &[]),
        Value::Leaf(never) => match *never {},
    };
    assert_eq!(node.kind(), kind, "{json}");
    assert!(!node.describe().is_empty(), "{json}");
    assert_eq!(node.len(), entries.len() + items.len(), "{json}");
    assert_eq!(node.is_empty(), node.len() == 0, "{json}");
    assert_eq!(node.map_len(), (node.kind() == NodeKind::Map).then(|| node.len()), "{json}");
    assert_eq!(node.bool(), if let Value::Bool(value) = want { Some(*value) } else { None }, "{json}");

    let count = if let Value::Number(digits) = want { digits.parse().ok() } else { None };
    assert_eq!(node.count(), count, "{json}");

    let text = if let Value::Text(text) = want { Some(word(text)) } else { None };
    assert_eq!(node.text().map(|text| text.to_str(node.input()).into_owned()), text, "{json}");
    assert_eq!(node.word().as_deref(), text.as_deref(), "{json}");

    let raw = encode::to_string(&node.raw(), node.input());
    let same = raw.as_ref().is_ok_and(|raw| in_order(&frozen(raw), want));
    assert!(same, "{json}: its raw value is {raw:?}");

    assert_eq!(node.items().count(), items.len(), "{json}");
    for (item, want) in node.items().zip(items) {
        check(&item, want, json);
    }
    let keys: Vec<String> = node.entries().map(|(key, _)| key.to_str(node.input()).into_owned()).collect();
    assert_eq!(keys, entries.iter().map(|(key, _)| word(key)).collect::<Vec<_>>(), "{json}");
    for ((_, value), (_, want)) in node.entries().zip(entries) {
        check(&value, want, json);
    }
    for (name, _) in entries {
        let last = entries.iter().rev().find(|(other, _)| word(other) == word(name));
        let found = node.get(key(&word(name)));
        assert!(found.is_some(), "{json}: no {name:?}");
        for (found, (_, want)) in found.iter().zip(last) {
            assert_eq!(found.len(), children(want), "{json}: {name:?} is not the last of its name");
            assert!(
                encode::to_string(&found.raw(), found.input()).is_ok_and(|raw| in_order(&frozen(&raw), want)),
                "{json}: {name:?} is not the last of its name"
            );
        }
    }
    assert!(node.get(&ABSENT).is_none(), "{json}");
}

fn children(value: &Value<NoHost>) -> usize {
    match value {
        Value::List(items) => items.len(),
        Value::Map(entries) => entries.len(),
        _ => 0,
    }
}

/// Whether both are the same value with its keys in the same order.
fn in_order(a: &Value<NoHost>, b: &Value<NoHost>) -> bool {
    match (a, b) {
        (Value::List(a), Value::List(b)) => a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| in_order(a, b)),
        (Value::Map(a), Value::Map(b)) => {
            a.len() == b.len()
                && a.iter().zip(b.iter()).all(|((key, a), (other, b))| word(key) == word(other) && in_order(a, b))
        }
        _ => a.same(b),
    }
}

/// Checks a sink. `make` makes an empty one, `read` returns what it wrote as JSON text.
///
/// # Panics
/// If the sink does not keep its contract.
pub fn assert_sink<H: Host, K: Sink<H>>(mut make: impl FnMut() -> K, mut read: impl FnMut(K) -> String) {
    let mut written = |name: &str, want: &str, write: &dyn Fn(&mut K)| {
        let mut sink = make();
        write(&mut sink);
        assert_eq!(sink.fault(), None, "{name}");
        let got = read(sink);
        assert!(in_order(&frozen(&got), &frozen(want)), "{name}: expected {want}, got {got}");
    };
    let own = Text::<H>::own;

    written("null", "null", &Sink::null);
    written("a text alone", r#""a""#, &|out| out.text(&own("a")));
    written("an empty list", "[]", &|out| (out.open_list(), out.close()).1);
    written("an empty object", "{}", &|out| (out.open_map(), out.close()).1);
    written("scalars", r#"[null, true, false, "user", "é\"\\\n\u0000🚀日", "a\"é\n"]"#, &|out| {
        out.open_list();
        out.null();
        out.bool(true);
        out.bool(false);
        out.literal(key("user"));
        out.text(&own("é\"\\\n\0🚀日"));
        out.pieces(&[Piece::Str("a\""), Piece::Text(&own("é")), Piece::Str("\n")]);
        out.close();
    });
    written("texts of every length", &format!("[{:?}]", "0123456789".repeat(20)), &|out| {
        out.open_list();
        let all = "0123456789".repeat(20);
        let pieces: Vec<_> = all.as_bytes().chunks(7).map(|bytes| own(&String::from_utf8_lossy(bytes))).collect();
        out.pieces(&pieces.iter().map(Piece::Text).collect::<Vec<_>>());
        out.close();
    });
    written("containers", r#"{"b": [[], {}, {"x": [1]}], "a": {"c": null}, "\"\n": "last", "z": 1}"#, &|out| {
        out.open_map();
        out.key(key("b"));
        out.open_list();
        out.open_list();
        out.close();
        out.open_map();
        out.close();
        out.open_map();
        out.key(key("x"));
        out.raw(&Raw::Own("[1]".into()));
        out.close();
        out.close();
        out.key(key("a"));
        out.open_map();
        out.key_text(&own("c"));
        out.null();
        out.close();
        out.key_text(&own("\"\n"));
        out.text(&own("last"));
        out.key(key("z"));
        out.raw(&Raw::Own(" 1 ".into()));
        out.close();
    });

    let value = r#"{"a": [1, 2.5, {"b": "c\"\u00e9"}, [], {}, null], "d": "\n"}"#;
    let tree = || match read::value::<H>(value.as_bytes()) {
        Ok(tree) => Raw::Tree(tree),
        Err(error) => Raw::Own(error.text().into()),
    };
    written("a frozen value", value, &|out| out.raw(&tree()));
    written("JSON text", value, &|out| out.raw(&Raw::Own(value.into())));
    written("values between others", &format!("[{value}, {value}, 0]"), &|out| {
        out.open_list();
        out.raw(&tree());
        out.raw(&Raw::Own(value.into()));
        out.raw(&Raw::Own("0".into()));
        out.close();
    });
    written("a value as text", r#"["{\"a\":[1,\"\\\"\"]}"]"#, &|out| {
        out.open_list();
        out.raw_as_text(&Raw::Own(r#"{"a":[1,"\""]}"#.into()));
        out.close();
    });

    let args = [
        (r#"{"city": "Paris"}"#, ArgsState::Object, r#"{"city": "Paris"}"#),
        ("\n {\"a\":\n[1]}\r\n", ArgsState::Object, r#"{"a": [1]}"#),
        ("", ArgsState::Object, "{}"),
        ("  ", ArgsState::Object, "{}"),
        (r#"{"city": "Par"#, ArgsState::Incomplete, "{}"),
        ("[]", ArgsState::Invalid, "{}"),
        ("{} {}", ArgsState::Invalid, "{}"),
    ];
    for (text, state, want) in args {
        written("text as a value", &format!(r#"{{"before": [], "args": {want}, "after": [{want}]}}"#), &|out| {
            out.open_map();
            out.key(key("before"));
            out.raw(&Raw::Own("[]".into()));
            out.key(key("args"));
            assert_eq!(out.text_as_raw(&own(text)), state, "{text}");
            out.key(key("after"));
            out.open_list();
            assert_eq!(out.text_as_raw(&own(text)), state, "{text}");
            out.close();
            out.close();
        });
    }

    assert_spans(&mut written);
    assert_blob_text(&mut written);
}

/// Base64 text is written as bytes or stays as it is. Any other text stays text.
fn assert_blob_text<H: Host, K: Sink<H>>(written: Written<'_, K>) {
    written("base64 text as bytes", r#"{"png": "iVBORw0KGgo=", "none": "n/a!"}"#, &|out| {
        out.open_map();
        out.key(key("png"));
        out.text_as_blob(&Text::own("iVBORw0KGgo="));
        out.key(key("none"));
        out.text_as_blob(&Text::own("n/a!"));
        out.close();
    });
}

/// Checks a sink of a host that has bytes: `blob` is the value of the base64 text `coded`.
///
/// # Panics
/// If the sink does not keep its contract.
pub fn assert_blobs<H: Host, K: Sink<H>>(
    mut make: impl FnMut() -> K,
    mut read: impl FnMut(K) -> String,
    blob: &Raw<H>,
    coded: &str,
) {
    let mut sink = make();
    sink.open_list();
    sink.raw(blob);
    sink.raw_as_text(blob);
    sink.text_as_blob(&Text::own(coded));
    sink.close();
    assert_eq!(sink.fault(), None, "bytes");
    let (got, want) = (read(sink), format!(r#"["{coded}", "\"{coded}\"", "{coded}"]"#));
    assert!(in_order(&frozen(&got), &frozen(&want)), "bytes: expected {want}, got {got}");
}

type Written<'a, K> = &'a mut dyn FnMut(&str, &str, &dyn Fn(&mut K));

/// Spans are resolved by the scope in which they are written.
fn assert_spans<H: Host, K: Sink<H>>(written: Written<'_, K>) {
    let json =
        r#" {"k\u00e9y": "plain", "some": "a\n\"\u65e5\ud83d\ude80", "args": "{\"a\": [1]}", "x": [1, {"y": null}]} "#;
    let (Ok(here), Ok(other)) = (Tape::read(&Input::new(json)), Tape::read(&Input::new("\"other\""))) else {
        unreachable!("both are JSON")
    };
    let want = r#"[{"kéy": "plain", "some": "a\n\"日🚀", "args": {"a": [1]}, "x": [1, {"y": null}]},
        "other", "plain!", "{\"a\": [1]}", "[1, {\"y\": null}]"]"#;
    written("spans", want, &|out| {
        let view = here.view();
        let root = view.root::<H>();
        out.scope(Some(here.input()));
        out.open_list();
        out.open_map();
        for (key, value) in root.entries() {
            out.key_text(&key);
            match value.text() {
                Some(text) if key.is("args", root.input()) => {
                    assert_eq!(out.text_as_raw(&text), ArgsState::Object);
                }
                Some(text) => out.text(&text),
                None => out.raw(&value.raw()),
            }
        }
        out.close();
        out.scope(Some(other.input()));
        out.raw(&other.view().root::<H>().raw());
        out.scope(Some(here.input()));
        for (at, (_, value)) in root.entries().enumerate() {
            match (at, value.text()) {
                (0, Some(text)) => out.pieces(&[Piece::Text(&text), Piece::Str("!")]),
                (2, Some(text)) => out.text(&text),
                (3, _) => out.raw_as_text(&value.raw()),
                _ => {}
            }
        }
        out.close();
    });
    let span = |start: u32, len: u32| Span { start, len, escapes: crate::value::handle::Escapes::None };
    written("a scope that ends", r#"["own"]"#, &|out| {
        out.scope(Some(other.input()));
        out.open_list();
        out.scope(None);
        out.text(&Text::own("own"));
        out.close();
    });
    written("a part of a text", r#""the""#, &|out| {
        out.scope(Some(other.input()));
        out.text(&Text::Span(span(2, 3)));
    });
}
