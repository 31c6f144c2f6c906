//! Writes the mark for the prompt cache.

use super::keys::{CACHE_CONTROL, EPHEMERAL};
use crate::{
    value::{door::Sink, handle::Host},
    wire::{plan::Cached, write::writer::Writer},
};

/// Writes the mark that ends the cached part of the prompt.
pub(super) fn cache_control<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, cached: Option<Cached>) {
    if let Some(cached) = cached {
        w.out.key(&CACHE_CONTROL);
        cached.write(&EPHEMERAL, w.out);
    }
}
