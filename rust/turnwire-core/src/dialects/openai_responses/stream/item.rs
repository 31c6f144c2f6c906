//! Assembles one item of a streamed Responses reply: its start, its growing texts, and its end.

mod whole;

use super::super::{forms, keys as k};
use std::{borrow::Cow, collections::BTreeMap};

use super::{kinds::Growth, text::Growing};
use crate::{
    model::{Args, Event, Turn},
    report::{Error, Trail},
    rules::{CallForm, DialectId},
    value::{
        ArgsState, Host, Key, Source, Text, Tree, Value,
        json::{encode, read::args_state},
    },
    wire::stream::{
        Flow, Map, Told,
        calls::args_text,
        whole::{changed, list, word},
    },
};

/// Parts by their numbers, and the keys that grow in them.
type Parts<H> = BTreeMap<(u64, &'static str), Growing<H>>;

/// The type of an item.
pub(crate) fn kind<H: Host>(item: &Value<H>) -> String {
    Tree(item).get(&k::TYPE).and_then(|kind| kind.text()).map(|kind| kind.to_str(None).into_owned()).unwrap_or_default()
}

/// An item's own text so far: pieces win over the start.
fn own_bytes<'a, H: Host>(seed: Option<&'a Text<H>>, own: &'a Growing<H>) -> Cow<'a, [u8]> {
    match seed {
        Some(seed) if own.size() == 0 => seed.wtf8(None),
        _ => own.bytes(),
    }
}

/// An item.
pub(crate) struct Streamed<H: Host> {
    /// Its index in the output.
    pub(crate) index: u64,
    pub(crate) id: Option<Text<H>>,
    pub(crate) call_id: Option<Text<H>>,
    pub(crate) kind: String,
    /// The item from its start event, or from its end.
    item: Value<H>,
    summary: Parts<H>,
    content: Parts<H>,
    /// Its own text, such as a call's arguments, and the beginning of that text in its start event.
    own: Growing<H>,
    seed: Option<Text<H>>,
    /// Whether it has ended, so that `item` is complete.
    pub(crate) ended: bool,
    whole: bool,
    told: bool,
    /// How much of the call was reported to a reader of full events.
    flow: Flow,
}

impl<H: Host> Streamed<H> {
    /// Begins an item. Reports any text in its start.
    pub(crate) fn new(index: u64, item: &Value<H>, out: &mut Told<H>) -> Result<Self, Error> {
        let node = Tree(item);
        let text = |key: &'static Key| node.get(key).and_then(|text| text.text());
        let kind = kind(item);
        let own = Growing::own(Growth::in_item(&kind).unwrap_or(&k::ARGUMENTS));
        let seed = node.get(own.key).map(|own| args_text(own.0)).transpose()?.flatten();
        let parts = |list: &'static Key| -> Parts<H> {
            let parts = node.get(list).into_iter().flat_map(|list| list.items().map(|part| part.0).collect::<Vec<_>>());
            let parts = parts.map(|part| Growing::of(&kind, part)).enumerate();
            parts.map(|(number, part)| ((number as u64, part.key.name), part)).collect()
        };
        // Only reasoning has a summary; in other items, text under that key is not for the user.
        let summary = if kind == k::REASONING.name { parts(&k::SUMMARY) } else { Parts::default() };
        let content = parts(&k::CONTENT);
        let (id, call_id, item) = (text(&k::ID), text(&k::CALL_ID), item.share());
        let made = Self {
            index,
            id,
            call_id,
            kind,
            item,
            summary,
            content,
            own,
            seed,
            ended: false,
            whole: false,
            told: false,
            flow: Flow::default(),
        };
        for part in made.summary.values().chain(made.content.values()) {
            part.tell(out)?;
        }
        Ok(made)
    }

    /// An item without a start event.
    pub(crate) fn unnamed(index: u64, growth: Growth, id: Option<Text<H>>) -> Result<Self, Error> {
        let mut item = Map::default();
        item.put(&k::TYPE, word(growth.item()));
        item.maybe(&k::ID, id.map(Value::Text).as_ref());
        Self::new(index, &item.value(), &mut Told::new(false))
    }

    fn is(&self, kind: &str) -> bool {
        self.kind == kind
    }

    /// Whether it may be this item: it has the same type and is not another call.
    pub(crate) fn may_be(&self, item: &Value<H>) -> bool {
        let call = Tree(item).get(&k::CALL_ID).and_then(|call| call.text()).filter(|call| !call.is_empty());
        self.is(&kind(item)) && self.call_id.as_ref().zip(call.as_ref()).is_none_or(|(mine, theirs)| mine.same(theirs))
    }

    /// The text that a piece belongs to.
    fn text(&mut self, growth: Growth, number: u64) -> &mut Growing<H> {
        let parts = match growth.list() {
            None => return &mut self.own,
            Some(_) if growth == Growth::Summary => &mut self.summary,
            Some(_) => &mut self.content,
        };
        let kind = &self.kind;
        parts.entry((number, growth.text().name)).or_insert_with(|| Growing::unnamed(kind, growth))
    }

    /// Whether a text is complete. A call is reported with its complete arguments, which a program then runs.
    fn is_whole(&self, growth: Growth) -> bool {
        self.whole || self.told && growth.list().is_none()
    }

    /// Appends a piece. Once the text is complete, pieces would only repeat it.
    pub(crate) fn grow(&mut self, growth: Growth, number: u64, piece: Text<H>, out: &mut Told<H>) -> Result<(), Error> {
        if !self.is_whole(growth) {
            self.text(growth, number).push(piece, out);
            if growth.list().is_none() {
                return self.flow(out);
            }
        }
        Ok(())
    }

    /// Reports the progress of a call of the caller's tools to a reader of full events.
    pub(crate) fn flow(&mut self, out: &mut Told<H>) -> Result<(), Error> {
        let custom = self.is(k::CUSTOM_TOOL_CALL.name);
        if !out.is_full() || !custom && !self.is(k::FUNCTION_CALL.name) {
            return Ok(());
        }
        let name = Tree(&self.item).get(&k::NAME).and_then(|name| name.text()).filter(|name| !name.is_empty());
        if let (Some(id), Some(name)) = (&self.call_id, &name) {
            self.flow.begin_in(Some(id), (name, self.group(), None), custom, out);
        }
        self.flow.grow(&own_bytes(self.seed.as_ref(), &self.own), out)
    }

    /// The group of tools in which the name of a call counts.
    fn group(&self) -> Option<Text<H>> {
        Tree(&self.item).get(&k::NAMESPACE).and_then(|group| group.text()).filter(|group| !group.is_empty())
    }

    /// Reports a call that is an item of its own kind, once it is whole.
    fn tell_form(&mut self, out: &mut Told<H>) -> Result<(), Error> {
        if self.told || CallForm::named(&self.kind).is_none() {
            return Ok(());
        }
        let node = Tree(&self.item);
        let mut turn = Turn::read(DialectId::NONE, "", &node);
        forms::read::item(&self.kind, &node, &Trail::ROOT, &mut turn)?;
        let Some(call) = turn.calls().next() else { return Ok(()) };
        if out.is_hosted(&self.kind) && !forms::read::says_where(&node) {
            return Ok(());
        }
        let args = match &call.args {
            Args::Text(text) => text.share(),
            Args::Value(raw) => Text::own(&encode::to_string(raw, None)?),
        };
        self.told = true;
        self.flow.begin_in(Some(&call.id), (&call.name, None, call.form), false, out);
        self.flow.grow(&args.wtf8(None), out)?;
        self.flow.end(out);
        let id = Some(call.id.share()).filter(|id| !id.is_empty());
        let name = call.name.share();
        out.push(Event::Call { id, name, args: Args::Text(args), namespace: None, form: call.form });
        Ok(())
    }

    /// Ends a call that is complete or gets no more pieces.
    pub(crate) fn end_flow(&mut self, out: &mut Told<H>) -> Result<(), Error> {
        if !out.is_full() {
            return Ok(());
        }
        self.flow(out)?;
        if self.is(k::CUSTOM_TOOL_CALL.name) || self.is(k::FUNCTION_CALL.name) {
            let none = Text::own("");
            let name = Tree(&self.item).get(&k::NAME).and_then(|name| name.text());
            let custom = self.is(k::CUSTOM_TOOL_CALL.name);
            let called = (name.as_ref().unwrap_or(&none), self.group(), None);
            self.flow.begin_in(self.call_id.as_ref(), called, custom, out);
            self.flow.grow(&own_bytes(self.seed.as_ref(), &self.own), out)?;
        }
        self.flow.end(out);
        Ok(())
    }

    /// Takes the whole of a text. A call is complete once its arguments are.
    pub(crate) fn all(&mut self, growth: Growth, number: u64, text: &Text<H>, out: &mut Told<H>) -> Result<(), Error> {
        if self.is_whole(growth) {
            return Ok(());
        }
        if growth.list().is_none() {
            self.mend(text, out);
        }
        if !self.text(growth, number).all(text, out)? || growth.list().is_some() {
            return Ok(());
        }
        self.flow(out)?;
        self.tell(false, out)
    }

    /// Takes the whole arguments of a call whose pieces are not the beginning of them. Pieces that are longer stay,
    /// unless only the whole is an object.
    fn mend(&mut self, text: &Text<H>, out: &mut Told<H>) {
        let (mine, theirs) = (own_bytes(self.seed.as_ref(), &self.own), text.wtf8(None));
        let is_object = |args: &[u8]| self.is(k::FUNCTION_CALL.name) && args_state(args) == ArgsState::Object;
        let counts = theirs.len() >= mine.len() || is_object(&theirs) && !is_object(&mine);
        if counts && !theirs.starts_with(&mine) {
            self.own.replace(text);
            self.flow.replace(text, out);
        }
    }

    /// Takes a part at its start or its end.
    pub(crate) fn part(
        &mut self,
        growth: Growth,
        number: u64,
        part: &Value<H>,
        out: &mut Told<H>,
    ) -> Result<(), Error> {
        if self.whole {
            return Ok(());
        }
        let part = Growing::of(&self.kind, part);
        let growth = if part.key.name == k::REFUSAL.name { Growth::Refusal } else { growth };
        self.text(growth, number).again(part, out)
    }

    /// Adds an entry to a list beside a text.
    pub(crate) fn note(&mut self, number: u64, key: &'static Key, value: Value<H>) {
        if !self.whole {
            self.text(Growth::Text, number).note(key, value);
        }
    }

    /// The sizes of its reported texts, its unreported texts, and its own text.
    fn size(&self) -> [usize; 3] {
        let of = |told: bool| {
            let parts = self.content.values().chain(self.summary.values());
            parts.filter(|part| part.is_told() == told).map(Growing::size).sum::<usize>()
        };
        let seed = self.seed.as_ref().map_or(0, |seed| seed.utf8_len(None));
        let own = if self.own.size() > 0 { self.own.size() } else { seed };
        [of(true), of(false), own]
    }

    /// Its own text: pieces win over the start.
    fn own(&self) -> Result<Text<H>, Error> {
        match &self.seed {
            Some(seed) if self.own.size() == 0 => Ok(seed.share()),
            _ => self.own.text(),
        }
    }

    /// Reports a call once it is complete. `all`: whether a call without arguments counts as complete.
    pub(crate) fn tell(&mut self, all: bool, out: &mut Told<H>) -> Result<(), Error> {
        if self.told || !self.is(k::FUNCTION_CALL.name) {
            return Ok(());
        }
        let name = Tree(&self.item).get(&k::NAME).and_then(|name| name.text());
        let Some(name) = name.filter(|name| !name.is_empty()) else { return Ok(()) };
        let args = self.own()?;
        let state = args_state(&args.wtf8(None));
        // An object that is not empty has a key.
        let nothing = args.utf8_len(None) < 64 && !args.wtf8(None).contains(&b'"');
        if state != ArgsState::Object || nothing && !all {
            return Ok(());
        }
        let id = self.call_id.as_ref().map(Text::share);
        out.push(Event::Call { id, name, args: Args::Text(args), namespace: self.group(), form: None });
        self.told = true;
        Ok(())
    }

    /// The item as the provider would have sent it in a whole reply.
    pub(crate) fn value(&self) -> Result<Value<H>, Error> {
        if self.whole {
            return Ok(self.item.share());
        }
        let node = Tree(&self.item);
        let mut changes = Vec::new();
        for (key, parts) in [(&k::SUMMARY, &self.summary), (&k::CONTENT, &self.content)] {
            let needed =
                self.is(if std::ptr::eq(key, &raw const k::CONTENT) { k::MESSAGE.name } else { k::REASONING.name });
            if needed || !parts.is_empty() {
                changes.push((key, list(parts.values().map(Growing::value))?));
            }
        }
        if Growth::in_item(&self.kind).is_some() || self.own.size() > 0 {
            changes.push((self.own.key, Value::Text(self.own()?)));
        }
        let missing = |key: &'static Key| node.get(key).is_none();
        if self.is(k::MESSAGE.name) && missing(&k::ROLE) {
            changes.push((&k::ROLE, word(&k::ASSISTANT)));
        }
        if (self.is(k::FUNCTION_CALL.name) || self.is(k::CUSTOM_TOOL_CALL.name)) && missing(&k::NAME) {
            changes.push((&k::NAME, word(&k::EMPTY)));
        }
        Ok(changed(&self.item, changes))
    }
}
