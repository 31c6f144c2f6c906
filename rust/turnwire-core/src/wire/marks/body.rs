//! A written payload as a prompt cache reads it: tools, system text, and the blocks of each message.

use crate::k;
use crate::{
    rules::{CacheMark, CacheRule, Slots},
    value::{Key, NodeKind, Source, Spot, Text, door::keys},
};

keys! {
    TOOL_RESULT = "toolResult";
}

const ASSISTANT: &str = "assistant";
const SYSTEM: &str = "system";
/// The lifetime of a mark that names none.
const USUAL: &str = "5m";

/// A position for a mark, in the order in which a cache reads a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// After a tool.
    Tool(usize),
    /// After a block of the system text.
    System(usize),
    /// After a block of a message. 0 if the message is one text.
    Block(usize, usize),
}

/// The marks that a payload already has.
pub(super) struct Own {
    pub(super) count: usize,
    /// The last one whose lifetime is longer than usual.
    pub(super) last_long: Option<Place>,
}

/// A payload in the parts that a cache reads.
pub(super) struct Body<'a, S> {
    rule: &'static CacheRule,
    payload: &'a S,
    pub(super) tools: Option<S>,
    pub(super) system: Option<S>,
    /// The key of the system text in the payload.
    system_key: Option<&'static Key>,
    pub(super) messages: Vec<S>,
}

impl<'a, S: Source> Body<'a, S> {
    pub(super) fn of(payload: &'a S, rule: &'static CacheRule, slots: &Slots) -> Self {
        let system = slots.system.and_then(|slot| slot.some(payload));
        let list = slots.list.some(payload);
        Self {
            rule,
            payload,
            tools: slots.tools.and_then(|slot| slot.some(payload)).map(|(_, tools)| tools),
            system_key: system
                .as_ref()
                .filter(|(spelling, _)| spelling.outer.is_none())
                .map(|(spelling, _)| spelling.key),
            system: system.map(|(_, system)| system),
            messages: list.map(|(_, list)| list.items().collect()).unwrap_or_default(),
        }
    }

    /// The positions for marks, the most useful first.
    pub(super) fn places(&self) -> [Option<Place>; 5] {
        let mut replies = self.messages.iter().enumerate().rev().filter(|(_, message)| speaks(*message, ASSISTANT));
        let (newest, before) = (replies.next(), replies.next());
        // With a mark beside the messages, the provider itself marks their end.
        let end = if self.has_mark(self.payload) { None } else { self.end_of(self.messages.len()) };
        let ends_before = |reply: Option<(usize, &S)>| self.end_of(reply?.0);
        [end, ends_before(newest), self.end_of_system(), self.end_of_tools(), ends_before(before)]
    }

    /// The last block of the first messages that may have a mark.
    fn end_of(&self, count: usize) -> Option<Place> {
        let messages = self.messages.iter().enumerate().take(count).rev();
        messages.filter(|(_, message)| !speaks(*message, SYSTEM)).find_map(|(index, message)| {
            let content = message.get(&k::CONTENT)?;
            Some(Place::Block(index, self.last_of(&content)?))
        })
    }

    fn end_of_system(&self) -> Option<Place> {
        let system = self.system.as_ref()?;
        if system.kind() == NodeKind::Text && self.system_key.is_none() {
            return None;
        }
        self.last_of(system).map(Place::System)
    }

    fn end_of_tools(&self) -> Option<Place> {
        let tools = self.tools.as_ref()?.items().enumerate();
        let last = tools.filter(|(_, tool)| tool.get(self.rule.tool).is_some() && !self.is_hidden(tool)).last();
        last.map(|(index, _)| Place::Tool(index))
    }

    /// Whether the prompt leaves out a tool.
    pub(super) fn is_hidden(&self, tool: &S) -> bool {
        self.rule.hidden.and_then(|key| tool.get(key)).and_then(|hidden| hidden.bool()) == Some(true)
    }

