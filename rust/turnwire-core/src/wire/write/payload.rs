//! Writes the payload around the turns, the same way for every dialect. A payload of the same format keeps its order
//! and its wire values.

use smallvec::{SmallVec, smallvec};

mod settings;
mod tools;

use self::settings::More;
pub(crate) use self::tools::only_its_provider;
use super::{system, writer::Writer};
use crate::{
    model::{Kind, Outer, Rest, RestKey, System, surrogate},
    report::{Edit, Error, Others, Path, Place, Sources, error::Code},
    rules::{Slot, Spelling, SystemPlace},
    value::{Host, Key, Raw, Sink},
};

/// What a key of the payload is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    System,
    List,
    Tools,
    Choice,
}

/// The contents of one key of the payload, each with its spelling.
type Whats = SmallVec<[(What, &'static Spelling); 2]>;

/// Writes a payload, as a body if the format has one.
pub(crate) fn render<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>) -> Result<(), Error> {
    let slots = w.dialect.slots;
    let frame = w.p.conversation.frame;
    let own = frame.from.same_wire(w.p.target.id);
    let untouched = frame.from == w.p.target.id && w.p.conversation.list_origin.is_some();
    let is_list = is_list(w);
    let more = settings::more(w, is_list)?;
    let whole = frame.whole.as_ref().or_else(|| rest(w)?.origin.as_ref()).filter(|_| untouched && more.is_empty());
    if let Some(whole) = whole {
        w.out.scope(frame.input.as_ref());
        w.out.raw(whole);
        w.s.provenance.sources = each(w.p.conversation.turns.len());
    } else if is_list {
        w.out.scope(frame.input.as_ref());
        render_list(w)?;
        for key in rest(w).iter().flat_map(|rest| &rest.keys).filter(|key| !key.continues) {
            rest_lost(w, key, "the target's payload has no other keys")?;
        }
    } else {
        w.out.open_map();
        render_keys(w, &more)?;
        w.out.close();
    }
    w.replaced(surrogate::place);
    if w.p.target.limits.system == SystemPlace::Nowhere {
        system::all(w.p)?;
    }
    if !own {
        held_elsewhere(w)?;
    }
    // An object that is sent back unchanged already has each spelling of the choice.
    let as_it_came = |place: &str| match &frame.outer {
        Some(Outer { name, origin: Some(_), .. }) => own && place.split_once('.').is_some_and(|(top, _)| top == *name),
        _ => false,
    };
    for place in frame.unread.iter().filter(|place| whole.is_none() && !as_it_came(place)) {
        let reason = "the payload has another value under another spelling of the key";
        w.p.losses.lost(Edit::Key, Path::default().at(Place::key(place)), reason)?;
    }
    if slots.tools.is_none() && frame.tools.as_ref().is_some_and(|tools| !tools.is_empty()) {
        w.p.losses.lost(Edit::Tool, frame.tools_path(), "the target's payload has no tool definitions")?;
    }
    // Settings are translated, or left to the caller.
    let elsewhere = w.s.settings.is_some() || w.p.target.options.rest == Others::Caller;
    if let Some(outer) = frame.outer.as_ref().filter(|outer| !(own || outer.settings && elsewhere)) {
        w.p.extras_lost(outer.extras.as_deref(), frame.input.as_ref(), &|| Path::key(outer.name))?;
    }
    if slots.choice.is_none() && frame.choice.is_some() {
        w.p.losses.lost(Edit::ToolChoice, frame.choice_path(), "the target's payload has no choice of tools")?;
    }
    if w.p.target.options.names_left && w.p.target.options.rest == Others::Caller {
        let keys = frame.rest.iter().flat_map(|rest| &rest.keys).filter(|key| !key.continues);
        w.s.provenance.left = keys.map(|key| key.key.to_str(frame.input.as_ref()).into()).collect();
    }
    settings::told(w)?;
    w.out.fault().map_or(Ok(()), Err)
}

/// Whether the payload is the bare list: the dialect has no other form, or the payload did not come as a body.
fn is_list<H: Host, K: Sink<H>>(w: &Writer<'_, '_, H, K>) -> bool {
    let frame = w.p.conversation.frame;
    let came_in_body = frame.from.same_wire(w.p.target.id) && !frame.order.is_empty();
    w.dialect.slots.bare() && !came_in_body
}

/// The body's other keys, if they are written unchanged or lost.
fn rest<'a, H: Host, K: Sink<H>>(w: &Writer<'_, 'a, H, K>) -> Option<&'a Rest<H>> {
    let wanted = w.p.target.options.rest != Others::Caller && w.s.settings.is_none();
    w.p.conversation.frame.rest.as_deref().filter(|_| wanted)
}

/// Reports keys that refer to messages on another server. They are a loss if only the messages are converted. A whole
/// body is refused, because the model would answer without the history.
fn held_elsewhere<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>) -> Result<(), Error> {
    let frame = w.p.conversation.frame;
    for key in frame.rest.iter().flat_map(|rest| &rest.keys).filter(|key| key.continues) {
        let path = key.path(frame.input.as_ref());
        if w.p.target.options.rest == Others::Convert {
            let text = "only its own server has the messages that this key names: send the whole history without it";
            return Err(Error::new(Code::Refused, text).at_path(path));
        }
        w.p.losses.lost(Edit::Opaque, path, "the part of the conversation that the server keeps is not included")?;
    }
    Ok(())
}

