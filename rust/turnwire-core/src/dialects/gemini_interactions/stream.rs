//! Assembles a streamed reply of Interactions: steps, each with a start, deltas and a stop, then the status and the usage.
//!
//! A start may have no more than the type of its step. Deltas belong to the step of their index, so steps may interleave.

mod step;

use self::step::Step;
use super::end::meaning;
use super::keys as k;
use crate::{
    model::{Finish, head::MODEL},
    report::{Error, Trail, error::Code},
    value::{HashMap, Host, NodeKind, Source, Text, Value},
    wire::{
        read::{Keys, keys::wrong_type},
        stream::{
            Assembly, Fields, Map, Told,
            whole::{kept, list},
        },
    },
};

/// The reply, as much of it as has arrived.
pub(crate) struct Stream<H: Host> {
    /// The interaction without its steps.
    head: Fields<H>,
    steps: Vec<Step<H>>,
    /// The current step of an index.
    places: HashMap<u64, usize>,
    error: Option<Value<H>>,
    ended: bool,
}

impl<H: Host> Assembly for Stream<H> {
    type H = H;

    fn new() -> Result<Self, Error> {
        Ok(Self { head: Fields::default(), steps: Vec::new(), places: HashMap::default(), error: None, ended: false })
    }

    fn is_derived(_: &str) -> bool {
        false
    }

    fn feed<S: Source<H = H>>(&mut self, chunk: &S, out: &mut Told<H>) -> Result<(), Error> {
        let at = Trail::ROOT;
        let mut keys = Keys::of(chunk, &at)?;
        let kind = keys.some(&k::EVENT_TYPE);
        match kind.as_ref().and_then(Source::word).as_deref() {
            None => self.plain(chunk, out),
            Some("interaction.created") => {
                let interaction = keys.needed(&k::INTERACTION)?;
                let said = |key| interaction.get(key)?.text().map(|text| text.detached(interaction.input()));
                out.begin(|| [said(&k::ID).filter(|id| !id.is_empty()), said(&MODEL)]);
                self.keep(&interaction, &at.key(k::INTERACTION.name))
            }
            Some("interaction.status_update") => {
                if let Some(status) = keys.text(&k::STATUS)? {
                    self.head.set(&Text::own(k::STATUS.name), Value::Text(status.detached(chunk.input())));
                }
                Ok(())
            }
            Some("step.start") => {
                let index = keys.needed_number(&k::INDEX)?;
                let step = keys.needed(&k::STEP)?;
                self.open(index, &step, &at.key(k::STEP.name), out).map(drop)
            }
            Some("step.delta") => {
                let index = keys.needed_number(&k::INDEX)?;
                self.delta(index, &keys.needed(&k::DELTA)?, out)
            }
            Some("step.stop") => {
                let index = keys.needed_number(&k::INDEX)?;
                match self.places.get(&index) {
                    Some(&place) => self.steps[place].stop(out),
                    None => Err(nowhere(index)),
                }
            }
            Some("interaction.completed") => {
                let interaction = keys.needed(&k::INTERACTION)?;
                self.last(&interaction, &at.key(k::INTERACTION.name), out)
            }
            Some(old)
                if old.starts_with("content.") || ["interaction.start", "interaction.complete"].contains(&old) =>
            {
                let text = format!("expected an event of steps, got {old:?} of the API before May 2026");
                Err(Error::new(Code::UnexpectedChunk, text).at(&at.key(k::EVENT_TYPE.name)))
            }
            Some("error") => self.fail(&keys.some(&k::ERROR).unwrap_or_else(|| chunk.clone())),
            _ => Ok(()),
        }
    }

    fn has_ended(&self) -> bool {
        self.ended
    }

    fn finish(&mut self, cut: bool, out: &mut Told<H>) -> Result<Value<H>, Error> {
        self.steps.sort_by_cached_key(Step::index);
        let all = !cut && !self.is_cut();
        for step in &mut self.steps {
            step.finish(all, !cut, out)?;
        }
        let mut whole = Map::default();
        whole.fields(&self.head)?;
        whole.put(&k::STEPS, list(self.steps.iter().map(Step::value))?);
        whole.maybe(&k::ERROR, self.error.as_ref());
        Ok(whole.value())
    }
}

