//! Takes the chunks of calls: their arguments, their results, and questions whether they may run.

use super::{
    super::keys as k,
    Stream,
    call::{Call, Stage},
    nowhere,
    part::Part,
};
use crate::{
    report::{Edit, Error},
    value::{Host, Source, Text, Value, door::keys},
    wire::{
        read::Keys,
        stream::{Map, Told, whole::kept},
    },
};

keys! {
    DYNAMIC = "dynamic";
    TOOL_METADATA = "toolMetadata";
    RESULT_METADATA = "resultProviderMetadata";
    PRELIMINARY = "preliminary";
    APPROVAL_ID = "approvalId";
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
        let id = keys.needed_text(&k::TOOL_CALL_ID)?.detached(input);
        if kind == k::INPUT_DELTA.name {
            let piece = keys.needed_text(&k::INPUT_TEXT)?.detached(input);
            let call = self.call_of(&id).filter(|call| call.stage == Stage::Streaming);
            let Some(call) = call else { return Err(nowhere(kind, &id, "a call that is open", &k::TOOL_CALL_ID)) };
            return call.push(&piece, out);
        }
        let starts = kind == k::INPUT_START.name;
        let failed = kind == k::INPUT_ERROR.name;
        let name = keys.needed_text(&k::TOOL_NAME)?.detached(input);
        let given = if starts { None } else { keys.take(&k::INPUT) };
        if !starts && !failed && given.is_none() {
            return Err(keys.missing(&k::INPUT));
        }
        let given = given.map(|given| kept(&given)).transpose()?;
        let error = if failed { Some(Value::Text(keys.needed_text(&k::ERROR_TEXT)?.detached(input))) } else { None };
        let flag = |keys: &mut Keys<'_, S>, key| keys.some(key).and_then(|mark| mark.bool());
        let (by_provider, dynamic) = (flag(keys, &k::PROVIDER_EXECUTED), flag(keys, &DYNAMIC));
        let mut more = Vec::new();
        for (from, to) in
            [(&k::PROVIDER_METADATA, &k::CALL_METADATA), (&k::TITLE, &k::TITLE), (&TOOL_METADATA, &TOOL_METADATA)]
        {
            if let Some(value) = keys.some(from) {
                more.push((to, kept(&value)?));
            }
        }
        match self.call_of(&id) {
            Some(_) if starts => return Err(nowhere(kind, &id, "a call that is new", &k::TOOL_CALL_ID)),
            Some(call) if call.stage != Stage::Streaming => {
                return Err(nowhere(kind, &id, "a call without arguments so far", &k::TOOL_CALL_ID));
            }
            Some(call) if call.name.wtf8(None) != name.wtf8(None) => {
                let what = format!("a call of the tool {:?}", call.name.to_str(None));
                return Err(nowhere(kind, &id, &what, &k::TOOL_NAME));
            }
            Some(call) if by_provider.is_some_and(|ran| ran != call.by_provider) => {
                return Err(nowhere(kind, &id, "a call that is run where it began", &k::PROVIDER_EXECUTED));
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
            self.losses.changed(Edit::Arguments, reason);
        }
        Ok(())
    }

    /// Takes the result of a call, or the question to the user whether it may run.
    fn answer<S: Source<H = H>>(&mut self, kind: &str, keys: &mut Keys<'_, S>) -> Result<(), Error> {
        let input = keys.node.input();
        let id = keys.needed_text(&k::TOOL_CALL_ID)?.detached(input);
        let (stage, answer) = match kind {
            "tool-output-available" => {
                let Some(output) = keys.take(&k::OUTPUT) else { return Err(keys.missing(&k::OUTPUT)) };
                (Stage::Answered, Some(kept(&output)?))
            }
            "tool-output-error" => {
                (Stage::Failed, Some(Value::Text(keys.needed_text(&k::ERROR_TEXT)?.detached(input))))
            }
            "tool-output-denied" => (Stage::Denied, None),
            _ => {
                let mut approval = Map::default();
                approval.put(&k::ID, Value::Text(keys.needed_text(&APPROVAL_ID)?.detached(input)));
                (Stage::Asked, Some(approval.value()))
            }
        };
        // These keys repeat those of the call.
        let _ = [&k::PROVIDER_EXECUTED, &DYNAMIC].map(|key| keys.some(key));
        let preliminary = keys.some(&PRELIMINARY).filter(|mark| mark.bool() == Some(true));
        let preliminary = preliminary.map(|mark| kept(&mark)).transpose()?;
        let metadata = keys.some(&k::PROVIDER_METADATA).map(|metadata| kept(&metadata)).transpose()?;
        let Some(call) = self.call_of(&id) else {
            self.losses.lost(Edit::Opaque, "its call is in no part of this message");
            return Ok(());
        };
        let may = match stage {
            Stage::Asked => call.stage == Stage::Available,
            Stage::Denied => matches!(call.stage, Stage::Available | Stage::Asked),
            Stage::Failed => !matches!(call.stage, Stage::Streaming | Stage::Denied),
            _ => !matches!(call.stage, Stage::Streaming | Stage::Denied | Stage::Refused),
        };
        if !may {
            return Err(nowhere(kind, &id, "a call that waits for it", &k::TOOL_CALL_ID));
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
            self.losses.changed(Edit::Opaque, "it replaces the answer before");
        }
        Ok(())
    }
}
