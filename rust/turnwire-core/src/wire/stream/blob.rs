//! Joins bytes that come in pieces, each as bytes of the host or as base64 text.

use crate::{
    report::Error,
    value::{Host, Text, Value, base64},
};

/// The pieces so far.
#[derive(Debug)]
pub(crate) struct Blob<H: Host>(Vec<Value<H>>);

impl<H: Host> Default for Blob<H> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<H: Host> Blob<H> {
    /// Adds a piece.
    pub(crate) fn push(&mut self, piece: Value<H>) {
        self.0.push(piece);
    }

    /// Whether nothing has arrived.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of it, in the form of its pieces. A single piece stays unchanged, several of one form are joined. `None` if
    /// the forms differ, or if these are not bytes.
    pub(crate) fn value(&self) -> Result<Option<Value<H>>, Error> {
        if let [one] = &*self.0 {
            return Ok(Some(one.share()));
        }
        let leaf = |piece: &Value<H>| if let Value::Leaf(leaf) = piece { Some(H::share_leaf(leaf)) } else { None };
        if let Some(leaves) = self.0.iter().map(leaf).collect::<Option<Vec<_>>>() {
            return H::join_blobs(&leaves).map(|whole| whole.map(Value::Leaf));
        }
        let mut bytes = Vec::new();
        for piece in &self.0 {
            let Value::Text(text) = piece else { return Ok(None) };
            let Some(more) = base64::decode(&text.wtf8(None)) else { return Ok(None) };
            bytes.extend(more);
        }
        let mut whole = Vec::new();
        base64::encode(&bytes, &mut whole);
        Ok(Some(Value::Text(Text::own(&String::from_utf8_lossy(&whole)))))
    }

    /// Every piece, unchanged.
    pub(crate) fn pieces(&self) -> &[Value<H>] {
        &self.0
    }
}
