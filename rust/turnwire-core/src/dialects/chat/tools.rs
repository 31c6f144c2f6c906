//! Reads and writes tool definitions of the family and the choice of tools.

use super::{
    keys as k,
    member::{Member, Reads},
};
use crate::{
    model::{Choice, ChoiceKind, Flaw, Tool, flaw},
    report::{Edit, Error, Path, Trail},
    rules::{Chosen, ExtraKeys, ValueRule},
    value::{Extras, Host, Sink, Source, Text},
    wire::{
        plan::{arguments::is_free, strict_flag},
        read::{
            FOREIGN_TOOL, Keys, NO_SCHEMA, among,
            keys::join_extras,
            tools::{self, schema, schema_flaw},
        },
        write::Writer,
    },
};

static NO_TYPE: Flaw = Flaw::refused("a tool without its type");

pub(crate) fn read<S: Source>(reads: &Reads<S>, element: &S, at: &Trail<'_>) -> Result<Tool<S::H>, Error> {
    // A definition in another format is read too.
    let foreign = element.get(&k::NAME).is_some() || tools::is_tool_spec(element);
    if foreign && element.get(&k::FUNCTION).is_none() && element.get(&k::CUSTOM).is_none() {
        let mut foreign = tools::tool(element, at)?;
        let flaw = schema_flaw(element.get(&k::PARAMETERS).as_ref()).unwrap_or(&FOREIGN_TOOL);
        (foreign.origin, foreign.flaw) = (Some(element.raw()), Some(flaw));
        return Ok(foreign);
    }
    let mut keys = Keys::of(element, at)?;
    let kind = keys.text(&k::TYPE)?.filter(|kind| !kind.is_empty() && !kind.is("function", element.input()));
    let custom = kind.as_ref().is_some_and(|kind| kind.is(k::CUSTOM.name, element.input()));
    if let Some(name) = kind.filter(|_| !custom) {
        return Ok(Tool::of_provider(name, element.raw()));
    }
    let outer = if custom { &k::CUSTOM } else { &k::FUNCTION };
    let function = keys.needed(outer)?;
    let inner_at = at.key(outer.name);
    let mut inner = Keys::of(&function, &inner_at)?;
    let name = inner.needed_text(&k::NAME)?;
    let description = inner.text(&k::DESCRIPTION)?;
    let parameters = inner.some(&k::PARAMETERS);
    let (schema, untyped) = schema(parameters.as_ref());
    let mut flaw = schema_flaw(parameters.as_ref());
    if !reads.member.null_tools {
        flaw = flaw.or_else(|| inner.null_but(&[])).or_else(|| keys.null_but(&[]));
    }
    if reads.limits.tool.needed && parameters.is_none() {
        flaw = Some(&NO_SCHEMA);
    }
    // Without a grammar, a custom tool takes any text.
    let says_nothing = |format: &S| {
        format.len() == 1 && format.get(&k::TYPE).is_some_and(|kind| kind.word().as_deref() == Some("text"))
    };
    if custom && function.get(&k::FORMAT).as_ref().is_some_and(says_nothing) {
        let _ = inner.take(&k::FORMAT);
    }
    let told = element.get(&k::TYPE);
    let typed = told.as_ref().is_some_and(|kind| kind.word().is_some_and(|word| !word.is_empty()));
    if !typed && (reads.member.strict || told.is_some() && !reads.keys.any) {
        flaw = Some(&NO_TYPE);
    }
    let mut extras = inner.extras();
    join_extras(&mut extras, keys.extras());
    let (by_provider, inside, origin) = (false, None, Some(element.raw()));
    Ok(Tool {
        name,
        description,
        schema,
        untyped,
        translated: false,
        keys: (outer.name, "parameters"),
        by_provider,
        custom,
        inside,
        origin,
        extras,
        flaw,
        functions: Vec::new(),
        of: None,
        namespace: None,
        form: None,
    })
}

/// Reads the choice of tools. Words and objects of other formats are read too, but count as a flaw.
pub(crate) fn read_choice<S: Source>(reads: &Reads<S>, node: &S, at: &Trail<'_>) -> Result<Choice<S::H>, Error> {
    let (kind, extras, sound) = if let Some(word) = node.word() {
        let known =
            reads.member.choices.iter().any(|key| key.name == word) || reads.member.also_required.contains(&&*word);
        match &*word.to_ascii_lowercase() {
            "auto" => (ChoiceKind::Auto, None, known),
            "required" | "any" => (ChoiceKind::Required, None, known),
            "none" => (ChoiceKind::None, None, known),
            _ => (ChoiceKind::Opaque, None, false),
        }
    } else {
        chosen(reads, node, at)?
    };
    let flaw = (!sound).then_some(&flaw::NO_CHOICE);
    Ok(Choice { kind, origin: Some(node.raw()), extras, flaw })
}

type Chose<H> = (ChoiceKind<H>, Option<Box<Extras<H>>>, bool);

