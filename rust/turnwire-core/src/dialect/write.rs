//! What every renderer needs: the sink, the losses, and the questions that are the same for all dialects.

use super::{
    DialectId, Target,
    limits::{ArgsForm, Limits, MessageId, ReasoningRule, SystemPlace},
    outline::{self, At, DocumentNames, Item, Message},
    system,
};
use crate::{
    conversation::View,
    entity::Entity,
    error::{Code, Error},
    handle::{Host, Input, Raw, Text},
    json::{self, compact::Numbers},
    links::Links,
    loss::{LossCode, Losses},
    node::ArgsState,
    part::{Extras, Kind, Part, Reasoning},
    path::{Path, Step},
    provenance::Provenance,
    surrogate,
    tool::{Args, Call},
    turn::{Role, Turn},
    value::{Piece, Sink, keys},
};

keys! {
    INPUT = "input";
    EMPTY_OBJECT = "{}";
    BODY = "body";
    ID = "id";
}

/// Where something is, worked out only when something must be said about it.
pub(crate) type Where<'a> = &'a dyn Fn() -> Path;

/// What is written around a message, with what its spans point into.
pub(crate) enum Around<'a, H: Host> {
    /// The entity that it came in.
    Entity(&'a Entity<H>, Option<&'a Input>),
    /// An id, in an entity of nothing else.
    Id(&'a Text<H>, Option<&'a Input>),
}

/// A rendering under way.
pub(crate) struct Writer<'a, H: Host, K: Sink<H>> {
    pub(crate) conversation: &'a View<'a, H>,
    pub(crate) target: Target<'a>,
    pub(crate) losses: &'a mut Losses,
    pub(crate) out: &'a mut K,
    /// Who answers whom, and the ids that are not what they were.
    pub(crate) links: Links<'a, H>,
    /// Whether what came in an entity is written in it, though the format has none.
    pub(crate) in_entities: bool,
    /// Whether all system text is put in front.
    gathers: bool,
    /// How many messages are written.
    pub(crate) written: usize,
    /// Which turns each element of the list is written from, and which stand beside it.
    pub(crate) provenance: Provenance,
    /// What documents are called so far.
    pub(crate) documents: DocumentNames,
    /// How many lone surrogates became U+FFFD outside the sink, and how many are reported.
    made: usize,
    reported: usize,
}

impl<'a, H: Host, K: Sink<H>> Writer<'a, H, K> {
    pub(crate) fn new(
        conversation: &'a View<'a, H>,
        target: Target<'a>,
        losses: &'a mut Losses,
        out: &'a mut K,
    ) -> Self {
        let gathers = target.limits.system == SystemPlace::First && system::gathers(&conversation.turns, target.id);
        Self {
            conversation,
            target,
            losses,
            out,
            gathers,
            links: Links::none(conversation),
            written: 0,
            provenance: Provenance::default(),
            documents: DocumentNames::none(),
            in_entities: false,
            made: 0,
            reported: 0,
        }
    }

    /// Whether the turn goes back as the wire value it came from.
    pub(crate) fn replays(&self, turn: &Turn<H>) -> bool {
        replays(&self.target, turn)
    }

    /// Writes the wire value of a turn that [goes back as it came](Self::replays). A fault names the turn.
    pub(crate) fn replay(&mut self, turn: &Turn<H>, index: usize) -> Result<(), Error> {
        let entity = turn.entity.as_ref().filter(|_| self.stores()).map(|entity| &entity.origin);
        let Some(origin) = entity.or(turn.origin.as_ref()) else { return Ok(()) };
        if entity.is_none() {
            self.entity_lost(turn, index)?;
        }
        self.out.scope(turn.input.as_ref());
        self.out.raw(origin);
        self.provenance.sources.push([index].into());
        self.checked(turn, index)
    }

