//! Assembles a streamed Anthropic reply: a message, then its blocks, each with a start, pieces and a stop.

mod block;

use self::block::Block;
use super::end::meaning;
use super::keys as k;
use crate::{
    model::{Event, Finish, Telling},
    report::{Error, Trail, error::Code},
    value::{HashMap, Host, Key, NodeKind, Source, Text, Tree, Value, door::keys},
    wire::{
        read::{Keys, keys::wrong_type},
        stream::{
            Assembly, CallInput, Fields, Grown, Map, Told, Words,
            whole::{kept, list, word},
        },
    },
};

keys! {
    REQUEST_ID = "request_id";
}

/// The reply, as much of it as has arrived.
pub(crate) struct Stream<H: Host> {
    /// The message without its content.
    head: Fields<H>,
    usage: Fields<H>,
    blocks: Vec<Block<H>>,
    /// The current block of an index.
    places: HashMap<u64, usize>,
    error: Option<Value<H>>,
    /// The id of the request that failed.
    request: Option<Value<H>>,
    ended: bool,
    over: bool,
}

impl<H: Host> Assembly for Stream<H> {
    type H = H;

    fn new() -> Result<Self, Error> {
        Ok(Self {
            head: Fields::default(),
            usage: Fields::default(),
            blocks: Vec::new(),
            places: HashMap::default(),
            error: None,
            request: None,
            ended: false,
            over: false,
        })
    }

    fn is_derived(kind: &str) -> bool {
        !matches!(
            kind,
            "message_start"
                | "content_block_start"
                | "content_block_delta"
                | "content_block_stop"
                | "message_delta"
                | "message_stop"
                | "error"
        )
    }

