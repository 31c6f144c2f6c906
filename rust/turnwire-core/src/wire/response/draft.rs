//! Holds a whole reply whose messages are already written, with everything that its format needs to write the rest.

use super::{
    around::Around,
    closing::{Closing, FailureWords},
};
use crate::{
    value::{Host, Key, Text, Tree, Value, ValueSink},
    wire::stream::whole::object,
};

/// A reply for its format's [`response`](crate::wire::format::Reply::response).
pub(crate) struct Draft<H: Host> {
    pub(crate) around: Around<H>,
    /// Whether the reply came in the target's own format.
    pub(crate) own: bool,
    /// The messages or items, in the form of the format's requests.
    pub(crate) messages: Vec<Value<H>>,
    /// The reasoning beside the content, and its key.
    pub(crate) thoughts: Option<(&'static Key, Text<H>)>,
    /// The refusal, if a reply of the same format has it beside its content.
    pub(crate) refusal: Option<Text<H>>,
    pub(crate) closing: Closing<H>,
    /// The error, if the format has a kind of reply for that.
    pub(crate) failure: Option<FailureWords<H>>,
}

impl<H: Host> Draft<H> {
    /// The only message of a format with one message in a reply.
    pub(crate) fn message(&self) -> Option<&Value<H>> {
        self.messages.last()
    }
}

/// Content as a list: one text becomes a separate block, whose keys `block` writes.
pub(crate) fn listed<H: Host>(
    content: Option<Tree<'_, H>>,
    block: impl FnOnce(&Text<H>, &mut ValueSink<H>),
) -> Value<H> {
    match content.map(|content| content.0) {
        Some(Value::Text(text)) if !text.is_empty() => Value::List([object(|out| block(text, out))].into()),
        Some(Value::List(items)) => Value::List(items.clone()),
        _ => Value::List([].into()),
    }
}
