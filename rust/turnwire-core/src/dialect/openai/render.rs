//! Writing Chat Completions messages.

#[allow(clippy::wildcard_imports, reason = "the keys of this format, declared next door")]
use super::*;
use super::{
    super::{DialectId, limits::ReasoningRule, system, write::Where},
    media::Shown,
    result::Moved,
};
use crate::{
    handle::{Raw, Text},
    links::Links,
    loss::LossCode,
    part::Kind,
    surrogate,
    tool::Call,
    turn::Role,
};

/// A turn with its index.
pub(super) type At<'a, H> = (usize, &'a Turn<H>);

pub(super) fn turns<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>) -> Result<(), Error> {
    if !w.conversation.frame.from.same_wire(w.target.id) {
        top_system(w)?;
    }
    let turns = &w.conversation.turns;
    let links = Links::of(w.conversation, w.target.limits, |turn| w.replays(turn));
    let mut page = Page { w, links, moved: Moved::new() };
    let mut index = 0;
    while let Some(turn) = turns.get(index) {
        if turn.results().next().is_none() {
            page.moved_message();
        }
        let start = index;
        index += 1;
        if page.w.replay(turn, start)? {
            continue;
        }
        page.w.out.scope(turn.input.as_ref());
        for (at, part) in turn.parts.iter().enumerate() {
            if let Kind::Result(result) = &part.kind {
                page.result((start, turn), at, result)?;
            }
        }
        if is_split(turn, page.w.target.id) {
            page.w.results_first(turn, start);
            page.w.rest_lost(turn, start)?;
        }
        if turn.parts.is_empty() || turn.parts.iter().any(|part| !matches!(part.kind, Kind::Result(_))) {
            page.moved_message();
            // Results must follow the message of their calls, so what the assistant adds goes into that message.
            while page.continues(&turns[start..], index - start) {
                index += 1;
            }
            page.message(&turns[start..index], start)?;
        }
        page.w.checked_run(turn, start, index - 1)?;
    }
    page.moved_message();
    Ok(())
}

/// System text that another dialect keeps beside its list becomes the first message.
fn top_system<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>) -> Result<(), Error> {
    let texts = system::top(w)?;
    if texts.is_empty() {
        return Ok(());
    }
    w.out.open_map();
    w.out.key(&ROLE);
    w.out.literal(&SYSTEM);
    w.out.key(&CONTENT);
    if let [one] = texts.as_slice() {
        w.out.scope(one.input);
        w.out.text(one.text);
    } else {
        w.out.open_list();
        for one in &texts {
            w.out.scope(one.input);
            text_part(w, one.text);
            w.out.close();
        }
        w.out.close();
    }
    w.out.close();
    w.replaced(surrogate::place_in_top_system);
    Ok(())
}

/// The list of messages while it is written.
pub(super) struct Page<'p, 'a, H: Host, K: Sink<H>> {
    pub(super) w: &'p mut Writer<'a, H, K>,
    pub(super) links: Links<'a, H>,
    /// Media of the results since the last message of another kind.
    pub(super) moved: Moved<'a, H>,
}

