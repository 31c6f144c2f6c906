//! What the blocks of Converse hold, by its service model: those that no parser looks into, and keys inside the others.

use super::super::{KeyRule, KeyValue};

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

const MARK: KeyValue =
    KeyValue::Fields(&[("type", KeyValue::OneOf(&["default"]))], &[("ttl", KeyValue::OneOf(&["5m", "1h"]))]);
const SEEN: KeyValue = KeyValue::Fields(&[("format", SOME_TEXT), ("source", FILE)], &[]);

/// The blocks of a message.
pub(super) const BLOCKS: &[KeyRule] = &[
    ("text", ANY_TEXT),
    ("image", SEEN),
    ("video", SEEN),
    ("audio", SEEN),
    (
        "document",
        KeyValue::Fields(&[("name", SOME_TEXT), ("source", PAPER)], &[("format", SOME_TEXT), ("citations", CITED)]),
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
            &[
                ("content", KeyValue::ListOf(&KeyValue::Union(&[("text", ANY_TEXT)]))),
                ("citations", KeyValue::ListOf(&KeyValue::Map)),
            ],
        ),
    ),
    (
        "searchResult",
        KeyValue::Fields(
            &[("source", ANY_TEXT), ("title", ANY_TEXT), ("content", KeyValue::ListOf(&TEXT))],
            &[("citations", CITED)],
        ),
    ),
    ("toolAddition", KeyValue::Fields(&[("tool", KeyValue::Map)], &[])),
    ("toolRemoval", KeyValue::Fields(&[("tool", KeyValue::Map)], &[])),
];

/// The tools of the configuration that are no functions of the caller's.
pub(super) const TOOLS: &[KeyRule] =
    &[("cachePoint", MARK), ("systemTool", KeyValue::Fields(&[("name", SOME_TEXT)], &[]))];

/// Keys inside the blocks that are read.
pub(super) const KEYS: &[KeyRule] = &[
    ("bucketOwner", KeyValue::Text(is_account)),
    ("citations", KeyValue::Any),
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

/// The number of an account.
fn is_account(id: &str) -> bool {
    id.len() == 12 && id.bytes().all(|byte| byte.is_ascii_digit())
}
