//! Describes one setting in one format: its keys, its type, its bounds, and the settings that it needs or excludes.

use crate::rules::{chosen::Chosen, model_names};

/// One setting on one wire.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cell {
    /// Where it is read: paths, keys with dots between. It is written to the first. The others are older or different
    /// spellings.
    pub(crate) places: &'static [&'static str],
    /// What its value is.
    pub(crate) kind: Kind,
    /// The value, as JSON, that is written if the source has none, because the wire refuses a request without it.
    pub(crate) needed: Option<&'static str>,
    /// The wire's default, as JSON, if the defaults of the wires differ.
    pub(crate) absent: Option<&'static str>,
    /// Settings that exclude it.
    pub(crate) excludes: &'static [&'static str],
    /// Settings that it requires.
    pub(crate) needs: &'static [&'static str],
    /// Its type while the request has tools, if that is another.
    pub(crate) with_tools: Option<Kind>,
    /// Its type while the model does not reason, if that is another.
    pub(crate) at_rest: Option<Kind>,
    /// The models whose server is recorded with a refusal of what this cell does not accept.
    pub(crate) recorded: &'static [&'static str],
}

/// The type of a setting's value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    /// The wire does not have it.
    None,
    /// The wire or the model refuses it, for this reason.
    Refused(&'static str),
    /// The wire or the model refuses it while the model reasons, for this reason.
    RefusedInReasoning(&'static str),
    /// It is not in the body, but in this place.
    Elsewhere(&'static str),
    /// The wire always does so.
    Always,
    /// Only this wire has the setting.
    Own,
    /// It belongs to the payload, among the tools.
    Payload,
    /// It belongs to the payload, and the model takes only these choices of tools. None: it refuses the key.
    Choices(&'static [Chosen]),
    /// It is a key of the choice of tools, with the opposite value.
    InChoice,
    /// Any value, kept as it is.
    Any,
    /// `true` or `false`.
    Flag,
    /// `true` or `false`, for which other wires have these words.
    Switch(&'static str, &'static str),
    /// It is a word in the list at this path.
    Member(&'static str),
    /// A whole number within these bounds.
    Integer(f64, f64),
    /// A number within these bounds.
    Number(f64, f64),
    /// A text of at most this many characters.
    Text(usize),
    /// At most this many texts, or a single text.
    Texts(usize),
    /// As `Texts`, but none of them blank.
    VisibleTexts(usize),
    /// An object with at most this many texts, each of at most this many characters.
    Labels(usize, usize),
    /// A word: as the wire spells it, and as turnwire does. Of several with one meaning, the first is written. An empty
    /// one means an absent key.
    Words(&'static [(&'static str, &'static str)]),
    /// The format of the reply's text.
    Format(FormatShape),
}

/// The form of the reply's format on a wire.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum FormatShape {
    /// `{type, json_schema: {name, schema, strict}}`
    Nested,
    /// `{type, name, schema, strict}`
    Flat,
    /// `{type: json_schema, schema}`
    SchemaOnly,
    /// `responseMimeType` and `responseJsonSchema`
    MimeType,
    /// `{type: json_schema, structure: {jsonSchema: {schema, name}}}`, the schema being JSON text.
    SchemaText,
    /// `{type: json_object, json_schema}`
    Object,
    /// `"json"`, or the schema itself.
    Bare,
    /// `{type: text, mime_type, schema}`
    Typed,
}

/// The words for effort of a set, in a spelling of the scale, as the type of a cell.
macro_rules! effort_words {
    ($spelling:expr, $own:expr) => {
        $crate::rules::settings::Kind::Words(const { &$crate::rules::settings::levels::words($spelling, $own) })
    };
}
pub(crate) use effort_words;

/// The wire does not have it.
pub(super) const NONE: Cell = at(&[], Kind::None);

/// A setting at these paths.
pub(crate) const fn at(places: &'static [&'static str], kind: Kind) -> Cell {
    Cell {
        places,
        kind,
        needed: None,
        absent: None,
        excludes: &[],
        needs: &[],
        with_tools: None,
        at_rest: None,
        recorded: &[],
    }
}

/// Settings of one wire alone.
pub(crate) const fn own(places: &'static [&'static str]) -> Cell {
    at(places, Kind::Own)
}

impl Cell {
    pub(super) const fn needed(self, json: &'static str) -> Self {
        Self { needed: Some(json), ..self }
    }

    pub(super) const fn absent(self, json: &'static str) -> Self {
        Self { absent: Some(json), ..self }
    }

    pub(crate) const fn excludes(self, settings: &'static [&'static str]) -> Self {
        Self { excludes: settings, ..self }
    }

    pub(super) const fn needs(self, settings: &'static [&'static str]) -> Self {
        Self { needs: settings, ..self }
    }

    pub(crate) const fn with_tools(self, kind: Kind) -> Self {
        Self { with_tools: Some(kind), ..self }
    }

    pub(super) const fn at_rest(self, kind: Kind) -> Self {
        Self { at_rest: Some(kind), ..self }
    }

    pub(super) const fn recorded(self, models: &'static [&'static str]) -> Self {
        Self { recorded: models, ..self }
    }

    /// Whether the server of this model is recorded with a refusal of what the cell does not accept.
    pub(crate) fn is_recorded_for(&self, model: &str) -> bool {
        self.recorded.iter().any(|name| model_names::is_model(model, name))
    }

    /// Whether the wire has a key for it in its body.
    pub(crate) fn is_said(&self) -> bool {
        !matches!(
            self.kind,
            Kind::None
                | Kind::Refused(_)
                | Kind::RefusedInReasoning(_)
                | Kind::Elsewhere(_)
                | Kind::Always
                | Kind::Own
                | Kind::Payload
                | Kind::Choices(_)
        )
    }
}

#[cfg(test)]
thread_local! {
    static OVERRIDE: std::cell::Cell<Option<(&'static str, &'static str, &'static Cell)>> = const { std::cell::Cell::new(None) };
}

/// Runs `run` with another cell for one setting of a wire.
#[cfg(test)]
pub(crate) fn overriding<T>(
    setting: &'static str,
    wire: &'static str,
    cell: &'static Cell,
    run: impl FnOnce() -> T,
) -> T {
    OVERRIDE.set(Some((setting, wire, cell)));
    let done = run();
    OVERRIDE.set(None);
    done
}

#[cfg(test)]
pub(super) fn overridden(setting: &str, wire: &str) -> Option<&'static Cell> {
    OVERRIDE.get().filter(|(row, column, _)| *row == setting && *column == wire).map(|(_, _, cell)| cell)
}
