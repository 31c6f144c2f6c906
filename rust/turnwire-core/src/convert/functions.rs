//! Gives a target of another format plain functions for the tools and the calls that only their own format describes:
//! tools that the caller runs, groups of tools, and tools that a search has loaded.

use std::collections::BTreeMap;

use crate::{
    dialects::registry,
    k,
    model::{Choice, ChoiceKind, Frame, Kind, Part, Tool, Turn, View, tool::ALONE},
    report::{Edit, Error, Losses, Path, Place, ToolNames, tool_names::OwnTool},
    rules::{CallForm, DialectId, Limits, tool_rule::ToolRule, value_rule::member},
    value::{HashMap, HashSet, Host, Input, Raw, Text, Tree, Value},
    wire::{schema::repaired, write::payload::only_its_provider},
};

/// What is written instead.
pub(super) struct Functions<H: Host> {
    pub(super) frame: Option<Frame<H>>,
    pub(super) turns: BTreeMap<usize, Turn<H>>,
}

const A_FUNCTION: &str = "only its own format has this tool: it is a plain function";
const A_CALL: &str = "only its own format has calls of this kind: it is a plain call";
const A_RESULT: &str = "only its own format has results of this kind: it is a plain result";
const IN_GROUP: &str = "the target has no groups of tools: the name of the group is in the tool's";
const LOADED: &str = "the target loads no tools: it is defined from the start";

