//! Writes sixteen characters at a time: spreads each over the end of four bytes, then a shuffle closes the gaps.

use std::arch::x86_64::{
    __m256i, _mm_packus_epi16, _mm_shuffle_epi8, _mm256_and_si256, _mm256_blendv_epi8, _mm256_cmpeq_epi16,
    _mm256_movemask_epi8, _mm256_or_si256, _mm256_permute2x128_si256, _mm256_permutevar8x32_epi32, _mm256_set_m128i,
    _mm256_set1_epi16, _mm256_setr_epi32, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_slli_epi16,
    _mm256_srli_epi16, _mm256_unpackhi_epi16, _mm256_unpacklo_epi16,
};

use super::vector;
use crate::value::json::escape::{
    characters::{self, Step},
    forms::{self, Form, Room},
};

const BLOCK: usize = 16;
const ROOM: usize = forms::room(BLOCK);
/// A block with more odd characters is written one by one, because starting again after each of them costs more.
const FEW: u32 = 2;

/// [`characters::write`] with AVX2, for any storage that `read` turns into sixteen bits for each character.
#[inline(never)] // Keeps the code path of short ASCII texts short, because those are the most frequent.
#[target_feature(enable = "avx2,bmi1,popcnt")]
pub(super) fn write<U: Copy + From<u8> + Into<u32>, const ESCAPED: bool>(
    units: &[U],
    read: impl Fn(&[U; BLOCK]) -> __m256i,
    out: &mut Vec<u8>,
) -> usize {
    characters::write(units, out, |block, out| {
        let characters = read(block);
        let odd = odd_ones::<ESCAPED>(characters);
        if odd.count_ones() > 2 * FEW {
            return Step::one_by_one::<_, ESCAPED, ROOM>(block, out);
        }
        let mut step = Step { units: BLOCK, replaced: 0 };
        Room::<ROOM>::at_end_of(out, |room| step = up_to_odd::<_, ESCAPED>(block, characters, odd, room));
        step
    })
}

/// Two bits for each character that is a surrogate or needs an escape.
#[inline]
#[target_feature(enable = "avx2,bmi1,popcnt")]
fn odd_ones<const ESCAPED: bool>(characters: __m256i) -> u32 {
    let is = |code: u16| _mm256_cmpeq_epi16(characters, all(code));
    let mut odd = _mm256_cmpeq_epi16(_mm256_and_si256(characters, all(0xF800)), all(0xD800));
    if ESCAPED {
        let escaped = _mm256_or_si256(is(b'"'.into()), is(b'\\'.into()));
        odd = _mm256_or_si256(odd, _mm256_or_si256(escaped, lacks(characters, !0x1F)));
    }
    _mm256_movemask_epi8(odd).cast_unsigned()
}

/// Which characters have none of these bits.
#[inline]
#[target_feature(enable = "avx2,bmi1,popcnt")]
fn lacks(characters: __m256i, bits: u16) -> __m256i {
    _mm256_cmpeq_epi16(_mm256_and_si256(characters, all(bits)), _mm256_setzero_si256())
}

/// Writes the characters up to the first odd one, and this one.
#[inline]
#[target_feature(enable = "avx2,bmi1,popcnt")]
fn up_to_odd<U: Copy + Into<u32>, const ESCAPED: bool>(
    block: &[U; BLOCK],
    characters: __m256i,
    odd: u32,
    room: &mut Room<'_, ROOM>,
) -> Step {
    let units = odd.trailing_zeros() as usize / 2;
    let before = !odd & odd.wrapping_sub(1);
    let (one, two) = (lacks(characters, !0x7F), lacks(characters, !0x7FF));
    // Two bits for each character before the odd one: it takes more than one byte, it takes more than two.
    let widths = _mm256_blendv_epi8(one, two, all(0xFF00));
    let widths = !_mm256_movemask_epi8(widths).cast_unsigned() & before;

    if widths == 0 {
        let [low, high] = vector::halves(characters);
        room.put(&vector::half_to_bytes(_mm_packus_epi16(low, high)), BLOCK);
    } else if widths == before {
        three_bytes_each(characters, room);
    } else {
        one_to_three_bytes(characters, one, two, widths, room);
    }
    room.cut(units + widths.count_ones() as usize);

    let Some(odd) = block.get(units) else { return Step { units, replaced: 0 } };
    let (form, is_replaced) = Form::of::<ESCAPED>((*odd).into());
    room.push(form);
    Step { units: units + 1, replaced: usize::from(is_replaced) }
}

