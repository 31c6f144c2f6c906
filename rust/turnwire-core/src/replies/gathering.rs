//! Gathers the turns of a reply that another format's reply can have, and tells of the rest.

use super::place::{place, within};
use crate::{
    convert::functions::{A_CALL, IN_GROUP},
    dialects::{registry, table},
    model::{Args, Call, Extras, Kind, Part, Parts, Reasoning, Reply, Role, Turn, compaction},
    pairing::steps::is_mark,
    report::{Edit, Error, Losses, Path, Place, Step, ToolNames},
    rules::{ArgsForm, DialectId, Thoughts},
    value::{ArgsState, HashSet, Host, Raw, Text, Value},
    wire::{
        plan::{
            carried,
            decide::{Scope, is_taken},
            passages, rules,
            said_before::{has_only_text, is_said_before},
        },
        response::{ResponseRule, Texts},
    },
};

/// Why a result is lost.
const NO_RESULTS: &str = "a reply of the target cannot have results";
/// Why the call of such a result is lost, too.
const ANSWERED: &str = "the server has run this call itself, and a client of the target would run it again";

/// Why a call without readable arguments is lost.
const BAD_CALL: &str =
    "the arguments of this call are no JSON object, and a client of the target would run it without them";
/// What a stream does with such a call, whose pieces are already with the client.
const RAW_CALL: (&str, &str) =
    ("the arguments of this call are no JSON object", "the client gets their text as it came");
/// Why a compaction is lost.
const SUMMARY: &str = "a summary of the conversation is not part of the answer";

/// The turns to write, each with the index of the original turn.
pub(super) struct Gathering<'a, H: Host> {
    target: DialectId,
    rule: &'a ResponseRule,
    source: &'a ResponseRule,
    /// Whether the reply is streamed.
    streams: bool,
    /// The ids of the calls with a result.
    answered: HashSet<Vec<u8>>,
    pub(super) turns: Vec<(usize, Turn<H>)>,
    pub(super) thoughts: Vec<Text<H>>,
    /// Where the message's single text is, and the texts that it is joined from.
    text: Option<(usize, usize)>,
    texts: Vec<Text<H>>,
    pub(super) refuses: bool,
    pub(super) calls: (usize, usize),
    /// The names of tools in the request.
    names: &'a ToolNames,
}

impl<'a, H: Host> Gathering<'a, H> {
    /// Gathers the turns of a whole reply, or what a stream of the target has of them.
    pub(super) fn of(
        reply: &'a Reply<H>,
        target: DialectId,
        streams: bool,
        losses: &mut Losses,
    ) -> Result<Self, Error> {
        let [source, rule] = [registry::response_rule(reply.from)?, registry::response_rule(target)?];
        let mut all = Self {
            target,
            rule,
            source,
            streams,
            answered: reply.results().map(|result| result.id.wtf8(None).into_owned()).collect(),
            turns: Vec::new(),
            thoughts: Vec::new(),
            text: None,
            texts: Vec::new(),
            refuses: false,
            calls: (0, 0),
            names: &reply.names,
        };
        for (index, turn) in reply.turns.iter().enumerate() {
            if turn.from == target {
                all.turns.push((index, turn.share()));
                continue;
            }
            for (at, part) in turn.parts.iter().enumerate() {
                let path = || within(reply, index, &turn.part_path(index, at));
                all.part((index, turn), part, &path, losses)?;
            }
            all.beside((index, turn), &|| place(reply, index), losses)?;
        }
        all.refusal(reply)?;
        all.join()?;
        Ok(all)
    }

