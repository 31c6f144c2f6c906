//! Writes a JSON object or list around values that are JSON already.

use crate::value::{Host, Input, NoHost, Text, json::encode};

/// An object that is being written. After a key, the caller appends its value to `out`.
pub(super) struct Object<'o> {
    pub(super) out: &'o mut Vec<u8>,
    empty: bool,
}

impl<'o> Object<'o> {
    pub(super) fn open(out: &'o mut Vec<u8>) -> Self {
        out.push(b'{');
        Self { out, empty: true }
    }

    pub(super) fn key(&mut self, name: &str) {
        self.key_text(&Text::<NoHost>::own(name), None);
    }

    pub(super) fn key_text<H: Host>(&mut self, name: &Text<H>, input: Option<&Input>) {
        if !std::mem::take(&mut self.empty) {
            self.out.push(b',');
        }
        encode::text(name, input, self.out);
        self.out.push(b':');
    }

    pub(super) fn close(self) {
        self.out.push(b'}');
    }
}

/// Appends a list.
pub(super) fn put_list<'v>(items: impl Iterator<Item = &'v [u8]>, out: &mut Vec<u8>) {
    out.push(b'[');
    for (at, item) in items.enumerate() {
        out.extend_from_slice(if at > 0 { b"," } else { b"" });
        out.extend_from_slice(item);
    }
    out.push(b']');
}