    /// The first fault of the sink, at the turn that was written; lone surrogates are reported.
    pub(crate) fn checked(&mut self, turn: &Turn<H>, index: usize) -> Result<(), Error> {
        self.checked_run(turn, index, index)
    }

    /// The same where turns up to the one at `last` were written with it.
    pub(crate) fn checked_run(&mut self, turn: &Turn<H>, index: usize, last: usize) -> Result<(), Error> {
        self.replaced(|conversation| {
            surrogate::turn_places(conversation, index..=last).next().unwrap_or_else(|| turn.path(index))
        });
        match self.out.fault() {
            None => Ok(()),
            Some(fault) => {
                let path = turn.path(index).join(fault.path());
                Err(fault.at_path(path))
            }
        }
    }

    /// Reports the lone surrogates that became U+FFFD since the last time. The sink counts them as it writes, so this costs
    /// nothing where there are none.
    #[inline]
    pub(crate) fn replaced(&mut self, place: impl FnOnce(&View<'_, H>) -> Path) {
        let all = self.out.replaced() + self.made;
        if all > self.reported {
            let reason = format!("halves of characters that became U+FFFD: {}", all - self.reported);
            self.reported = all;
            self.losses.changed(LossCode::Surrogate, place(self.conversation), reason);
        }
    }

    /// A text of WTF-8 bytes; its lone surrogates survive if the host has strings for them, and are reported if not.
    pub(crate) fn text_of(&mut self, wtf8: &[u8]) -> Result<Text<H>, Error> {
        let text = H::text(wtf8)?;
        if !text.has_lone_surrogate() {
            self.made += wtf8.windows(2).filter(|pair| pair[0] == 0xED && pair[1] >= 0xA0).count();
        }
        Ok(text)
    }

    /// A value as compact JSON text, the same whichever door it came by; its lone surrogates are reported.
    pub(crate) fn json_of(&mut self, raw: &Raw<H>, input: Option<&Input>) -> Result<String, Error> {
        let mut out = Vec::new();
        self.made += json::compact::raw(raw, input, Numbers::Spelled, &mut out)?;
        Ok(String::from_utf8_lossy(&out).into_owned())
    }

    /// Writes a JSON value as compact text.
    pub(crate) fn json_text(&mut self, raw: &Raw<H>, input: Option<&Input>) {
        match raw {
            // What a host holds has no white space.
            Raw::Tree(_) | Raw::Loan(_) => self.out.raw_as_text(raw),
            Raw::Span(_) | Raw::Own(_) => match self.json_of(raw, input) {
                Ok(json) => self.out.pieces(&[Piece::Str(&json)]),
                // It was JSON when it was read: whatever it is now is the sink's to refuse.
                Err(_) => self.out.raw_as_text(raw),
            },
        }
    }

    /// The system turns that cannot stay where they are, each with its index.
    pub(crate) fn hoisted(&self) -> impl Iterator<Item = At<'a, H>> + use<'_, 'a, H, K> {
        let turns: &'a [&'a Turn<H>] = match self.target.limits.system {
            SystemPlace::Anywhere => &[],
            SystemPlace::First | SystemPlace::Top | SystemPlace::Nowhere => &self.conversation.turns,
        };
        turns.iter().enumerate().map(|(index, turn)| (index, *turn)).filter(|at| self.is_hoisted(*at))
    }

    /// Whether a turn is system text that cannot stay where it is.
    pub(crate) fn is_hoisted(&self, (index, turn): At<'_, H>) -> bool {
        if !turn.role.is_system() {
            return false;
        }
        let own = turn.from.same_wire(self.target.id);
        match self.target.limits.system {
            SystemPlace::Anywhere => false,
            SystemPlace::First => self.gathers,
            SystemPlace::Top => {
                !own || turn.touched && !system::may_stay(&self.conversation.turns, index, |turn| self.says(turn))
            }
            SystemPlace::Nowhere => !own,
        }
    }

    /// The last turn of which anything will be written.
    pub(crate) fn last_said(&self) -> Option<usize> {
        let mut turns = self.conversation.turns.iter().enumerate().rev();
        turns.find(|(index, turn)| !self.is_hoisted((*index, turn)) && self.says(turn)).map(|(index, _)| index)
    }

    /// The last turn in which the user says something beside results.
    pub(crate) fn last_asked(&self) -> Option<usize> {
        let as_text = self.target.options.reasoning_as_text;
        self.conversation
            .turns
            .iter()
            .rposition(|turn| asks(turn, self.target.limits, as_text, |part| self.part_origin(turn, part).is_some()))
    }

    /// Whether anything of a turn will be written.
    pub(crate) fn says(&self, turn: &Turn<H>) -> bool {
        self.replays(turn)
            || says(turn, self.target.limits, self.target.options.reasoning_as_text, |part| {
                self.part_origin(turn, part).is_some()
            })
    }

    /// Reports the turn's own id, which the target has no place for.
    pub(crate) fn turn_id_lost(&mut self, turn: &Turn<H>, index: usize) -> Result<(), Error> {
        match &turn.id {
            Some(id) if !id.is_empty() => {
                self.losses.lost(LossCode::Id, turn.path(index), "the target's messages have no id")
            }
            _ => Ok(()),
        }
    }

    /// Whether messages are written in entities.
    pub(crate) fn stores(&self) -> bool {
        self.in_entities || self.target.limits.message_id == MessageId::Entity
    }

    /// Begins what is written around a message.
    pub(crate) fn open_entity(&mut self, around: Option<&Around<'a, H>>) {
        let Some(around) = around else { return };
        self.out.open_map();
        match around {
            Around::Entity(Entity { raw_id: None, .. }, _) => {}
            Around::Entity(Entity { raw_id: Some(id), .. }, input) => {
                self.out.scope(*input);
                self.out.key(&ID);
                self.out.raw(id);
            }
            Around::Id(id, input) => {
                self.out.scope(*input);
                self.out.key(&ID);
                self.out.text(id);
            }
        }
        self.out.key(&BODY);
    }

    /// Ends it, with the keys that nobody knows.
    pub(crate) fn close_entity(&mut self, around: Option<&Around<'a, H>>) {
        if let Some(Around::Entity(entity, input)) = around
            && let Some(extras) = &entity.extras
        {
            self.out.scope(*input);
            self.write_extras(extras);
        }
        if around.is_some() {
            self.out.close();
        }
    }

    /// Reports what surrounded a message in its entity, for a target that has none.
    pub(crate) fn entity_lost(&mut self, turn: &Turn<H>, index: usize) -> Result<(), Error> {
        let Some(entity) = &turn.entity else { return Ok(()) };
        let path = || Path::element(turn.list, index);
        if entity.raw_id.as_ref().is_some_and(|id| !id.says_nothing(turn.input.as_ref())) {
            self.losses.lost(LossCode::Id, path().then(Step::Key(ID.name)), "the target's messages have no entity")?;
        }
        self.extras_lost(entity.extras.as_deref(), turn.input.as_ref(), &path)
    }

    /// Reports what a turn of another format holds beside its parts, for a target that has no place for it.
    pub(crate) fn rest_lost(&mut self, turn: &Turn<H>, index: usize) -> Result<(), Error> {
        self.turn_id_lost(turn, index)?;
        self.entity_lost(turn, index)?;
        self.extras_lost(turn.extras.as_deref(), turn.input.as_ref(), &|| turn.path(index))
    }

    /// Reports a turn that losses have emptied, and what it held beside its parts.
    pub(crate) fn empty_turn(&mut self, turn: &Turn<H>, index: usize) -> Result<(), Error> {
        self.losses.changed(LossCode::EmptyTurn, turn.path(index), "nothing of this turn is left to say");
        self.rest_lost(turn, index)
    }

    /// Reports what stood before a result in one list with it: the target wants the results first.
    pub(crate) fn results_first(&mut self, turn: &Turn<H>, index: usize) {
        let Some(end) = turn.parts.iter().rposition(|part| matches!(part.kind, Kind::Result(_))) else { return };
        let list = turn.parts.get(end).map(|part| part.place.key);
        for (at, part) in turn.parts.iter().enumerate().take(end) {
            let said = matches!(part.kind, Kind::Text(_) | Kind::Refusal(_) | Kind::Media(_) | Kind::Json(_));
            if said && Some(part.place.key) == list {
                let reason = "the target wants the results of tools before all else";
                self.losses.changed(LossCode::Order, turn.part_path(index, at), reason);
            }
        }
    }

    /// The wire value of a part that [goes back](goes_back) as it came.
    pub(crate) fn part_origin<'p>(&self, turn: &Turn<H>, part: &'p Part<H>) -> Option<&'p Raw<H>> {
        part.origin.as_ref().filter(|_| goes_back(turn, part, self.target.id))
    }

    /// Reports a text that the target refuses because nothing can be seen of it. Empty text says nothing, so it is no loss.
    pub(crate) fn blank(&mut self, text: &Text<H>, input: Option<&Input>, at: Where<'_>) -> Result<bool, Error> {
        if self.target.limits.blank_text || !text.is_blank(input) {
            return Ok(false);
        }
        let reason = "the target refuses text without a visible character";
        if text.is_empty() {
            self.losses.changed(LossCode::EmptyText, at(), reason);
        } else {
            self.losses.lost(LossCode::EmptyText, at(), reason)?;
        }
        Ok(true)
    }

    /// Reasoning that the target cannot replay: the text to write for it, if the caller wants one, or a loss.
    pub(crate) fn reasoning<'p>(
        &mut self,
        thought: &'p Reasoning<H>,
        input: Option<&Input>,
        at: Where<'_>,
    ) -> Result<Option<&'p Text<H>>, Error> {
        match &thought.text {
            Some(text) if self.target.options.reasoning_as_text && !text.is_blank(input) => {
                self.losses.changed(LossCode::Reasoning, at(), "reasoning of another dialect became text");
                Ok(Some(text))
            }
            _ => {
                let reason = "only the dialect that made it can replay reasoning";
                self.losses.lost(LossCode::Reasoning, at(), reason).map(|()| None)
            }
        }
    }

    /// Reports a part that only its own dialect knows.
    pub(crate) fn opaque(&mut self, name: &Text<H>, input: Option<&Input>, at: Where<'_>) -> Result<(), Error> {
        let reason = format!("only its own dialect knows {:?}", name.to_str(input));
        self.losses.lost(LossCode::Opaque, at(), reason)
    }

    /// An error where the target refuses a tool's name.
    pub(crate) fn name(&self, name: &Text<H>, input: Option<&Input>, at: Where<'_>) -> Result<(), Error> {
        if self.target.limits.name.allows(&name.wtf8(input)) {
            return Ok(());
        }
        let text = format!("the target refuses {:?} as the name of a tool", name.to_str(input));
        Err(Error::new(Code::Refused, text).at_path(at()))
    }

    /// Writes the id of a call or result, and says where it is not the id that came.
    pub(crate) fn id(&mut self, item: &Item<'_, H>, id: &Text<H>) {
        if self.links.renamed(item.site.0, item.site.1).is_none() {
            return self.out.text(id);
        }
        let path = self.path_of(item);
        self.losses.changed(LossCode::Id, path, "the target refuses this id, or has it already");
        if let Some(new) = self.links.renamed(item.site.0, item.site.1) {
            self.out.text(new);
        }
    }

    /// The id of a result as it is written, for a line that names it.
    pub(crate) fn id_of<'i>(&'i self, item: &Item<'_, H>, id: &'i Text<H>) -> &'i Text<H> {
        self.links.renamed(item.site.0, item.site.1).unwrap_or(id)
    }

    /// Reports keys that the target does not have. `null` and the empty list say nothing, so they are no loss.
    pub(crate) fn extras_lost(
        &mut self,
        extras: Option<&Extras<H>>,
        input: Option<&Input>,
        at: Where<'_>,
    ) -> Result<(), Error> {
        extras.into_iter().flatten().try_for_each(|(key, raw)| self.extra_lost((key, raw), input, at))
    }

    pub(crate) fn extra_lost(
        &mut self,
        (key, raw): (&Text<H>, &Raw<H>),
        input: Option<&Input>,
        at: Where<'_>,
    ) -> Result<(), Error> {
        if raw.says_nothing(input) {
            return Ok(());
        }
        let key = key.to_str(input);
        let reason = format!("the target has no place for the key {key:?}");
        self.losses.lost(LossCode::Key, at().then(Step::Name(key.as_ref().into())), reason)
    }

    /// Writes keys that nobody knows, behind the known ones.
    pub(crate) fn write_extras(&mut self, extras: &Extras<H>) {
        for (key, raw) in extras {
            self.out.key_text(key);
            self.out.raw(raw);
        }
    }

    /// Writes the keys that nobody knows of an item of the target's own format.
    #[inline]
    pub(crate) fn item_extras(&mut self, item: &Item<'_, H>) {
        if let Some(extras) = item.extras() {
            self.write_extras(extras);
        }
    }

    /// The same of the object inside it.
    #[inline]
    pub(crate) fn inner_extras(&mut self, item: &Item<'_, H>) {
        if let Some(extras) = item.inner_extras() {
            self.write_extras(extras);
        }
    }

    /// Writes the keys that nobody knows of a message of the target's own format.
    #[inline]
    pub(crate) fn message_extras(&mut self, message: &Message<'_, H>) {
        if let Some((extras, input)) = message.extras(self.target.id) {
            self.out.scope(input);
            self.write_extras(extras);
        }
    }

    /// Writes the arguments of a call in the form that the target's row names.
    pub(crate) fn args(&mut self, item: &Item<'_, H>, call: &Call<H>) -> Result<(), Error> {
        let free_text = call.custom && self.target.limits.free_text;
        match (self.target.limits.args, &call.args) {
            (_, Args::Text(text)) if free_text => self.out.text(text),
            // Read back, free text would be arguments that are no JSON.
            (_, Args::Text(_)) if call.custom => return self.args_as_object(item, call),
            (ArgsForm::Text, args) => self.args_as_text(args, item.own),
            (ArgsForm::Either, Args::Text(text)) if call.args.state(item.input) != ArgsState::Object => {
                self.out.text(text);
            }
            (ArgsForm::Object | ArgsForm::Either, _) => return self.args_as_object(item, call),
        }
        Ok(())
    }

    /// Writes arguments as a JSON object. What is none is a loss, and the object stays empty.
    fn args_as_object(&mut self, item: &Item<'_, H>, call: &Call<H>) -> Result<(), Error> {
        let input = item.input;
        match &call.args {
            Args::Text(text) if call.custom => {
                let reason = "the target has no tools with free text: it is in a key";
                self.losses.changed(LossCode::Arguments, self.path_of(item), reason);
                self.out.open_map();
                self.out.key(&INPUT);
                self.out.text(text);
                self.out.close();
                return Ok(());
            }
            Args::Text(text) => match self.out.text_as_raw(text) {
                ArgsState::Object => return Ok(()),
                ArgsState::Invalid | ArgsState::Incomplete => {}
            },
            Args::Value(raw) if raw.is_map(input) => {
                self.out.raw(raw);
                return Ok(());
            }
            Args::Value(_) => {
                self.out.open_map();
                self.out.close();
            }
        }
        let got = match &call.args {
            Args::Text(text) => text.head(80, input),
            Args::Value(_) => "another value".to_owned(),
        };
        let reason = format!("the target takes nothing but a JSON object as arguments, got {got:?}");
        self.losses.lost(LossCode::Arguments, self.path_of(item), reason)
    }

    /// Writes arguments as JSON text. No text at all is the empty object, unless it came from this very format.
    fn args_as_text(&mut self, args: &Args<H>, own: bool) {
        match args {
            Args::Text(text) if text.is_empty() && !own => self.out.literal(&EMPTY_OBJECT),
            Args::Text(text) => self.out.text(text),
            Args::Value(raw) => self.out.raw_as_text(raw),
        }
    }
}

