//! Assembles a streamed Responses reply: items, each with a start, pieces and an end, and the whole response at the
//! end.
//!
//! Repeated content counts once: a text, an item and the response are sent whole after their pieces. The whole wins
//! unless it is shorter than its pieces. So a server without pieces and one with an empty response at the end are both
//! read correctly. Pieces belong to the item with their id, or without an id to the item at their index. Some servers
//! renumber items, and some make a new id for each event. Previews of images, audio and the output of hosted tools that
//! still run do not belong to an item until it is whole.

pub(super) mod item;
pub(super) mod kinds;
mod known;
pub(super) mod text;

use self::{item::Streamed, kinds::Growth};
use super::keys as k;
use super::response::RULE;
use super::{end::meaning, forms::settle::hosted, reply::tools_of};
use crate::{
    report::{Error, Trail},
    rules::DialectId,
    value::{HashMap, Host, NodeKind, Source, Text, Value, door::keys},
    wire::{
        read::{Keys, keys::wrong_type},
        stream::{
            Assembly, Fields, Map, Told,
            calls::args_text,
            whole::{kept, list},
        },
    },
};

keys! {
    ANNOTATION = "annotation";
    STATUS_CODE = "status_code";
}

/// The reply, as much of it as has arrived.
pub(crate) struct Stream<H: Host> {
    /// The response's keys other than its output.
    head: Fields<H>,
    /// The items, in the order in which they began.
    items: Vec<Streamed<H>>,
    /// The current item at each index, and the items with each id. Items of several types may share an id.
    places: HashMap<u64, usize>,
    ids: HashMap<Vec<u8>, usize>,
    typed: HashMap<(Vec<u8>, String), usize>,
    error: Option<Value<H>>,
    ended: bool,
    /// Whether the response failed without an error, which may be the next event.
    awaits_error: bool,
}

impl<H: Host> Assembly for Stream<H> {
    type H = H;

    fn new() -> Result<Self, Error> {
        Ok(Self {
            head: Fields::default(),
            items: Vec::new(),
            places: HashMap::default(),
            ids: HashMap::default(),
            typed: HashMap::default(),
            error: None,
            ended: false,
            awaits_error: false,
        })
    }

    fn is_derived(kind: &str) -> bool {
        let mine = "response.output_item.added response.output_item.done response.output_text.annotation.added \
                    response.content_part.added response.content_part.done response.reasoning_summary_part.added \
                    response.reasoning_summary_part.done response.created response.queued response.in_progress \
                    response.completed response.incomplete response.failed response.cancelled error";
        Growth::of(kind).is_none() && !mine.split(' ').any(|known| known == kind)
    }

    fn feed<S: Source<H = H>>(&mut self, chunk: &S, out: &mut Told<H>) -> Result<(), Error> {
        let mut keys = Keys::of(chunk, &Trail::ROOT)?;
        let kind = keys.some(&k::TYPE);
        let kind = kind.as_ref().and_then(Source::word);
        self.awaits_error = false;
        let Some(kind) = kind.as_deref() else { return self.plain(chunk, out) };
        if let Some((growth, whole)) = Growth::of(kind) {
            return self.piece(&mut keys, growth, whole, out);
        }
        match kind {
            "response.output_item.added" => self.begin(&mut keys, out),
            "response.output_item.done" => self.end(&mut keys, out),
            "response.content_part.added" | "response.content_part.done" => self.part(&mut keys, Growth::Text, out),
            "response.reasoning_summary_part.added" | "response.reasoning_summary_part.done" => {
                self.part(&mut keys, Growth::Summary, out)
            }
            "response.output_text.annotation.added" => {
                let annotation = kept(&keys.needed(&ANNOTATION)?)?;
                let number = keys.number(Growth::Text.number())?.unwrap_or(0);
                self.item(&mut keys, Growth::Text)?.note(number, &k::ANNOTATIONS, annotation);
                Ok(())
            }
            "response.created" | "response.queued" | "response.in_progress" => {
                let response = keys.needed(&k::RESPONSE)?;
                let said = |key| response.get(key)?.text().map(|text| text.detached(response.input()));
                out.begin(|| [said(&k::ID), said(&k::MODEL)]);
                let hosted = hosted(&tools_of(&response, DialectId::NONE));
                if let Some(tools) = response.get(&k::TOOLS).filter(|_| !hosted.is_empty()) {
                    self.head.set(&Text::own(k::TOOLS.name), kept(&tools)?);
                }
                for call in hosted {
                    out.host(call);
                }
                self.output(&response, false, &Trail::ROOT.key(k::RESPONSE.name), out)
            }
            "response.completed" | "response.incomplete" | "response.failed" | "response.cancelled" => {
                let response = keys.needed(&k::RESPONSE)?;
                self.last(&response, &Trail::ROOT.key(k::RESPONSE.name), out)?;
                if self.head.get(k::STATUS.name).is_none() {
                    let word = kind.trim_start_matches("response.");
                    self.head.set(&Text::own(k::STATUS.name), Value::Text(Text::own(word)));
                }
                self.awaits_error = kind == "response.failed" && self.error.is_none();
                Ok(())
            }
            "error" => {
                // Codex's server has the status beside the error.
                if let Some(status) = keys.some(&k::STATUS).filter(|status| status.count().is_some()) {
                    self.head.set(&Text::own(STATUS_CODE.name), kept(&status)?);
                }
                let error = keys.some(&k::ERROR).unwrap_or_else(|| chunk.clone());
                self.fail(&error)
            }
            _ => Ok(()),
        }
    }