    /// Writes a part of another dialect's turn.
    fn part(
        &mut self,
        (index, turn): (usize, &Turn<H>),
        part: &Part<H>,
        path: &dyn Fn() -> Path,
        losses: &mut Losses,
    ) -> Result<(), Error> {
        let abroad = !turn.from.same_wire(self.target);
        match &part.kind {
            Kind::Text(text) if text.is_empty() => {}
            Kind::Opaque(_) if is_mark(turn, part) => {}
            Kind::Reasoning(_) if abroad && is_said_before(turn, part) => {}
            Kind::Text(text) if self.rule.texts == Texts::One => {
                if self.text.is_some() {
                    losses.changed(Edit::Joined, path(), rules::ONE_TEXT.says);
                    self.texts.push(text.detach(turn.input.as_ref()));
                    let extras = self.extras(part.extras.as_deref(), turn);
                    keys_lost(extras.as_deref(), path, losses)?;
                } else {
                    let turns = self.put((index, turn), part);
                    self.text = Some(turns);
                    self.texts.push(text.detach(turn.input.as_ref()));
                }
            }
            Kind::Text(_) if abroad && self.target.facts.cites.is_some() && cites(turn, part).is_some() => {
                let key = cites(turn, part).unwrap_or_default();
                losses.lost(
                    Edit::Key,
                    part.holder_of(key, turn.input.as_ref(), path()).then(Step::Key(key)),
                    "a reply of the target cannot have these citations",
                )?;
                let mut bare = part.share();
                (bare.extras, bare.inner) = (None, None);
                return self.part((index, turn), &bare, path, losses);
            }
            // The events of a stream have readable reasoning only, and a whole reply has what a stream has.
            Kind::Reasoning(thought)
                if is_taken(self.target, Scope::of(turn), part)
                    && (!abroad || thought.text.is_some() && !carried::is_in_key(turn, part)) =>
            {
                self.put((index, turn), part);
            }
            Kind::Reasoning(thought) => {
                let own = thought.text.as_ref().map(|text| text.detach(turn.input.as_ref()));
                let text = own.or_else(|| carried::readable(Scope::of(turn), part));
                let Some(text) = text.filter(|text| !text.is_empty()) else {
                    let reason = "only the dialect that made it can read this reasoning";
                    return losses.lost(Edit::Reasoning, path(), reason);
                };
                match self.target.limits()?.thoughts {
                    Thoughts::Key(_) => self.thoughts.push(text),
                    Thoughts::Block => {
                        let block = registry::thought(self.target, &text)?;
                        self.block(index, Kind::Reasoning(Reasoning { text: Some(text) }), block);
                    }
                    Thoughts::Nowhere => {
                        let reason = "the target does not show what a model thought";
                        return losses.lost(Edit::Reasoning, path(), reason);
                    }
                }
                if part.signed && !has_only_text(turn, part) {
                    let reason = "only the dialect that made a signature accepts it";
                    return losses.lost(Edit::Signature, path(), reason);
                }
                losses.changed(Edit::Reasoning, path(), "the reasoning of another model is sent without its signature");
            }
            Kind::Refusal(words) => {
                self.refuses |= self.refused(index, words.detach(turn.input.as_ref()), Some((turn, part)))?;
            }
            Kind::Call(call) if self.answered.contains(&*call.id.wtf8(turn.input.as_ref())) => {
                return losses.lost(Edit::Opaque, path(), ANSWERED);
            }
            Kind::Opaque(_) if compaction::summary((turn.from, turn.input.as_ref()), part).is_some() => {
                return losses.lost(Edit::Opaque, path(), SUMMARY);
            }
            Kind::Call(call) if self.is_unreadable(turn, call)? => {
                self.calls.0 += 1;
                if !self.streams || table::Out::<H>::has_objects(self.target) {
                    return losses.lost(Edit::Arguments, path(), BAD_CALL);
                }
                losses.changed(Edit::Arguments, path(), RAW_CALL);
                let mut bare = part.share();
                if let Kind::Call(call) = &mut bare.kind {
                    call.args = Args::Text(Text::own("{}"));
                }
                bare.origin = None;
                self.put((index, turn), &bare);
            }
            Kind::Result(_) => return losses.lost(Edit::Opaque, path(), NO_RESULTS),
            Kind::Media(_) if self.streams => {
                return losses.lost(Edit::Media, path(), "a stream of the target cannot have media");
            }
            Kind::Call(call) if !call.is_known_to(self.target.facts) => {
                let (code, why) = if call.form.is_some() { (Edit::ClientTool, A_CALL) } else { (Edit::Name, IN_GROUP) };
                losses.changed(code, path(), why);
                let kind = Kind::Call(Call { form: None, ..call.flat(self.names, self.target.limits()?) });
                self.calls.1 += 1;
                self.put((index, turn), &Part { kind, touched: true, ..part.share() });
            }
            kind => {
                self.calls.1 += usize::from(matches!(kind, Kind::Call(_)));
                self.put((index, turn), part);
            }
        }
        Ok(())
    }

    /// Whether the target has arguments as objects, and those of a call are none. A client would run the call without them.
    fn is_unreadable(&self, turn: &Turn<H>, call: &Call<H>) -> Result<bool, Error> {
        let objects =
            self.target.limits()?.args == ArgsForm::Object || self.streams && table::Out::<H>::has_objects(self.target);
        let is_object = || call.args.state(turn.input.as_ref()) == ArgsState::Object;
        Ok(objects && !call.custom && call.form.is_none() && !is_object())
    }

    /// Writes a refusal as a block or a key of the target, else as text. Returns whether clients can recognise it.
    fn refused(&mut self, index: usize, words: Text<H>, from: Option<(&Turn<H>, &Part<H>)>) -> Result<bool, Error> {
        if let Some(block) = registry::refusal(self.target, words.share())? {
            self.block(index, Kind::Refusal(words), block);
            return Ok(true);
        }
        match from {
            Some((turn, part)) => self.put((index, turn), part),
            None => self.put((index, &Turn::new(Role::Assistant, Parts::new())), &Part::new(Kind::Refusal(words))),
        };
        Ok(self.target.limits()?.refusals)
    }

