//! Writes Responses' replies around their items: a status, and why they are incomplete.

use super::end::WORDS;
use super::keys as k;
/// An error is the same as in Chat Completions.
pub(super) use crate::dialects::chat::response::failure;
use crate::{
    dialects::chat::response::{FAILURES, TOO_LONG},
    model::Finish,
    rules::CallForm,
    value::{Host, Key, Sink, Source, Text, Tree, Value, door::keys},
    wire::{
        response::{
            Amount, Around, Closing, Count, Draft, Echo, FailureWords, Passed, ReplyKeys, Required, ResponseRule,
            Texts, TooLongWords, UsageRule, draft::listed,
        },
        stream::{
            Map,
            out::{empty, list, map, null, one, text, value, word},
            whole::{self, object},
        },
    },
};

keys! {
    TRUNCATION = "truncation";
    INVALID_PROMPT = "invalid_prompt";
    SERVER_ERROR = "server_error";
    FAILED = "failed";
}

/// The keys of a response that repeat its request. Three are required.
const ECHOES: &[Echo] = &[
    Echo { key: &k::PARALLEL_TOOL_CALLS, without: Some("true") },
    Echo { key: &k::TOOL_CHOICE, without: Some("\"auto\"") },
    Echo { key: &k::TOOLS, without: Some("[]") },
    Echo { key: &k::INSTRUCTIONS, without: None },
    Echo { key: &k::MAX_OUTPUT_TOKENS, without: None },
    Echo { key: &k::METADATA, without: None },
    Echo { key: &k::PREVIOUS_RESPONSE_ID, without: None },
    Echo { key: &k::REASONING, without: None },
    Echo { key: &k::STORE, without: None },
    Echo { key: &k::TEMPERATURE, without: None },
    Echo { key: &k::TEXT, without: None },
    Echo { key: &k::TOP_P, without: None },
    Echo { key: &TRUNCATION, without: None },
];

/// The SDK's `ResponseStatus` and `IncompleteDetails`, and its `ResponseUsage`, whose counts are all required.
pub(super) const RULE: ResponseRule = ResponseRule {
    id: "resp_",
    end: ".status",
    keys: ReplyKeys {
        read: "id created_at model output status status_code error incomplete_details usage",
        passed: &[
            (Passed::Kind, "object"),
            (Passed::Time, "completed_at"),
            (Passed::Counts, "tool_usage"),
            (Passed::Echo, "background conversation frequency_penalty instructions max_output_tokens max_tool_calls"),
            (Passed::Echo, "metadata parallel_tool_calls presence_penalty previous_response_id prompt"),
            (Passed::Echo, "prompt_cache_key prompt_cache_options prompt_cache_retention reasoning safety_identifier"),
            (Passed::Echo, "store temperature text tool_choice tools top_logprobs top_p truncation user"),
        ],
    },
    texts: Texts::Free,
    answers: false,
    words: WORDS,
    bad_call: None,
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
    error_forms: &[&[".error.message"]],
    names_request: false,
    too_long: TooLongWords { param: Some(&k::INPUT), ..TOO_LONG },
    tier: Some(&k::SERVICE_TIER),
    required: &[Required::Seconds(&k::CREATED_AT), Required::Model(&k::MODEL)],
    echoes: ECHOES,
};

/// Writes a whole response around its items.
pub(super) fn write<H: Host, K: Sink<H>>(draft: &Draft<H>, out: &mut K) {
    // The item at which the model reached its limit is incomplete.
    let cut = if draft.closing.finish.is_cut() { draft.messages.len() } else { 0 };
    let status = |index: usize| if index + 1 == cut { &k::INCOMPLETE } else { &k::COMPLETED };
    let items = draft.messages.iter().enumerate();
    let items: Vec<_> = items.map(|(index, element)| item(&draft.around, index, element, status(index))).collect();
    response(&draft.around, &items, Some(&draft.closing), draft.failure.as_ref(), out);
}