/// Whether the turn goes back to the target as the wire value it came from. Another profile of the same format takes a turn
/// too, unless its reasoning is at stake.
pub(crate) fn replays<H: Host>(target: &Target<'_>, turn: &Turn<H>) -> bool {
    let as_it_came = !turn.touched && turn.origin.is_some();
    as_it_came && (turn.from == target.id || turn.from.same_wire(target.id) && !reasoning_matters(target.limits, turn))
}

/// Whether a part is for the very profile that it came from: what a model thought, or a signature.
fn bound<H: Host>(part: &Part<H>) -> bool {
    part.signed || matches!(part.kind, Kind::Reasoning(_))
}

/// Whether a part goes back as the wire value it came from, inside a turn that is written anew.
pub(crate) fn goes_back<H: Host>(turn: &Turn<H>, part: &Part<H>, target: DialectId) -> bool {
    let own = if bound(part) { turn.from == target } else { turn.from.same_wire(target) };
    own && !part.touched && part.origin.is_some()
}

fn reasoning_matters<H: Host>(limits: &Limits, turn: &Turn<H>) -> bool {
    let stand_in = matches!(limits.reasoning, ReasoningRule::Key(_) | ReasoningRule::Signature(_));
    turn.role == Role::Assistant && (stand_in || turn.parts.iter().any(bound))
}

