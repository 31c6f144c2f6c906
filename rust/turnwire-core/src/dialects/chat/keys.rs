//! Declares the keys of the family.

pub(super) use crate::k::*;

use crate::value::door::keys;

keys! {
    // Around a reply.
    PARAM = "param";
    CHOICES = "choices";
    PROMPT_TOKENS = "prompt_tokens";
    COMPLETION_TOKENS = "completion_tokens";
    PROMPT_TOKENS_DETAILS = "prompt_tokens_details";
    COMPLETION_TOKENS_DETAILS = "completion_tokens_details";
    // In streams.
    EXTRA_CONTENT = "extra_content";
    REASONING_DETAILS = "reasoning_details";
    THINKING_BLOCKS = "thinking_blocks";
    REASONING_ITEMS = "reasoning_items";
}
