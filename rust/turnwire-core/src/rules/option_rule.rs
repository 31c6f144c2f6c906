//! Declares what belongs to one provider in a format that speaks to many: objects under the names of providers, in a key of a
//! part or of a message.

use super::{mark_rule::MarkForm, ran_rule::RecordRule, value_rule::member};
use crate::value::{Extras, Host, Input, Raw, Text, Value};

/// What an option says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Means {
    /// The proof of reasoning that Claude shows.
    Signature,
    /// Reasoning that only Claude's provider can read.
    Redacted,
    /// The same as bytes, in base64.
    RedactedBytes,
    /// Google's signature of a part.
    Signed,
    /// The id of the item of OpenAI's that a part is, or is one of.
    Item,
    /// The encrypted content of an item of reasoning of OpenAI's.
    Encrypted,
    /// A gateway's details of reasoning.
    Details,
    /// A mark of the caller's at the end of the cached part of a prompt.
    Mark(MarkForm),
    /// A key that the provider's own format has under this name.
    Key(&'static str),
    /// The type of the provider's own block that a text stands for.
    Kind,
    /// The effort of reasoning from here on, in a message without text.
    Effort,
}

impl Means {
    /// Whether it is a part of reasoning.
    fn is_reasoning(self) -> bool {
        matches!(
            self,
            Self::Signature
                | Self::Redacted
                | Self::RedactedBytes
                | Self::Signed
                | Self::Item
                | Self::Encrypted
                | Self::Details
        )
    }
}

/// The name of a part that sets the effort of reasoning from here on.
pub(crate) const EFFORT: &str = "reasoningEffortUpdate";

/// The key of an item's id.
pub(crate) const ID: &str = "id";

/// An option of some providers, the usual one first.
pub(crate) struct OptionOf {
    pub(crate) providers: &'static [&'static str],
    pub(crate) key: &'static str,
    pub(crate) means: Means,
}

/// The options of a format.
pub(crate) struct OptionRule {
    /// The keys of a part or of a message that hold them.
    pub(crate) keys: &'static [&'static str],
    /// How it records calls that providers ran.
    pub(crate) records: &'static [RecordRule],
    pub(crate) options: &'static [OptionOf],
}

/// An option with its value.
pub(crate) struct Given<H: Host> {
    pub(crate) provider: Text<H>,
    pub(crate) key: Text<H>,
    pub(crate) value: Value<H>,
}

impl OptionRule {
    /// Whether a key holds options.
    pub(crate) fn is_in<H: Host>(&self, key: &Text<H>, input: Option<&Input>) -> bool {
        self.keys.iter().any(|known| key.is(known, input))
    }

    /// What an option says. `None` if nobody but its provider knows.
    fn means<H: Host>(&self, given: &Given<H>) -> Option<&'static OptionOf> {
        self.options.iter().find(|option| {
            given.key.is(option.key, None) && option.providers.iter().any(|name| given.provider.is(name, None))
        })
    }

    /// Whether an option is a cache mark.
    pub(crate) fn is_mark<H: Host>(&self, given: &Given<H>) -> bool {
        self.means(given).is_some_and(|option| matches!(option.means, Means::Mark(_)))
    }

    /// The options under one of the keys.
    pub(crate) fn under<H: Host>(value: &Value<H>) -> Vec<Given<H>> {
        let Value::Map(providers) = value else { return Vec::new() };
        let mut all = Vec::new();
        for (provider, options) in providers.iter() {
            let Value::Map(options) = options else { continue };
            let given = |(key, value): &(Text<H>, Value<H>)| Given {
                provider: provider.share(),
                key: key.share(),
                value: value.share(),
            };
            all.extend(options.iter().filter(|(_, value)| !matches!(value, Value::Null)).map(given));
        }
        all
    }

    /// The options of a part or a message by its wire value.
    pub(crate) fn of_value<H: Host>(&self, whole: &Value<H>) -> Vec<Given<H>> {
        let Value::Map(entries) = whole else { return Vec::new() };
        self.keys.iter().filter_map(|key| member(entries, key)).flat_map(Self::under).collect()
    }

    /// The options among the unknown keys of a part or a message.
    pub(crate) fn of_extras<H: Host>(&self, extras: &Extras<H>, input: Option<&Input>) -> Vec<Given<H>> {
        let held = extras.iter().filter(|(key, _)| self.is_in(key, input));
        held.filter_map(|(_, raw)| raw.to_value(input).ok()).flat_map(|value| Self::under(&value)).collect()
    }

    /// The first option that says this, with its key.
    pub(crate) fn first<'g, H: Host>(
        &self,
        given: &'g [Given<H>],
        means: Means,
    ) -> Option<(&'static str, &'g Value<H>)> {
        given.iter().find_map(|one| {
            let option = self.means(one).filter(|option| option.means == means)?;
            Some((option.key, &one.value))
        })
    }

    /// The first option of this provider that says this, with its key.
    pub(crate) fn first_for<'g, H: Host>(
        &self,
        given: &'g [Given<H>],
        means: Means,
        provider: &str,
    ) -> Option<(&'static str, &'g Value<H>)> {
        given.iter().find_map(|one| {
            let option = self.means(one).filter(|option| option.means == means)?;
            option.providers.contains(&provider).then_some((option.key, &one.value))
        })
    }

    /// The text of the first option that says this.
    pub(crate) fn text<H: Host>(&self, given: &[Given<H>], means: Means) -> Option<Text<H>> {
        match self.first(given, means)?.1 {
            Value::Text(text) if !text.is_empty() => Some(text.share()),
            _ => None,
        }
    }

    /// The name of the provider and of the option that say this, for what a provider made, or of the first that do.
    pub(crate) fn spelled(&self, means: Means, provider: &str) -> Option<(&'static str, &'static str)> {
        let all = || self.options.iter().filter(|option| option.means == means);
        let own = all().find_map(|option| {
            let name = option.providers.iter().find(|name| **name == provider)?;
            Some((*name, option.key))
        });
        own.or_else(|| all().find_map(|option| Some((*option.providers.first()?, option.key))))
    }

    /// Whether a provider spells this.
    pub(crate) fn has(&self, means: Means, provider: &str) -> bool {
        self.options.iter().any(|option| option.means == means && option.providers.contains(&provider))
    }

    /// The options under a key that are neither parts of reasoning nor `used`. `None` if that is all of them.
    pub(crate) fn left<H: Host>(
        &self,
        raw: &Raw<H>,
        input: Option<&Input>,
        used: &[&str],
        reasons: bool,
    ) -> Option<Vec<Given<H>>> {
        let all = Self::under(&raw.to_value(input).ok()?);
        let count = all.len();
        let is_used = |one: &Given<H>| {
            self.means(one).is_some_and(|option| {
                let native = match option.means {
                    Means::Key(key) => used.contains(&key),
                    Means::Item => used.contains(&ID),
                    _ => false,
                };
                native || used.contains(&option.key) || reasons && option.means.is_reasoning()
            })
        };
        let left: Vec<_> = all.into_iter().filter(|one| !is_used(one)).collect();
        (left.len() < count).then_some(left)
    }
}
