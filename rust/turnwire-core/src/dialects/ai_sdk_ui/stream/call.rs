//! Holds a call and its result: its arguments in pieces or as a whole, and what the server's own tool answered.

use super::super::keys as k;
use crate::{
    dialects::ai_sdk_ui::tool::{APPROVAL_REQUESTED, INPUT_AVAILABLE, STREAMING},
    model::{Args, Event},
    report::Error,
    value::{
        ArgsState, Host, Key, Raw, Text, Value,
        json::{
            self,
            read::{args_state, says_no_args},
        },
    },
    wire::stream::{Flow, Map, Told, Words, whole::word},
};

/// The state of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Its arguments are arriving.
    Streaming,
    /// Its arguments are complete.
    Available,
    /// Its arguments were wrong, so it failed.
    Refused,
    /// The user is asked for approval.
    Asked,
    /// The user denied it.
    Denied,
    Answered,
    Failed,
}

/// A call, as much of it as has arrived.
pub(super) struct Call<H: Host> {
    id: Text<H>,
    pub(super) name: Text<H>,
    pub(super) dynamic: bool,
    /// Whether the provider runs it.
    pub(super) by_provider: bool,
    pub(super) stage: Stage,
    pieces: Words<H>,
    flow: Flow,
    pub(super) input: Option<Value<H>>,
    /// What it returned, or the text of its error.
    pub(super) answer: Option<Value<H>>,
    pub(super) approval: Option<Value<H>>,
    /// Its other keys.
    pub(super) more: Vec<(&'static Key, Value<H>)>,
}

impl<H: Host> Call<H> {
    /// Begins a call. One that the provider runs is not reported.
    pub(super) fn new(id: Text<H>, name: Text<H>, by_provider: bool, out: &mut Told<H>) -> Self {
        let mut flow = Flow::default();
        if by_provider {
            out.divide();
        } else {
            flow.begin(Some(&id), &name, false, out);
        }
        Self {
            id,
            name,
            dynamic: false,
            by_provider,
            stage: Stage::Streaming,
            pieces: Words::default(),
            flow,
            input: None,
            answer: None,
            approval: None,
            more: Vec::new(),
        }
    }

    pub(super) fn put(&mut self, key: &'static Key, value: Value<H>) {
        self.more.retain(|(other, _)| other.name != key.name);
        self.more.push((key, value));
    }

    pub(super) fn push(&mut self, piece: &Text<H>, out: &mut Told<H>) -> Result<(), Error> {
        self.pieces.push(piece, None);
        if out.is_full() { self.flow.grow(&self.pieces.bytes(), out) } else { Ok(()) }
    }

    /// Completes the arguments. Returns whether they equal those that arrived in pieces.
    pub(super) fn settle(&mut self, out: &mut Told<H>) -> Result<bool, Error> {
        let args = match &self.input {
            None | Some(Value::Null) => Args::Value(Raw::Tree(Map::default().value())),
            Some(Value::Text(text)) => Args::Text(text.share()),
            Some(other) => Args::Value(Raw::Tree(other.share())),
        };
        let pieces = self.pieces.bytes().into_owned();
        let same = match &args {
            _ if pieces.trim_ascii().is_empty() => {
                let mut text = Vec::new();
                match &args {
                    Args::Text(words) => text.extend_from_slice(&words.wtf8(None)),
                    Args::Value(raw) => {
                        json::encode::raw(raw, None, &mut text)?;
                    }
                }
                self.flow.grow(&text, out)?;
                true
            }
            Args::Text(text) => *text.wtf8(None) == *pieces,
            Args::Value(raw) => json::read::value(&pieces)
                .is_ok_and(|said: Value<H>| raw.to_value(None).is_ok_and(|raw| raw.same(&said))),
        };
        if !self.by_provider && self.stage == Stage::Available && args.state(None) == ArgsState::Object {
            out.push(Event::Call {
                id: Some(self.id.share()),
                name: self.name.share(),
                args,
                namespace: None,
                form: None,
            });
        }
        self.flow.end(out);
        Ok(same)
    }

    /// Ends the call with the stream.
    pub(super) fn close(&mut self, out: &mut Told<H>) {
        self.flow.end(out);
    }

    /// The call as a part of the message.
    pub(super) fn value(&self) -> Result<Value<H>, Error> {
        let mut part = Map::default();
        if self.dynamic {
            part.put(&k::TYPE, word(&k::DYNAMIC_TOOL));
            part.put(&k::TOOL_NAME, Value::Text(self.name.share()));
        } else {
            part.put(&k::TYPE, Value::Text(H::text(&[b"tool-", &*self.name.wtf8(None)].concat())?));
        }
        part.put(&k::TOOL_CALL_ID, Value::Text(self.id.share()));
        let state = match self.stage {
            Stage::Streaming => STREAMING,
            Stage::Available => INPUT_AVAILABLE,
            Stage::Asked => APPROVAL_REQUESTED,
            Stage::Denied => k::OUTPUT_DENIED.name,
            Stage::Answered => k::OUTPUT_AVAILABLE.name,
            Stage::Refused | Stage::Failed => k::OUTPUT_ERROR.name,
        };
        part.put(&k::STATE, Value::Text(Text::own(state)));
        if self.stage == Stage::Streaming {
            part.put(&k::INPUT, self.so_far()?);
        } else {
            let raw = self.stage == Stage::Refused && !self.dynamic;
            part.maybe(if raw { &k::RAW_INPUT } else { &k::INPUT }, self.input.as_ref());
        }
        let key = if self.stage == Stage::Answered { &k::OUTPUT } else { &k::ERROR_TEXT };
        part.maybe(key, self.answer.as_ref());
        if self.by_provider {
            part.put(&k::PROVIDER_EXECUTED, Value::Bool(true));
        }
        part.maybe(&k::APPROVAL, self.approval.as_ref());
        self.more.iter().for_each(|(key, value)| part.put(key, value.share()));
        Ok(part.value())
    }

    /// The arguments that have arrived. An object that is complete so far may still continue, so nothing may run it. It
    /// is a value here, because readers take the value of a streaming call for the beginning of one.
    fn so_far(&self) -> Result<Value<H>, Error> {
        let text = self.pieces.bytes();
        match args_state(&text) {
            ArgsState::Object if says_no_args(&text) => Ok(Map::default().value()),
            ArgsState::Object => Ok(json::read::value(&text).unwrap_or_else(|_| Map::default().value())),
            _ => self.pieces.value(),
        }
    }
}
