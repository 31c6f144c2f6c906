//! Tool definitions of Responses, which are flat, and the choice of tools, read and written.

use super::super::{
    read::Keys,
    tools::{self, FOREIGN_TOOL, schema, schema_flaw},
};
#[allow(clippy::wildcard_imports, reason = "the keys of this format, declared next door")]
use super::*;
use crate::{handle::Text, loss::LossCode, node::NodeKind, part::Flaw, tool::ChoiceKind};

static NO_CHOICE: Flaw = Flaw("the target does not know this choice of tools");

pub(super) fn read<S: Source>(element: &S, at: &Trail<'_>) -> Result<Tool<S::H>, Error> {
    // What others wrap, or name differently, is read all the same.
    let kind = element.get(&TYPE);
    let word = kind.as_ref().and_then(Source::word);
    let wrapped = [&FUNCTION, &CUSTOM, &INPUT_SCHEMA].into_iter();
    let wrapped = wrapped.filter_map(|key| element.get(key)).any(|inner| inner.kind() == NodeKind::Map);
    if wrapped || word.as_deref().is_none_or(str::is_empty) && element.get(&NAME).is_some() {
        let mut foreign = tools::tool(element, at)?;
        (foreign.origin, foreign.flaw) = (Some(element.raw()), Some(&FOREIGN_TOOL));
        return Ok(foreign);
    }
    let mut keys = Keys::of(element, at)?;
    let kind = keys.needed_text(&TYPE)?;
    let custom = kind.is(CUSTOM.name, element.input());
    if !custom && !kind.is(FUNCTION.name, element.input()) {
        return Ok(Tool::of_provider(kind, element.raw()));
    }
    let name = keys.needed_text(&NAME)?;
    let description = keys.text(&DESCRIPTION)?;
    let parameters = if custom { None } else { keys.some(&PARAMETERS) };
    let (schema, untyped) = schema(parameters.as_ref());
    let flaw = schema_flaw(parameters.as_ref()).or_else(|| keys.null_but(&[&DESCRIPTION, &PARAMETERS]));
    // Any text at all is what a custom tool takes unless a grammar says otherwise.
    let says_nothing =
        |format: &S| format.len() == 1 && format.get(&TYPE).is_some_and(|kind| kind.word().as_deref() == Some("text"));
    if custom && element.get(&FORMAT).as_ref().is_some_and(says_nothing) {
        let _ = keys.take(&FORMAT);
    }
    let origin = Some(element.raw());
    let extras = keys.extras();
    Ok(Tool { name, description, schema, untyped, by_provider: false, custom, inside: None, origin, extras, flaw })
}

pub(super) fn read_choice<S: Source>(node: &S, at: &Trail<'_>) -> Result<Choice<S::H>, Error> {
    // Words and objects of other formats are read, and are a flaw here.
    let (kind, sound) = match node.word().as_deref() {
        Some("auto") => (ChoiceKind::Auto, true),
        Some("required") => (ChoiceKind::Required, true),
        Some("any") => (ChoiceKind::Required, false),
        Some("none") => (ChoiceKind::None, true),
        Some(_) => (ChoiceKind::Opaque, false),
        None => {
            let keys = Keys::of(node, at)?;
            let kind = keys.node.get(&TYPE);
            let named = |holder: &S| holder.get(&NAME).and_then(|name| name.text());
            match (kind.as_ref().and_then(Source::word).as_deref(), named(node)) {
                (Some("function" | "custom"), Some(name)) => (ChoiceKind::Tool(name), true),
                (Some("function"), None) => {
                    let inner = node.get(&FUNCTION).and_then(|inner| named(&inner));
                    (inner.map_or(ChoiceKind::Opaque, ChoiceKind::Tool), false)
                }
                // A choice among some tools, or of one that the provider runs.
                (Some(_), _) => (ChoiceKind::Opaque, true),
                (None, _) => (ChoiceKind::Opaque, false),
            }
        }
    };
    let flaw = (!sound).then_some(&NO_CHOICE);
    Ok(Choice { kind, origin: Some(node.raw()), extras: None, flaw })
}

/// `{"type", "name", "description"?, "parameters", "strict"}`. Without a word, servers are strict: others are not.
pub(super) fn write<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, tool: &Tool<H>, at: &Path) -> Result<(), Error> {
    w.out.open_map();
    w.out.key(&TYPE);
    w.out.literal(if tool.custom { &CUSTOM } else { &FUNCTION });
    w.named(tool);
    if !tool.custom {
        w.out.key(&PARAMETERS);
        w.object_schema(tool, at)?;
    }
    let strict = w.tool_extras(tool, at)?;
    if !tool.custom {
        w.out.key(&STRICT);
        if let Some(strict) = strict {
            w.out.raw(strict);
        } else {
            let reason = "the target wants to be told that a schema is no strict one";
            w.losses.changed(LossCode::StandIn, at.clone(), reason);
            w.out.bool(false);
        }
    }
    w.out.close();
    Ok(())
}

pub(super) fn write_choice<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, choice: &Choice<H>) {
    let name: &Text<H> = match &choice.kind {
        ChoiceKind::Auto | ChoiceKind::Opaque => return w.out.literal(&AUTO),
        ChoiceKind::Required => return w.out.literal(&REQUIRED),
        ChoiceKind::None => return w.out.literal(&NONE),
        ChoiceKind::Tool(name) => name,
    };
    w.out.open_map();
    w.out.key(&TYPE);
    w.out.literal(if w.is_custom(name) { &CUSTOM } else { &FUNCTION });
    w.out.key(&NAME);
    w.out.text(name);
    w.out.close();
}
