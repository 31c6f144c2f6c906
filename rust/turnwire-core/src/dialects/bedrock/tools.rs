//! Reads and writes tool definitions of Converse and the choice of tools.

use super::{block_rules::TOOLS, cache::cache_point, keys as k};
use crate::{
    model::{Choice, ChoiceKind, Flaw, Tool, flaw},
    report::{Error, Path, Trail},
    value::{Extras, Host, Key, NodeKind, Sink, Source, Text},
    wire::{
        read::{
            FOREIGN_TOOL, Keys, NO_SCHEMA,
            keys::join_extras,
            tools::{self, schema, schema_flaw},
        },
        write::Writer,
    },
};

static NO_TOOL: Flaw = Flaw::refused("this defines no tool");
static TWO_CHOICES: Flaw = Flaw::refused("one choice is made, or none");
static NO_WORDS: Flaw = Flaw::refused("an empty description");

/// `{"toolSpec": {"name", "description"?, "inputSchema": {"json"}}}`. Other keys, such as a cache point, are opaque.
pub(super) fn read<S: Source>(element: &S, at: &Trail<'_>) -> Result<Tool<S::H>, Error> {
    // A definition in another format is read too.
    if element.get(&k::NAME).is_some() || element.get(&k::FUNCTION).is_some_and(|inner| inner.kind() == NodeKind::Map) {
        let mut foreign = tools::tool(element, at)?;
        (foreign.origin, foreign.flaw) = (Some(element.raw()), Some(&FOREIGN_TOOL));
        return Ok(foreign);
    }
    let mut outer = Keys::of(element, at)?;
    let Some(spec) = outer.some(&k::TOOL_SPEC) else {
        let name = element.entries().next().map_or_else(|| Text::own(k::TOOL.name), |(key, _)| key);
        let rule = TOOLS.iter().find(|(known, _)| name.is(known, element.input()));
        let sound = match (rule, element.entries().next()) {
            (Some((_, rule)), Some((_, value))) => rule.allows_raw(&value.raw(), element.input()),
            (None, Some((_, value))) => value.kind() != NodeKind::Null,
            (_, None) => false,
        };
        let flaw = (!sound).then_some(&NO_TOOL);
        return Ok(Tool { flaw, ..Tool::of_provider(name, element.raw()) });
    };
    let spec_at = at.key(k::TOOL_SPEC.name);
    let mut keys = Keys::of(&spec, &spec_at)?;
    let name = keys.needed_text(&k::NAME)?;
    let description = keys.text(&k::DESCRIPTION)?;
    let (mut json, mut beside) = (None, None);
    if let Some(node) = keys.some(&k::INPUT_SCHEMA) {
        let schema_at = spec_at.key(k::INPUT_SCHEMA.name);
        let mut inner = Keys::of(&node, &schema_at)?;
        json = inner.some(&k::JSON);
        beside = inner.extras();
    }
    let (schema, untyped) = schema(json.as_ref());
    let mut flaw = schema_flaw(json.as_ref()).or_else(|| keys.null_but(&[])).or_else(|| outer.null_but(&[]));
    if schema.is_none() || untyped {
        flaw = Some(&NO_SCHEMA);
    } else if description.as_ref().is_some_and(Text::is_empty) {
        flaw = Some(&NO_WORDS);
    }
    let mut extras = keys.extras();
    join_extras(&mut extras, beside);
    join_extras(&mut extras, outer.extras());
    let origin = Some(element.raw());
    Ok(Tool {
        name,
        description,
        schema,
        untyped,
        translated: false,
        keys: ("toolSpec", "inputSchema.json"),
        by_provider: false,
        custom: false,
        inside: None,
        origin,
        extras,
        flaw,
        functions: Vec::new(),
        of: None,
        namespace: None,
        form: None,
    })
}

