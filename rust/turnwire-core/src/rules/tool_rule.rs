//! What a target takes of a tool's schema, as data: one value for each row of the limits.

use super::{alphabet::Alphabet, tool_name::NameRule};

/// What a target takes of a tool's schema.
#[allow(clippy::struct_excessive_bools, reason = "a row of a table: each flag is a column of its own")]
#[derive(Clone, Copy, Debug)]
pub struct ToolRule {
    /// Which JSON Schema the servers check it against.
    pub draft: Draft,
    /// Whether each tool has one.
    pub needed: bool,
    /// Whether the root says that it is an object.
    pub typed_root: bool,
    /// Whether the root lists its properties.
    pub listed_root: bool,
    /// Keywords that are refused at the root.
    pub root_refused: &'static [&'static str],
    /// All that the root may have; empty where anything may stand there.
    pub root_keys: &'static [&'static str],
    /// All that other schemas may have, the others being refused or ignored; empty where anything may stand there.
    pub keys: &'static [&'static str],
    /// Whether keywords that only annotate may stand beside those.
    pub annotations: bool,
    /// Whether the schema of items is handed on whatever it says.
    pub free_items: bool,
    /// Keywords that are refused anywhere.
    pub refused: &'static [&'static str],
    /// Whether `$id` has to be a reference to a place.
    pub id_is_reference: bool,
    /// Whether a list says what its items are.
    pub listed_items: bool,
    /// Whether each schema is an object: neither `true` nor `false`.
    pub no_flags: bool,
    /// What a reference may be.
    pub references: References,
    /// What the keys of the root's properties may be.
    pub property: NameRule,
    /// What a strict schema may be.
    pub strict: Strict,
}

/// Which JSON Schema a schema is checked against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draft {
    /// None.
    Any,
    /// Draft 7, where `items` may be a list.
    Seven,
    /// 2020-12.
    Newest,
}

/// What a reference may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum References {
    /// Anything.
    Any,
    /// One that leads somewhere.
    Known,
    /// The same, with nothing beside it but words and a default, and in no circle that an instance cannot leave.
    Alone,
    /// None: what it leads to stands in its place.
    None,
}

/// What a strict schema may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strict {
    /// Nobody looks.
    Any,
    /// OpenAI's: objects are closed and need all their keys.
    AllKeys,
    /// The same, and a tool that does not say is made strict.
    AllKeysUnlessToldOtherwise,
    /// Anthropic's: objects are closed, and no bounds.
    Closed,
}

const COMBINED: &[&str] = &["oneOf", "anyOf", "allOf"];

impl ToolRule {
    /// Of a format whose tools nobody checks.
    pub(crate) const ANY: Self = Self {
        draft: Draft::Any,
        needed: false,
        typed_root: false,
        listed_root: false,
        root_refused: &[],
        root_keys: &[],
        keys: &[],
        annotations: true,
        free_items: false,
        refused: &[],
        id_is_reference: false,
        listed_items: false,
        no_flags: false,
        references: References::Any,
        property: NameRule::ANY,
        strict: Strict::Any,
    };
    /// OpenAI's error messages, as many reports quote them; its guide to structured outputs for what is strict.
    pub(crate) const OPENAI: Self = Self {
        draft: Draft::Newest,
        typed_root: true,
        listed_root: true,
        root_refused: &["oneOf", "anyOf", "allOf", "enum", "not"],
        id_is_reference: true,
        listed_items: true,
        references: References::Known,
        strict: Strict::AllKeys,
        ..Self::ANY
    };
    /// Responses makes a schema strict by itself where it is not told.
    pub(crate) const RESPONSES: Self =
        Self { needed: true, strict: Strict::AllKeysUnlessToldOtherwise, ..Self::OPENAI };
    /// Anthropic's error messages, and its page about structured outputs.
    pub(crate) const CLAUDE: Self = Self {
        draft: Draft::Newest,
        needed: true,
        typed_root: true,
        root_refused: COMBINED,
        property: NameRule { max: 64, alphabet: &Alphabet::of(b"_.-"), first: &Alphabet::of(b"_.-") },
        strict: Strict::Closed,
        ..Self::ANY
    };
    /// The same for the schema of a reply, which is always compiled into a grammar.
    pub(crate) const CLAUDE_REPLY: Self = Self {
        keys: &[
            "$defs",
            "definitions",
            "$ref",
            "type",
            "format",
            "title",
            "description",
            "enum",
            "const",
            "items",
            "minItems",
            "anyOf",
            "allOf",
            "properties",
            "additionalProperties",
            "required",
            "default",
            "pattern",
        ],
        property: NameRule::ANY,
        ..Self::CLAUDE
    };
    /// Converse hands tools on to models of Anthropic's.
    pub(crate) const CONVERSE: Self = Self { strict: Strict::Any, ..Self::CLAUDE };
    /// Nova, by reports: nothing at the root but these, so that no definition can be referred to.
    pub(crate) const NOVA: Self = Self {
        root_keys: &["type", "properties", "required"],
        annotations: false,
        references: References::None,
        property: NameRule::ANY,
        ..Self::CONVERSE
    };
    /// `GenerationConfig.response_json_schema` of google-genai, whose list holds for `parametersJsonSchema` in practice.
    pub(crate) const GEMINI: Self = Self {
        draft: Draft::Newest,
        typed_root: true,
        keys: &[
            "$id",
            "$defs",
            "definitions",
            "$ref",
            "$anchor",
            "type",
            "format",
            "title",
            "description",
            "enum",
            "items",
            "prefixItems",
            "minItems",
            "maxItems",
            "minimum",
            "maximum",
            "anyOf",
            "oneOf",
            "properties",
            "additionalProperties",
            "required",
            "propertyOrdering",
            "default",
            "nullable",
        ],
        references: References::Alone,
        ..Self::ANY
    };
    /// Mistral's own validator, which checks draft 7; one report says that a schema with these does not compile.
    pub(crate) const MISTRAL: Self = Self { draft: Draft::Seven, refused: &["$schema", "$id"], ..Self::COHERE };
    /// Cohere's types: every tool has parameters.
    pub(crate) const COHERE: Self = Self { needed: true, typed_root: true, ..Self::ANY };
    /// Ollama's types in Go (`api/types.go`): what they lack is gone before a model sees it.
    pub(crate) const OLLAMA: Self = Self {
        draft: Draft::Seven,
        typed_root: true,
        root_keys: &["type", "$defs", "items", "required", "properties"],
        keys: &["anyOf", "type", "items", "description", "enum", "properties", "required"],
        free_items: true,
        no_flags: true,
        references: References::None,
        ..Self::ANY
    };
}
