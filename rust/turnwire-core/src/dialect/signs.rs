//! Signs: what can be seen of a payload before anybody reads it; and the signs of formats without a file of their own yet.
//!
//! A format lists the keys, roles and types by which it can be told from another. Whoever lists a word knows it; a word that
//! nobody lists is no sign. Detection asks for all who know every sign of an element, so a list may be generous with what a
//! format's parser takes, but never lacks what its documentation shows.

/// Where a sign is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Spot {
    /// A key of a body.
    Body,
    /// A key of a tool's definition in a body.
    Tool,
    /// A key of such a tool where it has a type that is no function's.
    ProviderTool,
    /// The role of the first element of a list: it only settles how that one is read.
    Head,
    /// A key of an element.
    Key,
    /// An element's role.
    Role,
    /// An element's type.
    Type,
    /// What the content of an element is: `text` or `list`.
    Content,
    /// The type of a block of content.
    Block,
    /// A key of a block without a type.
    Bare,
    /// A key of a block of any type, which others take along, too: it only settles what no other sign does.
    Mark,
    /// A key of a block of type `text`.
    Text,
    /// A key of a block of type `tool_result`.
    Result,
    /// A key of a call in a list of calls.
    Call,
}

/// Words that somebody knows, by where they are seen, with blanks between them.
pub(crate) type Words = &'static [(Spot, &'static str)];

/// What a format knows: words of its own, and those that it shares.
pub(crate) type Signs = &'static [Words];

/// What every chat endpoint took over from the first.
pub(super) const SHARED: Words = &[
    (Spot::Body, "messages tools"),
    (Spot::Tool, "function"),
    (Spot::Head, "system"),
    (Spot::Role, "system user assistant tool"),
    (Spot::Call, "function"),
];

/// Signs by the name of a format, or of a profile that can be told from its format. A row goes when the file comes.
pub(super) const SIGNS: &[(&str, Signs)] = &[
    // The server's api/types.go: content is a string, never a list.
    (
        "ollama",
        &[
            SHARED,
            &[
                (Spot::Body, "keep_alive"),
                (Spot::Key, "content images thinking tool_calls tool_name tool_call_id"),
                (Spot::Content, "text"),
            ],
        ],
    ),
    // The client's models: chunks of content, `prefix` on the message that the model is to go on with.
    (
        "mistral",
        &[
            SHARED,
            &[
                (Spot::Body, "tool_choice safe_prompt random_seed prompt_mode"),
                (Spot::Key, "content tool_calls tool_call_id prefix"),
                (Spot::Content, "text list"),
                (Spot::Block, "text image_url document_url file reference input_audio resource resource_link thinking"),
                (Spot::Text, "text"),
            ],
        ],
    ),
    // Chat v2 reference.
    (
        "cohere",
        &[
            SHARED,
            &[
                (Spot::Body, "tool_choice documents citation_options safety_mode strict_tools stop_sequences"),
                (Spot::Key, "content tool_calls tool_call_id tool_plan citations"),
                (Spot::Content, "text list"),
                (Spot::Block, "text image_url thinking document"),
                (Spot::Text, "text"),
            ],
        ],
    ),
];
