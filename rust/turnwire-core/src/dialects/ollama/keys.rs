//! Declares the keys of Ollama.

pub(super) use crate::k::*;

use crate::value::door::keys;

keys! {
    DONE = "done";
    DONE_REASON = "done_reason";
    PROMPT_EVAL_COUNT = "prompt_eval_count";
    PROMPT_EVAL_DURATION = "prompt_eval_duration";
    EVAL_COUNT = "eval_count";
    EVAL_DURATION = "eval_duration";
    TOTAL_DURATION = "total_duration";
    LOAD_DURATION = "load_duration";
}
