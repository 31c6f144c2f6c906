//! The stages of a build: broken histories from real reports as vectors, and properties of random ones.
#![allow(clippy::panic, reason = "a test that fails says with what")]

use proptest::prelude::*;
use serde_json::{Value, json};
use turnwire_core::{
    check::check,
    convert,
    model::{Content, Kind, Part, Role},
    report::{Change, ChangeCode, Edit, Error, Options, ReasoningChoice, Receipt, error::Code},
    rules::DialectId,
    stage::{Budget, Built, Failed, Inputs, Relay, Summary, build},
    text::TRUNCATED_SUFFIX,
    value::{ArgsState, Input, JsonSink, NoHost, Tape, Text},
};

mod histories;
mod pair;
mod pair_reference;
pub(crate) mod promises;

use promises::{Conv, holds};

fn parse(messages: &Value, dialect: DialectId) -> Result<Conv, Error> {
    convert::parse(&Tape::read(&Input::new(messages.to_string()))?.view().root::<NoHost>(), dialect)
}

fn openai(messages: &Value) -> Result<Conv, Error> {
    parse(messages, DialectId::named("openai")?)
}

fn strings(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().filter_map(|item| item.as_str().map(str::to_owned)).collect()
}

/// Owns what `Inputs` borrows.
#[derive(Default)]
struct Wanted {
    prompts: Vec<Text<NoHost>>,
    summary: Option<Summary>,
    budget: Option<usize>,
    target: Option<DialectId>,
    keep_open: bool,
    bridge: Option<Text<NoHost>>,
    rendering: Options,
    relay: Relay,
}

impl Wanted {
    fn of(options: &Value) -> Result<Self, Error> {
        let text = |value: &Value| value.as_str().map(Text::own);
        Ok(Self {
            prompts: options["system_prompts"].as_array().into_iter().flatten().filter_map(text).collect(),
            summary: options["summary"].as_object().map(|summary| Summary {
                repaired: false,
                text: summary["text"].as_str().unwrap_or_default().to_owned(),
                start_id: summary["start_id"].as_str().unwrap_or_default().to_owned(),
                ids: strings(&summary["ids"]),
                indices: Vec::new(),
            }),
            budget: options["budget"].as_u64().map(|budget| budget as usize),
            target: options["target"].as_str().map(DialectId::named).transpose()?,
            keep_open: options["end"] == "calls",
            bridge: text(&options["wording"]["bridge"]),
            rendering: Options {
                reasoning: options["reasoning"].as_str().and_then(ReasoningChoice::from_name).unwrap_or_default(),
                ..Options::default()
            },
            relay: Relay::default(),
        })
    }

    fn inputs(&self) -> Inputs<'_, NoHost> {
        Inputs {
            system_prompts: &self.prompts,
            summary: self.summary.as_ref(),
            budget: self.budget.map(Budget::Bytes),
            target: self.target,
            keep_open: self.keep_open,
            bridge: self.bridge.as_ref(),
            rendering: &self.rendering,
            relay: self.relay,
            ..Inputs::default()
        }
    }
}

/// The codes of what changed, by name: their order is that of the payload, whatever a vector lists first.
fn changed(receipt: &Receipt) -> Vec<String> {
    let changes = receipt.changes.iter().filter(|change| !change.is_warning());
    sorted(changes.map(|change| change.code.name().to_owned()).collect())
}

fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort_unstable();
    names
}

/// A failed build reports the same as `check`, in its receipt and its error.
fn told(failed: &Failed, given: &Conv, wanted: &Wanted) {
    let Failed { error, receipt } = failed;
    let changes = receipt.changes.iter().map(|change| (change.code.name(), &change.path));
    let told: Vec<_> = changes.chain([(error.code().name(), error.path())]).collect();
    let checked = check(given, &wanted.inputs()).changes;
    assert_eq!(told, checked.iter().map(|change| (change.code.name(), &change.path)).collect::<Vec<_>>());
    assert_eq!(receipt.first_changed_index, None, "nothing was made that could differ");
}

/// The messages of a vector, in entities if it has ids for them.
fn stored(vector: &Value) -> Value {
    let Some(ids) = vector["build"]["ids"].as_array() else { return vector["messages"].clone() };
    let messages = vector["messages"].as_array().into_iter().flatten();
    ids.iter().zip(messages).map(|(id, body)| json!({"id": id, "body": body})).collect()
}

