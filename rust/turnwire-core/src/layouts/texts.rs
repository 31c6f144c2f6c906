//! Reads rows of texts: a question, its answer, and what came before.

use super::{
    Layout,
    at::At,
    made::Form,
    wanted::{MESSAGES, SYSTEM, missing, text_of, wrong_type},
    ways::Ways,
    writer::{ASSISTANT, Writer},
};
use crate::{
    report::{Edit, Error},
    rules::record_layout::Speaker,
    value::{NodeKind, Source, Text},
};

impl Layout {
    /// Writes a row of texts.
    pub(super) fn texts<S: Source>(&self, record: &S, form: Form, to: &mut Writer) -> Result<(), Error> {
        self.system_text(record, to)?;
        self.tools_told(record, to)?;
        let (root, is_pair) = (At::ROOT, form == Form::TwoAnswers);
        if is_pair && self.talk.is_there() && (self.are_whole(record) || self.talk.text.find(record).is_none()) {
            if let Some((_, way)) = self.talk.text.find(record) {
                to.lost(Edit::Key, &root.way(way), "both answers are whole talks");
            }
        } else {
            to.open_list(if is_pair { "prompt" } else { MESSAGES }, &root);
            self.earlier(record, to)?;
            self.asked(record, to)?;
            if !is_pair {
                self.answered(record, to)?;
            }
            to.close_list();
        }
        for (key, ways) in [("chosen", &self.better), ("rejected", &self.worse)].into_iter().filter(|_| is_pair) {
            let Some((_, way)) = ways.find(record) else { continue };
            to.open_list(key, &root.way(way));
            self.answered_by(ways, record, to)?;
            to.close_list();
        }
        Ok(())
    }

    pub(super) fn system_text<S: Source>(&self, record: &S, to: &mut Writer) -> Result<(), Error> {
        let Some((system, way)) = self.system.find(record) else { return Ok(()) };
        let root = At::ROOT;
        let at = root.way(way);
        let text = text_of(&system, &at)?;
        if !text.is_empty() {
            to.open_list(SYSTEM, &at);
            to.text("text", [(&text, system.input())].into_iter(), &at);
            to.close_list();
        }
        Ok(())
    }

    /// Writes the texts before the question.
    fn earlier<S: Source>(&self, record: &S, to: &mut Writer) -> Result<(), Error> {
        let Some((pairs, way)) = self.history.find(record) else { return Ok(()) };
        let root = At::ROOT;
        let at = root.way(way);
        if pairs.kind() != NodeKind::List {
            return Err(wrong_type("a list of pairs of texts", &pairs, &at));
        }
        for (index, pair) in pairs.items().enumerate() {
            let at = at.index(index);
            if pair.kind() != NodeKind::List || pair.len() != 2 {
                return Err(wrong_type("a list of two texts", &pair, &at));
            }
            for (index, (role, text)) in ["user", ASSISTANT].into_iter().zip(pair.items()).enumerate() {
                said(role, &text, &at.index(index), to)?;
            }
        }
        Ok(())
    }

    /// Writes the user's text.
    fn asked<S: Source>(&self, record: &S, to: &mut Writer) -> Result<(), Error> {
        let root = At::ROOT;
        if let Some((text, way)) = self.talk.text.find(record) {
            return self.talk(Speaker::User, &text, &root.way(way), to);
        }
        let mut said = Vec::new();
        for (node, way) in self.user.iter().filter_map(|ways| ways.find(record)) {
            said.push((text_of(&node, &root.way(way))?, node, way));
        }
        // An empty text says nothing. A message keeps at least one.
        let first = said.iter().position(|(text, ..)| !text.is_empty()).unwrap_or_default();
        let Some((_, _, way)) = said.get(first) else { return Err(missing(&self.user, record)) };
        let is_said = |(at, (text, ..)): &(usize, &(Text<S::H>, S, _))| *at == first || !text.is_empty();
        let texts = said.iter().enumerate().filter(is_said).map(|(_, (text, node, _))| (text, node.input()));
        let at = root.way(way);
        to.message_of("user", &at);
        to.text("text", texts, &at);
        to.end_message();
        Ok(())
    }

    /// Writes the assistant's calls, or its text.
    fn answered<S: Source>(&self, record: &S, to: &mut Writer) -> Result<(), Error> {
        if self.talk.is_there() && self.answer.find(record).is_none() {
            // A talk has its answers.
            return Ok(());
        }
        let Some((calls, way)) = self.calls.find(record) else { return self.answered_by(&self.answer, record, to) };
        self.messages.calls_in(&calls, &At::ROOT.way(way), to)
    }

    /// Writes the assistant's text.
    fn answered_by<S: Source>(&self, ways: &Ways, record: &S, to: &mut Writer) -> Result<(), Error> {
        let Some((node, way)) = ways.find(record) else { return Err(missing([ways], record)) };
        let root = At::ROOT;
        let at = root.way(way);
        if self.talk.is_there() {
            return self.talk(Speaker::Assistant, &node, &at, to);
        }
        said(ASSISTANT, &node, &at, to)
    }
}

/// Writes a message with one text.
pub(super) fn said<S: Source>(role: &'static str, node: &S, at: &At<'_>, to: &mut Writer) -> Result<(), Error> {
    let text = text_of(node, at)?;
    to.message_of(role, at);
    to.text("text", [(&text, node.input())].into_iter(), at);
    to.end_message();
    Ok(())
}
