//! Finds out from an error's words that a request is too long for the model, and says it in another format's words.
//!
//! Clients shorten their history only where they see the words that they know, so these are data of each format.

/// Codes and types that say it, with any status.
const CODES: [&str; 6] = [
    "context_length_exceeded",
    "context_window_exceeded",
    "model_context_window_exceeded",
    "exceed_context_size_error",
    "prompt_too_long",
    "1261",
];

/// What servers say, in lower case. `{N}` is the prompt, `{A}` the room for the answer, `{M}` the most, and `*` anything.
/// A sentence with an `{A}` is about both together.
const SAID: [&str; 48] = [
    "prompt is too long: {N} tokens > {M} maximum",
    "input length and `max_tokens` exceed context limit: {N} + {A} > {M}",
    "is too large: {A}*maximum context length is {M} tokens and your request has {N} input tokens",
    "maximum context length is {M} tokens*({N} in the messages, {A} in the completion)",
    "maximum context length is {M} tokens*{N} tokens from the input messages and {A} tokens for the completion",
    "`inputs` tokens + `max_new_tokens` must be <= {M}",
    "tokens + max_new_tokens must be <= {M}",
    "maximum context length is {M} tokens*resulted in {N} tokens",
    "maximum context length is {M} tokens*requested about {N} tokens",
    "maximum context length is {M} tokens*requested {N} tokens",
    "maximum context length of {M} tokens",
    "request ({N} tokens) exceeds the available context size ({M} tokens)",
    "exceeds the available context size ({M} tokens)",
    "input token count ({N}) exceeds the maximum number of tokens allowed ({M})",
    "prompt contains {N} tokens*too large for model with {M} maximum context length",
    "maximum prompt length is {M} but the request contains {N} tokens",
    "current length is {N} while limit is {M}",
    "prompt token count of {N} exceeds the limit of {M}",
    "range of input length should be [1, {M}]",
    "exceeded model token limit: {M} (requested: {N})",
    "decoder prompt (length {N}) is longer than the maximum model length of {M}",
    "input prompt ({N} tokens) is too long and exceeds limit of {M}",
    "`inputs` must have less than {M} tokens",
    "exceeds the maximum allowed input length of {M} tokens",
    "input too long: {N} input tokens, limit is {M}",
    "input tokens [{N}] exceed context window [{M}]",
    "input tokens exceed the configured limit of {M} tokens",
    "context length is only {M} tokens",
    "cannot exceed {M}*too many tokens",
    "too many tokens: total number of tokens in the prompt cannot exceed {M}",
    "maximum input length is {M} tokens",
    "token count*exceeds the limit of {M}",
    "prompt too long; exceeded max context length by {A} tokens",
    "exceeds the maximum number of tokens",
    "maximum context length",
    "exceeds the context window",
    "reduce the length of the messages",
    "is longer than the model's context length",
    "prompt exceeds max length",
    "\u{8d85}\u{957f}",
    "context window exceeds limit",
    "exceeds the available context size",
    "greater than the context length",
    "tokens to keep from the initial prompt",
    "input length exceeds the context length",
    "max_model_len*exceed",
    "exceeds the maximum context",
    "exceed context window",
];

/// Shorter words, of servers that nobody has listed.
const GENERIC: [&str; 10] = [
    "context length exceeded",
    "context window*exceed",
    "exceed*context window",
    "context window*too ",
    "token limit exceeded",
    "too many tokens",
    "input is too long",
    "prompt is too long",
    "prompt too long",
    "input too long",
];

/// Words of other errors with the same words in them.
const NOT: [&str; 13] = [
    "rate limit",
    "per minute",
    "per day",
    "tpm",
    "quota",
    "throttl",
    "please wait",
    "string too long",
    "array too long",
    "maximum allowed number of output tokens",
    "max_tokens must be",
    "max_tokens: ",
    "request_too_large",
];

/// What an error says about a request that is too long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TooLong {
    /// The tokens of the prompt.
    pub(crate) prompt: Option<u64>,
    /// The tokens asked for as the answer, if these and the prompt are too many together.
    pub(crate) answer: Option<u64>,
    /// The most that the model takes.
    pub(crate) most: Option<u64>,
}

impl TooLong {
    /// Reads it from a message and the error's other words, all in lower case. `status`: 400 or one like it, or `None`.
    pub(crate) fn read(message: &str, words: &[&str], status: Option<u16>) -> Option<Self> {
        let by_code = words.iter().any(|word| CODES.contains(word));
        let may = matches!(status, None | Some(200 | 400 | 413 | 422)) && !NOT.iter().any(|not| message.contains(not));
        if !by_code && !may {
            return None;
        }
        let said = SAID.iter().filter_map(|template| read(template, message));
        let found = said.max_by_key(|one| [one.prompt, one.answer, one.most].iter().flatten().count());
        match found {
            Some(found) => Some(found.sound()),
            None if by_code || GENERIC.iter().any(|words| read(words, message).is_some()) => Some(Self::default()),
            None => None,
        }
    }