#[test]
fn vectors() -> Result<(), Error> {
    let vectors: Value =
        serde_json::from_str(include_str!("../../../tests/vectors/builder.json")).expect("vectors are JSON");
    for vector in vectors["build"].as_array().expect("a list") {
        let name = vector["name"].as_str().expect("a name");
        let dialect = DialectId::named(vector["dialect"].as_str().unwrap_or("openai"))?;
        let given = parse(&stored(vector), dialect)?;
        let wanted = Wanted::of(&vector["build"])?;
        let built = build(&given, &wanted.inputs());
        if let Some(code) = vector["error"].as_str() {
            let failed = built.expect_err(name);
            let error = &failed.error;
            assert_eq!(error.code().name(), code, "{name}");
            if let Some(needed) = vector["needed"].as_u64() {
                assert!(error.text().contains(&needed.to_string()), "{name}: {error}");
            }
            let changes = changed(&failed.receipt);
            assert_eq!(changes, sorted(strings(&vector["changes"])), "{name}: {}", failed.receipt);
            told(&failed, &given, &wanted);
            continue;
        }
        let built = built.unwrap_or_else(|error| panic!("{name}: {error}"));
        let changes = changed(&built.receipt);
        assert_eq!(changes, sorted(strings(&vector["changes"])), "{name}: {}", built.receipt);
        assert_eq!(
            json!(built.receipt.first_changed_index),
            vector["first_changed_index"],
            "{name}: {}",
            built.receipt
        );
        let warnings = built.receipt.changes.iter().filter(|change| change.is_warning());
        let warnings = sorted(warnings.map(|warning| warning.code.name().to_owned()).collect());
        assert_eq!(warnings, sorted(strings(&vector["warnings"])), "{name}");
        let checked = check(&given, &wanted.inputs()).changes;
        // The rendering knows whether something is gone or has another form.
        let is_checked =
            |change: &Change| checked.iter().any(|one| (one.code, &one.path) == (change.code, &change.path));
        assert!(built.receipt.changes.iter().all(is_checked), "{name}");
        expected(vector, name, dialect, &given, &built)?;
        holds(&given, &wanted.inputs(), &built);
    }
    Ok(())
}

fn expected(vector: &Value, name: &str, dialect: DialectId, given: &Conv, built: &Built<NoHost>) -> Result<(), Error> {
    if let Some(written) = vector.get("written") {
        let mut sink = JsonSink::default();
        convert::render(&built.conversation, dialect, &Options::default(), &mut sink)?;
        let payload: Value = serde_json::from_slice(&sink.into_bytes()).expect("a payload is JSON");
        let is_it =
            payload == *written || payload.as_object().is_some_and(|body| body.values().any(|one| one == written));
        assert!(is_it, "{name}: {payload}");
        return Ok(());
    }
    match vector["expect"].as_str() {
        Some("same") => assert!(built.conversation.same(given), "{name}"),
        Some("valid") => {}
        Some("cut") => {
            let last = built.conversation.turns().last().expect("a turn");
            let result = last.results().next().expect("a result");
            let text = match &result.content {
                Content::Text(text) => text.to_str(last.input.as_ref()).into_owned(),
                Content::Blocks(blocks) => match blocks.last().map(|block| &block.kind) {
                    Some(Kind::Text(text)) => text.to_str(last.input.as_ref()).into_owned(),
                    other => panic!("{name}: {other:?}"),
                },
                Content::Absent => String::new(),
            };
            assert!(text.contains(TRUNCATED_SUFFIX), "{name}: {text}");
            assert!(text.ends_with(vector["ends"].as_str().unwrap_or_default()), "{name}: {text}");
        }
        _ => {
            let expected = parse(&vector["expect"], dialect)?;
            assert!(
                built.conversation.same(&expected),
                "{name}\n{}\n got {:#?}\n for {:#?}",
                built.receipt,
                built.conversation.turns(),
                expected.turns()
            );
        }
    }
    Ok(())
}

