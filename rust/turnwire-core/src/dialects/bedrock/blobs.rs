//! Writes a block of Converse with its bytes in the form that a client takes. Everything else in it stays as it came.

use super::{keys as k, media};
use crate::{
    report::Error,
    value::{Host, Raw, Sink, Text, Value, blob::blob_text},
};

/// What a value inside a block is.
#[derive(Clone, Copy)]
enum At {
    Block,
    Blocks,
    Media,
    Source,
    Result,
    Reasoning,
    Bytes,
}

impl At {
    /// What the value of a key is. `None` if there are no bytes in it: the input of a call, JSON in a result.
    fn of(self, key: &str) -> Option<Self> {
        match self {
            Self::Block if media::classes().any(|(_, known)| known.name == key) => Some(Self::Media),
            Self::Block if key == k::GUARD_CONTENT.name => Some(Self::Block),
            Self::Block if key == k::TOOL_RESULT.name => Some(Self::Result),
            Self::Block if key == k::REASONING_CONTENT.name => Some(Self::Reasoning),
            Self::Media if key == k::SOURCE.name => Some(Self::Source),
            Self::Result if key == k::CONTENT.name => Some(Self::Blocks),
            Self::Source if key == k::BYTES.name => Some(Self::Bytes),
            Self::Reasoning if key == k::REDACTED_CONTENT.name => Some(Self::Bytes),
            _ => None,
        }
    }
}

/// Writes a block. `as_bytes`: whether its bytes are bytes of the host, and not base64 text.
pub(super) fn write<H: Host, K: Sink<H>>(out: &mut K, block: &Value<H>, as_bytes: bool) -> Result<(), Error> {
    inside(out, (At::Block, block), as_bytes)
}

fn inside<H: Host, K: Sink<H>>(out: &mut K, (at, value): (At, &Value<H>), as_bytes: bool) -> Result<(), Error> {
    match (at, value) {
        (At::Bytes, Value::Text(text)) if as_bytes => out.text_as_blob(text),
        (At::Bytes, Value::Leaf(leaf)) if !as_bytes && H::blob_len(leaf).is_some() => {
            out.text(&Text::own(&blob_text(&Raw::Tree(value.share()))?));
        }
        (At::Blocks, Value::List(blocks)) => {
            out.open_list();
            blocks.iter().try_for_each(|block| inside(out, (At::Block, block), as_bytes))?;
            out.close();
        }
        (At::Bytes | At::Blocks, _) => out.raw(&Raw::Tree(value.share())),
        (_, Value::Map(entries)) => {
            out.open_map();
            for (key, held) in entries.iter() {
                out.key_text(key);
                match at.of(&key.to_str(None)) {
                    Some(at) => inside(out, (at, held), as_bytes)?,
                    None => out.raw(&Raw::Tree(held.share())),
                }
            }
            out.close();
        }
        _ => out.raw(&Raw::Tree(value.share())),
    }
    Ok(())
}