/// One item of a content list, or the whole content where it is one text.
enum Said<'a, H: Host> {
    Text(&'a Text<H>),
    Json(&'a Raw<H>),
    Media(Shown<'a, H>),
    Raw(&'a Raw<H>),
}

/// Whether the results of a turn are messages of their own here, and were not where it comes from: what it holds beside its
/// parts is reported with them.
fn is_split<H: Host>(turn: &Turn<H>, target: DialectId) -> bool {
    !turn.from.same_wire(target) && turn.results().next().is_some()
}

/// What an assistant or user says, sorted by where it stands in a message.
struct Spoken<'a, H: Host> {
    content: Vec<(At<'a, H>, usize, Said<'a, H>)>,
    refusal: Option<&'a Text<H>>,
    /// Parts that have a key of their own in the dialect they came from, which is this one.
    keyed: Vec<(At<'a, H>, &'a Part<H>)>,
    calls: Vec<(At<'a, H>, usize, &'a Call<H>)>,
}

impl<'a, H: Host, K: Sink<H>> Page<'_, 'a, H, K> {
    /// Whether the turn at `next` belongs into the message of the one before it.
    fn continues(&self, turns: &[&Turn<H>], next: usize) -> bool {
        let Some(([.., before], one)) =
            turns.split_at_checked(next).and_then(|(head, tail)| Some((head, tail.first()?)))
        else {
            return false;
        };
        let joins = |turn: &Turn<H>| turn.role == Role::Assistant && !turn.from.same_wire(self.w.target.id);
        joins(before) && joins(one) && before.calls().next().is_some() && one.results().next().is_none()
    }

    /// Everything of these turns but their results, as one message.
    fn message(&mut self, turns: &[&'a Turn<H>], start: usize) -> Result<(), Error> {
        let Some(first) = turns.first() else { return Ok(()) };
        let mut spoken = Spoken { content: Vec::new(), refusal: None, keyed: Vec::new(), calls: Vec::new() };
        for (offset, turn) in turns.iter().enumerate() {
            self.sort((start + offset, turn), &mut spoken)?;
        }
        let path = || first.path(start);
        let target = self.w.target.id;
        let whole = || {
            let indexed = turns.iter().enumerate().map(|(offset, turn)| (start + offset, *turn));
            indexed.filter(|(_, turn)| !is_split(turn, target))
        };
        let empty = spoken.content.is_empty() && spoken.calls.is_empty() && spoken.keyed.is_empty();
        if empty && spoken.refusal.is_none() && turns.iter().any(|turn| !turn.parts.is_empty()) {
            return whole().try_for_each(|(index, turn)| self.w.empty_turn(turn, index));
        }
        self.w.out.open_map();
        self.w.out.key(&ROLE);
        self.w.out.literal(match first.role {
            Role::System => &SYSTEM,
            Role::Developer => &DEVELOPER,
            Role::Assistant => &ASSISTANT,
            Role::User | Role::Tool => &USER,
        });
        if first.role == Role::Assistant {
            self.stand_in(&spoken, &path);
        }
        self.write(&spoken)?;
        for (index, turn) in whole() {
            self.w.out.scope(turn.input.as_ref());
            self.w.turn_id_lost(turn, index)?;
            self.w.extras(turn, turn.extras.as_deref(), &|| turn.path(index))?;
        }
        self.w.out.close();
        Ok(())
    }

    /// Sorts the parts of a turn. Losses are reported here, before anything is written.
    fn sort(&mut self, (index, turn): At<'a, H>, spoken: &mut Spoken<'a, H>) -> Result<(), Error> {
        for (at, part) in turn.parts.iter().enumerate() {
            let own = self.w.part_origin(turn, part).is_some() && self.links.renamed(index, at).is_none();
            let keyed = own && part.place.index.is_none();
            match &part.kind {
                Kind::Result(_) => {}
                Kind::Text(text) if keyed => spoken.content.push(((index, turn), at, Said::Text(text))),
                _ if keyed => spoken.keyed.push(((index, turn), part)),
                Kind::Call(call) => {
                    self.w.name(&call.name, turn.input.as_ref(), &|| turn.part_path(index, at))?;
                    spoken.calls.push(((index, turn), at, call));
                }
                Kind::Refusal(text) if spoken.refusal.is_none() && turn.role == Role::Assistant && !own => {
                    spoken.refusal = Some(text);
                }
                _ => {
                    let Some(said) = self.said((index, turn), at, part)? else { continue };
                    if !spoken.calls.is_empty() {
                        let path = || turn.part_path(index, at);
                        self.w.losses.changed(
                            LossCode::Order,
                            path(),
                            "the target writes text before the calls of a turn",
                        );
                    }
                    spoken.content.push(((index, turn), at, said));
                }
            }
        }
        Ok(())
    }

    /// What of a part can be said in a content list, or `None` where a loss says why not.
    fn said(&mut self, (index, turn): At<'a, H>, at: usize, part: &'a Part<H>) -> Result<Option<Said<'a, H>>, Error> {
        if let Some(raw) = self.w.part_origin(turn, part) {
            return Ok(Some(Said::Raw(raw)));
        }
        let path = || turn.part_path(index, at);
        let input = turn.input.as_ref();
        Ok(match &part.kind {
            Kind::Text(text) => Some(Said::Text(text)),
            Kind::Refusal(text) => {
                self.w.losses.changed(LossCode::Refusal, path(), "the target has no refusal here");
                Some(Said::Text(text))
            }
            Kind::Json(raw) => {
                self.w.losses.changed(LossCode::JsonAsText, path(), "the target takes JSON as text");
                Some(Said::Json(raw))
            }
            Kind::Media(_) if turn.role != Role::User => {
                self.w.losses.lost(LossCode::Media, path(), "the target takes media from the user only")?;
                None
            }
            Kind::Media(media) => self.shown(media, input, &path)?.map(Said::Media),
            Kind::Reasoning(thought) => self.w.reasoning(thought, input, &path)?.map(Said::Text),
            Kind::Opaque(name) => {
                self.w.opaque(name, input, &path)?;
                None
            }
            Kind::Call(_) | Kind::Result(_) => None,
        })
    }

    /// Some servers refuse an assistant message without their reasoning key once thinking is on.
    fn stand_in(&mut self, spoken: &Spoken<'a, H>, path: Where<'_>) {
        let ReasoningRule::Sentinel(word) = self.w.target.limits.reasoning else { return };
        if spoken.keyed.iter().all(|(_, part)| part.place.key != Some(word)) {
            self.w.out.key(&REASONING_CONTENT);
            self.w.out.literal(&EMPTY);
            self.w.losses.changed(LossCode::StandIn, path(), "the target wants this key on every assistant message");
        }
    }

    fn write(&mut self, spoken: &Spoken<'a, H>) -> Result<(), Error> {
        self.w.out.key(&CONTENT);
        match spoken.content.as_slice() {
            [] if spoken.calls.is_empty() && spoken.refusal.is_none() => self.w.out.literal(&EMPTY),
            [] => self.w.out.null(),
            [((index, turn), at, Said::Text(text))] if self.plain(turn, *at) => {
                self.w.out.scope(turn.input.as_ref());
                self.w.out.text(text);
                self.part_extras((*index, turn), *at)?;
            }
            several => {
                self.w.out.open_list();
                for ((index, turn), at, said) in several {
                    self.w.out.scope(turn.input.as_ref());
                    match said {
                        Said::Raw(raw) => {
                            self.w.out.raw(raw);
                            continue;
                        }
                        Said::Text(text) => text_part(self.w, text),
                        Said::Json(raw) => {
                            self.w.out.open_map();
                            self.w.out.key(&TYPE);
                            self.w.out.literal(&TEXT);
                            self.w.out.key(&TEXT);
                            self.w.out.raw_as_text(raw);
                        }
                        Said::Media(shown) => self.begin_media(shown),
                    }
                    self.part_extras((*index, turn), *at)?;
                    self.w.out.close();
                }
                self.w.out.close();
            }
        }
        if let Some(text) = spoken.refusal {
            self.w.out.key(&REFUSAL);
            self.w.out.text(text);
        }
        for ((_, turn), part) in &spoken.keyed {
            if let (Some(raw), Some(key)) = (&part.origin, part.place.key) {
                self.w.out.scope(turn.input.as_ref());
                self.w.out.key_text(&Text::own(key));
                self.w.out.raw(raw);
            }
        }
        if let Some(call) = self.legacy_call(spoken) {
            // A call of the legacy form stays one: its result is told by name as well.
            self.w.out.key(&FUNCTION_CALL);
            self.w.out.open_map();
            self.w.out.key(&NAME);
            self.w.out.text(&call.name);
            self.w.out.key(&ARGUMENTS);
            self.w.args_as_text(&call.args, true);
            self.w.out.close();
        } else if !spoken.calls.is_empty() {
            self.w.out.key(&TOOL_CALLS);
            self.w.out.open_list();
            for ((index, turn), at, call) in &spoken.calls {
                self.w.out.scope(turn.input.as_ref());
                self.tool_call((*index, turn), *at, call)?;
            }
            self.w.out.close();
        }
        Ok(())
    }

    fn legacy_call(&self, spoken: &Spoken<'a, H>) -> Option<&'a Call<H>> {
        let [((_, turn), at, call)] = spoken.calls.as_slice() else { return None };
        let place = turn.parts.get(*at)?.place;
        (place.key == Some(FUNCTION_CALL.name) && turn.from.same_wire(self.w.target.id)).then_some(call)
    }

    /// Whether a text may stand alone: it did, or it comes from elsewhere. A list stays a list, whatever changed in it.
    fn plain(&self, turn: &Turn<H>, at: usize) -> bool {
        !turn.from.same_wire(self.w.target.id) || turn.parts.get(at).is_none_or(|part| part.place.index.is_none())
    }

    /// Writes or reports the keys that nobody knows of a part.
    fn part_extras(&mut self, (index, turn): At<'_, H>, at: usize) -> Result<(), Error> {
        match turn.parts.get(at).and_then(|part| part.extras.as_deref()) {
            None => Ok(()),
            extras => {
                let path = || turn.part_path(index, at);
                self.w.extras(turn, extras, &path)
            }
        }
    }

    /// `{"id", "type": "function", "function": {"name", "arguments"}}`
    fn tool_call(&mut self, (index, turn): At<'a, H>, at: usize, call: &Call<H>) -> Result<(), Error> {
        let origin = turn.parts.get(at).and_then(|part| self.w.part_origin(turn, part));
        if let Some(raw) = origin.filter(|_| self.links.renamed(index, at).is_none()) {
            self.w.out.raw(raw);
            return Ok(());
        }
        let path = || turn.part_path(index, at);
        let outer = if call.custom { &CUSTOM } else { &FUNCTION };
        if call.made_up_id {
            self.w.losses.changed(LossCode::Id, path(), "the call came without an id");
        }
        self.w.out.open_map();
        self.w.out.key(&ID);
        self.w.id(&self.links, (index, at), &call.id, &path);
        self.w.out.key(&TYPE);
        self.w.out.literal(outer);
        self.w.out.key(outer);
        self.w.out.open_map();
        self.w.out.key(&NAME);
        self.w.out.text(&call.name);
        self.w.out.key(if call.custom { &INPUT } else { &ARGUMENTS });
        self.w.args_as_text(&call.args, call.custom || turn.from.same_wire(self.w.target.id));
        self.w.out.close();
        self.part_extras((index, turn), at)?;
        self.w.out.close();
        Ok(())
    }
}

/// Begins `{"type": "text", "text": …}`; the caller closes it.
pub(super) fn text_part<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, text: &Text<H>) {
    w.out.open_map();
    w.out.key(&TYPE);
    w.out.literal(&TEXT);
    w.out.key(&TEXT);
    w.out.text(text);
}
