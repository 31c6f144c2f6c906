//! Characters as a JSON string writes them, each in one word, and a buffer to write them to.

use super::{ESCAPES, HEX};

/// The bytes of one character: up to six, from the lowest byte up, with their number in the highest byte.
#[derive(Clone, Copy)]
pub(super) struct Form(u64);

impl Form {
    /// The replacement for a lone surrogate: U+FFFD.
    const REPLACEMENT: Self = Self::new(0x00BD_BFEF, 3);

    const fn new(bytes: u64, count: u64) -> Self {
        Self(bytes | count << 56)
    }

    /// Any character, escaped if needed where `ESCAPED`, and whether U+FFFD replaced it, because it is a lone surrogate
    /// or beyond the last character.
    #[inline]
    pub(super) fn of<const ESCAPED: bool>(code: u32) -> (Self, bool) {
        match code {
            0..0x100 if ESCAPED => (LATIN1[code as usize], false),
            0xD800..0xE000 | 0x11_0000.. => (Self::REPLACEMENT, true),
            _ => (Self::utf8(code), false),
        }
    }

    /// UTF-8. `code` must be a character and not a surrogate.
    #[inline]
    const fn utf8(code: u32) -> Self {
        let code = code as u64;
        match code {
            0..0x80 => Self::new(code, 1),
            0x80..0x800 => Self::new(0x80C0 | code >> 6 | (code & 0x3F) << 8, 2),
            0x800..0x1_0000 => Self::new(three_bytes(code as u32) as u64, 3),
            _ => Self::new(
                0x8080_80F0 | code >> 18 | (code >> 12 & 0x3F) << 8 | (code >> 6 & 0x3F) << 16 | (code & 0x3F) << 24,
                4,
            ),
        }
    }

    /// One byte, escaped if needed.
    const fn json_byte(byte: u8) -> Self {
        match ESCAPES[byte as usize] {
            0 => Self::new(byte as u64, 1),
            b'u' => {
                let digits = (HEX[byte as usize >> 4] as u64) << 32 | (HEX[byte as usize & 15] as u64) << 40;
                Self::new(0x3030_755C | digits, 6)
            }
            letter => Self::new(0x5C | (letter as u64) << 8, 2),
        }
    }
}

/// A character of three UTF-8 bytes.
#[inline]
pub(super) const fn three_bytes(code: u32) -> u32 {
    0x0080_80E0 | code >> 12 | (code >> 6 & 0x3F) << 8 | (code & 0x3F) << 16
}

/// Each byte of UTF-8 as a JSON string writes it.
pub(super) static UTF8: [Form; 256] = {
    let mut table = [Form(0); 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = Form::json_byte(byte as u8);
        byte += 1;
    }
    table
};

/// Each Latin-1 character as a JSON string writes it.
static LATIN1: [Form; 256] = {
    let mut table = UTF8;
    let mut byte = 0x80;
    while byte < 256 {
        table[byte] = Form::utf8(byte as u32);
        byte += 1;
    }
    table
};

/// How many bytes this many characters need. Even for the last one, a whole word is written.
pub(super) const fn room(characters: usize) -> usize {
    characters * 6 + 8
}

/// Room for a few characters at the end of the output, which is cut back to what they used.
pub(super) struct Room<'a, const SIZE: usize> {
    bytes: &'a mut [u8; SIZE],
    end: usize,
}

impl<const SIZE: usize> Room<'_, SIZE> {
    /// Lets `write` append up to `SIZE` bytes to `out`.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "so that it is compiled for the machine that `write` is compiled for")]
    pub(super) fn at_end_of(out: &mut Vec<u8>, write: impl FnOnce(&mut Room<'_, SIZE>)) {
        let start = out.len();
        out.extend_from_slice(&[0; SIZE]);
        let Some(bytes) = out.last_chunk_mut() else { return };
        let mut room = Room { bytes, end: 0 };
        write(&mut room);
        let end = start + room.end;
        out.truncate(end);
    }

    /// Writes all of the bytes and keeps the first `count`. A copy of fixed size is much cheaper than one whose size
    /// has to be read.
    #[inline]
    pub(super) fn put<const BYTES: usize>(&mut self, bytes: &[u8; BYTES], count: usize) {
        if let Some(place) = self.bytes.get_mut(self.end..).and_then(<[u8]>::first_chunk_mut) {
            *place = *bytes;
            self.end += count;
        }
    }

    #[inline]
    pub(super) fn push(&mut self, form: Form) {
        self.put(&form.0.to_le_bytes(), (form.0 >> 56) as usize);
    }

    /// Removes what was written after `end`.
    #[inline]
    pub(super) fn cut(&mut self, end: usize) {
        self.end = end;
    }
}
