//! Translates errors between formats: each meaning has a status, a type and a code in each format.

mod body;
mod page;
mod phrases;
mod too_long;

pub(crate) use self::{
    body::{names_error, says_nothing, text_of},
    too_long::{Sentence, TooLong, TooLongWords},
};

use self::body::{Body, only_waits};
use crate::k;
use crate::{
    report::{Path, Step},
    value::{Host, NodeKind, Source, Text, Tree, Value},
};

/// What an error means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// The request is invalid.
    Invalid,
    /// The conversation is longer than the model can read.
    TooLong,
    /// No key, or a wrong one.
    Key,
    /// The account has no money left.
    Money,
    /// The key may not do this.
    Forbidden,
    /// There is no such model.
    Unknown,
    /// Another operation is in progress.
    Conflict,
    /// The request has too many bytes.
    TooLarge,
    /// Too many requests, or tokens, in a time.
    Rate,
    /// The servers are overloaded.
    Overloaded,
    /// The request timed out.
    Timeout,
    /// The servers failed.
    Server,
}

impl Trouble {
    /// All of them, in the order of the rows. If a format has the same words for two, the first one counts.
    pub(crate) const ALL: [Self; 12] = [
        Self::Invalid,
        Self::TooLong,
        Self::Key,
        Self::Rate,
        Self::Money,
        Self::Forbidden,
        Self::Unknown,
        Self::Conflict,
        Self::TooLarge,
        Self::Overloaded,
        Self::Timeout,
        Self::Server,
    ];

    /// Its usual status.
    pub(crate) fn status(self) -> u16 {
        match self {
            Self::Invalid | Self::TooLong => 400,
            Self::Key => 401,
            Self::Money => 402,
            Self::Forbidden => 403,
            Self::Unknown => 404,
            Self::Conflict => 409,
            Self::TooLarge => 413,
            Self::Rate => 429,
            Self::Overloaded => 503,
            Self::Timeout => 504,
            Self::Server => 500,
        }
    }
}

/// A format's status, type and perhaps code for an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FailureRow(pub(crate) u16, pub(crate) &'static str, pub(crate) &'static str);

/// A row for each trouble, in the order of [`Trouble::ALL`].
pub(crate) type FailureRows = &'static [FailureRow; 12];

/// An error without any format.
#[derive(Debug)]
pub(crate) struct Failure<H: Host> {
    pub(crate) trouble: Trouble,
    /// The status of its response, if known.
    pub(crate) status: Option<u16>,
    pub(crate) message: Text<H>,
    /// The numbers of a request that is too long.
    pub(crate) too_long: TooLong,
    /// The id of the request, if the error names it.
    pub(crate) request: Option<Text<H>>,
    /// How long to wait before the next request, such as `5s`.
    pub(crate) wait: Option<String>,
    /// A code that clients of OpenAI's servers look for.
    pub(crate) code: Option<&'static str>,
}

/// Codes of OpenAI's servers by which clients such as Codex decide whether they ask again. They have no rows, since other
/// formats do not tell them apart.
const CODES: [(&str, Trouble); 5] = [
    ("usage_limit_reached", Trouble::Money),
    ("usage_not_included", Trouble::Money),
    ("cyber_policy", Trouble::Invalid),
    ("invalid_prompt", Trouble::Invalid),
    ("slow_down", Trouble::Overloaded),
];

impl<H: Host> Failure<H> {
    /// A failure of the servers.
    pub(crate) fn of_server(message: &str) -> Self {
        let (message, too_long) = (Text::own(message), TooLong::default());
        Self { trouble: Trouble::Server, status: None, message, too_long, request: None, wait: None, code: None }
    }

    /// Reads the body of an error, or the error in it. `status`: that of its response, if it is known. `own`: the rows of
    /// its format. `all`: those of every format, for bodies of other servers.
    pub(crate) fn read(
        error: &Value<H>,
        status: Option<u16>,
        own: FailureRows,
        all: impl Iterator<Item = FailureRows>,
    ) -> Self {
        let Body { message, words, status: named, tokens, request, wait } = Body::read(error);
        // A response that says that all is well is wrong about that.
        let status = status.filter(|status| is_failed(*status)).or(named);
        let coded = CODES.iter().find(|(code, _)| words.iter().any(|word| word == code));
        let meant = coded
            .map(|(_, trouble)| *trouble)
            .or_else(|| meaning(&words, status, own))
            .or_else(|| status.map(of_status))
            .or_else(|| all.into_iter().find_map(|rows| meaning(&words, None, rows)))
            .unwrap_or(Trouble::Server);
        let message = message.unwrap_or_else(|| {
            let words = status.map(|status| format!("HTTP {status}"));
            Text::own(words.as_deref().unwrap_or("an error without a message"))
        });
        let long = match (meant, status) {
            _ if TooLong::is_code(&words) => TooLong::read(&message.to_str(None), &[]).or(Some(TooLong::default())),
            (Trouble::TooLong, _) => TooLong::read(&message.to_str(None), &words).or(Some(TooLong::default())),
            (Trouble::Invalid | Trouble::TooLarge | Trouble::Server, None | Some(400 | 413 | 422)) => {
                TooLong::read(&message.to_str(None), &words)
            }
            _ => None,
        };
        let trouble = if long.is_some() { Trouble::TooLong } else { meant };
        let too_long = long.unwrap_or_default().with(tokens);
        let code = coded.map(|(code, _)| *code).filter(|_| trouble == meant);
        Self { trouble, status, message, too_long, request, wait, code }
    }

