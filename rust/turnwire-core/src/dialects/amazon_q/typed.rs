//! Makes the service's own parts of a typed message: the environment, the tools that the model may call, and the model.

use super::keys as k;
use super::{AmazonQ, read::USER};
use crate::{
    model::{Kind, Part},
    report::Place,
    rules::{DialectId, Rules},
    value::{Host, Key, Raw, Text, Value},
};

/// The dialect of these messages.
pub(crate) fn dialect() -> DialectId {
    DialectId::named(AmazonQ::NAME).unwrap_or(DialectId::NONE)
}

/// The environment, for a message's context. Unknown values have no key.
pub(crate) fn env_state<H: Host>(operating_system: Option<&Text<H>>, working_directory: Option<&Text<H>>) -> Part<H> {
    let fields = [(&k::OPERATING_SYSTEM, operating_system), (&k::WORKING_DIRECTORY, working_directory)];
    let known = fields.into_iter().filter_map(|(key, text)| {
        let value = Value::Text(text?.share());
        Some((Text::own(key.name), value))
    });
    part(&k::ENV_STATE, Place::default(), Value::Map(known.collect()))
}

/// The tools that the model may call, for a message's context.
pub(crate) fn tools<H: Host>(tools: Vec<Value<H>>) -> Part<H> {
    part(&k::TOOLS, Place::default(), Value::List(tools.into()))
}

/// The model, beside the content.
pub(crate) fn model<H: Host>(id: &Text<H>) -> Part<H> {
    part(&k::MODEL_ID, Place::key(USER), Value::Text(id.share()))
}

fn part<H: Host>(key: &'static Key, place: Place, value: Value<H>) -> Part<H> {
    Part { origin: Some(Raw::Tree(value)), ..Part::at(place, Kind::Opaque(Text::own(key.name))) }
}
