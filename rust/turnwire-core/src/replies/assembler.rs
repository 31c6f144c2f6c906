//! Assembles a streamed reply, chunk by chunk.

use super::{failed::as_error, read_as, refused::Refused};
use crate::k;
use crate::{
    dialects::table,
    model::{Event, Finish, Head, Reply},
    report::{Error, ToolNames, error::Code},
    rules::DialectId,
    value::{Host, Input, NoHost, NodeKind, Source, Tape, Text, Tree, json},
    wire::stream::{BinaryFrames, Lines, Told},
};

/// Assembles one reply.
pub struct Assembler<H: Host> {
    from: DialectId,
    /// `None` once the reply is finished.
    state: Option<table::Stream<H>>,
    lines: Lines,
    frames: BinaryFrames,
    /// Whether the bytes are text where a binary stream was expected: a server sends its errors so.
    textual: Option<bool>,
    /// Whether the stream broke off.
    cut: bool,
    /// Whether the end mark of a stream of server-sent events has come.
    marked: bool,
    told: Told<H>,
    names: ToolNames,
    /// Whether calls are those of plain functions, because nothing else rewrites them.
    flat: bool,
    head: Head<H>,
    /// The time of the reply in seconds since 1970, as far as it was known when the reply began.
    created: Option<u64>,
    /// In how many more chunks to look for the reply's id and model.
    heads: u8,
    /// A body that is an error instead of a stream.
    refused: Refused<H>,
    /// How many lines of the stream clients of server-sent events ignore.
    bare: usize,
    /// How many chunks have come.
    count: u64,
}

/// How many of the first chunks may have the id and the model.
const HEADS: u8 = 3;

/// The text that some servers send after the last event.
const MARK: &[u8] = b"[DONE]";

impl<H: Host> Assembler<H> {
    /// An assembler of replies of the dialect `from`.
    pub fn new(from: DialectId) -> Result<Self, Error> {
        let state = table::Stream::new(from).map_err(|error| error.in_dialect(&from.name()))?;
        Ok(Self {
            from,
            lines: if state.is_lines() { Lines::of_json() } else { Lines::default() },
            state: Some(state),
            frames: BinaryFrames::default(),
            textual: None,
            cut: false,
            marked: false,
            told: Told::new(false),
            names: ToolNames::default(),
            flat: true,
            head: Head::default(),
            created: None,
            heads: HEADS,
            refused: Refused::default(),
            bare: 0,
            count: 0,
        })
    }

    /// Sets the caller's own tool names.
    #[must_use]
    pub fn with_names(mut self, names: ToolNames) -> Self {
        names.hosted().iter().for_each(|call| self.told.host(call));
        Self { names, ..self }
    }

    /// Leaves tools in their groups, and calls in their own form, for a writer.
    pub(super) fn with_groups(self) -> Self {
        Self { flat: false, ..self }
    }

    /// Reports all events: how parts and calls begin, grow and end, and at the end the usage and why the reply ended.
    #[must_use]
    pub fn with_all(mut self) -> Self {
        self.told = Told::new(true);
        self.names.hosted().iter().for_each(|call| self.told.host(call));
        self
    }

    /// Reports one call after the other, for a writer that has one part open at a time.
    pub(super) fn in_order(self) -> Self {
        Self { told: self.told.serial(), ..self }
    }

    /// The dialect.
    #[must_use]
    pub fn dialect(&self) -> DialectId {
        self.from
    }

    /// Whether chunks of this type can be skipped, because others have the same content.
    #[must_use]
    pub fn is_derived(&self, kind: &str) -> bool {
        self.state.as_ref().is_some_and(|state| state.is_derived(kind))
    }

    /// Whether chunks without an export method may be read by their attributes.
    #[must_use]
    pub fn reads_attributes(&self) -> bool {
        self.state.as_ref().is_some_and(table::Stream::reads_attributes)
    }

    /// Fails if the reply is finished.
    pub fn check_open(&self) -> Result<(), Error> {
        if self.state.is_some() { Ok(()) } else { Err(finished()) }
    }