/// The frame and the turns with plain functions, where the target needs them.
pub(super) fn of<H: Host>(view: &View<'_, H>, target: DialectId, losses: &mut Losses) -> Result<Functions<H>, Error> {
    let mut made = Functions { frame: None, turns: BTreeMap::new() };
    let foreign = !view.frame.from.same_wire(target);
    let is_meant = |turn: &Turn<H>| !turn.from.same_wire(target) && turn.parts.iter().any(|part| is_own(turn, part));
    let tools = foreign && view.frame.tools.iter().flatten().any(|tool| !tool.functions.is_empty());
    let any = view.turns.iter().any(|turn| !turn.from.facts.forms.is_empty() && is_meant(turn));
    if !(tools || any || foreign && chosen_group(view.frame).is_some()) {
        return Ok(made);
    }
    let mut names = Names::of(view.frame, target.limits()?);
    let loaded = if foreign { loaded(view, target) } else { Vec::new() };
    if foreign {
        made.frame = Some(frame(view.frame, &loaded, &mut names, losses)?);
    }
    for (index, turn) in view.turns.iter().enumerate().filter(|(_, turn)| is_meant(turn)) {
        let mut new = turn.touch();
        let input = turn.input.as_ref();
        let mut changed = false;
        for (at, part) in new.parts.iter_mut().enumerate() {
            let path = turn.part_path(index, at);
            match &mut part.kind {
                Kind::Call(call) if call.form.is_some() || call.namespace.is_some() => {
                    let namespace = call.namespace.as_deref().map(|name| name.to_str(input).into_owned());
                    let own = call.name.to_str(input).into_owned();
                    call.namespace = None;
                    changed = true;
                    // A tool that is in no group counts as a group of its own, if a search has found it.
                    if namespace.as_ref() == Some(&own) {
                        continue;
                    }
                    call.name = Text::own(&names.give((namespace, own, call.form)));
                    let (code, why) =
                        if call.form.is_some() { (Edit::ClientTool, A_CALL) } else { (Edit::Name, IN_GROUP) };
                    losses.changed(code, path, why);
                }
                Kind::Result(result) if result.form.is_some() => losses.changed(Edit::ClientTool, path, A_RESULT),
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
    let made = of(view, target, &mut Losses::default())?;
    Ok(made.frame.map_or_else(ToolNames::default, |frame| frame.names))
}

/// Whether a part is a call or a result that only its own format has.
fn is_own<H: Host>(turn: &Turn<H>, part: &Part<H>) -> bool {
    match &part.kind {
        Kind::Call(call) => call.form.is_some() || call.namespace.is_some(),
        Kind::Result(result) => result.form.is_some(),
        Kind::Opaque(kind) => shows(turn.from).any(|word| kind.is(word, turn.input.as_ref())),
        _ => false,
    }
}

/// The types of the items that show more tools.
fn shows(from: DialectId) -> impl Iterator<Item = &'static str> {
    from.facts.deferred.into_iter().flat_map(|rule| [rule.shown.0, rule.added])
}

/// A tool by the name of its group, its own name, and the form of its calls.
type Qualified = (Option<String>, String, Option<CallForm>);

/// The names that tools get.
struct Names<'a> {
    limits: &'a Limits,
    taken: HashSet<String>,
    given: HashMap<(String, String, Option<&'static str>), String>,
    table: ToolNames,
}

impl<'a> Names<'a> {
    /// None yet. The names of plain functions are taken.
    fn of<H: Host>(frame: &Frame<H>, limits: &'a Limits) -> Self {
        let input = frame.input.as_ref();
        let plain = frame.tools.iter().flatten().filter(|tool| !tool.by_provider);
        let taken = plain.map(|tool| limits.legal_name(&tool.name, input)).collect();
        Self { limits, taken, given: HashMap::default(), table: ToolNames::default() }
    }

    /// The name of a tool, which all of its calls have: that of its group, and its own.
    fn give(&mut self, (namespace, name, form): Qualified) -> String {
        let key = (namespace.clone().unwrap_or_default(), name.clone(), form.map(CallForm::call));
        if let Some(given) = self.given.get(&key) {
            return given.clone();
        }
        let flat = namespace.as_ref().map_or_else(|| name.clone(), |group| format!("{group}__{name}"));
        let legal = |name: &str| self.limits.legal_name(&Text::<crate::value::NoHost>::own(name), None);
        let mut wire = legal(&flat);
        // One of these is free, because they are more than the taken names.
        for count in 2..self.taken.len() + 3 {
            if !self.taken.contains(&wire) {
                break;
            }
            wire = legal(&format!("{flat}_{count}"));
        }
        self.taken.insert(wire.clone());
        self.given.insert(key, wire.clone());
        let namespace = namespace.as_deref().map(Into::into);
        self.table.add_tool(&wire, OwnTool { name: name.into(), namespace, call: form.map(CallForm::call) });
        wire
    }
}

/// The frame with a function for each tool that the target can have.
fn frame<H: Host>(
    given: &Frame<H>,
    loaded: &[Shown<H>],
    names: &mut Names<'_>,
    losses: &mut Losses,
) -> Result<Frame<H>, Error> {
    let mut made = given.map(&mut Text::share, &mut Raw::share);
    let input = given.input.as_ref();
    let searches =
        given.tools.iter().flatten().any(|tool| tool.functions.iter().any(|one| one.form == Some(CallForm::Search)));
    let mut seen: HashSet<(String, String)> = HashSet::default();
    let mut tools = Vec::new();
    let key = |tool: &Tool<H>, input: Option<&Input>| {
        let group = tool.namespace.as_ref().map_or_else(String::new, |group| group.to_str(input).into_owned());
        (group, tool.name.to_str(input).into_owned())
    };
    let deferred = |tool: &Tool<H>| given.from.facts.deferred.is_some_and(|rule| is_hidden(tool, rule.flag, input));
    let found: HashSet<_> = loaded.iter().map(|(tool, input)| key(tool, input.as_ref())).collect();
    for (index, tool) in given.tools.iter().flatten().enumerate() {
        let place = |place| Some((index as u32, place));
        let path = given.tool_path(index);
        if tool.by_provider && tool.functions.is_empty() && tool.inside.is_none() {
            losses.lost(Edit::Tool, path, only_its_provider(&tool.name, input))?;
            continue;
        }
        let each = if tool.functions.is_empty() { std::slice::from_ref(tool) } else { &*tool.functions };
        for (at, one) in each.iter().enumerate() {
            // The model finds it by a search of its own.
            if !one.by_provider && searches && deferred(one) && !found.contains(&key(one, input)) {
                continue;
            }
            if !one.by_provider && !seen.insert(key(one, input)) && one.namespace.is_some() {
                continue;
            }
            let inside = if one.namespace.is_some() { Place::item(k::TOOLS.name, at) } else { Place::default() };
            let new = one.map(&mut Text::share, &mut Raw::share);
            let mut new = Tool { inside: tool.inside.or_else(|| place(inside)), ..new };
            undeferred(&mut new, given.from, input);
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
    for (one, input) in loaded {
        if one.by_provider || !seen.insert(key(one, input.as_ref())) {
            continue;
        }
        let new = one.map(&mut |text| text.detach(input.as_ref()), &mut |raw| raw.detach(input.as_ref()));
        let mut new = Tool { inside: Some((ALONE, Place::default())), ..new };
        undeferred(&mut new, given.from, None);
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
    if let Some((group, name)) = chosen_group(given) {
        let wire = names.give((Some(group), name, None));
        made.choice = Some(Choice { kind: ChoiceKind::Tool(Text::own(&wire)), origin: None, extras: None, flaw: None });
    }
    Ok(made)
}

/// The tool with its name for the target.
fn named<H: Host>(tool: Tool<H>, names: &mut Names<'_>, input: Option<&Input>) -> Tool<H> {
    let group = tool.namespace.as_ref().map(|group| group.to_str(input).into_owned());
    let name = names.give((group, tool.name.to_str(input).into_owned(), tool.form));
    if tool.custom {
        names.table.add_text(&tool.name.to_str(input));
    }
    Tool { name: Text::own(&name), namespace: None, functions: Vec::new(), ..tool }
}

/// Takes away the flag of a tool that is shown after a search only.
fn undeferred<H: Host>(tool: &mut Tool<H>, from: DialectId, input: Option<&Input>) {
    let (Some(rule), Some(extras)) = (from.facts.deferred, &mut tool.extras) else { return };
    extras.retain(|(key, _)| !key.is(rule.flag, input));
}

fn is_hidden<H: Host>(tool: &Tool<H>, flag: &str, input: Option<&Input>) -> bool {
    let mut extras = tool.extras.iter().flat_map(|extras| extras.iter());
    extras.any(|(key, value)| key.is(flag, input) && matches!(value.to_value(input), Ok(Value::Bool(true))))
}

/// The group and the name of the chosen tool, if it is in a group.
fn chosen_group<H: Host>(frame: &Frame<H>) -> Option<(String, String)> {
    let choice = frame.choice.as_ref()?;
    let (ChoiceKind::Tool(name), Some(extras)) = (&choice.kind, &choice.extras) else { return None };
    let input = frame.input.as_ref();
    let place = frame.from.facts.deferred?.place;
    let (_, group) = extras.iter().find(|(key, _)| key.is(place, input))?;
    match group.to_value(input).ok()? {
        Value::Text(group) => Some((group.to_str(None).into_owned(), name.to_str(input).into_owned())),
        _ => None,
    }
}

/// Gives a definition that stood in no list of tools a schema that the target takes. What cannot be mended stays.
fn mend<H: Host>(tool: &mut Tool<H>, input: Option<&Input>, (rule, path): (&ToolRule, &Path), losses: &mut Losses) {
    let Some(Ok(schema)) = tool.schema.as_ref().filter(|_| !tool.custom).map(|schema| schema.to_value(input)) else {
        return;
    };
    let Ok(Some(made)) = repaired(&schema, rule) else { return };
    made.changes.into_iter().for_each(|change| losses.changed(Edit::Tool, path.clone(), change.why));
    let words = made.words.join("; ");
    if !words.is_empty() {
        let told = tool.description.as_ref().map(|text| text.to_str(input).into_owned()).unwrap_or_default();
        tool.description = Some(Text::own(format!("{told} ({words})").trim_start()));
    }
    tool.schema = Some(Raw::Tree(made.schema));
}

/// A tool that an item of the list shows, with the input of its spans.
type Shown<H> = (Tool<H>, Option<Input>);

/// The tools that items of the list show.
fn loaded<H: Host>(view: &View<'_, H>, target: DialectId) -> Vec<Shown<H>> {
    let mut all = Vec::new();
    for turn in view.turns.iter().filter(|turn| !turn.from.same_wire(target)) {
        let Some(rule) = turn.from.facts.deferred else { continue };
        for part in &turn.parts {
            let is_shown = match &part.kind {
                Kind::Result(result) => result.form.is_some_and(|form| form.result() == rule.shown.0),
                Kind::Opaque(_) => is_own(turn, part),
                _ => false,
            };
            let Some(Ok(Value::Map(entries))) =
                part.origin.as_ref().filter(|_| is_shown).map(|origin| origin.to_value(turn.input.as_ref()))
            else {
                continue;
            };
            let Some(list) = member(&entries, rule.shown.1) else { continue };
            // What is no definition is not read.
            let Ok(tools) = registry::read_tools(&Tree(list), Some(turn.from)) else { continue };
            for tool in tools {
                let Tool { functions, .. } = &tool;
                if functions.is_empty() {
                    all.push((tool, None));
                } else {
                    let each = functions.iter().map(|one| one.map(&mut Text::share, &mut Raw::share));
                    all.extend(each.map(|one| (one, None)));
                }
            }
        }
    }
    all
}
