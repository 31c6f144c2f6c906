//! Makes one request of a run: repeats what was sent, appends, and makes a cut if the budget is full.

use std::{collections::BTreeSet, sync::Arc};

use super::{
    beginning::Beginning,
    choices::{Choices, Over, share},
    compare::{edit, standing},
    growing::Growing,
    head::{self, json},
    identity::SignedBlock,
    list::List,
    notes,
    on_change::OnChange,
    pending::{Pending, Talk},
    records::Record,
    request::{Request, failed},
    seen::Seen,
    state::{self, State},
    steps::Steps,
};
use crate::{
    convert,
    detect::Reading,
    model::{Conversation, Frame, Kind, Role, Turn},
    report::{Change, Edit, Error, Path, Reasoning, error::Code},
    rules::DialectId,
    stage::{self, Built, Cut, Failed, Frozen, Inputs, Note},
    value::{HashSet, Host, Input, NoHost, Tape, Text, Value},
};

/// Above this share of the budget, a cut is made when the user speaks, because it costs least then.
const NEARLY: f64 = 0.9;

/// How many of the caller's edits one request looks for at most.
const ROUNDS: usize = 4;

/// How many records are kept of reasoning blocks that are no longer in the caller's list.
const GONE: usize = 1024;

/// One request that is being made.
pub(super) struct Run<'a, H: Host> {
    pub(super) conversation: &'a Conversation<H>,
    pub(super) steps: &'a Steps<H>,
    pub(super) inputs: &'a Inputs<'a, H>,
    pub(super) target: DialectId,
    pub(super) choices: Choices,
    pub(super) model: Option<&'a str>,
    pub(super) list: List<'a, H>,
}

/// A build, and its body.
pub(super) type Made<H> = (Built<H>, Seen);

