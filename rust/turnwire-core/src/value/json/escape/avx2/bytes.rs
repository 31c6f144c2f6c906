//! Escapes bytes of ASCII or UTF-8, 32 at a time.

use std::arch::x86_64::{_mm256_cmpeq_epi8, _mm256_min_epu8, _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8};

use super::vector;
use crate::value::json::escape::{
    bytes::{FEW, few},
    forms::{self, Room},
};

const BLOCK: usize = 32;

/// The most clean blocks that are copied at once: they are still near when they are copied.
const RUN: usize = 128;

/// [`bytes::write`](crate::value::json::escape::bytes::write) with AVX2.
#[inline]
#[target_feature(enable = "avx2,bmi1,popcnt")]
pub(super) fn write(text: &[u8], out: &mut Vec<u8>) {
    if text.len() <= FEW { few(text, out) } else { many(text, out) }
}

#[inline(never)] // For the same reason as in `escape/bytes.rs`.
#[target_feature(enable = "avx2,bmi1,popcnt")]
fn many(text: &[u8], out: &mut Vec<u8>) {
    // Includes memory for a few escapes.
    out.reserve(text.len() + FEW);
    let mut rest = text;
    while let Some((block, after)) = rest.split_first_chunk() {
        let odd = odd_ones(block);
        // Clean blocks in a row are one copy.
        let more = if odd == 0 { clean_blocks(after) } else { 0 };
        let (run, behind) = rest.split_at(BLOCK + more);
        if odd == 0 {
            out.extend_from_slice(run);
        } else if let Some(ahead) = rest.first_chunk() {
            escape(ahead, odd, out);
        } else {
            few(block, out);
        }
        rest = behind;
    }
    few(rest, out);
}

/// How many bytes at the start are blocks that need no escape.
#[inline]
#[target_feature(enable = "avx2,bmi1,popcnt")]
fn clean_blocks(text: &[u8]) -> usize {
    let (blocks, _) = text.as_chunks();
    let mut clean = 0;
    for block in blocks.iter().take(RUN) {
        if odd_ones(block) != 0 {
            break;
        }
        clean += BLOCK;
    }
    clean
}

/// A bit for each byte that needs an escape.
#[inline]
#[target_feature(enable = "avx2,bmi1,popcnt")]
fn odd_ones(block: &[u8; BLOCK]) -> u32 {
    let all = |byte: u8| _mm256_set1_epi8(byte.cast_signed());
    let bytes = vector::from_bytes(block);
    let control = _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, all(0x1F)), bytes);
    let quote = _mm256_cmpeq_epi8(bytes, all(b'"'));
    let backslash = _mm256_cmpeq_epi8(bytes, all(b'\\'));
    _mm256_movemask_epi8(_mm256_or_si256(control, _mm256_or_si256(quote, backslash))).cast_unsigned()
}

/// Writes the first block with the bytes marked in `odd` escaped. The text between two of them is copied in the size of
/// a block, and the next copy overwrites what is too much. So this also reads the next block.
#[inline]
#[target_feature(enable = "avx2,bmi1,popcnt")]
fn escape(ahead: &[u8; 2 * BLOCK], mut odd: u32, out: &mut Vec<u8>) {
    Room::<{ forms::room(BLOCK) + BLOCK }>::at_end_of(out, |room| {
        let mut from = 0;
        while odd != 0 {
            let at = odd.trailing_zeros() as usize;
            copy(ahead, from, at, room);
            room.push(forms::UTF8[usize::from(ahead[at])]);
            from = at + 1;
            odd &= odd - 1;
        }
        copy(ahead, from, BLOCK, room);
    });
}

#[inline]
fn copy<const ROOM: usize>(ahead: &[u8; 2 * BLOCK], from: usize, to: usize, room: &mut Room<'_, ROOM>) {
    if let Some(bytes) = ahead.get(from..).and_then(<[u8]>::first_chunk::<BLOCK>) {
        room.put(bytes, to - from);
    }
}
