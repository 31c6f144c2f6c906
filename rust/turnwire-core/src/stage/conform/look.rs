//! Finds what the target would refuse about a turn.

mod opaque;

use super::{keys, marks};
use crate::{
    model::{Call, Frame, Kind, Part, Tie, ToolResult, Turn},
    pairing::links::ran,
    report::Edit,
    rules::{DialectId, ExtraKeys, Limits, Target, ToolName},
    value::{HashMap, HashSet, Host, Input},
    wire::plan::{
        decide::Scope,
        judge, rules,
        seats::Seats,
        wrong::{Wrong, is_repaired},
    },
};

pub(super) use self::opaque::is_unknown;

/// A fault.
pub(super) struct Fault {
    /// The turn, by its current position.
    pub(super) turn: usize,
    /// The part. `None` for the turn as a whole.
    pub(super) part: Option<usize>,
    /// It. `None` for unknown keys, which cause only a warning.
    pub(super) wrong: Option<Wrong>,
    /// The turn before, if the two become one message, because it changes too.
    pub(super) with: Option<usize>,
}

impl Fault {
    /// The change that repairs it, if a build repairs it.
    pub(super) fn code(&self) -> Option<Edit> {
        self.wrong.filter(|wrong| is_repaired(wrong.severity)).map(|wrong| wrong.code)
    }
}

/// The context of a check of turns.
pub(super) struct Look<'a> {
    target: DialectId,
    limits: &'static Limits,
    /// What the turns are written for.
    wire: Target<'a>,
    keys: &'static ExtraKeys,
    seats: Seats<'a>,
    /// The tool that each id called last, if results must name it.
    called: Option<HashMap<Vec<u8>, Vec<u8>>>,
    /// The made-up ids of calls that have none in the target's own format, and so are answered by the name of the tool.
    unnamed: HashSet<Vec<u8>>,
    /// The ids of calls that the provider ran.
    ran: HashSet<String>,
    /// The ids of earlier items, if the target identifies items by id.
    items: HashSet<String>,
}

type Refusal = (usize, String);