    /// Takes one chunk.
    pub fn feed<S: Source<H = H>>(&mut self, chunk: &S) -> Result<(), Error> {
        let state = self.state.as_mut().ok_or_else(finished)?;
        self.count += 1;
        if self.heads > 0 && !state.has_own_head() {
            self.heads -= 1;
            let inner = [&k::MESSAGE, &k::RESPONSE, &k::INTERACTION].into_iter().filter_map(|key| chunk.get(key));
            inner.for_each(|inner| self.head.learn(Head::of(&inner)));
            let is_list = chunk.kind() == NodeKind::List;
            self.head.learn(if is_list { Head::of_chunks(chunk) } else { Head::of(chunk) });
        }
        if !self.told.has_begun() {
            self.created = self.head.created;
        }
        let fed = state.feed(chunk, &mut self.told);
        if self.refused.chunk(chunk)? {
            return Ok(());
        }
        fed.map_err(|error| error.in_dialect(&self.from.name()))
    }

    /// Takes one chunk as JSON text, or the end mark.
    pub fn feed_json(&mut self, text: &Input) -> Result<(), Error> {
        self.check_open()?;
        match text.bytes().trim_ascii() {
            b"" => Ok(()),
            MARK => {
                self.marked = true;
                Ok(())
            }
            _ => {
                let tape = Tape::read(text).map_err(|error| error.in_dialect(&self.from.name()))?;
                self.feed(&tape.view().root::<H>())
            }
        }
    }

