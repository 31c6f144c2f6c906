//! Reads a run: a list of its events, or the object that `stream.rs` assembles from them. Each of its messages is a
//! turn.

use super::keys as k;
use super::{AgUi, end::meaning, response, stream::Stream, stream_out};
use crate::{
    model::{Finish, Head, ReplyParts, Tokens, head::MODEL},
    report::{Error, Trail},
    value::{Host, NodeKind, Sink, Source, Text, Tree},
    wire::{
        format::{Read, Reply},
        read::{Keys, keys::wrong_type},
        response::{Draft, FailureWords, ResponseRule},
        stream::of_list,
    },
};

impl Reply for AgUi {
    const RESPONSE: Option<&'static ResponseRule> = Some(&response::RULE);
    type Stream<H: Host> = Stream<H>;
    type Out<H: Host> = stream_out::Events<H>;
    fn reply<H: Host>(payload: &Tree<'_, H>, said: &mut ReplyParts<H>) -> Result<(), Error> {
        if payload.kind() != NodeKind::List {
            return run(payload, said);
        }
        let (assembled, cut) = of_list::<Stream<H>>(payload, said)?;
        run(&Tree(&assembled), said)?;
        if cut {
            said.finish = Some(Finish::Error);
        }
        Ok(())
    }
    const LISTED: bool = true;

    fn response<H: Host, K: Sink<H>>(draft: Draft<H>, out: &mut K) {
        // A fault stays in the sink, and events of a list have no other.
        let _ = response::write(draft, out);
    }
    fn failure<H: Host, K: Sink<H>>(words: &FailureWords<H>, out: &mut K) {
        let _ = response::failure(words, out);
    }
    fn thought<H: Host, K: Sink<H>>(text: &Text<H>, out: &mut K) {
        response::thought(text, out);
    }
}

/// Reads an assembled run.
fn run<H: Host>(payload: &Tree<'_, H>, said: &mut ReplyParts<H>) -> Result<(), Error> {
    let at = Trail::ROOT;
    let mut keys = Keys::of(payload, &at)?;
    let usage = keys.some(&k::USAGE);
    said.cost(usage.as_ref(), tokens);
    let text = |found: Option<Tree<'_, H>>| found?.text().map(|text| text.share()).filter(|text| !text.is_empty());
    let model = usage.as_ref().and_then(|usage| models(usage).find_map(|one| text(one.get(&MODEL))));
    said.head = Some(Head { id: text(payload.get(&k::RUN_ID)), model, created: None });
    said.error = keys.some(&k::ERROR).map(|error| error.0.share());
    if let Some(messages) = keys.needed_unless(said.error.is_some(), &k::MESSAGES)? {
        let at = at.key(k::MESSAGES.name);
        if messages.kind() != NodeKind::List {
            return Err(wrong_type("a list", &messages, &at));
        }
        for (index, message) in messages.items().enumerate() {
            let at = at.index(index);
            said.turn(message.0, |message, turn| AgUi::turn(message, index, &at, turn))?;
        }
    }
    let outcome = keys.some(&k::OUTCOME);
    let word = outcome.and_then(|outcome| outcome.get(&k::TYPE)?.text()).map(|word| word.share());
    said.stopped(word, meaning);
    Ok(())
}

/// What each model of the run cost.
fn models<'a, H: Host>(usage: &'a Tree<'a, H>) -> impl Iterator<Item = Tree<'a, H>> {
    let one = (usage.kind() != NodeKind::List).then_some(Tree(usage.0));
    one.into_iter().chain(usage.items())
}

/// The counts of all models of the run together.
fn tokens<H: Host>(usage: &Tree<'_, H>) -> Tokens {
    let sum = |one: Option<u64>, more: Option<u64>| one.map(|one| one.saturating_add(more.unwrap_or(0))).or(more);
    models(usage).map(|one| response::RULE.usage.read(&one)).fold(Tokens::default(), |all, one| Tokens {
        input: sum(all.input, one.input),
        output: sum(all.output, one.output),
        cached: sum(all.cached, one.cached),
        reasoning: sum(all.reasoning, one.reasoning),
        written: sum(all.written, one.written),
    })
}
