//! Finds how the caller's list would begin today, to compare that with what was sent.

use std::sync::Arc;

use super::{
    head::{self, Head},
    memo::{Memo, Written},
    notes,
    request::failed,
    run::Run,
    state::State,
};
use crate::{
    convert,
    model::{Conversation, Frame, Kind, Part, Turn},
    report::{Error, Options},
    rules::DialectId,
    stage::{self, Built, Failed, Frozen, Inputs, with_legal_names},
    value::{HashSet, Host, JsonSink, NoHost, Value, json::read},
};

/// What a request would begin with: its body with its first system messages only, its head, and the caller's turns that the
/// head contains.
pub(super) struct Beginning {
    pub(super) body: Value<NoHost>,
    pub(super) head: Head,
    pub(super) hoisted: Vec<usize>,
}

impl Beginning {
    /// Whether two requests would begin in the same way.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.body.same(&other.body) && self.head == other.head && self.hoisted == other.hoisted
    }

    /// Renders a conversation, and reads no message behind its head.
    pub(super) fn of<H: Host>(
        conversation: &Conversation<H>,
        target: DialectId,
        options: &Options,
        (behind, room): (usize, usize),
    ) -> Result<Self, Error> {
        let mut out = JsonSink::new(Vec::with_capacity(room));
        let rendering = convert::render(conversation, target, options, &mut out)?;
        let json = out.into_bytes();
        let key = head::list_key(target, json.first() == Some(&b'['));
        let written = Written::of((json, Vec::new()), key, 0, &Memo::default())?;
        let body = read::value::<NoHost>(&written.beginning()?)?;
        let (head, hoisted) = Head::of(&body, (None, behind), &rendering.provenance, target);
        Ok(Self { body, head, hoisted })
    }
}

impl<H: Host> Run<'_, H> {
    /// How the list would begin with the caller's own frame, and that frame.
    pub(super) fn beginning(&self, state: &State) -> Result<(Arc<Frame<H>>, Beginning), Failed> {
        let of = |built: Built<H>, lead: usize| {
            let how_read = (notes::behind(&built.conversation, lead), state.memo.room());
            let begins = Beginning::of(&built.conversation, self.target, self.inputs.rendering, how_read);
            Ok((built.conversation.frame, begins.map_err(failed)?))
        };
        let whole = || self.frozen(state, None).and_then(|(built, lead)| of(built, lead));
        // Of the first turns alone, nothing may be left: then only the whole list shows how it begins.
        match self.front(state).and_then(|front| self.short(&front).and_then(|built| of(built, 0)).ok()) {
            None => whole(),
            Some(short) => {
                debug_assert!(
                    whole().map_or(true, |whole| short.1.is_like(&whole.1) && short.0.names == whole.0.names),
                    "a list begins like its first turns"
                );
                Ok(short)
            }
        }
    }

    /// The first turns, if how the list begins depends on no other: no system text, no content that only one format knows
    /// and no call with a name that has to change follows them.
    fn front(&self, state: &State) -> Option<Conversation<H>> {
        let turns = self.conversation.turns();
        let lead = turns.iter().take_while(|turn| turn.role.is_system()).count();
        let (first, rest) = (turns.get(..=lead)?, turns.get(lead + 1..)?);
        let decided = state.cut.is_some() || state.adopted.is_some() || state.compacted().is_some();
        if decided || self.inputs.summary.is_some() {
            return None;
        }
        let limits = self.target.limits().ok()?;
        // A note in an old state may be of a text that moves to the front.
        if !state.notes.is_empty() && !limits.takes_later_text() {
            return None;
        }
        let is_opaque = |part: &Part<H>| part.with_blocks().any(|one| matches!(one.kind, Kind::Opaque(_)));
        let matters = |turn: &Turn<H>| {
            turn.role.is_system() || turn.parts.iter().any(is_opaque) || with_legal_names(turn, limits).is_some()
        };
        let front = || Conversation::new(first.to_vec(), self.conversation.frame.clone(), None);
        (!rest.iter().any(|turn| matters(turn))).then(front)
    }

    /// A build of the first turns, by which nothing was decided.
    fn short(&self, front: &Conversation<H>) -> Result<Built<H>, Failed> {
        let (left_out, hoisted) = (HashSet::default(), HashSet::default());
        let frozen = Frozen {
            cut: None,
            answered: &[],
            compacted: None,
            spare: &[],
            left_out: &left_out,
            notes: &[],
            lead: &[],
            hoisted: &hoisted,
            frame: None,
        };
        let inputs = Inputs { frozen: Some(&frozen), pinned: &[], budget: None, measured: true, ..*self.inputs };
        stage::build(front, &inputs)
    }
}
