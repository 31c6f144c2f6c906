//! The content of a user message: a prompt, the results of tools, or the results of cancelled tools with a prompt.

use super::tool::{CANCELLED_RESULT, all_sizes, size_of, truncate_results};
use crate::{
    model::{Content, ToolResult},
    report::Error,
    text::{Keep, Split, TRUNCATED_SUFFIX, Units},
    value::{Host, Text},
};

/// The content of a user message.
#[derive(Debug)]
pub enum UserMessageContent<H: Host> {
    /// What the user typed.
    Prompt {
        /// The text.
        prompt: Text<H>,
    },
    /// Tools that the user did not let run.
    CancelledToolUses {
        /// What the user typed instead.
        prompt: Option<Text<H>>,
        /// A failed result for each of them.
        tool_use_results: Vec<ToolResult<H>>,
    },
    /// The results of tools.
    ToolUseResults {
        /// One for each call.
        tool_use_results: Vec<ToolResult<H>>,
    },
}

impl<H: Host> UserMessageContent<H> {
    /// Cancelled tools: for each id, a failed result that says so.
    pub fn cancelled(prompt: Option<Text<H>>, ids: Vec<Text<H>>) -> Result<Self, Error> {
        let said: Text<H> = H::text(CANCELLED_RESULT.as_bytes())?;
        let result = |id| ToolResult {
            id,
            made_up_id: false,
            name: None,
            content: Content::Text(said.share()),
            error: true,
            synthetic: false,
            custom: false,
            form: None,
        };
        Ok(Self::CancelledToolUses { prompt, tool_use_results: ids.into_iter().map(result).collect() })
    }

    /// The prompt, if there is one.
    #[must_use]
    pub fn prompt(&self) -> Option<&Text<H>> {
        match self {
            Self::Prompt { prompt } => Some(prompt),
            Self::CancelledToolUses { prompt, .. } => prompt.as_ref(),
            Self::ToolUseResults { .. } => None,
        }
    }

    /// The results; `None` for a plain prompt.
    #[must_use]
    pub fn tool_use_results(&self) -> Option<&[ToolResult<H>]> {
        match self {
            Self::Prompt { .. } => None,
            Self::CancelledToolUses { tool_use_results, .. } | Self::ToolUseResults { tool_use_results } => {
                Some(tool_use_results)
            }
        }
    }

    /// Another handle to the same content.
    #[must_use]
    pub fn share(&self) -> Self {
        let all = |results: &[ToolResult<H>]| results.iter().map(ToolResult::share).collect();
        match self {
            Self::Prompt { prompt } => Self::Prompt { prompt: prompt.share() },
            Self::CancelledToolUses { prompt, tool_use_results } => Self::CancelledToolUses {
                prompt: prompt.as_ref().map(Text::share),
                tool_use_results: all(tool_use_results),
            },
            Self::ToolUseResults { tool_use_results } => {
                Self::ToolUseResults { tool_use_results: all(tool_use_results) }
            }
        }
    }

    /// Whether both have the same content.
    #[must_use]
    pub fn same(&self, other: &Self) -> bool {
        let results = match (self.tool_use_results(), other.tool_use_results()) {
            (None, None) => true,
            (Some(mine), Some(theirs)) => {
                mine.len() == theirs.len()
                    && mine.iter().zip(theirs).all(|(mine, theirs)| mine.same(theirs, (None, None)))
            }
            _ => false,
        };
        let variants = std::mem::discriminant(self) == std::mem::discriminant(other);
        variants && results && Text::same_option(self.prompt(), other.prompt())
    }

    /// The size of its texts in UTF-8 bytes. A size above `enough` may be any number above it.
    pub(super) fn size(&self, enough: usize) -> Result<usize, Error> {
        let prompt = self.prompt().map_or(0, |prompt| prompt.utf8_len(None));
        Ok(if prompt > enough { prompt } else { prompt + self.results_size(enough)? })
    }

    /// The size of its results alone, likewise.
    pub(super) fn results_size(&self, enough: usize) -> Result<usize, Error> {
        all_sizes(self.tool_use_results().unwrap_or_default(), enough)
    }

    /// The content with texts of at most `max_bytes` UTF-8 bytes in total. `None` if it fits already.
    ///
    /// If the texts are larger, the prompt and the results of cancelled tools get one half each. With [`Split::Fair`],
    /// each gets what the other does not need.
    pub fn truncate_safe(&self, max_bytes: usize, split: Split) -> Result<Option<Self>, Error> {
        if self.size(max_bytes)? <= max_bytes {
            return Ok(None);
        }
        match self {
            Self::Prompt { prompt } => Ok(cut(prompt, max_bytes)?.map(|prompt| Self::Prompt { prompt })),
            Self::CancelledToolUses { prompt, tool_use_results } => {
                let mut half = max_bytes / 2;
                if let (Split::Fair, Some(prompt)) = (split, prompt) {
                    let mut results = 0;
                    for result in tool_use_results {
                        results += size_of(result, max_bytes)?;
                    }
                    half = split.shares(&[prompt.utf8_len(None), results], max_bytes)[0];
                }
                let new_prompt = match prompt {
                    Some(prompt) => cut(prompt, half)?,
                    None => None,
                };
                let rest = match (split, new_prompt.as_ref().or(prompt.as_ref())) {
                    (Split::Fair, Some(kept)) => max_bytes - kept.utf8_len(None),
                    (Split::Fair, None) => max_bytes,
                    (Split::Even, _) => max_bytes / 2,
                };
                let new_results = cut_all(tool_use_results, rest, split)?;
                Ok((new_prompt.is_some() || new_results.is_some()).then(|| Self::CancelledToolUses {
                    prompt: new_prompt.or_else(|| prompt.as_ref().map(Text::share)),
                    tool_use_results: new_results
                        .unwrap_or_else(|| tool_use_results.iter().map(ToolResult::share).collect()),
                }))
            }
            Self::ToolUseResults { tool_use_results } => Ok(cut_all(tool_use_results, max_bytes, split)?
                .map(|tool_use_results| Self::ToolUseResults { tool_use_results })),
        }
    }
}

pub(super) fn cut<H: Host>(text: &Text<H>, max_bytes: usize) -> Result<Option<Text<H>>, Error> {
    text.truncate(max_bytes, Units::Ascii(TRUNCATED_SUFFIX), Keep::Head, None)
}

/// All results, cut to their shares. `None` if none of them changes.
fn cut_all<H: Host>(
    results: &[ToolResult<H>],
    max_bytes: usize,
    split: Split,
) -> Result<Option<Vec<ToolResult<H>>>, Error> {
    let all: Vec<_> = results.iter().collect();
    let cut = truncate_results(&all, max_bytes, Units::Ascii(TRUNCATED_SUFFIX), split)?;
    if cut.iter().all(Option::is_none) {
        return Ok(None);
    }
    Ok(Some(cut.into_iter().zip(results).map(|(new, old)| new.unwrap_or_else(|| old.share())).collect()))
}
