//! Tool definitions of Chat Completions and the choice of tools, read and written.

use super::super::{
    read::{Keys, join_extras},
    schema::STRICT,
    tools::schema,
};
#[allow(clippy::wildcard_imports, reason = "the keys of this format, declared next door")]
use super::*;
use crate::tool::ChoiceKind;

pub(super) fn read<S: Source>(element: &S, at: &Trail<'_>) -> Result<Tool<S::H>, Error> {
    let mut keys = Keys::of(element, at)?;
    // Mistral's servers take a function without its type.
    let kind = keys.text(&TYPE)?.filter(|kind| !kind.is("function", element.input()));
    let custom =
        kind.as_ref().is_some_and(|kind| kind.is(CUSTOM.name, element.input())) && element.get(&CUSTOM).is_some();
    if let Some(name) = kind.filter(|_| !custom) {
        return Ok(Tool::of_provider(name, element.raw()));
    }
    let outer = if custom { &CUSTOM } else { &FUNCTION };
    let function = keys.needed(outer)?;
    let inner_at = at.key(outer.name);
    let mut inner = Keys::of(&function, &inner_at)?;
    let name = inner.needed_text(&NAME)?;
    let description = inner.text(&DESCRIPTION)?;
    let (schema, untyped) = schema(inner.some(&PARAMETERS).as_ref());
    // Any text at all is what a custom tool takes unless a grammar says otherwise.
    let says_nothing =
        |format: &S| format.len() == 1 && format.get(&TYPE).is_some_and(|kind| kind.word().as_deref() == Some("text"));
    if custom && function.get(&FORMAT).as_ref().is_some_and(says_nothing) {
        let _ = inner.take(&FORMAT);
    }
    let mut extras = inner.extras();
    join_extras(&mut extras, keys.extras());
    Ok(Tool { name, description, schema, untyped, by_provider: false, custom, origin: Some(element.raw()), extras })
}

pub(super) fn read_choice<S: Source>(node: &S, at: &Trail<'_>) -> Result<Choice<S::H>, Error> {
    let kind = match node.word().as_deref() {
        Some("auto") => ChoiceKind::Auto,
        Some("required" | "any") => ChoiceKind::Required,
        Some("none") => ChoiceKind::None,
        Some(_) => ChoiceKind::Opaque,
        None => {
            let keys = Keys::of(node, at)?;
            let tool = keys.node.get(&FUNCTION).or_else(|| keys.node.get(&CUSTOM));
            let name = tool.and_then(|tool| tool.get(&NAME)).and_then(|name| name.text());
            name.map_or(ChoiceKind::Opaque, ChoiceKind::Tool)
        }
    };
    Ok(Choice { kind, origin: Some(node.raw()), extras: None })
}

pub(super) fn write<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, tool: &Tool<H>, at: &Path) -> Result<(), Error> {
    let outer = if tool.custom { &CUSTOM } else { &FUNCTION };
    w.out.open_map();
    w.out.key(&TYPE);
    w.out.literal(outer);
    w.out.key(outer);
    w.out.open_map();
    w.named(tool);
    if let Some(schema) = &tool.schema {
        w.out.key(&PARAMETERS);
        w.out.raw(schema);
    }
    if let Some(strict) = w.tool_extras(tool, at)? {
        w.out.key(&STRICT);
        w.out.raw(strict);
    }
    w.out.close();
    w.out.close();
    Ok(())
}

pub(super) fn write_choice<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, choice: &Choice<H>) {
    match &choice.kind {
        ChoiceKind::Auto | ChoiceKind::Opaque => w.out.literal(&AUTO),
        ChoiceKind::Required => w.out.literal(&REQUIRED),
        ChoiceKind::None => w.out.literal(&NONE),
        ChoiceKind::Tool(name) => {
            w.out.open_map();
            w.out.key(&TYPE);
            w.out.literal(&FUNCTION);
            w.out.key(&FUNCTION);
            w.out.open_map();
            w.out.key(&NAME);
            w.out.text(name);
            w.out.close();
            w.out.close();
        }
    }
}
