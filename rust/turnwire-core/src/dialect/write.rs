//! What every renderer needs: the sink, the losses, and the questions that are the same for all dialects.

use super::{Target, limits::SystemPlace};
use crate::{
    error::Error,
    handle::{Host, Input, Raw},
    loss::{LossCode, Losses},
    part::{Extras, Part},
    path::{Path, Step},
    tool::Args,
    turn::{Conversation, Turn},
    value::Sink,
};

/// A rendering under way.
pub(crate) struct Writer<'a, H: Host, K: Sink<H>> {
    pub(crate) conversation: &'a Conversation<H>,
    pub(crate) target: Target<'a>,
    pub(crate) losses: &'a mut Losses,
    pub(crate) out: &'a mut K,
}

impl<'a, H: Host, K: Sink<H>> Writer<'a, H, K> {
    pub(crate) fn new(
        conversation: &'a Conversation<H>,
        target: Target<'a>,
        losses: &'a mut Losses,
        out: &'a mut K,
    ) -> Self {
        Self { conversation, target, losses, out }
    }

    /// Whether the turn goes back as the wire value it came from.
    pub(crate) fn replays(&self, turn: &Turn<H>) -> bool {
        !turn.touched && turn.origin.is_some() && turn.from == self.target.id
    }

    /// Writes the turn's wire value if it goes back as it came. A fault names the turn.
    pub(crate) fn replay(&mut self, turn: &Turn<H>, index: usize) -> Result<bool, Error> {
        match &turn.origin {
            Some(origin) if self.replays(turn) => {
                self.out.scope(turn.input.as_ref());
                self.out.raw(origin);
                self.checked(turn, index).map(|()| true)
            }
            _ => Ok(false),
        }
    }

    /// The first fault of the sink, at the turn that was written.
    pub(crate) fn checked(&mut self, turn: &Turn<H>, index: usize) -> Result<(), Error> {
        match self.out.fault() {
            None => Ok(()),
            Some(fault) => {
                let mut path = Path::key(turn.from.list()).then(Step::Index(index));
                path.0.extend(fault.path().0.iter().cloned());
                Err(fault.at_path(path))
            }
        }
    }

    /// The system turns that move to the payload's system key, each with its index.
    pub(crate) fn hoisted(&self) -> impl Iterator<Item = (usize, &'a Turn<H>)> + use<'a, H, K> {
        let (target, top) = (self.target.id, self.target.limits.system == SystemPlace::Top);
        self.conversation.turns().iter().enumerate().filter_map(move |(index, turn)| {
            let own = !turn.touched && turn.origin.is_some() && turn.from == target;
            (top && turn.role.is_system() && !own).then_some((index, &**turn))
        })
    }

    /// The place of a part in the caller's payload.
    pub(crate) fn path(&self, turn: &Turn<H>, index: usize, part: usize) -> Path {
        turn.path_of(turn.from.list(), index, part)
    }

    /// Whether a part goes back as the wire value it came from, inside a turn that is written anew.
    pub(crate) fn part_origin<'p>(&self, turn: &Turn<H>, part: &'p Part<H>) -> Option<&'p Raw<H>> {
        part.origin.as_ref().filter(|_| !part.touched && turn.from == self.target.id)
    }

    /// Reports keys that the target does not have. `null` and the empty list say nothing, so they are no loss.
    pub(crate) fn extras_lost(
        &mut self,
        extras: Option<&Extras<H>>,
        input: Option<&Input>,
        at: &Path,
    ) -> Result<(), Error> {
        for (key, raw) in extras.into_iter().flatten() {
            if raw.says_nothing(input) {
                continue;
            }
            let key = key.to_str(input);
            let reason = format!("the target has no place for the key {key:?}");
            self.losses.lost(LossCode::Key, at.clone().then(Step::Name(key.as_ref().into())), reason)?;
        }
        Ok(())
    }

    /// Writes extras behind the known keys where the target is the dialect they came from; reports them elsewhere.
    pub(crate) fn extras(&mut self, turn: &Turn<H>, extras: Option<&Extras<H>>, at: &Path) -> Result<(), Error> {
        if !turn.from.same_wire(self.target.id) {
            return self.extras_lost(extras, turn.input.as_ref(), at);
        }
        for (key, raw) in extras.into_iter().flatten() {
            self.out.key_text(key);
            self.out.raw(raw);
        }
        Ok(())
    }

    /// Writes arguments as JSON text.
    pub(crate) fn args_as_text(&mut self, args: &Args<H>) {
        match args {
            Args::Text(text) => self.out.text(text),
            Args::Value(raw) => self.out.raw_as_text(raw),
        }
    }
}
