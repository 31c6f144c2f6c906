//! Assembles the events of a run into its messages.
//!
//! Events of several messages and calls may interleave, so each belongs to the message or call with its id. A chunk
//! event without an id continues the last message or call. An event that no message can hold is a loss. An event of a
//! message that is not open is an error, and so is one after the end of the run.

mod message;
mod whole;
mod words;

use self::message::{Body, Call, Message};
use super::keys as k;
use crate::{
    report::{Change, ChangeKind, Edit, Error, Path, Step, Trail, error::Code},
    value::{HashMap, HashSet, Host, Key, Source, Text, Value, door::keys},
    wire::{
        read::{Keys, keys::wrong_type},
        stream::{
            Assembly, ChunkLosses, Map, Told,
            whole::{kept, list},
        },
    },
};

keys! {
    PROTOCOL_VERSION = "protocolVersion";
}

/// The run, as much of it as has arrived.
pub(crate) struct Stream<H: Host> {
    ids: [Option<Text<H>>; 2],
    messages: Vec<Message<H>>,
    /// The message with this id. A text and its reasoning may share an id.
    places: HashMap<(Body, Vec<u8>), usize>,
    /// The message of each call, and its index among that message's calls.
    calls: HashMap<Vec<u8>, (usize, usize)>,
    /// The calls with a result.
    answered: HashSet<Vec<u8>>,
    /// What a chunk without an id continues.
    last_text: Option<usize>,
    last_thought: Option<usize>,
    last_call: Option<(usize, usize)>,
    outcome: Option<Value<H>>,
    usage: Option<Value<H>>,
    error: Option<Value<H>>,
    started: bool,
    ended: bool,
    losses: ChunkLosses,
}

impl<H: Host> Assembly for Stream<H> {
    type H = H;

    fn new() -> Result<Self, Error> {
        Ok(Self {
            ids: [None, None],
            messages: Vec::new(),
            places: HashMap::default(),
            calls: HashMap::default(),
            answered: HashSet::default(),
            last_text: None,
            last_thought: None,
            last_call: None,
            outcome: None,
            usage: None,
            error: None,
            started: false,
            ended: false,
            losses: ChunkLosses::new("events"),
        })
    }

    fn is_derived(_: &str) -> bool {
        false
    }

    fn has_own_head() -> bool {
        true
    }

    fn feed<S: Source<H = H>>(&mut self, event: &S, out: &mut Told<H>) -> Result<(), Error> {
        self.losses.next();
        let at = Trail::ROOT;
        let mut keys = Keys::of(event, &at)?;
        let kind = keys.needed(&k::TYPE)?;
        let Some(kind) = kind.word() else { return Err(wrong_type("a string", &kind, &at.key(k::TYPE.name))) };
        if self.ended {
            return Err(unexpected(format!("expected no event after the end of the run, got {kind:?}"), &k::TYPE));
        }
        match &*kind {
            "TOOL_CALL_RESULT" => self.result(&mut keys, out),
            "ACTIVITY_SNAPSHOT" => self.activity(&mut keys, out),
            kind => {
                if self.event(kind, &mut keys, out)? {
                    keys.some(&k::TIMESTAMP);
                    self.losses.unread(kind, keys);
                } else {
                    self.unsaid(kind);
                }
                Ok(())
            }
        }
    }

    fn has_ended(&self) -> bool {
        self.ended
    }

    fn is_over(&self) -> bool {
        self.ended
    }

    fn finish(&mut self, cut: bool, out: &mut Told<H>) -> Result<Value<H>, Error> {
        out.divide();
        let whole = !cut && self.error.is_none();
        if whole && !self.started {
            self.losses.tell(ChangeKind::Added, Edit::StandIn, Path::default(), "the run has no beginning");
        }
        for at in 0..self.messages.len() {
            let told = self.messages[at].finish(whole, out)?;
            if let Some(what) = told.filter(|_| whole) {
                let path = Path::of([Step::Key(k::MESSAGES.name), Step::Index(at)]);
                self.losses.tell(ChangeKind::Added, Edit::StandIn, path, &format!("the run ended before this {what}"));
            }
        }
        let mut run = Map::default();
        for (key, id) in [&k::THREAD_ID, &k::RUN_ID].into_iter().zip(&self.ids) {
            run.maybe(key, id.as_ref().map(|id| Value::Text(id.share())).as_ref());
        }
        run.put(&k::MESSAGES, list(self.messages.iter().map(Message::value))?);
        run.maybe(&k::OUTCOME, self.outcome.as_ref());
        run.maybe(&k::USAGE, self.usage.as_ref());
        run.maybe(&k::ERROR, self.error.as_ref());
        Ok(run.value())
    }

