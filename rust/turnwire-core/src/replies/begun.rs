//! Holds the writer of a stream, which is made once the head of the reply is known.

use crate::{
    dialects::{registry, table},
    model::Head,
    report::Error,
    rules::DialectId,
    value::{Host, Text},
    wire::response::{Around, Wanted},
};

/// The writer of a stream, from its begin on.
pub(super) struct Begun<H: Host> {
    target: DialectId,
    /// The request, until the reply has begun.
    wanted: Wanted<H>,
    writer: Option<table::Out<H>>,
    /// The required keys whose values are made up.
    pub(super) made_up: Vec<&'static str>,
}

impl<H: Host> Begun<H> {
    /// The state before the reply begins.
    pub(super) fn new(target: DialectId, wanted: Wanted<H>) -> Self {
        Self { target, wanted, writer: None, made_up: Vec::new() }
    }

    /// Begins the reply. Only the first call counts.
    pub(super) fn begin(&mut self, head: Head<H>) -> Result<&mut table::Out<H>, Error> {
        let new = if let Some(writer) = self.writer.take() {
            writer
        } else {
            let wanted = std::mem::replace(&mut self.wanted, Wanted::unknown());
            let around = Around::of(registry::response_rule(self.target)?, head, wanted, Vec::new);
            self.made_up.extend(around.made_up());
            table::Out::new(self.target, around)?
        };
        Ok(self.writer.insert(new))
    }

    /// The writer. A reply that has not begun begins without a head.
    pub(super) fn writer(&mut self) -> Result<&mut table::Out<H>, Error> {
        self.begin(Head::default())
    }

    /// The writer of the end of a reply of which this many chunks were replayed.
    pub(super) fn goes_on(&mut self, head: Head<H>, chunks: u64) -> Result<&mut table::Out<H>, Error> {
        let id = head.id.as_ref().map(Text::share);
        let writer = self.begin(head)?;
        writer.goes_on(id, chunks);
        Ok(writer)
    }

    /// Whether the writer holds a call that is not written yet.
    pub(super) fn is_waiting(&self) -> bool {
        self.writer.as_ref().is_some_and(table::Out::holds)
    }
}
