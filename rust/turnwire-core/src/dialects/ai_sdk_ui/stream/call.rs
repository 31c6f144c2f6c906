//! Assembles a call and its result: its arguments in pieces or as a whole, and what the server's own tool answered.

use super::{INPUT_TEXT, Stream, nowhere, part::Part};
use crate::{
    dialects::ai_sdk_ui::{
        APPROVAL, CALL_METADATA, DYNAMIC_TOOL, ERROR_TEXT, ID, INPUT, OUTPUT, OUTPUT_AVAILABLE, OUTPUT_DENIED,
        OUTPUT_ERROR, PROVIDER_EXECUTED, PROVIDER_METADATA, RAW_INPUT, STATE, TOOL_CALL_ID, TOOL_NAME, TYPE,
        tool::{APPROVAL_REQUESTED, INPUT_AVAILABLE, STREAMING},
    },
    model::{event::Event, tool::Args},
    report::{error::Error, loss::LossCode},
    value::{
        door::{Key, Source, keys},
        handle::{Host, Raw, Text, Value},
        json::{self, read::args_state},
        node::ArgsState,
    },
    wire::{
        read::keys::Keys,
        stream::{
            text::Words,
            told::{Flow, Told},
            whole::{Map, kept, word},
        },
    },
};

keys! {
    DYNAMIC = "dynamic";
    TITLE = "title";
    TOOL_METADATA = "toolMetadata";
    RESULT_METADATA = "resultProviderMetadata";
    PRELIMINARY = "preliminary";
    APPROVAL_ID = "approvalId";
}

/// The state of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
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
    name: Text<H>,
    dynamic: bool,
    /// Whether the provider runs it.
    by_provider: bool,
    stage: Stage,
    pieces: Words<H>,
    flow: Flow,
    input: Option<Value<H>>,
    /// What it returned, or the text of its error.
    answer: Option<Value<H>>,
    approval: Option<Value<H>>,
    /// Its other keys.
    more: Vec<(&'static Key, Value<H>)>,
}

