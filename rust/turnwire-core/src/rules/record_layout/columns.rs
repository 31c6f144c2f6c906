//! Lists the columns of a layout by their names, for its documentation and for tests.

use super::{CallAt, RecordLayout};

impl RecordLayout {
    /// The columns of ways that are filled in, by their names.
    pub fn columns(&self) -> impl Iterator<Item = (&'static str, String)> {
        let CallAt { id, name, args } = self.call;
        let all = [
            ("json", self.json),
            ("apart.texts", self.apart.texts),
            ("apart.mark", self.apart.mark),
            ("system", self.system),
            ("tools", self.tools),
            ("history", self.history),
            ("user", &*self.user.join(" + ")),
            ("answer", self.answer),
            ("calls", self.calls),
            ("better", self.better),
            ("worse", self.worse),
            ("talk.text", self.talk.text),
            ("talk.ends", self.talk.ends),
            ("talk.call", self.talk.call),
            ("talk.tools", self.talk.tools),
            ("given", self.given),
            ("answer_at", self.answer_at),
            ("list", self.list),
            ("tree.nodes", self.tree.nodes),
            ("tree.leaf", self.tree.leaf),
            ("tree.id", self.tree.id),
            ("tree.parent", self.tree.parent),
            ("tree.message", self.tree.message),
            ("unwrap", self.unwrap),
            ("role", self.role),
            ("about", self.about),
            ("thought", self.thought),
            ("addressee", self.addressee),
            ("text", self.text),
            ("parts", self.parts),
            ("kind", self.kind),
            ("attached", self.attached),
            ("attached_text", self.attached_text),
            ("calls_at", self.calls_at),
            ("broken_at", self.broken_at),
            ("call.id", id),
            ("call.name", name),
            ("call.args", args),
            ("outcome.id", self.outcome.id),
            ("outcome.name", self.outcome.name),
            ("outcome.says", self.outcome.says),
            ("outcome.failed", self.outcome.failed),
            ("results_at", self.results_at),
            ("result.id", self.result.id),
            ("result.name", self.result.name),
            ("result.says", self.result.says),
            ("result.failed", self.result.failed),
            ("sent.failed", self.sent.failed),
            ("sent.stopped", self.sent.stopped),
            ("sent.mark", self.sent.mark),
            ("sent.tail", self.sent.tail),
            ("sent.id", self.sent.id),
            ("sent.summary", self.sent.summary),
            ("sent.done", self.sent.done),
            ("sent.parent", self.sent.parent),
            ("skips", self.skips),
            ("passes", self.passes),
        ]
        .map(|(name, ways)| (name, ways.to_owned()));
        all.into_iter().filter(|(_, ways)| !ways.is_empty())
    }

    /// What words mean in it: the speakers, and the types of parts with their ways.
    pub fn words(&self) -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
        let speakers = self.words.iter().map(|(word, whose)| ("words", *word, whose.name()));
        let pair = self.pair.iter().map(|(ways, whose)| ("pair", *ways, whose.name()));
        let kinds = self.kinds.iter().map(|(words, piece, _)| ("kinds", *words, piece.name()));
        let marks = self.talk.marks.iter().flat_map(|marks| marks.iter());
        let marks = marks.map(|(mark, whose)| ("marks", *mark, whose.name()));
        speakers.chain(pair).chain(kinds).chain(marks)
    }
}