    fn has_ended(&self) -> bool {
        self.ended
    }

    fn is_over(&self) -> bool {
        self.ended && !self.awaits_error
    }

    /// Servers that do not stream send whole items, and the mark of Chat Completions.
    fn ends_by_mark(&self) -> bool {
        !self.items.is_empty() && self.items.iter().all(|item| item.ended)
    }

    fn finish(&mut self, cut: bool, out: &mut Told<H>) -> Result<Value<H>, Error> {
        self.items.sort_by_cached_key(|item| item.index);
        let all = !cut && !self.is_cut();
        for item in &mut self.items {
            item.tell(all, out)?;
            item.end_flow(out)?;
        }
        let mut whole = Map::default();
        whole.fields(&self.head)?;
        whole.put(&k::OUTPUT, list(self.items.iter().map(Streamed::value))?);
        whole.maybe(&k::ERROR, self.error.as_ref());
        Ok(whole.value())
    }
}

impl<H: Host> Stream<H> {
    /// Takes a chunk that is not an event: the whole response of a server that does not stream, or its error.
    fn plain<S: Source<H = H>>(&mut self, chunk: &S, out: &mut Told<H>) -> Result<(), Error> {
        let mut keys = Keys::of(chunk, &Trail::ROOT)?;
        if keys.some(&k::OUTPUT).is_some() {
            return self.last(chunk, &Trail::ROOT, out);
        }
        keys.some(&k::ERROR).map_or(Ok(()), |error| self.fail(&error))
    }

    fn fail<S: Source<H = H>>(&mut self, error: &S) -> Result<(), Error> {
        let error = kept(error)?;
        self.error.get_or_insert(error);
        Ok(())
    }

    /// Takes the final response.
    fn last<S: Source<H = H>>(&mut self, response: &S, at: &Trail<'_>, out: &mut Told<H>) -> Result<(), Error> {
        let mut keys = Keys::of(response, at)?;
        for key in [&k::STATUS, &k::INCOMPLETE_DETAILS, &k::USAGE, &k::SERVICE_TIER] {
            if let Some(node) = keys.some(key) {
                self.head.set(&Text::own(key.name), kept(&node)?);
            }
        }
        if let Some(error) = keys.error(&k::ERROR, response.get(&k::OUTPUT).is_some()) {
            self.fail(&error)?;
        }
        let input = response.input();
        for (key, value) in keys.extras().into_iter().flat_map(|extras| *extras) {
            // What a conversion passes over, such as the echoes of the request, may be long.
            if !RULE.keys.knows(&key.to_str(input)) {
                self.head.set(&key.detach(input), value.to_value(input)?);
            }
        }
        self.ended = true;
        self.output(response, true, at, out)
    }

    /// Takes the items of a response, at its start or its end.
    fn output<S: Source<H = H>>(
        &mut self,
        response: &S,
        ended: bool,
        at: &Trail<'_>,
        out: &mut Told<H>,
    ) -> Result<(), Error> {
        let Some(output) = Keys::of(response, at)?.some(&k::OUTPUT) else { return Ok(()) };
        let at = at.key(k::OUTPUT.name);
        if output.kind() != NodeKind::List {
            return Err(wrong_type("a list", &output, &at));
        }
        let items = output.items().enumerate().map(|(index, node)| object(&node, &at.index(index)));
        let items = items.collect::<Result<Vec<_>, _>>()?;
        let known = self.all_known(&items, ended)?;
        for ((index, item), known) in items.iter().enumerate().zip(known) {
            let place = match known {
                Some(place) => place,
                None => self.begun(index as u64, item, out)?,
            };
            if ended {
                self.whole(place, item, out)?;
            }
        }
        Ok(())
    }

    fn begin<S: Source<H = H>>(&mut self, keys: &mut Keys<'_, S>, out: &mut Told<H>) -> Result<(), Error> {
        let index = keys.number(&k::OUTPUT_INDEX)?.unwrap_or(self.items.len() as u64);
        let Some(node) = keys.some(&k::ITEM) else { return Ok(()) };
        let item = object(&node, &Trail::ROOT.key(k::ITEM.name))?;
        // The same item may start again. Any other is new, even at the same index.
        if self.typed(&item).is_none() {
            self.begun(index, &item, out)?;
        }
        Ok(())
    }

