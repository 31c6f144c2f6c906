//! Counts the UTF-8 bytes of code points in loops that the compiler can vectorise.
#![allow(
    clippy::inline_always,
    reason = "a caller may compile the scans for wider vectors than the oldest machine has"
)]

/// A unit of a string whose units are whole characters.
pub(super) trait Unit: Copy {
    /// How many bytes one unit can take at most.
    const WIDEST: usize;

    /// The UTF-8 bytes of one character. A lone surrogate counts three.
    fn width(self) -> usize;

    /// The sum of all widths. Reads every unit once.
    fn total(units: &[Self]) -> usize;

    /// All units combined with bitwise OR. The result has as many bits as the largest unit, which decides how a string
    /// is stored. Stops early once the result is `enough`.
    fn bits(units: &[Self], enough: u32) -> u32;
}

/// Sums `beyond`, the bytes of a unit after its first, in integers as narrow as the units. The runs are so short that
/// the sums cannot overflow. With wide integers the compiler would fit four to eight times fewer units into a vector.
macro_rules! unit {
    ($unit:ty, widest $widest:literal, runs of $run:literal, beyond $beyond:expr) => {
        impl Unit for $unit {
            const WIDEST: usize = $widest;

            #[inline]
            fn width(self) -> usize {
                let beyond: fn($unit) -> $unit = $beyond;
                1 + beyond(self) as usize
            }

            #[inline(always)]
            fn total(units: &[Self]) -> usize {
                let beyond: fn($unit) -> $unit = $beyond;
                let sum = |run: &[$unit]| run.iter().fold(0, |sum: $unit, unit| sum.wrapping_add(beyond(*unit)));
                units.len() + units.chunks($run).map(|run| sum(run) as usize).sum::<usize>()
            }

            #[inline]
            fn bits(units: &[Self], enough: u32) -> u32 {
                let mut bits = 0;
                for run in units.chunks(1024) {
                    bits |= run.iter().fold(0, |bits, unit| bits | *unit);
                    if u32::from(bits) >= enough {
                        break;
                    }
                }
                u32::from(bits)
            }
        }
    };
}

unit!(u8, widest 2, runs of 192, beyond |unit| unit >> 7);
unit!(u16, widest 3, runs of 16_384, beyond |unit| u16::from(unit >= 0x80) + u16::from(unit >= 0x800));
unit!(u32, widest 4, runs of 16_384, beyond |unit| {
    u32::from(unit >= 0x80) + u32::from(unit >= 0x800) + u32::from(unit >= 0x1_0000)
});

/// A stretch of units and its size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Taken {
    pub(super) units: usize,
    pub(super) bytes: usize,
}

/// A text that can be read from both ends, as far as a budget of bytes reaches.
pub(super) trait Walk: Copy {
    /// How many bytes one unit can take at most.
    const WIDEST: usize;
    fn len(self) -> usize;
    /// The longest start of whole characters that fits `budget` bytes.
    fn forward(self, budget: usize) -> Taken;
    /// The longest end of whole characters that fits `budget` bytes.
    fn backward(self, budget: usize) -> Taken;
    /// The text without `head` units at the start and `tail` units at the end.
    fn without(self, head: usize, tail: usize) -> Self;

    /// Whether the whole text fits. Reads no more than the budget allows, and nothing if the length decides.
    #[inline(always)]
    fn fits(self, budget: usize) -> bool {
        self.len().saturating_mul(Self::WIDEST) <= budget
            || (self.len() <= budget && self.forward(budget).units == self.len())
    }
}

fn inner<U>(units: &[U], head: usize, tail: usize) -> &[U] {
    units.get(head..units.len().saturating_sub(tail)).unwrap_or_default()
}

/// Characters of different widths. Each step is so short that even the widest characters fit the rest of the budget,
/// and uses at least a quarter of that rest. So there are few steps, and almost all characters are counted in wide
/// loops.
impl<U: Unit> Walk for &[U] {
    const WIDEST: usize = U::WIDEST;

    #[inline]
    fn len(self) -> usize {
        <[U]>::len(self)
    }

    #[inline(always)]
    fn forward(self, budget: usize) -> Taken {
        let mut taken = Taken::default();
        let mut rest = self;
        loop {
            let step = ((budget - taken.bytes) / U::WIDEST).min(rest.len());
            let Some((now, later)) = rest.split_at_checked(step).filter(|_| step > 0) else { break };
            taken.bytes += U::total(now);
            taken.units += step;
            rest = later;
        }
        for unit in rest {
            if taken.bytes + unit.width() > budget {
                break;
            }
            taken.bytes += unit.width();
            taken.units += 1;
        }
        taken
    }

    #[inline(always)]
    fn backward(self, budget: usize) -> Taken {
        let mut taken = Taken::default();
        let mut rest = self;
        loop {
            let step = ((budget - taken.bytes) / U::WIDEST).min(rest.len());
            let Some((later, now)) = rest.split_at_checked(rest.len() - step).filter(|_| step > 0) else { break };
            taken.bytes += U::total(now);
            taken.units += step;
            rest = later;
        }
        for unit in rest.iter().rev() {
            if taken.bytes + unit.width() > budget {
                break;
            }
            taken.bytes += unit.width();
            taken.units += 1;
        }
        taken
    }

    #[inline]
    fn without(self, head: usize, tail: usize) -> Self {
        inner(self, head, tail)
    }
}

/// ASCII: the length is the size.
#[derive(Clone, Copy)]
pub(super) struct Ascii<'a>(pub(super) &'a [u8]);

impl Walk for Ascii<'_> {
    const WIDEST: usize = 1;

    #[inline]
    fn len(self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    fn forward(self, budget: usize) -> Taken {
        let units = budget.min(self.0.len());
        Taken { units, bytes: units }
    }

    #[inline(always)]
    fn backward(self, budget: usize) -> Taken {
        self.forward(budget)
    }

    #[inline]
    fn without(self, head: usize, tail: usize) -> Self {
        Self(inner(self.0, head, tail))
    }
}

/// UTF-8: one unit is one byte. A character can be found from any of its bytes.
#[derive(Clone, Copy)]
pub(super) struct Utf8<'a>(pub(super) &'a [u8]);

impl Utf8<'_> {
    /// Whether a character begins at this byte, or the text ends there.
    fn is_boundary(self, at: usize) -> bool {
        self.0.get(at).is_none_or(|byte| byte & 0xC0 != 0x80)
    }
}

impl Walk for Utf8<'_> {
    const WIDEST: usize = 1;

    #[inline]
    fn len(self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    fn forward(self, budget: usize) -> Taken {
        let end = budget.min(self.0.len());
        let units = (0..=end).rev().find(|at| self.is_boundary(*at)).unwrap_or(0);
        Taken { units, bytes: units }
    }

    #[inline(always)]
    fn backward(self, budget: usize) -> Taken {
        let len = self.0.len();
        let start = (len.saturating_sub(budget)..=len).find(|at| self.is_boundary(*at)).unwrap_or(len);
        Taken { units: len - start, bytes: len - start }
    }

    #[inline]
    fn without(self, head: usize, tail: usize) -> Self {
        Self(inner(self.0, head, tail))
    }
}
