//! Describes the blocks of Converse, by its service model: opaque ones, and keys inside the others.

use crate::{
    rules::{CitationRule, KeyRule, Shared, SharedBlock, ValueRule},
    wire::plan,
};

const ANY_TEXT: ValueRule = ValueRule::Word;
const SOME_TEXT: ValueRule = ValueRule::Text(|text| !text.is_empty());
const TEXT: ValueRule = ValueRule::Fields(&[("text", ANY_TEXT)], &[]);

/// `{"s3Location": {"uri", "bucketOwner"?}}`
const PLACE: ValueRule =
    ValueRule::Fields(&[("uri", ValueRule::Text(is_bucket))], &[("bucketOwner", ValueRule::Text(is_account))]);
const FILE: ValueRule = ValueRule::Union(&[("bytes", ValueRule::Blob), ("s3Location", PLACE)]);
const PAPER: ValueRule = ValueRule::Union(&[
    ("bytes", ValueRule::Blob),
    ("s3Location", PLACE),
    ("text", SOME_TEXT),
    ("content", ValueRule::SomeOf(&ValueRule::Union(&[("text", SOME_TEXT)]))),
]);

/// `{"enabled"}`
pub(super) const CITED: ValueRule = ValueRule::Fields(&[("enabled", ValueRule::Flag)], &[]);

/// A place in a quoted document.
const SPAN: ValueRule = ValueRule::Fields(
    &[],
    &[
        ("documentIndex", ValueRule::Count),
        ("searchResultIndex", ValueRule::Count),
        ("start", ValueRule::Count),
        ("end", ValueRule::Count),
    ],
);

/// The model's quotations.
const QUOTES: ValueRule = ValueRule::ListOf(&ValueRule::Fields(
    &[],
    &[
        ("title", ANY_TEXT),
        ("source", ANY_TEXT),
        ("sourceContent", ValueRule::ListOf(&ValueRule::Union(&[("text", ANY_TEXT)]))),
        (
            "location",
            ValueRule::Union(&[
                ("web", ValueRule::Fields(&[], &[("url", ANY_TEXT), ("domain", ANY_TEXT)])),
                ("documentChar", SPAN),
                ("documentPage", SPAN),
                ("documentChunk", SPAN),
                ("searchResultLocation", SPAN),
            ]),
        ),
    ],
));

/// A tool that is defined elsewhere.
const REFERENCE: ValueRule = ValueRule::Fields(
    &[],
    &[
        ("type", ValueRule::Text(|text| (1..=64).contains(&text.chars().count()))),
        ("name", ValueRule::Text(|text| (1..=128).contains(&text.chars().count()))),
        ("serverName", ValueRule::Text(|text| (1..=128).contains(&text.chars().count()))),
    ],
);

/// The content that a guardrail checks.
pub(super) const GUARDED: ValueRule = ValueRule::Union(&[
    (
        "text",
        ValueRule::Fields(
            &[("text", ANY_TEXT)],
            &[("qualifiers", ValueRule::ListOf(&ValueRule::OneOf(&["grounding_source", "query", "guard_content"])))],
        ),
    ),
    (
        "image",
        ValueRule::Fields(
            &[
                ("format", ValueRule::OneOf(&["png", "jpeg"])),
                ("source", ValueRule::Union(&[("bytes", ValueRule::Blob)])),
            ],
            &[],
        ),
    ),
]);

/// A mark that ends the cached part of a prompt.
pub(super) const MARK: ValueRule =
    ValueRule::Fields(&[("type", ValueRule::OneOf(&["default"]))], &[("ttl", ValueRule::OneOf(&["5m", "1h"]))]);
const PICTURE: ValueRule = ValueRule::Fields(&[("format", ValueRule::OneOf(PICTURES)), ("source", FILE)], &[]);
const FILM: ValueRule = ValueRule::Fields(&[("format", ValueRule::OneOf(FILMS)), ("source", FILE)], &[]);
const SOUND: ValueRule = ValueRule::Fields(&[("format", ValueRule::OneOf(SOUNDS)), ("source", FILE)], &[]);

/// The service's names of the image formats.
pub(super) const PICTURES: &[&str] = &["png", "jpeg", "gif", "webp"];
pub(super) const PAPERS: &[&str] = &["pdf", "csv", "doc", "docx", "xls", "xlsx", "html", "txt", "md"];
pub(super) const FILMS: &[&str] = &["mkv", "mov", "mp4", "webm", "flv", "mpeg", "mpg", "wmv", THREE_GP.0];
pub(super) const SOUNDS: &[&str] =
    &["mp3", "opus", "wav", "aac", "flac", "mp4", "ogg", "mkv", "mka", "x-aac", "m4a", "mpeg", "mpga", "pcm", "webm"];
/// The service's names of file types are the usual extensions, except this one.
pub(super) const THREE_GP: (&str, &str) = ("three_gp", "3gp");

