//! Writes readable reasoning as an item.

use super::{keys as k, write::open};
use crate::{
    value::{Host, Sink, Text},
    wire::write::Writer,
};

/// Writes readable reasoning. Some servers read its content, and others its summary where there is one.
pub(super) fn write<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, text: &Text<H>) {
    open(w, &k::REASONING);
    w.out.key(&k::SUMMARY);
    w.out.open_list();
    w.out.close();
    w.out.key(&k::CONTENT);
    w.out.open_list();
    open(w, &k::REASONING_TEXT);
    w.out.key(&k::TEXT);
    w.out.text(text);
    w.out.close();
    w.out.close();
    w.out.close();
}
