//! Keys of a wire value that have no place in the model, kept with their values.

use super::handle::{Host, Raw, Text};

/// Keys of the wire that have no place here, with their values: written again behind the known ones, or reported.
pub type Extras<H> = Vec<(Text<H>, Raw<H>)>;

/// Another handle to the same extras.
#[must_use]
pub fn share_extras<H: Host>(extras: Option<&Extras<H>>) -> Option<Box<Extras<H>>> {
    map_extras(extras, &mut Text::share, &mut Raw::share)
}

/// The same extras with new handles.
pub(crate) fn map_extras<H: Host>(
    extras: Option<&Extras<H>>,
    text: &mut dyn FnMut(&Text<H>) -> Text<H>,
    raw: &mut dyn FnMut(&Raw<H>) -> Raw<H>,
) -> Option<Box<Extras<H>>> {
    extras.map(|extras| Box::new(extras.iter().map(|(key, value)| (text(key), raw(value))).collect()))
}
