//! The cut: which parts of a text stay under a budget of UTF-8 bytes, found by reading only what stays.
#![allow(clippy::inline_always, reason = "as in scan.rs")]

use std::borrow::Cow;

use super::{
    Units,
    scan::{Ascii, Unit, Utf8, Walk},
};

/// The budget of a user message in UTF-8 bytes (spec 000).
pub const MAX_USER_MESSAGE_SIZE: usize = 400_000;

/// The marker that replaces the text that was cut away (spec 000).
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

    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Head => "head",
            Self::Tail => "tail",
            Self::Middle => "middle",
        }
    }

    /// The option of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|keep| keep.name() == name)
    }
}

/// What to keep of a text, in its own units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Units kept from the start.
    pub head: usize,
    /// Units kept from the end.
    pub tail: usize,
    /// Whether the suffix goes between head and tail.
    pub suffix: bool,
}

impl Units<'_> {
    /// What to keep so that it takes at most `max_bytes` together with a suffix of `suffix_bytes`; a suffix that is longer
    /// than the budget is left out. `None`: all of it fits as it is.
    ///
    /// Cost: O(1) where the length alone settles it, else one read of what is kept and of a suffix's length more.
    #[inline]
    #[must_use]
    pub fn cut(self, max_bytes: usize, suffix_bytes: usize, keep: Keep) -> Option<Cut> {
        if self.plainly_fits(max_bytes) { None } else { self.search(max_bytes, suffix_bytes, keep) }
    }

    /// Whether the length alone says that the text fits: even if all of its characters were the widest of their kind.
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
            Self::Ascii(units) => cut(Ascii(units), max_bytes, suffix_bytes, keep),
            Self::Latin1(units) => cut(units, max_bytes, suffix_bytes, keep),
            Self::Ucs2(units) => cut(units, max_bytes, suffix_bytes, keep),
            Self::Ucs4(units) => cut(units, max_bytes, suffix_bytes, keep),
        }
    }

    /// Whether the whole text takes at most `max_bytes`. O(1) where the length settles it, never more than the budget.
    #[must_use]
    pub fn fits(self, max_bytes: usize) -> bool {
        match self {
            Self::Utf8(units) | Self::Ascii(units) => units.len() <= max_bytes,
            Self::Latin1(units) => units.fits(max_bytes),
            Self::Ucs2(units) => units.fits(max_bytes),
            Self::Ucs4(units) => units.fits(max_bytes),
        }
    }

    /// The kept start of the text.
    #[must_use]
    pub fn head(self, cut: &Cut) -> Self {
        self.without(0, self.len().saturating_sub(cut.head))
    }

    /// The kept end of the text.
    #[must_use]
    pub fn tail(self, cut: &Cut) -> Self {
        self.without(self.len().saturating_sub(cut.tail), 0)
    }

    /// The text that is left, as WTF-8; `None` when all of it fits.
    #[must_use]
    pub fn truncate(self, max_bytes: usize, suffix: Units<'_>, keep: Keep) -> Option<Vec<u8>> {
        let cut = self.cut(max_bytes, suffix.utf8_len(), keep)?;
        let (head, tail) = (self.head(&cut).wtf8(), self.tail(&cut).wtf8());
        let suffix = if cut.suffix { suffix.wtf8() } else { Cow::default() };
        Some([head, suffix, tail].concat())
    }

    /// All units, or'ed together: at least the largest of them, and of no more bits. Stops at `enough`.
    #[must_use]
    pub fn bits(self, enough: u32) -> u32 {
        match self {
            Self::Ascii(units) => u32::from(!units.is_empty()),
            Self::Utf8(units) | Self::Latin1(units) => Unit::bits(units, enough),
            Self::Ucs2(units) => Unit::bits(units, enough),
            Self::Ucs4(units) => Unit::bits(units, enough),
        }
    }

    fn without(self, head: usize, tail: usize) -> Self {
        match self {
            Self::Utf8(units) => Self::Utf8(units.without(head, tail)),
            Self::Ascii(units) => Self::Ascii(units.without(head, tail)),
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

    // What is left over settles whether the whole fits after all, without another read of what was read.
    let middle = rest.without(0, tail.units);
    if middle.fits(max_bytes - head.bytes - tail.bytes) {
        return None;
    }
    if keep == Keep::Middle {
        // The tail could not use the last byte or two: a narrower character of the head may.
        let more = middle.forward(budget - head.bytes - tail.bytes);
        head.units += more.units;
    }
    Some(Cut { head: head.units, tail: tail.units, suffix })
}
