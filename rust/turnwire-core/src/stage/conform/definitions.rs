//! Makes tool definitions legal for the target: names, schemas, and the strict flag.
//!
//! Each tool is repaired by itself and does not depend on the others, because a provider's cache of a request begins
//! with its tools.

use crate::{
    k,
    model::{Choice, Frame, Tool},
    report::{Change, Edit, Error, Path, Severity, Step, error::Code, sentence},
    rules::{DialectId, Limits, ToolName, limits::Strict},
    stage::Draft,
    value::{Host, Input, Raw, Text, Value},
    wire::{
        plan::{rules, strict_flag},
        schema::{not_strict, repaired, strict_fault},
    },
};
use std::sync::Arc;

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, target: DialectId, limits: &Limits) -> Result<(), Error> {
    let frame = draft.frame.as_ref().unwrap_or(&draft.given.frame).clone();
    let unsaid = strict_flag::left_out(limits, &frame);
    let mut found = Vec::new();
    for (index, tool) in frame.tools.iter().flatten().enumerate().filter(|(_, tool)| !tool.by_provider) {
        let mut new =
            New { entries: Vec::new(), name: None, schema: None, description: None, strict: false, unsaid: false };
        name(&mut new, &frame, index, tool, limits);
        schema(&mut new, &frame, index, tool, limits, frame.is_own(tool, target))?;
        if let Some(why) = unsaid.filter(|_| strict_flag::of(tool, frame.input.as_ref()).is_some()) {
            let path = frame.tool_key_path(index, k::STRICT.name);
            new.entries.retain(|entry| entry.code != Edit::NotStrict);
            new.entries.push(Change::new(Edit::NotStrict, 0, path, why));
            (new.strict, new.unsaid) = (false, true);
        }
        if !new.entries.is_empty() {
            found.push((index, new));
        }
    }
    if found.is_empty() && frame.choice.is_none() {
        return Ok(());
    }
    let mut made = frame.map(&mut Text::share, &mut Raw::share);
    let renamed = made.choice.as_mut().map(|choice| chosen(choice, limits, frame.input.as_ref())).unwrap_or_default();
    if found.is_empty() && renamed.is_empty() {
        return Ok(());
    }
    for (wire, name) in &renamed {
        draft.names.add(wire, name);
    }
    if !renamed.is_empty() {
        let why = rules::TOOL_NAME_REFUSED;
        draft.report(Change::new(Edit::RenamedTool, 0, frame.choice_path(), why));
    }
    for (index, new) in found {
        let Some(tool) = made.tools.as_mut().and_then(|tools| tools.get_mut(index)) else { continue };
        made.tools_origin = None;
        let came = tool.origin.take().filter(|_| tool.flaw.is_none());
        tool.origin = came.and_then(|origin| with_changes(&origin, tool.keys, &new, frame.input.as_ref()));
        if let Some(wire) = new.name {
            draft.names.add(&wire, &tool.name.to_str(frame.input.as_ref()));
            tool.name = Text::own(&wire);
        }
        if let Some(schema) = new.schema {
            tool.untyped =
                !matches!(&schema, Value::Map(entries) if entries.iter().any(|(key, _)| key.is("type", None)));
            tool.schema = Some(Raw::Tree(schema));
        }
        if let Some(description) = new.description {
            tool.description = Some(Text::own(&description));
        }
        if new.unsaid {
            let gone = [k::STRICT.name.to_owned()];
            let keys = target.keys();
            tool.origin = tool.origin.take().and_then(|raw| keys.without_stray_keys(&raw, frame.input.as_ref(), &gone));
            if let Some(extras) = &mut tool.extras {
                extras.retain(|(key, _)| !key.is(k::STRICT.name, frame.input.as_ref()));
            }
        }
        if new.strict {
            let mut extras = tool.extras.take().unwrap_or_default();
            extras.retain(|(key, _)| !key.is(k::STRICT.name, frame.input.as_ref()));
            extras.push((Text::own(k::STRICT.name), Raw::Tree(Value::Bool(false))));
            tool.extras = Some(extras);
        }
        draft.receipt.changes.extend(new.entries);
    }
    made.renew();
    draft.frame = Some(Arc::new(made));
    Ok(())
}

/// The path of a value in a schema. Values in JSON text do not have their own path.
fn inside<H: Host>(frame: &Frame<H>, index: usize, at: Vec<Step>) -> Path {
    let at = if frame.places.tools_in_text { Vec::new() } else { at };
    at.into_iter().fold(frame.schema_path(index), Path::then)
}

/// The schema that the target writes if there is none.
fn stand_in<H: Host>() -> Value<H> {
    let entry = |key, value| (Text::own(key), value);
    let kind = entry("type", Value::Text(Text::own("object")));
    Value::Map([kind, entry("properties", Value::Map([].into()))].into())
}

/// A tool after repairs.
struct New<H: Host> {
    entries: Vec<Change>,
    name: Option<String>,
    schema: Option<Value<H>>,
    description: Option<String>,
    /// Whether the tool gets an explicit flag that it is not strict.
    strict: bool,
    /// Whether it loses the flag.
    unsaid: bool,
}

