//! Holds the end of a reply in a format's own terms: why it ended and its tokens, or its error.

use super::{
    failure::{Failure, FailureRow, Trouble, has_codes},
    rule::ResponseRule,
};
use crate::{
    model::{Finish, Tokens},
    value::{Host, Key, Raw, Sink, Text, Value},
};

/// The end of a whole reply.
pub(crate) struct Closing<H: Host> {
    rule: &'static ResponseRule,
    /// Why it ended.
    pub(crate) finish: Finish,
    /// The format's word for it.
    pub(crate) word: Text<H>,
    counts: Option<Value<H>>,
    /// The tier that the request was served at, if the format has a key for it.
    tier: Option<Text<H>>,
    /// The word, if it is only the nearest one.
    pub(crate) nearest: Option<&'static str>,
    /// The required counts that are made up.
    pub(crate) made_up: Vec<&'static str>,
}

impl<H: Host> Closing<H> {
    /// The end of a reply that ends with `given`, and for the format with `finish`. `None` if the format has no word for it,
    /// so that it becomes an error.
    pub(crate) fn of(given: Finish, finish: Finish, tokens: &Tokens, rule: &'static ResponseRule) -> Option<Self> {
        let (word, nearest) = rule.words.of(finish).word()?;
        let nearest = nearest || given != finish;
        let mut written = rule.usage.write::<H>(tokens);
        let made_up = written.as_mut().map(|written| std::mem::take(&mut written.made_up)).unwrap_or_default();
        let counts = written.map(|written| written.counts.value());
        let tier = None;
        Some(Self { rule, finish, word: Text::own(word), counts, tier, nearest: nearest.then_some(word), made_up })
    }

    /// The same end of a request that was served at this tier.
    pub(crate) fn served_at(self, tier: Option<Text<H>>) -> Self {
        Self { tier: tier.filter(|_| self.rule.tier.is_some()), ..self }
    }

    /// Writes the tier, if it is known.
    pub(crate) fn write_tier<K: Sink<H>>(&self, out: &mut K) {
        if let (Some(key), Some(tier)) = (self.rule.tier, &self.tier) {
            out.key(key);
            out.text(tier);
        }
    }

    /// The same end with a more exact word for it.
    pub(crate) fn with(self, word: Option<Text<H>>) -> Self {
        match word {
            Some(word) => Self { word, nearest: None, ..self },
            None => self,
        }
    }

    /// Writes the tokens under their key, or each under its own key. Writes nothing if they are unknown.
    pub(crate) fn write_usage<K: Sink<H>>(&self, out: &mut K) {
        match (&self.counts, self.rule.usage.key) {
            (Some(counts), Some(key)) => {
                out.key(key);
                out.raw(&Raw::Tree(counts.share()));
            }
            _ => self.write_counts(out),
        }
    }

    /// Writes each token count under its own key.
    pub(crate) fn write_counts<K: Sink<H>>(&self, out: &mut K) {
        let Some(Value::Map(entries)) = &self.counts else { return };
        for (key, count) in entries.iter() {
            out.key_text(key);
            out.raw(&Raw::Tree(count.share()));
        }
    }

    /// The tokens.
    pub(crate) fn counts(&self) -> Option<&Value<H>> {
        self.counts.as_ref()
    }
}

/// An error in a format's own terms.
pub(crate) struct FailureWords<H: Host> {
    pub(crate) message: Text<H>,
    /// The status that the response would have.
    pub(crate) status: u16,
    /// The format's own type of error.
    pub(crate) kind: Text<H>,
    /// Its code, if it has one.
    pub(crate) code: Option<Text<H>>,
    /// The parameter that is wrong, if the format names it.
    pub(crate) param: Option<&'static Key>,
    /// The id of the request, if it is known.
    pub(crate) request: Option<Text<H>>,
}

impl<H: Host> FailureWords<H> {
    pub(crate) fn of(failure: &Failure<H>, rule: &ResponseRule) -> Self {
        let (FailureRow(_, kind, code), status) = failure.row(rule.failures);
        let own = failure.code.filter(|_| has_codes(rule.failures)).unwrap_or(code);
        let code = (!own.is_empty()).then(|| Text::own(own));
        let (message, kind) = (failure.message.share(), Text::own(kind));
        let request = failure.request.as_ref().map(Text::share);
        let words =
            Self { message: failure.asking_to_wait().unwrap_or(message), status, kind, code, param: None, request };
        if failure.trouble != Trouble::TooLong {
            return words;
        }
        let said = rule.too_long.write(&failure.too_long, &failure.message.to_str(None));
        let message = said.map_or(words.message, |said| Text::own(&said));
        Self { message, param: rule.too_long.param, ..words }
    }
}
