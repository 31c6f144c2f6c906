//! The escape step for machines with AVX2, whose vectors hold 32 bytes. A host checks for AVX2 and then calls these:
//! see [`Host::write_body`](crate::value::handle::Host::write_body).

mod bytes;
mod characters;
mod vector;

use super::checked;
use crate::text::Units;

/// [`body`](super::body) with AVX2.
///
/// # Safety
/// A caller that is not itself compiled for these features must have checked that the machine has them.
#[must_use]
#[target_feature(enable = "avx2,bmi1,popcnt")]
pub fn body(units: Units<'_>, out: &mut Vec<u8>) -> usize {
    match units {
        Units::Ascii(text) => {
            bytes::write(text.as_bytes(), out);
            0
        }
        Units::Utf8(text) => checked(text, |text| bytes::write(text, out)),
        Units::Latin1(units) => characters::write::<_, true>(units, |block| vector::from_latin1(block), out),
        Units::Ucs2(units) => characters::write::<_, true>(units, |block| vector::from_ucs2(block), out),
        Units::Ucs4(units) => characters::write::<_, true>(units, |block| vector::from_ucs4(block), out),
    }
}

/// [`plain`](super::plain) with AVX2.
///
/// # Safety
/// As for [`body`].
#[must_use]
#[target_feature(enable = "avx2,bmi1,popcnt")]
pub fn plain(units: Units<'_>, out: &mut Vec<u8>) -> usize {
    match units {
        Units::Ascii(_) | Units::Utf8(_) => super::plain(units, out),
        Units::Latin1(units) => characters::write::<_, false>(units, |block| vector::from_latin1(block), out),
        Units::Ucs2(units) => characters::write::<_, false>(units, |block| vector::from_ucs2(block), out),
        Units::Ucs4(units) => characters::write::<_, false>(units, |block| vector::from_ucs4(block), out),
    }
}