/// `{"auto": {}}`, `{"any": {}}` or `{"tool": {"name"}}`.
pub(super) fn read_choice<S: Source>(node: &S, at: &Trail<'_>) -> Result<Choice<S::H>, Error> {
    // Words of other formats are read, but count as a flaw.
    if let Some(word) = node.word() {
        let kind = match &*word {
            "auto" => ChoiceKind::Auto,
            "any" | "required" => ChoiceKind::Required,
            "none" => ChoiceKind::None,
            _ => ChoiceKind::Opaque,
        };
        return Ok(Choice { kind, origin: Some(node.raw()), extras: None, flaw: Some(&flaw::NO_CHOICE) });
    }
    let mut keys = Keys::of(node, at)?;
    let mut inside = None;
    let object = |key: &'static Key| node.get(key).is_none_or(|said| said.kind() == NodeKind::Map);
    let kind = if let Some(auto) = keys.some(&k::AUTO) {
        inside = said(&auto, at, &k::AUTO)?;
        ChoiceKind::Auto
    } else if let Some(any) = keys.some(&k::ANY) {
        inside = said(&any, at, &k::ANY)?;
        ChoiceKind::Required
    } else if let Some(tool) = keys.some(&k::TOOL) {
        let tool_at = at.key(k::TOOL.name);
        let mut tool = Keys::of(&tool, &tool_at)?;
        let name = tool.needed_text(&k::NAME)?;
        inside = tool.extras();
        ChoiceKind::Tool(name)
    } else {
        ChoiceKind::Opaque
    };
    let others = [&k::AUTO, &k::ANY, &k::TOOL].into_iter().filter(|key| node.get(key).is_some()).count() > 1;
    let strange = matches!(kind, ChoiceKind::Opaque) || !object(&k::AUTO) || !object(&k::ANY);
    let flaw = strange.then_some(&flaw::NO_CHOICE).or(others.then_some(&TWO_CHOICES));
    let mut extras = keys.extras();
    join_extras(&mut extras, inside);
    Ok(Choice { kind, origin: Some(node.raw()), extras, flaw })
}

/// What the value of a choice says, which is nothing on the wire: its keys, or the value itself.
fn said<S: Source>(value: &S, at: &Trail<'_>, key: &'static Key) -> Result<Option<Box<Extras<S::H>>>, Error> {
    if value.kind() != NodeKind::Map {
        return Ok(Some(Box::new([(Text::own(key.name), value.raw())].into())));
    }
    Ok(Keys::of(value, &at.key(key.name))?.extras())
}

pub(super) fn write<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, tool: &Tool<H>, at: &Path) -> Result<(), Error> {
    w.out.open_map();
    w.out.key(&k::TOOL_SPEC);
    w.out.open_map();
    w.out.key(&k::NAME);
    w.out.text(&tool.name);
    // An empty description is refused.
    if let Some(description) = w.description(tool).filter(|description| !description.is_empty()) {
        w.out.key(&k::DESCRIPTION);
        w.out.text(&description);
    }
    w.out.key(&k::INPUT_SCHEMA);
    w.out.open_map();
    w.out.key(&k::JSON);
    w.object_schema(tool, at)?;
    w.out.close();
    if let Some(strict) = w.tool_extras(tool, at)? {
        w.out.key(&k::STRICT);
        w.out.raw(strict);
    }
    w.out.close();
    w.out.close();
    cache_point(w, w.tool_mark(tool));
    Ok(())
}

pub(super) fn write_choice<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, choice: &Choice<H>) {
    let key = match &choice.kind {
        // The limits row has no word for `None`.
        ChoiceKind::Auto | ChoiceKind::Among(_) | ChoiceKind::Opaque | ChoiceKind::None => &k::AUTO,
        ChoiceKind::Required => &k::ANY,
        ChoiceKind::Tool(_) => &k::TOOL,
    };
    w.out.open_map();
    w.out.key(key);
    w.out.open_map();
    if let ChoiceKind::Tool(name) = &choice.kind {
        w.out.key(&k::NAME);
        w.out.text(name);
    }
    w.out.close();
    w.out.close();
}
