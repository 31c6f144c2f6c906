//! Reads and writes tool definitions of Interactions, which are flat, and the choice of tools.

use super::keys as k;
use crate::{
    model::{Choice, ChoiceKind, Tool, flaw},
    report::{Error, Path, Trail},
    value::{Extras, Host, NodeKind, Sink, Source},
    wire::{
        read::{
            FOREIGN_TOOL, Keys, among,
            keys::join_extras,
            tools::{self, schema, schema_flaw},
        },
        write::Writer,
    },
};

pub(super) fn read<S: Source>(element: &S, at: &Trail<'_>) -> Result<Tool<S::H>, Error> {
    let kind = element.get(&k::TYPE);
    let word = kind.as_ref().and_then(Source::word);
    // A definition in another format is read too.
    let wrapped = element.get(&k::FUNCTION).is_some_and(|inner| inner.kind() == NodeKind::Map);
    if wrapped || word.as_deref().is_none_or(str::is_empty) {
        let (origin, flaw) = (Some(element.raw()), Some(&FOREIGN_TOOL));
        return Ok(Tool { origin, flaw, ..tools::tool(element, at)? });
    }
    let mut keys = Keys::of(element, at)?;
    let kind = keys.needed_text(&k::TYPE)?;
    if !kind.is(k::FUNCTION.name, element.input()) {
        return Ok(Tool::of_provider(kind, element.raw()));
    }
    let name = keys.needed_text(&k::NAME)?;
    let description = keys.text(&k::DESCRIPTION)?;
    let parameters = keys.some(&k::PARAMETERS);
    let (schema, untyped) = schema(parameters.as_ref());
    let flaw = schema_flaw(parameters.as_ref());
    Ok(Tool {
        name,
        description,
        schema,
        untyped,
        translated: false,
        keys: ("", k::PARAMETERS.name),
        by_provider: false,
        custom: false,
        inside: None,
        origin: Some(element.raw()),
        extras: keys.extras(),
        flaw,
        functions: Vec::new(),
        of: None,
        namespace: None,
        form: None,
    })
}

/// Reads the choice of tools: a word, or the names of the allowed tools.
pub(super) fn read_choice<S: Source>(node: &S, at: &Trail<'_>) -> Result<Choice<S::H>, Error> {
    let by_word = |word: Option<&str>| match word {
        Some("auto") => Some(ChoiceKind::Auto),
        Some("any") => Some(ChoiceKind::Required),
        Some("none") => Some(ChoiceKind::None),
        _ => None,
    };
    let word = node.word();
    let (kind, sound) = match (word.as_deref(), node.get(&k::ALLOWED_TOOLS)) {
        (Some("validated"), _) => (ChoiceKind::Opaque, true),
        (Some(word), _) => by_word(Some(word)).map_or((ChoiceKind::Opaque, false), |kind| (kind, true)),
        (None, Some(allowed)) => {
            let mode = allowed.get(&k::MODE);
            let must = mode.as_ref().and_then(Source::word).as_deref() == Some(k::ANY.name);
            let names: Vec<_> = allowed.get(&k::TOOLS).iter().flat_map(Source::items).map(|name| name.text()).collect();
            match <[_; 1]>::try_from(names) {
                Ok([Some(name)]) if must => (ChoiceKind::Tool(name), true),
                _ => (among(&allowed).map_or(ChoiceKind::Opaque, ChoiceKind::Among), true),
            }
        }
        (None, None) => (ChoiceKind::Opaque, false),
    };
    let extras = if word.is_none() && node.kind() == NodeKind::Map { others(node, at)? } else { None };
    Ok(Choice { kind, origin: Some(node.raw()), extras, flaw: (!sound).then_some(&flaw::NO_CHOICE) })
}

/// The keys of a choice that say nothing about tools.
fn others<S: Source>(node: &S, at: &Trail<'_>) -> Result<Option<Box<Extras<S::H>>>, Error> {
    let mut keys = Keys::of(node, at)?;
    let allowed = keys.some(&k::ALLOWED_TOOLS).filter(|allowed| allowed.kind() == NodeKind::Map);
    let mut extras = keys.extras();
    if let Some(allowed) = &allowed {
        let at = at.key(k::ALLOWED_TOOLS.name);
        let mut keys = Keys::of(allowed, &at)?;
        keys.pass(&[&k::MODE, &k::TOOLS]);
        join_extras(&mut extras, keys.extras());
    }
    Ok(extras)
}

/// `{"type", "name", "description"?, "parameters"?}`.
pub(super) fn write<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, tool: &Tool<H>, at: &Path) -> Result<(), Error> {
    w.out.open_map();
    w.out.key(&k::TYPE);
    w.out.literal(&k::FUNCTION);
    w.named(tool);
    if tool.custom {
        w.out.key(&k::PARAMETERS);
        w.free_text_schema(at);
    } else if tool.schema.is_some() {
        w.out.key(&k::PARAMETERS);
        w.object_schema(tool, at)?;
    } else {
        w.no_schema(tool, at)?;
    }
    w.tool_extras_lost(tool, at)?;
    w.out.close();
    Ok(())
}

pub(super) fn write_choice<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, choice: &Choice<H>) {
    let (mode, names) = match &choice.kind {
        ChoiceKind::Auto | ChoiceKind::Opaque => return w.out.literal(&k::AUTO),
        ChoiceKind::Required => return w.out.literal(&k::ANY),
        ChoiceKind::None => return w.out.literal(&k::NONE),
        ChoiceKind::Tool(name) => (&k::ANY, vec![name]),
        ChoiceKind::Among(among) => {
            let mode = if among.must { &k::ANY } else { &k::AUTO };
            (mode, among.tools.iter().map(|one| &one.name).collect())
        }
    };
    w.out.open_map();
    w.out.key(&k::ALLOWED_TOOLS);
    w.out.open_map();
    w.out.key(&k::MODE);
    w.out.literal(mode);
    w.out.key(&k::TOOLS);
    w.out.open_list();
    for name in names {
        w.out.text(name);
    }
    w.out.close();
    w.out.close();
    w.out.close();
}