/// Characters of three bytes each, in steps of eight.
#[inline]
#[target_feature(enable = "avx2,bmi1,popcnt")]
fn three_bytes_each(characters: __m256i, room: &mut Room<'_, ROOM>) {
    let last_two = _mm256_or_si256(last_bits(characters), all(0x8080));
    let [even, odd] = spread(characters, last_two);
    let three = vector::from_half(&CLOSING[usize::from(u8::MAX)]);
    for eight in [_mm256_permute2x128_si256::<0x20>(even, odd), _mm256_permute2x128_si256::<0x31>(even, odd)] {
        let closed = _mm256_shuffle_epi8(eight, _mm256_set_m128i(three, three));
        let closed = _mm256_permutevar8x32_epi32(closed, _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 3, 7));
        room.put(&vector::to_bytes(closed), 24);
    }
}

/// Characters in steps of four: `one` of them take one byte, and `two` at most two.
#[inline]
#[target_feature(enable = "avx2,bmi1,popcnt")]
fn one_to_three_bytes(characters: __m256i, one: __m256i, two: __m256i, widths: u32, room: &mut Room<'_, ROOM>) {
    let marks = _mm256_blendv_epi8(all(0x8080), all(0x80C0), two);
    let last_two = _mm256_or_si256(last_bits(characters), marks);
    let last_two = _mm256_blendv_epi8(last_two, _mm256_slli_epi16::<8>(characters), one);
    let [even, odd] = spread(characters, last_two);
    let ([first, third], [second, fourth]) = (vector::halves(even), vector::halves(odd));
    for (four, widths) in [first, second, third, fourth].into_iter().zip(widths.to_le_bytes()) {
        let closed = _mm_shuffle_epi8(four, vector::from_half(&CLOSING[usize::from(widths)]));
        room.put(&vector::half_to_bytes(closed), 4 + widths.count_ones() as usize);
    }
}

/// The bits of each character that its last two bytes hold.
#[inline]
#[target_feature(enable = "avx2,bmi1,popcnt")]
fn last_bits(characters: __m256i) -> __m256i {
    _mm256_or_si256(
        _mm256_and_si256(_mm256_srli_epi16::<6>(characters), all(0x3F)),
        _mm256_and_si256(_mm256_slli_epi16::<8>(characters), all(0x3F00)),
    )
}

/// Four bytes for each character: an unused one, the first of three, and the last two, which are given. Characters 0 to
/// 3 and 8 to 11, then 4 to 7 and 12 to 15.
#[inline]
#[target_feature(enable = "avx2,bmi1,popcnt")]
fn spread(characters: __m256i, last_two: __m256i) -> [__m256i; 2] {
    let first_bits = _mm256_and_si256(_mm256_srli_epi16::<4>(characters), all(0x0F00));
    let first_two = _mm256_or_si256(first_bits, all(0xE000));
    [_mm256_unpacklo_epi16(first_two, last_two), _mm256_unpackhi_epi16(first_two, last_two)]
}

#[inline]
#[target_feature(enable = "avx2,bmi1,popcnt")]
fn all(code: u16) -> __m256i {
    _mm256_set1_epi16(code.cast_signed())
}

/// For all widths of four characters, two bits each, which bytes are kept.
static CLOSING: [[u8; 16]; 256] = {
    let mut rows = [[0; 16]; 256];
    let mut widths = 0;
    while widths < 256 {
        let (mut character, mut end) = (0, 0);
        while character < 4 {
            let bits = (widths >> (2 * character)) as u8 & 3;
            let mut byte = 3 - bits.count_ones() as u8;
            while byte < 4 {
                rows[widths][end] = 4 * character + byte;
                end += 1;
                byte += 1;
            }
            character += 1;
        }
        widths += 1;
    }
    rows
};