impl<H: Host> Stream<H> {
    /// Takes a chunk of a call. Returns whether it is one.
    pub(super) fn tool<S: Source<H = H>>(
        &mut self,
        kind: &str,
        keys: &mut Keys<'_, S>,
        out: &mut Told<H>,
    ) -> Result<bool, Error> {
        match kind {
            "tool-input-start" | "tool-input-delta" | "tool-input-available" | "tool-input-error" => {
                self.input(kind, keys, out)?;
            }
            "tool-output-available" | "tool-output-error" | "tool-output-denied" | "tool-approval-request" => {
                self.answer(kind, keys)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn call_of(&mut self, id: &Text<H>) -> Option<&mut Call<H>> {
        let at = *self.calls.get(&*id.wtf8(None))?;
        self.parts.get_mut(at).and_then(Part::call)
    }

    /// Takes the arguments of a call, or a piece of them.
    fn input<S: Source<H = H>>(&mut self, kind: &str, keys: &mut Keys<'_, S>, out: &mut Told<H>) -> Result<(), Error> {
        let input = keys.node.input();
        let id = keys.needed_text(&TOOL_CALL_ID)?.detached(input);
        if kind == super::INPUT_DELTA.name {
            let piece = keys.needed_text(&INPUT_TEXT)?.detached(input);
            let call = self.call_of(&id).filter(|call| call.stage == Stage::Streaming);
            let Some(call) = call else { return Err(nowhere(kind, &id, "a call that is open", &TOOL_CALL_ID)) };
            return call.push(&piece, out);
        }
        let starts = kind == super::INPUT_START.name;
        let failed = kind == super::INPUT_ERROR.name;
        let name = keys.needed_text(&TOOL_NAME)?.detached(input);
        let given = if starts { None } else { keys.take(&INPUT) };
        if !starts && !failed && given.is_none() {
            return Err(keys.missing(&INPUT));
        }
        let given = given.map(|given| kept(&given)).transpose()?;
        let error = if failed { Some(Value::Text(keys.needed_text(&ERROR_TEXT)?.detached(input))) } else { None };
        let flag = |keys: &mut Keys<'_, S>, key| keys.some(key).and_then(|mark| mark.bool());
        let (by_provider, dynamic) = (flag(keys, &PROVIDER_EXECUTED), flag(keys, &DYNAMIC));
        let mut more = Vec::new();
        for (from, to) in [(&PROVIDER_METADATA, &CALL_METADATA), (&TITLE, &TITLE), (&TOOL_METADATA, &TOOL_METADATA)] {
            if let Some(value) = keys.some(from) {
                more.push((to, kept(&value)?));
            }
        }
        match self.call_of(&id) {
            Some(_) if starts => return Err(nowhere(kind, &id, "a call that is new", &TOOL_CALL_ID)),
            Some(call) if call.stage != Stage::Streaming => {
                return Err(nowhere(kind, &id, "a call without arguments so far", &TOOL_CALL_ID));
            }
            Some(call) if call.name.wtf8(None) != name.wtf8(None) => {
                let what = format!("a call of the tool {:?}", call.name.to_str(None));
                return Err(nowhere(kind, &id, &what, &TOOL_NAME));
            }
            Some(call) if by_provider.is_some_and(|ran| ran != call.by_provider) => {
                return Err(nowhere(kind, &id, "a call that is run where it began", &PROVIDER_EXECUTED));
            }
            Some(_) => {}
            None => {
                let call = Call::new(id.share(), name, by_provider == Some(true), out);
                self.calls.insert(id.wtf8(None).into_owned(), self.parts.len());
                self.parts.push(Part::Call(Box::new(call)));
            }
        }
        let Some(call) = self.call_of(&id) else { return Ok(()) };
        call.dynamic |= dynamic == Some(true);
        for (key, value) in more {
            call.put(key, value);
        }
        if starts {
            return Ok(());
        }
        (call.input, call.answer) = (given, error);
        call.stage = if failed { Stage::Refused } else { Stage::Available };
        if !call.settle(out)? {
            let reason = "the arguments differ from those that came in pieces";
            self.losses.changed(LossCode::Arguments, reason);
        }
        Ok(())
    }

    /// Takes the result of a call, or the question to the user whether it may run.
    fn answer<S: Source<H = H>>(&mut self, kind: &str, keys: &mut Keys<'_, S>) -> Result<(), Error> {
        let input = keys.node.input();
        let id = keys.needed_text(&TOOL_CALL_ID)?.detached(input);
        let (stage, answer) = match kind {
            "tool-output-available" => {
                let Some(output) = keys.take(&OUTPUT) else { return Err(keys.missing(&OUTPUT)) };
                (Stage::Answered, Some(kept(&output)?))
            }
            "tool-output-error" => (Stage::Failed, Some(Value::Text(keys.needed_text(&ERROR_TEXT)?.detached(input)))),
            "tool-output-denied" => (Stage::Denied, None),
            _ => {
                let mut approval = Map::default();
                approval.put(&ID, Value::Text(keys.needed_text(&APPROVAL_ID)?.detached(input)));
                (Stage::Asked, Some(approval.value()))
            }
        };
        // These keys repeat those of the call.
        let _ = [&PROVIDER_EXECUTED, &DYNAMIC].map(|key| keys.some(key));
        let preliminary = keys.some(&PRELIMINARY).filter(|mark| mark.bool() == Some(true));
        let preliminary = preliminary.map(|mark| kept(&mark)).transpose()?;
        let metadata = keys.some(&PROVIDER_METADATA).map(|metadata| kept(&metadata)).transpose()?;
        let Some(call) = self.call_of(&id) else {
            self.losses.lost(LossCode::Opaque, "its call is in no part of this message");
            return Ok(());
        };
        let may = match stage {
            Stage::Asked => call.stage == Stage::Available,
            Stage::Denied => matches!(call.stage, Stage::Available | Stage::Asked),
            Stage::Failed => !matches!(call.stage, Stage::Streaming | Stage::Denied),
            _ => !matches!(call.stage, Stage::Streaming | Stage::Denied | Stage::Refused),
        };
        if !may {
            return Err(nowhere(kind, &id, "a call that waits for it", &TOOL_CALL_ID));
        }
        if stage == Stage::Asked {
            (call.stage, call.approval) = (stage, answer);
            return Ok(());
        }
        let same = matches!((&call.answer, &answer), (Some(old), Some(new)) if old.same(new));
        let replaced = call.answer.is_some() && !same;
        // A call with wrong arguments keeps that state.
        call.stage = if call.stage == Stage::Refused { Stage::Refused } else { stage };
        call.answer = answer;
        call.more.retain(|(key, _)| key.name != PRELIMINARY.name);
        for (key, value) in [(&PRELIMINARY, preliminary), (&RESULT_METADATA, metadata)] {
            if let Some(value) = value {
                call.put(key, value);
            }
        }
        if replaced {
            self.losses.changed(LossCode::Opaque, "it replaces the answer before");
        }
        Ok(())
    }
}

impl<H: Host> Call<H> {
    /// Begins a call. One that the provider runs is not reported.
    fn new(id: Text<H>, name: Text<H>, by_provider: bool, out: &mut Told<H>) -> Self {
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

    fn put(&mut self, key: &'static Key, value: Value<H>) {
        self.more.retain(|(other, _)| other.name != key.name);
        self.more.push((key, value));
    }

    fn push(&mut self, piece: &Text<H>, out: &mut Told<H>) -> Result<(), Error> {
        self.pieces.push(piece, None);
        if out.is_full() { self.flow.grow(&self.pieces.bytes(), out) } else { Ok(()) }
    }

    /// Completes the arguments. Returns whether they equal those that arrived in pieces.
    fn settle(&mut self, out: &mut Told<H>) -> Result<bool, Error> {
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
            out.push(Event::Call { id: Some(self.id.share()), name: self.name.share(), args });
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
            part.put(&TYPE, word(&DYNAMIC_TOOL));
            part.put(&TOOL_NAME, Value::Text(self.name.share()));
        } else {
            part.put(&TYPE, Value::Text(H::text(&[b"tool-", &*self.name.wtf8(None)].concat())?));
        }
        part.put(&TOOL_CALL_ID, Value::Text(self.id.share()));
        let state = match self.stage {
            Stage::Streaming => STREAMING,
            Stage::Available => INPUT_AVAILABLE,
            Stage::Asked => APPROVAL_REQUESTED,
            Stage::Denied => OUTPUT_DENIED.name,
            Stage::Answered => OUTPUT_AVAILABLE.name,
            Stage::Refused | Stage::Failed => OUTPUT_ERROR.name,
        };
        part.put(&STATE, Value::Text(Text::own(state)));
        if self.stage == Stage::Streaming {
            part.put(&INPUT, self.so_far()?);
        } else {
            let raw = self.stage == Stage::Refused && !self.dynamic;
            part.maybe(if raw { &RAW_INPUT } else { &INPUT }, self.input.as_ref());
        }
        let key = if self.stage == Stage::Answered { &OUTPUT } else { &ERROR_TEXT };
        part.maybe(key, self.answer.as_ref());
        if self.by_provider {
            part.put(&PROVIDER_EXECUTED, Value::Bool(true));
        }
        part.maybe(&APPROVAL, self.approval.as_ref());
        self.more.iter().for_each(|(key, value)| part.put(key, value.share()));
        Ok(part.value())
    }

    /// The arguments that have arrived. An object that is complete so far may still continue, so nothing may run it. It
    /// is a value here, because readers take the value of a streaming call for the beginning of one.
    fn so_far(&self) -> Result<Value<H>, Error> {
        let text = self.pieces.bytes();
        match args_state(&text) {
            ArgsState::Object => Ok(json::read::value(&text).unwrap_or_else(|_| Map::default().value())),
            _ => self.pieces.value(),
        }
    }
}