    /// What [`Self::read`] does not take from an error, as paths in it and names: other keys, and words that no row has.
    /// `named`: whether the target's errors name the request.
    pub(crate) fn unread(error: &Value<H>, rows: FailureRows, named: bool) -> Vec<(Path, String)> {
        let outer = Tree(error);
        let inner = outer.get(&k::ERROR).filter(|inner| inner.kind() != NodeKind::Null);
        let mut lost = Vec::new();
        if let Some(inner) = &inner {
            Self::unread_in(&outer, &Path::default(), None, &mut lost);
            Self::unread_in(inner, &Path::key(k::ERROR.name), Some(rows), &mut lost);
        } else {
            Self::unread_in(&outer, &Path::default(), Some(rows), &mut lost);
        }
        lost.retain(|(_, name)| !(named && name == k::REQUEST_ID.name));
        lost
    }

    fn unread_in(node: &Tree<'_, H>, at: &Path, rows: Option<FailureRows>, lost: &mut Vec<(Path, String)>) {
        // Without a message under a usual key, the whole value became the message.
        if rows.is_some()
            && [&k::MESSAGE, &k::DETAIL].into_iter().all(|key| node.get(key).is_none_or(|said| said.text().is_none()))
        {
            return;
        }
        let known = |word: &str| {
            let word = word.rsplit('#').next().unwrap_or(word);
            rows.is_none_or(|rows| rows.iter().any(|row| word == row.1 || word == row.2))
                || rows.is_some_and(has_codes) && CODES.iter().any(|(code, _)| *code == word)
        };
        for (key, value) in node.entries() {
            let name = key.to_str(None);
            let read = match &*name {
                "message" | "Message" | "detail" | "error" | "errors" | "object" | "n_ctx" | "n_prompt_tokens"
                | "retry_after" | "resets_in_seconds" | "error_description" => true,
                "details" => only_waits(&value),
                "code" | "type" | "status" | "status_code" | "__type" | "error_type" => {
                    value.text().is_none_or(|word| known(&word.to_str(None)))
                }
                _ => false,
            };
            let says = match value.0 {
                Value::Null => false,
                Value::Text(text) => !text.is_empty(),
                Value::List(items) => !items.is_empty(),
                Value::Map(entries) => !entries.is_empty(),
                _ => true,
            };
            if says && !read {
                lost.push((at.clone().then(Step::Name(name.as_ref().into())), name.into_owned()));
            }
        }
    }

    /// The message with the time to wait behind it, in the words that clients look for. `None` if there is no such time, or
    /// the message says one.
    pub(crate) fn asking_to_wait(&self) -> Option<Text<H>> {
        let wait = self.wait.as_ref().filter(|_| matches!(self.trouble, Trouble::Rate | Trouble::Overloaded))?;
        let said = self.message.to_str(None);
        let lower = said.to_ascii_lowercase();
        let is_time = |word: &str| word.starts_with(|first: char| first.is_ascii_digit());
        let says = WAITS.iter().any(|mark| lower.split(mark).skip(1).any(|rest| is_time(rest.trim_start())));
        let stop = if said.ends_with(['.', '!', '?']) { "" } else { "." };
        (!says).then(|| Text::own(&format!("{said}{stop} Please try again in {wait}.")))
    }

    /// A format's row for the error, and the status of the response. A client error stays a client error, so a request
    /// that must not be repeated never looks like one that may be. A request that is too long is always one.
    pub(crate) fn row(&self, rows: FailureRows) -> (FailureRow, u16) {
        let at = Trouble::ALL.iter().position(|trouble| *trouble == self.trouble).unwrap_or(0);
        let row = rows[at];
        let status = self.status.filter(|status| match self.trouble {
            Trouble::TooLong => *status == 413,
            _ => is_failed(*status) && status / 100 != row.0 / 100,
        });
        (row, status.unwrap_or(row.0))
    }
}

/// What stands before the time in a message that asks to wait.
const WAITS: [&str; 6] = ["again in", "again after", "retry in", "retry after", "retry-after:", "wait"];

/// Whether the errors of a format have codes beside their types.
pub(crate) fn has_codes(rows: FailureRows) -> bool {
    rows.iter().any(|row| !row.2.is_empty())
}

/// Whether a status is that of an error.
pub(crate) fn is_failed(status: u16) -> bool {
    (400..600).contains(&status)
}

/// The meaning of an error's words in the rows of a format. With a status, they only say which of its meanings it has: what
/// they say beside it, such as that of an error of another status, does not count.
pub(crate) fn meaning(words: &[String], status: Option<u16>, rows: FailureRows) -> Option<Trouble> {
    let fits = |row: &FailureRow| status.is_none_or(|status| status == row.0);
    let find = |is: &dyn Fn(&FailureRow, &str) -> bool| {
        let found = |word: &String| rows.iter().position(|row| !word.is_empty() && fits(row) && is(row, word));
        words.iter().find_map(found).map(|at| Trouble::ALL[at])
    };
    find(&|row, word| row.2 == word).or_else(|| find(&|row, word| row.1 == word))
}

/// The meaning of an error's status, which is the same in all formats.
fn of_status(status: u16) -> Trouble {
    match status {
        401 => Trouble::Key,
        402 => Trouble::Money,
        403 => Trouble::Forbidden,
        404 => Trouble::Unknown,
        408 | 504 => Trouble::Timeout,
        409 => Trouble::Conflict,
        413 => Trouble::TooLarge,
        429 => Trouble::Rate,
        503 | 529 => Trouble::Overloaded,
        400..500 => Trouble::Invalid,
        _ => Trouble::Server,
    }
}
