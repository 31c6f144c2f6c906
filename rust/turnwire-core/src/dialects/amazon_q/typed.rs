//! What of a typed message only this service knows: where it was written, which tools the model may call, and which model.

use super::{AmazonQ, CONTEXT_TOOLS, ENV_STATE, MODEL_ID, OPERATING_SYSTEM, WORKING_DIRECTORY, read::USER};
use crate::{
    model::part::{Kind, Part},
    report::path::Place,
    rules::{dialect_id::DialectId, facts::Rules},
    value::{
        door::Key,
        handle::{Host, Raw, Text, Value},
    },
};

/// The dialect whose messages they are.
pub(crate) fn dialect() -> DialectId {
    DialectId::named(AmazonQ::NAME).unwrap_or(DialectId::NONE)
}

/// Where the message was written, for its context. What is not known has no key.
pub(crate) fn env_state<H: Host>(operating_system: Option<&Text<H>>, working_directory: Option<&Text<H>>) -> Part<H> {
    let fields = [(&OPERATING_SYSTEM, operating_system), (&WORKING_DIRECTORY, working_directory)];
    let known = fields.into_iter().filter_map(|(key, text)| {
        let value = Value::Text(text?.share());
        Some((Text::own(key.name), value))
    });
    part(&ENV_STATE, Place::default(), Value::Map(known.collect()))
}

/// The tools that the model may call, for its context.
pub(crate) fn tools<H: Host>(tools: Vec<Value<H>>) -> Part<H> {
    part(&CONTEXT_TOOLS, Place::default(), Value::List(tools.into()))
}

/// The model, beside the content.
pub(crate) fn model<H: Host>(id: &Text<H>) -> Part<H> {
    part(&MODEL_ID, Place::key(USER), Value::Text(id.share()))
}

fn part<H: Host>(key: &'static Key, place: Place, value: Value<H>) -> Part<H> {
    Part { origin: Some(Raw::Tree(value)), ..Part::at(place, Kind::Opaque(Text::own(key.name))) }
}
