//! Reads lists of messages: who speaks, and what is said. `called` writes what is called and answered.

mod called;

use super::{
    at::At,
    calls::{CallWays, ResultWays},
    claim::{Claims, are_maps},
    pieces::{In, Kinds, thought_of},
    sent::Sent,
    signs::Signs,
    tree::Placed,
    unread::Used,
    wanted::{SYSTEM, missing, text_of, wrong_type},
    ways::{Way, Ways},
    writer::{ASSISTANT, TOOL, Writer},
};
use crate::{
    report::{Edit, Error, error::Code},
    rules::{
        RecordLayout,
        record_layout::{Piece, Speaker},
    },
    value::{NodeKind, Source},
};

/// The columns about messages, ready to be followed.
#[derive(Debug)]
pub(super) struct Messages {
    pub(super) list: Ways,
    first: Claims,
    some: Claims,
    pair: Vec<(Ways, Speaker)>,
    role: Ways,
    words: &'static [(&'static str, Speaker)],
    unwrap: Ways,
    about: Ways,
    thought: Ways,
    addressee: Ways,
    attached: Ways,
    attached_text: Ways,
    text: Ways,
    parts: Ways,
    kinds: Kinds,
    calls_at: Ways,
    broken_at: Ways,
    results_at: Ways,
    pub(super) call: CallWays,
    pub(super) outcome: ResultWays,
    pub(super) result: ResultWays,
    sent: Sent,
    pub(super) skips: Signs,
    pub(super) passes: &'static str,
}

impl Messages {
    pub(super) fn of(row: &RecordLayout) -> Self {
        let is_free = !row.addressee.is_empty();
        Self {
            list: Ways::of(row.list),
            first: Claims::of(row.first),
            some: Claims::of(row.some),
            pair: row.pair.iter().map(|(ways, whose)| (Ways::of(ways), *whose)).collect(),
            role: Ways::of(row.role),
            words: row.words,
            unwrap: Ways::of(row.unwrap),
            about: Ways::of(row.about),
            thought: Ways::of(row.thought),
            addressee: Ways::of(row.addressee),
            attached: Ways::of(row.attached),
            attached_text: Ways::of(row.attached_text),
            text: Ways::of(row.text),
            parts: Ways::of(row.parts),
            kinds: Kinds::of(row.kind, row.kinds),
            calls_at: Ways::of(row.calls_at),
            broken_at: Ways::of(row.broken_at),
            results_at: Ways::of(row.results_at),
            call: CallWays::of(row.call, is_free),
            outcome: ResultWays::of(row.outcome, is_free),
            result: ResultWays::of(row.result, is_free),
            sent: Sent::of(row.sent),
            skips: Signs::of(row.skips),
            passes: row.passes,
        }
    }

    /// Whether the layout has a list of messages.
    pub(super) fn are_there(&self) -> bool {
        !self.list.is_empty()
    }

    /// The list of messages of a record.
    pub(super) fn find<S: Source>(&self, record: &S) -> Option<(S, &Way)> {
        self.list.find_if(record, are_maps)
    }

    /// Whether a record has a list of such messages, if the layout wants one.
    pub(super) fn claim<S: Source>(&self, record: &S) -> bool {
        if !self.are_there() {
            return true;
        }
        let Some((list, _)) = self.find(record) else { return false };
        let is_first = |first: &S| (self.role.is_empty() || self.speaker(first).is_some()) && self.first.fit(first);
        list.items().next().is_some_and(|first| is_first(&first))
            && (self.some.is_empty() || list.items().any(|message| self.some.fit(&message)))
    }

    /// What a record must have, in words.
    pub(super) fn told(&self) -> Vec<String> {
        let list = |what: &str, claim: String| format!("a list of messages, {what} with {claim}");
        let first = self.first.told().map(|claim| list("the first one", claim));
        first.chain(self.some.told().map(|claim| list("one", claim))).collect()
    }

    fn speaker<S: Source>(&self, message: &S) -> Option<Speaker> {
        let (role, _) = self.role.find(message)?;
        let flag = role.bool().map(|is| if is { "true" } else { "false" });
        match flag {
            Some(flag) => self.words.iter().find(|(word, _)| *word == flag).map(|(_, whose)| *whose),
            None => role.one_of(self.words),
        }
    }

