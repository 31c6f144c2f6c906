//! Finds out from an error's words that a request is too long for the model, and says it in another format's words.
//!
//! Clients shorten their history only where they see the words that they know, so these are data of each format.

use super::phrases::{Found, Numbers, find};
use crate::value::Key;

/// Codes and types that say it, with any status.
const CODES: [&str; 6] = [
    "context_length_exceeded",
    "context_window_exceeded",
    "model_context_window_exceeded",
    "exceed_context_size_error",
    "prompt_too_long",
    // GLM.
    "1261",
];

/// What servers say, in lower case. `{N}` is the prompt, `{A}` the room for the answer, `{T}`
/// both, `{M}` the most, and `*` any text.
/// With an `{A}`, the sentence is about both together.
const SAID: &[&str] = &[
    // Anthropic.
    "prompt is too long: {N} tokens > {M} maximum",
    "input length and `max_tokens` exceed context limit: {N} + {A} > {M}",
    // OpenAI, vLLM, sglang, OpenRouter.
    "is too large: {A}*maximum context length is {M} tokens and your request has {N} input tokens",
    "maximum context length is {M} tokens*requested {T} tokens ({N} in the messages, {A} in the completion)",
    "maximum context length is {M} tokens*requested {T} tokens ({N} in your prompt; {A} for the completion)",
    "maximum context length of {M} tokens*requested a total of {T} tokens: {N} tokens from the input messages and {A} tokens for the completion",
    "maximum context length is {M} tokens*({N} in the messages, {A} in the completion)",
    "maximum context length is {M} tokens*({N} in your prompt; {A} for the completion)",
    "maximum context length is {M} tokens*({N} of text input*{A} in the output)",
    "maximum context length is {M} tokens*requested {A} output tokens*{N} input tokens",
    "maximum context length is {M} tokens*{N} tokens from the input messages and {A} tokens for the completion",
    "maximum context length of {M} tokens*{N} tokens from the input messages and {A} tokens for the completion",
    "maximum context length is {M} tokens*resulted in {N} tokens",
    "maximum context length is {M} tokens*requested about {N} tokens",
    "maximum context length is {M} tokens*requested {N} tokens",
    "maximum context length is {M} tokens",
    "maximum context length of {M} tokens",
    "input tokens exceed the configured limit of {M} tokens",
    "exceeds the context window",
    "reduce the length of the messages",
    // Google.
    "input token count ({N}) exceeds the maximum number of tokens allowed ({M})",
    "input token count is {N} but model only supports up to {M}",
    "token count*exceeds the limit of {M}",
    "exceeds the maximum number of tokens",
    // Mistral, Cohere, xAI, Cerebras, Copilot, DashScope, GLM, Kimi, MiniMax.
    "prompt contains {N} tokens*too large for model with {M} maximum context length",
    "too many tokens: total number of tokens in the prompt cannot exceed {M}",
    "maximum prompt length is {M} but the request contains {N} tokens",
    "current length is {N} while limit is {M}",
    "prompt token count of {N} exceeds the limit of {M}",
    "range of input length should be [1, {M}]",
    "prompt exceeds max length",
    "\u{8d85}\u{957f}",
    "exceeded model token limit: {M} (requested: {N})",
    "context window exceeds limit",
    // llama.cpp, LM Studio, Ollama.
    "request ({N} tokens) exceeds the available context size ({M} tokens)",
    "exceeds the available context size ({M} tokens)",
    "exceeds the available context size",
    "greater than the context length",
    "tokens to keep from the initial prompt",
    "context length is only {M} tokens",
    "prompt too long; exceeded max context length",
    "input length exceeds the context length",
    // vLLM, Together, TGI.
    "decoder prompt (length {N}) is longer than the maximum model length of {M}",
    "input prompt ({N} tokens) is too long and exceeds limit of {M}",
    "max_model_len*exceed",
    "exceed*max_model_len",
    "is longer than the model's context length",
    "`inputs` tokens + `max_new_tokens` must be <= {M}*given: {N} `inputs` tokens and {A} `max_new_tokens`",
    "tokens + `max_new_tokens` must be <= {M}",
    "tokens + max_new_tokens must be <= {M}",
    "`inputs` must have less than {M} tokens. given: {N}",
    "`inputs` must have less than {M} tokens",
    // Poolside, Vercel, kronk.
    "exceeds the maximum allowed input length of {M} tokens",
    "input too long: {N} input tokens, limit is {M}",
    "input tokens [{N}] exceed context window [{M}]",
    // Short words of other servers.
    "maximum context length",
    "maximum input length is {M} tokens",
    "input length and `max_tokens` exceed context limit",
    "exceeds the maximum context",
    "context length exceeded",
    "context window*exceed",
    "exceed*context window",
    "context window*too ",
    "token limit exceeded",
    "too many tokens",
    "input is too long",
    "prompt is too long",
    "prompt too long",
];

