//! Writes characters on any machine, eight at a time.

use super::{
    characters::Step,
    first_special,
    forms::{self, three_bytes},
};

/// How many units one step reads.
const BLOCK: usize = 8;

/// A unit that is a whole character.
pub(super) trait Unit: Copy + From<u8> + Into<u32> {
    /// The units as ASCII, if all of them are, and if none needs an escape where `ESCAPED`.
    fn plain<const ESCAPED: bool>(block: &[Self; BLOCK]) -> Option<[u8; BLOCK]>;
    /// Whether all of them take three bytes.
    fn take_three(block: &[Self; BLOCK]) -> bool;
}

impl Unit for u8 {
    #[inline]
    fn plain<const ESCAPED: bool>(block: &[Self; BLOCK]) -> Option<[u8; BLOCK]> {
        let is_plain = block.is_ascii() && !(ESCAPED && first_special(*block).is_some());
        is_plain.then_some(*block)
    }

    fn take_three(_: &[Self; BLOCK]) -> bool {
        false
    }
}

/// Each question about a block is a fold over numbers as wide as the units, which the compiler turns into vector
/// instructions.
macro_rules! unit {
    ($unit:ty, takes three unless $odd:expr) => {
        impl Unit for $unit {
            #[inline]
            fn plain<const ESCAPED: bool>(block: &[Self; BLOCK]) -> Option<[u8; BLOCK]> {
                let is_odd = |unit: $unit| {
                    let special = unit < 0x20 || unit == 0x22 || unit == 0x5C;
                    <$unit>::from(unit >= 0x80 || (ESCAPED && special))
                };
                let odd = block.iter().fold(0, |odd, unit| odd | is_odd(*unit));
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

unit!(u16, takes three unless |unit| u16::from(unit < 0x800) | u16::from(unit.wrapping_sub(0xD800) < 0x800));
unit!(u32, takes three unless |unit| {
    u32::from(unit < 0x800) | u32::from(unit.wrapping_sub(0xD800) < 0x800) | unit >> 16
});

/// A step for any machine. Writes a block of one kind at once, as almost all blocks of almost every text are.
#[inline]
pub(super) fn step<U: Unit, const ESCAPED: bool>(block: &[U; BLOCK], out: &mut Vec<u8>) -> Step {
    if let Some(ascii) = U::plain::<ESCAPED>(block) {
        out.extend_from_slice(&ascii);
    } else if U::take_three(block) {
        out.extend_from_slice(&three_bytes_each(block));
    } else {
        return Step::one_by_one::<_, ESCAPED, { forms::room(BLOCK) }>(block, out);
    }
    Step { units: BLOCK, replaced: 0 }
}

/// Characters that take three bytes each, packed into three words.
#[inline]
fn three_bytes_each<U: Unit>(units: &[U; BLOCK]) -> [u8; 3 * BLOCK] {
    let codes = units.map(|unit| u64::from(three_bytes(unit.into())));
    let pair = |at: usize| codes[at] | codes[at + 1] << 24;
    let words = [pair(0) | pair(2) << 48, pair(2) >> 16 | pair(4) << 32, pair(4) >> 32 | pair(6) << 16];
    let mut bytes = [0; 3 * BLOCK];
    for (place, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
        *place = word.to_le_bytes();
    }
    bytes
}
