//! The core's scans and its escape step, compiled again for machines with AVX2. A wheel must run on every machine, so
//! all other code is compiled for the oldest one, whose vectors are half as wide.

use turnwire_core::{
    text::{Cut, Keep, Units},
    value::json::escape,
};

/// Whether the machine has everything that the functions below are compiled for. Asked once, then remembered.
#[cfg(target_arch = "x86_64")]
#[inline]
fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("popcnt")
}

/// [`Units::cut`] with the widest vectors.
#[inline]
pub(crate) fn cut(text: Units<'_>, max_bytes: usize, suffix_bytes: usize, keep: Keep) -> Option<Cut> {
    #[cfg(target_arch = "x86_64")]
    if has_avx2() {
        // SAFETY: the machine has AVX2, as just checked.
        return unsafe { avx2::cut(text, max_bytes, suffix_bytes, keep) };
    }
    text.cut(max_bytes, suffix_bytes, keep)
}

/// [`Units::utf8_len`] with the widest vectors.
#[inline]
pub(crate) fn utf8_len(text: Units<'_>) -> usize {
    #[cfg(target_arch = "x86_64")]
    if has_avx2() {
        // SAFETY: the machine has AVX2, as just checked.
        return unsafe { avx2::utf8_len(text) };
    }
    text.utf8_len()
}

/// [`escape::string`] with the widest vectors.
#[inline]
pub(crate) fn json_string(text: Units<'_>, out: &mut Vec<u8>) -> usize {
    out.push(b'"');
    let replaced = json_body(text, out);
    out.push(b'"');
    replaced
}

/// [`escape::body`] with the widest vectors.
#[inline]
pub(crate) fn json_body(text: Units<'_>, out: &mut Vec<u8>) -> usize {
    #[cfg(target_arch = "x86_64")]
    if has_avx2() {
        // SAFETY: the machine has AVX2, as just checked.
        return unsafe { escape::avx2::body(text, out) };
    }
    escape::body(text, out)
}

/// [`escape::plain`] with the widest vectors.
#[inline]
pub(crate) fn plain(text: Units<'_>, out: &mut Vec<u8>) -> usize {
    #[cfg(target_arch = "x86_64")]
    if has_avx2() {
        // SAFETY: the machine has AVX2, as just checked.
        return unsafe { escape::avx2::plain(text, out) };
    }
    escape::plain(text, out)
}

/// The core functions that these call are inlined into them, and so compiled for AVX2.
#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{Cut, Keep, Units};

    #[target_feature(enable = "avx2")]
    pub(super) fn cut(text: Units<'_>, max_bytes: usize, suffix_bytes: usize, keep: Keep) -> Option<Cut> {
        text.cut(max_bytes, suffix_bytes, keep)
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn utf8_len(text: Units<'_>) -> usize {
        text.utf8_len()
    }
}
