//! The loop from the units of a host's string (one, two or four bytes a character) straight to UTF-8, with JSON
//! escapes.

use super::forms::{Form, Room};

/// The result of one step.
pub(super) struct Step {
    /// How many units of its block it wrote.
    pub(super) units: usize,
    /// How many lone surrogates among them became U+FFFD.
    pub(super) replaced: usize,
}

impl Step {
    /// Writes a whole block whose characters are of different kinds.
    #[inline]
    pub(super) fn one_by_one<U: Copy + Into<u32>, const ESCAPED: bool, const ROOM: usize>(
        block: &[U],
        out: &mut Vec<u8>,
    ) -> Self {
        let mut replaced = 0;
        Room::<ROOM>::at_end_of(out, |room| {
            for unit in block {
                let (form, is_replaced) = Form::of::<ESCAPED>((*unit).into());
                room.push(form);
                replaced += usize::from(is_replaced);
            }
        });
        Self { units: block.len(), replaced }
    }
}

/// Appends `units` as UTF-8 and returns how many lone surrogates became U+FFFD. `step` writes at least the first unit
/// of a block.
#[inline(always)]
#[allow(clippy::inline_always, reason = "so that it is compiled for the machine that `step` is compiled for")]
pub(super) fn write<U: Copy + From<u8>, const BLOCK: usize>(
    units: &[U],
    out: &mut Vec<u8>,
    step: impl Fn(&[U; BLOCK], &mut Vec<u8>) -> Step,
) -> usize {
    let mut replaced = 0;
    let mut rest = units;
    out.reserve(units.len() + 8 * BLOCK);
    while !rest.is_empty() {
        let filled;
        let block = if let Some(block) = rest.first_chunk() {
            block
        } else {
            filled = filled_up(rest);
            &filled
        };
        let done = step(block, out);
        replaced += done.replaced;
        let Some(after) = rest.get(done.units..) else {
            // Each of the padding spaces took one byte.
            out.truncate(out.len() - (done.units - rest.len()));
            break;
        };
        rest = after;
    }
    replaced
}

/// The end of a text as a block, padded with spaces.
#[inline]
fn filled_up<U: Copy + From<u8>, const BLOCK: usize>(few: &[U]) -> [U; BLOCK] {
    let mut block = [U::from(b' '); BLOCK];
    if let Some(places) = block.get_mut(..few.len()) {
        places.copy_from_slice(few);
    }
    block
}
