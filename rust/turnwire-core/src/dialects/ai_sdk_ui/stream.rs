//! Assembles the chunks of a UI message stream into the message that the SDK's client holds.
//!
//! Chunks of several texts and calls may interleave, so each belongs to the part with its id. A call may be run only
//! after all of its arguments have arrived. A chunk that the message cannot hold is a loss. A chunk of a part that is
//! not open is an error. The server may write data after the chunk `finish`, so only the end of the stream ends the
//! message.

mod call;
mod calls;
mod part;

use self::part::{Part, Spoken, merged};
use super::keys as k;
use crate::{
    model::{Event, head::MODEL},
    report::{Change, ChangeKind, Edit, Error, Path, Step, Trail, error::Code},
    value::{HashMap, Host, Key, Source, Text, Tree, Value, door::keys},
    wire::{
        read::{Keys, keys::wrong_type},
        stream::{
            Assembly, ChunkLosses, Map, Told,
            whole::{changed, kept, list, word},
        },
    },
};

keys! {
    TRANSIENT = "transient";
}

/// The message, as much of it as has arrived.
pub(crate) struct Stream<H: Host> {
    id: Option<Text<H>>,
    metadata: Option<Value<H>>,
    parts: Vec<Part<H>>,
    /// The open texts, by whether they are reasoning and by their id.
    open: HashMap<(bool, Vec<u8>), usize>,
    /// The text that the last piece belongs to.
    last: Option<usize>,
    calls: HashMap<Vec<u8>, usize>,
    /// The data parts with an id, by their type and their id.
    data: HashMap<(String, Vec<u8>), usize>,
    finish: Option<Value<H>>,
    error: Option<Value<H>>,
    aborted: bool,
    started: bool,
    ended: bool,
    losses: ChunkLosses,
}

impl<H: Host> Assembly for Stream<H> {
    type H = H;

    fn new() -> Result<Self, Error> {
        Ok(Self {
            id: None,
            metadata: None,
            parts: Vec::new(),
            open: HashMap::default(),
            last: None,
            calls: HashMap::default(),
            data: HashMap::default(),
            finish: None,
            error: None,
            aborted: false,
            started: false,
            ended: false,
            losses: ChunkLosses::new("chunks"),
        })
    }

    fn is_derived(_: &str) -> bool {
        false
    }

    fn has_own_head() -> bool {
        true
    }

    fn feed<S: Source<H = H>>(&mut self, chunk: &S, out: &mut Told<H>) -> Result<(), Error> {
        self.losses.next();
        let at = Trail::ROOT;
        let mut keys = Keys::of(chunk, &at)?;
        let kind = keys.needed(&k::TYPE)?;
        let Some(kind) = kind.word() else { return Err(wrong_type("a string", &kind, &at.key(k::TYPE.name))) };
        match &*kind {
            "file" | "source-url" | "source-document" | "reasoning-file" | "custom" => {
                let part = kept(chunk)?;
                self.whole(part, out);
                Ok(())
            }
            kind if kind.starts_with("data-") => self.datum(kind, &mut keys, out),
            kind => {
                if self.chunk(kind, &mut keys, out)? {
                    self.losses.unread(kind, keys);
                } else {
                    self.losses.lost(Edit::Opaque, &format!("no message can keep the chunk {kind:?}"));
                }
                Ok(())
            }
        }
    }

    fn has_ended(&self) -> bool {
        self.ended
    }

