//! One look at a turn: what its target would refuse of it.

use std::collections::{HashMap, HashSet};

use super::keys;
use crate::{
    detect::{foreign_block, knows_block},
    dialect::{
        self, DialectId, KeyRule, Limits, WireKeys,
        limits::{ArgsForm, BesideCalls, MediaInResult, MessageId, ReasoningRule, ResultPlace, SystemPlace},
        media_fits,
        shape::misfit,
        speaker,
    },
    handle::{Host, Input, Raw, Value},
    node::ArgsState,
    part::{Kind, Part},
    receipt::Change,
    tool::{Args, Call, Content, ToolResult},
    turn::{Role, Tie, Turn},
};

/// One thing that the target would refuse.
pub(super) struct Fault {
    /// The turn, as a place among the turns as they are now.
    pub(super) turn: usize,
    /// The part, unless it is the turn as a whole.
    pub(super) part: Option<usize>,
    /// What is done about it; nothing but a warning for keys that nobody knows.
    pub(super) code: Option<Change>,
    /// Why, in a sentence.
    pub(super) why: &'static str,
    /// The turn before, where the two become one message: it is not what it was, either.
    pub(super) with: Option<usize>,
}

/// What is asked of every turn.
pub(super) struct Look {
    target: DialectId,
    limits: &'static Limits,
    keys: WireKeys,
    /// The turn before, where the target wants some neighbours in one message.
    before: Option<Neighbour>,
    /// The last turn in which the user says something beside results, where the target wants the steps behind it signed.
    asked: Option<usize>,
    /// For each turn, whether it leads to calls, where those want to stand with what is said before them.
    leads: Vec<bool>,
    /// The name of the tool that each id called last, where results must name it.
    called: HashMap<Vec<u8>, Vec<u8>>,
    /// For each system turn, by its place, whether it may stay; only where the target keeps system text elsewhere.
    stays: Vec<(usize, bool)>,
    /// The ids of calls that the provider ran.
    ran: HashSet<String>,
    /// The ids of the items so far, where the target knows items by them.
    items: HashSet<String>,
}

/// What is known of a turn when the next one is looked at.
#[derive(Clone, Copy)]
#[allow(clippy::struct_excessive_bools, reason = "what is asked of a turn, each by itself")]
struct Neighbour {
    /// Its place.
    at: usize,
    /// Who speaks: the assistant, or anybody else.
    speaker: Role,
    /// Whether it would go back as it came.
    as_it_came: bool,
    calls: bool,
    /// Whether it calls, or stands beside calls that no result parts from it.
    follows_calls: bool,
    results: bool,
}

impl Neighbour {
    fn of<H: Host>(at: usize, turn: &Turn<H>) -> Self {
        let (calls, results) = (turn.calls().next().is_some(), turn.results().next().is_some());
        Self { at, speaker: speaker(turn), as_it_came: !turn.touched, calls, follows_calls: calls, results }
    }
}

type Refusal = (usize, String);

