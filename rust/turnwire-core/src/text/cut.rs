//! Finds which parts of a text fit a budget of UTF-8 bytes. It reads only what it keeps.
#![allow(clippy::inline_always, reason = "as in scan.rs")]

use std::borrow::Cow;

use super::{
    Units,
    scan::{Ascii, Unit, Utf8, Walk},
};

/// The limit of a user message in UTF-8 bytes (spec 000).
pub const MAX_USER_MESSAGE_SIZE: usize = 400_000;

/// The text that replaces what was cut away (spec 000).
pub const TRUNCATED_SUFFIX: &str = "...content truncated due to length";

/// Which end of a text is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// The start, then the suffix.
    #[default]
    Head,
    /// The suffix, then the end.
    Tail,
    /// Half from the start, the suffix, half from the end.
    Middle,
}

impl Keep {
    /// Every option, in the order of its documentation.
    pub const ALL: &'static [Self] = &[Self::Head, Self::Tail, Self::Middle];

    /// The name of the option.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Head => "head",
            Self::Tail => "tail",
            Self::Middle => "middle",
        }
    }

    /// The option with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|keep| keep.name() == name)
    }
}

/// The parts of a text to keep, in its own units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Units kept from the start.
    pub head: usize,
    /// Units kept from the end.
    pub tail: usize,
    /// Whether the suffix goes between the head and the tail.
    pub suffix: bool,
}

impl Units<'_> {
    /// The parts to keep so that they and a suffix of `suffix_bytes` take at most `max_bytes`. A suffix longer than the
    /// budget is left out. `None` if the whole text fits.
    ///
    /// Cost: O(1) if the length alone decides. Otherwise one read of the kept parts, and of about as many bytes more as
    /// the suffix has.
    #[inline]
    #[must_use]
    pub fn cut(self, max_bytes: usize, suffix_bytes: usize, keep: Keep) -> Option<Cut> {
        if self.plainly_fits(max_bytes) { None } else { self.search(max_bytes, suffix_bytes, keep) }
    }

    /// Whether the length alone shows that the text fits, even if all of its characters had the largest width.
    #[inline]
    #[must_use]
    pub fn plainly_fits(self, max_bytes: usize) -> bool {
        let widest = match self {
            Self::Utf8(_) | Self::Ascii(_) => 1,
            Self::Latin1(_) => <u8 as Unit>::WIDEST,
            Self::Ucs2(_) => <u16 as Unit>::WIDEST,
            Self::Ucs4(_) => <u32 as Unit>::WIDEST,
        };
        self.len().saturating_mul(widest) <= max_bytes
    }

    #[inline(always)]
    fn search(self, max_bytes: usize, suffix_bytes: usize, keep: Keep) -> Option<Cut> {
        match self {
            Self::Utf8(units) => cut(Utf8(units), max_bytes, suffix_bytes, keep),
            Self::Ascii(text) => cut(Ascii(text.as_bytes()), max_bytes, suffix_bytes, keep),
            Self::Latin1(units) => cut(units, max_bytes, suffix_bytes, keep),
            Self::Ucs2(units) => cut(units, max_bytes, suffix_bytes, keep),
            Self::Ucs4(units) => cut(units, max_bytes, suffix_bytes, keep),
        }
    }

    /// Whether the whole text takes at most `max_bytes`. O(1) if the length decides. Never reads more than the budget.
    #[must_use]
    pub fn fits(self, max_bytes: usize) -> bool {
        match self {
            Self::Ascii(text) => text.len() <= max_bytes,
            Self::Utf8(units) => units.len() <= max_bytes,
            Self::Latin1(units) => units.fits(max_bytes),
            Self::Ucs2(units) => units.fits(max_bytes),
            Self::Ucs4(units) => units.fits(max_bytes),
        }
    }

    /// The start of the text that is kept.
    #[must_use]
    pub fn head(self, cut: &Cut) -> Self {
        self.without(0, self.len().saturating_sub(cut.head))
    }

    /// The end of the text that is kept.
    #[must_use]
    pub fn tail(self, cut: &Cut) -> Self {
        self.without(self.len().saturating_sub(cut.tail), 0)
    }

    /// How many UTF-8 bytes a cut leaves out.
    #[must_use]
    pub fn left_out(self, cut: &Cut) -> usize {
        self.without(cut.head, cut.tail).utf8_len()
    }

    /// Whether there is a line break.
    #[must_use]
    pub fn has_line_break(self) -> bool {
        match self {
            Self::Ascii(text) => memchr::memchr(b'\n', text.as_bytes()).is_some(),
            Self::Utf8(units) | Self::Latin1(units) => memchr::memchr(b'\n', units).is_some(),
            Self::Ucs2(units) => units.contains(&u16::from(b'\n')),
            Self::Ucs4(units) => units.contains(&u32::from(b'\n')),
        }
    }

    /// The text after the cut, as WTF-8. `None` if all of it fits.
    #[must_use]
    pub fn truncate(self, max_bytes: usize, suffix: Units<'_>, keep: Keep) -> Option<Vec<u8>> {
        let cut = self.cut(max_bytes, suffix.utf8_len(), keep)?;
        let (head, tail) = (self.head(&cut).wtf8(), self.tail(&cut).wtf8());
        let suffix = if cut.suffix { suffix.wtf8() } else { Cow::default() };
        Some([head, suffix, tail].concat())
    }

    /// All units combined with bitwise OR. The result is at least the largest unit and has no more bits. Stops at
    /// `enough`.
    #[must_use]
    pub fn bits(self, enough: u32) -> u32 {
        match self {
            Self::Ascii(text) => u32::from(!text.is_empty()),
            Self::Utf8(units) | Self::Latin1(units) => Unit::bits(units, enough),
            Self::Ucs2(units) => Unit::bits(units, enough),
            Self::Ucs4(units) => Unit::bits(units, enough),
        }
    }

    fn without(self, head: usize, tail: usize) -> Self {
        match self {
            Self::Utf8(units) => Self::Utf8(units.without(head, tail)),
            Self::Ascii(text) => Self::Ascii(&text[head..text.len() - tail]),
            Self::Latin1(units) => Self::Latin1(units.without(head, tail)),
            Self::Ucs2(units) => Self::Ucs2(units.without(head, tail)),
            Self::Ucs4(units) => Self::Ucs4(units.without(head, tail)),
        }
    }
}

#[inline(always)]
fn cut<W: Walk>(text: W, max_bytes: usize, suffix_bytes: usize, keep: Keep) -> Option<Cut> {
    let suffix = suffix_bytes <= max_bytes;
    let budget = if suffix { max_bytes - suffix_bytes } else { max_bytes };
    let mut head = text.forward(match keep {
        Keep::Head => budget,
        Keep::Tail => 0,
        Keep::Middle => budget - budget / 2,
    });
    let rest = text.without(head.units, 0);
    let tail = rest.backward(if keep == Keep::Head { 0 } else { budget - head.bytes });

    // The middle decides whether the whole text fits after all. The head and the tail are not read again.
    let middle = rest.without(0, tail.units);
    if middle.fits(max_bytes - head.bytes - tail.bytes) {
        return None;
    }
    if keep == Keep::Middle {
        // If the tail could not use the last one or two bytes, a narrower character may extend the head.
        let more = middle.forward(budget - head.bytes - tail.bytes);
        head.units += more.units;
    }
    Some(Cut { head: head.units, tail: tail.units, suffix })
}
