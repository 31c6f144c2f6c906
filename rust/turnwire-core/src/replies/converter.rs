//! Converts a streamed reply, piece by piece: one provider's stream becomes the stream that another provider's client
//! reads.
//!
//! For a client of the same format the stream is replayed unchanged, except for the client's own tool names
//! (`renaming.rs`). For another format, the reply is assembled (`assembler.rs`) and rewritten (`wire/stream/out.rs`).
//! Both check whether the source completed its reply. If it did not, the target's own error ends the stream, and never
//! an event that reports success.

mod replay;

use super::{
    assembler::Assembler,
    begun::Begun,
    beside, failed,
    frames::ByteFrames,
    place::place,
    renaming::Renaming,
    turns::Turns,
    write::{NOT_IN_ERRORS, ended, wanted},
    writing::Writing,
};
use crate::{
    dialects::{registry, table},
    model::{Event, Finish, Head},
    report::{Change, ChangeKind, Edit, Error, Losses, Options, Path, ToolNames, error::Code},
    rules::DialectId,
    value::{Host, Input, Source, Tape, Text, Tree, Value},
    wire::{
        response::{Closing, Failure, FailureWords, Wanted},
        stream::{Frames, Framing, whole::kept},
    },
};

/// Converts one streamed reply.
pub struct Converter<H: Host> {
    source: Assembler<H>,
    target: DialectId,
    /// `None` if the stream is replayed.
    writer: Option<Writing<H>>,
    /// Renames tools in a replayed stream, if the client has other names for them.
    renaming: Option<Renaming>,
    /// The client's request, until the first bytes show whether they can be replayed.
    wanted: Option<Wanted<H>>,
    /// The white space before these.
    space: Vec<u8>,
    /// Whether the bytes replayed so far end in the middle of an event.
    torn: bool,
    /// What the first chunk that cannot be read was wrong about.
    broken: Option<String>,
    /// Reads what comes behind the end.
    rest: Option<Assembler<H>>,
    phase: Phase,
    losses: Vec<Change>,
    abort: bool,
    /// The head of a replayed reply that has begun and broke off.
    begun: Option<Head<H>>,
}

/// The state of the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// More may come.
    Going,
    /// The end was written.
    Ended,
    /// Nothing more is read.
    Finished,
}

impl<H: Host> Converter<H> {
    /// Converts from the format of `source` to that of `target`. `names`: the caller's own tool names. `request`: the
    /// client's request, if it is known.
    pub fn new(
        source: DialectId,
        target: DialectId,
        names: ToolNames,
        request: Option<&Value<H>>,
    ) -> Result<Self, Error> {
        // Free text that the source's server has put under a key is taken out again.
        let texts = names.has_texts() && target.limits()?.free_text && !source.limits()?.free_text;
        let replays = std::ptr::eq(source.facts, target.facts) && !texts;
        let renaming =
            (replays && names.renames()).then(|| Renaming::new(names.clone(), table::Out::<H>::framing(target)));
        let wanted = || wanted(request, target);
        let (writer, wanted) = if replays {
            (None, Some(wanted()))
        } else {
            (Some(Writing::new(source, target, &names, wanted())?), None)
        };
        let assembler = Assembler::new(source)?.with_names(names);
        let assembler = if replays { assembler } else { for_writer(assembler, target) };
        let (phase, losses) = (Phase::Going, Vec::new());
        let (space, torn, broken, rest, abort) = (Vec::new(), false, None, None, false);
        Ok(Self {
            source: assembler,
            target,
            writer,
            renaming,
            wanted,
            space,
            torn,
            broken,
            rest,
            phase,
            losses,
            abort,
            begun: None,
        })
    }

    /// The assembler of the source, which knows about its chunks.
    #[must_use]
    pub fn source(&self) -> &Assembler<H> {
        &self.source
    }

    /// The target.
    #[must_use]
    pub fn target(&self) -> DialectId {
        self.target
    }

    /// How the target frames its events in a body.
    #[must_use]
    pub fn framing(&self) -> Framing {
        table::Out::<H>::framing(self.target)
    }

    /// What the target could not express, once the reply has ended.
    #[must_use]
    pub fn losses(&self) -> &[Change] {
        &self.losses
    }

    /// Whether the connection to the client must be dropped, because the client would not notice that the reply broke
    /// off.
    #[must_use]
    pub fn abort(&self) -> bool {
        self.abort
    }

    /// Fails once the reply is finished.
    pub fn check_open(&self) -> Result<(), Error> {
        if self.phase == Phase::Finished { Err(finished()) } else { Ok(()) }
    }