    /// The last block of a list of blocks, or of a text, that may have a mark.
    fn last_of(&self, content: &S) -> Option<usize> {
        match content.kind() {
            NodeKind::Text => says(content).then_some(0),
            _ => content.items().enumerate().filter(|(_, block)| self.takes(block)).last().map(|(index, _)| index),
        }
    }

    /// Whether a block may end the cached part.
    fn takes(&self, block: &S) -> bool {
        let known = |word: &str| self.rule.blocks.contains(&word);
        let is_known = if let Some(kind) = block.get(&k::TYPE) {
            kind.word().is_some_and(|word| known(&word))
        } else {
            let mut found = false;
            block.each_entry(|key, _| found |= known(key));
            found
        };
        is_known && block.get(&k::TEXT).is_none_or(|text| says(&text))
    }

    /// The existing marks.
    pub(super) fn marks(&self) -> Own {
        let mut own = Own { count: usize::from(self.has_mark(self.payload)), last_long: None };
        let mut note = |place: Place, block: &S| {
            let Some(mark) = block.get(self.rule.mark.key()).filter(|mark| mark.kind() != NodeKind::Null) else {
                return;
            };
            own.count += 1;
            if mark.get(&k::TTL).is_some_and(|ttl| ttl.word().is_some_and(|ttl| ttl != USUAL)) {
                own.last_long = own.last_long.max(Some(place));
            }
        };
        for (index, tool) in self.tools.iter().flat_map(S::items).enumerate() {
            note(Place::Tool(index), &tool);
        }
        for (index, block) in self.system.iter().flat_map(S::items).enumerate() {
            note(Place::System(index), &block);
        }
        for (message, blocks) in self.messages.iter().enumerate() {
            for (index, block) in blocks.get(&k::CONTENT).iter().flat_map(S::items).enumerate() {
                note(Place::Block(message, index), &block);
                let inside = block.get(&TOOL_RESULT).unwrap_or(block).get(&k::CONTENT);
                inside.iter().flat_map(S::items).for_each(|inner| note(Place::Block(message, index), &inner));
            }
        }
        own
    }

    fn has_mark(&self, block: &S) -> bool {
        block.get(self.rule.mark.key()).is_some_and(|mark| mark.kind() != NodeKind::Null)
    }

    /// Whether a position already has a mark, or cannot have one.
    pub(super) fn is_marked(&self, place: Place) -> bool {
        let Some((list, index)) = self.list_of(place) else { return true };
        match self.rule.mark {
            // A key with null counts as a mark too.
            CacheMark::Key(key) => list.items().nth(index).is_some_and(|block| block.get(key).is_some()),
            CacheMark::Block(_) => list.items().nth(index + 1).is_some_and(|block| self.has_mark(&block)),
        }
    }

    /// The list of a position, and the index in it.
    fn list_of(&self, place: Place) -> Option<(S, usize)> {
        match place {
            Place::Tool(index) => Some((self.tools.clone()?, index)),
            Place::System(index) => Some((self.system.clone()?, index)),
            Place::Block(message, index) => Some((self.messages.get(message)?.get(&k::CONTENT)?, index)),
        }
    }

    pub(super) fn spot(&self, place: Place) -> Option<Spot<S>> {
        let (list, index) = self.list_of(place)?;
        if list.kind() != NodeKind::Text {
            return self.rule.mark.spot(list, index);
        }
        match place {
            Place::Block(message, _) => Some(Spot::Text(self.messages.get(message)?.clone(), &k::CONTENT)),
            _ => Some(Spot::Text(self.payload.clone(), self.system_key?)),
        }
    }
}

fn speaks<S: Source>(message: &S, role: &str) -> bool {
    message.get(&k::ROLE).and_then(|said| said.word().map(|said| said == role)) == Some(true)
}

/// Whether a text is not empty. Providers refuse a mark at an empty text.
fn says<S: Source>(text: &S) -> bool {
    text.text().is_some_and(|said: Text<S::H>| !said.is_blank(text.input()))
}