impl<H: Host> Run<'_, H> {
    /// The request after a state, without marks for the cache.
    pub(super) fn request(&self, before: Option<&State>) -> Result<Request<H>, Failed> {
        let none = State { target: self.target.name(), ..State::default() };
        let mut state = before.unwrap_or(&none).resume(self.conversation, &self.list, self.target).map_err(failed)?;
        self.remember_strangers(&mut state, before);
        let left_out = state.left_out.clone();
        let mut warnings = Vec::new();
        let (mut edited, mut cut) = (None, false);
        let mut made = self.goes_on(&mut state, &mut warnings);
        if made.is_err() && state.head.is_some() {
            // Decisions for another list may not fit this one.
            state.begin_anew();
            warnings.clear();
            edited = Some(0);
            made = self.goes_on(&mut state, &mut warnings);
        }
        let mut made = match made {
            Ok(made) => made,
            Err(error) => {
                cut = true;
                self.cut_for(&mut state, error)?
            }
        };
        for _ in 0..ROUNDS {
            let Some(index) = edit(&state, &made.1) else { break };
            edited = Some(index.min(edited.unwrap_or(index)));
            if index > 0 {
                state.back_to(index);
            }
            if index == 0 || state.newest_answer() == 0 {
                // Nothing that was answered stays, as in the list of another conversation: nor does the head.
                state.begin_anew();
            }
            warnings.clear();
            made = self.goes_on(&mut state, &mut warnings)?;
        }
        if self.to_free(&made.0).is_some() {
            // Reasoning that is left out needs no room.
            made = self.verified(&mut state, made)?;
        }
        if let Some(limit) = self.to_free(&made.0) {
            made = self.cut(&mut state, limit)?;
            warnings.clear();
            cut = true;
        }
        let (mut built, seen) = self.verified(&mut state, made)?;
        if let Some(index) = edited {
            let turn = self.conversation.turns().get(index);
            let text = "the list differs from what was sent before: it is sent as it is now";
            let path = turn.map(|turn| turn.path(index)).unwrap_or_default();
            warnings.push(Change::warning(Edit::HistoryEdited, path, text));
        }
        if cut && self.is_open() && state.left_out.iter().any(|(index, _)| *index >= self.open_from()) {
            let text =
                "the cut is made while the model waits for results, so the reasoning before its calls is left out, too";
            warnings.push(Change::warning(Edit::OpenTurnReasoning, Path::default(), text));
        }
        if warnings.iter().any(|one| one.code == Edit::SystemFrozen || one.code == Edit::ToolsFrozen) {
            // They say what is new; that the head stays is part of it.
            built.receipt.changes.retain(|one| one.code != Edit::SystemFrozen);
        }
        built.receipt.changes.extend(warnings);
        built.receipt.sort();
        built.receipt.break_at = before.and_then(|before| self.break_at(before, &seen)).map(Box::new);
        let kept = seen.digest.blocks.len();
        let dropped = self.list.count().saturating_sub(kept);
        built.receipt.reasoning = Some(Box::new(Reasoning { kept, dropped }));
        self.sent(&mut state, &seen, &left_out);
        let stable = seen.digest.messages.len() - usize::from(state.growing.is_some());
        let Seen { json, rendering, .. } = seen;
        Ok(Request { built, state, stable, json, rendering, asked: None })
    }

    /// Builds the list with its frozen part, and appends changes of the head at the end.
    fn goes_on(&self, state: &mut State, warnings: &mut Vec<Change>) -> Result<Made<H>, Failed> {
        let (frame, fresh, sent, given) = match (state.head.clone(), state.given.clone()) {
            // Another head was sent, so this list is not: only its own head counts.
            (Some(sent), Some(given)) => {
                let (frame, fresh) = self.beginning(state)?;
                (frame, fresh, sent, given)
            }
            (sent, _) => {
                let (built, seen) = self.built(state, None)?;
                let Some(sent) = sent.filter(|sent| !seen.head.is_spelled_like(sent)) else {
                    state.head.get_or_insert_with(|| seen.head.clone());
                    return Ok((built, seen));
                };
                let given = sent.given(self.target);
                let Seen { body, head, hoisted, .. } = seen;
                (built.conversation.frame, Beginning { body, head, hoisted }, sent, given)
            }
        };
        let head = fresh.head;
        let now = head.given(self.target);
        if now != given {
            // System text cannot follow an assistant's last turn.
            let ends = self.newest(state).is_some_and(|turn| turn.role == Role::Assistant);
            if !ends || self.choices.system != OnChange::Append || self.choices.tools != OnChange::Append {
                let choices = (self.choices.system, self.choices.tools);
                let told = head::tell((&sent, &given, &head), (self.target, self.model), choices).map_err(failed)?;
                let Some(stays) = told.head else {
                    state.head = Some(head);
                    (state.given, state.hoisted) = (None, BTreeSet::new());
                    state.notes.clear();
                    return self.built(state, None);
                };
                warnings.extend(told.warnings);
                let index = self.conversation.len();
                let json = |element| String::from_utf8_lossy(&json(element)).into_owned();
                let (mut lines, mut tools) = (told.lines, told.tools);
                let mut note = |element| {
                    let (lines, tools) = (std::mem::take(&mut lines), std::mem::take(&mut tools));
                    Note { index, lines, tools, json: json(element) }
                };
                state.notes.extend(told.said.iter().map(&mut note));
                state.head = Some(stays);
                state.given_before = Some(given);
                state.given = Some(now);
            }
        } else if state.given.is_none() {
            // The same lines and tools, in another order or spelling.
            state.given = Some(now);
        }
        state.hoisted = fresh.hoisted.into_iter().collect();
        let frame = self.frame(state, &frame, &fresh.body).map_err(failed)?;
        self.built(state, Some(frame))
    }

    /// The index at which the newest reply in the list begins; 0 without one.
    fn newest_reply(&self) -> usize {
        let turns = self.conversation.turns();
        let is_said = |turn: &Arc<Turn<H>>| turn.role == Role::Assistant;
        let end = turns.iter().rposition(is_said).map_or(0, |last| last + 1);
        turns[..end].iter().rposition(|turn| !is_said(turn)).map_or(0, |before| before + 1)
    }

    /// The turn that is sent last. A compaction block is sent first, wherever it is in the list.
    fn newest(&self, state: &State) -> Option<&Turn<H>> {
        let mut moved = state.spare_in(self.conversation.turns());
        moved.extend(state.compacted().map(|place| place.at));
        let mut turns = self.conversation.turns().iter().enumerate().rev();
        turns.find(|(index, _)| !moved.contains(index)).map(|(_, turn)| &**turn)
    }

    /// Builds again after reasoning was left out.
    pub(super) fn again(&self, state: &mut State, made: &Made<H>) -> Result<Made<H>, Failed> {
        let (built, seen) = made;
        let frame = || self.frame(state, &built.conversation.frame, &seen.body);
        let frame = state.given.is_some().then(frame).transpose().map_err(failed)?;
        self.built(state, frame)
    }

    /// The frame that was sent.
    fn frame(&self, state: &State, given: &Frame<H>, body: &Value<NoHost>) -> Result<Arc<Frame<H>>, Error> {
        let sent = state.head.as_ref().and_then(|head| head.body_with_choice(body, self.target));
        let mut frame = match sent {
            None => Frame::empty(self.target),
            Some(json) => {
                let tape = Tape::read(&Input::new(json))?;
                let view = tape.view();
                let read = convert::parse(&view.root::<H>(), Reading::As(self.target));
                let bad = |error: Error| {
                    Error::new(Code::BadState, format!("expected the state of a ledger: a head, got {}", error.text()))
                };
                read.map_err(bad)?.frame.map(&mut Text::share, &mut crate::value::handle::Raw::share)
            }
        };
        frame.continues = given.continues;
        frame.names = given.names.clone();
        Ok(Arc::new(frame))
    }

    /// Builds the list with its frozen part, and renders it. `frame` replaces the caller's.
    fn built(&self, state: &mut State, frame: Option<Arc<Frame<H>>>) -> Result<Made<H>, Failed> {
        let (built, lead) = self.frozen(state, frame)?;
        let (how, restart) = ((self.target, self.model), state.adopted.as_ref().map(|adopted| adopted.restart));
        let whole = self.choices.json || Growing::may_be(self.target);
        let behind = notes::behind(&built.conversation, lead);
        let how_read = (&*state.memo, restart, behind, whole);
        let seen = Seen::of(&built.conversation, how, self.inputs.rendering, how_read).map_err(failed)?;
        state.memo.clone_from(&seen.memo);
        Ok((built, seen))
    }

    /// Builds the list with its frozen part. Returns how many messages of the head are made up, too.
    pub(super) fn frozen(&self, state: &State, frame: Option<Arc<Frame<H>>>) -> Result<(Built<H>, usize), Failed> {
        let nothing = HashSet::default();
        let hoisted: HashSet<_> = state.hoisted.iter().copied().collect();
        let left_out = state.left_out();
        let spare = state.spare_in(self.conversation.turns());
        let lead = state.head.as_ref().map(|head| &head.lead[..]).unwrap_or_default();
        let lead: Vec<_> = lead.iter().map(|element| String::from_utf8_lossy(&json(element)).into_owned()).collect();
        let frozen = Frozen {
            cut: state.cut.as_ref(),
            answered: &state.answered,
            compacted: state.compacted(),
            spare: &spare,
            left_out: &left_out,
            notes: &state.notes,
            lead: if frame.is_some() { &lead } else { &[] },
            hoisted: if frame.is_some() { &hoisted } else { &nothing },
            frame,
        };
        let budget = self.inputs.budget.filter(|_| self.choices.over != Over::Soft);
        let pinned = state.pins(self.inputs.pinned);
        let inputs = Inputs { frozen: Some(&frozen), budget, measured: true, pinned: &pinned, ..*self.inputs };
        let built = self.steps.joined(stage::build(self.conversation, &inputs)?, self.target);
        Ok((built, frozen.lead.len()))
    }

    /// The limit of a cut, if one is due.
    fn to_free(&self, built: &Built<H>) -> Option<usize> {
        let limit = self.inputs.budget.filter(|_| self.choices.over != Over::Soft)?.limit();
        let size = built.receipt.totals.as_ref()?.after;
        let is_asked = !self.is_open();
        let over = size > limit || is_asked && self.choices.over == Over::Cut && size > share(limit, NEARLY);
        over.then_some(limit)
    }

    /// The beginning of the assistant's last run.
    fn open_from(&self) -> usize {
        let is_loop = |turn: &Turn<H>| {
            turn.role == Role::Assistant || turn.parts.iter().any(|part| matches!(part.kind, Kind::Result(_)))
        };
        self.conversation.turns().iter().rposition(|turn| !is_loop(turn)).map_or(0, |last| last + 1)
    }

    /// Whether the model waits for results: the newest turn is not the user's.
    fn is_open(&self) -> bool {
        self.open_from() < self.conversation.len()
    }

    /// A cut if it drops what the target refuses; otherwise the error.
    fn cut_for(&self, state: &mut State, error: Failed) -> Result<Made<H>, Failed> {
        let Some(budget) = self.inputs.budget.filter(|_| self.choices.over == Over::Cut) else { return Err(error) };
        match stage::build(self.conversation, self.inputs) {
            Ok(_) => self.cut(state, budget.limit()),
            Err(_) => Err(error),
        }
    }

    fn cut(&self, state: &mut State, limit: usize) -> Result<Made<H>, Failed> {
        if self.choices.over == Over::Error {
            let text = format!("the budget of {limit} is full: make room, or let the ledger cut");
            return Err(failed(Error::new(Code::LedgerFull, text)));
        }
        let mut error = failed(Error::new(Code::BudgetTooSmall, "nothing can be cut"));
        for left in [share(limit, self.choices.keep), limit] {
            state.begin_anew();
            state.answered.clear();
            state.target = self.target.name();
            state.pinned = self.inputs.pinned.to_vec();
            state.cut = Some(Cut {
                count: self.conversation.len(),
                limit: Some(left),
                pinned: self.inputs.pinned.to_vec(),
                tools: usize::MAX,
            });
            match self.built(state, None) {
                Ok(made) => {
                    let head = made.1.head.clone();
                    if let Some(cut) = &mut state.cut {
                        cut.tools = head.count(self.target);
                    }
                    state.head = Some(head);
                    return Ok(made);
                }
                // The last one names the whole budget.
                Err(failed) => error = failed,
            }
        }
        Err(error)
    }

    /// Records a request in the state. `left_out`: the reasoning that earlier requests left out.
    fn sent(&self, state: &mut State, seen: &Seen, left_out: &BTreeSet<SignedBlock>) {
        let bound = |block: &&crate::prefix::Block| state.record(block.token) != Some(&Record::Free);
        let last = seen.digest.blocks.iter().rev().find(bound).map(|block| block.token);
        let last = last.or_else(|| state.covered_reasoning());
        let pinned = state.pins(self.inputs.pinned);
        let is_first = state.newest_answer() == 0;
        if state.answered.is_empty() && state.cut.is_none() {
            state.pinned.clone_from(&pinned);
            state.begun = self.newest_reply();
        }
        // A list that went back to its beginning has no answer now, either.
        let is_first = is_first || state.newest_answer() == 0;
        let pending = Pending {
            length: self.conversation.len(),
            list: self.list.first(self.conversation.len()).unwrap_or_default(),
            behind: self.list.behind(self.conversation.len(), state.adopted.as_ref()),
            talk: if is_first { self.list.talk(self.conversation.len()) } else { Talk::default() },
            all: seen.digest.all,
            base: seen.digest.base,
            last,
            binds: state::binds(self.target, self.model),
            answered: false,
            root: self.list.root(),
            reply: self.list.first_reply(),
            given: state.given_before.take(),
            pinned,
            left_out: state.left_out.difference(left_out).copied().collect(),
        };
        // The notes of this request are at its end, and not answered yet.
        let is_new = |note: &&Note| pending.given.is_some() && note.index == pending.length;
        let answered = seen.messages().len().saturating_sub(state.notes.iter().filter(is_new).count());
        state.settled = standing(state, seen, state.newest_answer()).min(answered);
        state.pending.retain(|one| one.length != pending.length);
        state.waiting.retain(|one| one.list != pending.list || !one.binds_like(&pending));
        state.pending.push(pending);
        state.messages = seen.messages().to_vec();
        state.growing = Growing::last_of(seen, self.target);
        // Reasoning that left the caller's list may come back, from an earlier branch or from another conversation.
        let said: HashSet<_> = self.list.tokens().collect();
        state.forgot |= state.records.keep(GONE, |token| said.contains(&token));
    }
}
