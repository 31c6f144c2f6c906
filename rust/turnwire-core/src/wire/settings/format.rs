//! Translates the format of the reply's text: text, JSON, or JSON of a schema, which is repaired for the target.

use super::{
    format_keys::left,
    said::Said,
    shape::{Format, Schema, get, is, read},
    told::{Told, changed, lost},
    translation::Translation,
    values,
};
use crate::{
    report::{Error, Path, Step},
    rules::{
        Cell, FormatShape, Kind, Setting,
        tool_rule::{Strict, ToolRule},
    },
    value::{Host, Raw, Text, Value, json},
    wire::schema::{closed, not_strict, repaired, strict_fault},
};

/// The name of a schema if the target requires one and the source has none.
const NAME: &str = "response";
const ONLY_WITH_SCHEMA: &str = "the target accepts JSON only with a schema";

fn map<H: Host>(entries: Vec<(&str, Option<Value<H>>)>) -> Value<H> {
    let held = entries.into_iter().filter_map(|(key, value)| Some((Text::own(key), value?)));
    Value::Map(held.collect())
}

/// A format of a media type, with or without a schema.
fn typed<H: Host>(media: &str, schema: Option<Value<H>>) -> Value<H> {
    map(vec![("type", Some(values::word("text"))), ("mime_type", Some(values::word(media))), ("schema", schema)])
}