/// Writes the keys of a payload. In its own format the other keys keep their places; elsewhere they come last.
fn render_keys<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, more: &More<H>) -> Result<(), Error> {
    let frame = w.p.conversation.frame;
    let own = frame.from.same_wire(w.p.target.id);
    let mut others = rest(w).map(|rest| rest.keys.iter()).unwrap_or_default().peekable();
    let mut written: SmallVec<[&str; 4]> = SmallVec::new();
    for (top, whats) in order(w) {
        let position = frame.order.iter().position(|name| *name == top.name).unwrap_or(usize::MAX);
        while let Some(other) = others.next_if(|other| own && other.before <= position) {
            write_rest(w, other, more)?;
        }
        let mut envelope = Envelope { w, top, more, opened: false, written: false };
        envelope.write(&whats)?;
        if envelope.written {
            written.push(top.name);
        }
    }
    for other in others {
        // State on the server is reported with the frame.
        if !own && other.continues {
            continue;
        }
        if written.iter().any(|key| other.key.is(key, frame.input.as_ref())) {
            rest_lost(w, other, "the target's payload has another meaning for this key")?;
        } else {
            write_rest(w, other, more)?;
            settings::foreign(w, other);
        }
    }
    settings::write(w, more, &written)
}

fn write_rest<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    one: &RestKey<H>,
    more: &More<H>,
) -> Result<(), Error> {
    let input = w.p.conversation.frame.input.as_ref();
    w.out.scope(input);
    w.out.key_text(&one.key);
    match settings::instead(more, one, input) {
        Some(value) => w.out.raw(&Raw::Tree(value.share())),
        None => w.out.raw(&one.value),
    }
    w.replaced(|_| one.path(input));
    w.out.fault().map_or(Ok(()), |fault| {
        let path = one.path(input).join(fault.path());
        Err(fault.at_path(path))
    })
}

fn rest_lost<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    one: &RestKey<H>,
    reason: &'static str,
) -> Result<(), Error> {
    w.p.losses.lost(Edit::Key, one.path(w.p.conversation.frame.input.as_ref()), reason)
}