    fn finish(&mut self, cut: bool, out: &mut Told<H>) -> Result<Value<H>, Error> {
        out.divide();
        if !cut && self.error.is_none() && !self.aborted {
            if !self.started {
                self.losses.tell(ChangeKind::Added, Edit::StandIn, Path::default(), "the message has no beginning");
            }
            for at in self.still_open() {
                let path = Path::of([Step::Key(k::RESPONSE_MESSAGE.name), Step::Key(k::PARTS.name), Step::Index(at)]);
                self.losses.tell(ChangeKind::Added, Edit::StandIn, path, "the message ended before this part");
            }
        }
        let calls = self.parts.iter_mut().filter_map(Part::call);
        calls.for_each(|call| call.close(out));
        let mut message = Map::default();
        message.maybe(&k::ID, self.id.as_ref().map(|id| Value::Text(id.share())).as_ref());
        message.put(&k::ROLE, word(&k::ASSISTANT));
        message.maybe(&k::METADATA, self.metadata.as_ref());
        message.put(&k::PARTS, list(self.parts.iter().map(Part::value))?);
        let mut reply = Map::default();
        reply.put(&k::RESPONSE_MESSAGE, message.value());
        reply.maybe(&k::FINISH_REASON, self.finish.as_ref());
        if self.aborted {
            reply.put(&k::IS_ABORTED, Value::Bool(true));
        }
        reply.maybe(&k::ERROR_TEXT, self.error.as_ref());
        Ok(reply.value())
    }

    fn losses(&mut self) -> Vec<Change> {
        self.losses.take()
    }
}