    /// The messages that are sent.
    pub(super) fn sent<S: Source>(&self, all: Vec<Placed<S>>, at: &At<'_>, to: &mut Writer) -> Vec<Placed<S>> {
        let is_said = |part: &S| !matches!(self.kinds.piece(part), None | Some(Piece::Step | Piece::Thought));
        let says =
            |message: &S| self.parts.find(message).is_some_and(|(parts, _)| parts.items().any(|part| is_said(&part)));
        self.sent.only(all, says, at, to)
    }

    /// Writes messages, which are in the value at this place.
    pub(super) fn write<S: Source>(&self, all: &[Placed<S>], at: &At<'_>, to: &mut Writer) -> Result<(), Error> {
        let mut before = None;
        for (index, Placed { message, place }) in all.iter().enumerate() {
            let at = place.at(at);
            if message.kind() != NodeKind::Map {
                return Err(wrong_type("a message", message, &at));
            }
            let whose = if self.pair.is_empty() { Some(self.whose(message, &at)?) } else { None };
            let whose = whose.map(|whose| if self.is_call(message, whose) { Speaker::Call } else { whose });
            // Calls in a row are one message.
            if whose != Some(Speaker::Call) || before != whose {
                to.end_message();
            }
            match whose {
                // Without ids, a tool answers the call right before it.
                Some(Speaker::Tool) if !self.addressee.is_empty() && before != Some(Speaker::Call) => {
                    let more = before == Some(Speaker::Tool) && index > 0;
                    let why = if more { "a further result of the same call" } else { "a result without its call" };
                    to.lost(Edit::Opaque, &at, why);
                }
                Some(whose) => self.one(message, whose, &at, to)?,
                None => self.texts_of(message, &at, to)?,
            }
            before = whose;
        }
        Ok(())
    }

    /// Whether a message of the assistant is to a tool.
    fn is_call<S: Source>(&self, message: &S, whose: Speaker) -> bool {
        let inside = self.unwrap.find(message).map_or_else(|| message.clone(), |(inside, _)| inside);
        let to = self.addressee.find(&inside).and_then(|(to, _)| to.word().map(|word| word != "all"));
        whose == Speaker::Assistant && to == Some(true)
    }

    fn whose<S: Source>(&self, message: &S, at: &At<'_>) -> Result<Speaker, Error> {
        self.speaker(message).ok_or_else(|| match self.role.find(message) {
            None => missing([&self.role], message).at_path(at.path()),
            Some((role, way)) => {
                let known: Vec<_> = self.words.iter().map(|(word, _)| *word).collect();
                let got = role.word().map_or_else(|| role.describe(), |word| format!("{word:?}"));
                let text = format!("expected one of {}, got {got}", known.join(", "));
                Error::new(Code::UnknownRole, text).at_path(at.way(way).path())
            }
        })
    }

    /// Writes the texts of several speakers in one message.
    fn texts_of<S: Source>(&self, message: &S, at: &At<'_>, to: &mut Writer) -> Result<(), Error> {
        let mut used = Used::default();
        for (ways, whose) in &self.pair {
            let Some((text, way)) = ways.find(message) else { continue };
            used.add(way);
            text_of(&text, &at.way(way))?;
            self.said(&text, &at.way(way), In { role: role_of(*whose), ids: &[] }, to)?;
        }
        used.report(message, self.passes, at, to);
        Ok(())
    }

    fn one<S: Source>(&self, wrapped: &S, whose: Speaker, at: &At<'_>, to: &mut Writer) -> Result<(), Error> {
        if self.skips.find(wrapped).is_some() {
            to.lost(Edit::Opaque, at, "a message that is not of this conversation");
            return Ok(());
        }
        let mut around = Used::default();
        around.extend(self.role.find(wrapped).map(|(_, way)| way));
        let Some((message, way)) = self.unwrap.find(wrapped) else {
            return self.inside(wrapped, whose, around, at, to);
        };
        if message.kind() != NodeKind::Map {
            return Err(wrong_type("a message", &message, &at.way(way)));
        }
        let from = around.below(way);
        around.add(way);
        around.report(wrapped, self.passes, at, to);
        self.inside(&message, whose, from, &at.way(way), to)
    }

