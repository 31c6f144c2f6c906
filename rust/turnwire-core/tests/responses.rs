//! Tests the rows for replies: each count is read as it was written, and each error keeps its meaning.

use crate::{
    dialects::{
        registry::{read_reply, response_rule},
        table::{ids, reply_keys},
    },
    model::{ReplyParts, Tokens},
    rules::dialect_id::DialectId,
    value::{
        handle::{NoHost, Raw, Value},
        json::{self, read},
        tree::Tree,
    },
    wire::response::{
        failure::{Failure, FailureRow, Trouble},
        usage::Amount,
    },
};

type Json = Value<NoHost>;

fn json(value: &Json) -> String {
    json::encode::to_string(&Raw::Tree(value.share()), None).expect("a row of the table, and JSON")
}

fn named(name: &str) -> DialectId {
    DialectId::named(name).expect("a row of the table, and JSON")
}

/// Writes the counts of an otherwise empty reply. Also returns the keys whose counts are made up.
fn written(name: &str, tokens: &Tokens) -> (String, Vec<&'static str>) {
    let rule = &response_rule(named(name)).expect("a row of the table, and JSON").usage;
    let Some(written) = rule.write::<NoHost>(tokens) else { return ("absent".to_owned(), Vec::new()) };
    (json(&written.counts.value()), written.made_up)
}

const ALL: Tokens =
    Tokens { input: Some(100), output: Some(50), cached: Some(60), reasoning: Some(20), written: Some(30) };
const TWO: Tokens = Tokens { input: Some(7), output: Some(5), cached: None, reasoning: None, written: None };
const NONE: Tokens = Tokens { input: None, output: None, cached: None, reasoning: None, written: None };