/// Reads a choice that is an object: its meaning, its other keys, and whether this format writes it like that.
fn chosen<S: Source>(reads: &Reads<S>, node: &S, at: &Trail<'_>) -> Result<Chose<S::H>, Error> {
    let mut keys = Keys::of(node, at)?;
    let told = keys.take(&k::TYPE);
    let kind = told.as_ref().and_then(Source::word);
    let outer = if kind.as_deref() == Some("custom") { &k::CUSTOM } else { &k::FUNCTION };
    let named = |tool: &S| tool.get(&k::NAME).and_then(|name| name.text());
    let inside = keys.node.get(outer).and_then(|inside| Some((named(&inside)?, inside)));
    let one = reads.limits.chooses.contains(&Chosen::One);
    let Some((name, inside)) = inside else {
        let kind = match (kind.as_deref(), named(keys.node)) {
            (Some("auto"), _) => ChoiceKind::Auto,
            (Some("any" | "required"), _) => ChoiceKind::Required,
            (Some("none"), _) => ChoiceKind::None,
            (Some("allowed_tools"), _) => {
                let among = node.get(&k::ALLOWED_TOOLS).as_ref().and_then(among);
                let kind = among.map_or(ChoiceKind::Opaque, ChoiceKind::Among);
                return Ok((kind, None, reads.member.allows_tools));
            }
            (_, Some(name)) => ChoiceKind::Tool(name),
            (_, None) => return Ok((ChoiceKind::Opaque, None, false)),
        };
        let _ = keys.take(&k::NAME);
        return Ok((kind, keys.extras(), false));
    };
    let sound = match kind.as_deref() {
        Some("function" | "custom") => one,
        Some(_) => one && !reads.member.strict,
        None => one && !reads.member.strict && told.is_none(),
    };
    let inner_at = at.key(outer.name);
    let mut inner = Keys::of(&inside, &inner_at)?;
    let _ = (keys.take(outer), inner.take(&k::NAME));
    let mut extras = inner.extras();
    join_extras(&mut extras, keys.extras());
    let known = matches!(kind.as_deref(), Some("function" | "custom"));
    if let Some(told) = told.as_ref().filter(|_| !known) {
        extras.get_or_insert_default().push((Text::own(k::TYPE.name), told.raw()));
    }
    Ok((ChoiceKind::Tool(name), extras, sound))
}

pub(crate) fn write<H: Host, K: Sink<H>>(
    keys: &ExtraKeys,
    w: &mut Writer<'_, '_, H, K>,
    tool: &Tool<H>,
    at: &Path,
) -> Result<(), Error> {
    let outer = if is_free(w.p.target.limits, tool.custom) { &k::CUSTOM } else { &k::FUNCTION };
    w.out.open_map();
    w.out.key(&k::TYPE);
    w.out.literal(outer);
    w.out.key(outer);
    w.out.open_map();
    w.named(tool);
    if w.p.target.limits.tool.needed || tool.custom && !w.p.target.limits.free_text {
        w.out.key(&k::PARAMETERS);
        w.object_schema(tool, at)?;
    } else if let Some(schema) = &tool.schema {
        w.out.key(&k::PARAMETERS);
        w.out.sound(schema);
    } else {
        w.no_schema(tool, at)?;
    }
    if let Some(strict) = w.tool_extras(tool, at)? {
        let known = keys.tool.iter().any(|(key, rule)| *key == k::STRICT.name && !matches!(rule, ValueRule::Never));
        if let Some(why) = strict_flag::left_out(w.p.target.limits, w.p.conversation.frame).filter(|_| known) {
            w.p.losses.changed(Edit::NotStrict, at.clone(), why);
        } else if known {
            w.out.key(&k::STRICT);
            w.out.raw(strict);
        } else {
            w.tool_key_lost(tool, at, (&Text::own(k::STRICT.name), strict))?;
        }
    }
    if let Some(grammar) = w.grammar(tool) {
        w.format(&grammar, true);
    }
    w.out.close();
    w.out.close();
    Ok(())
}

pub(crate) fn write_choice<H: Host, K: Sink<H>>(member: &Member, w: &mut Writer<'_, '_, H, K>, choice: &Choice<H>) {
    let [auto, required, none] = member.choices;
    match &choice.kind {
        ChoiceKind::Auto | ChoiceKind::Opaque => w.out.literal(auto),
        ChoiceKind::Required => w.out.literal(required),
        ChoiceKind::None => w.out.literal(none),
        ChoiceKind::Tool(name) => write_chosen(w, name),
        ChoiceKind::Among(among) => {
            w.out.open_map();
            w.out.key(&k::TYPE);
            w.out.literal(&k::ALLOWED_TOOLS);
            w.out.key(&k::ALLOWED_TOOLS);
            w.out.open_map();
            w.out.key(&k::MODE);
            w.out.literal(if among.must { &k::REQUIRED } else { &k::AUTO });
            w.out.key(&k::TOOLS);
            w.out.open_list();
            for one in &among.tools {
                write_chosen(w, &one.name);
            }
            w.out.close();
            w.out.close();
            w.out.close();
        }
    }
}

/// `{"type", TYPE: {"name"}}`.
fn write_chosen<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, name: &Text<H>) {
    let outer = if is_free(w.p.target.limits, w.is_custom(name)) { &k::CUSTOM } else { &k::FUNCTION };
    w.out.open_map();
    w.out.key(&k::TYPE);
    w.out.literal(outer);
    w.out.key(outer);
    w.out.open_map();
    w.out.key(&k::NAME);
    w.out.text(name);
    w.out.close();
    w.out.close();
}
