//! A piece of a body as the check compares it: its kind, its path, and its content without cache marks.

use crate::{
    report::Path,
    value::{Host, Raw, Text, Value, json::encode},
};

/// The kind of a piece, whatever its name on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// System text, at the head or among the messages.
    System,
    /// A tool definition.
    Tool,
    /// The keys of a message beside its content: its role, its name, its id.
    Head,
    /// Text.
    Text,
    /// A tool call.
    Call,
    /// The result of a call.
    Result,
    /// An image, a document, a file.
    Media,
    /// Reasoning, which is compared separately.
    Reasoning,
    /// The provider's compaction of a conversation.
    Compaction,
    /// Anything else.
    Other,
}

/// A piece of a body.
pub(super) struct Element<H: Host> {
    pub(super) path: Path,
    pub(super) kind: Kind,
    /// The wire's word for it.
    pub(super) word: String,
    pub(super) id: Option<String>,
    /// The index of its message.
    pub(super) message: usize,
    /// The value that is compared.
    pub(super) value: Value<H>,
    /// Where the text of `value` is in the element: its key, and how many bytes of white space come before it.
    pub(super) text_at: (Option<&'static str>, usize),
}

/// A piece in each of two bodies; `None` if a body does not have it.
pub(super) type Pair<'a, H> = (Option<&'a Element<H>>, Option<&'a Element<H>>);

impl<H: Host> Element<H> {
    /// Whether the check sees no difference.
    pub(super) fn same(&self, other: &Self) -> bool {
        let is_head = |one: &Self| one.kind == Kind::Head;
        is_head(self) == is_head(other) && self.value.same(&other.value)
    }
}

/// The value of a key. If the key occurs twice, the last one counts.
pub(super) fn get<'a, H: Host>(value: &'a Value<H>, key: &str) -> Option<&'a Value<H>> {
    let Value::Map(entries) = value else { return None };
    entries.iter().rev().find(|(name, _)| name.is(key, None)).map(|(_, value)| value)
}

/// The text under a key.
pub(super) fn text_of<H: Host>(value: &Value<H>, key: &str) -> Option<String> {
    if let Some(Value::Text(text)) = get(value, key) { Some(text.to_str(None).into_owned()) } else { None }
}

/// The JSON text of a value.
pub(super) fn json<H: Host>(value: &Value<H>) -> Vec<u8> {
    let mut out = Vec::with_capacity(256);
    // A value that JSON cannot hold was refused when the body was read. If a leaf fails anyway, it is cut off in the
    // same way on both sides.
    let _ = encode::raw(&Raw::Tree(value.share()), None, &mut out);
    out
}

/// Keys whose values are the caller's and the model's own data, so marks in them are not cache marks.
const DATA: [&str; 8] =
    ["input", "input_schema", "inputSchema", "parameters", "arguments", "args", "response", "parametersJsonSchema"];

/// The value without cache marks.
pub(crate) fn unmarked<H: Host>(value: &Value<H>) -> Value<H> {
    match value {
        Value::List(items) => Value::List(items.iter().filter(|item| !is_mark(item)).map(unmarked).collect()),
        Value::Map(entries) => {
            let marks = ["cache_control", "prompt_cache_breakpoint"];
            let kept = entries.iter().filter(|(key, _)| !marks.iter().any(|mark| key.is(mark, None)));
            let cleaned = kept.map(|(key, value)| {
                let is_data = DATA.iter().any(|data| key.is(data, None));
                (key.share(), if is_data { value.share() } else { unmarked(value) })
            });
            Value::Map(cleaned.collect())
        }
        _ => value.share(),
    }
}

/// Whether a block is nothing but a mark: `{"cachePoint": …}`.
pub(super) fn is_mark<H: Host>(value: &Value<H>) -> bool {
    matches!(value, Value::Map(entries) if matches!(&entries[..], [(key, _)] if key.is("cachePoint", None)))
}

/// The object without some of its keys.
pub(super) fn without<H: Host>(value: &Value<H>, gone: &[&str]) -> Value<H> {
    let Value::Map(entries) = value else { return value.share() };
    let stays = |key: &Text<H>| !gone.iter().any(|gone| key.is(gone, None));
    Value::Map(entries.iter().filter(|(key, _)| stays(key)).map(|(key, value)| (key.share(), value.share())).collect())
}

