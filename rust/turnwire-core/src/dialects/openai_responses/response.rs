//! Writes Responses' replies around their items: a status, and why they are incomplete.

use super::{
    end::WORDS,
    keys::{
        ANNOTATIONS, ASSISTANT, AUTO, CACHE_WRITE_TOKENS, CACHED_TOKENS, COMPLETED, CONTENT, ERROR, ID, INCOMPLETE,
        INCOMPLETE_DETAILS, INPUT, INPUT_TOKENS, INPUT_TOKENS_DETAILS, INSTRUCTIONS, MAX_OUTPUT_TOKENS, MESSAGE,
        METADATA, OBJECT, OUTPUT, OUTPUT_TEXT, OUTPUT_TOKENS, OUTPUT_TOKENS_DETAILS, PARALLEL_TOOL_CALLS,
        PREVIOUS_RESPONSE_ID, REASON, REASONING, REASONING_TOKENS, REFUSAL, RESPONSE, ROLE, STATUS, STORE, SUMMARY,
        SUMMARY_TEXT, TEMPERATURE, TEXT, TOOL_CHOICE, TOOLS, TOP_P, TYPE, USAGE,
    },
};
use crate::{
    dialects::chat::{
        keys::{CODE, MODEL, TOTAL_TOKENS},
        response::{self, FAILURES},
    },
    model::{Finish, head::CREATED_AT},
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
    &INSTRUCTIONS,
    &MAX_OUTPUT_TOKENS,
    &METADATA,
    &PREVIOUS_RESPONSE_ID,
    &REASONING,
    &STORE,
    &TEMPERATURE,
    &TEXT,
    &TOP_P,
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
        key: Some(&USAGE),
        needed: false,
        counts: &[
            Count::needed(&INPUT_TOKENS, Amount::Input),
            Count::needed(&CACHED_TOKENS, Amount::Cached).within(&INPUT_TOKENS_DETAILS),
            Count::needed(&CACHE_WRITE_TOKENS, Amount::Written).within(&INPUT_TOKENS_DETAILS),
            Count::needed(&OUTPUT_TOKENS, Amount::Output),
            Count::needed(&REASONING_TOKENS, Amount::Reasoning).within(&OUTPUT_TOKENS_DETAILS),
            Count::needed(&TOTAL_TOKENS, Amount::Total),
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
    let status = |index: usize| if index + 1 == cut { &INCOMPLETE } else { &COMPLETED };
    let items = elements.iter().enumerate().map(|(index, element)| item(&draft.tail, index, element, status(index)));
    let items: Vec<_> = items.collect();
    // Only a request of this format has the keys that its replies repeat.
    draft.asked = draft.asked.filter(|body| Tree(body).get(&INPUT).is_some());
    let mut reply = Map::default();
    reply.put(&ID, draft.id(RULE.id));
    reply.put(&OBJECT, word(&RESPONSE));
    let created = draft.created(&CREATED_AT);
    reply.put(&CREATED_AT, created);
    let (status, reason) = match draft.finish {
        Finish::Length | Finish::Filtered => (INCOMPLETE.name, Some(draft.word)),
        _ => (draft.word, None),
    };
    reply.put(&STATUS, text(status));
    let error = draft.failure.take().map(|failure| {
        let mut error = Map::default();
        let (FailureRow(_, _, code), _) = failure.row(RULE.failures);
        error.put(&CODE, text(if code.is_empty() { SERVER_ERROR.name } else { code }));
        error.put(&MESSAGE, Value::Text(failure.message));
        error.value()
    });
    reply.put(&ERROR, error.unwrap_or(Value::Null));
    let reason = reason.map(|reason| {
        let mut details = Map::default();
        details.put(&REASON, text(reason));
        details.value()
    });
    reply.put(&INCOMPLETE_DETAILS, reason.unwrap_or(Value::Null));
    let model = draft.model(&MODEL);
    reply.put(&MODEL, model);
    reply.put(&OUTPUT, Value::List(items.into()));
    reply.put(&PARALLEL_TOOL_CALLS, draft.asked(&PARALLEL_TOOL_CALLS).unwrap_or(Value::Bool(true)));
    reply.put(&TOOL_CHOICE, draft.asked(&TOOL_CHOICE).unwrap_or_else(|| word(&AUTO)));
    reply.put(&TOOLS, draft.asked(&TOOLS).unwrap_or_else(|| Value::List([].into())));
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
    if node.get(&ID).is_some() {
        return element.share();
    }
    let kind = node.get(&TYPE).and_then(|kind| kind.text());
    let kind = kind.as_ref().map(|kind| kind.to_str(None));
    let mut item = Map::default();
    match kind.as_deref() {
        None => {
            item.put(&ID, text(&tail.item("msg_", index)));
            item.put(&TYPE, word(&MESSAGE));
            item.put(&STATUS, word(status));
            item.put(&ROLE, word(&ASSISTANT));
            item.put(&CONTENT, listed(node.get(&CONTENT), output_text));
        }
        Some("function_call") => {
            item.put(&ID, text(&tail.item("fc_", index)));
            item.rest(element);
            item.put(&STATUS, word(status));
        }
        Some("custom_tool_call") => {
            item.put(&ID, text(&tail.item("ctc_", index)));
            item.rest(element);
        }
        Some("reasoning") => {
            item.put(&ID, text(&tail.item("rs_", index)));
            item.rest(element);
        }
        Some(_) => return element.share(),
    }
    item.value()
}

fn output_text<H: Host>(said: Value<H>) -> Value<H> {
    let mut block = Map::default();
    block.put(&TYPE, word(&OUTPUT_TEXT));
    block.put(&TEXT, said);
    block.put(&ANNOTATIONS, Value::List([].into()));
    block.value()
}

pub(super) fn refusal<H: Host>(words: Text<H>) -> Value<H> {
    let mut block = Map::default();
    block.put(&TYPE, word(&REFUSAL));
    block.put(&REFUSAL, Value::Text(words));
    block.value()
}

pub(super) fn thought<H: Host>(thought: Text<H>) -> Value<H> {
    let mut summary = Map::default();
    summary.put(&TYPE, word(&SUMMARY_TEXT));
    summary.put(&TEXT, Value::Text(thought));
    let mut item = Map::default();
    item.put(&TYPE, word(&REASONING));
    item.put(&SUMMARY, Value::List([summary.value()].into()));
    item.value()
}

/// The same error as in Chat Completions.
pub(super) fn failure<H: Host>(message: Text<H>, row: FailureRow, _: u16) -> Value<H> {
    response::failure(message, row)
}
