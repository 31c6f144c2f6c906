//! Broken histories of every dialect at once, with few ids: who answers whom is worked out slowly a second time.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use proptest::prelude::*;
use serde_json::{Value, json};
use turnwire_core::{
    conversation::{Conversation, Frame},
    convert,
    dialect::{self, DialectId},
    error::Error,
    handle::{Input, NoHost, Text},
    json::{read, write::JsonSink},
    loss::Options,
    part::{Kind, Part},
    receipt::Change,
    stage::{Inputs, build},
    tool::{Args, Call, Content, ToolResult},
    turn::{Role, Turn},
};

use super::promises::{Conv, holds};

/// What somebody says, in any order.
#[derive(Clone, Debug)]
enum Said {
    Text,
    Call(&'static str),
    Result(&'static str),
}

/// One message of one dialect; typed ones have none.
#[derive(Clone, Debug)]
struct Message {
    dialect: &'static str,
    assistant: bool,
    said: Vec<Said>,
}

const DIALECTS: [&str; 5] = ["", "openai", "anthropic", "amazon-q", "history"];
/// Good ones, ones that some refuse, and one that a new id might be.
const IDS: [&str; 7] = ["a", "b", "b_2", "a:b", "", "ééééé", "x2345678901234567890123456789012345678901"];

fn message(dialects: &'static [&'static str]) -> impl Strategy<Value = Message> {
    let id = prop_oneof![6 => Just("a"), 2 => Just("b"), 1 => prop::sample::select(&IDS[..])];
    let said = prop_oneof![
        1 => Just(Said::Text),
        3 => id.clone().prop_map(Said::Call),
        3 => id.prop_map(Said::Result),
    ];
    (prop::sample::select(dialects), any::<bool>(), prop::collection::vec(said, 1..4))
        .prop_map(|(dialect, assistant, said)| Message { dialect, assistant, said })
}

/// The messages as turns. Each call has a name of its own, and each result a text.
fn conversation(messages: &[Message]) -> Result<Conv, Error> {
    let mut count = 0;
    let mut turns = vec![Turn::new(Role::User, [Part::text("start")])];
    for message in messages {
        let from = if message.dialect.is_empty() { DialectId::NONE } else { DialectId::named(message.dialect)? };
        let numbers = count..count + message.said.len();
        count = numbers.end;
        let said = message.said.iter().zip(numbers);
        if message.dialect.is_empty() {
            let role = if message.assistant { Role::Assistant } else { Role::User };
            turns.push(Turn::new(role, said.map(typed).collect::<Vec<_>>()));
            continue;
        }
        for element in elements(message, said) {
            let input = Input::new(element.to_string());
            turns.push(dialect::parse_turn(&read::tape(&input)?.root::<NoHost>(), from)?);
        }
    }
    turns.push(Turn::new(Role::User, [Part::text("end")]));
    let turns = turns.into_iter().map(std::sync::Arc::new).collect();
    Ok(Conversation::new(turns, Frame::empty(DialectId::NONE).into(), None))
}

fn typed((said, number): (&Said, usize)) -> Part<NoHost> {
    Part::new(match said {
        Said::Text => Kind::Text("text".into()),
        Said::Call(id) => Kind::Call(Call {
            id: (*id).into(),
            made_up_id: false,
            name: Text::own(&format!("f{number}")),
            args: Args::Text("{}".into()),
            custom: false,
            before: None,
        }),
        Said::Result(id) => Kind::Result(ToolResult {
            id: (*id).into(),
            made_up_id: false,
            name: None,
            content: Content::Text(Text::own(&format!("r{number}"))),
            error: false,
            synthetic: false,
        }),
    })
}

/// The elements of a dialect's list that say this.
fn elements<'a>(message: &Message, said: impl Iterator<Item = (&'a Said, usize)>) -> Vec<Value> {
    let role = if message.assistant { "assistant" } else { "user" };
    let (mut text, mut calls, mut results, mut blocks) = (Value::Null, Vec::new(), Vec::new(), Vec::new());
    for (said, number) in said {
        let (name, words) = (format!("f{number}"), format!("r{number}"));
        match said {
            Said::Text => {
                text = json!("text");
                blocks.push(json!({"type": "text", "text": "text"}));
            }
            Said::Call(id) => {
                blocks.push(json!({"type": "tool_use", "id": id, "name": name, "input": {}}));
                calls.push((id, name));
            }
            Said::Result(id) => {
                blocks.push(json!({"type": "tool_result", "tool_use_id": id, "content": words}));
                results.push((id, words));
            }
        }
    }
    if message.dialect == "openai" {
        let calls: Vec<_> = calls
            .into_iter()
            .map(|(id, name)| json!({"id": id, "type": "function", "function": {"name": name, "arguments": "{}"}}))
            .collect();
        let results =
            results.into_iter().map(|(id, words)| json!({"role": "tool", "tool_call_id": id, "content": words}));
        let asks = (!calls.is_empty()).then(|| json!({"role": "assistant", "content": null, "tool_calls": calls}));
        let says = (!text.is_null()).then(|| json!({"role": role, "content": text}));
        return says.into_iter().chain(asks).chain(results).collect();
    }
    if message.dialect == "amazon-q" {
        let text = text.as_str().unwrap_or_default();
        let uses: Vec<_> =
            calls.into_iter().map(|(id, name)| json!({"toolUseId": id, "name": name, "input": {}})).collect();
        let results: Vec<_> = results
            .into_iter()
            .map(|(id, words)| json!({"toolUseId": id, "content": [{"text": words}], "status": "success"}))
            .collect();
        let asks = json!({"assistantResponseMessage": {"content": text, "toolUses": uses}});
        let says = json!({"userInputMessage": {"content": text, "userInputMessageContext": {"toolResults": results}}});
        let mut list = Vec::new();
        if !uses.is_empty() {
            list.push(asks);
        }
        if !results.is_empty() {
            list.push(says);
        }
        return list;
    }
    vec![json!({"role": role, "content": blocks})]
}

