//! Writes the state as JSON, which later versions can read. Numbers are packed. Of the conversation it has only the head,
//! notes, and the caller's markers of results.

use super::{
    adopted::Adopted,
    awaited::{Awaited, Said},
    growing::Growing,
    head::{Given, json},
    identity::SignedBlock,
    pending::Pending,
    records::{Record, Records},
    state::State,
};
use crate::{
    stage::Marker,
    value::{
        NoHost, Text, Value, base64,
        tree::{list, map, text},
    },
};

/// The key that marks a state, and the version of its format.
pub(super) const KEY: &str = "turnwire_ledger";
pub(super) const VERSION: usize = 1;

type Json = Value<NoHost>;

fn number(value: usize) -> Json {
    Value::Number(value.to_string().into())
}

fn maybe(value: Option<Json>) -> Json {
    value.unwrap_or(Value::Null)
}

fn packed(bytes: &[u8]) -> Json {
    let mut out = Vec::new();
    base64::encode(bytes, &mut out);
    text(&String::from_utf8_lossy(&out))
}

fn sums(sums: &[u64]) -> Json {
    packed(&sums.iter().flat_map(|sum| sum.to_le_bytes()).collect::<Vec<_>>())
}

fn numbers<'a>(all: impl IntoIterator<Item = &'a usize>) -> Json {
    list(all.into_iter().map(|one| number(*one)))
}

fn signed_blocks<'a>(blocks: impl IntoIterator<Item = &'a SignedBlock>) -> Json {
    let (indices, blocks): (Vec<_>, Vec<_>) = blocks.into_iter().copied().unzip();
    list([numbers(&indices), sums(&blocks)])
}

fn said(said: &Said) -> Json {
    sums(&[&[said.words, said.all], &said.turns[..]].concat())
}

fn given(given: &Given) -> Json {
    let tools = given.tools.iter().map(|(name, sum)| (Text::own(name), sums(&[*sum])));
    map([("lines", sums(&given.lines)), ("tools", Value::Map(tools.collect()))])
}

impl State {
    /// Writes the state as JSON.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        let head = self
            .head
            .as_ref()
            .map(|head| map([("body", head.body.share()), ("lead", list(head.lead.iter().map(Value::share)))]));
        let cut = self.cut.as_ref().map(|cut| {
            map([
                ("count", number(cut.count)),
                ("limit", maybe(cut.limit.map(number))),
                ("pinned", numbers(&cut.pinned)),
                ("tools", number(cut.tools)),
            ])
        });
        let told = |(name, sum): &(String, Option<u64>)| list([text(name), sums(sum.as_slice())]);
        let notes = self.notes.iter().map(|note| {
            list([number(note.index), text(&note.json), sums(&note.lines), list(note.tools.iter().map(told))])
        });
        let pending = |one: &Pending| {
            let list = [one.list, one.talk.turns as u64, one.talk.sum, one.root];
            map([
                ("length", number(one.length)),
                ("list", sums(&[&list, one.behind.as_slice()].concat())),
                ("bound", sums(&[&[one.all][..], one.last.as_slice()].concat())),
                ("base", sums(&[one.base, one.reply])),
                ("binds", Value::Bool(one.binds)),
                ("answered", Value::Bool(one.answered)),
                ("given", maybe(one.given.as_ref().map(given))),
                ("pinned", numbers(&one.pinned)),
                ("left_out", signed_blocks(&one.left_out)),
            ])
        };
        // What an earlier summary covers, the one after it mostly covers, too.
        let newest = self.adopted.as_ref().and_then(|one| one.covered.as_deref()).unwrap_or_default();
        let covered = |covered: &[u64], is_newest: bool| {
            if !is_newest && newest.starts_with(covered) { number(covered.len()) } else { sums(covered) }
        };
        let adopted = |one: &Adopted, is_newest: bool| {
            let restart = one.restart;
            map([
                ("place", numbers(&[one.place.covers, one.place.at])),
                ("restart", sums(&[restart.token, restart.base, restart.all])),
                ("next", sums(one.next.as_slice())),
                ("last", sums(one.last.as_slice())),
                ("covered", maybe(one.covered.as_deref().map(|one| covered(one, is_newest)))),
            ])
        };
        let awaited = |one: &Awaited| list([pending(&one.request), said(&one.said), number(one.asked)]);
        let growing = |one: Growing| map([("place", numbers(&[one.at, one.parts])), ("sum", sums(&[one.sum]))]);
        let read_as = self.read_as.runs().map(|(dialect, count)| list([text(&dialect.name()), number(count)]));
        let breaks = self.breaks.iter().map(|one| list([number(one.length), text(&one.path)]));
        // One by one, because an array of so many values becomes much more code.
        let mut all = Vec::new();
        let mut put = |key: &str, value: Json| all.push((Text::own(key), value));
        put(KEY, number(VERSION));
        put("target", text(&self.target));
        put("settings", self.settings.share());
        put("read_as", list(read_as));
        put("head", maybe(head));
        put("given", maybe(self.given.as_ref().map(given)));
        put("hoisted", numbers(&self.hoisted));
        put("cut", maybe(cut));
        put("answered", numbers(&self.answered));
        put("begun", number(self.begun));
        put("pinned", numbers(&self.pinned));
        put("notes", list(notes));
        put("left_out", signed_blocks(&self.left_out));
        put("records", packed(&records(&self.records)));
        put("pending", list(self.pending.iter().map(pending)));
        put("waiting", list(self.waiting.iter().map(pending)));
        put("forgot", Value::Bool(self.forgot));
        put("summarised", maybe(self.summarised.as_ref().map(pending)));
        put("words", said(&self.said));
        put("asked", number(self.asked));
        put("awaited", list(self.elsewhere_awaited.iter().map(awaited)));
        put("spare", sums(&self.spare));
        put("adopted", maybe(self.adopted.as_ref().map(|one| adopted(one, true))));
        put("elsewhere", list(self.elsewhere.iter().map(|one| adopted(one, false))));
        put("sums", sums(&self.messages));
        put("settled", number(self.settled));
        put("growing", list([self.growing, self.settled_in].map(|one| maybe(one.map(growing)))));
        if !self.markers.is_empty() {
            let marker = |one: &Marker| list([text(&one.id), sums(&[one.sum]), maybe(one.words.as_deref().map(text))]);
            put("markers", list(self.markers.iter().map(marker)));
        }
        put("breaks", list(breaks));
        json(&Value::Map(all.into()))
    }
}

fn records(all: &Records) -> Vec<u8> {
    let mut out = Vec::new();
    for (token, record) in all.iter() {
        out.extend(token.to_le_bytes());
        match record {
            Record::Free => out.push(0),
            Record::Unknown => out.push(3),
            Record::Bound { all, last } => {
                out.push(1 + u8::from(last.is_some()));
                out.extend(all.to_le_bytes());
                out.extend(last.iter().flat_map(|last| last.to_le_bytes()));
            }
        }
    }
    out
}