impl Look {
    pub(super) fn at<'a, H: Host>(
        mut turns: impl DoubleEndedIterator<Item = &'a Turn<H>> + ExactSizeIterator + Clone,
        target: DialectId,
        limits: &'static Limits,
    ) -> Self {
        let mut stays: Vec<(usize, bool)> = Vec::new();
        if matches!(limits.system, SystemPlace::First | SystemPlace::Head | SystemPlace::Top) {
            let (mut spoken, mut waiting) = (false, 0);
            for (at, turn) in turns.clone().enumerate() {
                if !dialect::says(turn, target) {
                    continue;
                }
                if turn.role.is_system() {
                    // Behind the first turn it may only stand where the assistant follows, or nobody.
                    let may = match limits.system {
                        SystemPlace::First => !spoken,
                        SystemPlace::Head => at == 0,
                        _ => spoken,
                    };
                    stays.push((at, may));
                    continue;
                }
                spoken = true;
                if turn.role != Role::Assistant && limits.system == SystemPlace::Top {
                    stays[waiting..].iter_mut().for_each(|(_, may)| *may = false);
                }
                waiting = stays.len();
            }
        }
        let signs = matches!(limits.reasoning, ReasoningRule::Signature(_));
        let heard = |turn: &Turn<H>| dialect::says(turn, target);
        let leads = if limits.results.is_alone() { dialect::leads_to_calls(turns.clone(), heard) } else { Vec::new() };
        let asked = if signs { turns.rposition(|turn| dialect::asks(turn, target)) } else { None };
        Self {
            target,
            limits,
            keys: target.keys(),
            before: None,
            asked,
            leads,
            called: HashMap::new(),
            stays,
            ran: HashSet::new(),
            items: HashSet::new(),
        }
    }

    /// Everything that is wrong with the turn at this place. An error for what nobody can mend.
    pub(super) fn turn<H: Host>(&mut self, at: usize, turn: &Turn<H>, faults: &mut Vec<Fault>) -> Result<(), Refusal> {
        let own = turn.from.same_wire(self.target);
        let input = turn.input.as_ref();
        let mut tells = false;
        let mut found = |part, code, why| faults.push(Fault { turn: at, part, code, why, with: None });
        for (place, part) in turn.parts.iter().enumerate() {
            if let Kind::Call(call) = &part.kind
                && !self.limits.name.allows(&call.name.wtf8(input))
            {
                let text = format!("the target refuses {:?} as the name of a tool", call.name.to_str(input));
                return Err((place, text));
            }
            let misnamed = self.limits.results_named && self.is_misnamed(part, input);
            if let Some(what) = holds_no_json(part) {
                return Err((place, format!("{what} hold a value that JSON does not have")));
            }
            if !own {
                continue;
            }
            if keys::any_in(part) {
                let (code, told) = keys::faults_in(self.keys, part, input);
                if code.is_some() {
                    found(Some(place), code, keys::STRAY);
                }
                tells |= told;
            }
            if part.touched || turn.touched && part.origin.is_none() {
                // A result may have another id, and blocks that go back as they came all the same.
                if let Some((code, why)) = self.blocks(part, input) {
                    found(Some(place), Some(code), why);
                }
                continue;
            }
            if let Some(text) = self.strange(turn, part) {
                return Err((place, text));
            }
            tells |= !self.keys.any && keys::with_blocks(part).any(|part| is_unknown(turn, part));
            if let Some((code, why)) = self.part(turn, part, input) {
                found(Some(place), Some(code), why);
            } else if misnamed {
                found(Some(place), Some(Change::Reshaped), "the target wants the name that was called");
            }
        }
        if own && self.limits.message_id == MessageId::Own && self.is_repeated(turn, input) {
            found(None, Some(Change::RepeatedItem), "another item has this id");
        }
        if own && (tells || turn.extras.is_some()) {
            let (code, told) = keys::faults(self.keys, self.keys.turn, turn.extras.as_deref(), input);
            if code.is_some() {
                found(None, code, keys::STRAY);
            }
            if told || tells {
                found(None, None, keys::STRAY);
            }
        }
        let joined = if turn.role.is_system() { None } else { self.joins(at, turn, own) };
        let with = joined.map(|(with, _)| with);
        let merged = joined.map(|(_, why)| (Change::MergedTurn, why));
        let whole = if own && !turn.touched { self.whole(at, turn, merged) } else { merged };
        if let Some((code, why)) = whole {
            faults.push(Fault { turn: at, part: None, code: Some(code), why, with });
        }
        Ok(())
    }

    /// Whether an item has the id of one before it. An item that only names another may do so again.
    fn is_repeated<H: Host>(&mut self, turn: &Turn<H>, input: Option<&Input>) -> bool {
        let alone = match turn.parts.as_slice() {
            [part] if turn.tie != Tie::Refers && matches!(part.kind, Kind::Reasoning(_) | Kind::Opaque(_)) => {
                id_of(part, input)
            }
            _ => None,
        };
        let id = turn.id.as_ref().map(|id| id.to_str(input).into_owned()).or(alone);
        id.is_some_and(|id| !self.items.insert(id))
    }

    /// Whether a result names another tool than the one that was called.
    fn is_misnamed<H: Host>(&mut self, part: &Part<H>, input: Option<&Input>) -> bool {
        match &part.kind {
            Kind::Call(call) => {
                self.called.insert(call.id.wtf8(input).into_owned(), call.name.wtf8(input).into_owned());
                false
            }
            Kind::Result(result) => {
                let called = self.called.get(&*result.id.wtf8(input));
                let name = result.name.as_ref();
                called.zip(name).is_some_and(|(called, name)| *called != *name.wtf8(input))
            }
            _ => false,
        }
    }

    /// What is wrong with the turn as a whole. `merged`: that it must be one message with the one before it.
    fn whole<H: Host>(
        &self,
        at: usize,
        turn: &Turn<H>,
        merged: Option<(Change, &'static str)>,
    ) -> Option<(Change, &'static str)> {
        if let Some(flaw) = turn.flaw {
            return Some((Change::Reshaped, flaw.0));
        }
        if turn.role.is_system() {
            let stays =
                self.stays.binary_search_by_key(&at, |(at, _)| *at).ok().is_none_or(|place| self.stays[place].1);
            return (!stays).then_some((Change::MovedSystem, "the target does not take system text here"));
        }
        if merged.is_some() {
            return merged;
        }
        if speaker(turn) != turn.role && turn.calls().next().is_some() {
            return Some((Change::WrongRole, "only the assistant calls tools"));
        }
        if turn.parts.is_empty() && !self.limits.blank_text {
            return Some((Change::EmptyTurn, "the target refuses a turn that says nothing"));
        }
        if self.limits.beside_calls == BesideCalls::Nothing
            && turn.calls().next().is_some()
            && turn.parts.iter().any(|part| !matches!(part.kind, Kind::Call(_)))
        {
            return Some((Change::Reshaped, "the target takes nothing beside calls: it stands before them"));
        }
        if let (ReasoningRule::Key(word), Role::Assistant) = (self.limits.reasoning, turn.role)
            && !turn.parts.iter().any(|part| part.place.key == Some(word))
        {
            return Some((Change::StandIn, "the target wants this key on every assistant turn"));
        }
        let step = turn.role == Role::Assistant && self.asked.is_none_or(|asked| at > asked);
        if matches!(self.limits.reasoning, ReasoningRule::Signature(_))
            && step
            && turn.parts.iter().find(|part| matches!(part.kind, Kind::Call(_))).is_some_and(|call| !call.signed)
        {
            return Some((Change::StandIn, "the target wants a signature on the first call of each step"));
        }
        None
    }

    /// The turn before, where one of the two came in this format and both must be one message, and why.
    fn joins<H: Host>(&mut self, at: usize, turn: &Turn<H>, own: bool) -> Option<(usize, &'static str)> {
        if !self.limits.merges() || !own && !dialect::says(turn, self.target) {
            return None;
        }
        let mut here = Neighbour::of(at, turn);
        here.as_it_came &= own;
        let assistant = here.speaker == Role::Assistant;
        let before = self.before.filter(|before| (before.speaker == Role::Assistant) == assistant);
        // What stands beside calls belongs to them until their results come.
        let leads = self.leads.get(at).is_some_and(|leads| *leads);
        here.follows_calls = leads || assistant && before.is_some_and(|before| before.follows_calls);
        self.before = Some(here);
        // What was made one is said once.
        let before = before.filter(|before| own && (before.as_it_came || here.as_it_came))?;
        if self.limits.alternates {
            return Some((before.at, "the target wants the sides to alternate"));
        }
        let runs = self.limits.results == ResultPlace::AloneAfterRun;
        let apart = runs && before.calls && here.calls && before.as_it_came && here.as_it_came;
        let one = if assistant { here.follows_calls && !apart } else { before.results && here.results };
        one.then_some((before.at, "the target wants the calls of a step in one message, and their results in the next"))
    }

    /// What is wrong with a part that would go back as it came.
    fn part<H: Host>(&self, turn: &Turn<H>, part: &Part<H>, input: Option<&Input>) -> Option<(Change, &'static str)> {
        if let Some(flaw) = part.flaw {
            let thought = matches!(part.kind, Kind::Reasoning(_));
            return Some((if thought { Change::RefusedReasoning } else { Change::Reshaped }, flaw.0));
        }
        match &part.kind {
            Kind::Refusal(_) if turn.role != Role::Assistant => Some((Change::Reshaped, "only the assistant refuses")),
            Kind::Text(text) | Kind::Refusal(text) => (!self.limits.blank_replays && text.is_blank(input))
                .then_some((Change::BlankText, "the target refuses text without a visible character")),
            Kind::Call(call) => self.call(call, input),
            Kind::Result(result) => self.result(result, input),
            Kind::Reasoning(_) => {
                let refused = self.limits.reasoning == ReasoningRule::None || turn.role != Role::Assistant;
                refused.then_some((Change::RefusedReasoning, "the target takes no reasoning here"))
            }
            Kind::Media(_) if !self.limits.media_of_all && turn.role != Role::User => {
                Some((Change::MisplacedMedia, "the target takes media from the user only"))
            }
            Kind::Media(media) => (!media_fits(&self.limits.media, media, input))
                .then_some((Change::WrongMedia, "the target refuses these media, or as what they are declared")),
            Kind::Json(_) | Kind::Opaque(_) => None,
        }
    }

    /// A block that nobody can read, in its turn's own format: one of another format's, or one that does not say what it is.
    fn strange<H: Host>(&mut self, turn: &Turn<H>, part: &Part<H>) -> Option<String> {
        let input = turn.input.as_ref();
        match &part.kind {
            // What is stored and not sent may hold anything.
            Kind::Opaque(_) if self.keys.any => None,
            Kind::Opaque(_) if part.flaw.is_some() => {
                part.flaw.map(|flaw| format!("the target refuses this block: {}", flaw.0))
            }
            Kind::Opaque(name) => {
                let listed = |list: &str| list.split(' ').any(|word| !word.is_empty() && name.is(word, input));
                let assistant = turn.role == Role::Assistant;
                let elsewhere = listed(if assistant { self.keys.user_blocks } else { self.keys.assistant_blocks });
                let text = || format!("the target refuses {:?} from the other side", name.to_str(input));
                if elsewhere {
                    return Some(text());
                }
                if assistant && listed(self.keys.assistant_blocks) && !self.ran.insert(id_of(part, input)?) {
                    return Some("the target has run another call of this id".to_owned());
                }
                if let Some((key, rule)) = self.keys.members.iter().find(|(key, _)| name.is(key, input))
                    && !holds(part, (key, *rule), input)
                {
                    return Some(format!("the target refuses {key:?} as it stands here"));
                }
                misfit(self.keys.blocks, name, part.origin.as_ref(), input).or_else(|| foreign_block(turn, part))
            }
            Kind::Result(result) => match &result.content {
                Content::Blocks(blocks) => {
                    let text_alone = result.error && self.limits.media_in_result == MediaInResult::UnlessFailed;
                    if text_alone && blocks.iter().any(|block| matches!(block.kind, Kind::Opaque(_))) {
                        return Some("the target takes nothing but text in a failed result".to_owned());
                    }
                    blocks
                        .iter()
                        .filter(|block| !block.touched)
                        .find_map(|block| self.misplaced(turn, block).or_else(|| self.strange(turn, block)))
                }
                Content::Absent | Content::Text(_) => None,
            },
            _ => None,
        }
    }

    /// A block that its own format knows, and in no result.
    fn misplaced<H: Host>(&self, turn: &Turn<H>, block: &Part<H>) -> Option<String> {
        let (Kind::Opaque(name), input) = (&block.kind, turn.input.as_ref()) else { return None };
        let listed = self.keys.result_blocks.split(' ').any(|word| name.is(word, input));
        let known = !self.keys.result_blocks.is_empty() && knows_block(turn.from, &name.to_str(input));
        (known && !listed).then(|| format!("no result can hold {:?}", name.to_str(input)))
    }

    /// What is wrong with the blocks of a result that was touched itself.
    fn blocks<H: Host>(&self, part: &Part<H>, input: Option<&Input>) -> Option<(Change, &'static str)> {
        let Kind::Result(result) = &part.kind else { return None };
        let Content::Blocks(blocks) = &result.content else { return None };
        let origin = |block: &&Part<H>| block.origin.is_some();
        blocks.iter().filter(origin).find_map(|block| block_fault(block, result.error, self.limits, input))
    }

    fn call<H: Host>(&self, call: &Call<H>, input: Option<&Input>) -> Option<(Change, &'static str)> {
        let fits = match (self.limits.args, &call.args) {
            (ArgsForm::Either, _) | (ArgsForm::TextOrObject, Args::Text(_)) => true,
            (ArgsForm::ObjectText, args @ Args::Text(text)) => {
                !text.is_blank(input) && args.state(input) == ArgsState::Object
            }
            (ArgsForm::Text, args) => matches!(args, Args::Text(_)),
            (ArgsForm::Object | ArgsForm::TextOrObject, Args::Value(raw)) => raw.is_map(input),
            (ArgsForm::Object, Args::Text(_)) | (ArgsForm::ObjectText, Args::Value(_)) => false,
        };
        (!fits).then_some((Change::Arguments, "the target takes arguments in another form"))
    }

    fn result<H: Host>(&self, result: &ToolResult<H>, input: Option<&Input>) -> Option<(Change, &'static str)> {
        if let Content::Blocks(blocks) = &result.content
            && let Some(fault) = blocks.iter().find_map(|block| block_fault(block, result.error, self.limits, input))
        {
            return Some(fault);
        }
        let says_nothing = match &result.content {
            Content::Absent => true,
            Content::Text(text) => text.is_empty(),
            Content::Blocks(blocks) => {
                blocks.iter().all(|block| matches!(&block.kind, Kind::Text(text) if text.is_empty()))
            }
        };
        (says_nothing && !self.limits.blank_result)
            .then_some((Change::EmptyResult, "the target refuses a result that says nothing"))
    }
}

