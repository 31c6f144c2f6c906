//! Begins a part that is written.

use super::keys::TYPE;
use crate::{
    value::{
        door::{Key, Sink},
        handle::Host,
    },
    wire::write::writer::Writer,
};

/// Writes its type; the caller closes it.
pub(super) fn open<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, kind: &'static Key) {
    w.out.open_map();
    w.out.key(&TYPE);
    w.out.literal(kind);
}