/// One message of a random history. Ids come from a small alphabet, so they repeat, in any order.
fn message() -> impl Strategy<Value = Value> {
    let id = prop_oneof![4 => "c[1-4]", 1 => Just(String::new()), 1 => "[a-z.:/|é]{1,50}"];
    let args = prop_oneof![3 => Just("{}"), 1 => Just(""), 1 => Just("{\"a\": 1"), 1 => Just("[1]")];
    let calls = prop::collection::vec((id.clone(), args), 0..4);
    let text = prop_oneof![Just(Value::Null), Just(json!("")), Just(json!(" ")), "[a-zé]{1,90}".prop_map(Value::from)];
    prop_oneof![
        2 => text.clone().prop_map(|text| json!({"role": "user", "content": if text.is_null() { json!("hi") } else { text }})),
        1 => Just(json!({"role": "system", "content": "be brief"})),
        4 => (text, calls).prop_map(|(text, calls)| {
            let calls: Vec<_> = calls.into_iter().map(|(id, args)| {
                json!({"id": id, "type": "function", "function": {"name": "f", "arguments": args}})
            }).collect();
            let mut message = json!({"role": "assistant", "content": text});
            if !calls.is_empty() {
                message["tool_calls"] = calls.into();
            }
            message
        }),
        1 => Just(json!({"role": "assistant", "content": null, "function_call": {"name": "g", "arguments": "{}"}})),
        1 => Just(json!({"role": "function", "name": "g", "content": "legacy"})),
        4 => (id, "[a-z]{0,200}").prop_map(|(id, text)| json!({"role": "tool", "tool_call_id": id, "content": text})),
    ]
}

/// An exchange with its own ids, and how a program may have broken it.
#[derive(Clone, Debug)]
struct Exchange {
    calls: usize,
    /// For each call: its result is missing, in place, or this many messages later or earlier.
    results: Vec<Option<isize>>,
    between: bool,
}

fn exchange() -> impl Strategy<Value = Exchange> {
    let result = prop_oneof![1 => Just(None), 4 => Just(Some(0)), 1 => (-6_isize..6).prop_map(Some)];
    (prop::collection::vec(result, 1..4), any::<bool>()).prop_map(|(results, between)| Exchange {
        calls: results.len(),
        results,
        between,
    })
}

/// The messages of the exchanges, their results moved, and how many results there are.
fn moved(exchanges: &[Exchange]) -> (Value, usize) {
    let mut list: Vec<Value> = vec![json!({"role": "user", "content": "go"})];
    let mut loose = Vec::new();
    for (round, exchange) in exchanges.iter().enumerate() {
        let ids: Vec<_> = (0..exchange.calls).map(|call| format!("r{round}c{call}")).collect();
        let calls: Vec<_> = ids
            .iter()
            .map(|id| json!({"id": id, "type": "function", "function": {"name": "f", "arguments": "{}"}}))
            .collect();
        list.push(json!({"role": "assistant", "content": null, "tool_calls": calls}));
        for (id, place) in ids.iter().zip(&exchange.results) {
            let message = json!({"role": "tool", "tool_call_id": id, "content": format!("result of {id}")});
            match place {
                None => {}
                Some(0) => list.push(message),
                Some(far) => loose.push((list.len(), *far, message)),
            }
        }
        if exchange.between {
            list.push(json!({"role": "user", "content": format!("and {round}")}));
        }
    }
    let results = exchanges.iter().flat_map(|exchange| &exchange.results).flatten().count();
    for (at, far, message) in loose.into_iter().rev() {
        let at = at.saturating_add_signed(far).min(list.len());
        list.insert(at, message);
    }
    (list.into(), results)
}

fn targets() -> impl Strategy<Value = Option<DialectId>> {
    let names = ["openai", "anthropic", "mistral:v3", "gemini", "bedrock", "ollama", "openai-responses"];
    prop::sample::select(names.to_vec())
        .prop_map(|name| DialectId::named(name).ok())
        .prop_flat_map(|target| prop_oneof![Just(None), Just(target)])
}

/// Adds a last user message and last results, so that no target refuses the end.
fn ended(mut list: Vec<Value>) -> Value {
    list.insert(0, json!({"role": "user", "content": "start"}));
    list.push(json!({"role": "user", "content": "end"}));
    list.into()
}

