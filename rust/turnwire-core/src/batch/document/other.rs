//! What a document is that is not JSON, for the error that says so.

use super::{LINES, MOST, is_row};

/// What a document is that is no text.
pub(super) fn binary(head: &[u8], is_end: bool) -> Option<&'static str> {
    const KNOWN: [(&[u8], &str); 7] = [
        (b"PK\x03\x04", "a ZIP archive: unpack it (a log of Inspect: `inspect log dump` writes JSON)"),
        (b"SQLite format 3", "a SQLite database"),
        (b"PAR1", "a Parquet file, which is read from a path, and not as a stream"),
        (b"%PDF", "a PDF, not text"),
        (b"\x89PNG", "a PNG image, not text"),
        (b"\xff\xfe", "text in UTF-16, not UTF-8"),
        (b"\xfe\xff", "text in UTF-16, not UTF-8"),
    ];
    if let Some((_, name)) = KNOWN.iter().find(|(begins, _)| head.starts_with(begins)) {
        return Some(name);
    }
    // A line of JSON that is damaged fails by itself.
    if matches!(head.trim_ascii_start().first(), Some(b'{' | b'[')) {
        return None;
    }
    let head = head.get(..MOST).unwrap_or(head);
    let is_text = match std::str::from_utf8(head) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none() && !is_end,
    };
    let has_row = || head.split(|byte| *byte == b'\n').take(LINES).any(is_row);
    ((!is_text || head.contains(&0)) && !has_row()).then_some("bytes, not text")
}

/// What a text is that is not JSON.
pub(super) fn text(lines: &[&[u8]]) -> &'static str {
    let lines = lines.iter().map(|line| line.trim_ascii_end());
    let mut said = lines.filter(|line| !line.starts_with(b"#")).peekable();
    let Some(first) = said.peek().copied() else { return "text, not JSON" };
    let begins = |words: &[&str]| words.iter().any(|word| first.starts_with(word.as_bytes()));
    if begins(&["data:", "event:"]) {
        return "a stream of chunks: `turnwire.StreamAssembler` reads it";
    }
    let key = first.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    let is_key = key.strip_suffix(b":").is_some_and(|key| {
        !key.is_empty() && key.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_-.\"'".contains(byte))
    });
    if is_key || begins(&["---", "%YAML", "- "]) {
        return "YAML, not JSON";
    }
    let two: Vec<_> = said.take(2).collect();
    let is_table = |by: u8| match two[..] {
        [one, other] => cells(one, by) > 0 && cells(one, by) == cells(other, by),
        _ => false,
    };
    if b",\t;".iter().any(|by| is_table(*by)) { "a table of text (CSV), not JSON" } else { "text, not JSON" }
}

/// How often a character separates cells: it is not inside quotes.
fn cells(line: &[u8], by: u8) -> usize {
    let mut is_quoted = false;
    let separates = |byte: &&u8| {
        is_quoted ^= **byte == b'"';
        **byte == by && !is_quoted
    };
    line.iter().filter(separates).count()
}
