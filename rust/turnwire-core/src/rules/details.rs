//! Reads and writes a gateway's list of reasoning details, each of which names its maker's format.

use super::{carrier::Maker, value_rule::Entry};
use crate::value::{HashMap, HashSet, Host, Key, Numbers, Raw, Text, Value, door::keys, json, tree};

/// A piece of reasoning in its maker's own spelling. Google's is the text of a signature, or a whole part with one.
pub(crate) struct Piece<H: Host> {
    pub(crate) maker: Maker,
    pub(crate) value: Value<H>,
    /// The id of the call that Google signed.
    pub(crate) call: Option<Text<H>>,
}

/// The key that lists them.
pub(crate) static LIST: &Key = &DETAILS;

keys! { DETAILS = "reasoning_details"; }

const CLAUDE: &str = "anthropic-claude-v1";
const GOOGLE: &str = "google-gemini-v1";
/// The format of texts that nothing proves.
const UNKNOWN: &str = "unknown";
const OPENAI: &str = "openai-responses-v1";
/// How the names of formats with items end.
const ITEMS: &str = "-responses-v1";
const TYPE: &str = "type";
const FORMAT: &str = "format";
const ID: &str = "id";
const TEXT: &str = "text";
const SIGNATURE: &str = "signature";
const DATA: &str = "data";
pub(crate) const SUMMARY: &str = "summary";
pub(crate) const ENCRYPTED: &str = "encrypted_content";

/// The pieces in a list of details, and whether they are all that it says.
pub(crate) fn read<H: Host>(list: &[Value<H>]) -> (Vec<Piece<H>>, bool) {
    let (mut pieces, mut whole) = (Vec::new(), true);
    let (items, mut seen) = (Items::of(list), HashSet::default());
    for item in list {
        let word = |key| text(item, key);
        let is = |key, name: &str| word(key).is_some_and(|word| word.is(name, None));
        let encrypted = is(TYPE, "reasoning.encrypted").then(|| word(DATA)).flatten();
        let format = word(FORMAT);
        let of = |name: &str| format.as_ref().map_or(name == CLAUDE, |format| format.is(name, None));
        let piece = match encrypted {
            Some(data) if of(CLAUDE) => {
                let block = tree::map([(TYPE, tree::text("redacted_thinking")), (DATA, Value::Text(data))]);
                Some(Piece { maker: Maker::Claude, value: block, call: None })
            }
            Some(data) if of(GOOGLE) => Some(Piece { maker: Maker::Google, value: Value::Text(data), call: word(ID) }),
            Some(data) if of(OPENAI) => {
                Some(Piece { maker: Maker::OpenAi, value: items.reasoning(word(ID), data), call: None })
            }
            None if is(TYPE, "reasoning.text") && of(CLAUDE) => {
                word(SIGNATURE).zip(word(TEXT)).map(|(signed, said)| {
                    let block = [
                        (TYPE, tree::text("thinking")),
                        ("thinking", Value::Text(said)),
                        (SIGNATURE, Value::Text(signed)),
                    ];
                    Piece { maker: Maker::Claude, value: tree::map(block), call: None }
                })
            }
            // A summary is part of the item that its encrypted neighbour becomes.
            None if is(TYPE, "reasoning.summary") && items.encrypted.contains(&named(word(ID).as_ref())) => continue,
            _ => None,
        };
        // Parallel calls repeat the same details.
        let mut said = Vec::new();
        let is_json = json::compact::raw(&Raw::Tree(item.share()), None, Numbers::Spelled, &mut said).is_ok();
        if is_json && !seen.insert(said) {
            continue;
        }
        whole &= piece.is_some();
        pieces.extend(piece);
    }
    (pieces, whole)
}

/// A piece as details, without their numbers.
pub(crate) fn written<H: Host>(piece: &Piece<H>) -> Vec<Value<H>> {
    let detail = |kind: &'static str, format: &'static str, fields: Vec<(&'static str, Value<H>)>| {
        tree::map([(TYPE, tree::text(kind))].into_iter().chain(fields).chain([(FORMAT, tree::text(format))]))
    };
    let field = |key, name| text(&piece.value, name).map(|text| (key, Value::Text(text)));
    match piece.maker {
        Maker::Claude => {
            let hidden = field(DATA, DATA);
            let kind = if hidden.is_some() { "reasoning.encrypted" } else { "reasoning.text" };
            let fields = [hidden, field(TEXT, "thinking"), field(SIGNATURE, SIGNATURE)];
            vec![detail(kind, CLAUDE, fields.into_iter().flatten().collect())]
        }
        Maker::Google if matches!(piece.value, Value::Map(_)) => {
            let said = field(TEXT, TEXT).map(|said| detail("reasoning.text", GOOGLE, vec![said]));
            let proof = text(&piece.value, "thoughtSignature").map(|proof| (DATA, Value::Text(proof)));
            let proof = proof.map(|proof| detail("reasoning.encrypted", GOOGLE, vec![proof]));
            said.into_iter().chain(proof).collect()
        }
        Maker::Google => {
            let id = piece.call.as_ref().map(|id| (ID, Value::Text(id.share())));
            let fields = id.into_iter().chain([(DATA, piece.value.share())]).collect();
            vec![detail("reasoning.encrypted", GOOGLE, fields)]
        }
        // A gateway has no format of Mistral's, and nothing proves these texts.
        Maker::Mistral => {
            let chunks = match value(&piece.value, "thinking") {
                Some(Value::List(chunks)) => chunks.iter().filter_map(|chunk| text(chunk, TEXT)).collect(),
                _ => Vec::new(),
            };
            let said = |said| detail("reasoning.text", UNKNOWN, vec![(TEXT, Value::Text(said))]);
            chunks.into_iter().map(said).collect()
        }
        Maker::OpenAi => {
            let id = || field(ID, ID);
            let summaries = match value(&piece.value, SUMMARY) {
                Some(Value::List(items)) => items.iter().filter_map(|item| text(item, TEXT)).collect(),
                _ => Vec::new(),
            };
            let said = |said: Text<H>| {
                let fields = [(SUMMARY, Value::Text(said))].into_iter().chain(id()).collect();
                detail("reasoning.summary", OPENAI, fields)
            };
            let mut details: Vec<_> = summaries.into_iter().map(said).collect();
            let proof = field(DATA, ENCRYPTED).map(|proof| [proof].into_iter().chain(id()).collect());
            details.extend(proof.map(|fields| detail("reasoning.encrypted", OPENAI, fields)));
            details
        }
    }
}