/// The text without white space around it, and how many bytes of white space came before it.
pub(super) fn trimmed<H: Host>(text: &Text<H>) -> (Text<H>, usize) {
    let Ok(said) = String::from_utf8(text.wtf8(None).into_owned()) else { return (text.share(), 0) };
    let inner = said.trim();
    if inner.len() == said.len() {
        return (text.share(), 0);
    }
    (Text::own(inner), said.len() - said.trim_start().len())
}

/// Keys that hold an id.
pub(super) const IDS: [&str; 6] = ["tool_use_id", "tool_call_id", "call_id", "toolUseId", "id", "item_id"];

/// The id of a block, or of the only object in it.
pub(super) fn id_of<H: Host>(value: &Value<H>) -> Option<String> {
    let here = |value: &Value<H>| IDS.iter().find_map(|key| text_of(value, key));
    here(value)
        .or_else(|| if let Value::Map(entries) = value { entries.iter().find_map(|(_, one)| here(one)) } else { None })
}

/// The kinds of blocks without a type, by their key.
const UNTYPED: [(&str, Kind); 13] = [
    ("text", Kind::Text),
    ("reasoningContent", Kind::Reasoning),
    ("toolUse", Kind::Call),
    ("functionCall", Kind::Call),
    ("function_call", Kind::Call),
    ("toolResult", Kind::Result),
    ("functionResponse", Kind::Result),
    ("function_response", Kind::Result),
    ("inlineData", Kind::Media),
    ("inline_data", Kind::Media),
    ("fileData", Kind::Media),
    ("image", Kind::Media),
    ("document", Kind::Media),
];

/// The kind of a block, and the wire's own name for it.
pub(super) fn kind_of<H: Host>(value: &Value<H>, compaction: Option<&str>) -> (Kind, String) {
    if let Some(word) = text_of(value, "type") {
        let kind = match word.as_str() {
            word if Some(word) == compaction => Kind::Compaction,
            "text" | "input_text" | "output_text" => Kind::Text,
            "thinking" | "redacted_thinking" | "reasoning" => Kind::Reasoning,
            "image" | "document" | "image_url" | "input_image" | "input_file" | "file" | "input_audio" => Kind::Media,
            "function" | "custom" => Kind::Call,
            word if word.ends_with("tool_use") || word.ends_with("_call") => Kind::Call,
            word if word.ends_with("_result") || word.ends_with("_output") => Kind::Result,
            _ => Kind::Other,
        };
        return (kind, word);
    }
    let known = UNTYPED.iter().find(|(key, _)| get(value, key).is_some());
    known.map_or((Kind::Other, String::new()), |(key, kind)| (*kind, (*key).to_owned()))
}

/// The value with sorted keys, and whole numbers without a fraction, so that equal content is equal.
pub(super) fn sorted<H: Host>(value: &Value<H>) -> Value<H> {
    in_order(value, &[])
}

/// The same, but data stay as they are.
pub(super) fn arranged<H: Host>(value: &Value<H>) -> Value<H> {
    in_order(value, &DATA)
}

/// `stays`: keys whose values are not sorted.
fn in_order<H: Host>(value: &Value<H>, stays: &[&str]) -> Value<H> {
    match value {
        Value::List(items) => Value::List(items.iter().map(|item| in_order(item, stays)).collect()),
        Value::Map(entries) => {
            let in_entry = |(key, value): &(Text<H>, Value<H>)| {
                let is_data = stays.iter().any(|data| key.is(data, None));
                (key.share(), if is_data { value.share() } else { in_order(value, stays) })
            };
            let mut entries: Vec<_> = entries.iter().map(in_entry).collect();
            entries.sort_by(|(a, _), (b, _)| a.wtf8(None).cmp(&b.wtf8(None)));
            Value::Map(entries.into())
        }
        Value::Number(digits) => match digits.split_once('.') {
            Some((whole, rest)) if rest.bytes().all(|digit| digit == b'0') => Value::Number(whole.into()),
            _ => value.share(),
        },
        _ => value.share(),
    }
}
