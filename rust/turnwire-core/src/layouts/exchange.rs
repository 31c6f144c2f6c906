//! Reads exchanges: messages in any dialect, and their answer under another key.

use std::sync::OnceLock;

use super::{
    Layout,
    at::At,
    texts::said,
    tree::items,
    wanted::{MESSAGES, wrong_type},
    ways::Way,
    writer::{ASSISTANT, Writer},
};
use crate::{
    dialects::table::reply_messages,
    k,
    report::{Edit, Error},
    value::{NodeKind, Source},
};

const EXPECTED: &str = "the answer as text, a message, a list of messages or a whole reply";

impl Layout {
    /// Writes the messages and the answer behind them.
    pub(super) fn exchange<S: Source>(&self, record: &S, to: &mut Writer) -> Result<(), Error> {
        let root = At::ROOT;
        let found = self.given.find(record).zip(self.answer_at.find(record));
        let Some(((given, way), (answer, answer_way))) = found else { return Err(self.unclaimed(record)) };
        self.system_text(record, to)?;
        let at = root.way(way);
        to.open_list(MESSAGES, &at);
        messages(&given, &at, to)?;
        answered(&answer, &root.way(answer_way), to)?;
        to.close_list();
        Ok(())
    }
}

/// Writes an answer.
fn answered<S: Source>(answer: &S, at: &At<'_>, to: &mut Writer) -> Result<(), Error> {
    match answer.kind() {
        NodeKind::Text => said(ASSISTANT, answer, at, to),
        NodeKind::Map if is_message(answer) => to.message(answer, at),
        NodeKind::Map => match in_reply(answer) {
            Some((message, way)) => answered(&message, &at.way(way), to),
            None => Err(wrong_type(EXPECTED, answer, at)),
        },
        // Of several choices, the first one counts.
        NodeKind::List => match answer.items().next().filter(|first| !is_message(first)) {
            Some(first) if in_reply(&first).is_some() => {
                for index in 1..answer.len() {
                    to.lost(Edit::Choice, &at.index(index), "the first choice is the answer");
                }
                answered(&first, &at.index(0), to)
            }
            _ => messages(answer, at, to),
        },
        _ => Err(wrong_type(EXPECTED, answer, at)),
    }
}

/// Writes each message of a list, which may be in a layout.
fn messages<S: Source>(list: &S, at: &At<'_>, to: &mut Writer) -> Result<(), Error> {
    if let Some(layout) = Layout::of_messages(list) {
        layout.messages.write(&items(list), at, to)?;
        to.end_message();
        return Ok(());
    }
    for (index, message) in list.items().enumerate() {
        let at = at.index(index);
        if message.kind() != NodeKind::Map {
            return Err(wrong_type("a message", &message, &at));
        }
        to.message(&message, &at)?;
    }
    Ok(())
}

fn is_message<S: Source>(node: &S) -> bool {
    [&k::ROLE, &k::FROM, &k::TYPE].iter().any(|key| node.get(key).is_some())
}

/// What a reply says, and the way to it.
fn in_reply<S: Source>(reply: &S) -> Option<(S, &'static Way)> {
    static WAYS: OnceLock<Vec<Way>> = OnceLock::new();
    let ways = WAYS.get_or_init(|| reply_messages().map(Way::of).collect());
    ways.iter().find_map(|way| Some((way.follow(reply)?, way)))
}
