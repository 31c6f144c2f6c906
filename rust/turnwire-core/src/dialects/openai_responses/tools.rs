//! Reads and writes tool definitions of Responses, which are flat, and the choice of tools.

use std::borrow::Cow;

use super::{items, keys as k};
use crate::{
    model::{Choice, ChoiceKind, Flaw, Tool, flaw},
    report::{Edit, Error, Path, Trail},
    rules::CallForm,
    value::{Host, Input, Key, NodeKind, Sink, Source, Text, door::keys},
    wire::{
        plan::arguments::is_free,
        read::{
            FOREIGN_TOOL, Keys, among,
            keys::joined,
            stand_ins,
            tools::{self, schema, schema_flaw},
        },
        write::Writer,
    },
};

keys! {
    EXECUTION = "execution";
    ENVIRONMENT = "environment";
}

static NO_SCHEMA: Flaw = Flaw::refused("a function says what its parameters are");
static NO_STRICT: Flaw = Flaw::taken("a function says whether its schema is a strict one");
static NO_FORMAT: Flaw = Flaw::refused("the input of a tool is text, or what a grammar allows");

pub(super) fn read<S: Source>(element: &S, at: &Trail<'_>) -> Result<Tool<S::H>, Error> {
    // A definition in another format is read too.
    let kind = element.get(&k::TYPE);
    let word = kind.as_ref().and_then(Source::word);
    let wrapped = [&k::FUNCTION, &k::CUSTOM, &k::INPUT_SCHEMA].into_iter();
    let wrapped = wrapped.filter_map(|key| element.get(key)).any(|inner| inner.kind() == NodeKind::Map);
    if wrapped
        || tools::is_tool_spec(element)
        || word.as_deref().is_none_or(str::is_empty) && element.get(&k::NAME).is_some()
    {
        let mut foreign = tools::tool(element, at)?;
        (foreign.origin, foreign.flaw) = (Some(element.raw()), Some(&FOREIGN_TOOL));
        return Ok(foreign);
    }
    let mut keys = Keys::of(element, at)?;
    let kind = keys.needed_text(&k::TYPE)?;
    let custom = kind.is(k::CUSTOM.name, element.input());
    if !custom && !kind.is(k::FUNCTION.name, element.input()) {
        let functions = functions(&kind, element, at)?;
        return Ok(Tool { functions, ..Tool::of_provider(kind, element.raw()) });
    }
    let name = keys.needed_text(&k::NAME)?;
    let description = keys.text(&k::DESCRIPTION)?;
    let parameters = if custom { None } else { keys.some(&k::PARAMETERS) };
    let (schema, untyped) = schema(parameters.as_ref());
    let told = |key: &'static Key| custom || element.get(key).is_some();
    let format = keys.node.get(&k::FORMAT).filter(|format| custom && !is_format(format));
    let strict = keys.node.get(&k::STRICT).filter(|strict| strict.bool().is_none() && strict.kind() != NodeKind::Null);
    let nullable: &[&Key] = if custom { &[] } else { &[&k::DESCRIPTION, &k::PARAMETERS] };
    let flaw = schema_flaw(parameters.as_ref())
        .or_else(|| keys.null_but(nullable))
        .or_else(|| format.map(|_| &NO_FORMAT))
        .or_else(|| (!told(&k::PARAMETERS)).then_some(&NO_SCHEMA))
        .or_else(|| (!told(&k::STRICT) || strict.is_some()).then_some(&NO_STRICT));
    // Without a grammar, a custom tool takes any text.
    let says_nothing = |format: &S| {
        format.len() == 1 && format.get(&k::TYPE).is_some_and(|kind| kind.word().as_deref() == Some("text"))
    };
    if custom && element.get(&k::FORMAT).as_ref().is_some_and(says_nothing) {
        let _ = keys.take(&k::FORMAT);
    }
    let origin = Some(element.raw());
    let extras = keys.extras();
    Ok(Tool {
        name,
        description,
        schema,
        untyped,
        translated: false,
        keys: ("", "parameters"),
        by_provider: false,
        custom,
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

/// The functions that stand for a tool that the caller runs, or for a group of tools.
fn functions<S: Source>(kind: &Text<S::H>, element: &S, at: &Trail<'_>) -> Result<Vec<Tool<S::H>>, Error> {
    let word = |node: Option<S>| node.and_then(|node| node.word().map(Cow::into_owned));
    let kind = kind.to_str(element.input());
    if kind == k::NAMESPACE.name {
        return members(element, at);
    }
    let Some(form) = CallForm::ALL.into_iter().find(|form| form.tool() == kind) else { return Ok(Vec::new()) };
    let name = || Text::own(form.tool());
    let mut keys = Keys::of(element, at)?;
    keys.pass(&[&k::TYPE]);
    if form == CallForm::Search {
        if word(element.get(&EXECUTION)).as_deref() != Some("client") {
            return Ok(Vec::new());
        }
        let (schema, untyped) = schema(element.get(&k::PARAMETERS).as_ref());
        let description = element.get(&k::DESCRIPTION).and_then(|text| text.text());
        keys.pass(&[&EXECUTION, &k::DESCRIPTION, &k::PARAMETERS]);
        let made = Tool::standing_in(name(), "{}", Some(form));
        return Ok(vec![Tool { description, schema, untyped, extras: keys.extras(), ..made }]);
    }
    let place = element.get(&ENVIRONMENT).and_then(|place| word(place.get(&k::TYPE)));
    let hosted = place.is_some_and(|place| place.starts_with("container"));
    if element.get(&ENVIRONMENT).is_some_and(|place| place.len() == 1 && place.get(&k::TYPE).is_some()) {
        keys.pass(&[&ENVIRONMENT]);
    }
    let extras = keys.extras();
    let schema = stand_ins::schema(form).filter(|_| !hosted);
    Ok(schema.map(|schema| Tool { extras, ..Tool::standing_in(name(), schema, Some(form)) }).into_iter().collect())
}

/// The tools of a group, each with the name of the group.
fn members<S: Source>(element: &S, at: &Trail<'_>) -> Result<Vec<Tool<S::H>>, Error> {
    let input = element.input();
    let text = |key| element.get(key).and_then(|node| node.text());
    let (Some(group), Some(list)) = (text(&k::NAME), element.get(&k::TOOLS)) else { return Ok(Vec::new()) };
    let about = text(&k::DESCRIPTION);
    let at = at.key(k::TOOLS.name);
    let mut all = Vec::new();
    for (index, member) in list.items().enumerate().filter(|(_, member)| member.kind() == NodeKind::Map) {
        let tool = read(&member, &at.index(index))?;
        if tool.by_provider {
            // A group inside a group has the names of both.
            for one in tool.functions {
                let inner = one.namespace.as_ref().map_or_else(String::new, |name| format!("__{}", name.to_str(input)));
                let namespace = Some(Text::own(&format!("{}{inner}", group.to_str(input))));
                let description = both(about.as_ref(), one.description.as_ref(), input)?;
                all.push(Tool { description, namespace, form: None, ..one });
            }
            continue;
        }
        let description = both(about.as_ref(), tool.description.as_ref(), input)?;
        all.push(Tool { description, namespace: Some(group.share()), ..tool });
    }
    Ok(all)
}

/// The description of a group before that of its tool.
fn both<H: Host>(
    group: Option<&Text<H>>,
    own: Option<&Text<H>>,
    input: Option<&Input>,
) -> Result<Option<Text<H>>, Error> {
    let texts: Vec<_> = group.into_iter().chain(own).filter(|text| !text.is_empty()).map(Text::share).collect();
    joined(&texts, "\n\n", input)
}

/// Whether this is the format of a custom tool's input: any text, or a grammar.
fn is_format<S: Source>(format: &S) -> bool {
    let word = |key| format.get(key).is_some_and(|node| node.kind() == NodeKind::Text);
    match format.get(&k::TYPE).as_ref().and_then(Source::word).as_deref() {
        Some("text") => true,
        Some("grammar") => word(&k::SYNTAX) && word(&k::DEFINITION),
        _ => false,
    }
}

pub(super) fn read_choice<S: Source>(node: &S, at: &Trail<'_>) -> Result<Choice<S::H>, Error> {
    // Words and objects of other formats are read, but count as a flaw.
    let (kind, sound) = match node.word().as_deref() {
        Some("auto") => (ChoiceKind::Auto, true),
        Some("required") => (ChoiceKind::Required, true),
        Some("any") => (ChoiceKind::Required, false),
        Some("none") => (ChoiceKind::None, true),
        Some(_) => (ChoiceKind::Opaque, false),
        None => {
            let keys = Keys::of(node, at)?;
            let kind = keys.node.get(&k::TYPE);
            let named = |holder: &S| holder.get(&k::NAME).and_then(|name| name.text());
            match (kind.as_ref().and_then(Source::word).as_deref(), named(node)) {
                (Some("function" | "custom"), Some(name)) => (ChoiceKind::Tool(name), true),
                // These are forms of other formats.
                (Some("auto"), _) => (ChoiceKind::Auto, false),
                (Some("any" | "required"), _) => (ChoiceKind::Required, false),
                (Some("none"), _) => (ChoiceKind::None, false),
                (Some("tool"), Some(name)) => (ChoiceKind::Tool(name), false),
                (Some("function"), None) => {
                    let inner = node.get(&k::FUNCTION).and_then(|inner| named(&inner));
                    (inner.map_or(ChoiceKind::Opaque, ChoiceKind::Tool), false)
                }
                // A choice of several tools, or of a provider-run one.
                (Some("allowed_tools"), _) => {
                    let mode = node
                        .get(&k::MODE)
                        .is_some_and(|mode| matches!(mode.word().as_deref(), Some("auto" | "required")));
                    let list = |list: S| {
                        list.kind() == NodeKind::List && list.items().all(|tool| tool.kind() == NodeKind::Map)
                    };
                    (
                        among(node).map_or(ChoiceKind::Opaque, ChoiceKind::Among),
                        mode && node.get(&k::TOOLS).is_some_and(list) && node.get(&k::ALLOWED_TOOLS).is_none(),
                    )
                }
                (Some(kind), _) => (ChoiceKind::Opaque, items::is_tool(kind)),
                (None, _) => (ChoiceKind::Opaque, false),
            }
        }
    };
    let flaw = (!sound).then_some(&flaw::NO_CHOICE);
    // An object that names a tool has no other keys.
    let extras = match (&kind, node.kind()) {
        (ChoiceKind::Tool(_), NodeKind::Map) => {
            let mut keys = Keys::of(node, at)?;
            let _ = [&k::TYPE, &k::NAME, &k::FUNCTION].map(|key| keys.take(key));
            keys.extras()
        }
        _ => None,
    };
    Ok(Choice { kind, origin: Some(node.raw()), extras, flaw })
}

/// `{"type", "name", "description"?, "parameters", "strict"}`. Without the flag, these servers are strict, unlike
/// others.
pub(super) fn write<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, tool: &Tool<H>, at: &Path) -> Result<(), Error> {
    let free = is_free(w.p.target.limits, tool.custom);
    w.out.open_map();
    w.out.key(&k::TYPE);
    w.out.literal(if free { &k::CUSTOM } else { &k::FUNCTION });
    w.named(tool);
    if !free {
        w.out.key(&k::PARAMETERS);
        w.object_schema(tool, at)?;
    }
    let strict = w.tool_extras(tool, at)?;
    if let Some(grammar) = w.grammar(tool) {
        w.format(&grammar, false);
    }
    if !free {
        w.out.key(&k::STRICT);
        if let Some(strict) = strict {
            w.out.raw(strict);
        } else {
            let reason = "the target requires the flag of a schema that is not strict";
            w.p.losses.changed(Edit::StandIn, at.clone(), reason);
            // If this format's own definition lacks the flag, it stays absent.
            let own = w.p.conversation.frame.is_own(tool, w.p.target.id);
            let form = tool.keys != ("", k::PARAMETERS.name);
            let foreign = form || tool.flaw.is_some_and(|flaw| flaw.says == FOREIGN_TOOL.says);
            if own && !foreign && !tool.custom { w.out.null() } else { w.out.bool(false) }
        }
    }
    w.out.close();
    Ok(())
}

pub(super) fn write_choice<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, choice: &Choice<H>) {
    let name: &Text<H> = match &choice.kind {
        ChoiceKind::Auto | ChoiceKind::Opaque => return w.out.literal(&k::AUTO),
        ChoiceKind::Required => return w.out.literal(&k::REQUIRED),
        ChoiceKind::None => return w.out.literal(&k::NONE),
        ChoiceKind::Tool(name) => name,
        ChoiceKind::Among(among) => {
            w.out.open_map();
            w.out.key(&k::TYPE);
            w.out.literal(&k::ALLOWED_TOOLS);
            w.out.key(&k::MODE);
            w.out.literal(if among.must { &k::REQUIRED } else { &k::AUTO });
            w.out.key(&k::TOOLS);
            w.out.open_list();
            for one in &among.tools {
                write_chosen(w, &one.name);
            }
            w.out.close();
            return w.out.close();
        }
    };
    write_chosen(w, name);
}

/// `{"type", "name"}`.
fn write_chosen<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, name: &Text<H>) {
    w.out.open_map();
    w.out.key(&k::TYPE);
    w.out.literal(if is_free(w.p.target.limits, w.is_custom(name)) { &k::CUSTOM } else { &k::FUNCTION });
    w.out.key(&k::NAME);
    w.out.text(name);
    w.out.close();
}
