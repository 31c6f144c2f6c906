//! Reads and writes declarations of functions, provider-run tools, and the choice of tools.

use super::block_rules::{LISTED_TOOLS, TOOLS};
use super::keys as k;
use crate::{
    model::{ALONE, Among, Choice, ChoiceKind, Flaw, Tool, choice::Chosen},
    report::{Error, Path, Place, Trail},
    rules::block_rule::block_rule_of,
    value::{Host, NodeKind, Raw, Sink, Source},
    wire::{
        read::{
            FOREIGN_TOOL, Keys, SINGLE,
            keys::{elements_of, repeated, wrong_type},
            openapi, proto_schema,
            tools::{self, schema},
        },
        write::Writer,
    },
};

static STRANGE_SCHEMA: Flaw = Flaw::refused("these parameters have words that only JSON Schema has");
static REFUSED_SCHEMA: Flaw = Flaw::refused("the servers refuse these parameters: JSON Schema says the same");
static TWICE: Flaw = Flaw::refused("the declarations are there in two spellings");
static NO_SETTINGS: Flaw = Flaw::refused("what a tool of the server's is set up with is an object");
/// The reference: "This should only be set when the Mode is ANY or VALIDATED."
static NO_NAMES: Flaw = Flaw::refused("only the modes ANY and VALIDATED may name the allowed functions");
static NO_MODE: Flaw = Flaw::refused("the target does not know this mode of calling");

/// The list of tools: an entry holds declarations, a provider-run tool, or several of both.
pub(super) fn read<S: Source>(list: &S, at: &Trail<'_>) -> Result<Vec<Tool<S::H>>, Error> {
    let mut tools: Vec<Tool<S::H>> = Vec::new();
    let single = list.kind() != NodeKind::List;
    for (index, entry) in elements_of(list).enumerate() {
        let at = if single { *at } else { at.index(index) };
        let index = if single { ALONE } else { index as u32 };
        if entry.kind() != NodeKind::Map {
            return Err(wrong_type("an object", &entry, &at));
        }
        // A bare declaration, or one in another format's wrapper.
        let wrapped = entry.get(&k::FUNCTION).is_some_and(|inner| inner.kind() == NodeKind::Map);
        if wrapped
            || tools::is_tool_spec(&entry)
            || entry.get(&k::NAME).is_some_and(|name| name.kind() == NodeKind::Text)
        {
            let (origin, flaw) = (Some(entry.raw()), Some(&FOREIGN_TOOL));
            let inside = Some((index, Place::default()));
            tools.push(Tool { inside, origin, flaw, ..tools::tool(&entry, &at)? });
            continue;
        }
        for (key, value) in entry.entries().filter(|(_, value)| value.kind() != NodeKind::Null) {
            let declarations = [&k::FUNCTION_DECLARATIONS, &k::FUNCTION_DECLARATIONS_SNAKE];
            let Some(known) = declarations.into_iter().find(|known| key.is(known.name, entry.input())) else {
                let inside = Some((index, Place::default()));
                let listed = LISTED_TOOLS.split(' ').any(|known| key.is(known, entry.input()));
                let wanted = if listed { NodeKind::List } else { NodeKind::Map };
                let known = block_rule_of(TOOLS, &key.to_str(entry.input())).is_some();
                let flaw = (known && value.kind() != wanted).then_some(&NO_SETTINGS);
                tools.push(Tool { inside, flaw, ..Tool::of_provider(key, value.raw()) });
                continue;
            };
            let at = at.key(known.name);
            let others = [&k::FUNCTION_DECLARATIONS, &k::FUNCTION_DECLARATIONS_SNAKE];
            let twice = others.iter().filter(|key| entry.get(key).is_some_and(|list| !list.is_empty())).count() > 1;
            let single_value = value.kind() != NodeKind::List;
            for (element, place, at) in repeated(&value, known.name, &at)? {
                let inside = Some((index, place));
                let mut tool = Tool { inside, ..read_declaration(&element, &at)? };
                tool.flaw = tool.flaw.or(twice.then_some(&TWICE)).or(single_value.then_some(&SINGLE));
                tools.push(tool);
            }
        }
    }
    Ok(tools)
}

