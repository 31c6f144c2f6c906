//! Holds the plan in progress: the writer, the message under construction, and what waits for its end.

use super::{
    behind_results::severity,
    item::{Item, Said},
    judge::ALTERNATES,
    lead::Lead,
    message::Message,
    rules::USER_AFTER_RESULT,
    waiting::Waiting,
};
use crate::{
    model::{At, Role},
    report::{Edit, Error, Severity, error::Code},
    value::Host,
    wire::plan::{Planner, Printer},
};

/// A plan in progress.
pub(super) struct Outline<'w, 'a, H: Host> {
    pub(super) p: &'w mut Planner<'a, H>,
    pub(super) to: &'w mut dyn Printer<'a, H>,
    /// The message under construction; other turns may still join it.
    pub(super) open: Box<Message<'a, H>>,
    /// Empty messages, kept to reuse their memory.
    #[expect(clippy::vec_box, reason = "messages are large, and change places often")]
    pub(super) spare: Vec<Box<Message<'a, H>>>,
    /// Media of the results since the last message of another kind, for targets where such media get a separate
    /// message.
    pub(super) moved: Vec<Item<'a, H>>,
    /// The last turn that is written.
    pub(super) last: Option<usize>,
    /// The last turn in which the user has content beside results; the steps of the current turn follow it. Set only if
    /// the target needs signatures in them.
    pub(super) step: Option<usize>,
    /// For each turn, whether it leads to calls. Set only if calls and the text before them need one message.
    pub(super) leads: Vec<bool>,
    /// System text for the user's first words.
    pub(super) lead: Option<Lead<'a, H>>,
    /// Whether the last message is a result.
    pub(super) answered: bool,
    /// Calls that wait for their results, if each result must directly follow its call.
    pub(super) waiting: Option<Waiting<'a, H>>,
}

impl<'a, H: Host> Outline<'_, 'a, H> {
    /// Starts the open message, which is empty, with a turn.
    #[inline]
    pub(super) fn begin(&mut self, role: Role, at: At<'a, H>) {
        let known = role != Role::Developer || self.p.target.limits.developer;
        self.open.role = if known { role } else { Role::System };
        self.open.turns.push(at);
    }

    /// Takes the open message and leaves an empty one.
    #[expect(clippy::unnecessary_box_returns, reason = "it stays in its box")]
    #[inline]
    pub(super) fn take(&mut self) -> Box<Message<'a, H>> {
        let new = self.spare.pop().unwrap_or_else(|| Box::new(Message::of(Role::User)));
        std::mem::replace(&mut self.open, new)
    }

    /// Opens a message again, in place of the empty one.
    pub(super) fn reopen(&mut self, message: Box<Message<'a, H>>) {
        let empty = std::mem::replace(&mut self.open, message);
        self.done(empty);
    }

    /// Keeps the memory of a message that was written.
    pub(super) fn done(&mut self, mut message: Box<Message<'a, H>>) {
        message.clear();
        self.spare.push(message);
    }

    /// Writes a message: one element of the list, unless the dialect reports which elements it has written.
    pub(super) fn message(&mut self, message: &Message<'a, H>) -> Result<(), Error> {
        self.may_follow(message)?;
        self.p.written += 1;
        self.to.message(self.p, message)
    }

    /// Refuses the user's words right after a result, if the target does. A build has put a bridge there, or has failed.
    fn may_follow(&mut self, message: &Message<'a, H>) -> Result<(), Error> {
        let answers = message.items.iter().any(|item| matches!(item.said, Said::Result(_)));
        let behind = self.answered;
        self.answered = answers || behind && message.role.is_system();
        let foreign = !self.p.conversation.frame.from.same_wire(self.p.target.id);
        let refused = behind && !answers && message.role == Role::User && severity(&self.p.target) == Severity::Error;
        if !refused || !foreign || self.p.alone {
            return Ok(());
        }
        let path = message.items.first().map(|item| self.p.path_of(item)).unwrap_or_default();
        Err(Error::new(Code::Refused, USER_AFTER_RESULT).at_path(path))
    }

    /// Puts media that follow their results before the user's words in the open message, where the two sides alternate.
    /// Before any other message, they are one of their own.
    pub(super) fn behind_media(&mut self, (index, turn): At<'a, H>) -> Result<(), Error> {
        if self.open.role != Role::User {
            return self.moved_message();
        }
        if !self.moved.is_empty() && turn.from.same_wire(self.p.target.id) {
            self.p.losses.changed(Edit::MergedTurn, turn.path(index), ALTERNATES);
        }
        self.moved.append(&mut self.open.items);
        std::mem::swap(&mut self.moved, &mut self.open.items);
        Ok(())
    }

    /// Writes one user message with the media of a whole run of results.
    pub(super) fn moved_message(&mut self) -> Result<(), Error> {
        if self.moved.is_empty() {
            return Ok(());
        }
        let mut message = Message::of(Role::User);
        message.items = std::mem::take(&mut self.moved);
        self.message(&message)?;
        if let Some(path) = message.items.first().map(|item| self.p.path_of(item)) {
            self.to.replaced(self.p, &mut |_| path.clone());
        }
        Ok(())
    }
}