    /// Writes a refusal that is beside the content in the source's format.
    fn refusal(&mut self, reply: &Reply<H>) -> Result<(), Error> {
        match &reply.refusal {
            Some(words) if !reply.from.same_wire(self.target) => {
                self.refuses |= self.refused(0, words.share(), None)?;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Adds a wire value of the target.
    fn block(&mut self, index: usize, kind: Kind<H>, block: Value<H>) {
        // In a list of items a thought is an item, elsewhere a part of the content.
        let apart = matches!(kind, Kind::Reasoning(_)) && self.target.facts.replies_in_items;
        let place = if apart { Place::default() } else { Place::item("content", 0) };
        let part = Part { origin: Some(Raw::Tree(block)), ..Part::at(place, kind) };
        let turn = Turn { from: self.target, touched: true, ..Turn::new(Role::Assistant, Parts::from_iter([part])) };
        self.turns.push((index, turn));
    }

    /// Adds a part to its turn, or to a new turn.
    fn put(&mut self, (index, turn): (usize, &Turn<H>), part: &Part<H>) -> (usize, usize) {
        let mut part = part.share();
        part.extras = self.extras(part.extras.as_deref(), turn);
        let says = |part: &Part<H>| matches!(part.kind, Kind::Text(_) | Kind::Refusal(_));
        let apart = self.rule.texts == Texts::Apart && says(&part);
        let full = |last: &Turn<H>| apart && (last.parts.iter().any(says) || last.calls().next().is_some());
        let last = self.turns.last_mut().filter(|(at, last)| *at == index && last.from == turn.from && !full(last));
        if last.is_none() {
            let parts = Parts::new();
            let new = Turn {
                role: Role::Assistant,
                parts,
                origin: None,
                extras: None,
                id: None,
                touched: true,
                ..turn.share()
            };
            self.turns.push((index, new));
        }
        let at = self.turns.len() - 1;
        self.turns[at].1.parts.push(part);
        (at, self.turns[at].1.parts.len() - 1)
    }

    /// Gives a turn's other keys to its first piece, which reports them. If there is no piece, they are reported here.
    fn beside(
        &mut self,
        (index, turn): (usize, &Turn<H>),
        path: &dyn Fn() -> Path,
        losses: &mut Losses,
    ) -> Result<(), Error> {
        let extras = self.extras(turn.extras.as_deref(), turn);
        match self.turns.iter_mut().find(|(at, first)| *at == index && first.from == turn.from) {
            Some((_, first)) => first.extras = extras,
            None => keys_lost(extras.as_deref(), path, losses)?,
        }
        Ok(())
    }

    /// Unknown keys that add to the content.
    fn extras(&self, extras: Option<&Extras<H>>, turn: &Turn<H>) -> Option<Box<Extras<H>>> {
        let input = turn.input.as_ref();
        let is = |name: &str| self.source.keys.knows(name);
        // Known as a key, or by all keys of the object under it.
        let known = |(key, raw): &&(Text<H>, Raw<H>)| {
            let name = key.to_str(input);
            let inner = |(key, _): &(Text<H>, Value<H>)| is(&format!("{name}.{}", key.to_str(None)));
            let all = |entries: &[(Text<H>, Value<H>)]| !entries.is_empty() && entries.iter().all(inner);
            is(&name) || matches!(raw.to_value(input), Ok(Value::Map(entries)) if all(&entries))
        };
        let kept: Extras<H> =
            extras?.iter().filter(|entry| !known(entry)).map(|(key, raw)| (key.share(), raw.share())).collect();
        (!kept.is_empty()).then(|| Box::new(kept))
    }

    /// Joins all texts into the first one.
    fn join(&mut self) -> Result<(), Error> {
        let (Some((turn, part)), [_, _, ..]) = (self.text, self.texts.as_slice()) else { return Ok(()) };
        let text = joined(&self.texts, "")?;
        let part = &mut self.turns[turn].1.parts[part];
        (part.kind, part.origin, part.touched) = (Kind::Text(text), None, true);
        Ok(())
    }
}

/// The key of a text's citations, if it has some.
fn cites<H: Host>(turn: &Turn<H>, part: &Part<H>) -> Option<&'static str> {
    let key = turn.from.facts.cites?.key;
    let input = turn.input.as_ref();
    let said = |(name, raw): &(Text<H>, Raw<H>)| name.is(key, input) && !raw.says_nothing(input);
    passages::beside(part).any(said).then_some(key)
}

/// Reports keys that the target cannot hold.
fn keys_lost<H: Host>(extras: Option<&Extras<H>>, path: &dyn Fn() -> Path, losses: &mut Losses) -> Result<(), Error> {
    for (key, _) in extras.into_iter().flatten().filter(|(_, raw)| !raw.says_nothing(None)) {
        let name = key.to_str(None);
        let reason = rules::no_place_for_key(&name);
        losses.lost(Edit::Key, path().then(Step::Name(name.as_ref().into())), reason)?;
    }
    Ok(())
}

/// Texts as one, with something between them.
pub(super) fn joined<H: Host>(texts: &[Text<H>], between: &str) -> Result<Text<H>, Error> {
    if let [one] = texts {
        return Ok(one.share());
    }
    let mut whole = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        if at > 0 {
            whole.extend_from_slice(between.as_bytes());
        }
        whole.extend_from_slice(&text.wtf8(None));
    }
    H::text(&whole)
}
