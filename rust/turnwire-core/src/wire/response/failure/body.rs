//! Reads the body of an error, whatever came: the shapes of providers, gateways and proxies, plain text, HTML, nothing.

use super::page::{is_page, title};
use crate::{
    k,
    value::{Host, Key, NodeKind, Source, Text, Tree, Value, door::keys, json},
};

keys! {
    AWS_TYPE = "__type";
    BIG_MESSAGE = "Message";
    ERRORS = "errors";
    ERROR_MESSAGE = "errorMessage";
    ERROR_TYPE = "error_type";
    LOC = "loc";
    DETAILS = "details";
    ERROR_DESCRIPTION = "error_description";
    HEADERS = "headers";
    RESETS_IN_SECONDS = "resets_in_seconds";
    SECONDS = "seconds";
    METADATA = "metadata";
    MSG = "msg";
    N_CTX = "n_ctx";
    N_PROMPT_TOKENS = "n_prompt_tokens";
    RAW = "raw";
    RETRY_AFTER = "retry_after";
    RETRY_DELAY = "retryDelay";
    STATUS_CODE = "status_code";
}

/// The keys under which a message may be.
const SAID: [&Key; 5] = [&k::MESSAGE, &k::DETAIL, &BIG_MESSAGE, &ERROR_MESSAGE, &ERROR_DESCRIPTION];
/// The keys whose words say what an error means.
const WORDS: [&Key; 5] = [&k::CODE, &k::TYPE, &k::STATUS, &AWS_TYPE, &ERROR_TYPE];
/// The keys whose numbers may be the status of a response.
const STATUSES: [&Key; 3] = [&k::CODE, &k::STATUS, &STATUS_CODE];
/// How many bodies may be inside each other. Gateways put the body of a provider into their own as text.
const NESTED: u8 = 6;
/// The most characters of a text that no provider has written as its message.
const LONGEST: usize = 2_000;
/// The first bytes of a body that is not JSON, in which its text or its title is.
const HEAD: usize = 64 * 1024;
/// A gateway's message without any content.
const GENERIC: &str = "Provider returned error";

/// What the body of an error says.
pub(super) struct Body<H: Host> {
    /// The message, if there is one.
    pub(super) message: Option<Text<H>>,
    /// The error's own words for what it means, the outermost first.
    pub(super) words: Vec<String>,
    /// The status that it names.
    pub(super) status: Option<u16>,
    /// The tokens of the prompt and the most that the model takes, if they have keys of their own.
    pub(super) tokens: (Option<u64>, Option<u64>),
    /// The id of the request.
    pub(super) request: Option<Text<H>>,
    /// How long to wait before the next request, such as `5s`.
    pub(super) wait: Option<String>,
}

impl<H: Host> Body<H> {
    pub(super) fn read(value: &Value<H>) -> Self {
        let (message, words, status, tokens) = (None, Vec::new(), None, (None, None));
        let mut body = Self { message, words, status, tokens, request: None, wait: None };
        body.take(value, NESTED);
        if matches!(value, Value::Text(_)) {
            body.message = body.message.map(shortened);
        }
        body
    }

    fn take(&mut self, value: &Value<H>, depth: u8) {
        match value {
            Value::Null => {}
            Value::Text(text) => self.text(text, depth),
            Value::Map(_) => self.map(&Tree(value), depth),
            Value::List(items) => match (items.first(), places(items)) {
                (None, _) => {}
                (_, Some(said)) => self.message = Some(said),
                (Some(first), _) if depth > 0 && names_error(&Tree(first)) => self.take(first, depth - 1),
                _ => self.message = as_json(value),
            },
            _ => self.message = as_json(value),
        }
    }