/// The SDK's `Response`, with the items so far: at its end, or before it. The keys of its request are required.
pub(super) fn response<'a, H: Host, K: Sink<H>>(
    around: &Around<H>,
    items: impl IntoIterator<Item = &'a Value<H>>,
    end: Option<&Closing<H>>,
    failure: Option<&FailureWords<H>>,
    out: &mut K,
) {
    let reason = end.filter(|end| is_incomplete(end)).map(|end| &end.word);
    text(out, &k::ID, &around.id);
    word(out, &k::OBJECT, &k::RESPONSE);
    around.required(out);
    match end {
        Some(_) if reason.is_some() => word(out, &k::STATUS, &k::INCOMPLETE),
        Some(end) => text(out, &k::STATUS, &end.word),
        None => word(out, &k::STATUS, if failure.is_some() { &FAILED } else { &k::IN_PROGRESS }),
    }
    match failure {
        Some(words) => map(out, &k::ERROR, |out| {
            text(out, &k::CODE, words.code.as_ref().unwrap_or(&Text::own(nearest(words.status).name)));
            text(out, &k::MESSAGE, &words.message);
        }),
        None => null(out, &k::ERROR),
    }
    match reason {
        Some(reason) => map(out, &k::INCOMPLETE_DETAILS, |out| text(out, &k::REASON, reason)),
        None => null(out, &k::INCOMPLETE_DETAILS),
    }
    list(out, &k::OUTPUT, items);
    around.echo(out);
    match end {
        Some(end) if end.counts().is_some() => end.write_usage(out),
        _ => null(out, &k::USAGE),
    }
    if let Some(end) = end {
        end.write_tier(out);
    }
}

/// The code for an error without one. A stream has no status, so the code says whether to send the request again.
fn nearest(status: u16) -> &'static Key {
    if matches!(status, 408 | 409 | 429 | 500..) { &SERVER_ERROR } else { &INVALID_PROMPT }
}

/// Whether a response with this end is incomplete, and says why.
pub(super) fn is_incomplete<H: Host>(end: &Closing<H>) -> bool {
    matches!(end.finish, Finish::Length | Finish::Filtered)
}

/// Turns an item of a request into one of a reply: adds an id and a status, and puts its text into a list.
fn item<H: Host>(around: &Around<H>, index: usize, element: &Value<H>, status: &'static Key) -> Value<H> {
    let node = Tree(element);
    if node.get(&k::ID).is_some() {
        return element.share();
    }
    let kind = node.get(&k::TYPE).and_then(|kind| kind.text());
    let kind = kind.as_ref().map(|kind| kind.to_str(None));
    let mut item = Map::default();
    let mut named = |prefix| item.put(&k::ID, Value::Text(around.item(prefix, index)));
    match kind.as_deref() {
        None => return message(&around.item("msg_", index), status, &listed(node.get(&k::CONTENT), output_text)),
        Some("function_call") => {
            named("fc_");
            item.rest(element);
            item.put(&k::STATUS, whole::word(status));
        }
        Some("custom_tool_call") => {
            named("ctc_");
            item.rest(element);
        }
        Some("reasoning") => {
            named("rs_");
            item.rest(element);
        }
        Some(kind) if CallForm::named(kind).is_some() => {
            named(CallForm::named(kind).map_or("", prefix));
            item.rest(element);
        }
        Some(_) => return element.share(),
    }
    item.value()
}

/// How the id of an item of its own kind begins.
pub(super) fn prefix(form: CallForm) -> &'static str {
    match form {
        CallForm::Shell => "sh_",
        CallForm::LocalShell => "lsh_",
        CallForm::Patch => "apc_",
        CallForm::Screen => "cu_",
        CallForm::Search => "tsc_",
    }
}

/// A message of the model.
pub(super) fn message<H: Host>(id: &Text<H>, status: &'static Key, content: &Value<H>) -> Value<H> {
    object(|out| {
        text(out, &k::ID, id);
        word(out, &k::TYPE, &k::MESSAGE);
        word(out, &k::STATUS, status);
        word(out, &k::ROLE, &k::ASSISTANT);
        value(out, &k::CONTENT, content);
    })
}

pub(super) fn output_text<H: Host, K: Sink<H>>(said: &Text<H>, out: &mut K) {
    word(out, &k::TYPE, &k::OUTPUT_TEXT);
    text(out, &k::TEXT, said);
    empty(out, &k::ANNOTATIONS);
    empty(out, &k::LOGPROBS);
}

pub(super) fn refusal<H: Host, K: Sink<H>>(said: &Text<H>, out: &mut K) {
    word(out, &k::TYPE, &k::REFUSAL);
    text(out, &k::REFUSAL, said);
}

pub(super) fn summary<H: Host, K: Sink<H>>(said: &Text<H>, out: &mut K) {
    word(out, &k::TYPE, &k::SUMMARY_TEXT);
    text(out, &k::TEXT, said);
}

pub(super) fn thought<H: Host, K: Sink<H>>(said: &Text<H>, out: &mut K) {
    word(out, &k::TYPE, &k::REASONING);
    one(out, &k::SUMMARY, |out| summary(said, out));
}
