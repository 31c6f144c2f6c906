//! Tool definitions of the family and the choice of tools, read and written.

use super::super::{
    read::join_extras,
    schema::STRICT,
    tools::{self, FOREIGN_TOOL, NO_SCHEMA, schema, schema_flaw},
};
#[allow(clippy::wildcard_imports, reason = "the keys and types of the family, declared next door")]
use super::*;
use crate::tool::ChoiceKind;

static NO_TYPE: Flaw = Flaw("a tool without its type");
static NO_CHOICE: Flaw = Flaw("the target does not know this choice of tools");

pub(crate) fn read<D: Chat, S: Source>(element: &S, at: &Trail<'_>) -> Result<Tool<S::H>, Error> {
    // What others write flat, or by other names, is read all the same.
    if element.get(&FUNCTION).is_none() && element.get(&CUSTOM).is_none() && element.get(&NAME).is_some() {
        let mut foreign = tools::tool(element, at)?;
        (foreign.origin, foreign.flaw) = (Some(element.raw()), Some(&FOREIGN_TOOL));
        return Ok(foreign);
    }
    let mut keys = Keys::of(element, at)?;
    let kind = keys.text(&TYPE)?.filter(|kind| !kind.is_empty() && !kind.is("function", element.input()));
    let custom = kind.as_ref().is_some_and(|kind| kind.is(CUSTOM.name, element.input()));
    if let Some(name) = kind.filter(|_| !custom) {
        return Ok(Tool::of_provider(name, element.raw()));
    }
    let outer = if custom { &CUSTOM } else { &FUNCTION };
    let function = keys.needed(outer)?;
    let inner_at = at.key(outer.name);
    let mut inner = Keys::of(&function, &inner_at)?;
    let name = inner.needed_text(&NAME)?;
    let description = inner.text(&DESCRIPTION)?;
    let parameters = inner.some(&PARAMETERS);
    let (schema, untyped) = schema(parameters.as_ref());
    let mut flaw = schema_flaw(parameters.as_ref());
    if !D::NULL_TOOLS {
        flaw = flaw.or_else(|| inner.null_but(&[])).or_else(|| keys.null_but(&[]));
    }
    if D::NEEDS_SCHEMA && parameters.is_none() {
        flaw = Some(&NO_SCHEMA);
    }
    // Any text at all is what a custom tool takes unless a grammar says otherwise.
    let says_nothing =
        |format: &S| format.len() == 1 && format.get(&TYPE).is_some_and(|kind| kind.word().as_deref() == Some("text"));
    if custom && function.get(&FORMAT).as_ref().is_some_and(says_nothing) {
        let _ = inner.take(&FORMAT);
    }
    let told = element.get(&TYPE);
    let typed = told.as_ref().is_some_and(|kind| kind.word().is_some_and(|word| !word.is_empty()));
    if !typed && (D::STRICT || told.is_some() && !D::KEYS.any) {
        flaw = Some(&NO_TYPE);
    }
    let mut extras = inner.extras();
    join_extras(&mut extras, keys.extras());
    let (by_provider, inside, origin) = (false, None, Some(element.raw()));
    Ok(Tool { name, description, schema, untyped, by_provider, custom, inside, origin, extras, flaw })
}

pub(crate) fn read_choice<D: Chat, S: Source>(node: &S, at: &Trail<'_>) -> Result<Choice<S::H>, Error> {
    // Words and objects of other formats are read, and are a flaw here.
    let (kind, sound) = if let Some(word) = node.word() {
        let known = D::CHOICES.iter().any(|key| key.name == word) || D::ALSO_REQUIRED.contains(&&*word);
        match &*word.to_ascii_lowercase() {
            "auto" => (ChoiceKind::Auto, known),
            "required" | "any" => (ChoiceKind::Required, known),
            "none" => (ChoiceKind::None, known),
            _ => (ChoiceKind::Opaque, false),
        }
    } else {
        let keys = Keys::of(node, at)?;
        let kind = keys.node.get(&TYPE);
        let told = kind.is_some();
        let kind = kind.as_ref().and_then(Source::word);
        let outer = if kind.as_deref() == Some("custom") { &CUSTOM } else { &FUNCTION };
        let named = |tool: Option<S>| tool.and_then(|tool| tool.get(&NAME)).and_then(|name| name.text());
        let one = D::PROFILES[0].1.chooses.contains(&Chosen::One);
        match (named(keys.node.get(outer)), kind.as_deref()) {
            (Some(name), Some("function" | "custom")) => (ChoiceKind::Tool(name), one),
            (Some(name), Some(_)) => (ChoiceKind::Tool(name), one && !D::STRICT),
            (Some(name), None) => (ChoiceKind::Tool(name), one && !D::STRICT && !told),
            (None, Some("auto")) => (ChoiceKind::Auto, false),
            (None, Some("any" | "required")) => (ChoiceKind::Required, false),
            (None, Some("none")) => (ChoiceKind::None, false),
            (None, Some("allowed_tools")) => (ChoiceKind::Opaque, D::ALLOWS_TOOLS),
            (None, _) => match named(Some(keys.node.clone())) {
                Some(name) => (ChoiceKind::Tool(name), false),
                None => (ChoiceKind::Opaque, false),
            },
        }
    };
    let flaw = (!sound).then_some(&NO_CHOICE);
    Ok(Choice { kind, origin: Some(node.raw()), extras: None, flaw })
}

pub(crate) fn write<D: Chat, H: Host, K: Sink<H>>(
    w: &mut Writer<'_, H, K>,
    tool: &Tool<H>,
    at: &Path,
) -> Result<(), Error> {
    let outer = if tool.custom && w.target.limits.free_text { &CUSTOM } else { &FUNCTION };
    w.out.open_map();
    w.out.key(&TYPE);
    w.out.literal(outer);
    w.out.key(outer);
    w.out.open_map();
    w.named(tool);
    if D::NEEDS_SCHEMA || tool.custom && !w.target.limits.free_text {
        w.out.key(&PARAMETERS);
        w.object_schema(tool, at)?;
    } else if let Some(schema) = &tool.schema {
        w.out.key(&PARAMETERS);
        w.out.raw(schema);
    }
    if let Some(strict) = w.tool_extras(tool, at)? {
        if D::KEYS.tool.iter().any(|(key, _)| *key == STRICT.name) {
            w.out.key(&STRICT);
            w.out.raw(strict);
        } else {
            let input = w.conversation.frame.input.as_ref();
            w.extra_lost((&Text::own(STRICT.name), strict), input, &|| at.clone())?;
        }
    }
    if let Some(grammar) = w.grammar(tool) {
        w.format(&grammar, true);
    }
    w.out.close();
    w.out.close();
    Ok(())
}

pub(crate) fn write_choice<D: Chat, H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, choice: &Choice<H>) {
    let [auto, required, none] = D::CHOICES;
    match &choice.kind {
        ChoiceKind::Auto | ChoiceKind::Opaque => w.out.literal(auto),
        ChoiceKind::Required => w.out.literal(required),
        ChoiceKind::None => w.out.literal(none),
        ChoiceKind::Tool(name) => {
            let outer = if w.is_custom(name) && w.target.limits.free_text { &CUSTOM } else { &FUNCTION };
            w.out.open_map();
            w.out.key(&TYPE);
            w.out.literal(outer);
            w.out.key(outer);
            w.out.open_map();
            w.out.key(&NAME);
            w.out.text(name);
            w.out.close();
            w.out.close();
        }
    }
}
