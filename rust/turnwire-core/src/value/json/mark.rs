//! Adds marks to JSON that is already written. All other bytes stay the same.

use super::tape::{Tape, TapeSource};
use crate::{
    report::Error,
    value::{Host, Input, Key, Marks, Source, Spot, TEXT, TYPE},
};

/// The JSON with the marks.
pub(super) fn marked<H: Host>(json: Vec<u8>, marks: &mut impl Marks<H>) -> Result<Vec<u8>, Error> {
    let tape = Tape::read(&Input::new(json))?;
    let view = tape.view();
    let (key, kind) = marks.mark();
    let mut added = Vec::new();
    for spot in marks.spots(&view.root::<H>()) {
        add(&spot, &entry(key, kind), &mut added);
    }
    added.sort_by_cached_key(|(at, _)| *at);
    let (mut rest, mut from) = (tape.input().bytes(), 0);
    let mut out = Vec::with_capacity(rest.len() + added.iter().map(|(_, text)| text.len()).sum::<usize>());
    for (at, text) in added {
        let (before, behind) = rest.split_at_checked(at - from).unwrap_or((rest, &[]));
        out.extend_from_slice(before);
        out.extend_from_slice(text.as_bytes());
        (rest, from) = (behind, at);
    }
    out.extend_from_slice(rest);
    Ok(out)
}

/// The entry `"key":{"type":"kind"}`.
fn entry(key: &Key, kind: &Key) -> String {
    format!("\"{}\":{{\"{}\":\"{}\"}}", key.name, TYPE.name, kind.name)
}

/// The texts that a mark adds, each with its offset.
fn add<H: Host>(spot: &Spot<TapeSource<'_, H>>, entry: &str, added: &mut Vec<(usize, String)>) {
    match spot {
        Spot::Key(object) => {
            let comma = if object.is_empty() { "" } else { "," };
            added.push((object.end() - 1, format!("{comma}{entry}")));
        }
        Spot::Behind(list, index) => {
            added.extend(list.items().nth(*index).map(|item| (item.end(), format!(",{{{entry}}}"))));
        }
        Spot::Text(object, key) => {
            if let Some(text) = object.get(key) {
                added.push((text.start(), format!("[{{\"{}\":\"{1}\",\"{1}\":", TYPE.name, TEXT.name)));
                added.push((text.end(), format!(",{entry}}}]")));
            }
        }
    }
}
