//! Begins a part that is written.

use super::keys as k;
use crate::{
    value::{Host, Key, Sink},
    wire::write::Writer,
};

/// Writes its type; the caller closes it.
pub(super) fn open<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, kind: &'static Key) {
    w.out.open_map();
    w.out.key(&k::TYPE);
    w.out.literal(kind);
}