/// Whether a block that nobody looked into holds under its key what the target wants there.
fn holds<H: Host>(part: &Part<H>, (key, rule): KeyRule, input: Option<&Input>) -> bool {
    let Some(Ok(Value::Map(entries))) = part.origin.as_ref().map(|origin| origin.to_value(input)) else { return true };
    let value = entries.iter().find(|(name, _)| name.is(key, None)).map(|(_, value)| value.share());
    value.is_none_or(|value| rule.allows(&value))
}

/// The id of a block that nobody looked into.
fn id_of<H: Host>(part: &Part<H>, input: Option<&Input>) -> Option<String> {
    let Ok(Value::Map(entries)) = part.origin.as_ref()?.to_value(input) else { return None };
    entries.iter().find(|(key, _)| key.is("id", None)).and_then(|(_, id)| match id {
        Value::Text(id) => Some(id.to_str(None).into_owned()),
        _ => None,
    })
}

/// The arguments or the words of a result that hold what only the host has. What came as JSON is JSON.
fn holds_no_json<H: Host>(part: &Part<H>) -> Option<&'static str> {
    let said = |block: &Part<H>| matches!(&block.kind, Kind::Json(Raw::Tree(value)) if !value.is_json());
    match &part.kind {
        Kind::Call(Call { args: Args::Value(Raw::Tree(value)), .. }) if !value.is_json() => Some("these arguments"),
        Kind::Result(_) if keys::blocks(part).iter().any(said) => Some("the words of this result"),
        _ => None,
    }
}

