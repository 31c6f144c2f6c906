//! Marks that are added to a payload after it was written, such as those of a prompt cache.

use super::{
    door::{Key, Source},
    handle::Host,
};

/// The key of a block's type.
pub static TYPE: Key = Key::new("type");
/// The type of a text block, and the key of its text.
pub static TEXT: Key = Key::new("text");

/// A position for a mark in a written payload.
pub enum Spot<S> {
    /// Under a key of this object, after its other keys.
    Key(S),
    /// In a list, after the item with this index.
    Behind(S, usize),
    /// At the text under this key of an object. The text becomes a list of one text block, which gets the mark.
    Text(S, &'static Key),
}

/// Chooses the positions of marks. A sink passes it the payload that was written.
pub trait Marks<H: Host> {
    /// The key of a mark, and the type in the mark's object.
    fn mark(&self) -> (&'static Key, &'static Key);
    /// The positions in a payload, each once, in the order of the payload. If it is asked again, they are the same.
    fn spots<S: Source<H = H>>(&mut self, payload: &S) -> Vec<Spot<S>>;
}
