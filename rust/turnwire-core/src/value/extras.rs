//! Keys of a wire value that the model cannot hold, kept with their values.

use super::handle::{Host, Raw, Text};

/// Unknown keys of the wire with their values. They are written again after the known ones, or reported.
pub type Extras<H> = Vec<(Text<H>, Raw<H>)>;

/// Another handle to the same extras.
#[must_use]
pub fn share_extras<H: Host>(extras: Option<&Extras<H>>) -> Option<Box<Extras<H>>> {
    map_extras(extras, &mut Text::share, &mut Raw::share)
}

/// The extras with new handles.
pub(crate) fn map_extras<H: Host>(
    extras: Option<&Extras<H>>,
    text: &mut dyn FnMut(&Text<H>) -> Text<H>,
    raw: &mut dyn FnMut(&Raw<H>) -> Raw<H>,
) -> Option<Box<Extras<H>>> {
    extras.map(|extras| Box::new(extras.iter().map(|(key, value)| (text(key), raw(value))).collect()))
}