/// One call or result, where it stands.
struct Use {
    /// The turn, or the piece of one in which somebody else calls.
    piece: usize,
    run: usize,
    call: bool,
    id: Vec<u8>,
    /// The name of a call, the text of a result.
    says: String,
}

/// Every call and result in order. `split`: calls of others than the assistant have turns of their own.
fn uses(conversation: &Conv, split: bool) -> Vec<Use> {
    let mut uses = Vec::new();
    // Whether what comes next may join the run: in any case, or if its dialect lets it.
    let (mut piece, mut run, mut any, mut some) = (0, 0, false, false);
    for turn in conversation.turns() {
        let is_call = |part: &Part<NoHost>| matches!(part.kind, Kind::Call(_));
        let other = split && turn.role != Role::Assistant;
        let calls = turn.calls().next().is_some();
        for parts in turn.parts.chunk_by(|a, b| !other || is_call(a) == is_call(b)) {
            piece += 1;
            let calling = turn.role == Role::Assistant || (if split { parts.iter().any(is_call) } else { calls });
            let joins = turn.from.limits().is_ok_and(|limits| limits.joins_assistant);
            let joined = calling && (any || (some && (joins || turn.from == DialectId::NONE)));
            run += usize::from(!joined);
            (any, some) = match (calling, parts.iter().any(is_call)) {
                (false, _) => (false, false),
                (true, true) => (false, joins),
                (true, false) => (any || !joined, some && joined),
            };
            for part in parts {
                let input = turn.input.as_ref();
                let (call, id, says) = match &part.kind {
                    Kind::Call(call) => (true, &call.id, call.name.to_str(input).into_owned()),
                    Kind::Result(result) => {
                        let text = result.content.one_text().map(|text| text.to_str(input).into_owned());
                        (false, &result.id, text.unwrap_or_default())
                    }
                    _ => continue,
                };
                uses.push(Use { piece, run, call, id: id.wtf8(input).into_owned(), says });
            }
        }
    }
    uses
}

/// For each result of a call, by index: its call. The contract word by word, with no thought for time.
fn answers(uses: &[Use]) -> HashMap<usize, usize> {
    let mut answers: HashMap<usize, usize> = HashMap::new();
    let fits = |answers: &HashMap<usize, usize>, result: usize, call: usize| {
        uses[call].call && uses[call].id == uses[result].id && !answers.values().any(|taken| *taken == call)
    };
    let results: Vec<_> = (0..uses.len()).filter(|at| !uses[*at].call).collect();
    for result in results.iter().copied() {
        let open = (0..result).filter(|call| fits(&answers, result, *call));
        let nearest = open.min_by_key(|call| (std::cmp::Reverse(uses[*call].piece), *call));
        answers.extend(nearest.map(|call| (result, call)));
    }
    for result in results.iter().copied() {
        if !answers.contains_key(&result) {
            let later = (result..uses.len()).find(|call| fits(&answers, result, *call));
            answers.extend(later.map(|call| (result, call)));
        }
    }
    // Calls of one run that share an id are answered in order.
    let mut runs: HashMap<(usize, &[u8]), (Vec<usize>, Vec<usize>)> = HashMap::new();
    for (result, call) in &answers {
        let twins = runs.entry((uses[*call].run, &uses[*call].id)).or_default();
        twins.0.push(*result);
        twins.1.push(*call);
    }
    let sorted = |mut list: Vec<usize>| {
        list.sort_unstable();
        list
    };
    runs.into_values().flat_map(|(results, calls)| sorted(results).into_iter().zip(sorted(calls))).collect()
}

