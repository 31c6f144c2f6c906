//! Measures pairing and whole builds, per message: histories of 200 to 20,000 messages, in order and broken.
//!
//! `cargo bench -p turnwire-benches --bench pair`: throughput is in messages.
#![allow(missing_docs, reason = "a program")]

use divan::{Bencher, black_box, counter::ItemsCount};
use turnwire_core::{
    convert,
    model::conversation::Conversation,
    rules::dialect_id::DialectId,
    stage::{Budget, Inputs, build, pair::is_paired},
    value::{
        handle::{Input, NoHost},
        json::tape::Tape,
    },
};

fn main() {
    divan::main();
}

const LENGTHS: [usize; 3] = [200, 2_000, 20_000];

/// Repeats: user, two calls, their results, answer. `broken`: in every round, one result comes after the answer.
fn history(messages: usize, broken: bool) -> Conversation<NoHost> {
    let mut list = Vec::with_capacity(messages);
    for round in 0.. {
        let call = |id: &str| {
            format!(
                r#"{{"id":"call_{round}_{id}","type":"function","function":{{"name":"f","arguments":"{{\"n\": {round}}}"}}}}"#
            )
        };
        let result =
            |id: &str| format!(r#"{{"role":"tool","tool_call_id":"call_{round}_{id}","content":"result {round}"}}"#);
        let answer = format!(r#"{{"role":"assistant","content":"answer {round}"}}"#);
        let late = [answer.clone(), result("b")];
        let mut said = vec![
            format!(r#"{{"role":"user","content":"question {round}"}}"#),
            format!(r#"{{"role":"assistant","content":null,"tool_calls":[{},{}]}}"#, call("a"), call("b")),
            result("a"),
        ];
        said.extend(if broken { late } else { [result("b"), answer] });
        list.extend(said);
        if list.len() >= messages {
            break;
        }
    }
    list.truncate(messages);
    let json = format!("[{}]", list.join(","));
    let tape = Tape::read(&Input::new(json)).expect("JSON");
    convert::parse(&tape.view().root::<NoHost>(), DialectId::named("openai").expect("a dialect")).expect("messages")
}

#[divan::bench(args = LENGTHS)]
fn pair_in_order(bencher: Bencher<'_, '_>, messages: usize) {
    let conversation = history(messages, false);
    assert!(is_paired(&conversation, None).expect("no target"));
    bencher.counter(ItemsCount::new(messages)).bench(|| is_paired(black_box(&conversation), None));
}

#[divan::bench(args = LENGTHS)]
fn pair_for_a_target(bencher: Bencher<'_, '_>, messages: usize) {
    let conversation = history(messages, false);
    let target = DialectId::named("anthropic").ok();
    bencher.counter(ItemsCount::new(messages)).bench(|| is_paired(black_box(&conversation), target));
}

#[divan::bench(args = LENGTHS)]
fn build_in_order(bencher: Bencher<'_, '_>, messages: usize) {
    let conversation = history(messages, false);
    bencher.counter(ItemsCount::new(messages)).bench(|| build(black_box(&conversation), &Inputs::default()));
}

#[divan::bench(args = LENGTHS)]
fn build_broken(bencher: Bencher<'_, '_>, messages: usize) {
    let conversation = history(messages, true);
    bencher.counter(ItemsCount::new(messages)).bench(|| build(black_box(&conversation), &Inputs::default()));
}

#[divan::bench(args = LENGTHS)]
fn build_under_a_budget(bencher: Bencher<'_, '_>, messages: usize) {
    let conversation = history(messages, false);
    bencher.counter(ItemsCount::new(messages)).bench(|| {
        let inputs = Inputs { budget: Some(Budget::Bytes(messages * 10)), ..Inputs::default() };
        build(black_box(&conversation), &inputs)
    });
}