    /// Takes bytes of server-sent events. If an event cannot be read, the events after it are not lost: the next call
    /// continues with them.
    pub fn feed_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.push_bytes(bytes)?;
        while self.next_event()? {}
        Ok(())
    }

    /// [`Self::feed_bytes`] up to the end of the reply. Bytes may come in pieces of any size, and a writer has finished
    /// by then.
    pub(super) fn feed_bytes_to_end(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.push_bytes(bytes)?;
        while !self.is_over() && self.next_event()? {}
        Ok(())
    }

    fn push_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        if self.textual.is_none() {
            // A frame begins with its length, whose first byte is zero. Damage there is no text.
            self.textual = bytes.first().map(|first| *first >= b' ' || first.is_ascii_whitespace());
        }
        if self.is_binary()? {
            self.frames.push(bytes);
        } else {
            self.refused.bytes(bytes);
            self.lines.push(bytes);
        }
        Ok(())
    }

    /// Whether the bytes are frames of a binary stream.
    fn is_binary(&self) -> Result<bool, Error> {
        Ok(self.state.as_ref().ok_or_else(finished)?.is_binary() && self.textual != Some(true))
    }

    /// Whether the bytes are a text in place of a binary stream.
    pub(super) fn is_misplaced_text(&self) -> bool {
        self.textual == Some(true) && self.state.as_ref().is_some_and(table::Stream::is_binary)
    }

    /// Takes the next event of the bytes. Returns whether there was one.
    fn next_event(&mut self) -> Result<bool, Error> {
        if self.is_binary()? {
            return self.next_frame();
        }
        let Some(data) = self.lines.next() else { return Ok(false) };
        let data = data.map_err(|error| error.in_dialect(&self.from.name()))?;
        self.line(data)?;
        Ok(true)
    }

    /// Takes the data of one event.
    fn line(&mut self, data: Vec<u8>) -> Result<(), Error> {
        let last = self.lines.last();
        self.bare += usize::from(last.is_bare);
        if last.is_error {
            self.refused.named(&data);
        }
        let fed = self.feed_json(&Input::new(data));
        if last.is_error { Ok(()) } else { fed }
    }

    /// Whether some of the stream came as lines that clients of server-sent events ignore.
    pub(super) fn is_bare(&self) -> bool {
        self.bare > 0
    }

    /// Whether the last event was such a line.
    pub(super) fn ends_bare(&self) -> bool {
        self.lines.last().is_bare
    }

    /// How many chunks have come.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// The names of tools in the request.
    pub(super) fn names(&self) -> &ToolNames {
        &self.names
    }

    /// Takes the bytes that were not read, because the reply ended before them.
    pub(super) fn unread(&mut self) -> Vec<u8> {
        if matches!(self.is_binary(), Ok(true)) { self.frames.unread() } else { self.lines.unread() }
    }

    /// Takes the next event of a binary stream: an object with a single key, the event's name, as clients present it.
    fn next_frame(&mut self) -> Result<bool, Error> {
        let Some(frame) = self.frames.next() else { return Ok(false) };
        let frame = frame.map_err(|error| error.in_dialect(&self.from.name()))?;
        let mut event = b"{".to_vec();
        json::encode::text::<NoHost>(&Text::own(frame.name), None, &mut event);
        event.push(b':');
        match frame.message {
            Some(message) if frame.payload.is_empty() => {
                event.extend_from_slice(b"{\"message\":");
                json::encode::text::<NoHost>(&Text::own(message), None, &mut event);
                event.push(b'}');
            }
            _ if frame.payload.is_empty() => event.extend_from_slice(b"{}"),
            _ => event.extend_from_slice(frame.payload),
        }
        event.push(b'}');
        self.feed_json(&Input::new(event))?;
        Ok(true)
    }

    /// Whether an event of the target cannot follow the bytes: an event is unfinished, or they are a JSON list.
    #[must_use]
    pub fn is_torn(&self) -> bool {
        self.frames.is_torn() || self.lines.is_torn()
    }

    /// Whether the end mark of a stream of server-sent events has come.
    #[must_use]
    pub fn is_marked(&self) -> bool {
        self.marked
    }

    /// Whether the reply is complete.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.marked || self.state.as_ref().is_some_and(table::Stream::is_over)
    }

    /// The time of the reply in seconds since 1970, if it was known when the reply began.
    pub(super) fn created(&self) -> Option<u64> {
        self.created
    }

    /// Whether the stream broke off.
    #[must_use]
    pub fn was_cut(&self) -> bool {
        self.cut
    }

    fn rename(&mut self) {
        if !self.names.is_empty() {
            self.told.iter_mut().for_each(|event| event.rename(&self.names));
        }
        if let (true, Ok(limits)) = (self.flat, self.from.limits()) {
            self.told.iter_mut().for_each(|event| event.flatten(&self.names, limits));
        }
    }

    /// The new events since the last call, one by one.
    pub fn drain(&mut self) -> std::vec::Drain<'_, Event<H>> {
        self.rename();
        self.told.drain()
    }

    /// The new events since the last call.
    pub fn events(&mut self) -> Vec<Event<H>> {
        self.rename();
        self.told.take()
    }

    /// Takes the rest of the bytes.
    fn rest(&mut self) -> Result<(), Error> {
        while !self.is_binary()? && self.next_event()? {}
        let Some(data) = self.lines.rest() else { return Ok(()) };
        match self.line(data) {
            // An unfinished event means that the stream was cut off, which the reply reports.
            Err(error) if error.code() == Code::InvalidJson => Ok(()),
            fed => fed,
        }
    }

    /// The reply, after the last chunk.
    pub fn finish(&mut self) -> Result<Reply<H>, Error> {
        let torn = self.lines.is_open_list() && !self.is_over();
        // Nothing after the end belongs to the reply.
        if !self.is_over() {
            self.rest()?;
        }
        let mut state = self.state.take().ok_or_else(finished)?;
        let cut = torn || !(state.has_ended() || self.marked && state.ends_by_mark());
        self.cut = cut;
        let whole = state.finish(cut, &mut self.told);
        let read = whole.and_then(|whole| {
            let reply = read_as(&Tree(&whole), self.from)?;
            Ok(Reply { assembled: Some(whole), ..reply })
        });
        let mut reply = read.map_err(|error| error.in_dialect(&self.from.name()))?;
        if cut {
            reply.finish = Finish::Error;
        }
        if let Some(body) = self.refused.body().filter(|_| cut && reply.error.is_none() && is_silent(&reply)) {
            reply = as_error(reply, &body)?;
        }
        if let Some(error) = self.refused.foreign().filter(|_| reply.error.is_none()) {
            (reply.error, reply.finish, reply.places.error) = (Some(error), Finish::Error, "");
        }
        if reply.finish == Finish::Error {
            // A stream without a single chunk broke off.
            reply.turns.retain(|turn| !turn.parts.is_empty());
        }
        if reply.finish.is_cut() {
            reply.leave_open(|call| !self.told.is_complete(&call.id, &call.name));
        }
        reply.losses.extend(state.losses());
        reply.rename(&self.names);
        if self.told.is_full() {
            if let Some(words) = &reply.refusal {
                self.told.refuse(words);
            }
            self.told.divide();
            self.told.extend([Event::Usage(reply.tokens), Event::Finished(reply.finish)]);
            self.told.extend(reply.error.as_ref().map(|error| Event::Failed(error.share())));
        }
        if !state.has_own_head() {
            reply.head = self.head.share();
        }
        reply.events = self.events();
        Ok(reply)
    }
}

/// Whether nothing was said.
fn is_silent<H: Host>(reply: &Reply<H>) -> bool {
    reply.turns.iter().all(|turn| turn.parts.is_empty())
}

#[cold]
fn finished() -> Error {
    Error::new(Code::Finished, "this stream is finished: another reply needs an assembler of its own")
}
