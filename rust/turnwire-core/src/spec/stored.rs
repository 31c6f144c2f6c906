//! A line of a stored history: one turn as its own dialect writes it, and the name of that dialect.
//!
//! `{"dialect": "openai", "element": {…}}` is a turn. `{"clear": true}` removes all turns before it. A third key,
//! `bytes`, lists the paths of base64 texts in the element that were bytes of the host, so that the host can restore
//! them. `"tool_results": true` says that the user's message is a result.

use crate::k;
use std::sync::Arc;

use crate::{
    dialects,
    model::Turn,
    report::{Error, Trail, error::Code},
    rules::DialectId,
    value::{
        Host, Input, NodeKind, Raw, Source, Tape, Value,
        door::keys,
        json::{self, encode},
    },
};

keys! {
    TOOL_RESULTS = "tool_results";
}

/// The content of a line.
#[derive(Debug)]
pub enum Line<H: Host> {
    /// A turn.
    Turn(Arc<Turn<H>>),
    /// A turn with bytes, which JSON cannot hold.
    Blobs,
    /// All turns so far are removed.
    Clear,
}

/// Writes a turn as a line, with the line end. `None` for a turn that JSON cannot hold unchanged: it has lone
/// surrogates or bytes, or no wire value of its own.
pub fn write<H: Host>(turn: &Turn<H>) -> Result<Option<Vec<u8>>, Error> {
    let (Some(origin), input) = (origin(turn), turn.input.as_ref()) else { return Ok(None) };
    if matches!(origin, Raw::Tree(value) if has_blobs(value)) {
        return Ok(None);
    }
    let mut line = Vec::new();
    line.extend_from_slice(b"{");
    k::DIALECT.write(false, &mut line);
    json::escape::string(crate::text::Units::Utf8(turn.from.name().as_bytes()), &mut line);
    if dialects::registry::has_results_in_text(turn, turn.from) {
        TOOL_RESULTS.write(true, &mut line);
        line.extend_from_slice(b"true");
    }
    k::ELEMENT.write(true, &mut line);
    let before = line.len();
    if encode::raw(origin, input, &mut line)? > 0 {
        return Ok(None);
    }
    if memchr::memchr2(b'\n', b'\r', &line[before..]).is_some() {
        // Line breaks are white space between tokens here, because inside strings they are escaped.
        line.retain(|byte| !matches!(byte, b'\n' | b'\r'));
    }
    line.extend_from_slice(b"}\n");
    Ok(Some(line))
}

/// The wire value of a turn that has not changed since it was read, with its entity.
#[must_use]
pub fn origin<H: Host>(turn: &Turn<H>) -> Option<&Raw<H>> {
    let origin = turn.entity.as_ref().map(|entity| &entity.origin).or(turn.origin.as_ref());
    origin.filter(|_| !turn.touched)
}

fn has_blobs<H: Host>(value: &Value<H>) -> bool {
    match value {
        Value::Leaf(leaf) => H::leaf_kind(leaf) == NodeKind::Blob,
        Value::List(items) => items.iter().any(has_blobs),
        Value::Map(entries) => entries.iter().any(|(_, value)| has_blobs(value)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) => false,
    }
}

/// Reads a line as the turn at `index`. An error's path begins at the line.
pub fn read<H: Host>(line: &Input, index: usize) -> Result<Line<H>, Error> {
    let tape = Tape::read(line)?;
    let view = tape.view();
    let root = view.root::<H>();
    if root.get(&k::CLEAR).and_then(|clear| clear.bool()) == Some(true) {
        return Ok(Line::Clear);
    }
    let (Some(name), Some(element)) = (root.get(&k::DIALECT).and_then(|name| name.text()), root.get(&k::ELEMENT))
    else {
        let text = format!("expected {{\"dialect\": name, \"element\": message}}, got {}", root.describe());
        return Err(Error::new(Code::BadHistory, text));
    };
    let dialect = DialectId::named(&name.to_str(Some(line)))?;
    if root.get(&k::BYTES).is_some() {
        return Ok(Line::Blobs);
    }
    let under = |error: Error| {
        let path = Trail::ROOT.key(k::ELEMENT.name).to_path().join(error.path());
        error.at_path(path)
    };
    let mut turn = dialects::registry::parse_turn(&element, index, dialect).map_err(under)?;
    if root.get(&TOOL_RESULTS).and_then(|wanted| wanted.bool()) == Some(true) {
        dialects::registry::read_results_in_text(&mut turn)?;
    }
    Ok(Line::Turn(Arc::new(turn)))
}