#[test]
fn each_wire_counts_in_its_own_way() {
    let openai = r#"{"prompt_tokens":100,"completion_tokens":50,"total_tokens":150,"prompt_tokens_details":{"cached_tokens":60,"cache_write_tokens":30},"completion_tokens_details":{"reasoning_tokens":20}}"#;
    let responses = r#"{"input_tokens":100,"input_tokens_details":{"cached_tokens":60,"cache_write_tokens":30},"output_tokens":50,"output_tokens_details":{"reasoning_tokens":20},"total_tokens":150}"#;
    let expected = [
        ("openai", openai),
        ("mistral", openai),
        ("openai-responses", responses),
        (
            "anthropic",
            r#"{"input_tokens":10,"cache_creation_input_tokens":30,"cache_read_input_tokens":60,"output_tokens":50,"output_tokens_details":{"thinking_tokens":20}}"#,
        ),
        (
            "bedrock",
            r#"{"inputTokens":10,"outputTokens":50,"totalTokens":150,"cacheReadInputTokens":60,"cacheWriteInputTokens":30}"#,
        ),
        (
            "gemini",
            r#"{"promptTokenCount":100,"candidatesTokenCount":30,"totalTokenCount":150,"cachedContentTokenCount":60,"thoughtsTokenCount":20}"#,
        ),
        (
            "gemini-interactions",
            r#"{"total_tokens":150,"total_input_tokens":100,"total_cached_tokens":60,"total_output_tokens":30,"total_thought_tokens":20}"#,
        ),
        (
            "ag-ui",
            r#"{"inputTokens":100,"outputTokens":50,"totalTokens":150,"reasoningTokens":20,"cachedInputTokens":60,"cacheWriteInputTokens":30}"#,
        ),
        (
            "ai-sdk-ui",
            r#"{"inputTokens":100,"inputTokenDetails":{"cacheReadTokens":60,"cacheWriteTokens":30},"outputTokens":50,"outputTokenDetails":{"reasoningTokens":20},"totalTokens":150}"#,
        ),
        ("cohere", r#"{"tokens":{"input_tokens":100,"output_tokens":50},"cached_tokens":60}"#),
        ("ollama", r#"{"prompt_eval_count":100,"eval_count":50}"#),
    ];
    for (name, usage) in expected {
        assert_eq!(written(name, &ALL), (usage.to_owned(), vec![]), "{name}");
    }
}

#[test]
fn what_nobody_knows_is_left_out_or_made_up() {
    let openai = r#"{"prompt_tokens":7,"completion_tokens":5,"total_tokens":12}"#;
    let responses = r#"{"input_tokens":7,"input_tokens_details":{"cached_tokens":0,"cache_write_tokens":0},"output_tokens":5,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":12}"#;
    let expected = [
        ("openai", openai, vec![]),
        ("mistral", openai, vec![]),
        ("openai-responses", responses, vec!["cached_tokens", "cache_write_tokens", "reasoning_tokens"]),
        ("anthropic", r#"{"input_tokens":7,"output_tokens":5}"#, vec![]),
        ("bedrock", r#"{"inputTokens":7,"outputTokens":5,"totalTokens":12}"#, vec![]),
        ("gemini", r#"{"promptTokenCount":7,"candidatesTokenCount":5,"totalTokenCount":12}"#, vec![]),
        ("gemini-interactions", r#"{"total_tokens":12,"total_input_tokens":7,"total_output_tokens":5}"#, vec![]),
        ("ag-ui", r#"{"inputTokens":7,"outputTokens":5,"totalTokens":12}"#, vec![]),
        ("ai-sdk-ui", r#"{"inputTokens":7,"outputTokens":5,"totalTokens":12}"#, vec![]),
        ("cohere", r#"{"tokens":{"input_tokens":7,"output_tokens":5}}"#, vec![]),
        ("ollama", r#"{"prompt_eval_count":7,"eval_count":5}"#, vec![]),
    ];
    for (name, usage, made_up) in expected {
        assert_eq!(written(name, &TWO), (usage.to_owned(), made_up), "{name}");
    }
    let nothing = [
        ("openai", "absent", vec![]),
        (
            "mistral",
            r#"{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}"#,
            vec!["prompt_tokens", "completion_tokens", "total_tokens"],
        ),
        ("openai-responses", "absent", vec![]),
        ("anthropic", r#"{"input_tokens":0,"output_tokens":0}"#, vec!["input_tokens", "output_tokens"]),
        (
            "bedrock",
            r#"{"inputTokens":0,"outputTokens":0,"totalTokens":0}"#,
            vec!["inputTokens", "outputTokens", "totalTokens"],
        ),
        ("gemini", "absent", vec![]),
        ("gemini-interactions", "absent", vec![]),
        ("ag-ui", "absent", vec![]),
        ("ai-sdk-ui", "absent", vec![]),
        ("cohere", "absent", vec![]),
        ("ollama", "absent", vec![]),
    ];
    for (name, usage, made_up) in nothing {
        assert_eq!(written(name, &NONE), (usage.to_owned(), made_up), "{name}");
    }
}

#[test]
fn the_counts_are_never_below_nothing() {
    let odd = Tokens { input: Some(1), output: Some(2), cached: Some(5), reasoning: Some(9), written: Some(u64::MAX) };
    assert!(written("anthropic", &odd).0.starts_with(r#"{"input_tokens":0,"#));
    assert!(written("gemini", &odd).0.contains(r#""candidatesTokenCount":0,"#));
    let most = Tokens { input: Some(u64::MAX), output: Some(u64::MAX), ..NONE };
    assert!(written("openai", &most).0.contains(&format!(r#""total_tokens":{}"#, u64::MAX)));
}

/// The counts as the reader of the same format reads them.
fn read_back(id: DialectId, tokens: &Tokens) -> Tokens {
    let rule = response_rule(id).expect("a row of the table, and JSON");
    let counts = rule.usage.write::<NoHost>(tokens).expect("a row of the table, and JSON").counts.value();
    let text = match rule.usage.key {
        // The usage is in the metadata of the message.
        Some(key) if id.name() == "ai-sdk-ui" => {
            let metadata = format!(r#"{{"{}":{}}}"#, key.name, json(&counts));
            format!(r#"{{"responseMessage":{{"role":"assistant","parts":[],"metadata":{metadata}}}}}"#)
        }
        Some(key) => format!(r#"{{"error":{{}},"{}":{}}}"#, key.name, json(&counts)),
        None => format!(r#"{{"error":{{}},{}"#, &json(&counts)[1..]),
    };
    let payload = read::value::<NoHost>(text.as_bytes()).expect("a row of the table, and JSON");
    let mut said = ReplyParts::new(id);
    read_reply(&Tree(&payload), id, &mut said).expect("a row of the table, and JSON");
    said.tokens
}

#[test]
fn what_is_written_reads_as_the_same() {
    for id in ids().filter(|id| !id.facts.reply_signs.is_empty()) {
        let counts = response_rule(id).expect("a row of the table, and JSON").usage.counts;
        let has = |amount: Amount| counts.iter().any(|count| count.amount == amount);
        let expected = Tokens {
            cached: ALL.cached.filter(|_| has(Amount::Cached)),
            reasoning: ALL.reasoning.filter(|_| has(Amount::Reasoning)),
            written: ALL.written.filter(|_| has(Amount::Written)),
            ..ALL
        };
        assert_eq!(read_back(id, &ALL), expected, "{}", id.name());
        assert_eq!(read_back(id, &TWO).input, Some(7), "{}", id.name());
        assert_eq!(read_back(id, &TWO).output, Some(5), "{}", id.name());
    }
}

fn body(row: FailureRow) -> Json {
    let FailureRow(_, kind, code) = row;
    let code = if code.is_empty() { "null".to_owned() } else { format!("{code:?}") };
    let text =
        format!(r#"{{"message":"no","type":{kind:?},"code":{code},"status":{kind:?},"__type":"com.amazon#{kind}"}}"#);
    read::value::<NoHost>(text.as_bytes()).expect("a row of the table, and JSON")
}

#[test]
fn an_error_means_the_same_on_every_wire() {
    for (id, _) in reply_keys() {
        let rows = response_rule(id).expect("a row of the table, and JSON").failures;
        for (trouble, row) in Trouble::ALL.into_iter().zip(rows) {
            // Some formats use one word for two meanings.
            let first = rows.iter().position(|other| other == row).map(|at| Trouble::ALL[at]);
            let read = Failure::read(&body(*row), Some(row.0), rows, std::iter::empty());
            assert_eq!(Some(read.trouble), first, "{} {trouble:?}", id.name());
            for (other, _) in reply_keys() {
                let theirs = response_rule(other).expect("a row of the table, and JSON").failures;
                let failure = Failure::<NoHost> { trouble, status: Some(row.0), ..Failure::of_server("no") };
                let (written, status) = failure.row(theirs);
                assert_eq!(status / 100, row.0 / 100, "{} -> {}", id.name(), other.name());
                assert!(status == written.0 || written.0 / 100 != row.0 / 100);
            }
        }
    }
}

#[test]
fn a_status_alone_says_what_is_wrong() {
    let rows = response_rule(named("openai")).expect("a row of the table, and JSON").failures;
    let empty = read::value::<NoHost>(b"{}").expect("a row of the table, and JSON");
    let meant = |status| Failure::read(&empty, Some(status), rows, std::iter::empty()).trouble;
    let expected = [
        (400, Trouble::Invalid),
        (401, Trouble::Key),
        (402, Trouble::Money),
        (403, Trouble::Forbidden),
        (404, Trouble::Unknown),
        (408, Trouble::Timeout),
        (409, Trouble::Conflict),
        (413, Trouble::TooLarge),
        (422, Trouble::Invalid),
        (429, Trouble::Rate),
        (500, Trouble::Server),
        (502, Trouble::Server),
        (503, Trouble::Overloaded),
        (504, Trouble::Timeout),
        (529, Trouble::Overloaded),
        (200, Trouble::Server),
    ];
    for (status, trouble) in expected {
        assert_eq!(meant(status), trouble, "{status}");
    }
    assert_eq!(Failure::read(&empty, None, rows, std::iter::empty()).trouble, Trouble::Server);
}

#[test]
fn too_long_is_told_by_its_words() {
    let rows = response_rule(named("anthropic")).expect("a row of the table, and JSON").failures;
    for words in [
        "prompt is too long: 9 tokens > 8 maximum",
        "Input is too long for requested model",
        "This model's maximum context length is 8",
    ] {
        let body = read::value::<NoHost>(
            format!(r#"{{"type":"error","error":{{"type":"invalid_request_error","message":{words:?}}}}}"#).as_bytes(),
        )
        .expect("a row of the table, and JSON");
        let failure = Failure::read(&body, Some(400), rows, std::iter::empty());
        assert_eq!(failure.trouble, Trouble::TooLong);
        assert_eq!(failure.message.to_str(None), words);
        let (row, status) = failure.row(response_rule(named("openai")).expect("a row of the table, and JSON").failures);
        assert_eq!((row.2, status), ("context_length_exceeded", 400));
    }
}

#[test]
fn the_message_is_what_there_is() {
    let rows = response_rule(named("openai")).expect("a row of the table, and JSON").failures;
    let message = |text: &str| {
        let body = read::value::<NoHost>(text.as_bytes()).expect("a row of the table, and JSON");
        Failure::read(&body, None, rows, std::iter::empty()).message.to_str(None).into_owned()
    };
    assert_eq!(message(r#"{"error":{"message":"a"}}"#), "a");
    assert_eq!(message(r#"{"message":"a"}"#), "a");
    assert_eq!(message(r#"{"detail":"a"}"#), "a");
    assert_eq!(message(r#"{"error":"a"}"#), "a");
    assert_eq!(message(r#""a""#), "a");
    assert_eq!(message(r#"{"errors":[{"message":"a"}]}"#), "a");
    assert_eq!(message(r#"{"detail":[{"loc":["x"]}]}"#), r#"[{"loc":["x"]}]"#);
}
