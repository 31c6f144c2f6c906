//! Writes Responses' replies around their items: a status, and why they are incomplete.

use super::end::WORDS;
use super::keys as k;
use crate::{
    dialects::chat::response::{self, FAILURES},
    model::Finish,
    value::{Host, Key, Source, Text, Tree, Value, door::keys},
    wire::{
        response::{
            Amount, Count, Draft, FailureRow, ResponseRule, Tail, Texts, UsageRule,
            draft::{listed, text},
        },
        stream::{Map, whole::word},
    },
};

keys! {
    TRUNCATION = "truncation";
    SERVER_ERROR = "server_error";
}

/// The keys of a response that repeat its request.
const ECHOED: [&Key; 10] = [
    &k::INSTRUCTIONS,
    &k::MAX_OUTPUT_TOKENS,
    &k::METADATA,
    &k::PREVIOUS_RESPONSE_ID,
    &k::REASONING,
    &k::STORE,
    &k::TEMPERATURE,
    &k::TEXT,
    &k::TOP_P,
    &TRUNCATION,
];

/// The SDK's `ResponseStatus` and `IncompleteDetails`, and its `ResponseUsage`, whose counts are all required.
pub(super) const RULE: ResponseRule = ResponseRule {
    id: "resp_",
    end: ".status",
    known: "id object created_at model output status error incomplete_details usage background billing completed_at content_filters conversation frequency_penalty instructions max_output_tokens max_tool_calls metadata moderation parallel_tool_calls presence_penalty previous_response_id prompt prompt_cache_key prompt_cache_options prompt_cache_retention reasoning safety_identifier service_tier store temperature text tool_choice tools top_logprobs top_p truncation user cost_in_usd_ticks tool_usage frequency_penalty",
    texts: Texts::Free,
    answers: false,
    words: WORDS,
    usage: UsageRule {
        key: Some(&k::USAGE),
        needed: false,
        counts: &[
            Count::needed(&k::INPUT_TOKENS, Amount::Input),
            Count::needed(&k::CACHED_TOKENS, Amount::Cached).within(&k::INPUT_TOKENS_DETAILS),
            Count::needed(&k::CACHE_WRITE_TOKENS, Amount::Written).within(&k::INPUT_TOKENS_DETAILS),
            Count::needed(&k::OUTPUT_TOKENS, Amount::Output),
            Count::needed(&k::REASONING_TOKENS, Amount::Reasoning).within(&k::OUTPUT_TOKENS_DETAILS),
            Count::needed(&k::TOTAL_TOKENS, Amount::Total),
        ],
        also: &[],
    },
    failures: FAILURES,
};

