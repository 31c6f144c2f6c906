//! Gives a target of another format plain functions for the tools and the calls that only their own format describes:
//! tools that the caller runs, groups of tools, and tools that a search has loaded.

mod choice;
pub(crate) mod loaded;
pub(super) mod names;

use std::collections::BTreeMap;

use self::{
    loaded::{Shown, shows},
    names::{Key, Names, is_named, of_call, of_tool as key_of, twin_of},
};
use crate::{
    k,
    model::{ALONE, Content, Frame, Kind, Part, Tool, Turn, View},
    report::{Edit, Error, Losses, Path, Place, ToolNames},
    rules::{CallForm, DialectId, Limits, tool_rule::ToolRule},
    value::{HashSet, Host, Input, Raw, Text, Value},
    wire::{
        schema::repaired,
        write::{STAND_IN, payload::only_its_provider},
    },
};

/// What is written instead.
pub(super) struct Functions<H: Host> {
    pub(super) frame: Option<Frame<H>>,
    pub(super) turns: BTreeMap<usize, Turn<H>>,
}

const A_FUNCTION: &str = "only its own format has this tool: it is a plain function";
pub(crate) const A_CALL: &str = "only its own format has calls of this kind: it is a plain call";
const A_RESULT: &str = "only its own format has results of this kind: it is a plain result";
pub(crate) const IN_GROUP: &str = "the target has no groups of tools: the name of the group is in the tool's";
const LOADED: &str = "the target loads no tools: it is defined from the start";
const NOT_LOADED: &str =
    "the model has not found this tool by a search yet, and the target loads no tools: it is left out";
const TWICE: &str = "another definition of this tool comes before it, which counts";

/// The frame and the turns with plain functions, where the target needs them.
pub(super) fn of<H: Host>(view: &View<'_, H>, target: DialectId, losses: &mut Losses) -> Result<Functions<H>, Error> {
    let mut made = Functions { frame: None, turns: BTreeMap::new() };
    let meant = |from: DialectId| !from.same_wire(target);
    let foreign = meant(view.frame.from);
    let has_own = |turn: &&Turn<H>| {
        !turn.from.facts.forms.is_empty() && meant(turn.from) && turn.parts.iter().any(|part| is_own(turn, part))
    };
    // A list of tools that goes back as it came is not read again.
    let replayed = !foreign && view.frame.tools_origin.is_some();
    let mut tools = view.frame.tools.iter().flatten().filter(|_| !replayed);
    let tools = tools.any(|tool| !tool.functions.is_empty() && meant(view.frame.dialect_of(tool)));
    let turns = view.turns.iter().any(has_own);
    if !(tools || turns || foreign && choice::names_own(view.frame)) {
        return Ok(made);
    }
    let loaded = loaded::all(view, &meant);
    let mut names = Names::of(view, &loaded, target.limits()?, &meant);
    if foreign || tools || !loaded.is_empty() {
        made.frame = Some(frame(view.frame, target, &loaded, &mut names, losses)?);
    }
    for (index, turn) in view.turns.iter().enumerate().filter(|(_, turn)| has_own(turn)) {
        let mut new = turn.touch();
        let input = turn.input.as_ref();
        let mut changed = false;
        for (at, part) in new.parts.iter_mut().enumerate() {
            let path = turn.part_path(index, at);
            let shown = loaded::each((turn.from, input), part);
            match &mut part.kind {
                Kind::Call(call) if call.form.is_some() || call.namespace.is_some() => {
                    changed = true;
                    let key = of_call(call, input);
                    call.namespace = None;
                    let Some(key) = key else { continue };
                    call.name = Text::own(&names.for_call(key));
                    let (code, why) =
                        if call.form.is_some() { (Edit::ClientTool, A_CALL) } else { (Edit::Name, IN_GROUP) };
                    losses.changed(code, path, why);
                }
                Kind::Result(result) if result.form.is_some() => {
                    if shown.iter().any(|tool| tool.namespace.is_some()) {
                        result.content = listed(&shown, &mut names);
                        changed = true;
                    }
                    losses.changed(Edit::ClientTool, path, A_RESULT);
                }
                _ => {}
            }
        }
        if changed {
            made.turns.insert(index, new);
        }
    }
    if let Some(frame) = &mut made.frame {
        frame.names.join(&names.table);
    }
    Ok(made)
}

