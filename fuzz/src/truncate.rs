//! Fuzzes the cut: every storage of a text gives the same as a plain reference, and every promise is kept.

use arbitrary::Arbitrary;
use turnwire_core::text::{Keep, Units, push_code_point, replace_surrogates};

use super::case::case;

#[derive(Arbitrary, Debug)]
struct Case {
    /// Code units, each repeated, so that short inputs also reach the wide loops.
    runs: Vec<(u32, u8)>,
    suffix: Vec<u16>,
    max_bytes: u16,
    keep: u8,
}

fn wtf8(codes: &[u32]) -> Vec<u8> {
    let mut out = Vec::new();
    codes.iter().for_each(|code| push_code_point(*code, &mut out));
    out
}

/// How many characters from the start of `widths` fit.
fn count(widths: impl Iterator<Item = usize>, budget: usize) -> usize {
    let mut used = 0;
    widths
        .take_while(|width| {
            used += width;
            used <= budget
        })
        .count()
}

fn reference(codes: &[u32], max_bytes: usize, suffix: &[u8], keep: Keep) -> Vec<u8> {
    if wtf8(codes).len() <= max_bytes {
        return wtf8(codes);
    }
    let suffix = if suffix.len() <= max_bytes { suffix } else { &[] };
    let budget = max_bytes - suffix.len();
    let width = |code: &u32| wtf8(&[*code]).len();
    let head = |codes: &[u32], budget| count(codes.iter().map(width), budget);
    let tail = |codes: &[u32], budget| codes.len() - count(codes.iter().rev().map(width), budget);
    let (start, end) = match keep {
        Keep::Head => (head(codes, budget), codes.len()),
        Keep::Tail => (0, tail(codes, budget)),
        Keep::Middle => {
            let start = head(codes, budget - budget / 2);
            let end = start + tail(&codes[start..], budget - wtf8(&codes[..start]).len());
            (head(&codes[..end], budget - wtf8(&codes[end..]).len()), end)
        }
    };
    [wtf8(&codes[..start]).as_slice(), suffix, wtf8(&codes[end..]).as_slice()].concat()
}

/// One input.
pub fn try_input(bytes: &[u8]) {
    let Some(case) = case::<Case>(bytes) else { return };
    let codes: Vec<u32> = case
        .runs
        .iter()
        .flat_map(|(code, times)| std::iter::repeat_n((code % 0x11_0000) >> ((code >> 24) & 15), usize::from(*times)))
        .collect();
    let suffix = Units::Ucs2(&case.suffix).wtf8().into_owned();
    let max_bytes = usize::from(case.max_bytes);
    let keep = Keep::ALL[usize::from(case.keep) % Keep::ALL.len()];
    let expect = reference(&codes, max_bytes, &suffix, keep);
    assert!(expect.len() <= max_bytes);

    let whole = wtf8(&codes);
    let shorts: Option<Vec<u16>> = codes.iter().map(|code| u16::try_from(*code).ok()).collect();
    let bytes: Option<Vec<u8>> = codes.iter().map(|code| u8::try_from(*code).ok()).collect();
    let stored = [
        Some(Units::Utf8(&whole)),
        Some(Units::Ucs4(&codes)),
        shorts.as_deref().map(Units::Ucs2),
        bytes.as_deref().map(Units::Latin1),
        bytes
            .as_deref()
            .filter(|bytes| bytes.is_ascii())
            .and_then(|bytes| str::from_utf8(bytes).ok())
            .map(Units::Ascii),
    ];
    for units in stored.into_iter().flatten() {
        assert_eq!(units.utf8_len(), whole.len());
        assert_eq!(replace_surrogates(&units.wtf8()).len(), whole.len());
        match units.truncate(max_bytes, Units::Utf8(&suffix), keep) {
            None => assert!(whole.len() <= max_bytes),
            Some(cut) => {
                assert!(whole.len() > max_bytes);
                assert_eq!(cut, expect);
                assert_eq!(Units::Utf8(&cut).truncate(max_bytes, Units::Utf8(&suffix), keep), None);
            }
        }
    }
}
