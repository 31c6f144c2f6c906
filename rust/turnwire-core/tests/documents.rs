//! Documents: the records in them, wherever the pieces are cut in which they come, and what they are.

use std::sync::Arc;

use proptest::prelude::*;
use turnwire_core::batch::{
    At,
    document::{Items, Kind, conversation, kind},
    lines::Rest,
};

/// The records of a document that comes in pieces: the bytes, line, path and rest of each, or why there is none.
fn records(pieces: &[&[u8]], keys: &[&str], at: &At) -> Vec<(String, usize, String, Rest, bool)> {
    let keys: Vec<Arc<str>> = keys.iter().map(|key| (*key).into()).collect();
    let mut items = Items::new(keys, at);
    let (mut buffer, mut all) = (Vec::new(), Vec::new());
    for (number, piece) in pieces.iter().chain([&b"".as_slice()]).enumerate() {
        buffer.extend_from_slice(piece);
        let gone = items.read(&buffer, number == pieces.len());
        for record in items.take(gone) {
            let origin = record.origin;
            let text = String::from_utf8_lossy(&buffer[record.at]).into_owned();
            all.push((text, origin.line, origin.path.to_string(), origin.rest, origin.fault.is_some()));
        }
        buffer.drain(..gone);
    }
    all
}

fn said(document: &str, keys: &[&str], at: &At) -> Vec<String> {
    let records = records(&[document.as_bytes()], keys, at);
    records
        .into_iter()
        .map(|(text, line, path, _, bad)| format!("{line} {path} {}{text}", if bad { "!" } else { "" }))
        .collect()
}

const DOCUMENTS: [(&str, &[&str]); 9] = [
    ("[{\"a\": \"]},\\\"\"},\n {\"b\": [1, {\"c\": \"\\\\\"}]},\r\n\"x, y\" , 3\n]\n", &[]),
    ("{\"meta\": {\"samples\": [9]}, \"samples\": [\n{\"id\": 1},\n{\"id\": 2}], \"more\": [1, 2]}", &["samples"]),
    ("{\"s\\u0061mples\": [{\"id\": 1}]} {\"other\": 1}\n[{\"id\": 3}]", &["samples"]),
    ("{\"a\": {\"x\": 1, \"b\": [[1, 2], {\"c\": 3}]}, \"b\": [4]}", &["a", "b"]),
    ("[1,,2,]", &[]),
    ("[{\"a\": [1}, 2]", &[]),
    ("[{\"a\": 1}, {\"b\": \"cut", &[]),
    ("[{\"a\": 1}\n", &[]),
    ("nope [] {} \"[\" [1}", &[]),
];

#[test]
fn records_are_found_with_their_lines_and_paths() {
    let found = |which: usize| said(DOCUMENTS[which].0, DOCUMENTS[which].1, &At::Found);
    assert_eq!(
        found(0),
        ["1 $[0] {\"a\": \"]},\\\"\"}", "2 $[1] {\"b\": [1, {\"c\": \"\\\\\"}]}", "3 $[2] \"x, y\"", "3 $[3] 3"]
    );
    assert_eq!(found(1), ["2 $.samples[0] {\"id\": 1}", "3 $.samples[1] {\"id\": 2}"]);
    assert_eq!(found(2), ["1 $.samples[0] {\"id\": 1}", "1 $ {\"other\": 1}", "2 $[0] {\"id\": 3}"]);
    assert_eq!(found(3), ["1 $.a.b[0] [1, 2]", "1 $.a.b[1] {\"c\": 3}"]);
    assert_eq!(found(4), ["1 $[0] 1", "1 $[1] !", "1 $[2] 2", "1 $[3] !"]);
    assert_eq!(found(6), ["1 $[0] {\"a\": 1}", "1 $[1] {\"b\": \"cut"]);
    assert_eq!(found(7), ["1 $[0] {\"a\": 1}", "2 $ !"]);
    assert_eq!(found(8), ["1 $ nope", "1 $ {}", "1 $ \"[\"", "1 $[0] 1", "1 $ !"]);
}

#[test]
fn the_way_that_is_left_leads_on_from_the_list() {
    let at = At::named("samples.messages").expect("a path");
    let rests = |document: &str| {
        let records = records(&[document.as_bytes()], &["samples", "messages"], &at);
        records.into_iter().map(|(_, _, path, rest, _)| (path, rest)).collect::<Vec<_>>()
    };
    assert_eq!(rests("{\"samples\": [{}]}"), [("$.samples[0]".to_owned(), Rest::After(1))]);
    assert_eq!(rests("[{}]"), [("$[0]".to_owned(), Rest::After(0))]);
    assert_eq!(rests("{\"samples\": {\"messages\": [{}]}}"), [("$.samples.messages[0]".to_owned(), Rest::Found)]);
    assert_eq!(rests("{\"samples\": {}}"), [("$".to_owned(), Rest::All)]);
}