    /// Whether more may come. What comes behind the end is read by itself, and told if it says something: pings, marks and
    /// late errors do not.
    fn is_going(&mut self, feed: impl FnOnce(&mut Assembler<H>) -> Result<(), Error>) -> Result<bool, Error> {
        match self.phase {
            Phase::Going => return Ok(true),
            Phase::Finished => return Err(finished()),
            Phase::Ended => {}
        }
        let rest = match self.rest.take() {
            Some(rest) => rest,
            None => Assembler::new(self.source.dialect())?.with_all(),
        };
        let rest = self.rest.insert(rest);
        // Whether it can be read or not.
        let _ = feed(rest);
        if rest.events().iter().any(adds) && !self.losses.iter().any(|loss| loss.reason == BEHIND) {
            self.losses.push(Change::told(ChangeKind::Lost, Edit::LateText, Path::default(), BEHIND));
        }
        Ok(false)
    }

    /// Remembers that a chunk cannot be read: what was damaged is missing, whatever follows it.
    fn read(&mut self, fed: Result<(), Error>) -> Result<(), Error> {
        if let Err(error) = &fed {
            self.broken.get_or_insert_with(|| error.to_string());
        }
        fed
    }

    /// Takes one chunk.
    pub fn feed<S: Source<H = H>, F: Frames<H>>(&mut self, chunk: &S, out: &mut F) -> Result<(), Error> {
        if !self.is_going(|rest| rest.feed(chunk))? {
            return Ok(());
        }
        let fed = self.source.feed(chunk);
        if self.writer.is_none() {
            // An unreadable chunk is replayed too: the client's own reader reports it.
            let Some(renaming) = &self.renaming else { return out.replay(chunk) };
            return match renaming.value(&kept(chunk)?) {
                Some(renamed) => out.replay(&Tree(&renamed)),
                None => out.replay(chunk),
            };
        }
        self.read(fed)?;
        self.write(out)
    }

    /// Takes one chunk as JSON text, or the end mark.
    pub fn feed_json<F: Frames<H>>(&mut self, text: &Input, out: &mut F) -> Result<(), Error> {
        if !self.is_going(|rest| rest.feed_json(text))? {
            return Ok(());
        }
        let fed = self.source.feed_json(text);
        if self.writer.is_none() && !is_rest(text.bytes()) {
            let renamed = self.renaming.as_ref().and_then(|names| names.json(text));
            let text = renamed.map_or_else(|| text.clone(), Input::new);
            return out.replay(&Tape::read(&text)?.view().root::<H>());
        }
        self.read(fed)?;
        self.write(out)
    }

    /// Takes bytes of the body.
    pub fn feed_bytes(&mut self, bytes: &[u8], out: &mut ByteFrames) -> Result<(), Error> {
        if !self.is_going(|rest| rest.feed_bytes(bytes))? {
            return Ok(());
        }
        let first = self.first(bytes)?;
        let bytes = first.as_deref().unwrap_or(bytes);
        if self.writer.is_none() {
            self.replay(bytes, out);
            return Ok(());
        }
        let fed = self.source.feed_bytes_to_end(bytes);
        self.read(fed)?;
        self.write(out)?;
        if self.phase == Phase::Ended {
            // The same as if it came apart.
            let left = self.source.unread();
            self.is_going(|rest| rest.feed_bytes(&left))?;
        }
        Ok(())
    }

    /// Writes the rest after the last chunk: the end of the reply, or an error if it did not complete.
    pub fn finish<F: Frames<H>>(&mut self, out: &mut F) -> Result<(), Error> {
        out.copy(&std::mem::take(&mut self.space));
        if let Some(renaming) = &mut self.renaming {
            out.copy(&renaming.rest());
        }
        let ended = match self.phase {
            Phase::Going => self.write_events(out).and_then(|()| self.end(out)),
            Phase::Ended => Ok(()),
            Phase::Finished => Err(finished()),
        };
        self.phase = Phase::Finished;
        ended
    }

    /// Writes the new events, and the end behind the last one.
    fn write<F: Frames<H>>(&mut self, out: &mut F) -> Result<(), Error> {
        self.write_events(out)?;
        if self.source.is_over() { self.end(out) } else { Ok(()) }
    }

    fn write_events<F: Frames<H>>(&mut self, out: &mut F) -> Result<(), Error> {
        if let Some(writing) = &mut self.writer {
            let created = self.source.created();
            for event in self.source.drain() {
                if let Event::Begun { id, model } = &event {
                    let share = |text: &Option<Text<H>>| text.as_ref().map(Text::share);
                    writing.begun.begin(Head { id: share(id), model: share(model), created })?;
                }
                writing.event(event, out)?;
            }
        }
        Ok(())
    }

