//! Describes how to read a list whose elements may differ in dialect or may be turns already.

use crate::{
    model::{Part, Role, Turn},
    report::Error,
    rules::DialectId,
    value::{NodeKind, Source},
};

/// The turn that an element already is, if a host has such objects. `None` for an element that has to be read.
pub type Made<'a, S> = &'a dyn Fn(&S) -> Option<Result<Turn<<S as Source>::H>, Error>>;

/// How to read each element.
pub struct Elements<'a, S: Source> {
    /// The dialect of each element. `None` if all have the payload's.
    pub each: Option<&'a [DialectId]>,
    /// Whether a string is a user's text.
    pub texts: bool,
    /// Whether a user's text in the form of a result is read as a result.
    pub results: bool,
    /// Recognises elements that are turns already.
    pub made: Made<'a, S>,
}

impl<S: Source> Elements<'_, S> {
    /// The dialect of an element, if it is not the payload's.
    pub(crate) fn dialect(&self, index: usize) -> Option<DialectId> {
        self.each.and_then(|each| each.get(index).copied())
    }

    /// The turn that an element already is.
    #[inline]
    pub(crate) fn turn(&self, element: &S) -> Option<Result<Turn<S::H>, Error>> {
        match element.kind() {
            NodeKind::Map => None,
            NodeKind::Text if self.texts => {
                let text = element.text()?.detach(element.input());
                Some(Ok(Turn::new(Role::User, [Part::text(text)])))
            }
            _ => (self.made)(element),
        }
    }
}