/// The wire value with the repaired keys. All other keys stay unchanged.
fn with_changes<H: Host>(origin: &Raw<H>, keys: (&str, &str), new: &New<H>, input: Option<&Input>) -> Option<Raw<H>> {
    let value = origin.to_value(input).ok()?;
    let inner = |last| steps(keys.0).chain([last]).collect::<Vec<_>>();
    let text = |text: &String| Value::Text(Text::own(text));
    let schema = new.schema.as_ref().map(|schema| (steps(keys.0).chain(steps(keys.1)).collect(), schema.share()));
    let name = new.name.as_ref().map(|name| (inner("name"), text(name)));
    let description = new.description.as_ref().map(|said| (inner("description"), text(said)));
    let strict = new.strict.then(|| (inner(k::STRICT.name), Value::Bool(false)));
    let mut all = [schema, name, description, strict].into_iter().flatten();
    all.try_fold(value, |value, (steps, new)| set(&value, &steps, new)).map(Raw::Tree)
}

/// The value with another one at this path. `None` if there is no such path.
fn set<H: Host>(value: &Value<H>, steps: &[&str], new: Value<H>) -> Option<Value<H>> {
    let Some((first, rest)) = steps.split_first() else { return Some(new) };
    let Value::Map(entries) = value else { return None };
    let mut entries: Vec<_> = entries.iter().map(|(key, value)| (key.share(), value.share())).collect();
    match entries.iter_mut().rfind(|(key, _)| key.is(first, None)) {
        Some((_, held)) => *held = set(held, rest, new)?,
        None if rest.is_empty() => entries.push((Text::own(first), new)),
        None => return None,
    }
    Some(Value::Map(entries.into()))
}

/// The keys of a path, joined by dots.
fn steps(keys: &str) -> impl Iterator<Item = &str> {
    keys.split('.').filter(|key| !key.is_empty())
}

fn name<H: Host>(new: &mut New<H>, frame: &Frame<H>, index: usize, tool: &Tool<H>, limits: &Limits) {
    let input = frame.input.as_ref();
    if let ToolName::Legal(wire) = limits.tool_name(&tool.name, input) {
        let path = frame.tool_key_path(index, "name");
        let mut entry = Change::new(Edit::RenamedTool, 0, path, rules::TOOL_NAME_REFUSED);
        (entry.id, entry.new_id) = (Some(tool.name.to_str(input).into_owned()), Some(wire.clone()));
        new.entries.push(entry);
        new.name = Some(wire);
    }
}

/// Renames the chosen tools whose names the target refuses. Returns each name with the one that it had.
fn chosen<H: Host>(choice: &mut Choice<H>, limits: &Limits, input: Option<&Input>) -> Vec<(String, String)> {
    let mut renamed = Vec::new();
    for name in choice.kind.names_mut() {
        if let ToolName::Legal(wire) = limits.tool_name(name, input) {
            let had = std::mem::replace(name, Text::own(&wire)).to_str(input).into_owned();
            renamed.push((wire, had));
        }
    }
    if !renamed.is_empty() {
        choice.origin = None;
    }
    renamed
}

fn schema<H: Host>(
    new: &mut New<H>,
    frame: &Frame<H>,
    index: usize,
    tool: &Tool<H>,
    limits: &Limits,
    own: bool,
) -> Result<(), Error> {
    let rule = &limits.tool;
    let input = frame.input.as_ref();
    // A schema in another format's spelling is written unchanged, because only its own reader can check it.
    let as_it_came = own && tool.translated && tool.flaw.is_none() && tool.origin.is_some() && new.name.is_none();
    if tool.custom || as_it_came {
        return Ok(());
    }
    let schema = tool.schema.as_ref().map(|schema| schema.to_value(input)).transpose()?;
    let mut value = schema.unwrap_or_else(stand_in);
    if own && rule.needed && tool.schema.is_none() && tool.flaw.is_none() {
        let path = frame.tool_path(index);
        new.entries.push(Change::new(Edit::MendedSchema, 0, path, sentence::NO_SCHEMA));
        new.schema = Some(value.share());
    }
    let refused = |(at, text): (Vec<Step>, String)| {
        let path = inside(frame, index, at);
        Error::new(Code::Unsendable, text).at_path(path)
    };
    if let Some(made) = repaired(&value, rule).map_err(refused)?.filter(|_| tool.schema.is_some()) {
        for change in made.changes {
            let path = inside(frame, index, change.at);
            new.entries.push(Change::new(change.code, 0, path, change.why));
        }
        let told = tool.description.as_ref().map(|text| text.to_str(input).into_owned()).unwrap_or_default();
        let words: Vec<_> = made.words.into_iter().filter(|words| !words.is_empty() && !told.contains(words)).collect();
        if !words.is_empty() {
            let space = if told.is_empty() { "" } else { " " };
            new.description = Some(format!("{told}{space}({})", words.join("; ")));
        }
        value = made.schema.share();
        new.schema = Some(made.schema);
    }
    let said = tool.extras.iter().flat_map(|extras| extras.iter()).find(|(key, _)| key.is(k::STRICT.name, input));
    let said = said.map(|(_, value)| value.to_value(input)).transpose()?;
    let asked = match said {
        Some(Value::Bool(false)) => return Ok(()),
        Some(Value::Bool(true)) => true,
        // A tool of another format is written as not strict.
        _ if !own || rule.strict != Strict::AllKeysUnlessToldOtherwise => return Ok(()),
        _ => false,
    };
    if let Some(why) = strict_fault(&value, rule.strict, asked) {
        let text = not_strict(&why);
        // Where only the target's default would make it strict, the servers leave that.
        let severity = if asked { limits.false_strict } else { Severity::Warning };
        let path = frame.tool_key_path(index, k::STRICT.name);
        new.entries.push(Change::new(Edit::NotStrict, 0, path, text).graded(severity));
        new.strict = true;
    }
    Ok(())
}
