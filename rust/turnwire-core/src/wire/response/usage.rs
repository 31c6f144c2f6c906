//! Reads and writes the tokens of a reply as a format counts them. The format's rule says which count includes which.

use crate::{
    model::Tokens,
    value::{Host, Key, NodeKind, Source, json},
    wire::stream::{Map, whole::number},
};

/// How a format counts tokens.
pub(crate) struct UsageRule {
    /// The key of the counts. `None` if they are keys of the reply itself.
    pub(crate) key: Option<&'static Key>,
    /// Whether a reply must have it.
    pub(crate) needed: bool,
    /// The counts. Neighbours under the same outer key share an object.
    pub(crate) counts: &'static [Count],
    /// Counts that are read, too: other spellings, and those that other counts can hold.
    pub(crate) also: &'static [Count],
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

/// What becomes of a count in another format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    /// The format has it, or it follows from those that it has.
    Yes,
    /// It is part of a larger count.
    Together,
    No,
    /// It is an object of counts.
    Inside,
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Amount {
    /// All input tokens.
    Input,
    /// The input without tokens read from or written to a cache.
    Fresh,
    /// Input tokens of tools that the provider ran, which the format's input does not include.
    Tools,
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
    pub(super) fn of(self, tokens: &Tokens) -> Option<u64> {
        let apart = tokens.cached.unwrap_or(0).saturating_add(tokens.written.unwrap_or(0));
        match self {
            Self::Input => tokens.input,
            Self::Fresh => tokens.input.map(|input| input.saturating_sub(apart)),
            Self::Tools => None,
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

    /// Its number in a usage. Some clients write it with `.0`.
    pub(super) fn number<S: Source>(&self, usage: &S) -> Option<u64> {
        let found = match self.outer {
            Some(outer) => usage.get(outer)?.get(self.key)?,
            None => usage.get(self.key)?,
        };
        let fraction = || json::encode::to_string(&found.raw(), found.input()).ok()?.strip_suffix(".0")?.parse().ok();
        found.count().or_else(|| if found.kind() == NodeKind::Number { fraction() } else { None })
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
    /// All counts that are read.
    pub(super) fn rows(&self) -> impl Iterator<Item = &'static Count> {
        self.counts.iter().chain(self.also)
    }

    /// The first number of an amount.
    pub(super) fn first<S: Source>(&self, amount: Amount, usage: &S) -> Option<u64> {
        self.rows().filter(|row| row.amount == amount).find_map(|row| row.number(usage))
    }

    /// Reads the counts.
    pub(crate) fn read<S: Source>(&self, usage: &S) -> Tokens {
        let first = |amount| self.first(amount, usage);
        let sum =
            |one: Option<u64>, more: [Option<u64>; 2]| Some(more.into_iter().flatten().fold(one?, u64::saturating_add));
        let [cached, written, reasoning] = [Amount::Cached, Amount::Written, Amount::Reasoning].map(first);
        // A format that counts what was said apart from the reasoning may leave out a count of zero.
        let said =
            || first(Amount::Said).or_else(|| self.has(Amount::Said).then(|| first(Amount::Total).map(|_| 0))?);
        Tokens {
            input: sum(first(Amount::Input), [first(Amount::Tools), None])
                .or_else(|| sum(first(Amount::Fresh), [cached, written])),
            output: first(Amount::Output).or_else(|| sum(said(), [reasoning, None])),
            cached,
            reasoning,
            written,
        }
    }

    /// Whether a count of this format's usage is kept by `target`; `None` if its reply is an error, which has no counts.
    pub(crate) fn kept<S: Source>(
        &self,
        outer: Option<&str>,
        name: &str,
        usage: &S,
        tokens: &Tokens,
        target: Option<&Self>,
    ) -> Kept {
        let is = |row: &&Count| row.key.name == name && row.outer.map(|outer| outer.name) == outer;
        let Some(row) = self.rows().find(is) else {
            let is_outer = self.rows().any(|row| row.outer.is_some_and(|key| outer.is_none() && key.name == name));
            return if is_outer { Kept::Inside } else { Kept::No };
        };
        if !target.is_some_and(|target| target.holds(row.amount)) {
            return Kept::No;
        }
        let (number, said) = (row.number(usage), row.amount.of(tokens));
        // The input of tools is added to the format's own.
        let apart = if row.amount == Amount::Input { self.first(Amount::Tools, usage).unwrap_or(0) } else { 0 };
        match (number.map(|number| number.saturating_add(apart)), said) {
            (None, _) => Kept::No,
            _ if row.amount == Amount::Tools => Kept::Together,
            (number, said) if number == said => Kept::Yes,
            (_, Some(_)) if self.counts.iter().any(|own| std::ptr::eq(own, row)) => Kept::Together,
            _ => Kept::No,
        }
    }

    fn has(&self, amount: Amount) -> bool {
        self.counts.iter().any(|row| row.amount == amount)
    }

    /// Whether a reader of this format learns an amount, from one count or from several.
    pub(super) fn holds(&self, amount: Amount) -> bool {
        match amount {
            Amount::Input | Amount::Fresh | Amount::Tools => self.has(Amount::Input) || self.has(Amount::Fresh),
            Amount::Output | Amount::Said => self.has(Amount::Output) || self.has(Amount::Said),
            Amount::Total => self.holds(Amount::Input) && self.holds(Amount::Output),
            Amount::Cached | Amount::Written | Amount::Reasoning => self.has(amount),
        }
    }

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
                // A sum is that of the counts that are known.
                let known = if count.amount == Amount::Total { tokens.input.or(tokens.output).unwrap_or(0) } else { 0 };
                if let Some(amount) = amount.or(count.needed.then_some(known)) {
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