fn read_declaration<S: Source>(element: &S, at: &Trail<'_>) -> Result<Tool<S::H>, Error> {
    let mut keys = Keys::of(element, at)?;
    let name = keys.needed_text(&k::NAME)?;
    let description = keys.text(&k::DESCRIPTION)?;
    let spellings = [&k::PARAMETERS_JSON_SCHEMA, &k::PARAMETERS_JSON_SCHEMA_SNAKE];
    let given = spellings.into_iter().find_map(|key| Some((key, keys.some(key)?)));
    let (mut flaw, translated) = (None, given.is_none());
    let schema_key = given.as_ref().map_or(k::PARAMETERS.name, |(key, _)| key.name);
    let (schema, untyped) = match given {
        Some((_, node)) => schema(Some(&node)),
        None => match keys.some(&k::PARAMETERS) {
            None => (None, false),
            Some(node) => {
                let (raw, untyped) = schema(Some(&node));
                let said = raw.map(|raw| raw.to_value(node.input())).transpose()?;
                flaw = match &said {
                    Some(said) if !openapi::is_sound(said) => Some(&STRANGE_SCHEMA),
                    Some(said) if !proto_schema::is_accepted(said) => Some(&REFUSED_SCHEMA),
                    Some(_) => None,
                    None => Some(&STRANGE_SCHEMA),
                };
                (said.map(|said| Raw::Tree(openapi::json_schema(&said))), untyped)
            }
        },
    };
    Ok(Tool {
        name,
        description,
        schema,
        untyped,
        translated,
        keys: ("", schema_key),
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

/// Writes the tools: the original entries, and one entry for all new ones.
pub(super) fn write<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    tools: &[(usize, &Tool<H>)],
) -> Result<(), Error> {
    let frame = w.p.conversation.frame;
    let own = frame.from.same_wire(w.p.target.id);
    let its_entry = |tool: &Tool<H>| tool.inside.filter(|(_, place)| tool.by_provider || place.key.is_some());
    let entry = |tool: &Tool<H>| its_entry(tool).filter(|_| own).map(|(entry, _)| entry);
    w.out.open_list();
    for tools in tools.chunk_by(|(_, a), (_, b)| entry(a) == entry(b)) {
        w.out.open_map();
        let (by_provider, declared): (Vec<_>, Vec<_>) = tools.iter().partition(|(_, tool)| tool.by_provider);
        for (_, tool) in by_provider {
            if let Some(origin) = &tool.origin {
                w.out.key_text(&tool.name);
                w.out.raw(origin);
            }
        }
        if !declared.is_empty() {
            w.out.key(&k::FUNCTION_DECLARATIONS);
            w.out.open_list();
            for (index, tool) in declared {
                match &tool.origin {
                    Some(origin) if frame.is_own(tool, w.p.target.id) => w.out.raw(origin),
                    _ => declaration(w, tool, &frame.tool_path(index))?,
                }
            }
            w.out.close();
        }
        w.out.close();
    }
    w.out.close();
    Ok(())
}

pub(super) fn declaration<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    tool: &Tool<H>,
    at: &Path,
) -> Result<(), Error> {
    w.out.open_map();
    w.named(tool);
    if tool.custom {
        w.out.key(&k::PARAMETERS_JSON_SCHEMA);
        w.free_text_schema(at);
    } else if let Some(schema) = &tool.schema {
        w.out.key(&k::PARAMETERS_JSON_SCHEMA);
        if tool.untyped { w.typed_schema(schema, at)? } else { w.out.sound(schema) }
    } else {
        w.no_schema(tool, at)?;
    }
    w.tool_extras_lost(tool, at)?;
    w.out.close();
    Ok(())
}

/// Reads `{"mode", "allowedFunctionNames"}`. Gemini's other keys of a choice become extras.
pub(super) fn read_choice<S: Source>(node: &S, at: &Trail<'_>) -> Result<Choice<S::H>, Error> {
    let mut keys = Keys::of(node, at)?;
    let mode = node.get(&k::MODE).and_then(|mode| mode.word().map(|word| word.to_ascii_uppercase()));
    let names = [&k::ALLOWED_FUNCTION_NAMES, &k::ALLOWED_FUNCTION_NAMES_SNAKE]
        .into_iter()
        .find_map(|key| Some((key, node.get(key)?)));
    let texts = names.as_ref().is_none_or(|(_, list)| {
        list.kind() == NodeKind::List && list.items().all(|name| name.kind() == NodeKind::Text)
    });
    let mut tools = Vec::new();
    for name in names.iter().flat_map(|(_, list)| elements_of(list)) {
        tools.extend(name.text().map(|name| Chosen { group: None, name }));
    }
    let kind = match mode.as_deref() {
        Some(mode @ ("ANY" | "VALIDATED")) if !tools.is_empty() => {
            names.as_ref().and_then(|(key, _)| keys.take(key));
            let must = mode == "ANY";
            match tools.len() {
                1 if must => ChoiceKind::Tool(tools.remove(0).name),
                _ => ChoiceKind::Among(Among { must, tools }),
            }
        }
        Some("ANY") => ChoiceKind::Required,
        Some("NONE") => ChoiceKind::None,
        _ => ChoiceKind::Auto,
    };
    if matches!(mode.as_deref(), Some("ANY" | "NONE" | "AUTO" | "MODE_UNSPECIFIED")) {
        let _ = keys.take(&k::MODE);
    }
    let modes = ["AUTO", "ANY", "NONE", "VALIDATED", "MODE_UNSPECIFIED"];
    let known = match node.get(&k::MODE) {
        None => true,
        Some(node) => node.kind() == NodeKind::Null || mode.as_deref().is_some_and(|mode| modes.contains(&mode)),
    };
    let some = names.as_ref().is_some_and(|(_, list)| !list.is_empty());
    let restricts = matches!(mode.as_deref(), Some("ANY" | "VALIDATED"));
    let flaw = (!known || !texts).then_some(&NO_MODE).or((some && !restricts).then_some(&NO_NAMES));
    Ok(Choice { kind, origin: Some(node.raw()), extras: keys.extras(), flaw })
}

pub(super) fn write_choice<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, choice: &Choice<H>) {
    w.out.open_map();
    w.out.key(&k::MODE);
    w.out.literal(match &choice.kind {
        ChoiceKind::Among(among) if !among.must => &k::VALIDATED,
        ChoiceKind::Auto | ChoiceKind::Opaque => &k::AUTO,
        ChoiceKind::Required | ChoiceKind::Among(_) | ChoiceKind::Tool(_) => &k::ANY,
        ChoiceKind::None => &k::NONE,
    });
    let names: Vec<_> = match &choice.kind {
        ChoiceKind::Tool(name) => vec![name],
        ChoiceKind::Among(among) => among.tools.iter().map(|one| &one.name).collect(),
        _ => Vec::new(),
    };
    if !names.is_empty() {
        w.out.key(&k::ALLOWED_FUNCTION_NAMES);
        w.out.open_list();
        for name in names {
            w.out.text(name);
        }
        w.out.close();
    }
    w.out.close();
}