/// The keys around the lists of a document that comes in pieces.
fn around(pieces: &[&[u8]], keys: &[&str]) -> Vec<String> {
    let mut items = Items::new(keys.iter().map(|key| (*key).into()).collect(), &At::Found);
    let mut buffer = Vec::new();
    for (number, piece) in pieces.iter().chain([&b"".as_slice()]).enumerate() {
        buffer.extend_from_slice(piece);
        let gone = items.read(&buffer, number == pieces.len());
        items.take(gone);
        buffer.drain(..gone);
    }
    items.around().to_vec()
}

#[test]
fn the_keys_around_a_list_are_kept() {
    let wanted: [&[&str]; 9] = [&[], &["meta", "more"], &[], &["a.x", "b"], &[], &[], &[], &[], &[]];
    for ((document, keys), wanted) in DOCUMENTS.iter().zip(wanted) {
        let bytes = document.as_bytes();
        assert_eq!(around(&[bytes], keys), wanted, "{document}");
        assert_eq!(around(&bytes.chunks(1).collect::<Vec<_>>(), keys), wanted, "{document} in pieces");
    }
    assert_eq!(around(&[br#"{"a": [1], "\u00e4": 1, "a": [2], "b": {"c": 1}, "b": 2, "d"#], &["a"]), ["ä", "b"]);
    let many: Vec<_> = (0..40).map(|at| format!("\"k{at}\": 0")).collect();
    assert_eq!(around(&[format!("{{\"a\": [1], {}}}", many.join(", ")).as_bytes()], &["a"]).len(), 20);
}

#[test]
fn pieces_may_be_cut_anywhere() {
    for (document, keys) in DOCUMENTS {
        let bytes = document.as_bytes();
        let whole = records(&[bytes], keys, &At::Found);
        for cut in 0..=bytes.len() {
            let (one, two) = bytes.split_at(cut);
            assert_eq!(records(&[one, two], keys, &At::Found), whole, "{document} cut at {cut}");
        }
        let each: Vec<_> = bytes.chunks(1).collect();
        assert_eq!(records(&each, keys, &At::Found), whole, "{document}");
    }
}

proptest! {
    #[test]
    fn any_text_is_the_same_in_pieces(text in "[\\[\\]{}\",:\\\\a \n]{0,40}", cuts in prop::collection::vec(0_usize..40, 0..4)) {
        for keys in [&[][..], &["a"], &["a", "a"]] {
            let bytes = text.as_bytes();
            let mut cuts: Vec<_> = cuts.iter().map(|cut| cut % (bytes.len() + 1)).chain([0, bytes.len()]).collect();
            cuts.sort_unstable();
            let pieces: Vec<_> = cuts.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
            prop_assert_eq!(records(&pieces, keys, &At::Found), records(&[bytes], keys, &At::Found));
        }
    }

    #[test]
    fn a_list_has_its_items(items in prop::collection::vec(value(), 0..6), spread in any::<bool>()) {
        let texts: Vec<_> = items.iter().map(|item| if spread { serde_json::to_string_pretty(item) } else { serde_json::to_string(item) }.expect("JSON")).collect();
        let document = format!("[{}]", texts.join(if spread { ",\n " } else { ", " }));
        let found: Vec<_> = records(&[document.as_bytes()], &[], &At::Found).into_iter().map(|one| one.0).collect();
        prop_assert_eq!(found, texts);
    }

    #[test]
    fn any_beginning_is_judged(bytes in prop::collection::vec(any::<u8>(), 0..200), is_end in any::<bool>()) {
        let known = kind(&bytes, is_end, &At::Found);
        prop_assert!(known.is_some() || !is_end);
        let _ = conversation(&bytes, is_end);
    }
}

fn value() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Into::into),
        any::<i32>().prop_map(Into::into),
        "[\\[\\]{}\"\\\\, é\n]{0,6}".prop_map(Into::into)
    ];
    leaf.prop_recursive(3, 20, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Into::into),
            prop::collection::btree_map("[a-c\"\\\\]{1,3}", inner, 0..4)
                .prop_map(|map| map.into_iter().collect::<serde_json::Map<_, _>>().into()),
        ]
    })
}

