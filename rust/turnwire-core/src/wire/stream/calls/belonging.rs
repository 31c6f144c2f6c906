//! Decides which call a piece belongs to.
//!
//! A piece should have its call's index, and the first one the id and the name. Servers deviate from this as follows. A
//! new id with a name is a new call, whatever the index; without a name, the index decides. A repeated id or name is
//! ignored. A name may come in pieces until the arguments begin, or after them. Without an index the id decides; without
//! both, the last call continues. After complete arguments, another object or another name begins another call.

use super::{Call, Calls, Piece};
use crate::value::Host;

impl<H: Host> Calls<H> {
    /// The call that a piece belongs to, if that call has begun.
    pub(super) fn call_of(&self, piece: &Piece<H>) -> Option<usize> {
        let by_index = piece.index.and_then(|index| self.indices.get(&index).copied());
        // Without an index, pieces come one call after the other.
        let there = if piece.index.is_some() { by_index } else { self.list.len().checked_sub(1) };
        let Some(id) = &piece.id else {
            // An unknown index with a name begins a new call.
            let new = by_index.is_none() && piece.index.is_some() && piece.name.is_some();
            let at = there.or_else(|| self.list.len().checked_sub(1)).filter(|_| !new)?;
            return (!Self::is_another(&self.list[at], piece)).then_some(at);
        };
        match self.ids.get(&*id.wtf8(None)) {
            Some(known) if by_index.is_none_or(|at| at == *known) => {
                // Some servers number the calls from 0 in each piece, so that several calls have one id.
                let another = by_index.is_none() && piece.name.is_some() && self.is_elsewhere(*known, piece);
                (!another).then_some(*known)
            }
            // The index says where a piece belongs, unless the call there has ended and the id's own has not.
            Some(known) => {
                let at = by_index?;
                let own = self.list[at].id.as_ref().is_some_and(|own| own.same(id));
                let late = Self::is_late(&self.list[at], piece) || piece.name.is_none();
                let goes_on = !self.list[at].args.is_closed() || self.list[*known].args.is_closed();
                let here = own || self.is_elsewhere(*known, piece) && late && goes_on;
                Some(if here { at } else { *known })
            }
            None => there.filter(|at| Self::continues(&self.list[*at], piece)),
        }
    }

    /// Whether a call began at another index than that of a piece.
    fn is_elsewhere(&self, at: usize, piece: &Piece<H>) -> bool {
        piece.index.is_some_and(|index| self.list[at].index.is_some_and(|own| own != index))
    }

    /// Whether a piece with an id that no call has continues the call at its place. Some servers make an id for each
    /// piece, or send the text `null`.
    fn continues(call: &Call<H>, piece: &Piece<H>) -> bool {
        if piece.name.is_some() {
            // Without an index, the id says that this is another call.
            let late = piece.index.is_some() && Self::is_late(call, piece);
            return late || call.id.is_none() && !Self::is_another(call, piece);
        }
        let says = piece.args.as_ref().is_some_and(|args| !args.is_empty());
        let open = !call.args.is_closed();
        if says { open || call.id.is_none() } else { open || call.id.is_none() || piece.index.is_some() }
    }

    /// Whether a piece brings the name of a call whose arguments came before it.
    fn is_late(call: &Call<H>, piece: &Piece<H>) -> bool {
        let blank = || piece.args.as_ref().is_none_or(|args| args.is_blank(None));
        piece.name.is_some() && call.name.is_empty() && (!call.args.is_closed() || blank())
    }

    /// Whether a piece without a known id belongs to another call than this one.
    fn is_another(call: &Call<H>, piece: &Piece<H>) -> bool {
        let Some(name) = &piece.name else { return false };
        let repeated = piece.index.is_some()
            && call.is(name)
            && piece.args.as_ref().is_none_or(|args| args.is_blank(None) || *args.wtf8(None) == *call.args.bytes());
        let late = Self::is_late(call, piece);
        let whole = call.args.is_closed() && !call.args.is_nothing();
        !repeated && !late && (whole || call.has_begun() && !call.is(name))
    }
}
