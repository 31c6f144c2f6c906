//! The cut, for every storage of a text: the vectors, and a plain reference.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

use proptest::prelude::*;
use serde_json::Value as Json;
use turnwire_core::{
    text::{Keep, TRUNCATED_SUFFIX, Units, push_code_point, replace_surrogates},
    value::{Escapes, Input, NoHost, Span, Text},
};

fn wtf8(text: &[u32]) -> Vec<u8> {
    let mut out = Vec::new();
    for code in text {
        push_code_point(*code, &mut out);
    }
    out
}

/// The same text in every storage that can hold it.
struct Stored {
    codes: Vec<u32>,
    wtf8: Vec<u8>,
    bytes: Option<Vec<u8>>,
    shorts: Option<Vec<u16>>,
}

impl Stored {
    fn new(codes: &[u32]) -> Self {
        Self {
            codes: codes.to_vec(),
            wtf8: wtf8(codes),
            bytes: codes.iter().map(|code| u8::try_from(*code).ok()).collect(),
            shorts: codes.iter().map(|code| u16::try_from(*code).ok()).collect(),
        }
    }

    fn all(&self) -> Vec<Units<'_>> {
        let mut all = vec![Units::Utf8(&self.wtf8), Units::Ucs4(&self.codes)];
        all.extend(self.shorts.as_deref().map(Units::Ucs2));
        all.extend(self.bytes.as_deref().map(Units::Latin1));
        all.extend(
            self.bytes
                .as_deref()
                .filter(|bytes| bytes.is_ascii())
                .and_then(|bytes| str::from_utf8(bytes).ok())
                .map(Units::Ascii),
        );
        all
    }
}

/// The longest prefix in `budget` bytes, one character after the other.
fn head(text: &[u32], budget: usize) -> &[u32] {
    let mut left = budget;
    let mut kept = 0;
    for code in text {
        let width = wtf8(&[*code]).len();
        if width > left {
            break;
        }
        left -= width;
        kept += 1;
    }
    &text[..kept]
}

fn tail(text: &[u32], budget: usize) -> Vec<u32> {
    let reversed: Vec<u32> = text.iter().rev().copied().collect();
    head(&reversed, budget).iter().rev().copied().collect()
}

/// What the cut means, in the simplest code.
fn reference(text: &[u32], max_bytes: usize, suffix: &[u32], keep: Keep) -> Vec<u32> {
    if wtf8(text).len() <= max_bytes {
        return text.to_vec();
    }
    let suffix = if wtf8(suffix).len() <= max_bytes { suffix } else { &[] };
    let budget = max_bytes - wtf8(suffix).len();
    match keep {
        Keep::Head => [head(text, budget), suffix].concat(),
        Keep::Tail => [suffix, &tail(text, budget)].concat(),
        Keep::Middle => {
            let start = head(text, budget - budget / 2);
            let end = tail(&text[start.len()..], budget - wtf8(start).len());
            let start = head(&text[..text.len() - end.len()], budget - wtf8(&end).len());
            [start, suffix, &end].concat()
        }
    }
}

/// Every promise at once, for every storage of the text.
fn check(text: &[u32], max_bytes: usize, suffix: &[u32], keep: Keep, expect: &[u32]) {
    let (stored, suffix, expect) = (Stored::new(text), wtf8(suffix), wtf8(expect));
    let fits = stored.wtf8.len() <= max_bytes;
    assert!(expect.len() <= max_bytes);
    for units in stored.all() {
        assert_eq!(units.utf8_len(), stored.wtf8.len(), "{units:?}");
        assert_eq!(units.fits(max_bytes), fits, "{units:?}");
        let new = units.truncate(max_bytes, Units::Utf8(&suffix), keep);
        assert_eq!(new.is_none(), fits, "{units:?}");
        let new = new.unwrap_or_else(|| units.wtf8().into_owned());
        assert_eq!(new, expect, "{units:?}");
        // Cutting again changes nothing.
        assert_eq!(Units::Utf8(&new).truncate(max_bytes, Units::Utf8(&suffix), keep), None);
    }
    check_handles(&stored, max_bytes, &suffix, keep, &expect);
}

/// The same through handles: new text, a span without escapes, and a span with nothing but escapes.
fn check_handles(stored: &Stored, max_bytes: usize, suffix: &[u8], keep: Keep, expect: &[u8]) {
    let plain = replace_surrogates(&stored.wtf8).into_owned();
    let mut texts = vec![(Text::<NoHost>::own(&plain), Input::new(Vec::new())), span(plain.as_bytes(), Escapes::None)];
    // Two escaped halves of a pair are one character in JSON, which is not this text.
    if stored.codes.windows(2).all(|pair| !(is_high(pair[0]) && is_low(pair[1]))) {
        let lone = stored.codes.iter().any(|code| char::from_u32(*code).is_none());
        let body: String = stored.codes.iter().map(|code| escaped(*code)).collect();
        texts.push(span(body.as_bytes(), if lone { Escapes::Lone } else { Escapes::Some }));
    }
    for (text, input) in texts {
        let new = text.truncate(max_bytes, Units::Utf8(suffix), keep, Some(&input)).unwrap();
        assert_eq!(new.is_none(), stored.wtf8.len() <= max_bytes);
        let new = new.unwrap_or_else(|| text.share());
        assert_eq!(new.to_str(Some(&input)), replace_surrogates(expect), "{text:?}");
    }
}

