//! Makes new strings in CPython's own canonical form.
//!
//! CPython compares and hashes strings by their stored form, so a new string must be as narrow as its characters allow.
//! Strings are written directly because `PyUnicode_CopyCharacters` of 3.11 has a bug: when it narrows the end of a
//! Latin-1 string to ASCII, it looks for wide characters at the wrong offset and refuses.

use std::{mem::MaybeUninit, ptr, slice};

use pyo3::{ffi, prelude::*, types::PyString};
use turnwire_core::text::{Cut, Units};

use crate::host::units;

/// A new string of the parts of `text` that a cut keeps, with `suffix` between them if the cut asks for it.
pub(crate) fn cut<'py>(
    py: Python<'py>,
    text: Units<'_>,
    cut: &Cut,
    suffix: Units<'_>,
) -> PyResult<Bound<'py, PyString>> {
    match suffix {
        _ if !cut.suffix => join(py, [text.head(cut), text.tail(cut), Units::Ascii("")]),
        Units::Utf8(bytes) => join(py, [text.head(cut), units(&decoded(py, bytes)?)?, text.tail(cut)]),
        _ => join(py, [text.head(cut), suffix, text.tail(cut)]),
    }
}

/// WTF-8 as a string. Keeps lone surrogates.
pub(crate) fn decoded<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
    if is_ascii(bytes) { ascii(py, bytes) } else { wtf8(py, bytes) }
}

/// Whether all bytes are ASCII. The standard library checks the last few bytes one by one, which is slow for short
/// texts.
pub(crate) fn is_ascii(bytes: &[u8]) -> bool {
    let (words, rest) = bytes.as_chunks::<8>();
    let last = match bytes.last_chunk() {
        Some(last) => u64::from_ne_bytes(*last),
        None => rest.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    };
    let any = words.iter().fold(last, |any, word| any | u64::from_ne_bytes(*word));
    any & u64::from_ne_bytes([0x80; 8]) == 0
}

fn wtf8<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
    let length = bytes.len().cast_signed();
    // SAFETY: pointer and length belong to a live slice; the function copies it and returns a new `str` or NULL.
    unsafe {
        let new = ffi::PyUnicode_DecodeUTF8(bytes.as_ptr().cast(), length, c"surrogatepass".as_ptr());
        Bound::from_owned_ptr_or_err(py, new).map(|new| new.cast_into_unchecked())
    }
}

/// ASCII as a string: a plain copy is already its stored form.
#[inline(always)]
#[expect(
    clippy::inline_always,
    reason = "nearly half of what a short string costs here would be the way of the result"
)]
pub(crate) fn ascii<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
    // CPython keeps a single object for the empty string and for each string of one character.
    if bytes.len() < 2 {
        return wtf8(py, bytes);
    }
    // SAFETY: an attached thread. The function returns a new `str` with memory for this many one-byte characters, or
    // NULL. No other code sees the string before all of them are written, and the new memory cannot overlap the slice.
    unsafe {
        let new = ffi::PyUnicode_New(bytes.len().cast_signed(), 0x7F);
        let new = Bound::from_owned_ptr_or_err(py, new)?.cast_into_unchecked();
        ptr::copy_nonoverlapping(bytes.as_ptr(), ffi::PyUnicode_DATA(new.as_ptr()).cast(), bytes.len());
        Ok(new)
    }
}

/// Joins all pieces. None of them may be UTF-8, whose units are not characters.
fn join<'py>(py: Python<'py>, pieces: [Units<'_>; 3]) -> PyResult<Bound<'py, PyString>> {
    let length = pieces.iter().map(|piece| piece.len()).sum::<usize>();
    let widest = pieces.iter().fold(0, |bits, piece| bits | piece.bits(narrowest(*piece))).min(char::MAX.into());
    // SAFETY: an attached thread. The function returns a new `str` of `length` characters, each as wide as `widest`
    // needs, or NULL. No other code sees the string before all of them are written below. An empty `str` is shared, but
    // nothing is written to it.
    unsafe {
        let new = ffi::PyUnicode_New(length.cast_signed(), widest);
        let new = Bound::from_owned_ptr_or_err(py, new)?.cast_into_unchecked();
        let (start, kind) = (ffi::PyUnicode_DATA(new.as_ptr()), ffi::PyUnicode_KIND(new.as_ptr()));
        match kind {
            ffi::PyUnicode_1BYTE_KIND => {
                fill(slice::from_raw_parts_mut(start.cast(), length), pieces, |code| code as u8);
            }
            ffi::PyUnicode_2BYTE_KIND => {
                fill(slice::from_raw_parts_mut(start.cast(), length), pieces, |code| code as u16);
            }
            _ => fill(slice::from_raw_parts_mut(start.cast(), length), pieces, |code| code),
        }
        Ok(new)
    }
}

/// Where the search for a wider character may stop, because a string as wide as this piece holds such a character
/// anyway.
fn narrowest(piece: Units<'_>) -> u32 {
    match piece {
        Units::Utf8(_) | Units::Ascii(_) => 0,
        Units::Latin1(_) => 0x80,
        Units::Ucs2(_) => 0x100,
        Units::Ucs4(_) => 0x1_0000,
    }
}

/// Writes every character. `narrow` drops bits that are known to be zero. If both sides are equally wide, the compiler
/// turns this into one memory copy.
fn fill<T>(mut room: &mut [MaybeUninit<T>], pieces: [Units<'_>; 3], narrow: impl Fn(u32) -> T) {
    for piece in pieces {
        let (now, later) = room.split_at_mut(piece.len());
        room = later;
        match piece {
            Units::Ascii(text) => {
                now.iter_mut().zip(text.bytes()).for_each(|(place, unit)| _ = place.write(narrow(u32::from(unit))));
            }
            Units::Utf8(units) | Units::Latin1(units) => {
                now.iter_mut().zip(units).for_each(|(place, unit)| _ = place.write(narrow(u32::from(*unit))));
            }
            Units::Ucs2(units) => {
                now.iter_mut().zip(units).for_each(|(place, unit)| _ = place.write(narrow(u32::from(*unit))));
            }
            Units::Ucs4(units) => now.iter_mut().zip(units).for_each(|(place, unit)| _ = place.write(narrow(*unit))),
        }
    }
}