impl<H: Host> Translation<'_, H> {
    /// Writes the format of the reply's text.
    pub(super) fn write_format(&mut self) -> Result<(), Error> {
        let mut said = Vec::new();
        while let Some(one) = self.take("response_format") {
            said.push(one);
        }
        let Some(first) = said.first() else { return Ok(()) };
        let (setting, at) = (first.setting, first.at.clone());
        let from = self.from.map(|from| from.cell(setting).kind);
        let Some(Kind::Format(shape)) = from else { return Ok(()) };
        let cell = self.to.cell(setting);
        let Some(format) = read(&said, shape) else {
            for one in said {
                self.tell(&one.at, lost("this format is unknown"));
            }
            return Ok(());
        };
        let used = |one: &Said<H>| match &format {
            Format::Schema(schema) => schema.at.starts_with(&one.at) || is(Some(&one.value), "application/json"),
            _ => one.at == at,
        };
        for one in said.iter().filter(|one| !used(one)) {
            self.tell(&one.at, lost("another key has another value for the same setting"));
        }
        for path in said.iter().filter(|one| used(one)).flat_map(|one| left(one, shape, &format)) {
            self.tell(&path, lost("a format of this kind has no such key"));
        }
        let Kind::Format(target) = cell.kind else {
            let (_, told) = values::written(&said[0], cell);
            self.tell(&at, told);
            return Ok(());
        };
        if let Some(Kind::Refused(why)) =
            cell.with_tools.filter(|_| self.has_tools() && !matches!(format, Format::Text))
        {
            self.tell(&at, lost(why));
            return Ok(());
        }
        let row = self.to.row();
        let no_schema = !row.formats.contains(&"json_schema");
        let has_json = row.formats.contains(&"json_object");
        if !row.format_with_tools && self.has_tools() && !matches!(format, Format::Text) {
            self.tell(&at, lost("the target takes no format of the reply beside tools"));
            return Ok(());
        }
        let told = match format {
            Format::Json | Format::Schema(_) if no_schema && !has_json => lost("the target's replies are text"),
            Format::Json if !has_json => lost(ONLY_WITH_SCHEMA),
            Format::Schema(_) if no_schema => {
                let told = self.json(setting, cell, target, &at);
                told.or_else(|| lost("the target takes no schema for its reply: it may be any JSON"))
            }
            Format::Text => self.text(setting, cell, target, &at),
            Format::Json => self.json(setting, cell, target, &at),
            Format::Schema(schema) => self.schema(setting, cell, target, schema, &at)?,
        };
        self.tell(&at, told);
        Ok(())
    }

    /// Whether the target does not take the format of a body of its own wire, whatever the schema.
    pub(super) fn format_is_refused(&self, said: &Said<H>) -> bool {
        let (cell, row) = (self.to.cell(said.setting), self.to.row());
        let Kind::Format(shape) = cell.kind else { return true };
        let alone = !row.format_with_tools || cell.with_tools.is_some();
        let has = |name: &str| row.formats.contains(&name);
        match read(std::slice::from_ref(said), shape) {
            None | Some(Format::Text) => false,
            Some(_) if alone && self.has_tools() => true,
            Some(Format::Json) => !has("json_object"),
            Some(Format::Schema(_)) => !has("json_schema"),
        }
    }

    fn text(&mut self, setting: &'static Setting, cell: &'static Cell, shape: FormatShape, at: &[Step]) -> Told {
        let value = match shape {
            FormatShape::Nested | FormatShape::Flat | FormatShape::Object => {
                map(vec![("type", Some(values::word("text")))])
            }
            FormatShape::MimeType => values::word("text/plain"),
            FormatShape::Typed => typed("text/plain", None),
            // Text is the default.
            FormatShape::SchemaOnly | FormatShape::SchemaText | FormatShape::Bare => return None,
        };
        self.entries.add(setting, cell, value, Some(at.to_vec()));
        None
    }

    fn json(&mut self, setting: &'static Setting, cell: &'static Cell, shape: FormatShape, at: &[Step]) -> Told {
        let value = match shape {
            FormatShape::Nested | FormatShape::Flat | FormatShape::Object => {
                map(vec![("type", Some(values::word("json_object")))])
            }
            FormatShape::MimeType => values::word("application/json"),
            FormatShape::Typed => typed("application/json", None),
            FormatShape::Bare => values::word("json"),
            FormatShape::SchemaOnly | FormatShape::SchemaText => {
                return lost(ONLY_WITH_SCHEMA);
            }
        };
        self.entries.add(setting, cell, value, Some(at.to_vec()));
        None
    }

    fn schema(
        &mut self,
        setting: &'static Setting,
        cell: &'static Cell,
        shape: FormatShape,
        given: Schema<H>,
        at: &[Step],
    ) -> Result<Told, Error> {
        let rule = rule(shape, &self.target.limits.tool);
        let Some(schema) = self.mended_schema(&given, &rule, shape) else { return Ok(None) };
        let (called, mut told) = name(&given, shape);
        let strict = self.strict(&given, &schema, &rule, shape);
        let kind = |word: &str| Some(values::word(word));
        let value = match shape {
            FormatShape::Nested => map(vec![
                ("type", kind("json_schema")),
                (
                    "json_schema",
                    Some(map(vec![
                        ("name", called),
                        ("description", given.description),
                        ("schema", Some(schema)),
                        ("strict", strict),
                    ])),
                ),
            ]),
            FormatShape::Flat => map(vec![
                ("type", kind("json_schema")),
                ("name", called),
                ("description", given.description),
                ("schema", Some(schema)),
                ("strict", strict),
            ]),
            FormatShape::SchemaText => {
                let mut text = Vec::new();
                json::encode::raw(&Raw::Tree(schema), None, &mut text)?;
                let text = Value::Text(Text::own(&String::from_utf8_lossy(&text)));
                let inner = map(vec![("schema", Some(text)), ("name", called), ("description", given.description)]);
                map(vec![("type", kind("json_schema")), ("structure", Some(map(vec![("jsonSchema", Some(inner))])))])
            }
            FormatShape::SchemaOnly => map(vec![("type", kind("json_schema")), ("schema", Some(schema))]),
            FormatShape::Object => map(vec![("type", kind("json_object")), ("json_schema", Some(schema))]),
            FormatShape::Bare => schema,
            FormatShape::Typed => typed("application/json", Some(schema)),
            FormatShape::MimeType => {
                self.entries.add(setting, cell, values::word("application/json"), Some(at.to_vec()));
                if let Some(place) = cell.places.get(1) {
                    self.entries.put(setting, cell, place, schema, Some(at.to_vec()));
                }
                return Ok(told);
            }
        };
        if told.is_none()
            && given.strict == Some(false)
            && matches!(shape, FormatShape::SchemaOnly | FormatShape::SchemaText)
        {
            told = changed("the target always follows the schema");
        }
        self.entries.add(setting, cell, value, Some(at.to_vec()));
        Ok(told)
    }

    /// Whether the reply must follow the schema, if the target has such a flag.
    fn strict(
        &mut self,
        given: &Schema<H>,
        schema: &Value<H>,
        rule: &ToolRule,
        shape: FormatShape,
    ) -> Option<Value<H>> {
        if !matches!(shape, FormatShape::Nested | FormatShape::Flat) {
            return None;
        }
        let asked = given.strict?;
        let fault = strict_fault(schema, rule.strict, true).filter(|_| asked);
        if let Some(why) = &fault {
            self.tell(&given.at, changed(not_strict(why)));
        }
        Some(Value::Bool(asked && fault.is_none()))
    }

    /// The schema in a form that the target accepts. `None` if there is none, which is reported.
    fn mended_schema(&mut self, given: &Schema<H>, rule: &ToolRule, shape: FormatShape) -> Option<Value<H>> {
        let mut schema = given.value.share();
        match repaired(&schema, rule) {
            Err((at, why)) => {
                // The whole schema is lost, not only the place that the target refuses.
                let place = if at.len() > 1 { format!(" (in it: {})", Path::of(at)) } else { String::new() };
                self.tell(&given.at, lost(format!("{why}{place}")));
                return None;
            }
            Ok(None) => {}
            Ok(Some(made)) => {
                for change in made.changes {
                    let path: Vec<_> = given.at.iter().cloned().chain(change.at).collect();
                    self.tell(&path, changed(change.why));
                }
                schema = described(&made.schema, &made.words);
            }
        }
        if matches!(shape, FormatShape::SchemaOnly | FormatShape::SchemaText) {
            if let Some(made) = closed(&schema) {
                self.tell(
                    &given.at,
                    changed("the target requires each object to name all of its keys: other keys are left out"),
                );
                schema = made;
            }
            if let Some(why) = strict_fault(&schema, Strict::Closed, true) {
                self.tell(&given.at, lost(format!("the target refuses this schema: {why}")));
                return None;
            }
        }
        Some(schema)
    }
}

