//! The pair stage and the links, on broken histories of every dialect at once: what is built and written.

use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};

use proptest::prelude::*;
use serde_json::Value;
use turnwire_core::{
    convert,
    model::Frame,
    report::{ChangeCode, Edit, Error, Options, error::Code},
    rules::DialectId,
    stage::{Budget, Inputs, build},
    value::{Input, JsonSink, NoHost, Tape},
};

use super::{
    histories::{DIALECTS, Message, Said, conversation, message, of_one_id},
    pair_reference::{answers, is_first, number_in, pairs, uses},
    promises::{Conv, holds},
};

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

/// Ten times as many calls of one id take about ten times as long, not a hundred times.
#[test]
fn many_of_one_id_are_as_many_steps() -> Result<(), Error> {
    let targets = [None, Some(DialectId::named("mistral:v3")?)];
    let time = |given: &Conv, target| -> Result<Duration, Error> {
        let start = Instant::now();
        let built = build(given, &Inputs { target, ..Inputs::default() }).map_err(|failed| failed.error)?;
        let took = start.elapsed();
        let changes = built.receipt.changes.iter().filter_map(|change| change.code.edit());
        assert_eq!(
            changes
                .filter(|code| !matches!(
                    code,
                    Edit::RenamedId | Edit::MovedCall | Edit::MovedResult | Edit::UserAfterResult
                ))
                .count(),
            0
        );
        Ok(took)
    };
    for (at, (short, long)) in of_one_id(1_000).iter().zip(of_one_id(10_000)).enumerate() {
        let (short, long) = (conversation(short)?, conversation(&long)?);
        for target in targets {
            // Other programs may keep the machine busy, so both sides take equally long, and the best of several
            // attempts counts.
            let factor = || -> Result<f64, Error> {
                let ten_short: Duration = (0..10).map(|_| time(&short, target)).sum::<Result<_, _>>()?;
                Ok(time(&long, target)?.as_secs_f64() / ten_short.as_secs_f64())
            };
            let mut factors = Vec::new();
            while factors.len() < 6 && factors.last().is_none_or(|factor| *factor > 3.0) {
                factors.push(factor()?);
            }
            assert!(factors.last().is_some_and(|factor| *factor <= 3.0), "shape {at}: {factors:?}");
        }
    }
    Ok(())
}

/// The result without an id answers the first call. Then one call and one result are left, which pair, too.
#[test]
fn a_result_of_an_unknown_id_answers_the_call_that_others_leave() -> Result<(), Error> {
    let asked = Message { dialect: "", assistant: true, said: vec![Said::Call("b"), Said::Call("")] };
    let said = Message { dialect: "", assistant: false, said: vec![Said::Result("b_2"), Said::Result("")] };
    let built = build(&conversation(&[asked, said])?, &Inputs::default()).map_err(|failed| failed.error)?;
    let after = uses(&built.conversation, true);
    let found = pairs(&after, &answers(&after, false));
    assert_eq!(found, HashMap::from([("f0", "r3"), ("f1", "r2")].map(|(call, result)| (call.into(), result.into()))));
    Ok(())
}

