//! Replays bytes for a client of the source's own format, where they are events that it reads.

use super::{
    super::{frames::ByteFrames, writing::Writing},
    Assembler, Converter, for_writer,
};
use crate::{dialects::table, report::Error, value::Host, wire::stream::Frames};

impl<H: Host> Converter<H> {
    /// The first bytes that are no white space, with that before them: they show whether the stream can be replayed. `None`
    /// for later ones.
    pub(super) fn first(&mut self, bytes: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        if self.wanted.is_none() {
            return Ok(None);
        }
        self.space.extend_from_slice(bytes);
        if self.space.trim_ascii_start().is_empty() {
            return Ok(Some(Vec::new()));
        }
        let whole = std::mem::take(&mut self.space);
        self.look(&whole)?;
        Ok(Some(whole))
    }

    /// Copies bytes, with the client's own names of tools.
    pub(super) fn replay(&mut self, bytes: &[u8], out: &mut ByteFrames) {
        let mut fed = self.source.feed_bytes(bytes);
        while fed.is_err() {
            fed = self.source.feed_bytes(&[]);
        }
        if self.source.is_misplaced_text() {
            // A client that reads frames gets it as one at the end.
            return;
        }
        match &mut self.renaming {
            Some(renaming) => Frames::<H>::copy(out, &renaming.push(bytes)),
            None => Frames::<H>::copy(out, bytes),
        }
        self.torn = self.source.is_torn();
    }

    /// Looks at the first bytes of a stream to replay. A client of server-sent events ignores a body without any, so such a
    /// body is written as events: the error or the whole reply of a server that does not stream.
    fn look(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let (Some(first), Some(wanted)) = (bytes.trim_ascii_start().first(), self.wanted.take()) else { return Ok(()) };
        let is_list = table::Out::<H>::is_list(self.target);
        if self.framing().has_fields() && (*first == b'{' || *first == b'[' && !is_list) {
            let source = self.source.dialect();
            let fresh = Assembler::new(source)?.with_names(self.source.names().clone());
            self.writer = Some(Writing::new(source, self.target, fresh.names(), wanted)?);
            (self.source, self.renaming) = (for_writer(fresh, self.target), None);
        }
        Ok(())
    }
}
