//! Describes one setting on one wire: its place, its type, its bounds, and the settings that it needs or excludes.

/// One setting on one wire.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    /// Where it is read, keys with dots between; it is written to the first. A later one is an older or another spelling.
    pub(crate) places: &'static [&'static str],
    /// What its value is.
    pub(crate) kind: Kind,
    /// The value, as JSON, that is written if the source has none, because the wire refuses a request without it.
    pub(crate) needed: Option<&'static str>,
    /// The wire's default, as JSON, where wires differ in it.
    pub(crate) absent: Option<&'static str>,
    /// Settings beside which it is refused.
    pub(crate) excludes: &'static [&'static str],
    /// Settings without which it is refused.
    pub(crate) needs: &'static [&'static str],
}

/// What a setting's value is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    /// The wire does not have it.
    None,
    /// The wire or the model refuses it, for this reason.
    Refused(&'static str),
    /// The same while the model reasons.
    RefusedInReasoning(&'static str),
    /// It is not in the body but there.
    Elsewhere(&'static str),
    /// The wire does so always.
    Always,
    /// A setting of this wire alone.
    Own,
    /// It is a part of the payload, among the tools.
    Payload,
    /// It is a key of the choice of tools, with the opposite value.
    InChoice,
    /// Anything, as it comes.
    Any,
    /// `true` or `false`.
    Flag,
    /// `true` or `false` where others have these words.
    Switch(&'static str, &'static str),
    /// It is a word in the list at its place.
    Member(&'static str),
    /// A whole number of these bounds.
    Integer(f64, f64),
    /// A number of these bounds.
    Number(f64, f64),
    /// A text of at most so many characters.
    Text(usize),
    /// At most so many texts, or one.
    Texts(usize),
    /// The same, without blank ones.
    VisibleTexts(usize),
    /// An object of at most so many texts, each of at most so many characters.
    Labels(usize, usize),
    /// A word, as the wire spells it and as turnwire does. The first of several with one meaning is written; an empty one
    /// means an absent key.
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

/// The wire does not have it.
pub(super) const NONE: Cell = at(&[], Kind::None);

/// A setting at these places.
pub(super) const fn at(places: &'static [&'static str], kind: Kind) -> Cell {
    Cell { places, kind, needed: None, absent: None, excludes: &[], needs: &[] }
}

/// Settings of one wire alone.
pub(super) const fn own(places: &'static [&'static str]) -> Cell {
    at(places, Kind::Own)
}

impl Cell {
    pub(super) const fn needed(self, json: &'static str) -> Self {
        Self { needed: Some(json), ..self }
    }

    pub(super) const fn absent(self, json: &'static str) -> Self {
        Self { absent: Some(json), ..self }
    }

    pub(super) const fn excludes(self, settings: &'static [&'static str]) -> Self {
        Self { excludes: settings, ..self }
    }

    pub(super) const fn needs(self, settings: &'static [&'static str]) -> Self {
        Self { needs: settings, ..self }
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
