//! The assistant's last message, in a format where replies continue it: the parts that were sent stay, and new ones
//! follow.

use super::seen::Seen;
use crate::{
    prefix::{hash_with, said},
    rules::{DialectId, ResultPlace},
    value::{NoHost, Value, json::read},
};

/// What was sent of a message that may continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Growing {
    /// Its index after the head.
    pub(super) at: usize,
    /// The number of its parts.
    pub(super) parts: usize,
    /// A hash of its keys and of those parts.
    pub(super) sum: u64,
}

impl Growing {
    /// Whether replies continue messages in a format.
    #[inline]
    pub(super) fn may_be(target: DialectId) -> bool {
        target.limits().is_ok_and(|limits| limits.results == ResultPlace::WithCall)
    }

    /// The last message of a request. `None` if replies never continue it.
    pub(super) fn last_of(seen: &Seen, target: DialectId) -> Option<Self> {
        let at = seen.messages().len().checked_sub(1)?;
        Self::of(seen.message(at)?, (at, usize::MAX), target)
    }

    /// Whether a request has this message, perhaps with more parts.
    pub(super) fn goes_on(self, seen: &Seen, target: DialectId) -> bool {
        let now = seen.message(self.at).and_then(|message| Self::of(message, (self.at, self.parts), target));
        now == Some(self)
    }

    /// Reads the first `most` parts of a message's JSON. `None` if replies never continue that message.
    fn of(message: &[u8], (at, most): (usize, usize), target: DialectId) -> Option<Self> {
        if !Self::may_be(target) {
            return None;
        }
        let Ok(Value::<NoHost>::Map(entries)) = read::value(message) else { return None };
        let is = |held: &Value<NoHost>, word| matches!(held, Value::Text(text) if text.is(word, None));
        entries.iter().find(|(key, held)| key.is("role", None) && is(held, "assistant"))?;
        let mut of = Self { at, parts: 0, sum: 0 };
        for (key, held) in entries.iter() {
            of.add(&Value::Text(key.share()));
            match held {
                Value::List(parts) if key.is("parts", None) => {
                    of.parts = parts.len().min(most);
                    parts.iter().take(most).for_each(|part| of.add(part));
                }
                _ => of.add(held),
            }
        }
        Some(of)
    }

    fn add(&mut self, value: &Value<NoHost>) {
        self.sum = hash_with(self.sum, &said(value));
    }
}
