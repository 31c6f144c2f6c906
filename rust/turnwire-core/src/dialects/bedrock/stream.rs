//! Assembles a streamed Converse reply: a message, then its blocks, only some of which have a start event.
//!
//! An event is an object with one key, its name, as the clients decode it from the binary stream. A block is identified
//! by its number and by the kind of its pieces: if a server mixes several kinds under one number, each kind gets a
//! block. After its stop event, a number belongs to another block.

pub(super) mod block;

use self::block::{Block, Sort};
use super::end::meaning;
use super::keys as k;
use crate::{
    model::{Event, Finish},
    report::{Error, Trail, error::Code},
    value::{HashMap, Host, NodeKind, Source, Text, Tree, Value},
    wire::{
        read::{Keys, keys::wrong_type},
        stream::{
            Assembly, Beside, Map, Told,
            calls::args_text,
            whole::{kept, word},
        },
    },
};

/// The reply, as much of it as has arrived.
pub(crate) struct Stream<H: Host> {
    role: Option<Value<H>>,
    blocks: Vec<Block<H>>,
    /// The current block of a number and a sort.
    places: HashMap<(u64, Sort), usize>,
    reason: Option<Value<H>>,
    usage: Option<Value<H>>,
    error: Option<Value<H>>,
    /// The keys beside the message.
    beside: Beside<H>,
}

impl<H: Host> Assembly for Stream<H> {
    type H = H;

    fn new() -> Result<Self, Error> {
        Ok(Self {
            role: None,
            blocks: Vec::new(),
            places: HashMap::default(),
            reason: None,
            usage: None,
            error: None,
            beside: Beside::default(),
        })
    }

    fn is_derived(_: &str) -> bool {
        false
    }

    fn feed<S: Source<H = H>>(&mut self, chunk: &S, out: &mut Told<H>) -> Result<(), Error> {
        let mut keys = Keys::of(chunk, &Trail::ROOT)?;
        if let Some(delta) = keys.some(&k::CONTENT_BLOCK_DELTA) {
            return self.delta(&delta, &Trail::ROOT.key(k::CONTENT_BLOCK_DELTA.name), out);
        }
        if let Some(start) = keys.some(&k::CONTENT_BLOCK_START) {
            return self.start(&start, &Trail::ROOT.key(k::CONTENT_BLOCK_START.name), out);
        }
        if let Some(stop) = keys.some(&k::CONTENT_BLOCK_STOP) {
            return self.stop(&stop, &Trail::ROOT.key(k::CONTENT_BLOCK_STOP.name), out);
        }
        if let Some(start) = keys.some(&k::MESSAGE_START) {
            out.begin(|| [None, None]);
            self.role = start.get(&k::ROLE).map(|role| kept(&role)).transpose()?;
        } else if let Some(stop) = keys.some(&k::MESSAGE_STOP) {
            let at = Trail::ROOT.key(k::MESSAGE_STOP.name);
            let mut keys = Keys::of(&stop, &at)?;
            let reason = keys.text(&k::STOP_REASON)?;
            keys.pass(&[&k::P]);
            self.beside.take(keys)?;
            self.reason = Some(Value::Text(reason.map_or_else(|| Text::own(""), |text| text.detached(stop.input()))));
            let whole = !self.is_cut();
            return self.blocks.last_mut().filter(|_| whole).map_or(Ok(()), |last| last.tell(true, out));
        } else if let Some(metadata) = keys.some(&k::METADATA) {
            let at = Trail::ROOT.key(k::METADATA.name);
            let mut keys = Keys::of(&metadata, &at)?;
            if let Some(usage) = keys.some(&k::USAGE).filter(|usage| usage.kind() == NodeKind::Map) {
                self.usage = Some(kept(&usage)?);
            }
            keys.pass(&[&k::P]);
            self.beside.take(keys)?;
        } else if is_exception(chunk) {
            let error = kept(chunk)?;
            self.error.get_or_insert(error);
        }
        Ok(())
    }

    fn has_ended(&self) -> bool {
        self.reason.is_some()
    }

    fn is_over(&self) -> bool {
        self.error.is_some() || self.reason.is_some() && self.usage.is_some()
    }

