//! Bytes of ASCII or UTF-8, escaped: on any machine, and at the end of a text on all of them.

use super::{
    BLOCK, ESCAPES, STRETCH, WORD, first_special,
    forms::{self, Room},
    is_clean,
};

/// The most bytes that [`few`] takes.
pub(super) const FEW: usize = 64;

/// Escapes UTF-8: clean blocks are copied, all others go byte by byte.
#[inline]
pub(in crate::value::json) fn write(text: &[u8], out: &mut Vec<u8>) {
    if text.len() <= FEW { few(text, out) } else { many(text, out) }
}

#[inline(never)] // See `few`: what is needed here would be kept on the stack for it, too.
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

/// The end of a text, or all of one as short as an id or a name, as most are: if it is clean, two copies of fixed size that
/// overlap.
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

/// At most a block.
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