/// Whether only a new version of its own format can know a part: nobody lists its type.
pub(super) fn is_unknown<H: Host>(turn: &Turn<H>, part: &Part<H>) -> bool {
    let whole = part.place.key.is_none() && turn.from.limits().is_ok_and(|limits| limits.message_id == MessageId::Own);
    let Kind::Opaque(name) = &part.kind else { return false };
    (part.place.index.is_some() || whole) && !knows_block(turn.from, &name.to_str(turn.input.as_ref()))
}

/// What is wrong with a block of a result that would go back as it came.
pub(super) fn block_fault<H: Host>(
    block: &Part<H>,
    failed: bool,
    limits: &Limits,
    input: Option<&Input>,
) -> Option<(Change, &'static str)> {
    if block.touched {
        return None;
    }
    if let Some(flaw) = block.flaw {
        return Some((Change::Reshaped, flaw.0));
    }
    match &block.kind {
        Kind::Media(media)
            if !limits.media_in_result.holds(media.class, media.media_type(input).as_deref(), failed) =>
        {
            Some((Change::MisplacedMedia, "the target takes no media in this result"))
        }
        Kind::Media(media) if !media_fits(&limits.media, media, input) => {
            Some((Change::WrongMedia, "the target refuses these media, or as what they are declared"))
        }
        Kind::Text(text) if !limits.blank_replays && text.is_blank(input) => {
            Some((Change::BlankText, "the target refuses text without a visible character"))
        }
        Kind::Call(_) | Kind::Result(_) | Kind::Reasoning(_) | Kind::Refusal(_) => {
            Some((Change::Reshaped, "no result can hold this"))
        }
        _ => None,
    }
}
