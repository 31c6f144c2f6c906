//! Reads definitions of tools. Their schemas may have Python's types, as xLAM writes them.

use super::{
    Layout,
    at::At,
    wanted::{TOOLS, are_definitions, wrong_type},
    writer::Writer,
};
use crate::{
    report::{Edit, Error},
    value::{NodeKind, Source, door::keys, json::encode},
};

keys! {
    FUNCTION = "function";
    NAME = "name";
    PARAMETERS = "parameters";
    TYPE = "type";
}

/// Python's types, and what they are in a schema.
const TYPES: [(&str, &str); 9] = [
    ("dict", "object"),
    ("str", "string"),
    ("int", "integer"),
    ("float", "number"),
    ("bool", "boolean"),
    ("list", "array"),
    ("List", "array"),
    ("tuple", "array"),
    ("Dict", "object"),
];

impl Layout {
    /// Writes the definitions of tools.
    pub(super) fn tools<S: Source>(&self, record: &S, to: &mut Writer) -> Result<(), Error> {
        let Some((tools, way)) = self.tools.find_if(record, are_definitions) else { return Ok(()) };
        let root = At::ROOT;
        let at = root.way(way);
        tools_in(&tools, |index| at.index(index), to)
    }
}

/// Writes the definitions in a list. `place`: where each is in the record.
pub(super) fn tools_in<'a, S: Source>(
    tools: &S,
    place: impl Fn(usize) -> At<'a>,
    to: &mut Writer,
) -> Result<(), Error> {
    let mut is_open = false;
    for (index, tool) in tools.items().enumerate() {
        let at = place(index);
        if tool.kind() != NodeKind::Map {
            return Err(wrong_type("the definition of a tool", &tool, &at));
        }
        let inner = tool.get(&FUNCTION).filter(|inner| inner.kind() == NodeKind::Map);
        let (outer, inner) = (inner.is_some(), inner.unwrap_or_else(|| tool.clone()));
        if inner.get(&NAME).is_none_or(|name| name.kind() == NodeKind::Null) && inner.get(&TYPE).is_none() {
            to.lost(Edit::Tool, &at, "a definition without a name");
            continue;
        }
        if !std::mem::replace(&mut is_open, true) {
            to.open_list(TOOLS, &at);
        }
        let parameters = inner.get(&PARAMETERS).filter(is_of_python);
        let Some(parameters) = parameters.filter(|_| !outer) else {
            to.item(&at, true, |out| encode::raw(&tool.raw(), tool.input(), out).map(|_| ()))?;
            continue;
        };
        to.item(&at, true, |out| {
            out.push(b'{');
            for (index, (key, value)) in tool.entries().enumerate() {
                out.extend_from_slice(if index > 0 { b"," } else { b"" });
                encode::text(&key, tool.input(), out);
                out.push(b':');
                if key.is(PARAMETERS.name, tool.input()) {
                    schema(&parameters, out)?;
                } else {
                    encode::raw(&value.raw(), value.input(), out)?;
                }
            }
            out.push(b'}');
            Ok(())
        })?;
    }
    if is_open {
        to.close_list();
    }
    Ok(())
}

/// Whether a schema is a map of properties without more, or has a type of Python's.
fn is_of_python<S: Source>(schema: &S) -> bool {
    let kind = schema.get(&TYPE);
    match kind.as_ref().and_then(Source::word) {
        Some(word) => of_python(&word).is_some(),
        None => is_bare(schema),
    }
}

fn is_bare<S: Source>(schema: &S) -> bool {
    schema.kind() == NodeKind::Map && schema.entries().all(|(_, value)| value.kind() == NodeKind::Map)
}

/// What a type of Python's is in a schema, and the type of its items.
fn of_python(word: &str) -> Option<(&'static str, Option<&'static str>)> {
    let word = word.split(',').next().unwrap_or_default().trim();
    let word = word.strip_prefix("Optional[").and_then(|inner| inner.strip_suffix(']')).unwrap_or(word);
    let (head, inner) = match word.split_once('[') {
        Some((head, inner)) => (head, Some(inner.trim_end_matches(']'))),
        None => (word, None),
    };
    let named = |word: &str| TYPES.iter().find(|(python, _)| *python == word).map(|(_, schema)| *schema);
    let kind = named(head)?;
    Some((kind, inner.filter(|_| kind == "array").and_then(named)))
}

fn is_optional(word: &str) -> bool {
    word.contains(", optional") || word.starts_with("Optional[")
}

/// Writes a schema with types of Python's, or a map of properties.
fn schema<S: Source>(node: &S, out: &mut Vec<u8>) -> Result<(), Error> {
    if !is_bare(node) || node.get(&TYPE).is_some() {
        return typed(node, out);
    }
    out.extend_from_slice(br#"{"type":"object","properties":{"#);
    let mut required = Vec::new();
    for (index, (key, value)) in node.entries().enumerate() {
        out.extend_from_slice(if index > 0 { b"," } else { b"" });
        encode::text(&key, node.input(), out);
        out.push(b':');
        typed(&value, out)?;
        if !value.get(&TYPE).and_then(|kind| kind.word().map(|word| is_optional(&word))).unwrap_or(false) {
            required.push(key);
        }
    }
    out.extend_from_slice(br#"},"required":["#);
    for (index, key) in required.iter().enumerate() {
        out.extend_from_slice(if index > 0 { b"," } else { b"" });
        encode::text(key, node.input(), out);
    }
    out.extend_from_slice(b"]}");
    Ok(())
}

/// Writes a schema, each type of which may be Python's.
fn typed<S: Source>(node: &S, out: &mut Vec<u8>) -> Result<(), Error> {
    match node.kind() {
        NodeKind::Map => {
            out.push(b'{');
            for (index, (key, value)) in node.entries().enumerate() {
                out.extend_from_slice(if index > 0 { b"," } else { b"" });
                encode::text(&key, node.input(), out);
                out.push(b':');
                let word = if key.is(TYPE.name, node.input()) { value.word() } else { None };
                match word.as_deref().and_then(of_python) {
                    Some((kind, None)) => out.extend_from_slice(format!("{kind:?}").as_bytes()),
                    Some((kind, Some(items))) => {
                        out.extend_from_slice(format!(r#"{kind:?},"items":{{"type":{items:?}}}"#).as_bytes());
                    }
                    None => typed(&value, out)?,
                }
            }
            out.push(b'}');
            Ok(())
        }
        NodeKind::List => {
            out.push(b'[');
            for (index, item) in node.items().enumerate() {
                out.extend_from_slice(if index > 0 { b"," } else { b"" });
                typed(&item, out)?;
            }
            out.push(b']');
            Ok(())
        }
        _ => encode::raw(&node.raw(), node.input(), out).map(|_| ()),
    }
}
