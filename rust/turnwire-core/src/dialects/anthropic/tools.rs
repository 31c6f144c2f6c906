//! Reads and writes tool definitions of Anthropic, and the choice of tools.

use super::{block_rules, keys as k};
use crate::{
    model::{Choice, ChoiceKind, Flaw, Tool, flaw},
    report::{Error, Path, Trail},
    rules::block_rule::block_rule_of,
    value::{Host, NodeKind, Sink, Source},
    wire::{
        read::{
            FOREIGN_TOOL, Keys, NO_SCHEMA, stand_ins,
            tools::{self, schema, schema_flaw},
        },
        write::Writer,
    },
};

static PROVIDER_TOOL: Flaw = Flaw::refused("a tool of the provider's has a name, and no description and no schema");

/// Reads a tool of the caller; one with another type belongs to the provider.
pub(super) fn read<S: Source>(element: &S, at: &Trail<'_>) -> Result<Tool<S::H>, Error> {
    // A definition in another format is read too.
    let wrapped = |key| element.get(key).is_some_and(|inner| inner.kind() == NodeKind::Map);
    if wrapped(&k::FUNCTION)
        || tools::is_tool_spec(element)
        || element.get(&k::INPUT_SCHEMA).is_none() && wrapped(&k::PARAMETERS)
    {
        let mut foreign = tools::tool(element, at)?;
        (foreign.origin, foreign.flaw) = (Some(element.raw()), Some(&FOREIGN_TOOL));
        return Ok(foreign);
    }
    let mut keys = Keys::of(element, at)?;
    let kind = keys.text(&k::TYPE)?.filter(|kind| !kind.is("custom", element.input()) && !kind.is_empty());
    if let Some(name) = kind {
        // A toolset has no name.
        let is_set = || is_nameless(&name.to_str(element.input()));
        let named = element.get(&k::NAME).map_or_else(is_set, |name| name.kind() == NodeKind::Text);
        let sound = named && element.get(&k::INPUT_SCHEMA).is_none() && element.get(&k::DESCRIPTION).is_none();
        let kind = name.to_str(element.input());
        let stands = stand_ins::BY_TYPE.iter().find(|(begins, _)| kind.starts_with(begins)).map(|(_, schema)| *schema);
        let called = element.get(&k::NAME).and_then(|name| name.text());
        let _ = keys.take(&k::NAME);
        // The other keys are those of the function, too.
        let extras = keys.extras();
        let made = |(schema, called)| Tool { extras, ..Tool::standing_in(called, schema, None) };
        let functions = stands.zip(called).map(made).into_iter().collect();
        let flaw = (!sound).then_some(&PROVIDER_TOOL);
        return Ok(Tool { flaw, functions, ..Tool::of_provider(name.share(), element.raw()) });
    }
    let name = keys.needed_text(&k::NAME)?;
    let description = keys.text(&k::DESCRIPTION)?;
    let given = keys.some(&k::INPUT_SCHEMA);
    let (schema, untyped) = schema(given.as_ref());
    let mut flaw = schema_flaw(given.as_ref()).or_else(|| keys.null_but(&[&k::TYPE]));
    if schema.is_none() || untyped {
        flaw = Some(&NO_SCHEMA);
    }
    let empty = element.get(&k::TYPE).is_some_and(|kind| kind.word().is_some_and(|word| word.is_empty()));
    if empty {
        flaw = Some(&FOREIGN_TOOL);
    }
    Ok(Tool {
        name,
        description,
        schema,
        untyped,
        translated: false,
        keys: ("", "input_schema"),
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

/// Whether provider-run tools of this type are known to have no name.
fn is_nameless(kind: &str) -> bool {
    block_rule_of(block_rules::TOOLS, kind).is_some_and(|rule| rule.needs.iter().all(|(key, _)| *key != k::NAME.name))
}

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
    let kind = keys.needed(&k::TYPE)?;
    let kind = match kind.word().as_deref() {
        Some("auto") => ChoiceKind::Auto,
        Some("any") => ChoiceKind::Required,
        Some("none") => ChoiceKind::None,
        Some("tool") => ChoiceKind::Tool(keys.needed_text(&k::NAME)?),
        _ => ChoiceKind::Opaque,
    };
    let flaw = matches!(kind, ChoiceKind::Opaque).then_some(&flaw::NO_CHOICE);
    Ok(Choice { kind, origin: Some(node.raw()), extras: keys.extras(), flaw })
}

/// `{"name", "description"?, "input_schema", "strict"?}`.
pub(super) fn write<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, tool: &Tool<H>, at: &Path) -> Result<(), Error> {
    w.out.open_map();
    w.named(tool);
    w.out.key(&k::INPUT_SCHEMA);
    w.object_schema(tool, at)?;
    if let Some(strict) = w.tool_extras(tool, at)? {
        w.out.key(&k::STRICT);
        w.out.raw(strict);
    }
    let mark = w.tool_mark(tool);
    w.mark_key(mark);
    w.out.close();
    Ok(())
}

/// `{"type": "auto"}`, `{"type": "any"}`, `{"type": "none"}` or `{"type": "tool", "name"}`.
pub(super) fn write_choice<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, choice: &Choice<H>) {
    let kind = match &choice.kind {
        ChoiceKind::Auto | ChoiceKind::Among(_) | ChoiceKind::Opaque => &k::AUTO,
        ChoiceKind::Required => &k::ANY,
        ChoiceKind::None => &k::NONE,
        ChoiceKind::Tool(_) => &k::TOOL,
    };
    w.out.open_map();
    w.out.key(&k::TYPE);
    w.out.literal(kind);
    if let ChoiceKind::Tool(name) = &choice.kind {
        w.out.key(&k::NAME);
        w.out.text(name);
    }
    if w.one_call() {
        w.out.key(&k::DISABLE_PARALLEL_TOOL_USE);
        w.out.bool(true);
    }
    w.out.close();
}
