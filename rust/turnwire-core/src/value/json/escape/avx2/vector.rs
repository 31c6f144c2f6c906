//! Converts between arrays and vectors. The standard library's loads and stores take pointers, which would be unsafe.
//! These do the same element by element, and the compiler turns each into one instruction.

use std::arch::x86_64::{
    __m128i, __m256i, _mm_extract_epi64, _mm_set_epi64x, _mm256_blendv_epi8, _mm256_castsi256_si128,
    _mm256_cmpeq_epi32, _mm256_cvtepu8_epi16, _mm256_extract_epi64, _mm256_extracti128_si256, _mm256_packus_epi32,
    _mm256_permute4x64_epi64, _mm256_set1_epi32, _mm256_setr_epi32, _mm256_setzero_si256, _mm256_srli_epi32,
};

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn from_bytes(block: &[u8; 32]) -> __m256i {
    let (words, _) = block.as_chunks();
    let word = |at: usize| i32::from_le_bytes(words[at]);
    _mm256_setr_epi32(word(0), word(1), word(2), word(3), word(4), word(5), word(6), word(7))
}

/// Half a vector.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn from_half(block: &[u8; 16]) -> __m128i {
    let both = i128::from_le_bytes(*block);
    _mm_set_epi64x((both >> 64) as i64, both as i64)
}

/// Sixteen characters in sixteen bits each.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn from_latin1(block: &[u8; 16]) -> __m256i {
    _mm256_cvtepu8_epi16(from_half(block))
}

/// Sixteen characters in sixteen bits each.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn from_ucs2(block: &[u16; 16]) -> __m256i {
    let bytes = block.map(u16::to_le_bytes);
    bytes.as_flattened().first_chunk().map_or(_mm256_setzero_si256(), |bytes| from_bytes(bytes))
}

/// Sixteen characters in sixteen bits each. A wider character becomes a surrogate, which is also handled separately.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn from_ucs4(block: &[u32; 16]) -> __m256i {
    let eight = |half: &[u32]| {
        let word = |at: usize| half[at].cast_signed();
        let codes = _mm256_setr_epi32(word(0), word(1), word(2), word(3), word(4), word(5), word(6), word(7));
        let fits = _mm256_cmpeq_epi32(_mm256_srli_epi32::<16>(codes), _mm256_setzero_si256());
        _mm256_blendv_epi8(_mm256_set1_epi32(0xD800), codes, fits)
    };
    let packed = _mm256_packus_epi32(eight(&block[..8]), eight(&block[8..]));
    // The instruction packs each half of its operands separately.
    _mm256_permute4x64_epi64::<0b11_01_10_00>(packed)
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn halves(all: __m256i) -> [__m128i; 2] {
    [_mm256_castsi256_si128(all), _mm256_extracti128_si256::<1>(all)]
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn half_to_bytes(half: __m128i) -> [u8; 16] {
    flat([_mm_extract_epi64::<0>(half), _mm_extract_epi64::<1>(half)])
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn to_bytes(all: __m256i) -> [u8; 32] {
    flat([
        _mm256_extract_epi64::<0>(all),
        _mm256_extract_epi64::<1>(all),
        _mm256_extract_epi64::<2>(all),
        _mm256_extract_epi64::<3>(all),
    ])
}

#[inline]
fn flat<const WORDS: usize, const BYTES: usize>(words: [i64; WORDS]) -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    for (place, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
        *place = word.to_le_bytes();
    }
    bytes
}