    /// Writes the end.
    fn end<F: Frames<H>>(&mut self, out: &mut F) -> Result<(), Error> {
        self.phase = Phase::Ended;
        let broken = self.broken.take();
        let reply = match self.source.finish() {
            Ok(reply) => reply,
            Err(error) => return self.fail(&Failure::of_server(&error.to_string()), out),
        };
        let rule = registry::response_rule(self.target)?;
        let Some(writing) = &mut self.writer else {
            // The source's own report of its failure was replayed. What is no event says nothing to the client.
            if self.source.is_bare() || self.source.was_cut() && !failed::is_told(&reply)? {
                if self.torn && self.source.ends_bare() {
                    out.copy(b"\n\n");
                    self.torn = false;
                }
                let failure = failed::failure(&reply, None)?;
                self.begun = (self.source.count() > 0).then(|| reply.head.share());
                return self.fail(&failure.unwrap_or_else(|| Failure::of_server(CUT)), out);
            }
            return Ok(());
        };
        self.losses.extend(reply.losses.iter().cloned());
        let mut losses = Losses::new(&Options::default());
        let told = Turns::streamed(&reply, self.target, &mut losses);
        let end = told.as_ref().map_or(reply.finish, |turns| turns.end(&reply, rule));
        let word = told.as_ref().ok().and_then(|turns| turns.word(&reply, rule));
        if let Err(error) = told {
            let (kind, code, path) = (ChangeKind::Lost, Edit::EmptyTurn, error.path().clone());
            self.losses.push(Change::told(kind, code, path, error.to_string()));
        }
        let end = if end == Finish::Paused && !table::Out::<H>::pauses(self.target) { Finish::Stop } else { end };
        let closing = Closing::of(reply.said_end(), end, &reply.tokens, rule)
            .filter(|_| reply.finish != Finish::Error && broken.is_none());
        let closing = closing.map(|closing| closing.with(word));
        let tier = beside::tier(&reply)?;
        let closing = closing.map(|closing| closing.served_at(tier));
        if let Some(closing) = &closing {
            writing.begun.begin(reply.head.share())?;
            beside::end_told(&reply, closing, writing.begun.made_up.iter().copied(), &mut losses)?;
        }
        beside::lost(&reply, rule, closing.is_none(), &mut losses)?;
        self.losses.append(&mut losses.list);
        let said: usize = reply.texts().map(|text| text.utf8_len(None)).sum();
        let Some(closing) = closing else {
            self.losses.extend(writing.damaged(&reply));
            if said > writing.text || writing.is_waiting() || reply.events.iter().any(says) {
                let (kind, code, reason) = (ChangeKind::Lost, Edit::EmptyTurn, NOT_IN_ERRORS);
                self.losses.push(Change::told(kind, code, place(&reply, 0), reason));
            }
            let failure = match (failed::failure(&reply, None)?, &reply.stop_reason) {
                (Some(failure), _) => failure,
                (None, _) if broken.is_some() => Failure::of_server(&broken.unwrap_or_default()),
                (None, Some(_)) if !self.source.was_cut() => ended(&reply),
                _ => Failure::of_server(CUT),
            };
            return self.fail(&failure, out);
        };
        for event in &reply.events {
            writing.event(event.share(), out)?;
        }
        for event in writing.held.take().map(|held| held.left(&reply)).into_iter().flatten() {
            writing.event(event, out)?;
        }
        self.losses.extend(writing.damaged(&reply));
        if said > writing.text {
            let reason = format!("the stream ended with {said} bytes of text, after {} in pieces", writing.text);
            self.losses.push(Change::told(ChangeKind::Lost, Edit::LateText, Path::default(), reason));
        }
        writing.begun.writer()?.end(&closing, out)
    }

    /// Tells the client that the reply broke off, in the target's own form.
    fn fail<F: Frames<H>>(&mut self, failure: &Failure<H>, out: &mut F) -> Result<(), Error> {
        // After half an event nothing can be written.
        self.abort = self.torn || table::Out::<H>::is_silent(self.target);
        if self.torn {
            return Ok(());
        }
        let words = FailureWords::of(failure, registry::response_rule(self.target)?);
        if let Some(writing) = &mut self.writer {
            return writing.begun.writer()?.fail(&words, out);
        }
        let mut begun = Begun::new(self.target, Wanted::unknown());
        match self.begun.take() {
            Some(head) => begun.goes_on(head, self.source.count())?.fail(&words, out),
            None => begun.writer()?.fail(&words, out),
        }
    }
}

/// The message if the source itself reported nothing.
const CUT: &str = "the upstream closed the connection before the reply ended";

/// An assembler whose events are written for a client of the target.
fn for_writer<H: Host>(assembler: Assembler<H>, target: DialectId) -> Assembler<H> {
    let all = assembler.with_all().with_groups();
    if table::Out::<H>::is_parallel(target) { all } else { all.in_order() }
}

/// What came behind the end of the reply.
const BEHIND: &str = "it came behind the end of the reply";

/// Whether an event has something of another reply.
fn adds<H: Host>(event: &Event<H>) -> bool {
    says(event) || matches!(event, Event::Text(_))
}

/// Whether an event has something that the model said.
fn says<H: Host>(event: &Event<H>) -> bool {
    matches!(event, Event::Reasoning(_) | Event::Refusal(_) | Event::CallBegun { .. } | Event::CallPiece { .. })
}

/// Whether these bytes after the end contain no event.
fn is_rest(bytes: &[u8]) -> bool {
    let text = bytes.trim_ascii();
    text.is_empty() || text == b"]" || text == b"[DONE]" || text == b"data: [DONE]" || text.starts_with(b":")
}

#[cold]
fn finished() -> Error {
    Error::new(Code::Finished, "this stream has ended: another reply needs a converter of its own")
}