/// The target's rule for the schema of a reply.
fn rule(shape: FormatShape, tool: &ToolRule) -> ToolRule {
    match shape {
        // The engine compiles the schema itself into a grammar, whatever its rule for the schemas of tools.
        FormatShape::Bare | FormatShape::Object => ToolRule::ANY,
        FormatShape::SchemaOnly | FormatShape::SchemaText => ToolRule::CLAUDE_REPLY,
        FormatShape::Nested | FormatShape::Flat | FormatShape::MimeType | FormatShape::Typed => *tool,
    }
}

/// The schema, with everything that it cannot express in its description.
fn described<H: Host>(schema: &Value<H>, words: &[String]) -> Value<H> {
    let (Value::Map(entries), false) = (schema, words.is_empty()) else { return schema.share() };
    let said = match get(schema, "description") {
        Some(Value::Text(text)) => format!("{} ({})", text.to_str(None), words.join("; ")),
        _ => format!("({})", words.join("; ")),
    };
    let others = entries.iter().filter(|(key, _)| !key.is("description", None));
    let entries = others.map(|(key, value)| (key.share(), value.share()));
    Value::Map(entries.chain([(Text::own("description"), Value::Text(Text::own(&said)))]).collect())
}

/// The name of the schema, if the target has one.
fn name<H: Host>(given: &Schema<H>, shape: FormatShape) -> (Option<Value<H>>, Told) {
    let demands = matches!(shape, FormatShape::Nested | FormatShape::Flat);
    let has = demands || shape == FormatShape::SchemaText;
    match &given.name {
        Some(name) if has => (Some(name.share()), None),
        Some(_) => (None, changed("the target's schemas have no name")),
        None if demands => {
            (Some(values::word(NAME)), changed(("the target requires a name", format!("it is {NAME:?}"))))
        }
        None => (None, None),
    }
}