    fn map(&mut self, node: &Tree<'_, H>, depth: u8) {
        let some = |key: &'static Key| node.get(key).filter(|value| value.kind() != NodeKind::Null);
        self.own_words(node);
        let Some(depth) = depth.checked_sub(1) else { return };
        if let Some((name, exception)) = exception(node) {
            self.words.push(name);
            return self.take(exception.0, depth);
        }
        let error = [&k::ERROR, &ERRORS].into_iter().find_map(some);
        let said = |body: &mut Self, is_said: fn(NodeKind) -> bool| {
            for said in SAID.into_iter().filter_map(some).filter(|said| is_said(said.kind())) {
                if body.message.is_none() {
                    body.take(said.0, depth);
                }
            }
        };
        // That there is an error is no message.
        if let Some(error) = error.as_ref().filter(|error| error.kind() != NodeKind::Bool) {
            // Beside a sentence, the text of an error is a word for it.
            if let Some(word) = error.text() {
                said(self, |kind| kind == NodeKind::Text);
                if self.message.is_some() {
                    self.words.push(word.to_str(None).into_owned());
                }
            }
            if self.message.is_none() {
                self.take(error.0, depth);
            }
        }
        said(self, |_| true);
        let raw = some(&METADATA).and_then(|metadata| metadata.get(&RAW)?.text());
        if let Some(raw) = raw.filter(|raw| !raw.is_blank(None))
            && self.message.as_ref().is_none_or(|message| message.is(GENERIC, None))
        {
            self.text(&raw, depth);
        }
        if self.message.is_none() && error.is_none() && !says_nothing(node.0) {
            self.message = as_json(node.0);
        }
    }

    /// Reads the words and the numbers of an object.
    fn own_words(&mut self, node: &Tree<'_, H>) {
        for word in WORDS.into_iter().filter_map(|key| node.get(key)) {
            let word = match (word.text(), word.count()) {
                (Some(text), _) => text.to_str(None).into_owned(),
                (None, Some(number)) => number.to_string(),
                _ => continue,
            };
            let word = word.rsplit('#').next().unwrap_or(&word);
            // Such a type only says that this is an error.
            if word != k::ERROR.name && !word.is_empty() {
                self.words.push(word.to_owned());
            }
        }
        let number = |value: Tree<'_, H>| match value.text() {
            Some(text) => text.to_str(None).parse().ok(),
            None => value.count()?.try_into().ok(),
        };
        let statuses = STATUSES.into_iter().filter_map(|key| node.get(key).and_then(number));
        self.status = self.status.or(statuses.into_iter().find(|status| (400..600).contains(status)));
        let request = node.get(&k::REQUEST_ID).and_then(|id| id.text()).filter(|id| !id.is_empty());
        self.request = self.request.take().or(request);
        self.wait = self.wait.take().or_else(|| waiting(node));
        let count = |key| node.get(key).and_then(|count: Tree<'_, H>| count.count());
        self.tokens = (self.tokens.0.or(count(&N_PROMPT_TOKENS)), self.tokens.1.or(count(&N_CTX)));
    }

    /// Reads a text, which may be another body.
    fn text(&mut self, text: &Text<H>, depth: u8) {
        let words = text.to_str(None);
        let trimmed = words.trim_matches(|letter: char| letter.is_whitespace() || letter == '\u{FEFF}');
        if let Some(depth) = depth.checked_sub(1)
            && trimmed.starts_with(['{', '['])
            && let Ok(value) = json::read::value::<H>(trimmed.as_bytes())
        {
            let before = self.message.take();
            self.take(&value, depth);
            self.message = self.message.take().or(before);
        } else if is_page(trimmed) {
            self.message = title(trimmed).map(|title| Text::own(&title)).or(self.message.take());
        } else if !trimmed.is_empty() {
            self.message = Some(text.share());
        }
    }
}

/// How long an object of an error asks to wait: Google says it in its details, others under a key for seconds.
fn waiting<H: Host>(node: &Tree<'_, H>) -> Option<String> {
    let details = node.get(&DETAILS);
    let delays = details.iter().flat_map(Source::items).filter_map(|detail| delay(&detail));
    // Proxies put the headers of the response into its body.
    let header = || {
        let headers = node.get(&METADATA)?.get(&HEADERS)?;
        let after = headers.entries().find(|(name, _)| name.to_str(None).eq_ignore_ascii_case("retry-after"));
        after.map(|(_, after)| after)
    };
    let seconds = || {
        let after = node.get(&RETRY_AFTER).or_else(|| node.get(&RESETS_IN_SECONDS)).or_else(header)?;
        let after = match after.text() {
            Some(text) => text.to_str(None).into_owned(),
            None => json::encode::to_string(&after.raw(), None).ok()?,
        };
        Some(after.trim_end_matches('s').to_owned() + "s")
    };
    let is_time = |time: &String| {
        let number = time.strip_suffix('s').unwrap_or_default();
        number.starts_with(|first: char| first.is_ascii_digit()) && number.parse::<f64>().is_ok()
    };
    delays.into_iter().chain(seconds()).find(is_time)
}