impl<'a> Look<'a> {
    pub(super) fn at<'t, H: Host>(
        turns: impl DoubleEndedIterator<Item = &'t Turn<H>> + ExactSizeIterator + Clone,
        frame: &Frame<H>,
        wire: Target<'a>,
        limits: &'static Limits,
    ) -> Self {
        Self {
            target: wire.id,
            limits,
            wire,
            keys: wire.id.keys(),
            seats: Seats::of(wire, frame, turns),
            called: judge::names_results(limits).then(HashMap::default),
            unnamed: HashSet::default(),
            ran: HashSet::default(),
            items: HashSet::default(),
        }
    }

    /// All faults of the turn at this position. Fails for faults that cannot be repaired.
    pub(super) fn turn<H: Host>(&mut self, at: usize, turn: &Turn<H>, faults: &mut Vec<Fault>) -> Result<(), Refusal> {
        let own = turn.from.same_wire(self.target);
        let input = turn.input.as_ref();
        let mut tells = false;
        let mut found = |part, wrong| faults.push(Fault { turn: at, part, wrong, with: None });
        for (place, part) in turn.parts.iter().enumerate() {
            match self.named(part, input) {
                ToolName::Legal(_) => {
                    found(Some(place), Some(Wrong::new(Edit::RenamedTool, rules::TOOL_NAME_REFUSED)));
                }
                ToolName::Refused => return Err((place, rules::name_refused(&called(part, input)))),
                ToolName::Fine => {}
            }
            let by_id = own && self.answers_by_id(part, input);
            let misnamed = self.is_misnamed(part, input);
            if let Some(what) = judge::holds_no_json(part) {
                return Err((place, format!("{what} hold a value that JSON does not have")));
            }
            if !own {
                continue;
            }
            if keys::any_in(part) {
                let stray = keys::faults_in((self.keys, self.limits), part, input);
                if let Some(wrong) = stray.wrong() {
                    found(Some(place), Some(wrong));
                }
                tells |= stray.tells || marks::has_unlisted(self.target, part, input);
            }
            if part.touched || turn.touched && part.origin.is_none() {
                // A result may have another id while its blocks are written unchanged.
                if let (Kind::Result(_), Some(text)) = (&part.kind, self.unknown_block(turn, part)) {
                    return Err((place, text));
                }
                if let Some(wrong) = judge::blocks(&self.wire, Scope::of(turn), part) {
                    found(Some(place), Some(wrong));
                }
                continue;
            }
            if let Some(text) = self.unknown_block(turn, part).or_else(|| self.misformed(turn, part)) {
                return Err((place, text));
            }
            tells |= !self.keys.any && part.with_blocks().any(|part| is_unknown(turn, part));
            let wrong = judge::part(&self.wire, turn, part);
            if wrong.is_some() {
                found(Some(place), wrong);
            }
            let repaired = wrong.filter(|wrong| is_repaired(wrong.severity));
            if let Some(wrong) = repaired {
                // What is refused in the result may be all of it.
                if let (Kind::Result(result), true) = (&part.kind, wrong.code != Edit::EmptyResult) {
                    let empty = judge::empty_result(self.limits, result, input);
                    if empty.is_some() {
                        found(Some(place), empty);
                    }
                }
            } else if misnamed {
                let why = rules::RESULT_NAME.says;
                found(Some(place), Some(Wrong::new(Edit::Reshaped, why)));
            } else if by_id {
                let why = "its call has no id, so the name of the tool answers it";
                found(Some(place), Some(Wrong::new(Edit::Reshaped, why)));
            }
        }
        let (known_by_id, item) = (self.limits.knows_messages(), self.limits.has_items());
        // A message that is rewritten gets a new id.
        if own && known_by_id && self.is_repeated(turn, input) && (item || !turn.touched) {
            let code = if item { Edit::RepeatedItem } else { Edit::Reshaped };
            let why = if item { "another item has this id" } else { "another message has this id" };
            found(None, Some(Wrong::new(code, why)));
        }
        if own && (tells || turn.extras.is_some()) {
            let stray = keys::faults((self.keys, self.limits), self.keys.turn, turn.extras.as_deref(), input);
            if let Some(wrong) = stray.wrong() {
                found(None, Some(wrong));
            }
            if stray.tells || tells {
                found(None, None);
            }
        }
        let (stand, with) = self.seats.next(at, turn);
        let as_it_came = own && !turn.touched;
        let whole = if as_it_came { judge::turn(&self.wire, turn, stand) } else { stand.joins.map(judge::merged) };
        if let Some(wrong) = whole {
            faults.push(Fault { turn: at, part: None, wrong: Some(wrong), with });
        }
        Ok(())
    }

    /// What the target makes of the name of the tool in a call or a result. A result may go without.
    fn named<H: Host>(&self, part: &Part<H>, input: Option<&Input>) -> ToolName {
        match &part.kind {
            Kind::Call(call) if self.is_in_group(call, input) => ToolName::Fine,
            Kind::Call(call) => self.limits.tool_name(&call.name, input),
            Kind::Result(ToolResult { name: Some(name), .. }) => match self.limits.tool_name(name, input) {
                ToolName::Refused => ToolName::Fine,
                named => named,
            },
            _ => ToolName::Fine,
        }
    }

    /// Whether a call is one of a tool in a group, whose name is a part of what the target gets. A tool that is hidden by
    /// itself has its own name there.
    fn is_in_group<H: Host>(&self, call: &Call<H>, input: Option<&Input>) -> bool {
        let Some(group) = call.namespace.as_deref().filter(|group| !group.is_empty()) else { return false };
        let own = match self.limits.tool_name(&call.name, input) {
            ToolName::Legal(own) => group.is(&own, input),
            ToolName::Fine | ToolName::Refused => false,
        };
        !own && group.wtf8(input) != call.name.wtf8(input)
    }

    /// Whether an item has the id of an earlier one. An item that only refers to another may do so repeatedly.
    fn is_repeated<H: Host>(&mut self, turn: &Turn<H>, input: Option<&Input>) -> bool {
        let alone = match turn.parts.as_slice() {
            [part] if turn.tie != Tie::Refers && has_own_id(part) => ran::id_of(part, input),
            _ => None,
        };
        let id = turn.id.as_ref().map(|id| id.to_str(input).into_owned()).or(alone);
        id.is_some_and(|id| !self.items.insert(id))
    }

    /// Whether a result answers by an id, where its call has none.
    fn answers_by_id<H: Host>(&mut self, part: &Part<H>, input: Option<&Input>) -> bool {
        match &part.kind {
            Kind::Call(call) if call.made_up_id && part.has_no_id_at_home() && self.limits.needs_ids() => {
                self.unnamed.insert(call.id.wtf8(input).into_owned());
                false
            }
            Kind::Result(result) => {
                !result.made_up_id && !self.unnamed.is_empty() && self.unnamed.contains(&*result.id.wtf8(input))
            }
            _ => false,
        }
    }

    /// Whether a result names another tool than its call.
    fn is_misnamed<H: Host>(&mut self, part: &Part<H>, input: Option<&Input>) -> bool {
        let Some(names) = &mut self.called else { return false };
        match &part.kind {
            Kind::Call(call) => {
                names.insert(call.id.wtf8(input).into_owned(), call.name.wtf8(input).into_owned());
                false
            }
            Kind::Result(result) => {
                let called = names.get(&*result.id.wtf8(input));
                let name = result.name.as_ref();
                called.zip(name).is_some_and(|(called, name)| *called != *name.wtf8(input))
            }
            _ => false,
        }
    }
}

/// The name of the tool that a call calls.
fn called<H: Host>(part: &Part<H>, input: Option<&Input>) -> String {
    match &part.kind {
        Kind::Call(call) => call.name.to_str(input).into_owned(),
        _ => String::new(),
    }
}

/// Whether the `id` of an item is its own.
fn has_own_id<H: Host>(part: &Part<H>) -> bool {
    matches!(part.kind, Kind::Reasoning(_) | Kind::Opaque(_))
}