    fn inside<'w, S: Source>(
        &'w self,
        message: &S,
        whose: Speaker,
        mut used: Used<'w>,
        at: &At<'_>,
        to: &mut Writer,
    ) -> Result<(), Error> {
        let before = to.count();
        let calls = self.calls(message).flat_map(|(calls, _)| calls.items().collect::<Vec<_>>());
        let ids: Vec<_> = calls.filter_map(|call| self.call.id_in(&call)).collect();
        let inside = In { role: role_of(whose), ids: &ids };
        used.extend(self.about.find(message).map(|(_, way)| way));
        if whose == Speaker::Call && !self.addressee.is_empty() {
            return self.call_of_text(message, used, at, to);
        }
        if whose == Speaker::Tool && (!self.has_parts(message) || !self.addressee.is_empty()) {
            self.result.write(message, at, to)?;
            self.result.used(message, &mut used);
            used.report(message, self.passes, at, to);
            return Ok(());
        }
        let mut is_said = false;
        if let Some((thought, way)) = self.thought.find(message) {
            used.add(way);
            thought_of(&thought, &at.way(way), to)?;
            is_said = true;
        }
        if let Some((text, way)) = self.text.find(message) {
            used.add(way);
            let at = at.way(way);
            if whose == Speaker::Call {
                return self.calls_of_text(&text, &at, to).map(|()| used.report(message, self.passes, &at, to));
            }
            // Parts repeat it.
            if self.parts.find(message).is_none_or(|(parts, _)| parts.is_empty()) {
                self.said(&text, &at, inside, to)?;
            }
            is_said = true;
        }
        if let Some((parts, way)) = self.parts.find(message) {
            used.add(way);
            let at = at.way(way);
            if parts.kind() == NodeKind::Map {
                self.part(&self.kinds, &parts, &at, inside, to)?;
            } else {
                self.listed(&parts, &at, inside, to)?;
            }
            is_said = true;
        }
        if let Some((files, way)) = self.attached.find(message) {
            used.add(way);
            self.attachments(&files, &at.way(way), inside, to)?;
        }
        if !self.called(message, &mut used, at, to)? && !is_said {
            return Err(missing([&self.text, &self.parts, &self.calls_at], message).at_path(at.path()));
        }
        if is_said && before == to.count() && whose != Speaker::System {
            // A message that says nothing stays one.
            to.message_of(inside.role, at);
            to.open_part("text", at);
            to.word("content", "");
            to.close_map();
        }
        used.report(message, self.passes, at, to);
        Ok(())
    }

    /// Writes the texts of files.
    fn attachments<S: Source>(&self, files: &S, at: &At<'_>, inside: In<'_>, to: &mut Writer) -> Result<(), Error> {
        for (index, file) in files.items().enumerate() {
            let at = at.index(index);
            match self.attached_text.find(&file) {
                Some((text, way)) => self.said(&text, &at.way(way), inside, to)?,
                None => to.lost(Edit::Media, &at, "the text of this file is not in the record"),
            }
        }
        Ok(())
    }

    /// Writes a message to a tool as a call: its text is JSON of the arguments, or what `input` is.
    fn call_of_text<'w, S: Source>(
        &'w self,
        message: &S,
        mut used: Used<'w>,
        at: &At<'_>,
        to: &mut Writer,
    ) -> Result<(), Error> {
        self.call.write_text(message, at, &mut used, to)?;
        used.report(message, self.passes, at, to);
        Ok(())
    }

    fn has_parts<S: Source>(&self, message: &S) -> bool {
        self.parts.find(message).is_some()
    }

    /// Writes the system text beside the messages. The last one counts.
    pub(super) fn about<S: Source>(&self, list: &S, at: &At<'_>, to: &mut Writer) -> Result<(), Error> {
        let found = |(index, message): (usize, S)| self.about.find(&message).map(|(text, way)| (index, text, way));
        let mut all: Vec<_> = list.items().enumerate().filter_map(found).collect();
        let Some((index, about, way)) = all.pop() else { return Ok(()) };
        let message = at.index(index);
        let place = message.way(way);
        let text = text_of(&about, &place)?;
        for (index, other, way) in all {
            let said = text_of(&other, &at.index(index).way(way))?;
            if said.to_str(other.input()) != text.to_str(about.input()) {
                to.lost(Edit::System, &at.index(index).way(way), "a later message has another system text");
            }
        }
        if !text.is_empty() {
            to.open_list(SYSTEM, &place);
            to.text("text", [(&text, about.input())].into_iter(), &place);
            to.close_list();
        }
        Ok(())
    }
}

pub(super) fn role_of(whose: Speaker) -> &'static str {
    match whose {
        Speaker::User => "user",
        Speaker::Assistant | Speaker::Call => ASSISTANT,
        Speaker::System => "system",
        Speaker::Tool => TOOL,
    }
}