/// The readable texts of a detail, or of a block that a gateway carries under another key.
pub(crate) fn readable<H: Host>(item: &Value<H>) -> Vec<Text<H>> {
    match value(item, SUMMARY) {
        Some(Value::List(items)) => items.iter().filter_map(|item| text(item, TEXT)).collect(),
        Some(Value::Text(said)) => vec![said.share()],
        _ => ["thinking", TEXT].into_iter().find_map(|key| text(item, key)).into_iter().collect(),
    }
}

/// An item of OpenAI's with the list of summaries that it must have.
pub(crate) fn with_summary<H: Host>(item: &Value<H>) -> Value<H> {
    match item {
        Value::Map(entries) if value(item, SUMMARY).is_none() => {
            let entries = entries.iter().map(|(key, value)| (key.share(), value.share()));
            Value::Map(entries.chain([(Text::own(SUMMARY), tree::list([]))]).collect())
        }
        _ => item.share(),
    }
}

/// A list of details, each with its number.
pub(crate) fn numbered<'v, H: Host>(details: impl IntoIterator<Item = &'v Value<H>>) -> Value<H> {
    let number = |(at, detail): (usize, &Value<H>)| {
        let Value::Map(entries) = detail else { return detail.share() };
        let index = (Text::own("index"), Value::Number(at.to_string().into()));
        Value::Map(entries.iter().map(|(key, value)| (key.share(), value.share())).chain([index]).collect())
    };
    tree::list(details.into_iter().enumerate().map(number).collect::<Vec<_>>())
}

/// What belongs together in a list of details, by the id that its details share, or by their lack of one.
struct Items<H: Host> {
    summaries: HashMap<Option<Vec<u8>>, Vec<Text<H>>>,
    /// The encrypted items of OpenAI's.
    encrypted: HashSet<Option<Vec<u8>>>,
}

impl<H: Host> Items<H> {
    fn of(list: &[Value<H>]) -> Self {
        let mut items = Self { summaries: HashMap::default(), encrypted: HashSet::default() };
        for item in list {
            let is = |key, name: &str| text(item, key).is_some_and(|word| word.is(name, None));
            let id = || named(text(item, ID).as_ref());
            if let Some(said) = text(item, SUMMARY) {
                items.summaries.entry(id()).or_default().push(said);
            }
            if is(TYPE, "reasoning.encrypted") && is(FORMAT, OPENAI) {
                items.encrypted.insert(id());
            }
        }
        items
    }

    /// An item of reasoning, with its summaries.
    fn reasoning(&self, id: Option<Text<H>>, data: Text<H>) -> Value<H> {
        let said = self.summaries.get(&named(id.as_ref())).into_iter().flatten().map(Text::share);
        let summary = said.map(|said| tree::map([(TYPE, tree::text("summary_text")), (TEXT, Value::Text(said))]));
        let summary = (SUMMARY, tree::list(summary.collect::<Vec<_>>()));
        let id = id.map(|id| (ID, Value::Text(id)));
        let head = [(TYPE, tree::text("reasoning"))].into_iter().chain(id);
        tree::map(head.chain([summary, (ENCRYPTED, Value::Text(data))]))
    }
}

/// An id as a key.
fn named<H: Host>(id: Option<&Text<H>>) -> Option<Vec<u8>> {
    id.map(|id| id.wtf8(None).into_owned())
}

/// The id of the item that a detail is part of, if its maker's server takes each item once. Other makers' ids name calls.
pub(crate) fn item_id<H: Host>(detail: &Value<H>) -> Option<String> {
    let format = text(detail, FORMAT)?;
    let id = text(detail, ID).filter(|_| format.to_str(None).ends_with(ITEMS))?;
    Some(id.to_str(None).into_owned())
}

/// An item without its id. Servers want all ids of a reply, or none, and a carrier has only this one.
pub(crate) fn without_id<H: Host>(item: &Value<H>) -> Value<H> {
    let Value::Map(entries) = item else { return item.share() };
    let kept = entries.iter().filter(|(key, _)| !key.is(ID, None));
    Value::Map(kept.map(|(key, value)| (key.share(), value.share())).collect())
}

/// The value under a key of an object.
pub(crate) fn value<'v, H: Host>(map: &'v Value<H>, name: &str) -> Option<&'v Value<H>> {
    let Value::Map(entries) = map else { return None };
    let found: Option<&Entry<H>> = entries.iter().find(|(key, _)| key.is(name, None));
    found.map(|(_, value)| value)
}

/// The text under a key of an object.
pub(crate) fn text<H: Host>(map: &Value<H>, name: &str) -> Option<Text<H>> {
    match value(map, name) {
        Some(Value::Text(text)) if !text.is_empty() => Some(text.share()),
        _ => None,
    }
}
