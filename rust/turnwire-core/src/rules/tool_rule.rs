//! Describes what a target accepts in a tool's schema, as data: one value for each limits row.

use super::{alphabet::Alphabet, tool_name::NameRule};

/// What a target accepts in a tool's schema.
#[allow(clippy::struct_excessive_bools, reason = "a row of a table: each flag is a column of its own")]
#[derive(Clone, Copy, Debug)]
pub struct ToolRule {
    /// Which JSON Schema the servers check it against.
    pub draft: Draft,
    /// Whether each tool must have one.
    pub needed: bool,
    /// Whether the root must have the type `object`.
    pub typed_root: bool,
    /// Whether the root must list its properties.
    pub listed_root: bool,
    /// Keywords that are refused at the root.
    pub root_refused: &'static [&'static str],
    /// The only keys that the root may have. Empty if any is allowed.
    pub root_keys: &'static [&'static str],
    /// The only keys that other schemas may have; others are refused or ignored. Empty if any is allowed.
    pub keys: &'static [&'static str],
    /// Whether annotations are allowed beside those.
    pub annotations: bool,
    /// Whether the schema of items is passed on unchanged.
    pub free_items: bool,
    /// Keywords that are refused anywhere.
    pub refused: &'static [&'static str],
    /// Keywords that are refused anywhere and that an argument depends on, so that the description says them.
    pub told: &'static [&'static str],
    /// Whether each schema must say its type, and one with alternatives or a reference only inside them.
    pub typed: bool,
    /// Whether `$id` must be a URI reference.
    pub id_is_reference: bool,
    /// Whether a list must have a schema for its items.
    pub listed_items: bool,
    /// Whether each schema must be an object, and not `true` or `false`.
    pub no_flags: bool,
    /// Which references are allowed.
    pub references: References,
    /// The form of the names of the root's properties.
    pub property: NameRule,
    /// The rule for strict schemas.
    pub strict: Strict,
    /// Whether a tool may say that it is strict.
    pub strict_flag: StrictFlag,
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

/// Which references are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum References {
    /// Any.
    Any,
    /// References with a target.
    Known,
    /// As `Known`, with nothing beside the reference but annotations and a default, and without a circle that no value
    /// satisfies.
    Alone,
    /// None: the target of a reference is written in its place.
    None,
}

/// The rule for strict schemas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strict {
    /// No server checks.
    Any,
    /// OpenAI's: objects are closed and require all their keys.
    AllKeys,
    /// As `AllKeys`, and a tool without the flag is made strict.
    AllKeysUnlessToldOtherwise,
    /// Anthropic's: objects are closed, and there are no bounds.
    Closed,
}

/// Whether a tool may say that it is strict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrictFlag {
    /// Each may.
    Kept,
    /// All say the same.
    Alike,
    /// None may.
    LeftOut,
}

const COMBINED: &[&str] = &["oneOf", "anyOf", "allOf"];

impl ToolRule {
    /// For a format whose tools no server checks.
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
        told: &[],
        typed: false,
        id_is_reference: false,
        listed_items: false,
        no_flags: false,
        references: References::Any,
        property: NameRule::ANY,
        strict: Strict::Any,
        strict_flag: StrictFlag::Kept,
    };
    /// OpenAI's error messages, as many reports quote them; and its guide to structured outputs for strict schemas.
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
    /// Moonshot's own rules for schemas (MoonshotAI/walle, `docs/walle.md`), each of which refuses the whole request.
    pub(crate) const MOONSHOT: Self = Self {
        told: &[
            "prefixItems",
            "unevaluatedItems",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "minContains",
            "maxContains",
        ],
        typed: true,
        references: References::Alone,
        ..Self::OPENAI
    };
    /// Responses makes a schema strict unless the tool says otherwise.
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
    /// Anthropic's rule for the schema of a reply, which is always compiled into a grammar.
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
    /// Converse passes tools on to Anthropic's models.
    pub(crate) const CONVERSE: Self = Self { strict: Strict::Any, ..Self::CLAUDE };
    /// Nova, by reports: the root may have only these keys, so nothing can refer to a definition.
    pub(crate) const NOVA: Self = Self {
        root_keys: &["type", "properties", "required"],
        annotations: false,
        references: References::None,
        property: NameRule::ANY,
        ..Self::CONVERSE
    };
    /// `GenerationConfig.response_json_schema` of google-genai. In practice its list also applies to
    /// `parametersJsonSchema`.
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
    /// Ollama's types in Go (`api/types.go`). Keys that they lack never reach a model.
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
