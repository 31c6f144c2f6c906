//! Encodes the events of a stream as bytes of a body, in the framing of their format.

use crate::{
    report::Error,
    value::{Host, JsonSink, Key, Sink, Source},
    wire::stream::{Frames, Framing, binary},
};

/// Events as bytes.
#[derive(Debug)]
pub struct ByteFrames {
    framing: Framing,
    out: Vec<u8>,
}

impl ByteFrames {
    /// No events yet.
    #[must_use]
    pub fn new(framing: Framing) -> Self {
        Self { framing, out: Vec::with_capacity(512) }
    }

    /// All bytes.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.out
    }
}

impl<H: Host> Frames<H> for ByteFrames {
    type Out = JsonSink;

    fn event(&mut self, name: &'static Key, failed: bool, write: impl FnOnce(&mut JsonSink)) -> Result<(), Error> {
        let start = self.out.len();
        match self.framing {
            Framing::Data => self.out.extend_from_slice(b"data: "),
            Framing::Named | Framing::NamedMark => {
                for piece in [b"event: ", name.name.as_bytes(), b"\ndata: "] {
                    self.out.extend_from_slice(piece);
                }
            }
            Framing::Lines => {}
            Framing::Binary => {
                let mut sink = JsonSink::default();
                object::<H>(&mut sink, write);
                Sink::<H>::fault(&mut sink).map_or(Ok(()), Err)?;
                binary::write(name.name, failed, &sink.into_bytes(), &mut self.out);
                return Ok(());
            }
        }
        let mut sink = JsonSink::new(std::mem::take(&mut self.out));
        object::<H>(&mut sink, write);
        let fault = Sink::<H>::fault(&mut sink);
        self.out = sink.into_bytes();
        if let Some(fault) = fault {
            self.out.truncate(start);
            return Err(fault);
        }
        self.out.extend_from_slice(if self.framing == Framing::Lines { b"\n" } else { b"\n\n" });
        Ok(())
    }

    /// Does nothing: replayed bytes are copied as bytes.
    fn replay<S: Source<H = H>>(&mut self, _: &S) -> Result<(), Error> {
        Ok(())
    }

    fn copy(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    fn mark(&mut self) {
        match self.framing {
            Framing::Data => self.out.extend_from_slice(b"data: [DONE]\n\n"),
            Framing::NamedMark => self.out.extend_from_slice(b"event: done\ndata: [DONE]\n\n"),
            Framing::Named | Framing::Lines | Framing::Binary => {}
        }
    }
}

/// Writes an object.
fn object<H: Host>(out: &mut JsonSink, write: impl FnOnce(&mut JsonSink)) {
    Sink::<H>::open_map(out);
    write(out);
    Sink::<H>::close(out);
}