#[test]
fn documents_are_what_their_beginning_says() {
    let row = r#"{"messages": [{"role": "user", "content": "Hi"}]}"#;
    let message = r#"{"role": "user", "content": "Hi"}"#;
    let stored = r#"{"dialect": "openai", "element": {"role": "user", "content": "Hi"}}"#;
    let found = |document: &str| kind(document.as_bytes(), true, &At::Found).expect("the whole document");
    let items = |keys: &[&str]| Kind::Items(keys.iter().map(|key| (*key).into()).collect());
    assert_eq!(found(&format!("{row}\n{row}\n")), Kind::Lines);
    assert_eq!(found(&format!("[{row},\n{row}]")), items(&[]));
    assert_eq!(found(&format!("[[{message}], []]")), items(&[]));
    assert_eq!(found(&format!("[{message}]")), Kind::Lines);
    assert_eq!(found(&format!("[\n {message}\n]")), Kind::Whole);
    assert_eq!(found("[]"), items(&[]));
    assert_eq!(found("[\"Hi\"]"), Kind::Lines);
    for key in ["requests", "samples", "simulations", "observations", "data", "rows", "items", "conversations"] {
        assert_eq!(found(&format!(r#"{{"x": [1], "{key}": [{row}]}}"#)), items(&[key]));
        assert_eq!(found(&format!(r#"{{"{key}": [{row}], "messages": []}}"#)), Kind::Lines);
        assert_eq!(found(&format!(r#"{{"{key}": [{{"row": 1}}]}}"#)), Kind::Lines);
    }
    assert_eq!(found(&format!("{message}\n\n{message}\n")), Kind::Messages);
    assert_eq!(found(message), Kind::Messages);
    assert_eq!(found(&format!("{message}\n{row}\n")), Kind::Lines);
    assert_eq!(found(&format!("{stored}\n{{\"clear\": true}}\n{stored}\n")), Kind::History);
    assert_eq!(kind(format!("{message}\n").as_bytes(), true, &At::named("$").expect("a path")), Some(Kind::Lines));
    let many = format!("{message}\n").repeat(20);
    assert_eq!(kind(many.as_bytes(), false, &At::Found), Some(Kind::Messages));
    assert_eq!(kind(message.as_bytes(), false, &At::Found), None);
}

#[test]
fn what_is_not_json_is_named() {
    let found = |bytes: &[u8]| match kind(bytes, true, &At::Found) {
        Some(Kind::Other(name)) => name,
        _ => "JSON",
    };
    let cases: [(&[u8], &str); 22] = [
        (b"a: 1\nb:\n  - 2\n", "YAML"),
        (b"# a comment\n- a\n- b\n", "YAML"),
        (b"---\n", "YAML"),
        (b"%YAML 1.2\n", "YAML"),
        (b"id,messages\n1,\"[]\"\n", "CSV"),
        (b"id\tx\n1\t2\n", "CSV"),
        (b"a;\"b;c\"\n1;2\n", "CSV"),
        (b"PK\x03\x04xx\xe1\n", "ZIP"),
        (b"SQLite format 3\0xx", "SQLite"),
        (b"PAR1xx", "Parquet"),
        (b"%PDF-1.7", "PDF"),
        (b"\x89PNG\r\n", "PNG"),
        (b"\xff\xfe{\0}\0", "UTF-16"),
        (b"\xe1\xe2 x\n", "bytes"),
        (b"null", "JSON"),
        (b"1\n2\n", "JSON"),
        (b"\"a\"\n", "JSON"),
        (b"1\nx\n", "text"),
        (b"data: {\"a\": 1}\n\ndata: [DONE]\n", "StreamAssembler"),
        (b"event: x\ndata: {}\n", "StreamAssembler"),
        (b"hello\nworld\n", "text"),
        (b"hello, world\nhow are you\n", "text"),
    ];
    for (bytes, name) in cases {
        assert!(found(bytes).contains(name), "{name}: {}", found(bytes));
    }
    assert_eq!(kind(b"nope\n{\"messages\": []}\n", true, &At::Found), Some(Kind::Lines));
}

#[test]
fn a_history_is_its_messages() {
    let line = |text: &str| format!(r#"{{"dialect": "openai", "element": {text}}}"#);
    let history = format!(
        "{}\n{{\"clear\": true}}\n{}\n{{\"ledger\": \"x\"}}\n{{\"later\": 1}}\n{{\"dial",
        line("1"),
        line("[2.0]")
    );
    assert_eq!(conversation(history.as_bytes(), true), (b"[[2.0]]".to_vec(), 2));
    assert_eq!(conversation(b"{\"a\": 1}\n\n nope \n", false), (b"[{\"a\": 1},nope]".to_vec(), 0));
}
