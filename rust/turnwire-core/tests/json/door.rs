//! Shared by the tests of the bytes door: the vectors, and texts in pieces.

use serde_json::Value as Json;
use turnwire_core::text::push_code_point;

pub(crate) fn vectors(section: &str) -> Vec<Json> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/json.json");
    let mut all: Json = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let Json::Array(rows) = all[section].take() else { panic!("no section {section}") };
    assert!(!rows.is_empty());
    rows
}

/// A text of the vectors as WTF-8.
pub(crate) fn text(pieces: &Json) -> Vec<u8> {
    let mut out = Vec::new();
    match pieces {
        Json::String(text) => out.extend_from_slice(text.as_bytes()),
        Json::Array(pieces) => pieces.iter().for_each(|piece| push(piece, &mut out)),
        other => panic!("no text: {other}"),
    }
    out
}

fn push(piece: &Json, out: &mut Vec<u8>) {
    match piece {
        Json::String(text) => out.extend_from_slice(text.as_bytes()),
        Json::Number(code) => push_code_point(u32::try_from(code.as_u64().unwrap()).unwrap(), out),
        Json::Array(run) => (0..run[1].as_u64().unwrap()).for_each(|_| push(&run[0], out)),
        other => panic!("no piece: {other}"),
    }
}

/// `text` or `bytes` of a row.
pub(crate) fn input(row: &Json) -> Vec<u8> {
    match row["bytes"].as_str() {
        Some(digits) => {
            (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap()).collect()
        }
        None => text(&row["text"]),
    }
}
