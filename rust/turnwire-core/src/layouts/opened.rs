//! Opens the JSON texts of a record: what is in them stands in place of the text, and so at the same path.

use super::ways::{Hop, Way, Ways};
use crate::{
    report::Error,
    value::{Input, NodeKind, Source, Tape, json::encode},
};

/// The record with its JSON texts opened. `None` if it has none.
pub(super) fn opened<S: Source>(record: &S, json: &Ways) -> Result<Option<Input>, Error> {
    let ways: Vec<_> = json.iter().map(Way::hops).collect();
    if ways.is_empty() {
        return Ok(None);
    }
    let (mut out, mut found) = (Vec::new(), false);
    open(record, &ways, &mut out, &mut found)?;
    Ok(found.then(|| Input::new(out)))
}

/// Writes a value. A way goes into each item of a list.
fn open<S: Source>(node: &S, ways: &[&[Hop]], out: &mut Vec<u8>, found: &mut bool) -> Result<(), Error> {
    match node.kind() {
        NodeKind::Text if ways.iter().any(|way| way.is_empty()) => {
            if let Some(json) = json_in(node) {
                *found = true;
                out.extend_from_slice(json.bytes().trim_ascii());
                return Ok(());
            }
        }
        NodeKind::Map if !ways.is_empty() => {
            out.push(b'{');
            for (index, (key, value)) in node.entries().enumerate() {
                out.extend_from_slice(if index > 0 { b"," } else { b"" });
                encode::text(&key, node.input(), out);
                out.push(b':');
                let name = key.to_str(node.input());
                let inside = ways.iter().filter_map(|way| match way.split_first()? {
                    (Hop::Key(key), rest) if key.name == name => Some(rest),
                    _ => None,
                });
                open(&value, &inside.collect::<Vec<_>>(), out, found)?;
            }
            out.push(b'}');
            return Ok(());
        }
        NodeKind::List if !ways.is_empty() => {
            out.push(b'[');
            for (index, item) in node.items().enumerate() {
                out.extend_from_slice(if index > 0 { b"," } else { b"" });
                open(&item, ways, out, found)?;
            }
            out.push(b']');
            return Ok(());
        }
        _ => {}
    }
    encode::raw(&node.raw(), node.input(), out).map(|_| ())
}

/// The JSON in a text, if it is an object or a list.
pub(super) fn json_in<S: Source>(node: &S) -> Option<Input> {
    let text = node.text()?;
    let json = text.wtf8(node.input());
    matches!(json.trim_ascii_start().first(), Some(b'{' | b'[')).then_some(())?;
    let json = Input::new(json.into_owned());
    Tape::read(&json).ok()?;
    Some(json)
}