/// What errors of other kinds say with the same words.
const OTHERS: &[&str] = &[
    "rate limit",
    "per minute",
    "per day",
    "per hour",
    "tokens/min",
    "quota",
    "throttl",
    "please wait",
    "string too long",
    "array too long",
    "max_tokens*must be",
    "max_tokens: {A} > {M}",
    "maximum allowed number of output tokens",
    "request_too_large",
];

/// The same as whole words.
const OTHER_WORDS: [&str; 4] = ["tpm", "tpd", "rpm", "rpd"];

/// How many characters of a message are searched.
const SEARCHED: usize = 4_000;
/// What servers say around such a sentence without adding anything to it, in lower case, the longest first.
const AROUND: &[&str] = &[
    "please reduce the length of the messages or completion",
    "please reduce the length of the input messages",
    "requested token count exceeds the model's",
    "please reduce the length of the messages",
    "the model returned the following errors",
    "'max_tokens' or 'max_completion_tokens'",
    "please reduce your prompt",
    "please reduce the length",
    "and 0 draft tokens",
    "try increasing it",
    "this endpoint's",
    "or completion",
    "your messages",
    "'max_tokens'",
    "your request",
    "this model's",
    "the request",
    "the input",
    "however",
    "request",
    "input",
    "you",
    "the",
];

/// What an error says about a request that is too long.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TooLong {
    /// The answer's number is known only if the prompt alone would fit.
    pub(crate) numbers: Numbers,
    /// Whether the message says nothing else.
    complete: bool,
}

impl TooLong {
    /// Whether one of an error's codes says it.
    pub(super) fn is_code(words: &[String]) -> bool {
        words.iter().any(|word| CODES.contains(&word.as_str()))
    }

    /// Reads a message. `None` if it does not say that a request is too long.
    pub(super) fn read(message: &str, words: &[String]) -> Option<Self> {
        let message = searched(message);
        let is = |other: &&str| find(other, &message).is_some() || words.iter().any(|word| word == other);
        let mut single = message.split(|letter: char| !letter.is_alphanumeric());
        if OTHERS.iter().any(is) || single.any(|word| OTHER_WORDS.contains(&word)) {
            return None;
        }
        let mut best: Option<Found> = None;
        for found in SAID.iter().filter_map(|template| find(template, &message)) {
            if best.as_ref().is_none_or(|best| best.numbers.known() < found.numbers.known()) {
                best = Some(found);
            }
        }
        let found = best?;
        let between = found.between.iter().map(|place| &message[place.clone()]);
        let mut around = [&message[..found.start], &message[found.end..]].into_iter().chain(between);
        Some(Self { numbers: found.numbers, complete: around.all(says_nothing) })
    }

    /// Adds the numbers of the keys beside the message. A prompt that alone is too long is told without its answer.
    pub(super) fn with(self, (prompt, most): (Option<u64>, Option<u64>)) -> Self {
        let numbers = Numbers { prompt, answer: None, most }.or(self.numbers);
        let fits = matches!((numbers.prompt, numbers.most), (Some(prompt), Some(most)) if prompt < most);
        Self { numbers: Numbers { answer: numbers.answer.filter(|_| fits), ..numbers }, ..self }
    }
}

