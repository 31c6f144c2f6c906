//! Tables for notebooks: plain HTML with every text escaped, and with a limited number of rows.

use pyo3::{prelude::*, pybacked::PyBackedStr, types::PyString};
use turnwire_core::{
    model::{
        part::{Kind, Part},
        tool::{Args, Call, Content},
        turn::Turn,
    },
    prefix,
    report::receipt,
    value::handle::{Input, Text},
};

use crate::host::PyHost;

/// The limits of a table: rows, and characters of a text.
const ROWS: usize = 100;
const CHARACTERS: usize = 200;

/// A row for each turn: where it is, who speaks, what they say.
pub(crate) fn conversation<'a>(title: &str, turns: impl ExactSizeIterator<Item = &'a Turn<PyHost>>) -> String {
    let rows = turns.enumerate().map(|(index, turn)| {
        let said: Vec<_> = turn.parts.iter().map(|part| part_of(part, turn.input.as_ref())).collect();
        vec![index.to_string(), turn.role.name().to_owned(), said.join("\n")]
    });
    table(title, &["", "role", "parts"], rows)
}

/// A row for each change.
pub(crate) fn receipt(title: &str, receipt: &receipt::Receipt) -> String {
    let rows = receipt.changes.iter().map(|change| {
        let bytes = change.bytes.map_or_else(String::new, |(before, after)| format!("{before} → {after}"));
        let id = match (&change.id, &change.new_id) {
            (Some(id), Some(new)) => format!(" ({id} → {new})"),
            (Some(id), None) => format!(" ({id})"),
            _ => String::new(),
        };
        let place = format!("{}{id}", change.path);
        vec![change.kind.name().to_owned(), change.code.name().to_owned(), place, bytes, change.says()]
    });
    table(title, &["kind", "code", "where", "bytes", "what"], rows)
}

/// A row for each attribute that has a value; the class is the title. An object without attributes to show is its `repr`.
pub(crate) fn object(object: &Bound<'_, PyAny>, names: &[&str]) -> PyResult<String> {
    let mut rows = Vec::with_capacity(names.len());
    for name in names {
        // A class has variants, and not each of them has every attribute.
        if let Some(value) = object.getattr_opt(name)?.filter(|value| !value.is_none()) {
            rows.push(vec![(*name).to_owned(), attribute(name, &value)?]);
        }
    }
    let title = if names.is_empty() { object.repr()?.to_string() } else { object.get_type().qualname()?.to_string() };
    Ok(table(title.trim_matches(['<', '>']), &[], rows.into_iter()))
}

/// The same for classes in Python.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "what is extracted is owned")]
pub(crate) fn _html(value: &Bound<'_, PyAny>, names: Vec<PyBackedStr>) -> PyResult<String> {
    object(value, &names.iter().map(|name| &**name).collect::<Vec<_>>())
}

/// The beginning of an attribute's text, on one line. Of media data, the length.
fn attribute(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    if name == "data" {
        let unit = if value.is_instance_of::<PyString>() { "characters of base64" } else { "bytes" };
        return Ok(format!("{} {unit}", value.len()?));
    }
    let said = value.str()?;
    let said = said.to_string_lossy();
    let (head, more) = match said.char_indices().nth(CHARACTERS) {
        Some((end, _)) => (&said[..end], "…"),
        None => (&*said, ""),
    };
    Ok(one_line(head) + more)
}

/// The differences between two requests, with a row for each cost.
pub(crate) fn diff(diff: &prefix::Diff) -> String {
    let said = diff.to_string();
    let mut lines = said.lines();
    let title = format!("Diff: {}", lines.next().unwrap_or_default());
    let costs = lines.filter_map(|line| line.trim_start().split_once(": "));
    let mut rows: Vec<_> = costs.map(|(what, said)| vec![what.to_owned(), said.to_owned()]).collect();
    rows.extend(diff.stale.iter().map(|path| vec!["stale".to_owned(), path.to_string()]));
    table(&title, &["what", ""], rows.into_iter())
}

fn part_of(part: &Part<PyHost>, input: Option<&Input>) -> String {
    match &part.kind {
        Kind::Text(text) | Kind::Refusal(text) => shown(text, input),
        Kind::Json(_) => "JSON".to_owned(),
        Kind::Reasoning(thought) => {
            format!("reasoning: {}", thought.text.as_ref().map_or_else(|| "hidden".into(), |text| shown(text, input)))
        }
        Kind::Media(media) => format!("{}, {} bytes", media.class.name(), media.data.utf8_len(input)),
        Kind::Call(call) => call_of(call, input),
        Kind::Result(result) => {
            let said = match &result.content {
                Content::Absent => String::new(),
                Content::Text(text) => shown(text, input),
                Content::Blocks(blocks) => {
                    blocks.iter().map(|block| part_of(block, input)).collect::<Vec<_>>().join("\n")
                }
            };
            let failed = if result.error { ", an error" } else { "" };
            format!("result of {}{failed}: {said}", shown(&result.id, input))
        }
        Kind::Opaque(name) => shown(name, input),
    }
}

fn call_of(call: &Call<PyHost>, input: Option<&Input>) -> String {
    let args = match &call.args {
        Args::Text(text) => shown(text, input),
        Args::Value(raw) => {
            let json = turnwire_core::value::json::encode::to_string(raw, input).unwrap_or_default();
            shown(&Text::own(&json), None)
        }
    };
    format!("call {} of {}: {args}", shown(&call.id, input), shown(&call.name, input))
}

/// The beginning of a text, on one line.
fn shown(text: &Text<PyHost>, input: Option<&Input>) -> String {
    let head = text.head(CHARACTERS, input);
    let more = if head.len() < text.utf8_len(input) { "…" } else { "" };
    one_line(&head) + more
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A table. Titles, heads and cells are plain text.
fn table(title: &str, head: &[&str], rows: impl ExactSizeIterator<Item = Vec<String>>) -> String {
    let more = rows.len().saturating_sub(ROWS);
    let mut html = ["<table><caption>", &escaped(title), "</caption>"].concat();
    if !head.is_empty() {
        row(&mut html, "th", head);
    }
    for cells in rows.take(ROWS) {
        row(&mut html, "td", &cells.iter().map(String::as_str).collect::<Vec<_>>());
    }
    if more > 0 {
        row(&mut html, "td", &[&format!("… and {more} more")]);
    }
    html + "</table>"
}

fn row(html: &mut String, tag: &str, cells: &[&str]) {
    *html += "<tr>";
    for (index, cell) in cells.iter().enumerate() {
        // The message is in the last column, and may be one long word.
        let wrap = if index + 1 == cells.len() { ";overflow-wrap:anywhere" } else { "" };
        let style = [" style=\"text-align:left;vertical-align:top", wrap, "\">"].concat();
        html.extend(["<", tag, &style, &escaped(cell), "</", tag, ">"]);
    }
    *html += "</tr>";
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            '\n' => out += "<br>",
            other => out.push(other),
        }
    }
    out
}
