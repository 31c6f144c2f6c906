//! Works on the payloads of a row, and writes the row in the layout of the target.

use crate::k;
use std::borrow::Cow;

use super::{
    Completion, Joined, Node, PromptRow,
    divided::Divided,
    object::{Object, put_list},
};
use crate::{
    batch::{Lost, Task},
    detect::Reading,
    report::{Change, Error, Path, Step, error::Code},
    rules::{RowLayout, Side},
    value::{Host, JsonSink, Key, NodeKind, Source},
};

impl<H: Host> PromptRow<'_, H> {
    /// Works on the row, which is read as `source`, and appends the result.
    pub(in crate::batch) fn write(mut self, task: &Task<H>, source: Reading, out: &mut Vec<u8>) -> Result<Lost, Error> {
        let layout = self.target_layout(task);
        if layout.prompt_is_body || layout.one_answer {
            self.take_prompt();
        }
        let (mut losses, mut left, mut divided) = (Vec::new(), Vec::new(), Vec::<Divided>::new());
        for joined in self.joined(source) {
            let Joined { tape, which, dialect } = joined?;
            let mut sink = JsonSink::new(Vec::new());
            let done = task
                .payload(&tape.view().root(), source, true, &mut sink)
                .map_err(|error| self.placed(error, which))?;
            self.add(&mut losses, done.losses, which, &|loss: &mut Change| &mut loss.path);
            let dialect = task.target().or(dialect);
            // The keys beside the lists are the same for each answer.
            left.clone_from(&done.provenance.left);
            let place = |error: Error| match self.completions.get(which) {
                Some(completion) => error.at_path(completion.path()),
                None => error,
            };
            let one = Divided::of(sink.into_bytes(), &done.provenance, dialect, self.prompt.len()).map_err(place)?;
            one.check(layout).map_err(place)?;
            if divided.first().is_some_and(|first| first.prompt != one.prompt || first.keys != one.keys) {
                let text = "the target would write different prompts for the two answers, and the row has one";
                return Err(place(Error::new(Code::Refused, text)));
            }
            divided.push(one);
        }
        // A repair leaves a prompt that is text. A conversion writes it as the message that it is.
        let is_text = self.prompt_node.is_some_and(|prompt| prompt.kind() == NodeKind::Text);
        let stays = layout.prompt.name == self.layout.prompt.name && !(is_text && task.target().is_some());
        if stays && self.is_unchanged(&divided) {
            out.extend_from_slice(self.row.json());
        } else {
            self.put(layout, &divided, out)?;
        }
        Ok(Lost { losses, left })
    }

    /// Whether nothing in the lists, and in the keys beside them, differs from the row.
    fn is_unchanged(&self, divided: &[Divided]) -> bool {
        let prompt = |one: &Divided| one.prompt.iter().map(Vec::as_slice).eq(self.prompt.iter().map(|one| &**one));
        let completion = |(one, completion): (&Divided, &Completion<'_, H>)| {
            one.completion.iter().map(Vec::as_slice).eq(completion.elements.iter().map(Node::json))
        };
        let beside = |one: &Divided| {
            let keys = one.keys.iter().filter_map(|(key, value)| Some((Cow::from(key), value.as_deref()?)));
            let own = self.beside.iter().filter(|(key, node)| !key.is(self.list, node.input()));
            keys.eq(own.map(|(key, node)| (key.to_str(node.input()), node.json())))
        };
        divided.iter().all(|one| prompt(one) && beside(one)) && divided.iter().zip(&self.completions).all(completion)
    }

    /// The target's own layout if the row has two answers. A row that stays in its dialect keeps its layout.
    fn target_layout(&self, task: &Task<H>) -> &'static RowLayout {
        match task.target() {
            None => self.layout,
            Some(target) if self.completions.iter().any(|one| one.side == Side::Better) => target.facts.rows,
            Some(_) => &RowLayout::TRL,
        }
    }

    /// Without a prompt, takes the elements that all completions begin with as the prompt. Each completion keeps at
    /// least one.
    fn take_prompt(&mut self) {
        if self.prompt_node.is_some() {
            return;
        }
        let [first, others @ ..] = self.completions.as_slice() else { return };
        let most = self.completions.iter().map(|one| one.elements.len()).min().unwrap_or_default().saturating_sub(1);
        let same = |at: &usize| others.iter().all(|other| other.elements[*at].json() == first.elements[*at].json());
        let common = (0..most).take_while(same).count();
        self.prompt = first.elements[..common].iter().map(|one| Cow::Borrowed(one.json())).collect();
        for completion in &mut self.completions {
            completion.elements.drain(..common);
        }
    }

    /// Appends the row: its keys in their order, with the target's names.
    fn put(&self, layout: &RowLayout, divided: &[Divided], out: &mut Vec<u8>) -> Result<(), Error> {
        let Some(first) = divided.first() else { return Ok(()) };
        let mut row = Object::open(out);
        let mut beside = layout.prompt_is_body;
        if self.prompt_node.is_none() && (layout.prompt_is_body || layout.one_answer) {
            put_prompt(&mut row, layout, first);
        }
        for (key, node) in self.row.entries() {
            let at = node.start();
            if self.prompt_node.is_some_and(|prompt| prompt.start() == at) {
                put_prompt(&mut row, layout, first);
            } else if let Some(which) = self.completions.iter().position(|one| one.node.start() == at) {
                put_answer(&mut row, layout, self.completions[which].side, &divided[which].completion);
            } else if self.beside.iter().any(|(_, one)| one.start() == at) {
                if !std::mem::replace(&mut beside, true) {
                    put_beside(&mut row, first);
                }
            } else {
                let is = |name: &str| key.is(name, node.input());
                let told = self.told.is_some_and(|told| told.start() == at);
                // Its value is null, or a later key with the same name counts.
                if !told && keys_of(self.layout).any(|own| is(own.name)) {
                    continue;
                }
                let beside = first.keys.iter().filter(|_| !layout.prompt_is_body).map(|(key, _)| &**key);
                if !told && keys_of(layout).map(|key| key.name).chain(beside).any(is) {
                    let path = Path::default().then(Step::Name(key.to_str(node.input()).as_ref().into()));
                    let text = "the target has this key for a part of the conversation, so it cannot be kept";
                    return Err(Error::new(Code::Refused, text).at_path(path));
                }
                row.key_text(&key, node.input());
                row.out.extend_from_slice(node.json());
            }
        }
        if !beside {
            put_beside(&mut row, first);
        }
        row.close();
        Ok(())
    }
}