/// Who answers whom, by name and text.
fn pairs(uses: &[Use], answers: &HashMap<usize, usize>) -> HashMap<String, String> {
    answers.iter().map(|(result, call)| (uses[*call].says.clone(), uses[*result].says.clone())).collect()
}

fn rendered(conversation: &Conv, target: &str) -> Result<Value, Error> {
    let mut out = JsonSink::new(Vec::new());
    convert::render(conversation, DialectId::named(target)?, &Options::default(), &mut out)?;
    Ok(serde_json::from_slice(&out.into_bytes()).expect("JSON"))
}

/// Every object of the payload that has this key.
fn with_key<'v>(value: &'v Value, key: &str, found: &mut Vec<&'v Value>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| with_key(item, key, found)),
        Value::Object(entries) => {
            if entries.contains_key(key) {
                found.push(value);
            }
            entries.values().for_each(|item| with_key(item, key, found));
        }
        _ => {}
    }
}

fn all_with_key<'v>(value: &'v Value, key: &str) -> Vec<&'v Value> {
    let mut found = Vec::new();
    with_key(value, key, &mut found);
    found
}

/// Histories of one id in every shape, `many` calls long.
fn of_one_id(many: usize) -> Vec<Vec<Message>> {
    let of = |dialect, said: Vec<Said>| Message { dialect, assistant: false, said };
    let calls = || vec![Said::Call("a"); many];
    let results = || vec![Said::Result("a"); many];
    let one_each = |said: Said| vec![of("anthropic", vec![said]); many];
    let rounds = (0..many).flat_map(|_| [of("", vec![Said::Call("a")]), of("", vec![Said::Result("a")])]);
    vec![
        vec![of("anthropic", calls()), of("anthropic", results())],
        vec![of("openai", calls()), of("openai", results())],
        vec![of("anthropic", results()), of("anthropic", calls())],
        vec![of("amazon-q", calls()), of("", vec![Said::Text]), of("amazon-q", results())],
        one_each(Said::Call("a")).into_iter().chain(one_each(Said::Result("a"))).collect(),
        std::iter::once(of("", calls())).chain(rounds).chain([of("", results())]).collect(),
        vec![of("", [calls(), vec![Said::Text], results()].concat())],
    ]
}

