//! Writes the mark for the prompt cache.

use crate::{
    value::{Host, Sink},
    wire::{plan::Cached, write::Writer},
};

/// Writes the block that ends the cached part of the prompt.
pub(super) fn cache_point<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, cached: Option<Cached>) {
    if let Some(cached) = cached {
        w.out.open_map();
        w.mark_key(Some(cached));
        w.out.close();
    }
}
