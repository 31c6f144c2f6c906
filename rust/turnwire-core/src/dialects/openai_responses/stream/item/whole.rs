//! Takes a whole item at its end, and recognises a call under another id.

use super::{super::super::keys as k, Growth, Streamed, kind};
use crate::{
    model::Event,
    report::Error,
    rules::CallForm,
    value::{Host, Source, Text, Tree, Value, json},
    wire::stream::{Told, whole::changed},
};

impl<H: Host> Streamed<H> {
    /// Whether it is a call that the caller runs.
    fn is_call(&self) -> bool {
        self.is(k::FUNCTION_CALL.name) || self.is(k::CUSTOM_TOOL_CALL.name) || CallForm::named(&self.kind).is_some()
    }

    /// Whether another item is this call under another id: some servers make the ids anew. `there`: whether it stands at
    /// the same index.
    pub(crate) fn is_renamed(&self, item: &Value<H>, there: bool) -> Result<bool, Error> {
        if !self.is_call() || !self.is(&kind(item)) {
            return Ok(false);
        }
        let word = |item: &Value<H>, key| Tree(item).get(key).and_then(|word: Tree<'_, H>| word.text());
        let same = |key| word(&self.item, key).zip(word(item, key)).is_some_and(|(mine, theirs)| mine.same(&theirs));
        let id = self.id.as_ref().zip(word(item, &k::ID)).is_some_and(|(mine, theirs)| mine.same(&theirs));
        if id && (there || !self.ended) || there && !self.ended && same(&k::NAME) {
            return Ok(true);
        }
        Ok(same(&k::NAME) && same_args(&self.own()?, &Self::new(self.index, item, &mut Told::new(false))?.own()?))
    }

    /// Takes the whole item, unless it is shorter than its pieces.
    pub(crate) fn end(&mut self, item: &Value<H>, out: &mut Told<H>) -> Result<(), Error> {
        let mut other = Self::new(self.index, item, &mut Told::new(false))?;
        if !self.told && Growth::in_item(&self.kind).is_some() {
            self.mend(&other.own()?, out);
        }
        let counts = self.size().into_iter().zip(other.size()).all(|(mine, theirs)| mine <= theirs);
        let again = std::mem::replace(&mut self.ended, true);
        if counts {
            self.tell_rest(&other, out)?;
            other.id = other.id.or(self.id.take());
            self.keep_call_id(&mut other);
            if self.told {
                self.stand_by(&mut other)?;
            }
            let flow = std::mem::take(&mut self.flow);
            *self = Self { ended: true, whole: true, told: self.told, flow, ..other };
        } else if again {
            return Ok(());
        }
        let status = Tree(item).get(&k::STATUS);
        let incomplete = status.as_ref().and_then(Source::word).is_some_and(|status| status == "incomplete");
        self.tell(!incomplete, out)?;
        if !incomplete {
            self.tell_form(out)?;
        }
        if self.is(k::REASONING.name) {
            let seal = Tree(item).get(&k::ENCRYPTED_CONTENT).and_then(|seal| seal.text());
            out.push_full(|| seal.map(Event::Signature));
        }
        out.divide();
        self.end_flow(out)
    }

    /// Reports what the whole item has beyond the pieces, unless that would be too much: then its parts have other
    /// numbers.
    fn tell_rest(&mut self, whole: &Self, out: &mut Told<H>) -> Result<(), Error> {
        let ([told, ..], [all, ..]) = (self.size(), whole.size());
        let mut rest = Told::new(out.is_full());
        for (mine, theirs) in [(&mut self.summary, &whole.summary), (&mut self.content, &whole.content)] {
            for (place, part) in theirs {
                match mine.get_mut(place).filter(|mine| mine.size() > 0) {
                    Some(mine) => drop(mine.all(&part.text()?, &mut rest)?),
                    None => part.tell(&mut rest)?,
                }
            }
        }
        let size = |event: &Event<H>| match event {
            Event::Text(text) | Event::Reasoning(text) => text.utf8_len(None),
            _ => 0,
        };
        let rest: Vec<_> = rest.take().into_iter().filter(|event| event.part().is_some()).collect();
        if told + rest.iter().map(size).sum::<usize>() <= all {
            out.extend(rest);
        }
        Ok(())
    }

    /// Keeps the reported name and arguments of a call in the whole item, because a program already runs that call.
    fn stand_by(&self, whole: &mut Self) -> Result<(), Error> {
        let (name, args) = (Tree(&self.item).get(&k::NAME).and_then(|name| name.text()), self.own()?);
        let known = Tree(&whole.item).get(&k::NAME).and_then(|name| name.text());
        let mut changes = Vec::new();
        if let Some(name) = name.filter(|name| known.is_none_or(|known| !known.same(name))) {
            changes.push((&k::NAME, Value::Text(name)));
        }
        if !args.same(&whole.own()?) {
            changes.push((self.own.key, Value::Text(args.share())));
        }
        (whole.item, whole.seed) = (changed(&whole.item, changes), Some(args));
        Ok(())
    }

    /// Keeps the id of a call in the whole item: the client knows the call by the one that came first.
    fn keep_call_id(&mut self, whole: &mut Self) {
        let Some(own) = self.call_id.take().filter(|own| !own.is_empty()) else { return };
        if whole.call_id.as_ref().is_none_or(|other| !other.same(&own)) {
            whole.item = changed(&whole.item, vec![(&k::CALL_ID, Value::Text(own.share()))]);
            whole.call_id = Some(own);
        }
    }
}

/// Whether two texts of arguments are equal, or are JSON with the same value.
fn same_args<H: Host>(one: &Text<H>, other: &Text<H>) -> bool {
    let read = |text: &Text<H>| json::read::value::<H>(&text.wtf8(None)).ok();
    one.same(other) || read(one).zip(read(other)).is_some_and(|(one, other)| one.same(&other))
}