impl<H: Host> Stream<H> {
    /// Takes a chunk that is read key by key. Returns whether it is one.
    fn chunk<S: Source<H = H>>(
        &mut self,
        kind: &str,
        keys: &mut Keys<'_, S>,
        out: &mut Told<H>,
    ) -> Result<bool, Error> {
        match kind {
            "start" => {
                let id = keys.text(&k::MESSAGE_ID)?.map(|id| id.detached(keys.node.input()));
                self.learn(keys)?;
                if std::mem::replace(&mut self.started, true) {
                    self.losses.changed(Edit::Order, "the message had begun before");
                }
                self.id = id.filter(|id| !id.is_empty()).or(self.id.take());
                out.begin(|| [self.id.as_ref().map(Text::share), self.model()]);
            }
            "message-metadata" => {
                if keys.node.get(&k::MESSAGE_METADATA).is_none() {
                    return Err(keys.missing(&k::MESSAGE_METADATA));
                }
                self.learn(keys)?;
            }
            "finish" => {
                let reason =
                    keys.text(&k::FINISH_REASON)?.map(|reason| Value::Text(reason.detached(keys.node.input())));
                self.learn(keys)?;
                if self.finish.is_some() {
                    self.losses.changed(Edit::Order, "the message had ended before");
                }
                self.finish = reason.or(self.finish.take());
                self.ended = true;
            }
            "abort" => {
                self.aborted = true;
                self.ended = true;
            }
            "error" => {
                let error = keys.needed_text(&k::ERROR_TEXT)?.detached(keys.node.input());
                if self.error.is_some() {
                    self.losses.lost(Edit::Opaque, "a reply can have one error, and this is another one");
                }
                self.error.get_or_insert(Value::Text(error));
                self.ended = true;
            }
            "start-step" => {
                let mut mark = Map::default();
                mark.put(&k::TYPE, word(&k::STEP_START));
                self.whole(mark.value(), out);
            }
            "finish-step" => {
                for _ in std::mem::take(&mut self.open) {
                    self.losses.changed(Edit::StandIn, "the step ended before its text");
                }
                out.divide();
            }
            "text-start" | "text-delta" | "text-end" => self.words(kind, false, keys, out)?,
            "reasoning-start" | "reasoning-delta" | "reasoning-end" => self.words(kind, true, keys, out)?,
            kind if kind.starts_with("tool-") => return self.tool(kind, keys, out),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Takes a chunk of a text or of reasoning.
    fn words<S: Source<H = H>>(
        &mut self,
        kind: &str,
        thought: bool,
        keys: &mut Keys<'_, S>,
        out: &mut Told<H>,
    ) -> Result<(), Error> {
        let input = keys.node.input();
        let id = keys.needed_text(&k::ID)?.detached(input);
        let piece = if kind.ends_with("-delta") { Some(keys.needed_text(&k::DELTA)?.detached(input)) } else { None };
        let metadata = keys.some(&k::PROVIDER_METADATA).map(|metadata| kept(&metadata)).transpose()?;
        let place = (thought, id.wtf8(None).into_owned());
        let at = self.open.get(&place).copied();
        if kind.ends_with("-start") {
            if at.is_some() {
                return Err(nowhere(kind, &id, "a part that is not open", &k::ID));
            }
            self.open.insert(place, self.parts.len());
            self.last = Some(self.parts.len());
            self.parts.push(Part::Words(Spoken::new(thought, metadata)));
            out.divide();
            return Ok(());
        }
        let Some(at) = at else { return Err(nowhere(kind, &id, "a part that is open", &k::ID)) };
        if self.last.replace(at) != Some(at) {
            out.divide();
        }
        let Some(Part::Words(spoken)) = self.parts.get_mut(at) else { return Ok(()) };
        spoken.metadata = metadata.or(spoken.metadata.take());
        // Some servers send empty pieces to keep the connection alive.
        if let Some(piece) = piece.filter(|piece| !piece.is_empty()) {
            spoken.words.push(&piece, None);
            out.push(if thought { Event::Reasoning(piece) } else { Event::Text(piece) });
        }
        if kind.ends_with("-end") {
            self.open.remove(&place);
            out.divide();
        }
        Ok(())
    }

    /// Takes data of the application. It replaces earlier data with the same id.
    fn datum<S: Source<H = H>>(&mut self, kind: &str, keys: &mut Keys<'_, S>, out: &mut Told<H>) -> Result<(), Error> {
        let id = keys.text(&k::ID)?.map(|id| id.wtf8(keys.node.input()).into_owned());
        let Some(data) = keys.take(&k::DATA) else { return Err(keys.missing(&k::DATA)) };
        if keys.some(&TRANSIENT).is_some_and(|mark| mark.bool() == Some(true)) {
            self.losses.lost(Edit::Opaque, "the data are transient, so no message keeps them");
            return Ok(());
        }
        let place = id.map(|id| (kind.to_owned(), id));
        let at = place.as_ref().and_then(|place| self.data.get(place).copied());
        if let Some(Part::Whole(part)) = at.and_then(|at| self.parts.get_mut(at)) {
            *part = changed(part, vec![(&k::DATA, kept(&data)?)]);
            self.losses.changed(Edit::Opaque, "it replaces the data with its id");
            return Ok(());
        }
        let Value::Map(entries) = kept(keys.node)? else { return Ok(()) };
        let mut part = Map::default();
        for (key, value) in entries.iter().filter(|(key, _)| !key.is(TRANSIENT.name, None)) {
            part.entry(key.share(), value.share());
        }
        if let Some(place) = place {
            self.data.insert(place, self.parts.len());
        }
        self.whole(part.value(), out);
        Ok(())
    }

    /// Adds a part that arrives whole.
    fn whole(&mut self, part: Value<H>, out: &mut Told<H>) {
        out.divide();
        self.parts.push(Part::Whole(part));
    }

    /// Takes the keys that the server sends for the message itself.
    fn learn<S: Source<H = H>>(&mut self, keys: &mut Keys<'_, S>) -> Result<(), Error> {
        if let Some(metadata) = keys.some(&k::MESSAGE_METADATA) {
            let metadata = kept(&metadata)?;
            self.metadata = Some(self.metadata.as_ref().map_or_else(|| metadata.share(), |old| merged(old, &metadata)));
        }
        Ok(())
    }

    fn model(&self) -> Option<Text<H>> {
        let model = Tree(self.metadata.as_ref()?).get(&MODEL)?.text()?;
        (!model.is_empty()).then(|| model.share())
    }

    /// The texts that have not ended, in order.
    fn still_open(&self) -> Vec<usize> {
        let mut open: Vec<_> = self.open.values().copied().collect();
        open.sort_unstable();
        open
    }
}

#[cold]
fn nowhere<H: Host>(kind: &str, id: &Text<H>, what: &str, key: &'static Key) -> Error {
    let text = format!("expected a chunk of {what}, got {kind:?} of {:?}", id.to_str(None));
    Error::new(Code::UnexpectedChunk, text).at(&Trail::ROOT.key(key.name))
}