/// Ten times as many calls of one id take about ten times as long, not a hundred times.
#[test]
fn many_of_one_id_are_as_many_steps() -> Result<(), Error> {
    let targets = [None, Some(DialectId::named("mistral:v3")?)];
    let time = |given: &Conv, target| -> Result<Duration, Error> {
        let start = Instant::now();
        let built = build(given, &Inputs { target, ..Inputs::default() }).map_err(|failed| failed.error)?;
        let took = start.elapsed();
        let changes = built.receipt.entries.iter().map(|entry| entry.code);
        assert_eq!(
            changes.filter(|code| !matches!(code, Change::RenamedId | Change::MovedCall | Change::MovedResult)).count(),
            0
        );
        Ok(took)
    };
    for (at, (short, long)) in of_one_id(1_000).iter().zip(of_one_id(10_000)).enumerate() {
        let (short, long) = (conversation(short)?, conversation(&long)?);
        for target in targets {
            // Others may keep the machine busy, so the best of several attempts counts.
            let factor = || -> Result<f64, Error> {
                Ok(time(&long, target)?.as_secs_f64() / time(&short, target)?.as_secs_f64())
            };
            let mut factors = Vec::new();
            while factors.len() < 6 && factors.last().is_none_or(|factor| *factor > 30.0) {
                factors.push(factor()?);
            }
            assert!(factors.last().is_some_and(|factor| *factor <= 30.0), "shape {at}: {factors:?}");
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_mixture_is_paired_as_the_contract_says(
        messages in prop::collection::vec(message(&DIALECTS), 0..14),
        target in prop::option::of(prop::sample::select(vec!["openai", "anthropic", "amazon-q", "mistral:v3"])),
    ) {
        let given = conversation(&messages)?;
        let target = target.map(DialectId::named).transpose()?;
        let inputs = Inputs { target, ..Inputs::default() };
        let built = build(&given, &inputs).map_err(|failed| failed.error)?;
        holds(&given, &inputs, &built);
        prop_assert!(given.same(&conversation(&messages)?), "the input was changed");
        prop_assert!(built.conversation.same(&build(&conversation(&messages)?, &inputs)?.conversation), "another time, another result");
        let before = uses(&given, true);
        let expected = pairs(&before, &answers(&before));
        let after = uses(&built.conversation, true);
        let found = pairs(&after, &answers(&after));
        for call in before.iter().filter(|one| one.call) {
            match expected.get(&call.says) {
                Some(result) => prop_assert_eq!(found.get(&call.says), Some(result), "{}", call.says),
                None => prop_assert!(found.get(&call.says).is_some_and(|result| result.starts_with("No result")), "{}", call.says),
            }
        }
        let dropped = |code| matches!(code, Change::OrphanResult | Change::DuplicateResult);
        let reported = built.receipt.entries.iter().filter(|entry| dropped(entry.code)).count();
        prop_assert_eq!(expected.len() + reported, before.iter().filter(|one| !one.call).count());
    }

    #[test]
    fn a_growing_mixture_keeps_its_ids(messages in prop::collection::vec(message(&DIALECTS), 1..12)) {
        let ids = |messages: &[Message]| -> Result<HashMap<String, Vec<u8>>, Error> {
            let built = build(&conversation(messages)?, &Inputs::default())?;
            Ok(uses(&built.conversation, true).into_iter().filter(|one| one.call).map(|one| (one.says, one.id)).collect())
        };
        let last = ids(&messages)?;
        for length in 1..messages.len() {
            for (call, id) in ids(&messages[..length])? {
                prop_assert_eq!(last.get(&call), Some(&id), "{} of {} messages", call, length);
            }
        }
    }

    #[test]
    fn a_rendering_without_a_build_links_the_same(messages in prop::collection::vec(message(&DIALECTS), 0..12)) {
        let given = conversation(&messages)?;
        let before = uses(&given, false);
        let answers = answers(&before);
        let payload = rendered(&given, "anthropic")?;
        let names: HashMap<_, _> = all_with_key(&payload, "name").into_iter().map(|call| (call["name"].as_str(), call["id"].as_str())).collect();
        let results: HashMap<_, _> =
            all_with_key(&payload, "tool_use_id").into_iter().map(|result| (result["content"].as_str(), result["tool_use_id"].as_str())).collect();
        for (result, call) in &answers {
            let (result, call) = (&before[*result].says, &before[*call].says);
            prop_assert_eq!(results.get(&Some(&**result)), names.get(&Some(&**call)), "{} answers {}: {}", result, call, payload);
        }
    }

    #[test]
    fn names_of_results_are_those_of_their_calls(messages in prop::collection::vec(message(&DIALECTS[..4]), 0..12)) {
        let given = conversation(&messages)?;
        let before = uses(&given, false);
        let answers = answers(&before);
        let payload = rendered(&given, "history")?;
        let names: HashMap<_, _> =
            all_with_key(&payload, "tool_name").into_iter().map(|result| (result["content"].as_str(), result["tool_name"].as_str())).collect();
        for (result, call) in &answers {
            let (result, call) = (&before[*result].says, &before[*call].says);
            prop_assert_eq!(names.get(&Some(&**result)), Some(&Some(&**call)), "{}", payload);
        }
    }

    #[test]
    fn what_is_built_is_written_in_pairs(
        messages in prop::collection::vec(message(&DIALECTS), 0..12),
        target in prop::sample::select(&DIALECTS[1..4]),
        named: bool,
    ) {
        let given = conversation(&messages)?;
        let inputs = Inputs { target: if named { Some(DialectId::named(target)?) } else { None }, ..Inputs::default() };
        let built = build(&given, &inputs).map_err(|failed| failed.error)?.conversation;
        let payload = rendered(&built, target)?;
        let input = Input::new(payload.to_string());
        let read = convert::parse(&read::tape(&input)?.root::<NoHost>(), DialectId::named(target)?)?;
        let again = build(&read, &Inputs::default()).map_err(|failed| failed.error)?;
        prop_assert!(again.receipt.is_empty(), "{}\n{}", again.receipt, payload);
        let (before, after) = (uses(&built, true), uses(&read, true));
        prop_assert_eq!(pairs(&before, &answers(&before)), pairs(&after, &answers(&after)), "{}", payload);
    }
}
