//! Marks bytes of a JSON string, one bit for each: by vectors of sixteen bytes, which every machine has or imitates.

use wide::u8x16;

/// The bytes of a vector.
pub(super) const SIXTEEN: usize = 16;
/// The bytes of a block, whose marks fill one word.
pub(in crate::value::json) const BLOCK: usize = 64;

/// The index of the first byte that needs an escape.
#[inline]
pub(super) fn first_special(vector: &[u8; SIXTEEN]) -> Option<usize> {
    let marks = special(vector);
    (marks != 0).then(|| marks.trailing_zeros() as usize)
}

/// Whether any byte of these vectors needs an escape.
#[inline]
pub(super) fn are_special(vectors: &[[u8; SIXTEEN]]) -> bool {
    vectors.iter().fold(u8x16::ZERO, |any, vector| any | are_odd(u8x16::new(*vector))).any()
}

/// Marks all bytes of the next block that need an escape: quotes, backslashes, control characters.
#[inline]
pub(in crate::value::json) fn specials(text: &[u8]) -> u64 {
    of_block(text, special)
}

/// Marks all backslashes of the next block.
#[inline]
pub(super) fn backslashes(text: &[u8]) -> u64 {
    of_block(text, |vector| are(u8x16::new(*vector), b'\\').to_bitmask())
}

#[inline]
fn of_block(text: &[u8], mark: impl Fn(&[u8; SIXTEEN]) -> u32) -> u64 {
    let marks = |block: &[u8; BLOCK]| {
        let vectors = block.as_chunks().0.iter().enumerate();
        vectors.fold(0, |marks, (at, vector)| marks | u64::from(mark(vector)) << (at * SIXTEEN))
    };
    text.first_chunk().map_or_else(|| marks(&filled_up(text)), marks)
}

/// The end of a text, padded with bytes that never matter.
#[cold]
pub(super) fn filled_up<const SIZE: usize>(text: &[u8]) -> [u8; SIZE] {
    let mut block = [b' '; SIZE];
    for (place, byte) in block.iter_mut().zip(text) {
        *place = *byte;
    }
    block
}

#[inline]
fn special(vector: &[u8; SIXTEEN]) -> u32 {
    are_odd(u8x16::new(*vector)).to_bitmask()
}

/// Fills each byte that needs an escape.
#[inline]
fn are_odd(bytes: u8x16) -> u8x16 {
    let is_control = bytes.min(u8x16::splat(0x1F)).simd_eq(bytes);
    are(bytes, b'"') | are(bytes, b'\\') | is_control
}

#[inline]
fn are(bytes: u8x16, byte: u8) -> u8x16 {
    bytes.simd_eq(u8x16::splat(byte))
}