    fn finish(&mut self, cut: bool, out: &mut Told<H>) -> Result<Value<H>, Error> {
        self.blocks.last_mut().map_or(Ok(()), |last| last.sign(out))?;
        self.blocks.sort_by_cached_key(|block| block.index);
        let all = !cut && !self.is_cut();
        let mut content = Vec::new();
        for block in &mut self.blocks {
            block.stopped |= !cut || block.has_input();
            block.tell(all, out)?;
            block.end(out)?;
            block.write(&mut content)?;
        }
        let mut message = Map::default();
        message.put(&k::ROLE, self.role.as_ref().map_or_else(|| word(&k::ASSISTANT), Value::share));
        message.put(&k::CONTENT, Value::List(content.into()));
        let mut output = Map::default();
        output.put(&k::MESSAGE, message.value());
        let mut whole = Map::default();
        whole.put(&k::OUTPUT, output.value());
        whole.maybe(&k::STOP_REASON, self.reason.as_ref());
        whole.maybe(&k::USAGE, self.usage.as_ref());
        whole.maybe(&k::ERROR, self.error.as_ref());
        self.beside.write(&mut whole)?;
        Ok(whole.value())
    }
}

impl<H: Host> Stream<H> {
    fn is_cut(&self) -> bool {
        let reason = self.reason.as_ref().and_then(|reason| Tree(reason).word().map(|word| meaning(&word)));
        reason.is_some_and(Finish::is_cut)
    }

    fn start<S: Source<H = H>>(&mut self, event: &S, at: &Trail<'_>, out: &mut Told<H>) -> Result<(), Error> {
        let mut keys = Keys::of(event, at)?;
        let index = keys.needed_number(&k::CONTENT_BLOCK_INDEX)?;
        let Some(start) = keys.some(&k::START) else { return Ok(()) };
        let at = at.key(k::START.name);
        let mut keys = Keys::of(&start, &at)?;
        for sort in Sort::STARTED {
            if let Some(start) = keys.some(sort.key()) {
                if start.kind() != NodeKind::Map {
                    return Err(wrong_type("an object", &start, &at.key(sort.key().name)));
                }
                if sort != Sort::Image {
                    Keys::of(&start, &at.key(sort.key().name))?.needed_text(&k::TOOL_USE_ID)?;
                }
                if sort == Sort::Call {
                    Keys::of(&start, &at.key(sort.key().name))?.needed_text(&k::NAME)?;
                }
                let begun = kept(&start)?;
                let place = self.places.get(&(index, sort)).copied();
                if place.is_some_and(|place| self.blocks[place].is(&begun)) {
                    // An event that comes twice begins nothing new.
                    return Ok(());
                }
                return self.open(index, sort, Some(begun), out).map(drop);
            }
        }
        Ok(())
    }

    fn open(
        &mut self,
        index: u64,
        sort: Sort,
        begun: Option<Value<H>>,
        out: &mut Told<H>,
    ) -> Result<&mut Block<H>, Error> {
        // A block without input will not get any more.
        if let Some(last) = self.blocks.last_mut() {
            last.tell(last.stopped, out)?;
            last.sign(out)?;
        }
        let place = self.blocks.len();
        self.places.insert((index, sort), place);
        out.divide();
        let mut block = Block::new(index, sort, begun);
        block.begin(out);
        self.blocks.push(block);
        Ok(&mut self.blocks[place])
    }