impl<H: Host> Stream<H> {
    /// Takes a chunk that is not an event: the whole reply of a server that does not stream, or its error.
    fn plain<S: Source<H = H>>(&mut self, chunk: &S, out: &mut Told<H>) -> Result<(), Error> {
        let mut keys = Keys::of(chunk, &Trail::ROOT)?;
        if keys.some(&k::STEPS).is_some() {
            return self.last(chunk, &Trail::ROOT, out);
        }
        keys.some(&k::ERROR).map_or(Ok(()), |error| self.fail(&error))
    }

    fn fail<S: Source<H = H>>(&mut self, error: &S) -> Result<(), Error> {
        let error = kept(error)?;
        self.error.get_or_insert(error);
        Ok(())
    }

    /// Takes the last interaction. Its steps count only if no steps came before.
    fn last<S: Source<H = H>>(&mut self, interaction: &S, at: &Trail<'_>, out: &mut Told<H>) -> Result<(), Error> {
        let mut keys = Keys::of(interaction, at)?;
        if let Some(steps) = keys.some(&k::STEPS).filter(|_| self.steps.is_empty()) {
            let at = at.key(k::STEPS.name);
            if steps.kind() != NodeKind::List {
                return Err(wrong_type("a list", &steps, &at));
            }
            for (index, step) in steps.items().enumerate() {
                let place = self.open(index as u64, &step, &at.index(index), out)?;
                self.steps[place].stop(out)?;
            }
        }
        self.keep(interaction, at)?;
        self.ended = true;
        let all = !self.is_cut();
        self.steps.iter_mut().filter(|_| all).try_for_each(|step| step.tell(true, out))
    }

    /// Keeps the keys of an interaction. The last value that is not empty counts.
    fn keep<S: Source<H = H>>(&mut self, interaction: &S, at: &Trail<'_>) -> Result<(), Error> {
        let mut keys = Keys::of(interaction, at)?;
        keys.some(&k::STEPS);
        let input = interaction.input();
        for (key, value) in keys.extras().into_iter().flat_map(|extras| *extras) {
            self.head.set(&key.detach(input), value.to_value(input)?);
        }
        Ok(())
    }

    fn open<S: Source<H = H>>(
        &mut self,
        index: u64,
        step: &S,
        at: &Trail<'_>,
        out: &mut Told<H>,
    ) -> Result<usize, Error> {
        if step.kind() != NodeKind::Map {
            return Err(wrong_type("an object", step, at));
        }
        // An event that comes twice begins nothing new.
        if let Some(place) = self.places.get(&index).copied().filter(|place| self.steps[*place].is(step)) {
            return Ok(place);
        }
        self.steps.last_mut().map_or(Ok(()), |last| last.settle(out))?;
        Ok(self.add(Step::new(index, &kept(step)?, out)))
    }

    fn add(&mut self, step: Step<H>) -> usize {
        let place = self.steps.len();
        self.places.insert(step.index(), place);
        self.steps.push(step);
        place
    }

    fn delta<S: Source<H = H>>(&mut self, index: u64, delta: &S, out: &mut Told<H>) -> Result<(), Error> {
        let at = Trail::ROOT.key(k::DELTA.name);
        let keys = Keys::of(delta, &at)?;
        let kind = keys.node.get(&k::TYPE);
        let kind = kind.as_ref().and_then(Source::word);
        let kind = kind.as_deref().unwrap_or_default();
        let place = match self.places.get(&index) {
            Some(place) => *place,
            // Most deltas show the type of a step whose start is missing.
            None => self.add(Step::of_delta(index, kind, out).ok_or_else(|| nowhere(index))?),
        };
        self.steps[place].grow(kind, keys, out)
    }

    fn is_cut(&self) -> bool {
        let said = self.head.word(&k::STATUS).map_or(Finish::Other, |status| meaning(&status.to_str(None)));
        self.error.is_some() || said.is_cut()
    }
}

#[cold]
fn nowhere(index: u64) -> Error {
    let text = format!("expected an event of a step that has begun, got one of step {index}");
    Error::new(Code::UnexpectedChunk, text).at(&Trail::ROOT.key(k::INDEX.name))
}