/// The time that a detail of an error asks to wait: a text such as `5s`, or an object with its seconds.
fn delay<H: Host>(detail: &Tree<'_, H>) -> Option<String> {
    let delay = detail.get(&RETRY_DELAY)?;
    match delay.text() {
        Some(text) => Some(text.to_str(None).into_owned()),
        None => Some(format!("{}s", delay.get(&SECONDS)?.count()?)),
    }
}

/// The exception that is all of an event of Bedrock's stream, and its name as a response has it.
fn exception<'a, H: Host>(node: &Tree<'a, H>) -> Option<(String, Tree<'a, H>)> {
    let (name, exception) = node.entries().next().filter(|_| node.len() == 1)?;
    let name = name.to_str(None).into_owned();
    let (first, rest) = name.split_at_checked(1)?;
    let says = || exception.get(&k::MESSAGE).is_some_and(|said| said.text().is_some());
    let is_one = exception.kind() == NodeKind::Map && (name.ends_with("Exception") || name != k::ERROR.name && says());
    is_one.then(|| (first.to_uppercase() + rest, exception))
}

/// Whether all details of an error say how long to wait.
pub(super) fn only_waits<H: Host>(details: &Tree<'_, H>) -> bool {
    !details.is_empty() && details.items().all(|detail| detail.get(&RETRY_DELAY).is_some())
}

/// Whether a value names an error, in a shape in which no format has a reply.
pub(crate) fn names_error<S: Source>(node: &S) -> bool {
    let says = |key: &'static Key| node.get(key).is_some_and(|value| !value.says_nothing());
    let is_text = |key: &'static Key| node.get(key).is_some_and(|value| value.kind() == NodeKind::Text);
    match node.kind() {
        NodeKind::List => node.items().next().is_some_and(|first| first.kind() == NodeKind::Map && has_error(&first)),
        NodeKind::Map => {
            let marked = node.get(&k::OBJECT).is_some_and(|mark| mark.one_of(&[(k::ERROR.name, ())]).is_some());
            marked || [&k::ERROR, &ERRORS, &k::DETAIL].into_iter().any(says) || SAID.into_iter().any(is_text)
        }
        _ => false,
    }
}

fn has_error<S: Source>(node: &S) -> bool {
    node.get(&k::ERROR).is_some_and(|error| error.kind() != NodeKind::Null)
}

/// Whether a value says nothing: nothing at all, or only keys without values.
pub(crate) fn says_nothing<H: Host>(value: &Value<H>) -> bool {
    match value {
        Value::Null => true,
        Value::Text(text) => text.is_blank(None),
        Value::List(items) => items.is_empty(),
        Value::Map(entries) => entries.iter().all(|(_, value)| matches!(value, Value::Null)),
        _ => false,
    }
}

/// The text of a body that is not JSON, with a mark for each half character.
pub(crate) fn text_of<H: Host>(body: &[u8]) -> Value<H> {
    let head = &body[..body.len().min(HEAD)];
    Value::Text(Text::own(&String::from_utf8_lossy(head)))
}

/// What is wrong at which places of a request, or texts, in a sentence.
fn places<H: Host>(items: &[Value<H>]) -> Option<Text<H>> {
    let one = |item: &Value<H>| -> Option<String> {
        let node = Tree(item);
        if let Some(text) = node.text() {
            return Some(text.to_str(None).into_owned());
        }
        let said = node.get(&MSG)?.text()?.to_str(None).into_owned();
        let step = |step: Tree<'_, H>| match step.text() {
            Some(text) => text.to_str(None).into_owned(),
            None => step.count().map_or_else(String::new, |number| number.to_string()),
        };
        let steps: Vec<_> = node.get(&LOC).iter().flat_map(Source::items).map(step).collect();
        Some(if steps.is_empty() { said } else { format!("{}: {said}", steps.join(".")) })
    };
    let said = items.iter().map(one).collect::<Option<Vec<_>>>()?.join("; ");
    (!said.trim().is_empty()).then(|| Text::own(&said))
}

/// A value as JSON text.
fn as_json<H: Host>(value: &Value<H>) -> Option<Text<H>> {
    let json = json::encode::to_string(&Tree(value).raw(), None).ok()?;
    Some(shortened(Text::own(&json)))
}

fn shortened<H: Host>(text: Text<H>) -> Text<H> {
    if text.utf8_len(None) <= LONGEST {
        return text;
    }
    let words = text.to_str(None);
    match words.char_indices().nth(LONGEST) {
        Some((at, _)) => Text::own(&words[..at]),
        None => text.share(),
    }
}