    fn delta<S: Source<H = H>>(&mut self, event: &S, at: &Trail<'_>, out: &mut Told<H>) -> Result<(), Error> {
        let mut keys = Keys::of(event, at)?;
        let index = keys.needed_number(&k::CONTENT_BLOCK_INDEX)?;
        let delta = keys.needed(&k::DELTA)?;
        let at = at.key(k::DELTA.name);
        let mut keys = Keys::of(&delta, &at)?;
        if let Some(text) = keys.text(&k::TEXT)? {
            let text = text.detached(delta.input());
            if !text.is_empty() {
                self.block(index, Sort::Text, out)?.text.push(&text, None);
                out.push(Event::Text(text));
            }
            return Ok(());
        }
        if let Some(call) = keys.some(&k::TOOL_USE) {
            let at = at.key(k::TOOL_USE.name);
            let Some(input) = Keys::of(&call, &at)?.some(&k::INPUT) else { return Ok(()) };
            // Some servers send the input as an object.
            let piece = args_text(&kept(&input)?)?;
            let block = self.begun(index, Sort::Call)?;
            return piece.map_or(Ok(()), |piece| block.grow(&piece, out));
        }
        if let Some(thought) = keys.some(&k::REASONING_CONTENT) {
            return self.thought(index, &thought, &at.key(k::REASONING_CONTENT.name), out);
        }
        if let Some(citation) = keys.some(&k::CITATION) {
            let citation = kept(&citation)?;
            self.block(index, Sort::Text, out)?.list.push(citation);
        } else if let Some(result) = keys.some(&k::TOOL_RESULT) {
            let Value::List(more) = kept(&result)? else {
                return Err(wrong_type("a list", &result, &at.key(k::TOOL_RESULT.name)));
            };
            self.begun(index, Sort::Result)?.result(&more)?;
        } else if let Some(image) = keys.some(&k::IMAGE) {
            let block = self.begun(index, Sort::Image)?;
            match image.get(&k::SOURCE).and_then(|source| source.get(&k::BYTES)) {
                Some(bytes) => block.blob.push(kept(&bytes)?),
                None => block.add(&kept(&image)?),
            }
        }
        Ok(())
    }

    /// Takes reasoning text, its signature, or bytes that only the service can read.
    fn thought<S: Source<H = H>>(
        &mut self,
        index: u64,
        thought: &S,
        at: &Trail<'_>,
        out: &mut Told<H>,
    ) -> Result<(), Error> {
        let mut keys = Keys::of(thought, at)?;
        if let Some(bytes) = keys.some(&k::REDACTED_CONTENT) {
            let bytes = kept(&bytes)?;
            self.block(index, Sort::Redacted, out)?.blob.push(bytes);
        }
        if let Some(text) = keys.text(&k::TEXT)? {
            let text = text.detached(thought.input());
            self.block(index, Sort::Thought, out)?.text.push(&text, None);
            out.extend((!text.is_empty()).then_some(Event::Reasoning(text)));
        }
        if let Some(signature) = keys.text(&k::SIGNATURE)? {
            self.block(index, Sort::Thought, out)?.signature.push(&signature, thought.input());
        }
        Ok(())
    }

    /// The block that a piece belongs to. A block without a start event begins with its first piece.
    fn block(&mut self, index: u64, sort: Sort, out: &mut Told<H>) -> Result<&mut Block<H>, Error> {
        match self.places.get(&(index, sort)) {
            Some(place) => Ok(&mut self.blocks[*place]),
            None => self.open(index, sort, None, out),
        }
    }

    /// The block that a piece belongs to, which must have had a start event.
    fn begun(&mut self, index: u64, sort: Sort) -> Result<&mut Block<H>, Error> {
        let place = self.places.get(&(index, sort)).ok_or_else(|| nowhere(index))?;
        Ok(&mut self.blocks[*place])
    }

    fn stop<S: Source<H = H>>(&mut self, event: &S, at: &Trail<'_>, out: &mut Told<H>) -> Result<(), Error> {
        let mut keys = Keys::of(event, at)?;
        let index = keys.needed_number(&k::CONTENT_BLOCK_INDEX)?;
        for sort in Sort::ALL {
            if let Some(place) = self.places.remove(&(index, sort)) {
                self.blocks[place].sign(out)?;
                out.divide();
                self.blocks[place].stopped = true;
                self.blocks[place].tell(false, out)?;
                self.blocks[place].end(out)?;
            }
        }
        Ok(())
    }
}

/// Whether an event is an exception, or an error of the connection: an object with a message.
fn is_exception<S: Source>(chunk: &S) -> bool {
    chunk.entries().any(|(name, said)| {
        name.to_str(chunk.input()).ends_with("Exception")
            || said.get(&k::MESSAGE).is_some_and(|text| text.text().is_some())
    })
}

#[cold]
fn nowhere(index: u64) -> Error {
    let text = format!("expected a piece of a block that has begun, got one of block {index}");
    Error::new(Code::UnexpectedChunk, text).at(&Trail::ROOT.key(k::CONTENT_BLOCK_DELTA.name))
}
