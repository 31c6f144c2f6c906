//! Reads a conversation from any value: one of our objects, plain data or JSON.

use pyo3::{prelude::*, types::PyString};
use turnwire_core::{
    check, convert as core,
    detect::{ReadAs, Reading},
    model::conversation,
    report::loss::{Options, PLAIN},
    report::{
        Receipt as Checked,
        error::{Code, Error},
    },
    rules::dialect_id::DialectId,
    stage::Inputs,
    value::{Source, json::tape::Tape, tree::Tree},
};

use super::Conversation;
use crate::{
    convert::Payload, error::raise, freeze, host::PyHost, item, ours::conversation_of, receipt::Receipt,
    share::OwnElements,
};

impl Conversation {
    /// The conversation that an object has, or that its payload is read into. `before`: how the messages were read that
    /// it begins with. `own`: where the payload's elements are kept, if any may be handed on.
    pub(crate) fn shared_or_read(
        messages: &Bound<'_, PyAny>,
        reading: Reading,
        before: &ReadAs,
        own: Option<&mut OwnElements>,
    ) -> PyResult<conversation::Conversation<PyHost>> {
        match conversation_of(messages)? {
            Some(conversation) => Ok(conversation.get().inner.share()),
            None => Ok(Self::read(messages, reading, before, own)?.inner),
        }
    }

    /// The conversation as a Python object. A `Conversation` is returned itself.
    pub(super) fn of<'py>(messages: &Bound<'py, PyAny>, reading: Reading) -> PyResult<Bound<'py, Self>> {
        match conversation_of(messages)? {
            Some(conversation) => Ok(conversation),
            None => Bound::new(messages.py(), Self::read(messages, reading, &ReadAs::default(), None)?),
        }
    }

    pub(super) fn read(
        payload: &Bound<'_, PyAny>,
        reading: Reading,
        before: &ReadAs,
        own: Option<&mut OwnElements>,
    ) -> PyResult<Self> {
        let fault = |error: Error| {
            let prose = error.code() == Code::InvalidJson && payload.is_instance_of::<PyString>();
            let error = if prose { error.saying("; put the user's text into a list: [text]") } else { error };
            raise(reading.unread(error))
        };
        let inner = match Payload::new(payload)? {
            Payload::Json(input) => {
                // Keeps the GIL: the turns hold no Python object yet, but their type allows one.
                let tape = Tape::read(&input).map_err(fault)?;
                core::parse_payload(&tape.view().root::<PyHost>(), reading, &|_| None, before)
            }
            Payload::Object(root) => {
                let frozen = freeze::payload(&root).map_err(fault)?;
                let read = core::parse_payload(&Tree(&frozen), reading, &item::in_frozen, before);
                if let (Some(own), Ok(read)) = (own, &read) {
                    *own = OwnElements::of(&root, &frozen, read).map_err(raise)?;
                }
                read
            }
        };
        Ok(inner.map_err(raise)?.into())
    }

    /// The check of a record that a layout reads, which is a row. `None` if no layout does.
    pub(crate) fn check_record(
        payload: &Bound<'_, PyAny>,
        reading: Reading,
        target: Option<DialectId>,
    ) -> PyResult<Option<Receipt>> {
        let rendering = Options { row: true, ..PLAIN.clone() };
        let inputs = Inputs { target, rendering: &rendering, keep_open: true, ..Inputs::default() };
        let find = |conversation: &conversation::Conversation<PyHost>| check::check(conversation, &inputs);
        match Payload::new(payload)? {
            Payload::Json(input) => {
                let tape = Tape::read(&input).map_err(raise)?;
                check_in(&tape.view().root::<PyHost>(), reading, find)
            }
            Payload::Object(root) => check_in(&Tree(&freeze::payload(&root).map_err(raise)?), reading, find),
        }
    }
}

fn check_in<S: Source<H = PyHost>>(
    record: &S,
    reading: Reading,
    find: impl Fn(&conversation::Conversation<PyHost>) -> Checked,
) -> PyResult<Option<Receipt>> {
    let Some(read) = core::Record::of(record, reading).map_err(raise)? else { return Ok(None) };
    let (conversation, places) = read.conversation();
    let mut found = find(&conversation);
    for change in &mut found.changes {
        change.put_at(places.of(&change.path));
    }
    Ok(Some(Receipt(found)))
}