fn span(body: &[u8], escapes: Escapes) -> (Text<NoHost>, Input) {
    let span = Span { start: 1, len: u32::try_from(body.len()).unwrap(), escapes };
    (Text::Span(span), Input::new([b"\"", body, b"\""].concat()))
}

fn is_high(code: u32) -> bool {
    (0xD800..0xDC00).contains(&code)
}

fn is_low(code: u32) -> bool {
    (0xDC00..0xE000).contains(&code)
}

fn escaped(code: u32) -> String {
    match char::from_u32(code) {
        Some(letter) if letter.len_utf16() == 2 => {
            let above = code - 0x1_0000;
            format!("\\u{:04x}\\u{:04X}", 0xD800 + (above >> 10), 0xDC00 + (above & 0x3FF))
        }
        _ => format!("\\u{code:04x}"),
    }
}

fn text(value: &Json) -> Vec<u32> {
    match value {
        Json::String(text) => text.chars().map(u32::from).collect(),
        Json::Number(code) => vec![u32::try_from(code.as_u64().unwrap()).unwrap()],
        Json::Array(pair) => text(&pair[0]).repeat(usize::try_from(pair[1].as_u64().unwrap()).unwrap()),
        other => panic!("no piece of a text: {other}"),
    }
}

#[test]
fn vectors() {
    let file: Json = serde_json::from_str(include_str!("../../../tests/vectors/text.json")).unwrap();
    let cases = file["truncate"].as_array().unwrap();
    assert!(!cases.is_empty());
    let pieces = |value: &Json| value.as_array().unwrap().iter().flat_map(text).collect::<Vec<_>>();
    for case in cases {
        let max_bytes = usize::try_from(case["max_bytes"].as_u64().unwrap()).unwrap();
        let suffix = case.get("suffix").map_or_else(|| TRUNCATED_SUFFIX.chars().map(u32::from).collect(), pieces);
        let keep = case.get("keep").map_or(Keep::Head, |keep| Keep::from_name(keep.as_str().unwrap()).unwrap());
        let (long, expect) = (pieces(&case["text"]), pieces(&case["expect"]));
        assert_eq!(reference(&long, max_bytes, &suffix, keep), expect, "{}", case["name"]);
        check(&long, max_bytes, &suffix, keep, &expect);
    }
}

fn code() -> impl Strategy<Value = u32> {
    prop_oneof![
        4 => 0x20..0x7F_u32,
        2 => 0x80..0x100_u32,
        2 => 0x100..0x800_u32,
        3 => 0x800..0x1_0000_u32,
        1 => Just(0xD83D_u32),
        3 => 0x1_0000..0x11_0000_u32,
        1 => prop::sample::select(vec![0_u32, 0x7F, 0x80, 0xFF, 0x100, 0x7FF, 0x800, 0xFFFF, 0x1_0000, 0x10_FFFF]),
    ]
}

/// Short mixed texts, or runs of one character that are long enough for the wide loops.
fn any_text() -> impl Strategy<Value = Vec<u32>> {
    let run = (code(), 1..300_usize).prop_map(|(code, times)| vec![code; times]);
    prop_oneof![
        prop::collection::vec(code(), 0..40),
        prop::collection::vec(0x20..0x7F_u32, 0..40),
        prop::collection::vec(0xC0..0x100_u32, 0..40),
        prop::collection::vec(run, 0..12).prop_map(|runs| runs.concat()),
    ]
}

fn short_text(longest: usize) -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(code(), 0..=longest)
}

fn keep() -> impl Strategy<Value = Keep> {
    prop::sample::select(Keep::ALL)
}

proptest! {
    #[test]
    fn like_the_reference(text in any_text(), suffix in short_text(8), keep in keep(), per_mille in 0..1100_usize) {
        let max_bytes = wtf8(&text).len() * per_mille / 1000;
        check(&text, max_bytes, &suffix, keep, &reference(&text, max_bytes, &suffix, keep));
    }

    #[test]
    fn at_every_budget(text in short_text(12), suffix in short_text(3), keep in keep()) {
        for max_bytes in 0..=wtf8(&text).len() + 1 {
            check(&text, max_bytes, &suffix, keep, &reference(&text, max_bytes, &suffix, keep));
        }
    }

    #[test]
    fn bits_are_those_of_the_widest(text in any_text()) {
        let widest = text.iter().fold(0, |bits, code| bits | code);
        let stored = Stored::new(&text);
        for units in stored.all().into_iter().filter(|units| !matches!(units, Units::Utf8(_) | Units::Ascii(_))) {
            prop_assert_eq!(units.bits(u32::MAX), widest);
            for enough in [0x80, 0x100, 0x1_0000] {
                prop_assert_eq!(units.bits(enough) >= enough, widest >= enough);
            }
        }
    }
}

/// Every run of the wide loops is filled and emptied many times.
#[test]
fn long_runs_do_not_overflow() {
    for code in [0xFF, 0x7FF, 0xFFFF, 0x10_FFFF] {
        let width = wtf8(&[code]).len();
        for units in Stored::new(&vec![code; 100_000]).all() {
            assert_eq!(units.utf8_len(), 100_000 * width);
            let cut = units.cut(width * 70_000 + 1, 0, Keep::Middle).unwrap();
            assert_eq!(units.head(&cut).utf8_len() + units.tail(&cut).utf8_len(), width * 70_000);
        }
    }
}
