//! Assembles one message of a run, and its calls.

use super::super::keys as k;
use crate::{
    model::{Args, Event},
    report::Error,
    value::{
        ArgsState, Host, Key, Raw, Source, Text, Tree, Value,
        door::keys,
        json::read::{args_state, says_no_args},
    },
    wire::{
        read::Keys,
        stream::{
            Flow, Map, Told, Words,
            whole::{kept, list, word},
        },
    },
};

keys! {
    SUBAGENT = "subagentRunId";
}

/// What a message holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Body {
    Text,
    Thought,
    /// A message that arrived whole.
    Whole,
}

/// A message, as much of it as has arrived.
pub(super) struct Message<H: Host> {
    id: Option<Text<H>>,
    body: Body,
    role: Option<Text<H>>,
    words: Words<H>,
    /// Whether its text has begun, and whether it has ended.
    begun: bool,
    ended: bool,
    /// Whether its text came in chunk events, which have no end event.
    chunked: bool,
    pub(super) calls: Vec<Call<H>>,
    pub(super) encrypted: Option<Value<H>>,
    /// Its other keys, or all keys of a whole message.
    more: Vec<(&'static Key, Value<H>)>,
    whole: Option<Value<H>>,
}

impl<H: Host> Message<H> {
    pub(super) fn new(id: Option<Text<H>>, body: Body) -> Self {
        Self {
            id,
            body,
            role: None,
            words: Words::default(),
            begun: false,
            ended: false,
            chunked: false,
            calls: Vec::new(),
            encrypted: None,
            more: Vec::new(),
            whole: None,
        }
    }

    pub(super) fn whole(id: Text<H>, message: Value<H>) -> Self {
        Self { whole: Some(message), ..Self::new(Some(id), Body::Whole) }
    }

    pub(super) fn id(&self) -> Option<&Text<H>> {
        self.id.as_ref()
    }

    pub(super) fn body(&self) -> Body {
        self.body
    }

    /// Whether its text may continue.
    pub(super) fn is_open(&self, body: Body) -> bool {
        self.body == body && self.begun && !self.ended
    }

    /// Whether its text may still begin, even after calls.
    pub(super) fn may_begin(&self, body: Body) -> bool {
        self.body == body && !self.begun
    }

    /// Whether it may hold calls.
    pub(super) fn may_call(&self) -> bool {
        self.body == Body::Text && self.is_models()
    }

    /// Whether it is the model's.
    pub(super) fn is_models(&self) -> bool {
        self.role.as_ref().is_none_or(|role| role.is(k::ASSISTANT.name, None))
    }

    /// Begins its text, with the keys of its first event.
    pub(super) fn begin<S: Source<H = H>>(
        &mut self,
        role: Option<Text<H>>,
        keys: &mut Keys<'_, S>,
    ) -> Result<(), Error> {
        self.role = role;
        self.begun = true;
        for key in [&k::NAME, &k::METADATA, &SUBAGENT] {
            if let Some(value) = keys.some(key) {
                self.more.push((key, kept(&value)?));
            }
        }
        Ok(())
    }

    pub(super) fn chunked(&mut self) {
        self.chunked = true;
    }

    pub(super) fn push(&mut self, piece: &Text<H>) {
        self.words.push(piece, None);
    }

    pub(super) fn close(&mut self, body: Body) {
        self.ended |= self.body == body;
    }

    /// Ends the message with the run. Returns what had begun and still needed an end event.
    pub(super) fn finish(&mut self, whole: bool, out: &mut Told<H>) -> Result<Option<&'static str>, Error> {
        let text = self.begun && !self.ended && !self.chunked;
        let mut call = false;
        for open in self.calls.iter_mut().filter(|call| !call.ended) {
            call |= !open.chunked;
            open.last(whole, out)?;
        }
        Ok(text.then_some("message").or(call.then_some("call")))
    }

    /// Whether a snapshot's message has the same text and as many calls.
    pub(super) fn agrees(&self, other: &Value<H>) -> Result<bool, Error> {
        let other = Tree(other);
        if let Some(whole) = &self.whole {
            return Ok(Tree(whole)
                .get(&k::CONTENT)
                .zip(other.get(&k::CONTENT))
                .is_none_or(|(mine, theirs)| mine.0.same(theirs.0)));
        }
        let text = self.words.text()?;
        let said =
            other.get(&k::CONTENT).and_then(|said| said.text()).is_none_or(|said| said.wtf8(None) == text.wtf8(None));
        let calls = other.get(&k::TOOL_CALLS).map_or(0, |calls| calls.len());
        Ok(said && calls == self.calls.len())
    }