/// The SDK's `Response`: the keys of its request are required, with defaults where the request is unknown.
pub(super) fn write<H: Host>(draft: &mut Draft<'_, H>) -> Value<H> {
    let elements = std::mem::take(&mut draft.messages);
    // The item at which the model reached its limit is incomplete.
    let cut = if draft.finish.is_cut() { elements.len() } else { 0 };
    let status = |index: usize| if index + 1 == cut { &k::INCOMPLETE } else { &k::COMPLETED };
    let items = elements.iter().enumerate().map(|(index, element)| item(&draft.tail, index, element, status(index)));
    let items: Vec<_> = items.collect();
    // Only a request of this format has the keys that its replies repeat.
    draft.asked = draft.asked.filter(|body| Tree(body).get(&k::INPUT).is_some());
    let mut reply = Map::default();
    reply.put(&k::ID, draft.id(RULE.id));
    reply.put(&k::OBJECT, word(&k::RESPONSE));
    let created = draft.created(&k::CREATED_AT);
    reply.put(&k::CREATED_AT, created);
    let (status, reason) = match draft.finish {
        Finish::Length | Finish::Filtered => (k::INCOMPLETE.name, Some(draft.word)),
        _ => (draft.word, None),
    };
    reply.put(&k::STATUS, text(status));
    let error = draft.failure.take().map(|failure| {
        let mut error = Map::default();
        let (FailureRow(_, _, code), _) = failure.row(RULE.failures);
        error.put(&k::CODE, text(if code.is_empty() { SERVER_ERROR.name } else { code }));
        error.put(&k::MESSAGE, Value::Text(failure.message));
        error.value()
    });
    reply.put(&k::ERROR, error.unwrap_or(Value::Null));
    let reason = reason.map(|reason| {
        let mut details = Map::default();
        details.put(&k::REASON, text(reason));
        details.value()
    });
    reply.put(&k::INCOMPLETE_DETAILS, reason.unwrap_or(Value::Null));
    let model = draft.model(&k::MODEL);
    reply.put(&k::MODEL, model);
    reply.put(&k::OUTPUT, Value::List(items.into()));
    reply.put(&k::PARALLEL_TOOL_CALLS, draft.asked(&k::PARALLEL_TOOL_CALLS).unwrap_or(Value::Bool(true)));
    reply.put(&k::TOOL_CHOICE, draft.asked(&k::TOOL_CHOICE).unwrap_or_else(|| word(&k::AUTO)));
    reply.put(&k::TOOLS, draft.asked(&k::TOOLS).unwrap_or_else(|| Value::List([].into())));
    for key in ECHOED {
        if let Some(value) = draft.asked(key) {
            reply.put(key, value);
        }
    }
    draft.usage(&mut reply);
    reply.value()
}

/// Turns an item of a request into one of a reply: adds an id and a status, and puts its text into a list.
fn item<H: Host>(tail: &Tail, index: usize, element: &Value<H>, status: &'static Key) -> Value<H> {
    let node = Tree(element);
    if node.get(&k::ID).is_some() {
        return element.share();
    }
    let kind = node.get(&k::TYPE).and_then(|kind| kind.text());
    let kind = kind.as_ref().map(|kind| kind.to_str(None));
    let mut item = Map::default();
    match kind.as_deref() {
        None => {
            item.put(&k::ID, text(&tail.item("msg_", index)));
            item.put(&k::TYPE, word(&k::MESSAGE));
            item.put(&k::STATUS, word(status));
            item.put(&k::ROLE, word(&k::ASSISTANT));
            item.put(&k::CONTENT, listed(node.get(&k::CONTENT), output_text));
        }
        Some("function_call") => {
            item.put(&k::ID, text(&tail.item("fc_", index)));
            item.rest(element);
            item.put(&k::STATUS, word(status));
        }
        Some("custom_tool_call") => {
            item.put(&k::ID, text(&tail.item("ctc_", index)));
            item.rest(element);
        }
        Some("reasoning") => {
            item.put(&k::ID, text(&tail.item("rs_", index)));
            item.rest(element);
        }
        Some(_) => return element.share(),
    }
    item.value()
}

fn output_text<H: Host>(said: Value<H>) -> Value<H> {
    let mut block = Map::default();
    block.put(&k::TYPE, word(&k::OUTPUT_TEXT));
    block.put(&k::TEXT, said);
    block.put(&k::ANNOTATIONS, Value::List([].into()));
    block.value()
}

pub(super) fn refusal<H: Host>(words: Text<H>) -> Value<H> {
    let mut block = Map::default();
    block.put(&k::TYPE, word(&k::REFUSAL));
    block.put(&k::REFUSAL, Value::Text(words));
    block.value()
}

pub(super) fn thought<H: Host>(thought: Text<H>) -> Value<H> {
    let mut summary = Map::default();
    summary.put(&k::TYPE, word(&k::SUMMARY_TEXT));
    summary.put(&k::TEXT, Value::Text(thought));
    let mut item = Map::default();
    item.put(&k::TYPE, word(&k::REASONING));
    item.put(&k::SUMMARY, Value::List([summary.value()].into()));
    item.value()
}

/// The same error as in Chat Completions.
pub(super) fn failure<H: Host>(message: Text<H>, row: FailureRow, _: u16) -> Value<H> {
    response::failure(message, row)
}