    fn feed<S: Source<H = H>>(&mut self, chunk: &S, out: &mut Told<H>) -> Result<(), Error> {
        let at = Trail::ROOT;
        let mut keys = Keys::of(chunk, &at)?;
        let kind = keys.some(&k::TYPE);
        match kind.as_ref().and_then(Source::word).as_deref() {
            Some("message_start") => self.start(&keys.needed(&k::MESSAGE)?, &at.key(k::MESSAGE.name), out),
            Some("content_block_start") => {
                let index = keys.needed_number(&k::INDEX)?;
                let block = keys.needed(&k::CONTENT_BLOCK)?;
                if block.kind() != NodeKind::Map {
                    return Err(wrong_type("an object", &block, &at.key(k::CONTENT_BLOCK.name)));
                }
                self.open(index, &kept(&block)?, out)
            }
            Some("content_block_delta") => {
                let index = keys.needed_number(&k::INDEX)?;
                self.delta(index, &keys.needed(&k::DELTA)?, out)
            }
            Some("content_block_stop") => {
                let index = keys.needed_number(&k::INDEX)?;
                match self.places.get(&index) {
                    Some(&place) => {
                        out.divide();
                        self.blocks[place].stop(out)
                    }
                    None => Err(nowhere(index)),
                }
            }
            Some("message_delta") => self.change(keys, out),
            Some("message_stop") => {
                (self.ended, self.over) = (true, true);
                Ok(())
            }
            Some("error") => {
                let error = keys.some(&k::ERROR).unwrap_or_else(|| chunk.clone());
                let error = kept(&error)?;
                if self.error.is_none() {
                    self.request = chunk.get(&REQUEST_ID).as_ref().map(kept).transpose()?;
                }
                self.error.get_or_insert(error);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn has_ended(&self) -> bool {
        self.ended
    }

    fn is_over(&self) -> bool {
        self.over || self.error.is_some()
    }

    fn finish(&mut self, cut: bool, out: &mut Told<H>) -> Result<Value<H>, Error> {
        self.blocks.sort_by_cached_key(|block| block.index);
        let mut whole = Map::default();
        if self.head.get(k::ROLE.name).is_none() {
            whole.put(&k::ROLE, word(&k::ASSISTANT));
        }
        whole.fields(&self.head)?;
        let all = !cut && !self.is_cut();
        for block in &mut self.blocks {
            // The server ended the message without stopping its blocks, or the input was complete before the stream
            // broke off.
            block.stopped |= !cut || !block.input.is_empty();
            block.tell(all, out)?;
            block.end(out)?;
        }
        whole.put(&k::CONTENT, list(self.blocks.iter().map(Block::value))?);
        if self.usage.said().next().is_some() {
            whole.put(&k::USAGE, self.usage.value()?);
        }
        whole.maybe(&k::ERROR, self.error.as_ref());
        whole.maybe(&REQUEST_ID, self.request.as_ref());
        Ok(whole.value())
    }
}

impl<H: Host> Stream<H> {
    fn start<S: Source<H = H>>(&mut self, message: &S, at: &Trail<'_>, out: &mut Told<H>) -> Result<(), Error> {
        let mut keys = Keys::of(message, at)?;
        out.begin(|| {
            [&k::ID, &k::MODEL].map(|key| message.get(key)?.text().map(|text| text.detached(message.input())))
        });
        if let Some(usage) = keys.some(&k::USAGE) {
            self.count(&usage)?;
        }
        if let Some(content) = keys.some(&k::CONTENT) {
            for (index, block) in content.items().enumerate() {
                self.open(index as u64, &kept(&block)?, out)?;
            }
        }
        self.keep(keys)
    }

    /// Takes a `message_delta`: the stop reason, and the counts so far.
    fn change<S: Source<H = H>>(&mut self, mut keys: Keys<'_, S>, out: &mut Told<H>) -> Result<(), Error> {
        if let Some(usage) = keys.some(&k::USAGE) {
            self.count(&usage)?;
        }
        if let Some(delta) = keys.some(&k::DELTA) {
            let at = keys.at.key(k::DELTA.name);
            self.keep(Keys::of(&delta, &at)?)?;
        }
        self.keep(keys)?;
        self.ended |= self.reason().is_some();
        let whole = self.ended && !self.is_cut();
        self.blocks.last_mut().filter(|_| whole).map_or(Ok(()), |last| last.tell(true, out))
    }

    /// The finish, once there is a stop reason.
    fn reason(&self) -> Option<Finish> {
        self.head.word(&k::STOP_REASON).map(|word| meaning(&word.to_str(None)))
    }

    fn is_cut(&self) -> bool {
        self.reason().is_some_and(Finish::is_cut)
    }

    /// Keeps keys of the message. The last value that is not empty counts.
    fn keep<S: Source<H = H>>(&mut self, keys: Keys<'_, S>) -> Result<(), Error> {
        let input = keys.node.input().cloned();
        for (key, value) in keys.extras().into_iter().flat_map(|extras| *extras) {
            self.head.set(&key.detach(input.as_ref()), value.to_value(input.as_ref())?);
        }
        Ok(())
    }

    /// Counts are totals so far; a missing one keeps its value.
    fn count<S: Source<H = H>>(&mut self, usage: &S) -> Result<(), Error> {
        for (key, value) in usage.entries() {
            self.usage.set(&key.detach(usage.input()), kept(&value)?);
        }
        Ok(())
    }

    fn open(&mut self, index: u64, block: &Value<H>, out: &mut Told<H>) -> Result<(), Error> {
        let node = Tree(block);
        let begun = self.places.get(&index).and_then(|place| self.blocks.get(*place));
        if begun.is_some_and(|begun| begun.fields.names(&node, &k::ID)) {
            // An event that comes twice begins nothing new.
            return Ok(());
        }
        let kind = node.get(&k::TYPE);
        let kind = kind.as_ref().and_then(Source::word);
        let key: Option<(&'static Key, Telling<H>)> = match kind.as_deref() {
            Some("text") => Some((&k::TEXT, Event::Text)),
            Some("thinking") => Some((&k::THINKING, Event::Reasoning)),
            _ => None,
        };
        out.divide();
        let mut text = Words::default();
        let said = key.and_then(|(key, event)| Some((node.get(key)?.text()?, event)));
        if let Some((said, event)) = said.filter(|(said, _)| !said.is_empty()) {
            text.push(&said, None);
            out.push(event(said));
        }
        if kind.as_deref() == Some("thinking") {
            out.sign(|| node.get(&k::SIGNATURE)?.text());
        }
        self.blocks.last_mut().map_or(Ok(()), |last| last.settle(out))?;
        let call = kind.as_deref() == Some(k::TOOL_USE.name);
        let Grown::Map(fields) = Grown::of(block.share()) else { return Ok(()) };
        self.places.insert(index, self.blocks.len());
        let mut input = CallInput::default();
        if let Some(name) = fields.word(&k::NAME).filter(|_| call) {
            input.begin(fields.word(&k::ID), name, out);
        }
        self.blocks.push(Block { index, fields, key, text, call, input, stopped: false });
        Ok(())
    }

    fn delta<S: Source<H = H>>(&mut self, index: u64, delta: &S, out: &mut Told<H>) -> Result<(), Error> {
        let at = Trail::ROOT.key(k::DELTA.name);
        let mut keys = Keys::of(delta, &at)?;
        let kind = keys.some(&k::TYPE);
        let kind = kind.as_ref().and_then(Source::word);
        let mut place = self.places.get(&index).copied();
        if place.is_none() {
            // A text piece shows the type of its block; other pieces do not.
            let key = match kind.as_deref() {
                Some("text_delta") => &k::TEXT,
                Some("thinking_delta") => &k::THINKING,
                _ => return Err(nowhere(index)),
            };
            let mut block = Map::default();
            block.put(&k::TYPE, word(key));
            self.open(index, &block.value(), out)?;
            place = self.blocks.len().checked_sub(1);
        }
        let Some(block) = place.and_then(|place| self.blocks.get_mut(place)) else { return Ok(()) };
        match kind.as_deref() {
            Some("text_delta") => block.grow(&mut keys, &k::TEXT, out),
            Some("thinking_delta") => block.grow(&mut keys, &k::THINKING, out),
            Some("input_json_delta") => {
                let Some(text) = keys.text(&k::PARTIAL_JSON)? else { return Ok(()) };
                block.input.push(&text, delta.input(), out)
            }
            // It arrives in one piece.
            Some("signature_delta") => {
                if let Some(signature) = keys.some(&k::SIGNATURE) {
                    let text = signature.text().map(|text| text.detached(delta.input()));
                    out.sign(|| text);
                    block.fields.set(&Text::own(k::SIGNATURE.name), kept(&signature)?);
                }
                Ok(())
            }
            Some("citations_delta") => {
                let citation = keys.needed(&k::CITATION)?;
                let citation = kept(&citation)?;
                block.fields.grow(&Text::own(k::CITATIONS.name), Value::List([citation].into()));
                Ok(())
            }
            // Every other piece names the key that it belongs to.
            _ => {
                for (key, value) in keys.extras().into_iter().flat_map(|extras| *extras) {
                    match (value.to_value(delta.input())?, block.key) {
                        (Value::Text(text), Some((own, _))) if key.is(own.name, delta.input()) => {
                            block.text.push(&text, None);
                        }
                        (value, _) => block.fields.grow(&key.detach(delta.input()), value),
                    }
                }
                Ok(())
            }
        }
    }
}

#[cold]
fn nowhere(index: u64) -> Error {
    let text = format!("expected a piece of a block that has begun, got one of block {index}");
    Error::new(Code::UnexpectedChunk, text).at(&Trail::ROOT.key(k::INDEX.name))
}
