//! Reads a talk in one text: marks say who speaks. Calls and definitions of tools may stand in the text.

mod marked;

use memchr::memmem;

pub(super) use self::marked::is_talk;
use self::marked::{called, cut, told};
use super::{
    Layout,
    at::At,
    messages::role_of,
    tools::tools_in,
    wanted::{SYSTEM, text_of},
    ways::Ways,
    writer::{Part, Writer},
};
use crate::{
    report::{Edit, Error},
    rules::record_layout::{Speaker, TalkAt},
    value::{Input, Source, Tape},
};

/// What is in a talk, ready to be followed.
#[derive(Debug)]
pub(super) struct Talk {
    pub(super) text: Ways,
    pub(super) tools: Ways,
    at: TalkAt,
}

impl Talk {
    pub(super) fn of(at: TalkAt) -> Self {
        Self { text: Ways::of(at.text), tools: Ways::of(at.tools), at }
    }

    /// Whether the layout is about talks.
    pub(super) fn is_there(&self) -> bool {
        !self.text.is_empty()
    }
}

impl Layout {
    /// Writes the definitions of tools that stand in a text, and the rest of the text as the system's.
    pub(super) fn tools_told<S: Source>(&self, record: &S, to: &mut Writer) -> Result<(), Error> {
        let Some((node, way)) = self.talk.tools.find(record) else { return Ok(()) };
        let root = At::ROOT;
        let at = root.way(way);
        let text = text_of(&node, &at)?;
        let (tools, rest) = told(&text.wtf8(node.input()), self.talk.at.marks);
        let tape = Tape::read(&Input::new(tools))?;
        let view = tape.view();
        tools_in(&view.root::<S::H>(), |_| at, to)?;
        if !rest.is_empty() {
            to.open_list(SYSTEM, &at);
            to.cut(Part::TEXT, &rest, &at);
            to.close_list();
        }
        Ok(())
    }

    /// Whether an answer is a talk with its question.
    pub(super) fn are_whole<S: Source>(&self, record: &S) -> bool {
        let marks = self.talk.at.marks;
        self.better.any(record, |text| text.text().is_some_and(|text_| is_talk(&text_.wtf8(text.input()), marks)))
    }

    /// Writes a talk. A text without marks is said by one speaker.
    pub(super) fn talk<S: Source>(
        &self,
        otherwise: Speaker,
        node: &S,
        at: &At<'_>,
        to: &mut Writer,
    ) -> Result<(), Error> {
        let text = text_of(node, at)?;
        let text = text.wtf8(node.input());
        let mut pieces = cut(&text, self.talk.at.marks).unwrap_or_else(|| vec![(otherwise, text.trim_ascii())]);
        // The last mark lets the assistant speak, which says nothing yet.
        pieces.pop_if(|(whose, said)| *whose == Speaker::Assistant && said.is_empty());
        for (whose, said) in pieces {
            let said = said.strip_suffix(self.talk.at.ends.as_bytes()).unwrap_or(said).trim_ascii_end();
            to.message_of(role_of(whose), at);
            match whose {
                Speaker::Tool => to.cut(Part::RESULT, said, at),
                Speaker::Assistant => self.said_by_model::<S>(said, at, to)?,
                _ => to.cut(Part::TEXT, said, at),
            }
            to.end_message();
        }
        Ok(())
    }

    /// Writes what the assistant says, and the calls in it.
    fn said_by_model<S: Source>(&self, said: &[u8], at: &At<'_>, to: &mut Writer) -> Result<(), Error> {
        let (mark, mut rest) = (self.talk.at.call.as_bytes(), said);
        while let Some(found) = memmem::find(rest, mark).filter(|_| !mark.is_empty()) {
            let Some((json, behind)) = called(&rest[found + mark.len()..]) else {
                to.lost(Edit::Arguments, at, "this call is no JSON, so it stays text");
                break;
            };
            let before = rest[..found].trim_ascii();
            if !before.is_empty() {
                to.cut(Part::TEXT, before, at);
            }
            let tape = Tape::read(&json)?;
            let view = tape.view();
            self.messages.calls_in(&view.root::<S::H>(), at, to)?;
            rest = behind.trim_ascii_start();
        }
        if !rest.is_empty() || said.is_empty() {
            to.cut(Part::TEXT, rest, at);
        }
        Ok(())
    }
}