/// The payload's keys with their contents, in the original order if the payload came from the same format.
fn order<H: Host, K: Sink<H>>(w: &Writer<'_, '_, H, K>) -> SmallVec<[(&'static Key, Whats); 4]> {
    let (slots, frame) = (w.dialect.slots, w.p.conversation.frame);
    let own = frame.from.same_wire(w.p.target.id);
    let each: [(What, Option<Slot>); 4] = [
        (What::System, slots.system),
        (What::List, Some(slots.list)),
        (What::Tools, slots.tools),
        (What::Choice, slots.choice),
    ];
    let mut keys: SmallVec<[(&'static Key, Whats); 4]> = SmallVec::new();
    for (what, slot) in each {
        let Some(slot) = slot else { continue };
        let spelling = frame.spelling_of(slot, own);
        match keys.iter_mut().find(|(top, _)| top.name == spelling.top().name) {
            Some((_, whats)) => whats.push((what, spelling)),
            None => keys.push((spelling.top(), smallvec![(what, spelling)])),
        }
    }
    if own {
        keys.sort_by_cached_key(|(top, _)| frame.order.iter().position(|name| *name == top.name).unwrap_or(usize::MAX));
    }
    keys
}

/// One key of the payload while it is written.
struct Envelope<'w, 'v, 'a, H: Host, K: Sink<H>> {
    w: &'w mut Writer<'v, 'a, H, K>,
    top: &'static Key,
    more: &'w More<H>,
    /// Whether the object that slots share under the key is open.
    opened: bool,
    /// Whether anything was written under the key.
    written: bool,
}

impl<H: Host, K: Sink<H>> Envelope<'_, '_, '_, H, K> {
    fn write(&mut self, whats: &[(What, &'static Spelling)]) -> Result<(), Error> {
        let frame = self.w.p.conversation.frame;
        let own = frame.from.same_wire(self.w.p.target.id);
        self.w.out.scope(frame.input.as_ref());
        let outer = frame.outer.as_ref().filter(|outer| own && outer.name == self.top.name);
        let settings = settings::inside(self.w, self.more, self.top);
        if let Some(origin) = outer.and_then(|outer| outer.origin.as_ref()).filter(|_| settings.is_none()) {
            self.written = true;
            self.w.out.key(self.top);
            self.w.out.raw(origin);
            self.w.replaced(surrogate::place_in_tools);
            return Ok(());
        }
        for (what, spelling) in whats {
            self.w.out.scope(frame.input.as_ref());
            match what {
                What::List => {
                    self.key(spelling);
                    render_list(self.w)?;
                    self.w.replaced(surrogate::place_in_turns);
                }
                What::System => {
                    self.system(spelling)?;
                    self.w.replaced(surrogate::place_in_system);
                }
                What::Tools => {
                    self.tools(spelling)?;
                    self.w.replaced(surrogate::place_in_tools);
                }
                What::Choice => {
                    self.choice(spelling)?;
                    self.w.replaced(|conversation| conversation.frame.choice_path());
                }
            }
            if let Some(fault) = self.w.out.fault() {
                return Err(fault);
            }
        }
        // Without tools, no key for them is needed.
        let needed = self.opened || whats.iter().all(|(what, _)| *what != What::Tools);
        if let Some(settings) = settings {
            self.open();
            self.w.out.scope(None);
            for (key, value) in settings.iter() {
                self.w.out.key_text(key);
                self.w.out.raw(&Raw::Tree(value.share()));
            }
        } else if let Some(extras) = outer.and_then(|outer| outer.extras.as_deref()) {
            if needed {
                self.open();
                self.w.out.scope(frame.input.as_ref());
                self.w.write_extras(extras);
            } else {
                self.w.p.extras_lost(Some(extras), frame.input.as_ref(), &|| Path::key(self.top.name))?;
            }
        }
        if self.opened {
            self.w.out.close();
        }
        Ok(())
    }

    fn open(&mut self) {
        if !self.opened {
            self.opened = true;
            self.written = true;
            self.w.out.key(self.top);
            self.w.out.open_map();
        }
    }

    /// Writes the key of the next value.
    fn key(&mut self, spelling: &Spelling) {
        self.written = true;
        if spelling.outer.is_some() {
            self.open();
        }
        self.w.out.key(spelling.key);
    }

    fn system(&mut self, spelling: &Spelling) -> Result<(), Error> {
        let conversation = self.w.p.conversation;
        let hoisted = self.w.p.hoisted().next().is_some();
        match &conversation.frame.system {
            Some(System { origin: Some(origin), .. })
                if !hoisted && conversation.frame.from.same_wire(self.w.p.target.id) =>
            {
                self.key(spelling);
                self.w.out.raw(origin);
            }
            None if !hoisted => {}
            _ => {
                let texts = system::all(self.w.p)?;
                if texts.is_empty() {
                    system::beside_lost(self.w.p, true)?;
                } else {
                    self.w.s.provenance.hoisted = self.w.p.hoisted().map(|(index, _)| index).collect();
                    self.key(spelling);
                    (self.w.dialect.system)(self.w, &texts);
                }
            }
        }
        Ok(())
    }
}

/// Each turn is a separate element.
fn each(turns: usize) -> Vec<Sources> {
    (0..turns).map(|index| smallvec![index]).collect()
}

fn render_list<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>) -> Result<(), Error> {
    let conversation = w.p.conversation;
    // System text without a separate key is written into the list.
    let joined = w.dialect.slots.system.is_none() && conversation.frame.system.is_some();
    if let Some(origin) = conversation.list_origin.filter(|_| !joined && conversation.frame.from == w.p.target.id) {
        w.out.raw(origin);
        w.s.provenance.sources = each(conversation.turns.len());
        return Ok(());
    }
    // A payload that is one text stays one text as long as its turn is untouched.
    if let [turn] = conversation.turns[..]
        && turn.lone
        && turn.origin.is_none()
        && !turn.touched
        && turn.from.same_wire(w.p.target.id)
    {
        w.out.scope(turn.input.as_ref());
        match turn.parts.first().map(|part| &part.kind) {
            Some(Kind::Text(text)) => w.out.text(text),
            _ => w.out.pieces(&[]),
        }
        w.s.provenance.sources = each(1);
        return w.checked(turn, 0);
    }
    w.out.open_list();
    w.elements()?;
    w.out.close();
    Ok(())
}