/// Whether the words around a known sentence add nothing to it.
fn says_nothing(around: &str) -> bool {
    let left = AROUND.iter().fold(around.to_owned(), |left, words| left.replace(words, " "));
    !left.contains(char::is_alphanumeric)
}

/// The beginning of a message, in lower case.
fn searched(message: &str) -> String {
    message.chars().take(SEARCHED).flat_map(char::to_lowercase).collect()
}

/// How a format says that a request is too long. The marks are those of [`SAID`]; `{T}` is the prompt and the answer
/// together, `{X}` what the prompt is over the most, and `{S}` what the source said.
#[derive(Clone, Copy)]
pub(crate) struct TooLongWords {
    /// With the tokens of the prompt and the most, and words in lower case that its clients look for.
    pub(crate) numbers: Sentence,
    /// Only with the most.
    pub(crate) most: Sentence,
    /// Without numbers. Empty: the source's message.
    pub(crate) bare: Sentence,
    /// Where a smaller answer would fit.
    pub(crate) both: Sentence,
    /// What its errors name as the wrong parameter.
    pub(crate) param: Option<&'static Key>,
}

/// A template, and the words in lower case by which its clients know it.
#[derive(Clone, Copy)]
pub(crate) struct Sentence(pub(crate) &'static str, pub(crate) &'static str);

impl Sentence {
    /// The same as with fewer numbers.
    pub(crate) const NONE: Self = Self("", "");
    /// A prompt that fits, with an answer that does not. Clients read the numbers, and ask for a shorter answer.
    pub(crate) const OVER_LIMIT: Self = Self(
        "input length and `max_tokens` exceed context limit: {N} + {A} > {M}, decrease input length or `max_tokens` and try again",
        "exceed context limit",
    );
}

impl TooLongWords {
    /// The source's message.
    pub(crate) const NONE: Self =
        Self { numbers: Sentence::NONE, most: Sentence::NONE, bare: Sentence::NONE, both: Sentence::NONE, param: None };

    /// What Google's servers say.
    pub(crate) const COUNTED: Self = Self {
        numbers: Sentence(
            "The input token count ({N}) exceeds the maximum number of tokens allowed ({M}).",
            "exceeds the maximum number of tokens",
        ),
        bare: Sentence(
            "The input token count exceeds the maximum number of tokens allowed. {S}",
            "exceeds the maximum number of tokens",
        ),
        ..Self::NONE
    };

    /// The message in the format's words, with the source's behind them. `None` if the source's has these words.
    pub(crate) fn write(&self, found: &TooLong, source: &str) -> Option<String> {
        let Numbers { prompt, answer, most } = found.numbers;
        let over = prompt.zip(most).map(|(prompt, most)| prompt.saturating_sub(most));
        let ways = [
            (answer.is_some(), self.both),
            (answer.is_none() && over.is_some_and(|over| over > 0), self.numbers),
            (most.is_some(), self.most),
            (true, self.bare),
        ];
        let Sentence(template, known) = ways.into_iter().find(|(fits, words)| *fits && !words.0.is_empty())?.1;
        if searched(source).contains(known) {
            return None;
        }
        let total = prompt.zip(answer).map(|(prompt, answer)| prompt.saturating_add(answer));
        let mut said = template.to_owned();
        for (mark, number) in [("{N}", prompt), ("{A}", answer), ("{M}", most), ("{T}", total), ("{X}", over)] {
            said = said.replace(mark, &number.unwrap_or_default().to_string());
        }
        let numbered = template.contains("{N}") || template.contains("{X}");
        Some(match () {
            () if said.contains("{S}") => said.replace("{S}", source),
            () if numbered && found.complete => said,
            () => format!("{said} ({source})"),
        })
    }
}
