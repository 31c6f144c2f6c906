//! Reads the body of a request as hashes, and finds reasoning in it that the model would refuse.

use std::{ops::Range, sync::Arc};

use super::{
    head::{self, Head},
    identity::tokens,
    memo::{self, Memo, Written},
    records::Record,
};
use crate::{
    convert,
    model::{Conversation, Turn},
    prefix::{Digest, Restart, digest_behind, go_on},
    report::{Error, Options, Rendering, Sources},
    rules::DialectId,
    stage::with_legal_names,
    value::{Host, JsonSink, NoHost, Value, json::read},
};

/// The body of a request.
pub(super) struct Seen {
    /// The body, without messages that the last request also had.
    pub(super) body: Value<NoHost>,
    pub(super) digest: Digest,
    pub(super) rendering: Rendering,
    /// Empty where nobody needs it.
    pub(super) json: Vec<u8>,
    /// The ranges of its messages in the JSON, if all of them are objects.
    places: Vec<Range<usize>>,
    /// Its system text and tools.
    pub(super) head: Head,
    /// The caller's turns that the head contains.
    pub(super) hoisted: Vec<usize>,
    /// What the next request needs to know of this one.
    pub(super) memo: Arc<Memo>,
}

impl Seen {
    /// Renders a conversation and reads the body. `memo`: of the last request. `restart`: the compaction block that
    /// replaces messages of an earlier request. `behind`: how many system messages at the beginning do not belong to the
    /// head. `whole`: whether its JSON is needed.
    pub(super) fn of<H: Host>(
        conversation: &Conversation<H>,
        (target, model): (DialectId, Option<&str>),
        options: &Options,
        (memo, restart, behind, whole): (&Memo, Option<Restart>, usize, bool),
    ) -> Result<Self, Error> {
        let write = |mut out: JsonSink| {
            let rendering = convert::render(conversation, target, options, &mut out)?;
            let passed = out.passed();
            let json = out.into_bytes();
            let key = head::list_key(target, json.first() == Some(&b'['));
            let written = Written::of((json, passed), key, memo::seed((target, model), restart, behind), memo)?;
            let (known, digest) = written.known(memo);
            Ok::<_, Error>((rendering, written, known, digest))
        };
        let mut made = None;
        if !whole {
            let out = JsonSink::new(Vec::with_capacity(memo.room_behind())).passing(memo.passed());
            // Where something else than the messages is new, all of it has to be read.
            made = Some(write(out)?).filter(|(_, written, known, _)| written.passed <= *known);
        }
        let (rendering, written, known, digest) = match made {
            Some(made) => made,
            None => write(JsonSink::new(Vec::with_capacity(memo.room())))?,
        };
        let body = read::value::<NoHost>(&written.without(known))?;
        let digest = digest_behind(digest, &body, (target, model), restart)?;
        let lead = (known > 0).then(|| memo.lead.iter().map(Value::share).collect());
        let (head, hoisted) = Head::of(&body, (lead, behind), &rendering.provenance, target);
        let memo = written.memo(digest.clone(), head.clone().lead);
        let (json, places) = if whole { (written.json, written.messages) } else { Default::default() };
        Ok(Self { body, digest, rendering, json, places, head, hoisted, memo })
    }

    /// The JSON of a message after the head.
    pub(super) fn message(&self, index: usize) -> Option<&[u8]> {
        self.json.get(self.places.get(self.head.lead.len() + index)?.clone())
    }

    /// The hash of each message after the head.
    pub(super) fn messages(&self) -> &[u64] {
        self.digest.messages.get(self.head.lead.len()..).unwrap_or_default()
    }

    /// The caller's elements that each message after the head was written from.
    pub(super) fn sources(&self) -> &[Sources] {
        self.rendering.provenance.sources.get(self.head.lead.len()..).unwrap_or_default()
    }

    /// The caller's element that a message begins with. For a made-up message, that of the next one.
    pub(super) fn index_of(&self, message: usize) -> Option<usize> {
        self.sources().get(message..)?.iter().find_map(|sources| sources.first().copied())
    }
}

/// Records what a reply's reasoning is bound to: everything that was sent, and the reply up to the block.
pub(super) fn records<'a, H: Host>(
    reply: impl Iterator<Item = &'a Turn<H>>,
    target: DialectId,
    (base, all, last): (u64, u64, Option<u64>),
) -> Result<Vec<(u64, Record)>, Error> {
    // In formats with a separate element for each part of a reply, several elements are one reply.
    let goes_on = target.facts.replies_in_items;
    let (mut found, mut at) = (Vec::new(), (all, last));
    for turn in reply {
        let has_any = tokens(turn).next().is_some();
        if !has_any && !goes_on {
            continue;
        }
        let mut out = JsonSink::new(Vec::new());
        let renamed = with_legal_names(turn, target.limits()?);
        crate::dialects::registry::render_turn(renamed.as_ref().unwrap_or(turn), target, &mut out)?;
        let elements = read::value::<NoHost>(&out.into_bytes())?;
        let start = if goes_on { at } else { (all, last) };
        let digest = go_on(&elements, target, (base, start.0))?;
        let mut last = start.1;
        for block in &digest.blocks {
            found.push((block.token, Record::Bound { all: block.before, last }));
            last = Some(block.token);
        }
        at = (digest.all, last);
    }
    Ok(found)
}