proptest! {
    #[test]
    fn any_history_becomes_one_that_can_be_sent(
        list in prop::collection::vec(message(), 0..24),
        target in targets(),
        keep_open: bool,
        budget in prop::option::of(120_usize..3000),
        (no_blanks, only_objects, own_keys) in any::<(bool, bool, bool)>(),
    ) {
        let list = ended(list);
        let given = openai(&list)?;
        let relay = Relay { no_blanks, only_objects, own_keys };
        let wanted = Wanted { budget, target, keep_open, relay, ..Wanted::default() };
        let built = match build(&given, &wanted.inputs()) {
            Ok(built) => built,
            Err(failed) => {
                prop_assert!(failed.error.code() == Code::BudgetTooSmall, "{}", failed);
                told(&failed, &given, &wanted);
                return Ok(());
            }
        };
        holds(&given, &wanted.inputs(), &built);
        prop_assert!(given.same(&openai(&list)?), "the input was changed");
        for turn in built.conversation.turns() {
            let input = turn.input.as_ref();
            let blank = |part: &Part<NoHost>| matches!(&part.kind, Kind::Text(text) if text.is_blank(input));
            prop_assert!(!no_blanks || !turn.parts.is_empty() && !turn.parts.iter().any(blank), "{}", built.receipt);
            let objects = turn.calls().all(|call| call.args.state(input) == ArgsState::Object);
            prop_assert!(!only_objects || objects, "{}", built.receipt);
        }
        let of_keys = |code: ChangeCode| matches!(code.edit(), Some(Edit::UnknownKey | Edit::UnknownBlock | Edit::ToolsMissing));
        prop_assert!(!own_keys || !built.receipt.changes.iter().any(|warning| of_keys(warning.code)), "{}", built.receipt);
        if budget.is_none() {
            let left = built.conversation.turns().iter().flat_map(|turn| turn.results()).filter(|result| !result.synthetic).count();
            let dropped = |code: ChangeCode| matches!(code.edit(), Some(Edit::OrphanResult | Edit::DuplicateResult));
            let reported = built.receipt.changes.iter().filter(|entry| dropped(entry.code)).count();
            let all = given.turns().iter().flat_map(|turn| turn.results()).count();
            prop_assert_eq!(left + reported, all, "a result is gone without a word");
        }
    }

    #[test]
    fn every_real_result_stays_with_its_call(exchanges in prop::collection::vec(exchange(), 0..12), target in targets()) {
        let (list, results) = moved(&exchanges);
        let mut list: Vec<_> = list.as_array().cloned().unwrap_or_default();
        list.push(json!({"role": "user", "content": "end"}));
        let given = openai(&list.into())?;
        let first_is_user = given.turns().first().is_some_and(|turn| turn.role == Role::User);
        let target = target.filter(|_| first_is_user);
        let wanted = Wanted { target, ..Wanted::default() };
        let built = build(&given, &wanted.inputs())?;
        holds(&given, &wanted.inputs(), &built);
        let mut found = 0;
        for turn in built.conversation.turns() {
            for result in turn.results().filter(|result| !result.synthetic) {
                let Content::Text(text) = &result.content else { continue };
                let said = text.to_str(turn.input.as_ref()).into_owned();
                let renamed = built.receipt.changes.iter().find(|entry| {
                    entry.code == Edit::RenamedId && entry.new_id.as_deref() == Some(&*result.id.to_str(turn.input.as_ref()))
                });
                let id = renamed.and_then(|entry| entry.id.clone()).unwrap_or_else(|| result.id.to_str(turn.input.as_ref()).into_owned());
                prop_assert_eq!(said, format!("result of {id}"));
                found += 1;
            }
        }
        prop_assert_eq!(found, results);
    }

    #[test]
    fn a_growing_history_keeps_its_prefix(rounds in prop::collection::vec((0_usize..400, any::<bool>()), 1..40), budget in 300_usize..2000) {
        let mut list = vec![json!({"role": "user", "content": "go"})];
        let mut before: Option<(Conv, usize)> = None;
        for (round, (size, speaks)) in rounds.into_iter().enumerate() {
            let id = format!("c{round}");
            let call = json!({"id": id, "type": "function", "function": {"name": "f", "arguments": "{}"}});
            list.push(json!({"role": "assistant", "content": null, "tool_calls": [call]}));
            list.push(json!({"role": "tool", "tool_call_id": id, "content": "x".repeat(size.min(budget / 4))}));
            if speaks {
                list.push(json!({"role": "user", "content": "and now?"}));
            }
            let given = openai(&list.clone().into())?;
            let wanted = Wanted { budget: Some(budget), ..Wanted::default() };
            let Ok(built) = build(&given, &wanted.inputs()) else { break };
            let total = list.iter().filter_map(|message| message["content"].as_str()).map(str::len).sum::<usize>() + 2 * (round + 1);
            let quarter = total.saturating_sub(budget).div_ceil(budget / 4);
            if let Some((earlier, then)) = &before && *then == quarter {
                let now = built.conversation.turns();
                let prefix = earlier.turns().iter().zip(now).all(|(a, b)| a.same(b));
                prop_assert!(prefix && now.len() >= earlier.turns().len(), "quarter {}: {}", quarter, built.receipt);
            }
            before = Some((built.conversation, quarter));
        }
    }
}
