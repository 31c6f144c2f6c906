//! Fuzzes the escape step: for every storage, `serde_json` reads what it writes as the same text, and it unescapes to
//! the original. With AVX2 it writes the same.

use turnwire_core::{text::Units, value::json::escape};

/// One input.
pub fn try_input(bytes: &[u8]) {
    let shorts: Vec<u16> = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    let words: Vec<u32> = bytes
        .chunks_exact(4)
        .map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]) & 0x1F_FFFF)
        .filter(|code| *code < 0x11_0000)
        .collect();
    check(Units::Latin1(bytes), &bytes.iter().map(|unit| u32::from(*unit)).collect::<Vec<_>>());
    check(Units::Ucs2(&shorts), &shorts.iter().map(|unit| u32::from(*unit)).collect::<Vec<_>>());
    check(Units::Ucs4(&words), &words);
    if let Ok(text) = str::from_utf8(bytes) {
        check(Units::Utf8(bytes), &text.chars().map(u32::from).collect::<Vec<_>>());
    }
}

fn check(units: Units<'_>, codes: &[u32]) {
    let expected: String = codes.iter().map(|code| char::from_u32(*code).unwrap_or('\u{FFFD}')).collect();
    let mut json = b"before".to_vec();
    let replaced = escape::string(units, &mut json);
    let json = &json["before".len()..];
    assert_eq!(replaced, codes.iter().filter(|code| char::from_u32(**code).is_none()).count());
    assert_eq!(serde_json::from_slice::<String>(json).expect("a JSON string"), expected);
    assert_eq!(escape::unescape(&json[1..json.len() - 1]), expected.as_bytes());
    let mut plain = Vec::new();
    escape::plain(units, &mut plain);
    assert_eq!(plain, expected.as_bytes());
    // The core's tests call the same, without unsafe code.
    #[cfg(all(target_arch = "x86_64", not(test)))]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("popcnt") {
        let (mut wide, mut wide_plain) = (b"before\"".to_vec(), Vec::new());
        // SAFETY: the machine has AVX2, as just checked.
        let counts = unsafe { [escape::avx2::body(units, &mut wide), escape::avx2::plain(units, &mut wide_plain)] };
        wide.push(b'"');
        assert_eq!((&wide["before".len()..], wide_plain, counts), (json, plain, [replaced; 2]));
    }
}