    fn losses(&mut self) -> Vec<Change> {
        self.losses.take()
    }
}

impl<H: Host> Stream<H> {
    /// Takes an event that is read key by key. Returns whether it is one.
    fn event<S: Source<H = H>>(
        &mut self,
        kind: &str,
        keys: &mut Keys<'_, S>,
        out: &mut Told<H>,
    ) -> Result<bool, Error> {
        match kind {
            "RUN_STARTED" => {
                let ids = [&k::THREAD_ID, &k::RUN_ID].map(|key| keys.text(key));
                let input = keys.node.input();
                keys.some(&PROTOCOL_VERSION);
                if self.losses.is_later() {
                    let reason = "the run had begun before";
                    self.losses.changed(Edit::Order, reason);
                }
                self.started = true;
                for (place, id) in self.ids.iter_mut().zip(ids) {
                    *place = id?.map(|id| id.detached(input)).or(place.take());
                }
                out.begin(|| [self.ids[1].as_ref().map(Text::share), None]);
            }
            "RUN_FINISHED" => {
                let outcome = keys.some(&k::OUTCOME).map(|outcome| kept(&outcome)).transpose()?;
                let success = || {
                    let mut success = Map::default();
                    success.put(&k::TYPE, Value::Text(Text::own("success")));
                    success.value()
                };
                self.outcome = Some(outcome.unwrap_or_else(success));
                self.end(keys)?;
            }
            "RUN_ERROR" => {
                let mut error = Map::default();
                error.put(&k::MESSAGE, Value::Text(keys.needed_text(&k::MESSAGE)?.detached(keys.node.input())));
                if let Some(code) = keys.some(&k::CODE) {
                    error.put(&k::CODE, kept(&code)?);
                }
                self.error = Some(error.value());
                self.end(keys)?;
            }
            "TEXT_MESSAGE_START" | "TEXT_MESSAGE_CONTENT" | "TEXT_MESSAGE_END" | "TEXT_MESSAGE_CHUNK" => {
                self.words(kind, Body::Text, keys, out)?;
            }
            "REASONING_MESSAGE_START"
            | "REASONING_MESSAGE_CONTENT"
            | "REASONING_MESSAGE_END"
            | "REASONING_MESSAGE_CHUNK"
            | "THINKING_TEXT_MESSAGE_START"
            | "THINKING_TEXT_MESSAGE_CONTENT"
            | "THINKING_TEXT_MESSAGE_END" => self.words(kind, Body::Thought, keys, out)?,
            // These events only bracket messages.
            "REASONING_START" | "REASONING_END" | "THINKING_START" | "THINKING_END" => {
                keys.some(&k::MESSAGE_ID);
            }
            "TOOL_CALL_START" | "TOOL_CALL_ARGS" | "TOOL_CALL_END" | "TOOL_CALL_CHUNK" => self.call(kind, keys, out)?,
            "REASONING_ENCRYPTED_VALUE" => self.encrypted(keys, out)?,
            "MESSAGES_SNAPSHOT" => self.snapshot(keys, out)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn end<S: Source<H = H>>(&mut self, keys: &mut Keys<'_, S>) -> Result<(), Error> {
        let _ = [&k::THREAD_ID, &k::RUN_ID].map(|key| keys.some(key));
        if let Some(usage) = keys.some(&k::USAGE) {
            self.usage = Some(kept(&usage)?);
        }
        self.ended = true;
        Ok(())
    }

    /// Takes an event of a call.
    fn call<S: Source<H = H>>(&mut self, kind: &str, keys: &mut Keys<'_, S>, out: &mut Told<H>) -> Result<(), Error> {
        let input = keys.node.input();
        let chunk = kind == "TOOL_CALL_CHUNK";
        let id = keys.text(&k::TOOL_CALL_ID)?.map(|id| id.detached(input)).filter(|id| !id.is_empty());
        let known = match &id {
            Some(id) => self.calls.get(&*id.wtf8(None)).copied(),
            None if chunk => self.last_call,
            None => return Err(keys.missing(&k::TOOL_CALL_ID)),
        };
        let starts = kind == k::TOOL_START.name;
        let piece = if kind == k::TOOL_ARGS.name { Some(keys.needed_text(&k::DELTA)?) } else { keys.text(&k::DELTA)? };
        let place = match (known, &id) {
            (Some(_), _) if starts => return Err(nowhere(kind, id.as_ref(), "a call that is new", &k::TOOL_CALL_ID)),
            (Some(place), _) => place,
            (None, Some(id)) if starts || chunk => {
                let name = keys.needed_text(&k::TOOL_NAME)?.detached(input);
                let parent = keys.text(&k::PARENT_ID)?.map(|parent| parent.detached(input));
                let at = self.parent(parent, id);
                let call = Call::new(id.share(), name, out);
                self.messages[at].calls.push(call);
                let place = (at, self.messages[at].calls.len() - 1);
                self.calls.insert(id.wtf8(None).into_owned(), place);
                place
            }
            _ => return Err(nowhere(kind, id.as_ref(), "a call that is open", &k::TOOL_CALL_ID)),
        };
        let call = &mut self.messages[place.0].calls[place.1];
        if call.ended {
            return Err(nowhere(kind, id.as_ref(), "a call that is open", &k::TOOL_CALL_ID));
        }
        if chunk {
            let _ = [&k::TOOL_NAME, &k::PARENT_ID].map(|key| keys.some(key));
            call.chunked = true;
        }
        self.last_call = Some(place);
        if let Some(piece) = piece.filter(|piece| !piece.is_empty()) {
            call.push(&piece.detached(input), out)?;
        }
        if starts {
            call.keep(keys)?;
        }
        if kind == k::TOOL_END.name { call.end(out) } else { Ok(()) }
    }

    /// The message for a new call: the one that it names, else the model's last one, so that parallel calls share a
    /// message.
    fn parent(&mut self, id: Option<Text<H>>, call: &Text<H>) -> usize {
        let id = id.filter(|id| !id.is_empty());
        let named = self.place(id.as_ref(), Body::Text).filter(|at| self.messages[*at].may_call());
        let last = self.messages.len().checked_sub(1).filter(|at| id.is_none() && self.messages[*at].may_call());
        named.or(last).unwrap_or_else(|| {
            // If the named message is of another kind, its id is taken.
            let taken = id.as_ref().is_some_and(|id| self.place(Some(id), Body::Text).is_some());
            let id = id.filter(|_| !taken).unwrap_or_else(|| call.share());
            self.add(Message::new(Some(id), Body::Text))
        })
    }

    fn place(&self, id: Option<&Text<H>>, body: Body) -> Option<usize> {
        self.places.get(&(body, id?.wtf8(None).into_owned())).copied()
    }

    /// The message with this id, of any kind.
    fn any(&self, id: &Text<H>) -> Option<usize> {
        [Body::Thought, Body::Text, Body::Whole].into_iter().find_map(|body| self.place(Some(id), body))
    }

    fn add(&mut self, message: Message<H>) -> usize {
        let at = self.messages.len();
        if let Some(id) = message.id() {
            self.places.insert((message.body(), id.wtf8(None).into_owned()), at);
        }
        self.answered.extend(message.answered());
        self.messages.push(message);
        at
    }

    /// Reports an event that no message can hold.
    fn unsaid(&mut self, kind: &str) {
        self.losses.lost(Edit::Opaque, &format!("no message can keep the event {kind:?}"));
    }
}

#[cold]
fn nowhere<H: Host>(kind: &str, id: Option<&Text<H>>, what: &str, key: &'static Key) -> Error {
    let id = id.map_or_else(|| "no id".into(), |id| format!("{:?}", id.to_str(None)));
    unexpected(format!("expected an event of {what}, got {kind:?} of {id}"), key)
}

#[cold]
fn unexpected(text: String, key: &'static Key) -> Error {
    Error::new(Code::UnexpectedChunk, text).at(&Trail::ROOT.key(key.name))
}