    fn end<S: Source<H = H>>(&mut self, keys: &mut Keys<'_, S>, out: &mut Told<H>) -> Result<(), Error> {
        let index = keys.number(&k::OUTPUT_INDEX)?.unwrap_or(self.items.len() as u64);
        let node = keys.needed(&k::ITEM)?;
        let item = object(&node, &Trail::ROOT.key(k::ITEM.name))?;
        let open = |place: usize| !self.items[place].ended;
        let place =
            match self.known(&item, index).map_or_else(|| self.renamed(&item, index, open), |at| Ok(Some(at)))? {
                Some(place) => place,
                None => self.begun(index, &item, out)?,
            };
        self.whole(place, &item, out)
    }

    /// Takes a piece of a text, or all of it.
    fn piece<S: Source<H = H>>(
        &mut self,
        keys: &mut Keys<'_, S>,
        growth: Growth,
        whole: bool,
        out: &mut Told<H>,
    ) -> Result<(), Error> {
        let key = if whole { growth.text() } else { &k::DELTA };
        let Some(node) = keys.some(key) else { return Ok(()) };
        let text = match node.text() {
            Some(text) => text.detached(node.input()),
            // Some servers send the arguments as a value.
            None if growth.list().is_none() => match args_text(&kept(&node)?)? {
                Some(text) => text,
                None => return Ok(()),
            },
            None => return Err(wrong_type("a string", &node, &keys.at.key(key.name))),
        };
        let number = keys.number(growth.number())?.unwrap_or(0);
        let odds = keys.some(&k::LOGPROBS).filter(|odds| !odds.is_empty() && !whole);
        let odds = odds.map(|odds| kept(&odds)).transpose()?;
        let item = self.item(keys, growth)?;
        if let Some(Value::List(odds)) = odds {
            odds.iter().for_each(|odd| item.note(number, &k::LOGPROBS, odd.share()));
        }
        if whole {
            return item.all(growth, number, &text, out);
        }
        item.grow(growth, number, text, out)
    }

    /// Takes a part of a message or of reasoning, at its start or its end.
    fn part<S: Source<H = H>>(
        &mut self,
        keys: &mut Keys<'_, S>,
        growth: Growth,
        out: &mut Told<H>,
    ) -> Result<(), Error> {
        let node = keys.needed(&k::PART)?;
        let part = object(&node, &Trail::ROOT.key(k::PART.name))?;
        let number = keys.number(growth.number())?.unwrap_or(0);
        out.divide();
        self.item(keys, growth)?.part(growth, number, &part, out)
    }

    /// The item that a piece belongs to. An item without a start event begins with its first piece.
    fn item<S: Source<H = H>>(&mut self, keys: &mut Keys<'_, S>, growth: Growth) -> Result<&mut Streamed<H>, Error> {
        let index = keys.number(&k::OUTPUT_INDEX)?;
        let id = keys.text(&k::ITEM_ID)?;
        let input = keys.node.input();
        let there = match index {
            Some(index) => self.places.get(&index).copied(),
            None => self.items.len().checked_sub(1),
        };
        let is = |place: &usize| match (&id, &self.items[*place].id) {
            (Some(id), Some(mine)) => *id.wtf8(input) == *mine.wtf8(None),
            _ => true,
        };
        let place = match there.filter(is) {
            Some(place) => Some(place),
            None => id.as_ref().and_then(|id| self.ids.get(&*id.wtf8(input)).copied()).or(there),
        };
        let place = if let Some(place) = place {
            place
        } else {
            let index = index.unwrap_or(self.items.len() as u64);
            self.open(Streamed::unnamed(index, growth, id.map(|id| id.detached(input)))?)
        };
        Ok(&mut self.items[place])
    }

    /// Begins an item.
    fn begun(&mut self, index: u64, item: &Value<H>, out: &mut Told<H>) -> Result<usize, Error> {
        out.divide();
        let mut item = Streamed::new(index, item, out)?;
        item.flow(out)?;
        Ok(self.open(item))
    }

    fn open(&mut self, item: Streamed<H>) -> usize {
        let place = self.items.len();
        self.places.insert(item.index, place);
        self.items.push(item);
        self.find_again(place);
        place
    }

    fn find_again(&mut self, place: usize) {
        let item = &self.items[place];
        let bytes = |id: &Text<H>| Some(id.wtf8(None).into_owned()).filter(|id| !id.is_empty());
        self.ids.extend(item.id.iter().chain(&item.call_id).filter_map(bytes).map(|id| (id, place)));
        self.typed.extend(item.id.iter().filter_map(bytes).map(|id| ((id, item.kind.clone()), place)));
    }

    /// Ends an item.
    fn whole(&mut self, place: usize, item: &Value<H>, out: &mut Told<H>) -> Result<(), Error> {
        self.items[place].end(item, out)?;
        self.find_again(place);
        Ok(())
    }

    fn is_cut(&self) -> bool {
        self.head.word(&k::STATUS).is_some_and(|status| meaning(&status.to_str(None)).is_cut())
    }
}

/// An owned copy of an item or a part.
fn object<S: Source>(node: &S, at: &Trail<'_>) -> Result<Value<S::H>, Error> {
    if node.kind() != NodeKind::Map {
        return Err(wrong_type("an object", node, at));
    }
    kept(node)
}
