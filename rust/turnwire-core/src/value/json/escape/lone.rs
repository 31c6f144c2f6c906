//! Lone surrogates in JSON text: finds their escapes, and replaces them.

use std::sync::LazyLock;

use memchr::memmem::Finder;

/// The beginning of every such escape. Most texts do not contain it.
static ESCAPE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"\\u"));

/// The offset of the next escape of a lone surrogate, which is six bytes of ASCII. `at` must not be inside an escape.
pub(crate) fn next(json: &[u8], mut at: usize) -> Option<usize> {
    let unit = |at: usize| {
        let digits = json.get(at..at + 6)?.strip_prefix(b"\\u")?;
        u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    };
    while let Some(next) = json.get(at..).and_then(|rest| memchr::memchr(b'\\', rest)) {
        at += next;
        match (unit(at), unit(at + 6)) {
            (Some(0xD800..0xDC00), Some(0xDC00..0xE000)) => at += 12,
            (Some(0xD800..0xE000), _) => return Some(at),
            _ => at += 2,
        }
    }
    None
}

/// The text with `instead` for each such escape, and how many there were. `None` if there are none.
pub(crate) fn replaced(json: &[u8], instead: &[u8]) -> Option<(Vec<u8>, usize)> {
    ESCAPE.find(json)?;
    let (mut at, mut count, mut new) = (0, 0, Vec::new());
    while let Some(next) = next(json, at) {
        new.extend_from_slice(&json[at..next]);
        new.extend_from_slice(instead);
        (at, count) = (next + 6, count + 1);
    }
    new.extend_from_slice(json.get(at..).filter(|_| count > 0)?);
    Some((new, count))
}
