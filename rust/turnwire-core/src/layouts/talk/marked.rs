//! Cuts the text of a talk: at the marks of its speakers, and around the JSON in it.

use memchr::{memchr, memchr_iter, memrchr};

use crate::{
    rules::record_layout::{Marks, Speaker},
    value::{Input, NoHost, NodeKind, Source, Tape, door::keys},
};

keys! {
    NAME = "name";
}

/// Whose each piece of a talk is. `None` if it does not begin with a mark.
pub(super) fn cut<'t>(text: &'t [u8], all: &[Marks]) -> Option<Vec<(Speaker, &'t [u8])>> {
    let text = text.trim_ascii();
    let (marks, mut whose, mut from) = all.iter().find_map(|marks| begins(text, marks))?;
    let mut pieces = Vec::new();
    for (start, end, next) in found(text, marks) {
        if start >= from {
            pieces.push((whose, text[from..start].trim_ascii()));
            (whose, from) = (next, end);
        }
    }
    pieces.push((whose, text[from..].trim_ascii()));
    Some(pieces)
}

/// Whether a text is a talk of several speakers.
pub(in crate::layouts) fn is_talk(text: &[u8], all: &[Marks]) -> bool {
    let text = text.trim_ascii();
    let Some((marks, first, _)) = all.iter().find_map(|marks| begins(text, marks)) else { return false };
    found(text, marks).any(|(_, _, whose)| whose != first)
}

/// The list of marks with one of which a text begins, whose that is, and where it ends.
fn begins(text: &[u8], marks: Marks) -> Option<(Marks, Speaker, usize)> {
    marks.iter().find_map(|(mark, whose)| {
        let mark = mark.trim_ascii_start();
        text.starts_with(mark.as_bytes()).then_some((marks, *whose, mark.len()))
    })
}

/// Where each mark begins and ends, and whose it is.
fn found(text: &[u8], marks: Marks) -> impl Iterator<Item = (usize, usize, Speaker)> {
    // The marks of one list begin with the same byte.
    let first = marks.first().and_then(|(mark, _)| mark.bytes().next()).unwrap_or_default();
    memchr_iter(first, text).filter_map(move |at| {
        let here = marks.iter().find(|(mark, _)| text[at..].starts_with(mark.as_bytes()));
        here.map(|(mark, whose)| (at, at + mark.len(), *whose))
    })
}

/// The JSON of a call with which a text begins, and what is behind it.
pub(super) fn called(text: &[u8]) -> Option<(Input, &[u8])> {
    let text = text.trim_ascii_start();
    let end = object_end(text)?;
    let json = Input::new(text[..end].to_vec());
    let json = if is_named(&json) { json } else { Some(unquoted(&text[..end])?).filter(is_named)? };
    Some((json, &text[end..]))
}

/// An object with JSON in single quotes, without these.
fn unquoted(object: &[u8]) -> Option<Input> {
    let (from, to) = (memchr(b'\'', object)?, memrchr(b'\'', object)?);
    let inside = object.get(from + 1..to)?;
    let mut json = object[..from].to_vec();
    for (at, byte) in inside.iter().enumerate() {
        if !(*byte == b'\\' && inside.get(at + 1) == Some(&b'\'')) {
            json.push(*byte);
        }
    }
    json.extend_from_slice(&object[to + 1..]);
    Some(Input::new(json))
}

/// The definitions of tools in a text, as a list, and the rest of the text.
pub(super) fn told(text: &[u8], all: &[Marks]) -> (Vec<u8>, Vec<u8>) {
    let text = text.trim_ascii();
    let begun = all.iter().find_map(|marks| begins(text, marks)).map_or(0, |(_, _, end)| end);
    let (mut tools, mut said) = (b"[".to_vec(), Vec::new());
    let mut rest = &text[begun..];
    let mut from = 0;
    while let Some(at) = memchr(b'{', &rest[from..]).map(|at| from + at) {
        // An object that does not end is text, with all that is behind it.
        let Some(end) = object_end(&rest[at..]).map(|len| at + len) else { break };
        if !is_named(&Input::new(rest[at..end].to_vec())) {
            from = end;
            continue;
        }
        tools.extend_from_slice(if tools.len() > 1 { b"," } else { b"" });
        tools.extend_from_slice(&rest[at..end]);
        said.push(&rest[..at]);
        (rest, from) = (&rest[end..], 0);
    }
    tools.push(b']');
    let is_told = !said.is_empty();
    said.push(rest);
    // A dash leads to the definitions.
    let plain = |said: &[u8]| match said.trim_ascii() {
        all if is_told => all.strip_suffix(b"-").unwrap_or(all).trim_ascii().to_vec(),
        all => all.to_vec(),
    };
    let said: Vec<_> = said.into_iter().map(plain).filter(|said| !said.is_empty()).collect();
    (tools, said.join(&b'\n'))
}

/// Whether JSON is an object with a name.
fn is_named(json: &Input) -> bool {
    let Ok(tape) = Tape::read(json) else { return false };
    let view = tape.view();
    let object = view.root::<NoHost>();
    object.kind() == NodeKind::Map && object.get(&NAME).is_some_and(|name| name.kind() == NodeKind::Text)
}

/// Where the object ends with which a text begins: braces count outside of strings.
fn object_end(text: &[u8]) -> Option<usize> {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for (at, byte) in text.iter().enumerate() {
        match byte {
            _ if std::mem::take(&mut escaped) => {}
            b'\\' => escaped = true,
            b'"' => in_string = !in_string,
            b'{' if !in_string => depth += 1,
            b'}' if !in_string => {
                depth -= 1;
            }
            _ => {}
        }
        if depth == 0 {
            return (at > 0).then_some(at + 1);
        }
    }
    None
}
