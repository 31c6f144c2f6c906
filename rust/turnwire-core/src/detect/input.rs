//! Decides whether `input` is the list of a body. Embeddings, speech, moderation, data sets and spans have this key, too.

use super::index::Index;
use crate::k;
use crate::{
    rules::Spot,
    value::{Key, NodeKind, Source, door::keys},
};

keys! {
    OPERATION = "gen_ai.operation.name";
    INSTRUCTION = "instruction";
    ENCODING_FORMAT = "encoding_format";
    DIMENSIONS = "dimensions";
    OUTPUT_DIMENSION = "output_dimension";
    OUTPUT_DTYPE = "output_dtype";
    INPUT_TYPE = "input_type";
    VOICE = "voice";
    TARGET = "target";
    TARGETS = "targets";
    EXPECTED = "expected";
    EXPECTED_OUTPUT = "expected_output";
    IDEAL = "ideal";
    ANSWER = "answer";
    ANSWERS = "answers";
    LABEL = "label";
    LABELS = "labels";
    QUESTION = "question";
    QUERY = "query";
    HISTORY = "history";
}

const EMBEDDINGS: &str = "a request of embeddings";
const SPEECH: &str = "a request of speech";
const SPAN: &str = "a span";

/// Keys beside `input` that a request to a chat never has, and what an object with them is. An empty name: an answer is
/// beside it, and the input says of which kind the record is.
static OTHERS: &[(&Key, &str)] = &[
    (&OPERATION, SPAN),
    (&INSTRUCTION, "a row of Alpaca"),
    (&VOICE, SPEECH),
    (&ENCODING_FORMAT, EMBEDDINGS),
    (&DIMENSIONS, EMBEDDINGS),
    (&OUTPUT_DIMENSION, EMBEDDINGS),
    (&OUTPUT_DTYPE, EMBEDDINGS),
    (&INPUT_TYPE, EMBEDDINGS),
    (&k::OUTPUT, ""),
    (&k::OUTPUTS, ""),
    (&TARGET, ""),
    (&TARGETS, ""),
    (&EXPECTED, ""),
    (&EXPECTED_OUTPUT, ""),
    (&IDEAL, ""),
    (&ANSWER, ""),
    (&ANSWERS, ""),
    (&k::RESPONSE, ""),
    (&k::COMPLETION, ""),
    (&LABEL, ""),
    (&LABELS, ""),
    (&k::CHOSEN, ""),
    (&k::REJECTED, ""),
    (&QUESTION, ""),
    (&QUERY, ""),
    (&HISTORY, ""),
];

/// Parts of the names of models that hold no conversation, and what is sent to them.
const MODELS: [(&str, &str); 8] = [
    ("embed", EMBEDDINGS),
    ("moderation", "a request of moderation"),
    ("rerank", "a request of reranking"),
    ("tts", SPEECH),
    ("speech", SPEECH),
    ("whisper", SPEECH),
    ("transcribe", SPEECH),
    ("image", "a request of images"),
];

/// How the names of models of embeddings begin that do not say so, behind the name of who made them.
const EMBEDDERS: [&str; 15] = [
    "all-minilm",
    "all-mpnet",
    "bge-",
    "e5-",
    "gte-",
    "gtr-",
    "jina-clip",
    "jina-colbert",
    "multilingual-e5-",
    "paraphrase-",
    "sentence-t5-",
    "text-search-",
    "text-similarity-",
    "uae-",
    "voyage-",
];

/// Whether the value of `input` is the list of this body.
pub(super) fn is_list<S: Source>(body: &S, list: &S) -> bool {
    other(body).is_none() && holds_elements(list)
}

/// Whether it is the user's text, or a list of what a format takes as an element.
fn holds_elements<S: Source>(list: &S) -> bool {
    match list.kind() {
        NodeKind::List => list.items().all(|item| match item.kind() {
            NodeKind::Map => is_element(&item),
            NodeKind::Text | NodeKind::List | NodeKind::Number | NodeKind::Bool | NodeKind::Null => false,
            // Turns and typed messages.
            _ => true,
        }),
        NodeKind::Map => is_element(list),
        // Anything else is an error when it is read.
        _ => true,
    }
}

fn is_element<S: Source>(item: &S) -> bool {
    let typed = |kind: &S| kind.word().is_some_and(|word| Index::get().sign(Spot::Type, &word).is_some());
    item.get(&k::ROLE).is_some() || item.get(&k::TYPE).is_some_and(|kind| typed(&kind)) || item.get(&k::ID).is_some()
}

/// What a body with `input` is, if it is no request to a chat.
fn other<S: Source>(body: &S) -> Option<&'static str> {
    let says = |key: &'static Key| body.get(key).is_some_and(|value| value.kind() != NodeKind::Null);
    if let Some((_, kind)) = OTHERS.iter().find(|(key, _)| says(key)) {
        return Some(kind);
    }
    let model = body.get(&k::MODEL)?;
    let model = model.word()?;
    let own = model.rsplit('/').next().unwrap_or_default();
    let begins = |start: &&str| own.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
    let named = MODELS.iter().find(|(part, _)| model.contains(part)).map(|(_, kind)| *kind);
    named.or_else(|| EMBEDDERS.iter().any(begins).then_some(EMBEDDINGS))
}

/// A sentence about an object with `input` that is no request to a chat. `None` for any other.
#[cold]
pub(super) fn kind<S: Source>(node: &S) -> Option<String> {
    let list = node.get(&k::INPUT)?;
    let told = match other(node) {
        Some(SPAN) => {
            let tool = node.get(&OPERATION).is_some_and(|name| name.word().is_some_and(|word| word == "execute_tool"));
            format!("{SPAN} of {}: read the whole trace", if tool { "a tool" } else { "a model" })
        }
        Some("") => {
            let what = if holds_elements(&list) && list.kind() == NodeKind::List { "messages" } else { "a question" };
            let whose = if what == "messages" { "their" } else { "its" };
            format!("{what} with {whose} answer under another key")
        }
        Some(kind) if node.get(&INSTRUCTION).is_some() => kind.to_owned(),
        Some(kind) => format!("{kind}: it has no messages"),
        None if list.kind() == NodeKind::List && !holds_elements(&list) => {
            format!("{EMBEDDINGS}: it has no messages")
        }
        None => return None,
    };
    Some(format!(", which is {told}"))
}
