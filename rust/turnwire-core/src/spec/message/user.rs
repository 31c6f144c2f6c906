//! A message of the user, or of the program on their behalf.

use super::{
    content::{UserMessageContent, cut},
    env::UserEnvContext,
    image::ImageBlock,
    timestamp::Timestamp,
    tool::Block,
};
use crate::{
    model::{REDACTED_RESULT, ToolResult},
    report::Error,
    text::{MAX_USER_MESSAGE_SIZE, Split},
    value::{Host, Text, json},
};

/// A message of the user.
#[derive(Debug)]
pub struct UserMessage<H: Host> {
    /// Context that hooks and other programs have added. May be empty.
    pub additional_context: Text<H>,
    /// Where it was written.
    pub env_context: UserEnvContext<H>,
    /// Its content.
    pub content: UserMessageContent<H>,
    /// When it was written.
    pub timestamp: Option<Timestamp>,
    /// Images that came with it.
    pub images: Option<Vec<ImageBlock<H>>>,
}

impl<H: Host> UserMessage<H> {
    /// A message with this content and nothing else.
    #[must_use]
    pub fn new(content: UserMessageContent<H>, env_context: UserEnvContext<H>, timestamp: Option<Timestamp>) -> Self {
        Self { additional_context: Text::own(""), env_context, content, timestamp, images: None }
    }

    /// Another handle to the same message.
    #[must_use]
    pub fn share(&self) -> Self {
        self.with_content(self.content.share())
    }

    /// The message with other content.
    #[must_use]
    pub fn with_content(&self, content: UserMessageContent<H>) -> Self {
        Self {
            additional_context: self.additional_context.share(),
            env_context: self.env_context.share(),
            content,
            timestamp: self.timestamp,
            images: self.images.as_ref().map(|images| images.iter().map(ImageBlock::share).collect()),
        }
    }

    /// Whether both have the same content.
    #[must_use]
    pub fn same(&self, other: &Self) -> bool {
        let images = match (&self.images, &other.images) {
            (None, None) => true,
            (Some(mine), Some(theirs)) => {
                mine.len() == theirs.len() && mine.iter().zip(theirs).all(|(mine, theirs)| mine.same(theirs))
            }
            _ => false,
        };
        images
            && self.timestamp == other.timestamp
            && self.additional_context.same(&other.additional_context)
            && self.env_context.same(&other.env_context)
            && self.content.same(&other.content)
    }

    /// The message, cut so that everything it emits takes at most `max_bytes` UTF-8 bytes:
    /// [`content_with_context`](Self::content_with_context) and the results' texts. `None` if it fits already.
    ///
    /// Additional context and content divide the budget: what one does not need, the other gets. If not even the entry
    /// of the time fits, the message loses its time. Images, environment and [`REDACTED_RESULT`] do not count.
    pub fn truncate_safe(&self, max_bytes: usize, split: Split) -> Result<Option<Self>, Error> {
        // Usually the length alone decides. White space at the ends is not emitted.
        let whole = self.additional_context.utf8_len(None) + self.context_overhead() + self.content.size(max_bytes)?;
        if whole <= max_bytes || self.emitted(max_bytes)? <= max_bytes {
            return Ok(None);
        }
        let overhead = self.context_overhead();
        if overhead > max_bytes {
            let mut bare = self.share();
            // Without a time and additional context there is no overhead, so the loop ends.
            if bare.timestamp.take().is_none() {
                bare.additional_context = Text::own("");
            }
            return Ok(Some(bare.truncate_safe(max_bytes, split)?.unwrap_or(bare)));
        }
        let budget = max_bytes - overhead;
        let sizes = [self.additional_context.utf8_len(None), self.content.size(budget)?];
        let shares = Split::Fair.shares(&sizes, budget);
        let additional = cut(&self.additional_context, shares[0])?;
        let kept = additional.as_ref().map_or(sizes[0], |additional| additional.utf8_len(None));
        let content = self.content.truncate_safe(budget - kept, split)?;
        if additional.is_none() && content.is_none() {
            return Ok(None);
        }
        let mut new = self.with_content(content.unwrap_or_else(|| self.content.share()));
        if let Some(additional) = additional {
            new.additional_context = additional;
        }
        Ok(Some(new))
    }

    /// How many bytes it emits, context included. A size above `enough` may be any number above it.
    fn emitted(&self, enough: usize) -> Result<usize, Error> {
        let results = self.content.results_size(enough)?;
        Ok(if results > enough { results } else { results + self.content_with_context()?.utf8_len(None) })
    }

    /// The message with its results as the prompt: their blocks, joined by spaces and cut to [`MAX_USER_MESSAGE_SIZE`].
    /// [`REDACTED_RESULT`] if they are empty. `None` for a message without results.
    ///
    /// A block without a text form, such as an image, is left out.
    pub fn replace_content_with_tool_use_results(&self) -> Result<Option<Self>, Error> {
        let Some(results) = self.content.tool_use_results() else { return Ok(None) };
        let mut all = Vec::new();
        for (at, block) in results.iter().flat_map(ToolResult::blocks).filter(is_said).enumerate() {
            if at > 0 {
                all.push(b' ');
            }
            match block {
                Block::Text(text) => all.extend_from_slice(&text.wtf8(None)),
                Block::Json(raw) => all.extend_from_slice(&json::brief::of(raw, usize::MAX)?),
                Block::Media(_) | Block::Other(_) => {}
            }
            if all.len() > MAX_USER_MESSAGE_SIZE {
                break;
            }
        }
        // Only the spaces between empty blocks would be left.
        if all.iter().all(|byte| *byte == b' ')
            && results.iter().flat_map(ToolResult::blocks).all(|block| is_empty(&block))
        {
            all.clear();
            all.extend_from_slice(REDACTED_RESULT.as_bytes());
        }
        let prompt = H::text(&all)?;
        let prompt = cut(&prompt, MAX_USER_MESSAGE_SIZE)?.unwrap_or(prompt);
        Ok(Some(self.with_content(UserMessageContent::Prompt { prompt })))
    }
}

fn is_empty<H: Host>(block: &Block<'_, H>) -> bool {
    match block {
        Block::Text(text) => text.is_empty(),
        Block::Json(_) => false,
        Block::Media(_) | Block::Other(_) => true,
    }
}

fn is_said<H: Host>(block: &Block<'_, H>) -> bool {
    matches!(block, Block::Text(_) | Block::Json(_))
}
