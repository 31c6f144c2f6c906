//! Writes whole replies as the list of the events of a run.

use super::end::WORDS;
use super::keys as k;
use super::stream_out::{Events, failed};
use crate::{
    model::{Event, PartSort, Telling},
    report::Error,
    value::{Host, Key, Sink, Source, Text, Tree},
    wire::{
        response::{
            Amount, Count, Draft, FailureRow, FailureRows, FailureWords, Passed, ReplyKeys, ResponseRule, Texts,
            TooLongWords, UsageRule,
        },
        stream::{
            Frames, StreamWriter,
            out::{text, word},
        },
    },
};

/// The protocol's `RunFinishedOutcome` and `TokenUsage`. An interrupt needs questions to the user, which no model asks.
pub(super) const RULE: ResponseRule = ResponseRule {
    id: "run_",
    end: ".outcome.type",
    keys: ReplyKeys { read: "runId messages outcome usage error", passed: &[(Passed::Echo, "threadId")] },
    texts: Texts::Apart,
    answers: true,
    words: WORDS,
    bad_call: None,
    usage: UsageRule {
        key: Some(&k::USAGE),
        needed: false,
        counts: &[
            Count::maybe(&k::INPUT_TOKENS, Amount::Input),
            Count::maybe(&k::OUTPUT_TOKENS, Amount::Output),
            Count::maybe(&k::TOTAL_TOKENS, Amount::Total),
            Count::maybe(&k::REASONING_TOKENS, Amount::Reasoning),
            Count::maybe(&k::CACHED_INPUT_TOKENS, Amount::Cached),
            Count::maybe(&k::CACHE_WRITE_INPUT_TOKENS, Amount::Written),
        ],
        also: &[],
    },
    failures: FAILURES,
    error_forms: &[],
    names_request: false,
    too_long: TooLongWords::NONE,
    tier: None,
    required: &[],
    echoes: &[],
};

/// The protocol leaves the codes to the server.
const FAILURES: FailureRows = &[
    FailureRow(400, "invalid_request", ""),
    FailureRow(400, "context_length_exceeded", ""),
    FailureRow(401, "unauthorized", ""),
    FailureRow(429, "rate_limited", ""),
    FailureRow(402, "insufficient_quota", ""),
    FailureRow(403, "forbidden", ""),
    FailureRow(404, "not_found", ""),
    FailureRow(409, "conflict", ""),
    FailureRow(413, "too_large", ""),
    FailureRow(503, "overloaded", ""),
    FailureRow(504, "timeout", ""),
    FailureRow(500, "server_error", ""),
];

/// Writes a run as the events of its stream.
pub(super) fn write<H: Host, K: Sink<H>>(draft: Draft<H>, out: &mut K) -> Result<(), Error> {
    let out = &mut Listed(out);
    let mut run = Events::of(draft.around);
    run.event(&Event::Begun { id: None, model: None }, out)?;
    for message in &draft.messages {
        let message = Tree(message);
        if let Some(id) = message.get(&k::ID).filter(|_| draft.own).and_then(|id| id.text()) {
            run.begin(id);
        }
        said(&mut run, &message, out)?;
    }
    run.end(&draft.closing, out)
}

/// The run of an error.
pub(super) fn failure<H: Host, K: Sink<H>>(words: &FailureWords<H>, out: &mut K) -> Result<(), Error> {
    failed(words, &mut Listed(out))
}

/// A message with the model's reasoning.
pub(super) fn thought<H: Host, K: Sink<H>>(said: &Text<H>, out: &mut K) {
    word(out, &k::ROLE, &k::REASONING);
    text(out, &k::CONTENT, said);
}

/// Writes the events of a message of the model.
fn said<H: Host, F: Frames<H>>(run: &mut Events<H>, message: &Tree<'_, H>, out: &mut F) -> Result<(), Error> {
    let words = |node: &Tree<'_, H>, key| node.get(key).and_then(|value| value.text()).unwrap_or_else(|| Text::own(""));
    let said = words(message, &k::CONTENT);
    let (sort, piece): (_, Telling<H>) = if words(message, &k::ROLE).is(k::REASONING.name, None) {
        (PartSort::Reasoning, Event::Reasoning)
    } else {
        (PartSort::Text, Event::Text)
    };
    let some = !said.is_empty();
    if some || sort == PartSort::Reasoning {
        run.event(&Event::PartBegun(sort), out)?;
        if some {
            run.event(&piece(said), out)?;
        }
        run.event(&Event::PartEnded(sort), out)?;
    }
    for (call, element) in message.get(&k::TOOL_CALLS).iter().flat_map(Source::items).enumerate() {
        let id = Some(words(&element, &k::ID));
        let function = element.get(&k::FUNCTION).unwrap_or(element);
        let name = words(&function, &k::NAME);
        run.event(&Event::CallBegun { call, id, name, custom: false, namespace: None, form: None }, out)?;
        run.event(&Event::CallPiece { call, text: words(&function, &k::ARGUMENTS) }, out)?;
        run.event(&Event::CallEnded { call }, out)?;
    }
    Ok(())
}

/// Events as the items of a list.
struct Listed<'k, K>(&'k mut K);

impl<H: Host, K: Sink<H>> Frames<H> for Listed<'_, K> {
    type Out = K;

    fn event(&mut self, _: &'static Key, _: bool, write: impl FnOnce(&mut K)) -> Result<(), Error> {
        self.0.open_map();
        write(self.0);
        self.0.close();
        Ok(())
    }

    fn replay<S: Source<H = H>>(&mut self, chunk: &S) -> Result<(), Error> {
        self.0.raw(&chunk.raw());
        Ok(())
    }

    fn mark(&mut self) {}
}
