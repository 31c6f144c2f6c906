//! Gives each message an id, in formats that require one: its own, or one made from its content.
//!
//! A made id is the same in the next request, whatever precedes the message and however the message continues. It
//! depends on the text of the message's first turn, or on the ids of that turn's calls and results. Messages with the
//! same content are numbered.

use crate::{
    model::Turn,
    rules::Target,
    value::{HashMap, HashSet, Host, Text},
    wire::plan::{Item, Message, Said, ShownData},
};

/// The ids that are taken, collected on first use.
#[derive(Default)]
pub(crate) struct MessageIds {
    given: Option<HashSet<Box<[u8]>>>,
    written: HashSet<Box<[u8]>>,
    /// How often each made id was needed.
    made: HashMap<u64, usize>,
}

impl MessageIds {
    /// Takes the id of a message that is sent back unchanged.
    pub(crate) fn take<H: Host>(&mut self, turn: &Turn<H>) {
        self.written.extend(turn.id.iter().map(|id| id.wtf8(turn.input.as_ref()).as_ref().into()));
    }

    /// The id of a message among these turns, and whether it is made.
    pub(crate) fn id<H: Host>(
        &mut self,
        message: &Message<'_, H>,
        target: &Target<'_>,
        turns: &[&Turn<H>],
    ) -> (Text<H>, bool) {
        if let Some((_, id, input)) = message.id(target) {
            let bytes = id.wtf8(input);
            // When a turn becomes several messages, the first one gets its id.
            if self.written.insert(bytes.as_ref().into()) {
                return (id.detach(input), false);
            }
        }
        let hash = hash_of(message);
        let given = self.given.get_or_insert_with(|| {
            let ids = turns.iter().filter_map(|turn| Some(turn.id.as_ref()?.wtf8(turn.input.as_ref()).as_ref().into()));
            ids.collect()
        });
        let id = loop {
            let times = self.made.entry(hash).or_default();
            *times += 1;
            let id = if *times == 1 { format!("m{hash:016x}") } else { format!("m{hash:016x}-{times}") };
            if !given.contains(id.as_bytes()) {
                break id;
            }
        };
        (Text::own(&id), true)
    }
}

/// A hash of the content of a message's first turn: FNV-1a, which is the same in every version.
fn hash_of<H: Host>(message: &Message<'_, H>) -> u64 {
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    hash.add(message.role.name().as_bytes());
    // Ids still identify a call or an answer if other content is cut.
    let by_id = |item: &&Item<'_, H>| item.call_or_result().is_some();
    let first = message.items.first().map(|item| item.site.0);
    let items = || message.items.iter().filter(|item| Some(item.site.0) == first);
    let pairs = items().any(|item| by_id(&item));
    for item in items().filter(|item| !pairs || by_id(item)) {
        match (item.call_or_result(), &item.said) {
            (Some(id), _) => hash.add(&id.wtf8(item.input)),
            (None, Said::Media(shown)) => match &shown.data {
                ShownData::Base64 { data, .. } | ShownData::Plain(data) | ShownData::File(data) => {
                    hash.add(&data.wtf8(item.input));
                }
                ShownData::Url(url, _) => hash.add(&url.wtf8(item.input)),
            },
            (None, _) => hash.add(&item.words().map(|text| text.wtf8(item.input)).unwrap_or_default()),
        }
    }
    hash.0
}

struct Fnv(u64);

impl Fnv {
    /// Adds bytes and an end mark.
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes.iter().chain(&[0xff]) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
