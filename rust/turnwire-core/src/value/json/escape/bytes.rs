//! Escapes bytes of ASCII or UTF-8 on any machine. On every machine it escapes the end of a text.

use super::{
    BLOCK, ESCAPES, STRETCH, WORD, first_special,
    forms::{self, Room},
    is_clean,
};

/// How many bytes [`few`] takes at most.
pub(super) const FEW: usize = 64;

/// Escapes UTF-8: copies clean blocks, and writes all others byte by byte.
#[inline]
pub(in crate::value::json) fn write(text: &[u8], out: &mut Vec<u8>) {
    if text.len() <= FEW { few(text, out) } else { many(text, out) }
}

#[inline(never)] // Inlined, it would make `few` save more registers on the stack.
fn many(text: &[u8], out: &mut Vec<u8>) {
    out.reserve(text.len() + FEW);
    let mut rest = text;
    loop {
        while let Some((stretch, after)) = rest.split_first_chunk::<STRETCH>().filter(|(head, _)| is_clean(head)) {
            out.extend_from_slice(stretch);
            rest = after;
        }
        for _ in 0..STRETCH / BLOCK {
            let Some((block, after)) = rest.split_first_chunk::<BLOCK>() else {
                return few(rest, out);
            };
            if is_clean(block) {
                out.extend_from_slice(block);
            } else {
                byte_by_byte(block, out);
            }
            rest = after;
        }
    }
}

/// Escapes the end of a text, or a whole text that is as short as most ids and names. If it is clean, two overlapping
/// copies of a fixed size do it.
pub(super) fn few(text: &[u8], out: &mut Vec<u8>) {
    let is_written = match text.len() {
        32..=FEW => halves::<32>(text, out),
        16..32 => halves::<16>(text, out),
        8..16 => halves::<8>(text, out),
        4..8 => halves::<4>(text, out),
        0..4 => {
            let is_clean = text.iter().all(|byte| ESCAPES[usize::from(*byte)] == 0);
            if is_clean {
                out.extend(text);
            }
            is_clean
        }
        _ => false,
    };
    if !is_written {
        few_odd(text, out);
    }
}

#[inline]
fn halves<const HALF: usize>(text: &[u8], out: &mut Vec<u8>) -> bool {
    let (Some(first), Some(last)) = (text.first_chunk::<HALF>(), text.last_chunk::<HALF>()) else { return false };
    let is_clean = is_clean(first) & is_clean(last);
    if is_clean {
        let end = out.len() + text.len();
        out.extend_from_slice(first);
        out.truncate(end - HALF);
        out.extend_from_slice(last);
    }
    is_clean
}

#[inline(never)]
fn few_odd(text: &[u8], out: &mut Vec<u8>) {
    for block in text.chunks(BLOCK) {
        byte_by_byte(block, out);
    }
}

/// Escapes at most a block.
#[inline]
fn byte_by_byte(few: &[u8], out: &mut Vec<u8>) {
    Room::<{ forms::room(BLOCK) }>::at_end_of(out, |room| {
        let (words, rest) = few.as_chunks::<WORD>();
        for word in words {
            if first_special(*word).is_none() {
                room.put(word, WORD);
            } else {
                for byte in word {
                    room.push(forms::UTF8[usize::from(*byte)]);
                }
            }
        }
        for byte in rest {
            room.push(forms::UTF8[usize::from(*byte)]);
        }
    });
}
