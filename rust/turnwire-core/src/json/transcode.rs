//! From the units of a host's string (one, two or four bytes a character) straight to UTF-8, JSON escapes included.

use super::forms::{self, Form, ROOM, Room};

/// As many units as one step looks at.
const BLOCK: usize = 8;

/// A unit that is a whole character. Each question about a block is a fold over numbers as wide as the units: this is what
/// the compiler turns into vector instructions.
pub(super) trait Unit: Copy + Into<u32> {
    /// The units as ASCII, if they are nothing else, and need no escape where `ESCAPED`.
    fn plain<const ESCAPED: bool>(block: &[Self; BLOCK]) -> Option<[u8; BLOCK]>;
    /// Whether all of them take three bytes.
    fn take_three(block: &[Self; BLOCK]) -> bool;
}

macro_rules! unit {
    ($unit:ty, takes three unless $odd:expr) => {
        impl Unit for $unit {
            #[inline]
            fn plain<const ESCAPED: bool>(block: &[Self; BLOCK]) -> Option<[u8; BLOCK]> {
                let odd = block.iter().fold(0, |odd, unit| {
                    let special =
                        <$unit>::from(*unit < 0x20) | <$unit>::from(*unit == 0x22) | <$unit>::from(*unit == 0x5C);
                    odd | (*unit & !0x7F) | if ESCAPED { special } else { 0 }
                });
                (odd == 0).then(|| block.map(|unit| unit as u8))
            }

            #[inline]
            fn take_three(block: &[Self; BLOCK]) -> bool {
                let is_odd: fn($unit) -> $unit = $odd;
                block.iter().fold(0, |odd, unit| odd | is_odd(*unit)) == 0
            }
        }
    };
}

unit!(u8, takes three unless |_| 1);
unit!(u16, takes three unless |unit| u16::from(unit < 0x800) | u16::from(unit.wrapping_sub(0xD800) < 0x800));
unit!(u32, takes three unless |unit| {
    u32::from(unit < 0x800) | u32::from(unit.wrapping_sub(0xD800) < 0x800) | unit >> 16
});

/// Appends `units` as UTF-8, escaped as the inside of a JSON string if `ESCAPED`. Returns how many lone surrogates became
/// U+FFFD.
///
/// Blocks of one kind, which nearly all are in nearly every text, are written in vector steps; all others unit by unit.
pub(super) fn write<U: Unit, const ESCAPED: bool>(units: &[U], out: &mut Vec<u8>) -> usize {
    let mut replaced = 0;
    let mut rest = units;
    out.reserve(units.len() + ROOM);
    while let Some((block, after)) = rest.split_first_chunk::<BLOCK>() {
        if let Some(ascii) = U::plain::<ESCAPED>(block) {
            out.extend_from_slice(&ascii);
        } else if U::take_three(block) {
            out.extend_from_slice(&three_bytes_each(block));
        } else {
            replaced += unit_by_unit::<U, ESCAPED>(block, out);
        }
        rest = after;
    }
    replaced + unit_by_unit::<U, ESCAPED>(rest, out)
}

/// Characters that take three bytes each, packed into three words.
#[inline]
fn three_bytes_each<U: Unit>(units: &[U; BLOCK]) -> [u8; 3 * BLOCK] {
    let wide = units.map(|unit| forms::three_bytes(u64::from(unit.into())));
    let words = [
        wide[0] | wide[1] << 24 | wide[2] << 48,
        wide[2] >> 16 | wide[3] << 8 | wide[4] << 32 | wide[5] << 56,
        wide[5] >> 8 | wide[6] << 16 | wide[7] << 40,
    ];
    let mut bytes = [0; 3 * BLOCK];
    for (place, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
        *place = word.to_le_bytes();
    }
    bytes
}

/// At most a block.
#[inline]
fn unit_by_unit<U: Unit, const ESCAPED: bool>(units: &[U], out: &mut Vec<u8>) -> usize {
    let mut replaced = 0;
    Room::at_end_of(out, |room| {
        for unit in units {
            let code: u32 = (*unit).into();
            room.push(match code {
                0..0x100 if ESCAPED => forms::LATIN1[code as usize],
                0xD800..0xE000 | 0x11_0000.. => {
                    replaced += 1;
                    Form::REPLACEMENT
                }
                _ => Form::utf8(code),
            });
        }
    });
    replaced
}
