//! What the blocks of Converse hold, by its service model: those that no parser looks into, and keys inside the others.

use crate::{
    rules::value_rule::{KeyRule, KeyValue},
    wire::plan,
};

const ANY_TEXT: KeyValue = KeyValue::Word;
const SOME_TEXT: KeyValue = KeyValue::Text(|text| !text.is_empty());
const TEXT: KeyValue = KeyValue::Fields(&[("text", ANY_TEXT)], &[]);

/// `{"s3Location": {"uri", "bucketOwner"?}}`
const PLACE: KeyValue =
    KeyValue::Fields(&[("uri", KeyValue::Text(is_bucket))], &[("bucketOwner", KeyValue::Text(is_account))]);
const FILE: KeyValue = KeyValue::Union(&[("bytes", KeyValue::Blob), ("s3Location", PLACE)]);
const PAPER: KeyValue = KeyValue::Union(&[
    ("bytes", KeyValue::Blob),
    ("s3Location", PLACE),
    ("text", SOME_TEXT),
    ("content", KeyValue::SomeOf(&KeyValue::Union(&[("text", SOME_TEXT)]))),
]);

/// `{"enabled"}`
pub(super) const CITED: KeyValue = KeyValue::Fields(&[("enabled", KeyValue::Flag)], &[]);

/// A place in what was quoted.
const SPAN: KeyValue = KeyValue::Fields(
    &[],
    &[
        ("documentIndex", KeyValue::Count),
        ("searchResultIndex", KeyValue::Count),
        ("start", KeyValue::Count),
        ("end", KeyValue::Count),
    ],
);

/// What the model quotes.
const QUOTES: KeyValue = KeyValue::ListOf(&KeyValue::Fields(
    &[],
    &[
        ("title", ANY_TEXT),
        ("source", ANY_TEXT),
        ("sourceContent", KeyValue::ListOf(&KeyValue::Union(&[("text", ANY_TEXT)]))),
        (
            "location",
            KeyValue::Union(&[
                ("web", KeyValue::Fields(&[], &[("url", ANY_TEXT), ("domain", ANY_TEXT)])),
                ("documentChar", SPAN),
                ("documentPage", SPAN),
                ("documentChunk", SPAN),
                ("searchResultLocation", SPAN),
            ]),
        ),
    ],
));

/// A tool that is defined elsewhere.
const REFERENCE: KeyValue = KeyValue::Fields(
    &[],
    &[
        ("type", KeyValue::Text(|text| (1..=64).contains(&text.chars().count()))),
        ("name", KeyValue::Text(|text| (1..=128).contains(&text.chars().count()))),
        ("serverName", KeyValue::Text(|text| (1..=128).contains(&text.chars().count()))),
    ],
);

/// What a guard looks at.
pub(super) const GUARDED: KeyValue = KeyValue::Union(&[
    (
        "text",
        KeyValue::Fields(
            &[("text", ANY_TEXT)],
            &[("qualifiers", KeyValue::ListOf(&KeyValue::OneOf(&["grounding_source", "query", "guard_content"])))],
        ),
    ),
    (
        "image",
        KeyValue::Fields(
            &[("format", KeyValue::OneOf(&["png", "jpeg"])), ("source", KeyValue::Union(&[("bytes", KeyValue::Blob)]))],
            &[],
        ),
    ),
]);

/// A place up to which a prompt is kept.
pub(super) const MARK: KeyValue =
    KeyValue::Fields(&[("type", KeyValue::OneOf(&["default"]))], &[("ttl", KeyValue::OneOf(&["5m", "1h"]))]);
const PICTURE: KeyValue = KeyValue::Fields(&[("format", KeyValue::OneOf(PICTURES)), ("source", FILE)], &[]);
const FILM: KeyValue = KeyValue::Fields(&[("format", KeyValue::OneOf(FILMS)), ("source", FILE)], &[]);
const SOUND: KeyValue = KeyValue::Fields(&[("format", KeyValue::OneOf(SOUNDS)), ("source", FILE)], &[]);

/// How the service spells the formats that it takes.
pub(super) const PICTURES: &[&str] = &["png", "jpeg", "gif", "webp"];
pub(super) const PAPERS: &[&str] = &["pdf", "csv", "doc", "docx", "xls", "xlsx", "html", "txt", "md"];
pub(super) const FILMS: &[&str] = &["mkv", "mov", "mp4", "webm", "flv", "mpeg", "mpg", "wmv", THREE_GP.0];
pub(super) const SOUNDS: &[&str] =
    &["mp3", "opus", "wav", "aac", "flac", "mp4", "ogg", "mkv", "mka", "x-aac", "m4a", "mpeg", "mpga", "pcm", "webm"];
/// What files of this type are called here: the usual extension, but for one.
pub(super) const THREE_GP: (&str, &str) = ("three_gp", "3gp");

/// The blocks of a message.
pub(super) const BLOCKS: &[KeyRule] = &[
    ("text", ANY_TEXT),
    ("image", PICTURE),
    ("video", FILM),
    ("audio", SOUND),
    (
        "document",
        KeyValue::Fields(
            &[("name", KeyValue::Text(is_paper)), ("source", PAPER)],
            &[("format", KeyValue::OneOf(PAPERS)), ("citations", CITED)],
        ),
    ),
    ("toolUse", KeyValue::Fields(&[("toolUseId", SOME_TEXT), ("name", SOME_TEXT), ("input", KeyValue::Map)], &[])),
    ("toolResult", KeyValue::Fields(&[("toolUseId", SOME_TEXT), ("content", KeyValue::ListOf(&KeyValue::Map))], &[])),
    ("cachePoint", MARK),
    ("guardContent", GUARDED),
    ("reasoningContent", KeyValue::Union(&[("reasoningText", TEXT), ("redactedContent", KeyValue::Blob)])),
    (
        "citationsContent",
        KeyValue::Fields(
            &[],
            &[("content", KeyValue::ListOf(&KeyValue::Union(&[("text", ANY_TEXT)]))), ("citations", QUOTES)],
        ),
    ),
    (
        "searchResult",
        KeyValue::Fields(
            &[("source", ANY_TEXT), ("title", ANY_TEXT), ("content", KeyValue::ListOf(&TEXT))],
            &[("citations", CITED)],
        ),
    ),
    ("toolAddition", KeyValue::Fields(&[("tool", REFERENCE)], &[])),
    ("toolRemoval", KeyValue::Fields(&[("tool", REFERENCE)], &[])),
];

/// The tools of the configuration that are no functions of the caller's.
pub(super) const TOOLS: &[KeyRule] =
    &[("cachePoint", MARK), ("systemTool", KeyValue::Fields(&[("name", KeyValue::Text(is_tool))], &[]))];

/// Keys inside the blocks that are read.
pub(super) const KEYS: &[KeyRule] = &[
    ("bucketOwner", KeyValue::Text(is_account)),
    ("citations", KeyValue::Either(&[CITED, QUOTES])),
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