/// Whether anything of a turn can be written within these limits. `replays`: whether a part goes back as it came.
pub(crate) fn says<H: Host>(
    turn: &Turn<H>,
    limits: &Limits,
    reasoning_as_text: bool,
    replays: impl Fn(&Part<H>) -> bool,
) -> bool {
    if turn.parts.is_empty() {
        return limits.blank_text;
    }
    turn.parts.iter().any(|part| replays(part) || says_part(turn, part, limits, reasoning_as_text))
}

/// Whether the user says something beside results in a turn. `replays`: whether a part goes back as it came.
pub(crate) fn asks<H: Host>(
    turn: &Turn<H>,
    limits: &Limits,
    reasoning_as_text: bool,
    replays: impl Fn(&Part<H>) -> bool,
) -> bool {
    let asks = |part: &Part<H>| replays(part) || says_part(turn, part, limits, reasoning_as_text);
    !turn.role.is_system()
        && outline::speaker(turn) != Role::Assistant
        && turn.parts.iter().any(|part| !matches!(part.kind, Kind::Result(_)) && asks(part))
}

fn says_part<H: Host>(turn: &Turn<H>, part: &Part<H>, limits: &Limits, reasoning_as_text: bool) -> bool {
    let input = turn.input.as_ref();
    let blank = |text: &Text<H>| !limits.blank_text && text.is_blank(input);
    match &part.kind {
        Kind::Text(text) | Kind::Refusal(text) => !blank(text),
        Kind::Json(_) | Kind::Call(_) | Kind::Result(_) => true,
        Kind::Reasoning(thought) => {
            reasoning_as_text && thought.text.as_ref().is_some_and(|text| !text.is_blank(input))
        }
        Kind::Media(media) => {
            (limits.media_of_all || turn.role == Role::User) && outline::takes(&limits.media, media, input)
        }
        Kind::Opaque(_) => false,
    }
}
