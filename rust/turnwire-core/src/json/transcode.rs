//! From the units of a host's string (one, two or four bytes a character) straight to UTF-8, JSON escapes included.

use super::escape::{ESCAPES, HEX};

/// As many units as one step looks at.
const BLOCK: usize = 16;
/// What stands for a lone surrogate: U+FFFD.
const REPLACEMENT: Bytes = Bytes { value: 0x00BD_BFEF, count: 3 };

/// A unit that is a whole character.
pub(super) trait Unit: Copy + Into<u32> {
    /// Its lowest byte.
    fn low(self) -> u8;
    /// Its lowest two bytes.
    fn low16(self) -> u16;
}

impl Unit for u8 {
    fn low(self) -> u8 {
        self
    }
    fn low16(self) -> u16 {
        u16::from(self)
    }
}

impl Unit for u16 {
    fn low(self) -> u8 {
        self as u8
    }
    fn low16(self) -> u16 {
        self
    }
}

impl Unit for u32 {
    fn low(self) -> u8 {
        self as u8
    }
    fn low16(self) -> u16 {
        self as u16
    }
}

/// Appends `units` as UTF-8, escaped as the inside of a JSON string if `ESCAPED`. Returns how many lone surrogates became
/// U+FFFD.
///
/// Blocks of one kind, which nearly all are in nearly every text, are written in vector steps; all others unit by unit.
pub(super) fn write<U: Unit, const ESCAPED: bool>(units: &[U], out: &mut Vec<u8>) -> usize {
    let mut replaced = 0;
    let mut rest = units;
    out.reserve(units.len() + BLOCK);
    while let Some((block, after)) = rest.split_first_chunk::<BLOCK>() {
        if size_of::<U>() > 1 && block[0].into() >= 0x800 {
            if all(block, |code| (0x800..0xD800).contains(&code) || (0xE000..0x1_0000).contains(&code)) {
                let (first, second) = block.split_at(BLOCK / 2);
                for half in [first, second] {
                    if let Some(half) = half.first_chunk() {
                        out.extend_from_slice(&three_bytes_each(half));
                    }
                }
            } else {
                replaced += one_by_one::<U, ESCAPED>(block, out);
            }
        } else if all(block, |code| code < 0x80 && !(ESCAPED && (code < 0x20 || code == 0x22 || code == 0x5C))) {
            out.extend_from_slice(&block.map(U::low));
        } else {
            replaced += one_by_one::<U, ESCAPED>(block, out);
        }
        rest = after;
    }
    replaced + one_by_one::<U, ESCAPED>(rest, out)
}

#[inline]
fn all<U: Unit>(block: &[U; BLOCK], is: impl Fn(u32) -> bool) -> bool {
    block.iter().fold(0, |odd, unit| odd | u8::from(!is((*unit).into()))) == 0
}

/// Eight characters that take three bytes each, packed into three words.
#[inline]
fn three_bytes_each<U: Unit>(units: &[U; BLOCK / 2]) -> [u8; 24] {
    let wide = units.map(|unit| {
        let unit = u32::from(unit.low16());
        u64::from(0x0080_80E0 | unit >> 12 | (unit >> 6 & 0x3F) << 8 | (unit & 0x3F) << 16)
    });
    let words = [
        wide[0] | wide[1] << 24 | wide[2] << 48,
        wide[2] >> 16 | wide[3] << 8 | wide[4] << 32 | wide[5] << 56,
        wide[5] >> 8 | wide[6] << 16 | wide[7] << 40,
    ];
    let mut bytes = [0; 24];
    for (slot, word) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(words) {
        *slot = word.to_le_bytes();
    }
    bytes
}

/// What is written for one character: at most six bytes, the first of them lowest.
#[derive(Clone, Copy)]
struct Bytes {
    value: u64,
    count: usize,
}

#[inline]
fn one_by_one<U: Unit, const ESCAPED: bool>(units: &[U], out: &mut Vec<u8>) -> usize {
    let mut replaced = 0;
    for unit in units {
        let code = (*unit).into();
        let bytes = match code {
            0..0x80 if ESCAPED => ASCII[code as usize],
            0..0x80 => Bytes { value: u64::from(code), count: 1 },
            0x80..0x800 => Bytes { value: u64::from(0x80C0 | code >> 6 | (code & 0x3F) << 8), count: 2 },
            0xD800..0xE000 | 0x11_0000.. => {
                replaced += 1;
                REPLACEMENT
            }
            0x800..0x1_0000 => Bytes {
                value: u64::from(0x0080_80E0 | code >> 12 | (code >> 6 & 0x3F) << 8 | (code & 0x3F) << 16),
                count: 3,
            },
            0x1_0000..0x11_0000 => Bytes {
                value: u64::from(
                    0x8080_80F0
                        | code >> 18
                        | (code >> 12 & 0x3F) << 8
                        | (code >> 6 & 0x3F) << 16
                        | (code & 0x3F) << 24,
                ),
                count: 4,
            },
        };
        // A copy of fixed size, then cut back: cheaper than a copy of one to six bytes.
        let end = out.len() + bytes.count;
        out.extend_from_slice(&bytes.value.to_le_bytes());
        out.truncate(end);
    }
    replaced
}

/// Each ASCII character as it stands in a JSON string.
static ASCII: [Bytes; 128] = {
    let mut table = [Bytes { value: 0, count: 1 }; 128];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = match ESCAPES[byte] {
            0 => Bytes { value: byte as u64, count: 1 },
            b'u' => {
                let digits = (HEX[byte >> 4] as u64) << 32 | (HEX[byte & 15] as u64) << 40;
                Bytes { value: 0x3030_755C | digits, count: 6 }
            }
            letter => Bytes { value: 0x5C | (letter as u64) << 8, count: 2 },
        };
        byte += 1;
    }
    table
};
