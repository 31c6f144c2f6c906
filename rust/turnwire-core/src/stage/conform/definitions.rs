//! Tool definitions as the target takes them: legal names, schemas that it reads, and a word about what is strict.
//!
//! Each tool is mended by itself, so that no other one changes it: what providers cache of a request begins with its tools.

use std::sync::Arc;

use crate::{
    model::{
        conversation::Frame,
        tool::{ChoiceKind, Tool},
    },
    report::{
        error::{Code, Error},
        path::{Path, Step},
        receipt::{Change, Entry},
    },
    rules::{
        dialect_id::DialectId,
        limits::{Limits, Strict, ToolRule},
    },
    stage::draft::Draft,
    value::handle::{Host, Input, Raw, Text, Value},
    wire::{
        schema::{mended, strict_fault},
        write::tool_schema::STRICT,
    },
};

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, target: DialectId, limits: &Limits) -> Result<(), Error> {
    let frame = draft.frame.as_ref().unwrap_or(&draft.given.frame).clone();
    if target.facts.slots.is_none_or(|slots| slots.tools.is_none()) {
        return Ok(());
    }
    let own = frame.from.same_wire(target);
    let mut found = Vec::new();
    for (index, tool) in frame.tools.iter().flatten().enumerate().filter(|(_, tool)| !tool.by_provider) {
        let mut new = New { entries: Vec::new(), name: None, schema: None, description: None, strict: false };
        name(&mut new, &frame, index, tool, limits);
        schema(&mut new, &frame, index, tool, &limits.tool, own)?;
        if !new.entries.is_empty() {
            found.push((index, new));
        }
    }
    let chosen = frame.choice.as_ref().and_then(|choice| chosen(&choice.kind, limits, frame.input.as_ref()));
    if found.is_empty() && chosen.is_none() {
        return Ok(());
    }
    let mut made = frame.map(&mut Text::share, &mut Raw::share);
    if let Some(((wire, name), choice)) = chosen.zip(made.choice.as_mut()) {
        (choice.kind, choice.origin) = (ChoiceKind::Tool(Text::own(&wire)), None);
        draft.names.add(&wire, &name);
        let why = "the target refuses the name of this tool";
        draft.report(Entry::new(Change::RenamedTool, 0, frame.choice_path(), why));
    }
    for (index, new) in found {
        let Some(tool) = made.tools.as_mut().and_then(|tools| tools.get_mut(index)) else { continue };
        made.tools_origin = None;
        tool.origin = None;
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
        if new.strict {
            let mut extras = tool.extras.take().unwrap_or_default();
            extras.retain(|(key, _)| !key.is(STRICT.name, frame.input.as_ref()));
            extras.push((Text::own(STRICT.name), Raw::Tree(Value::Bool(false))));
            tool.extras = Some(extras);
        }
        draft.receipt.entries.extend(new.entries);
    }
    made.renew();
    draft.frame = Some(Arc::new(made));
    Ok(())
}

/// What becomes of one tool.
struct New<H: Host> {
    entries: Vec<Entry>,
    name: Option<String>,
    schema: Option<Value<H>>,
    description: Option<String>,
    /// Whether it says that it is not strict.
    strict: bool,
}

fn name<H: Host>(new: &mut New<H>, frame: &Frame<H>, index: usize, tool: &Tool<H>, limits: &Limits) {
    let input = frame.input.as_ref();
    if limits.name.allows(&tool.name.wtf8(input)) {
        return;
    }
    if let Some(wire) = limits.name.legal(&tool.name.to_str(input)) {
        let path = frame.tool_key_path(index, "name");
        let mut entry = Entry::new(Change::RenamedTool, 0, path, "the target refuses the name of this tool");
        (entry.id, entry.new_id) = (Some(tool.name.to_str(input).into_owned()), Some(wire.clone()));
        new.entries.push(entry);
        new.name = Some(wire);
    }
}

fn chosen<H: Host>(kind: &ChoiceKind<H>, limits: &Limits, input: Option<&Input>) -> Option<(String, String)> {
    let ChoiceKind::Tool(name) = kind else { return None };
    if limits.name.allows(&name.wtf8(input)) {
        return None;
    }
    let name = name.to_str(input).into_owned();
    Some((limits.name.legal(&name)?, name))
}

fn schema<H: Host>(
    new: &mut New<H>,
    frame: &Frame<H>,
    index: usize,
    tool: &Tool<H>,
    rule: &ToolRule,
    own: bool,
) -> Result<(), Error> {
    let input = frame.input.as_ref();
    // A schema in other words goes back as it came: its own reader knows whether it is sound.
    let as_it_came = own && tool.translated && tool.flaw.is_none() && tool.origin.is_some() && new.name.is_none();
    let Some(schema) = tool.schema.as_ref().filter(|_| !tool.custom && !as_it_came) else { return Ok(()) };
    let mut value = schema.to_value(input)?;
    let refused = |(at, text): (Vec<Step>, String)| {
        let path = at.into_iter().fold(frame.schema_path(index), Path::then);
        Error::new(Code::Unsendable, text).at_path(path)
    };
    if let Some(made) = mended(&value, rule).map_err(refused)? {
        for change in made.changes {
            let path = change.at.into_iter().fold(frame.schema_path(index), Path::then);
            new.entries.push(Entry::new(change.code, 0, path, change.why));
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
    let said = tool.extras.iter().flat_map(|extras| extras.iter()).find(|(key, _)| key.is(STRICT.name, input));
    let said = said.map(|(_, value)| value.to_value(input)).transpose()?;
    let asked = match said {
        Some(Value::Bool(false)) => return Ok(()),
        Some(Value::Bool(true)) => true,
        // What came in another format is written as not strict.
        _ if !own || rule.strict != Strict::AllKeysUnlessToldOtherwise => return Ok(()),
        _ => false,
    };
    if let Some(why) = strict_fault(&value, rule.strict, asked) {
        let text = format!("the target refuses this schema as a strict one: {why}");
        new.entries.push(Entry::new(Change::NotStrict, 0, frame.tool_key_path(index, STRICT.name), text));
        new.strict = true;
    }
    Ok(())
}