    /// A prompt that alone is too long, whatever the answer takes.
    fn sound(self) -> Self {
        let alone = matches!((self.prompt, self.most), (Some(prompt), Some(most)) if prompt >= most);
        let known = self.prompt.is_some() && self.most.is_some();
        Self { answer: self.answer.filter(|_| known && !alone), ..self }
    }
}

/// How a format says that a request is too long. The marks are those of [`SAID`]; `{S}` is what the source said.
#[derive(Clone, Copy)]
pub(crate) struct TooLongWords {
    /// Words in lower case that its clients look for. A message that has them stays as it is.
    pub(crate) known: &'static str,
    /// With the tokens of the prompt and the most.
    pub(crate) numbers: &'static str,
    /// Without numbers.
    pub(crate) bare: &'static str,
    /// Where a smaller answer would fit. Empty: the same as the others.
    pub(crate) answer: &'static str,
}

impl TooLongWords {
    /// The same message as the source's.
    pub(crate) const NONE: Self = Self { known: "", numbers: "", bare: "", answer: "" };

    /// The message in the format's words, with the source's behind them. `None` if the source's will do.
    pub(crate) fn write(&self, found: TooLong, source: &str) -> Option<String> {
        let lower = source.to_lowercase();
        if self.known.is_empty() && self.answer.is_empty() {
            return None;
        }
        let (template, known) = match (found.prompt, found.answer, found.most) {
            (Some(_), Some(_), Some(_)) if !self.answer.is_empty() => (self.answer, "exceed context limit"),
            (Some(_), _, Some(_)) if !self.numbers.is_empty() => (self.numbers, self.known),
            _ => (self.bare, self.known),
        };
        if !known.is_empty() && lower.contains(known) {
            return None;
        }
        let number = |number: Option<u64>| number.unwrap_or_default().to_string();
        let total = found.prompt.zip(found.answer).map(|(prompt, answer)| prompt.saturating_add(answer));
        let said = template
            .replace("{N}", &number(found.prompt))
            .replace("{A}", &number(found.answer))
            .replace("{T}", &number(total))
            .replace("{M}", &number(found.most));
        Some(if said.contains("{S}") {
            said.replace("{S}", source)
        } else if is_all(found, &lower) {
            said
        } else {
            format!("{said} ({source})")
        })
    }
}

/// Whether the source says nothing but the numbers, in a sentence that turnwire knows.
fn is_all(found: TooLong, lower: &str) -> bool {
    found.prompt.is_some() && found.most.is_some() && SAID.iter().any(|template| is_whole(template, lower))
}

/// Whether a message is one of a template's sentences and little else.
fn is_whole(template: &str, message: &str) -> bool {
    read(template, message).is_some_and(|found| found.prompt.is_some()) && message.len() < 200
}

/// Finds a template in a text. `None` if it is not there.
fn read(template: &str, text: &str) -> Option<TooLong> {
    let first = template.split(['{', '*']).next().unwrap_or_default();
    let mut from = 0;
    while let Some(at) = text.get(from..)?.find(first) {
        if let Some(found) = read_here(template, &text[from + at..]) {
            return Some(found);
        }
        from += at + first.len().max(1);
        while !text.is_char_boundary(from) {
            from += 1;
        }
    }
    None
}

/// Matches a template against the beginning of a text.
fn read_here(template: &str, text: &str) -> Option<TooLong> {
    let (mut found, mut rest, mut left) = (TooLong::default(), text, template);
    while !left.is_empty() {
        if let Some(behind) = left.strip_prefix('*') {
            let word = behind.split(['{', '*']).next().unwrap_or_default();
            // A template goes on with a word, or with a number anywhere.
            return (0..rest.len())
                .filter(|at| rest.is_char_boundary(*at) && rest[*at..].starts_with(word))
                .filter(|at| !word.is_empty() || rest[*at..].starts_with(|letter: char| letter.is_ascii_digit()))
                .find_map(|at| read_here(behind, &rest[at..]))
                .map(|more| TooLong {
                    prompt: found.prompt.or(more.prompt),
                    answer: found.answer.or(more.answer),
                    most: found.most.or(more.most),
                });
        }
        if let Some((mark, behind)) = left.strip_prefix('{').and_then(|mark| mark.split_once('}')) {
            let digits = rest.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b',').count();
            let digits = rest[..digits].trim_end_matches(',').len();
            let number = rest[..digits].replace(',', "").parse().ok()?;
            match mark {
                "N" => found.prompt = Some(number),
                "A" => found.answer = Some(number),
                _ => found.most = Some(number),
            }
            (rest, left) = (&rest[digits..], behind);
            continue;
        }
        let word = left.split(['{', '*']).next().unwrap_or_default();
        rest = rest.strip_prefix(word)?;
        left = &left[word.len()..];
    }
    Some(found)
}
