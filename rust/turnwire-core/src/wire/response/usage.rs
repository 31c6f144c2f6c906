//! Writes the tokens of a reply as a format counts them. The format's rule says which count includes which.

use crate::{
    model::reply::Tokens,
    value::{door::Key, handle::Host},
    wire::stream::whole::{Map, number},
};

/// How a format counts tokens.
pub(crate) struct UsageRule {
    /// The key of the counts. `None` if they are keys of the reply itself.
    pub(crate) key: Option<&'static Key>,
    /// Whether a reply must have it.
    pub(crate) needed: bool,
    /// The counts. Neighbours under the same outer key share an object.
    pub(crate) counts: &'static [Count],
}

/// One count.
pub(crate) struct Count {
    /// The key of an object around it.
    pub(crate) outer: Option<&'static Key>,
    pub(crate) key: &'static Key,
    pub(crate) amount: Amount,
    /// Whether it is required if there are any counts.
    pub(crate) needed: bool,
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Amount {
    /// All input tokens.
    Input,
    /// The input without tokens read from or written to a cache.
    Fresh,
    /// All output tokens.
    Output,
    /// The output without reasoning.
    Said,
    /// Tokens read from a cache.
    Cached,
    /// Tokens written to a cache.
    Written,
    /// Reasoning tokens.
    Reasoning,
    /// Input and output tokens.
    Total,
}

impl Amount {
    fn of(self, tokens: &Tokens) -> Option<u64> {
        let apart = tokens.cached.unwrap_or(0).saturating_add(tokens.written.unwrap_or(0));
        match self {
            Self::Input => tokens.input,
            Self::Fresh => tokens.input.map(|input| input.saturating_sub(apart)),
            Self::Output => tokens.output,
            Self::Said => tokens.output.map(|output| output.saturating_sub(tokens.reasoning.unwrap_or(0))),
            Self::Cached => tokens.cached,
            Self::Written => tokens.written,
            Self::Reasoning => tokens.reasoning,
            Self::Total => Some(tokens.input?.saturating_add(tokens.output?)),
        }
    }
}

impl Count {
    /// A required count.
    pub(crate) const fn needed(key: &'static Key, amount: Amount) -> Self {
        Self { outer: None, key, amount, needed: true }
    }

    /// An optional count.
    pub(crate) const fn maybe(key: &'static Key, amount: Amount) -> Self {
        Self { outer: None, key, amount, needed: false }
    }

    /// Puts the count inside an object.
    pub(crate) const fn within(self, outer: &'static Key) -> Self {
        Self { outer: Some(outer), ..self }
    }
}

/// The counts of a reply, and the names of required counts that are unknown and therefore made up.
pub(crate) struct Written<H: Host> {
    pub(crate) counts: Map<H>,
    pub(crate) made_up: Vec<&'static str>,
}

impl UsageRule {
    /// Writes the counts. `None` if none is known or required.
    pub(crate) fn write<H: Host>(&self, tokens: &Tokens) -> Option<Written<H>> {
        if *tokens == Tokens::default() && !self.needed {
            return None;
        }
        let (mut counts, mut made_up) = (Map::default(), Vec::new());
        let mut rest = self.counts;
        while let [first, ..] = rest {
            let same =
                rest.iter().take_while(|count| count.outer.map(|key| key.name) == first.outer.map(|key| key.name));
            let (now, later) = rest.split_at(same.count());
            let mut inner = Map::default();
            for count in now {
                let amount = count.amount.of(tokens);
                if amount.is_none() && count.needed {
                    made_up.push(count.key.name);
                }
                if let Some(amount) = amount.or(count.needed.then_some(0)) {
                    inner.put(count.key, number(amount));
                }
            }
            match first.outer {
                None => inner.into_entries().into_iter().for_each(|(key, value)| counts.entry(key, value)),
                Some(outer) => {
                    if let Some(inner) = inner.some() {
                        counts.put(outer, inner);
                    }
                }
            }
            rest = later;
        }
        Some(Written { counts, made_up })
    }
}
