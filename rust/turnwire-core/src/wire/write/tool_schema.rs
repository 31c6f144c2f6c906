//! Writes a tool's definition as the target needs it: name, description, schema, and whether that schema is strict.

use super::{
    grammar::in_words,
    writer::{NO_FREE_TEXT, Writer},
};
use crate::{
    k,
    model::Tool,
    report::{Edit, Error, Path, Step, sentence},
    rules::Limits,
    value::{Host, Input, Raw, Sink, Text, Value},
    wire::{plan::in_keys, schema::SAYS_OBJECT},
};

/// What stands for a missing schema.
pub(crate) const STAND_IN: &str = r#"{"type":"object","properties":{}}"#;

/// The schema of a tool with free text, for a target without such tools.
const FREE_TEXT: &str = r#"{"type":"object","properties":{"input":{"type":"string"}},"required":["input"]}"#;

/// What a schema gets that does not say that it is an object.
pub(crate) const TYPED: &str = r#""type":"object","#;

/// What the target gets as the schema of a tool.
pub(crate) enum SchemaAs<'t, H: Host> {
    /// Its own.
    Given(&'t Raw<H>),
    /// Its own, as the schema of an object.
    Typed(&'t Raw<H>),
    /// One that was made, as JSON.
    Made(&'static str),
    Nothing,
}

impl<'t, H: Host> SchemaAs<'t, H> {
    /// For a target with these limits.
    pub(crate) fn of(limits: &Limits, tool: &'t Tool<H>) -> Self {
        match &tool.schema {
            _ if tool.custom && !limits.free_text => Self::Made(FREE_TEXT),
            Some(schema) if tool.untyped => Self::Typed(schema),
            None if limits.tool.needed && !tool.custom => Self::Made(STAND_IN),
            _ => Self::of_own(tool),
        }
    }

    /// For the tool's own dialect.
    pub(crate) fn of_own(tool: &'t Tool<H>) -> Self {
        tool.schema.as_ref().map_or(Self::Nothing, Self::Given)
    }
}

impl<H: Host, K: Sink<H>> Writer<'_, '_, H, K> {
    /// Writes the first keys of every definition.
    pub(crate) fn named(&mut self, tool: &Tool<H>) {
        self.out.key(&k::NAME);
        self.out.text(&tool.name);
        if let Some(description) = self.description(tool) {
            self.out.key(&k::DESCRIPTION);
            self.out.text(&description);
        }
    }

    /// Whether a tool of this name takes free text.
    pub(crate) fn is_custom(&self, name: &Text<H>) -> bool {
        let frame = self.p.conversation.frame;
        let input = frame.input.as_ref();
        let mut tools = frame.tools.iter().flatten();
        tools.any(|tool| tool.custom && tool.name.wtf8(input) == name.wtf8(input))
    }

    /// Reports the keys of a tool that the target does not have, and returns the value of `strict`, which several
    /// targets have. A grammar is not reported if the target accepts one.
    pub(crate) fn tool_extras<'t>(&mut self, tool: &'t Tool<H>, at: &Path) -> Result<Option<&'t Raw<H>>, Error> {
        let frame = self.p.conversation.frame;
        let input = frame.input.as_ref();
        let grammar = self.grammar(tool).is_some();
        let wires = (frame.dialect_of(tool), &self.p.target);
        let mark = in_keys(wires, |marks| marks.beside, tool.extras.as_deref(), input);
        if let Some((name, cached)) = mark {
            self.p.mark_told(cached, &|| at.clone().then(Step::Key(name)))?;
        }
        let told = in_words(tool, self.p.target.limits, input).is_some();
        if told {
            self.p.losses.changed(Edit::Tool, at.clone(), "the target has no grammars: it is in the description");
        }
        let grammar = grammar || told;
        let mut strict = None;
        for (key, raw) in tool.extras.iter().flat_map(|extras| extras.iter()) {
            if key.is(k::STRICT.name, input) && matches!(raw.to_value(input), Ok(Value::Bool(_))) {
                strict = Some(raw);
            } else if !(grammar && key.is(k::FORMAT.name, input) || mark.is_some_and(|(name, _)| key.is(name, input))) {
                self.tool_key_lost(tool, at, (key, raw))?;
            }
        }
        Ok(strict)
    }

    /// Reports the keys of a tool, for a target that has none of them, not even `strict`.
    pub(crate) fn tool_extras_lost(&mut self, tool: &Tool<H>, at: &Path) -> Result<(), Error> {
        match self.tool_extras(tool, at)? {
            Some(strict) => self.tool_key_lost(tool, at, (&Text::own(k::STRICT.name), strict)),
            None => Ok(()),
        }
    }

    /// Reports a key of a definition that the target does not have.
    pub(crate) fn tool_key_lost(
        &mut self,
        tool: &Tool<H>,
        at: &Path,
        (key, raw): (&Text<H>, &Raw<H>),
    ) -> Result<(), Error> {
        let frame = self.p.conversation.frame;
        if self.p.has_told_waits(key, (frame.from, frame.input.as_ref())) {
            return Ok(());
        }
        let at = self.beside(tool, at, (key, raw));
        self.p.extra_lost((key, raw), self.p.conversation.frame.input.as_ref(), &|| at.clone())
    }

    /// The path of the object that holds a key of a definition.
    fn beside(&self, tool: &Tool<H>, at: &Path, (key, raw): (&Text<H>, &Raw<H>)) -> Path {
        let frame = self.p.conversation.frame;
        match &tool.origin {
            Some(origin) if !frame.places.tools_in_text => holder_of((key, raw), origin, frame.input.as_ref(), at),
            _ => at.clone(),
        }
    }

    /// Reports a schema that is not an object, for a target that accepts a tool without a schema.
    pub(crate) fn no_schema(&mut self, tool: &Tool<H>, at: &Path) -> Result<(), Error> {
        let Some(origin) = &tool.origin else { return Ok(()) };
        let mut said = origin.to_value(self.p.conversation.frame.input.as_ref())?;
        let mut path = at.clone();
        let (within, schema) = tool.keys;
        for key in [within, schema].into_iter().flat_map(|keys| keys.split('.')).filter(|key| !key.is_empty()) {
            let Value::Map(entries) = &said else { return Ok(()) };
            let Some((_, value)) = entries.iter().rev().find(|(name, _)| name.is(key, None)) else { return Ok(()) };
            said = value.share();
            if !self.p.conversation.frame.places.tools_in_text {
                path = path.then(Step::Key(key));
            }
        }
        if schema.is_empty() || matches!(said, Value::Null | Value::Map(_)) {
            return Ok(());
        }
        self.p.losses.lost(Edit::Tool, path, "a schema must be an object")
    }

    /// Writes a tool's schema, for a target whose tools have an object schema.
    pub(crate) fn object_schema(&mut self, tool: &Tool<H>, at: &Path) -> Result<(), Error> {
        match SchemaAs::of(self.p.target.limits, tool) {
            SchemaAs::Given(schema) => self.out.sound(schema),
            SchemaAs::Typed(schema) => self.typed_schema(schema, at)?,
            SchemaAs::Made(_) if tool.custom => self.free_text_schema(at),
            SchemaAs::Made(_) | SchemaAs::Nothing => {
                self.no_schema(tool, at)?;
                self.p.losses.changed(Edit::StandIn, at.clone(), sentence::NO_SCHEMA);
                self.out.raw(&Raw::Own(STAND_IN.into()));
            }
        }
        Ok(())
    }

    /// Writes the schema of a tool with free text: an object with one key for that text.
    pub(crate) fn free_text_schema(&mut self, at: &Path) {
        self.p.losses.changed(Edit::Tool, at.clone(), NO_FREE_TEXT);
        self.out.raw(&Raw::Own(FREE_TEXT.into()));
    }

    /// Writes a schema without its own type as the schema of an object.
    pub(crate) fn typed_schema(&mut self, schema: &Raw<H>, at: &Path) -> Result<(), Error> {
        self.p.losses.changed(Edit::StandIn, at.clone(), SAYS_OBJECT);
        self.out.open_map();
        self.out.key(&k::TYPE);
        self.out.literal(&k::OBJECT);
        if let Value::Map(entries) = schema.to_value(self.p.conversation.frame.input.as_ref())? {
            for (key, value) in entries.iter().filter(|(key, _)| !key.is(k::TYPE.name, None)) {
                self.out.key_text(key);
                self.out.raw(&Raw::Tree(value.share()));
            }
        }
        self.out.close();
        Ok(())
    }
}

/// The path of the object inside `origin`, which is at `at`, that holds this key with this value; `at` if none does.
pub(crate) fn holder_of<H: Host>(
    (key, raw): (&Text<H>, &Raw<H>),
    origin: &Raw<H>,
    input: Option<&Input>,
    at: &Path,
) -> Path {
    let (Ok(origin), Ok(value)) = (origin.to_value(input), raw.to_value(input)) else { return at.clone() };
    let key = key.to_str(input);
    way_to((&key, &value), &origin)
        .into_iter()
        .flatten()
        .fold(at.clone(), |path, key| path.then(Step::Name(key.into())))
}

/// The keys on the way to the object that has this entry: the outermost one, then the first.
fn way_to<H: Host>(entry: (&str, &Value<H>), inside: &Value<H>) -> Option<Vec<String>> {
    let Value::Map(entries) = inside else { return None };
    if entries.iter().any(|(key, value)| key.is(entry.0, None) && value.same(entry.1)) {
        return Some(Vec::new());
    }
    entries.iter().find_map(|(key, value)| {
        let mut way = way_to(entry, value)?;
        way.insert(0, key.to_str(None).into_owned());
        Some(way)
    })
}