/// The names of such tools in a request for the target.
pub(crate) fn names<H: Host>(view: &View<'_, H>, target: DialectId) -> Result<ToolNames, Error> {
    Ok(names_if(view, target.limits()?, &|from| !from.same_wire(target)))
}

/// [`names`], as if no format had such tools.
pub(crate) fn flat_names<H: Host>(view: &View<'_, H>, limits: &Limits) -> ToolNames {
    names_if(view, limits, &|_| true)
}

fn names_if<H: Host>(view: &View<'_, H>, limits: &Limits, meant: &dyn Fn(DialectId) -> bool) -> ToolNames {
    Names::of(view, &loaded::all(view, meant), limits, meant).table
}

/// Whether a part is a call or a result that only its own format has.
fn is_own<H: Host>(turn: &Turn<H>, part: &Part<H>) -> bool {
    match &part.kind {
        Kind::Call(call) => call.form.is_some() || call.namespace.is_some(),
        Kind::Result(result) => result.form.is_some(),
        _ => shows((turn.from, turn.input.as_ref()), part),
    }
}

/// The names of the tools that a search has found, as the target gets them.
fn listed<H: Host>(shown: &[Tool<H>], names: &mut Names<'_>) -> Content<H> {
    let mut name = |tool: &Tool<H>| {
        let wire = if is_named(tool, None) {
            names.give(key_of(tool, None))
        } else {
            names.limits.legal_name(&tool.name, None)
        };
        Value::Text(Text::own(&wire))
    };
    let found = shown.iter().map(&mut name).collect::<Vec<_>>();
    let said = Value::Map([(Text::own(k::TOOLS.name), Value::List(found.into()))].into());
    Content::blocks([Part::at(Place::key(k::TOOLS.name), Kind::Json(Raw::Tree(said)))])
}

/// The frame with a function for each tool that the target can have.
fn frame<H: Host>(
    given: &Frame<H>,
    target: DialectId,
    loaded: &[Shown<H>],
    names: &mut Names<'_>,
    losses: &mut Losses,
) -> Result<Frame<H>, Error> {
    let mut made = given.map(&mut Text::share, &mut Raw::share);
    let input = given.input.as_ref();
    let searches =
        given.tools.iter().flatten().any(|tool| tool.functions.iter().any(|one| one.form == Some(CallForm::Search)));
    let mut seen: HashSet<Key> = HashSet::default();
    let mut tools = Vec::new();
    let found: HashSet<_> = loaded.iter().map(|(tool, input)| key_of(tool, input.as_ref())).collect();
    for (index, tool) in given.tools.iter().flatten().enumerate() {
        let place = |place| Some((index as u32, place));
        let (path, from) = (given.tool_path(index), given.dialect_of(tool));
        let share = |tool: &Tool<H>| tool.map(&mut Text::share, &mut Raw::share);
        if from.same_wire(target) {
            if !tool.by_provider {
                seen.insert(key_of(tool, input));
            }
            tools.push(Tool { inside: tool.inside.or_else(|| place(Place::default())), ..share(tool) });
            continue;
        }
        if tool.by_provider && tool.functions.is_empty() && tool.inside.is_none() {
            losses.lost(Edit::Tool, path, only_its_provider(&tool.name, input))?;
            continue;
        }
        let each = if tool.functions.is_empty() { std::slice::from_ref(tool) } else { &*tool.functions };
        for (at, one) in each.iter().enumerate() {
            let inside = if one.namespace.is_some() { Place::item(k::TOOLS.name, at) } else { Place::default() };
            let key = key_of(one, input);
            let is_hidden = || searches && is_hidden(one, from, input) && !found.contains(&key);
            if !one.by_provider && is_hidden() {
                losses.changed(Edit::Tool, path.clone().at(inside), NOT_LOADED);
                continue;
            }
            let is_new = one.by_provider || seen.insert(key);
            if !is_new && !tool.functions.is_empty() {
                losses.changed(Edit::Tool, path.clone().at(inside), TWICE);
                continue;
            }
            let mut new = Tool { inside: tool.inside.or_else(|| place(inside)), of: tool.of, ..share(one) };
            undeferred(&mut new, from, input);
            if !tool.functions.is_empty() {
                new = named(new, names, input);
                let (code, why) = if one.form.is_some() || one.namespace.is_none() {
                    (Edit::ClientTool, A_FUNCTION)
                } else {
                    (Edit::Name, IN_GROUP)
                };
                losses.changed(code, path.clone().at(inside), why);
                mend(&mut new, input, (&names.limits.tool, &path), losses);
            }
            tools.push(new);
        }
    }
    for shown in loaded.iter().filter(|(one, _)| !one.by_provider) {
        let (one, input) = shown;
        let key = key_of(one, input.as_ref());
        // In a group, each of the two gets a name.
        let twin = twin_of(&key).filter(|twin| !is_named(one, input.as_ref()) && seen.contains(twin));
        if !seen.insert(key) {
            continue;
        }
        if twin.is_some() {
            losses.changed(Edit::Tool, given.tools_path(), TWICE);
            continue;
        }
        let mut new = Tool { inside: Some((ALONE, Place::default())), ..loaded::detached(shown) };
        let from = given.dialect_of(&new);
        undeferred(&mut new, from, None);
        if new.namespace.is_some() {
            new = named(new, names, None);
        }
        losses.changed(Edit::Tool, given.tools_path(), LOADED);
        mend(&mut new, None, (&names.limits.tool, &given.tools_path()), losses);
        tools.push(new);
    }
    if made.tools.is_some() || !tools.is_empty() {
        (made.tools, made.tools_origin) = (Some(tools), None);
    }
    if !given.from.same_wire(target) {
        choice::rename(&mut made, given, names);
    }
    Ok(made)
}