proptest! {
    #[test]
    fn any_mixture_is_paired_as_the_contract_says(
        messages in prop::collection::vec(message(&DIALECTS), 0..14),
        target in prop::option::of(prop::sample::select(vec!["openai", "anthropic", "amazon-q", "gemini", "mistral:v3"])),
        keep_open: bool,
        continues: bool,
        at_home: bool,
    ) {
        let target = target.map(DialectId::named).transpose()?;
        let from = target.filter(|_| at_home).unwrap_or(DialectId::NONE);
        let continued = || -> Result<Conv, Error> {
            let mut given = conversation(&messages)?;
            let continues = continues.then_some("previous_response_id");
            given.frame = Arc::new(Frame { continues, ..Frame::empty(from) });
            Ok(given)
        };
        let given = continued()?;
        let inputs = Inputs { target, keep_open, ..Inputs::default() };
        let built = build(&given, &inputs).map_err(|failed| failed.error)?;
        holds(&given, &inputs, &built);
        prop_assert!(given.same(&continued()?), "the input was changed");
        let again = build(&continued()?, &inputs).map_err(|failed| failed.error)?;
        prop_assert!(built.conversation.same(&again.conversation), "another time, another result");
        // Only the dialect's own server knows earlier calls.
        let continues = continues && (target.is_none() || at_home);
        let before = uses(&given, true);
        let answers_before = answers(&before, continues);
        let expected = pairs(&before, &answers_before);
        let after = uses(&built.conversation, true);
        let found = pairs(&after, &answers(&after, continues));
        let last_run = after.iter().filter(|one| one.call).map(|one| one.run).max();
        for call in before.iter().filter(|one| one.call) {
            match (expected.get(&call.says), found.get(&call.says)) {
                (Some(result), found) => prop_assert_eq!(found, Some(result), "{}", &call.says),
                (None, Some(made)) => prop_assert!(made.starts_with("No result"), "{}", &call.says),
                (None, None) => {
                    let one = after.iter().find(|one| one.call && one.says == call.says);
                    prop_assert!(keep_open && one.map(|one| one.run) == last_run, "{}", &call.says);
                }
            }
        }
        let results = (0..before.len()).filter(|at| !before[*at].call);
        // The server knows them by their ids.
        let known = |at: &usize| continues && !before[*at].id.is_empty() && is_first(&before, *at);
        let (on_server, mut gone): (Vec<_>, Vec<_>) =
            results.filter(|at| !answers_before.contains_key(at)).partition(known);
        prop_assert!(on_server.iter().all(|at| after.iter().any(|one| one.says == before[*at].says)), "a result is gone");
        gone.retain(|at| after.iter().any(|one| one.says == before[*at].says));
        prop_assert!(gone.is_empty(), "a result without a call stays");
        let dropped = |code: ChangeCode| matches!(code.edit(), Some(Edit::OrphanResult | Edit::DuplicateResult));
        let reported = built.receipt.changes.iter().filter(|entry| dropped(entry.code)).count();
        prop_assert_eq!(expected.len() + on_server.len() + reported, before.iter().filter(|one| !one.call).count());
    }

    #[test]
    fn any_mixture_that_is_cut_stays_paired(
        messages in prop::collection::vec(message(&DIALECTS), 0..20),
        target in prop::option::of(prop::sample::select(vec!["openai", "anthropic", "amazon-q"])),
        budget in 30_usize..400,
    ) {
        let given = conversation(&messages)?;
        let target = target.map(DialectId::named).transpose()?;
        let inputs = Inputs { target, budget: Some(Budget::Bytes(budget)), ..Inputs::default() };
        match build(&given, &inputs) {
            Ok(built) => holds(&given, &inputs, &built),
            Err(failed) => prop_assert_eq!(failed.error.code(), Code::BudgetTooSmall, "{}", failed.error),
        }
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
        let answers = answers(&before, false);
        let payload = rendered(&given, "anthropic")?;
        let names: HashMap<_, _> = all_with_key(&payload, "name").into_iter().map(|call| (call["name"].as_str(), call["id"].as_str())).collect();
        let results: HashMap<_, _> =
            all_with_key(&payload, "tool_use_id").into_iter().map(|result| (number_in(&result["content"].to_string()), result["tool_use_id"].as_str())).collect();
        // A turn that goes back unchanged keeps its id, or stays without one.
        let home = messages.iter().any(|message| message.dialect == "anthropic");
        for (result, call) in answers.iter().filter(|(result, call)| !home || before[**result].id == before[**call].id) {
            let (result, call) = (&before[*result].says, &before[*call].says);
            prop_assert_eq!(results.get(&Some(result.clone())), names.get(&Some(&**call)), "{} answers {}: {}", result, call, payload);
        }
    }

    #[test]
    fn names_of_results_are_those_of_their_calls(messages in prop::collection::vec(message(&DIALECTS[..4]), 0..12)) {
        let given = conversation(&messages)?;
        let before = uses(&given, false);
        let answers = answers(&before, false);
        let payload = rendered(&given, "history")?;
        let names: HashMap<_, _> =
            all_with_key(&payload, "tool_name").into_iter().map(|result| (number_in(&result["content"].to_string()), result["tool_name"].as_str())).collect();
        for (result, call) in &answers {
            let (result, call) = (&before[*result].says, &before[*call].says);
            prop_assert_eq!(names.get(&Some(result.clone())), Some(&Some(&**call)), "{}", payload);
        }
    }

    #[test]
    fn what_is_built_is_written_in_pairs(
        messages in prop::collection::vec(message(&DIALECTS), 0..12),
        target in prop::sample::select(&DIALECTS[1..5]),
        named: bool,
    ) {
        let given = conversation(&messages)?;
        let inputs = Inputs { target: if named { Some(DialectId::named(target)?) } else { None }, ..Inputs::default() };
        let built = build(&given, &inputs).map_err(|failed| failed.error)?.conversation;
        let payload = rendered(&built, target)?;
        let input = Input::new(payload.to_string());
        let read = convert::parse(&Tape::read(&input)?.view().root::<NoHost>(), DialectId::named(target)?)?;
        let again = build(&read, &Inputs::default()).map_err(|failed| failed.error)?;
        prop_assert!(again.receipt.is_unchanged(), "{}\n{}", again.receipt, payload);
        let (before, after) = (uses(&built, true), uses(&read, true));
        prop_assert_eq!(pairs(&before, &answers(&before, false)), pairs(&after, &answers(&after, false)), "{}", payload);
    }
}
