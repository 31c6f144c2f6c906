//! Lists the table of settings as plain data, for readers and programs.

use super::{
    Column, EFFORTS, WIRES, budget_of,
    cell::{Cell, FormatShape, Kind},
    models,
    row_settings::{self, RowSettings},
    rows,
};

use crate::rules::DialectId;

/// One setting on one wire.
#[derive(Debug)]
pub struct Described {
    /// Its paths: keys with dots between.
    pub places: &'static [&'static str],
    /// Its type.
    pub kind: &'static str,
    /// The least and the most that a number may be.
    pub range: Option<(f64, f64)>,
    /// How many values, or characters, there may be.
    pub most: Option<usize>,
    /// The words, each with turnwire's own.
    pub words: &'static [(&'static str, &'static str)],
    /// The value that is written if the source has none, as JSON.
    pub needed: Option<&'static str>,
    /// The wire's default, as JSON.
    pub absent: Option<&'static str>,
    /// Settings that exclude it.
    pub excludes: &'static [&'static str],
    /// Settings that it requires.
    pub needs: &'static [&'static str],
    /// The choices of tools that the model takes.
    pub choices: Option<Vec<&'static str>>,
    /// The same while the request has tools, if that differs.
    pub with_tools: Option<Box<Self>>,
    /// The same while the model does not reason, if that differs.
    pub at_rest: Option<Box<Self>>,
    /// The models whose server is recorded with a refusal of what it does not accept.
    pub recorded: &'static [&'static str],
    /// Why the wire does not have it, or where it is instead.
    pub why: Option<&'static str>,
}

impl Described {
    fn of(cell: &Cell) -> Self {
        let range = match cell.kind {
            Kind::Integer(least, most) | Kind::Number(least, most) => Some((least, most)),
            _ => None,
        };
        let most = match cell.kind {
            Kind::Text(most) | Kind::Texts(most) | Kind::VisibleTexts(most) | Kind::Labels(most, _) => {
                Some(most).filter(|most| *most < usize::MAX)
            }
            _ => None,
        };
        let why = match cell.kind {
            Kind::Refused(why) | Kind::RefusedInReasoning(why) | Kind::Elsewhere(why) => Some(why),
            _ => None,
        };
        let words = if let Kind::Words(words) = cell.kind { words } else { &[] };
        let choices = match cell.kind {
            Kind::Choices(choices) => Some(choices.iter().map(|chosen| chosen.word()).collect()),
            _ => None,
        };
        let other = |kind: Option<Kind>| {
            let now = |kind| Cell { kind, with_tools: None, at_rest: None, ..*cell };
            kind.map(|kind| Box::new(Self::of(&now(kind))))
        };
        Self {
            choices,
            with_tools: other(cell.with_tools),
            at_rest: other(cell.at_rest),
            places: cell.places,
            kind: name(cell.kind),
            range,
            most,
            words,
            needed: cell.needed,
            absent: cell.absent,
            excludes: cell.excludes,
            needs: cell.needs,
            recorded: cell.recorded,
            why,
        }
    }
}

fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::None => "none",
        Kind::Refused(_) => "refused",
        Kind::RefusedInReasoning(_) => "refused while reasoning",
        Kind::Elsewhere(_) => "elsewhere",
        Kind::Always => "always",
        Kind::Own => "its own",
        Kind::Payload => "with the tools",
        Kind::Choices(_) => "with the tools, by the model",
        Kind::InChoice => "flag, turned round, in the choice of tools",
        Kind::Any => "anything",
        Kind::Flag | Kind::Switch(..) => "flag",
        Kind::Member(_) => "word in a list",
        Kind::Integer(..) => "integer",
        Kind::Number(..) => "number",
        Kind::Text(_) => "text",
        Kind::Texts(_) => "texts",
        Kind::VisibleTexts(_) => "texts, none of them blank",
        Kind::Labels(..) => "labels",
        Kind::Words(_) => "word",
        Kind::Format(FormatShape::Nested) => "format: {type, json_schema: {name, schema, strict}}",
        Kind::Format(FormatShape::Flat) => "format: {type, name, schema, strict}",
        Kind::Format(FormatShape::SchemaOnly) => "format: {type: json_schema, schema}",
        Kind::Format(FormatShape::MimeType) => "format: a media type and a schema",
        Kind::Format(FormatShape::SchemaText) => "format: {type, structure: {jsonSchema: {schema as text, name}}}",
        Kind::Format(FormatShape::Object) => "format: {type, json_schema}",
        Kind::Format(FormatShape::Bare) => "format: \"json\", or a schema",
        Kind::Format(FormatShape::Typed) => "format: {type: text, mime_type, schema}",
    }
}

/// The cells of a row or of a model, each with the name of its wire or setting.
pub type Cells = Vec<(&'static str, Described)>;

/// Every setting with its meaning and each wire's cell, by the wire's name.
pub fn table() -> impl Iterator<Item = (&'static str, &'static str, Cells)> {
    rows().map(|row| {
        let cells = WIRES.iter().zip(&row.cells).map(|(wire, cell)| (*wire, Described::of(cell)));
        (row.name, row.meaning, cells.collect())
    })
}

/// What a dialect's settings are for one model, by their names. Empty if it has none.
#[must_use]
pub fn column(dialect: DialectId, model: Option<&str>) -> Cells {
    let Some(column) = Column::of(dialect, model) else { return Vec::new() };
    rows().map(|row| (row.name, Described::of(column.cell(row)))).collect()
}

/// How some models or a version differ.
#[derive(Debug)]
pub struct Differs {
    /// The dialect.
    pub dialect: String,
    /// The beginnings of the models' names. None for every model.
    pub names: &'static [&'static str],
    /// Beginnings of names that begin so, too, and are other models.
    pub but: &'static [&'static str],
    /// Their cells, by the setting's name.
    pub cells: Cells,
}

/// How models and versions differ, the narrower before the wider.
pub fn differing() -> impl Iterator<Item = Differs> {
    models::all().map(|rule| {
        let dialect =
            if rule.version.is_empty() { rule.wire.to_owned() } else { format!("{}:{}", rule.wire, rule.version) };
        let cells = rule.cells.iter().map(|(setting, cell)| (*setting, Described::of(cell)));
        Differs { dialect, names: rule.names, but: rule.but, cells: cells.collect() }
    })
}

/// How the servers of a row differ. `None` if they do not.
pub(crate) fn of_row(dialect: String, settings: &RowSettings, wire: &str) -> Option<Differs> {
    let wire = WIRES.iter().position(|known| *known == wire)?;
    let mut cells: Cells = settings.cells.iter().map(|(setting, cell)| (*setting, Described::of(cell))).collect();
    for row in rows().filter(|row| settings.cell(row.name).is_none()) {
        let key = row.cells[wire].places.first().and_then(|place| place.split('.').next());
        if key.is_some_and(|key| settings.refuses.contains(&key)) {
            cells.push((row.name, Described::of(&row_settings::REFUSED)));
        }
    }
    (!cells.is_empty()).then_some(Differs { dialect, names: &[], but: &[], cells })
}

/// The scale of reasoning effort: each word with its number of tokens on a wire that counts them.
pub fn efforts() -> impl Iterator<Item = (&'static str, Vec<(&'static str, Option<u32>)>)> {
    EFFORTS.iter().map(|effort| {
        let counts = ["anthropic", "gemini", "bedrock", "cohere"];
        (effort.word, counts.into_iter().map(|wire| (wire, budget_of(effort, wire))).collect())
    })
}