/// The blocks of a message.
pub(super) const BLOCKS: &[KeyRule] = &[
    ("text", ANY_TEXT),
    ("image", PICTURE),
    ("video", FILM),
    ("audio", SOUND),
    (
        "document",
        ValueRule::Fields(
            &[("name", ValueRule::Text(is_paper)), ("source", PAPER)],
            &[("format", ValueRule::OneOf(PAPERS)), ("citations", CITED)],
        ),
    ),
    ("toolUse", ValueRule::Fields(&[("toolUseId", SOME_TEXT), ("name", SOME_TEXT), ("input", ValueRule::Map)], &[])),
    (
        "toolResult",
        ValueRule::Fields(&[("toolUseId", SOME_TEXT), ("content", ValueRule::ListOf(&ValueRule::Map))], &[]),
    ),
    ("cachePoint", MARK),
    ("guardContent", GUARDED),
    ("reasoningContent", ValueRule::Union(&[("reasoningText", TEXT), ("redactedContent", ValueRule::Blob)])),
    (
        "citationsContent",
        ValueRule::Fields(
            &[],
            &[("content", ValueRule::ListOf(&ValueRule::Union(&[("text", ANY_TEXT)]))), ("citations", QUOTES)],
        ),
    ),
    (
        "searchResult",
        ValueRule::Fields(
            &[("source", ANY_TEXT), ("title", ANY_TEXT), ("content", ValueRule::ListOf(&TEXT))],
            &[("citations", CITED)],
        ),
    ),
    ("toolAddition", ValueRule::Fields(&[("tool", REFERENCE)], &[])),
    ("toolRemoval", ValueRule::Fields(&[("tool", REFERENCE)], &[])),
];

const REFERRED: &[(&str, &str)] = &[("type", "type"), ("name", "name"), ("server", "serverName")];
/// Claude's blocks that Anthropic's own API has too.
pub(super) const SHARED: &[SharedBlock] = &[
    SharedBlock {
        what: Shared::Thought,
        kind: "",
        under: &["reasoningContent", "reasoningText"],
        fields: &[("signature", "signature"), ("text", "text")],
        needs: 2,
        coded: false,
    },
    SharedBlock {
        what: Shared::Redacted,
        kind: "",
        under: &["reasoningContent"],
        fields: &[("data", "redactedContent")],
        needs: 1,
        coded: true,
    },
    SharedBlock {
        what: Shared::ToolAddition,
        kind: "",
        under: &["toolAddition", "tool"],
        fields: REFERRED,
        needs: 1,
        coded: false,
    },
    SharedBlock {
        what: Shared::ToolRemoval,
        kind: "",
        under: &["toolRemoval", "tool"],
        fields: REFERRED,
        needs: 1,
        coded: false,
    },
];

/// The tools of the configuration that are not the caller's functions.
pub(super) const TOOLS: &[KeyRule] =
    &[("cachePoint", MARK), ("systemTool", ValueRule::Fields(&[("name", ValueRule::Text(is_tool))], &[]))];

/// Keys inside the blocks that are parsed.
pub(super) const KEYS: &[KeyRule] = &[
    ("bucketOwner", ValueRule::Text(is_account)),
    ("citations", ValueRule::Either(&[CITED, QUOTES])),
    ("context", ANY_TEXT),
    ("guardContent", GUARDED),
];

/// `s3://bucket/key`
pub(super) fn is_bucket(uri: &str) -> bool {
    let bucket = uri.strip_prefix("s3://").map(|rest| rest.split('/').next().unwrap_or_default());
    let letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    bucket.is_some_and(|bucket| {
        let bytes = bucket.as_bytes();
        (3..=63).contains(&bytes.len())
            && uri.len() <= 1024
            && bytes.iter().all(|byte| letter(*byte) || matches!(byte, b'.' | b'-'))
            && [bytes.first(), bytes.last()].into_iter().flatten().all(|byte| letter(*byte))
    })
}

/// The name of a tool.
fn is_tool(name: &str) -> bool {
    super::LIMITS.name.allows(name.as_bytes())
}

/// The name of a document.
fn is_paper(name: &str) -> bool {
    super::LIMITS.media.names.as_ref().is_some_and(|rule| plan::is_valid(name, rule))
}

/// The number of an account.
fn is_account(id: &str) -> bool {
    id.len() == 12 && id.bytes().all(|byte| byte.is_ascii_digit())
}

/// Places in a cited document.
pub(super) const CITES: CitationRule = CitationRule {
    nested: true,
    places: [
        ("documentChar", ["documentIndex", "start", "end"]),
        ("documentPage", ["documentIndex", "start", "end"]),
        ("documentChunk", ["documentIndex", "start", "end"]),
    ],
    found: ("searchResultLocation", "searchResultIndex"),
    key: "citations",
    web: "web",
    makes_web: true,
    reply_only: &[],
    only_of_assistant: &[],
};
