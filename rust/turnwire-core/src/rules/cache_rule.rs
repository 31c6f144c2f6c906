//! Declares how a format marks the end of the cached part of a prompt, and where a mark may be.

use super::bound;
use crate::value::Key;

/// The form of a mark: an object with a type and a lifetime.
#[derive(Clone, Copy)]
pub(crate) enum CacheMark {
    /// Under this key of the last block of the part.
    Key(&'static Key),
    /// Under this key of a separate block after it.
    Block(&'static Key),
}

impl CacheMark {
    /// The key of the mark.
    pub(crate) fn key(self) -> &'static Key {
        match self {
            Self::Key(key) | Self::Block(key) => key,
        }
    }
}

/// The cache marks of a format.
pub(crate) struct CacheRule {
    pub(crate) mark: CacheMark,
    /// The type in a mark's object.
    pub(crate) kind: &'static Key,
    /// The blocks that may end the cached part, by type, or by key if blocks have no type.
    pub(crate) blocks: &'static [&'static str],
    /// The key of tools that may end it.
    pub(crate) tool: &'static Key,
    /// The key of tools that are left out of the prompt, and so may not end it.
    pub(crate) hidden: Option<&'static Key>,
    /// Whether reasoning may have one.
    pub(crate) on_reasoning: bool,
}

/// A version of a model: major and minor.
type Version = (u32, u32);

/// How many tokens a Claude model caches at least: family, first and last version, tokens.
/// <https://platform.claude.com/docs/en/build-with-claude/prompt-caching>
const FEWEST: [(&str, Version, Version, usize); 8] = [
    ("opus-", (5, 0), (5, 0), 512),
    ("fable-", (5, 1), (5, 1), 512),
    ("mythos-", (5, 1), (5, 1), 512),
    ("opus-", (4, 8), (4, 8), 1024),
    ("sonnet-", (4, 0), (5, 0), 1024),
    ("opus-", (4, 7), (4, 7), 2048),
    ("opus-", (4, 5), (4, 6), 4096),
    ("haiku-", (4, 5), (4, 5), 4096),
];

/// How many tokens a model caches at least. 0 if that is not known.
pub(crate) fn fewest(model: Option<&str>) -> usize {
    let Some((model, version)) = model.and_then(|model| Some((model, bound::claude_version(model)?))) else { return 0 };
    let is =
        |(family, first, last, _): &&(&str, _, _, usize)| model.contains(family) && (*first..=*last).contains(&version);
    FEWEST.iter().find(is).map_or(0, |(.., tokens)| *tokens)
}

#[cfg(test)]
mod tests {
    use super::fewest;

    #[test]
    fn the_fewest_tokens() {
        let known = [
            ("claude-opus-5", 512),
            ("claude-fable-5-1-20260601", 512),
            ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", 1024),
            ("claude-opus-4-8", 1024),
            ("claude-opus-4.7", 2048),
            ("claude-opus-4-6", 4096),
            ("claude-haiku-4-5", 4096),
            ("claude-opus-5-5", 0),
            ("claude-next", 0),
            ("gpt-5.2", 0),
        ];
        for (model, tokens) in known {
            assert_eq!(fewest(Some(model)), tokens, "{model}");
        }
        assert_eq!(fewest(None), 0);
    }
}