    /// The id of the call that it answers.
    pub(super) fn answered(&self) -> Option<Vec<u8>> {
        let call = Tree(self.whole.as_ref()?).get(&k::TOOL_CALL_ID)?.text()?;
        Some(call.wtf8(None).into_owned())
    }

    /// The message as an entry of a list of messages.
    pub(super) fn value(&self) -> Result<Value<H>, Error> {
        if let Some(whole) = &self.whole {
            return Ok(whole.share());
        }
        let mut message = Map::default();
        if let Some(id) = &self.id {
            message.put(&k::ID, Value::Text(id.share()));
        }
        let role = self.role.as_ref().map(|role| Value::Text(role.share()));
        message.put(
            &k::ROLE,
            role.unwrap_or_else(|| word(if self.body == Body::Thought { &k::REASONING } else { &k::ASSISTANT })),
        );
        if self.begun || self.calls.is_empty() {
            message.put(&k::CONTENT, self.words.value()?);
        }
        if !self.calls.is_empty() {
            message.put(&k::TOOL_CALLS, list(self.calls.iter().map(Call::value))?);
        }
        message.maybe(&k::ENCRYPTED_VALUE, self.encrypted.as_ref());
        self.more.iter().for_each(|(key, value)| message.put(key, value.share()));
        Ok(message.value())
    }
}

/// A call, as much of it as has arrived.
pub(super) struct Call<H: Host> {
    id: Text<H>,
    name: Text<H>,
    args: Words<H>,
    flow: Flow,
    pub(super) ended: bool,
    pub(super) chunked: bool,
    pub(super) encrypted: Option<Value<H>>,
    more: Vec<(&'static Key, Value<H>)>,
}

impl<H: Host> Call<H> {
    /// Begins a call.
    pub(super) fn new(id: Text<H>, name: Text<H>, out: &mut Told<H>) -> Self {
        let mut flow = Flow::default();
        flow.begin(Some(&id), &name, false, out);
        Self { id, name, args: Words::default(), flow, ended: false, chunked: false, encrypted: None, more: Vec::new() }
    }

    /// Keeps the other keys of its first event.
    pub(super) fn keep<S: Source<H = H>>(&mut self, keys: &mut Keys<'_, S>) -> Result<(), Error> {
        for key in [&k::METADATA, &SUBAGENT] {
            if let Some(value) = keys.some(key) {
                self.more.push((key, kept(&value)?));
            }
        }
        Ok(())
    }

    pub(super) fn push(&mut self, piece: &Text<H>, out: &mut Told<H>) -> Result<(), Error> {
        self.args.push(piece, None);
        if out.is_full() { self.flow.grow(&self.args.bytes(), out) } else { Ok(()) }
    }

    /// Ends the call. Reports it if its arguments are an object or empty.
    pub(super) fn end(&mut self, out: &mut Told<H>) -> Result<(), Error> {
        self.ended = true;
        let bytes = self.args.bytes();
        let args = if says_no_args(&bytes) {
            Some(Args::Value(Raw::Tree(Map::default().value())))
        } else if args_state(&bytes) == ArgsState::Object {
            Some(Args::Text(self.args.text()?))
        } else {
            None
        };
        if let Some(args) = args {
            out.push(Event::Call {
                id: Some(self.id.share()),
                name: self.name.share(),
                args,
                namespace: None,
                form: None,
            });
        }
        self.flow.end(out);
        Ok(())
    }

    /// Ends a call that had no end event. If the run ended well, its arguments are complete.
    fn last(&mut self, whole: bool, out: &mut Told<H>) -> Result<(), Error> {
        // Without any arguments, a call that a broken run leaves open may have lost them.
        let said = !self.args.bytes().trim_ascii().is_empty();
        if whole || said && args_state(&self.args.bytes()) == ArgsState::Object {
            return self.end(out);
        }
        self.flow.end(out);
        Ok(())
    }

    fn value(&self) -> Result<Value<H>, Error> {
        let mut function = Map::default();
        function.put(&k::NAME, Value::Text(self.name.share()));
        function.put(&k::ARGUMENTS, self.args.value()?);
        let mut call = Map::default();
        call.put(&k::ID, Value::Text(self.id.share()));
        call.put(&k::TYPE, word(&k::FUNCTION));
        call.put(&k::FUNCTION, function.value());
        call.maybe(&k::ENCRYPTED_VALUE, self.encrypted.as_ref());
        self.more.iter().for_each(|(key, value)| call.put(key, value.share()));
        Ok(call.value())
    }
}