/// The tool with its name for the target.
fn named<H: Host>(tool: Tool<H>, names: &mut Names<'_>, input: Option<&Input>) -> Tool<H> {
    let name = names.give(key_of(&tool, input));
    Tool { name: Text::own(&name), namespace: None, functions: Vec::new(), ..tool }
}

/// Takes away the flag of a tool that is shown after a search only.
fn undeferred<H: Host>(tool: &mut Tool<H>, from: DialectId, input: Option<&Input>) {
    let (Some(rule), Some(extras)) = (from.facts.deferred, &mut tool.extras) else { return };
    extras.retain(|(key, _)| !key.is(rule.flag, input));
}

/// Whether a tool is shown after a search only.
pub(super) fn is_hidden<H: Host>(tool: &Tool<H>, from: DialectId, input: Option<&Input>) -> bool {
    let Some(rule) = from.facts.deferred else { return false };
    let mut extras = tool.extras.iter().flat_map(|extras| extras.iter());
    extras.any(|(key, value)| key.is(rule.flag, input) && matches!(value.to_value(input), Ok(Value::Bool(true))))
}

/// Gives a definition that stood in no list of tools a schema that the target takes. What cannot be mended stays.
fn mend<H: Host>(tool: &mut Tool<H>, input: Option<&Input>, (rule, path): (&ToolRule, &Path), losses: &mut Losses) {
    if tool.custom {
        return;
    }
    // Servers of its own format read a missing one as that of an object.
    let schema = tool.schema.get_or_insert_with(|| Raw::Own(STAND_IN.into()));
    let Ok(schema) = schema.to_value(input) else { return };
    let Ok(Some(made)) = repaired(&schema, rule) else { return };
    made.changes.into_iter().for_each(|change| losses.changed(Edit::Tool, path.clone(), change.why));
    let words = made.words.join("; ");
    if !words.is_empty() {
        let told = tool.description.as_ref().map(|text| text.to_str(input).into_owned()).unwrap_or_default();
        tool.description = Some(Text::own(format!("{told} ({words})").trim_start()));
    }
    tool.schema = Some(Raw::Tree(made.schema));
}
