//! Reads a reply in the form that `onFinish` gets (the message and why it ended), or as a list of the chunks of its
//! stream.

use super::keys as k;
use super::{AiSdkUi, end::meaning, response, stream::Stream, stream_out};
use crate::{
    model::{Finish, Head, ReplyParts, head},
    report::{Error, Trail},
    value::{Host, NodeKind, Sink, Source, Text, Tree, door::keys},
    wire::{
        format::{Read, Reply},
        read::Keys,
        response::{Draft, FailureWords, ResponseRule},
        stream::{of_list, out},
    },
};

keys! {
    TOTAL_USAGE = "totalUsage";
    ABORT = "abort";
}

impl Reply for AiSdkUi {
    const RESPONSE: Option<&'static ResponseRule> = Some(&response::RULE);
    type Stream<H: Host> = Stream<H>;
    type Out<H: Host> = stream_out::Chunks<H>;
    fn reply<H: Host>(payload: &Tree<'_, H>, said: &mut ReplyParts<H>) -> Result<(), Error> {
        if payload.kind() != NodeKind::List {
            return whole(payload, said);
        }
        let (assembled, cut) = of_list::<Stream<H>>(payload, said)?;
        whole(&Tree(&assembled), said)?;
        if cut {
            said.finish = Some(Finish::Error);
        }
        Ok(())
    }
    fn response<H: Host, K: Sink<H>>(draft: Draft<H>, out: &mut K) {
        response::write(&draft, out);
    }
    fn failure<H: Host, K: Sink<H>>(words: &FailureWords<H>, out: &mut K) {
        response::failure(words, out);
    }
    fn thought<H: Host, K: Sink<H>>(text: &Text<H>, out: &mut K) {
        out::word(out, &k::TYPE, &k::REASONING);
        out::text(out, &k::TEXT, text);
    }
}

/// Reads the message and the keys beside it.
fn whole<H: Host>(payload: &Tree<'_, H>, said: &mut ReplyParts<H>) -> Result<(), Error> {
    let at = Trail::ROOT;
    let mut keys = Keys::of(payload, &at)?;
    said.error = keys.error(&k::ERROR_TEXT, payload.get(&k::RESPONSE_MESSAGE).is_some()).map(|error| error.0.share());
    said.places.error = ".errorText";
    let text = |node: &Tree<'_, H>, key| {
        let found = node.get(key).and_then(|found: Tree<'_, H>| found.text());
        found.map(|text| text.share()).filter(|text| !text.is_empty())
    };
    let mut head = Head::default();
    if let Some(message) = keys.needed_unless(said.error.is_some(), &k::RESPONSE_MESSAGE)? {
        head.id = text(&message, &k::ID);
        if let Some(metadata) = message.get(&k::METADATA) {
            head.model = text(&metadata, &head::MODEL);
            let places = [
                (&k::USAGE, ".responseMessage.metadata.usage"),
                (&TOTAL_USAGE, ".responseMessage.metadata.totalUsage"),
            ];
            let usage = places.into_iter().find_map(|(key, place)| Some((metadata.get(key)?, place)));
            if let Some((usage, place)) = usage.filter(|(usage, _)| usage.kind() == NodeKind::Map) {
                said.places.usage = place;
                said.cost(Some(&usage), |usage| response::RULE.usage.read(usage));
            }
        }
        let at = at.key(k::RESPONSE_MESSAGE.name);
        said.turn(message.0, |message, turn| AiSdkUi::turn(message, 0, &at, turn))?;
    }
    said.head = Some(head);
    let word = keys.text(&k::FINISH_REASON)?;
    if keys.some(&k::IS_ABORTED).is_some_and(|mark| mark.bool() == Some(true)) {
        said.stopped(word.or_else(|| Some(Text::own(ABORT.name))), |_| Finish::Error);
    } else {
        said.stopped(word, meaning);
    }
    Ok(())
}