/// The keys of a row's lists.
fn keys_of(layout: &RowLayout) -> impl Iterator<Item = &'static Key> {
    layout.completions.iter().map(|(_, key)| *key).chain([layout.prompt])
}

fn put_prompt(row: &mut Object<'_>, layout: &RowLayout, divided: &Divided) {
    let put = |out: &mut Vec<u8>| put_list(divided.prompt.iter().map(Vec::as_slice), out);
    row.key(layout.prompt.name);
    if !layout.prompt_is_body {
        return put(row.out);
    }
    let mut body = Object::open(row.out);
    for (key, value) in &divided.keys {
        body.key(key);
        match value {
            Some(value) => body.out.extend_from_slice(value),
            None => put(body.out),
        }
    }
    // The target writes a bare list.
    if divided.keys.is_empty() {
        body.key(k::MESSAGES.name);
        put(body.out);
    }
    body.close();
}

fn put_answer(row: &mut Object<'_>, layout: &RowLayout, side: Side, elements: &[Vec<u8>]) {
    // Every layout has keys for both answers, and a row with one answer has its own layout.
    let Some(key) = layout.key(side) else { return };
    row.key(key.name);
    match elements {
        [one] if layout.one_answer => row.out.extend_from_slice(one),
        several => put_list(several.iter().map(Vec::as_slice), row.out),
    }
}

/// Writes the tools and the other keys beside the list.
fn put_beside(row: &mut Object<'_>, divided: &Divided) {
    for (key, value) in &divided.keys {
        if let Some(value) = value {
            row.key(key);
            row.out.extend_from_slice(value);
        }
    }
}
