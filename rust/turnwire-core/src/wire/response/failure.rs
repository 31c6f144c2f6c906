//! Translates errors between formats: each meaning has a status, a type and a code in each format.

use crate::k;
use crate::{
    report::{Path, Step},
    value::{Host, NodeKind, Source, Text, Tree, Value, door::keys, json},
};

keys! {
    AWS_TYPE = "__type";
}

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
}

/// A format's status, type and perhaps code for an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FailureRow(pub(crate) u16, pub(crate) &'static str, pub(crate) &'static str);

/// A row for each trouble, in the order of [`Trouble::ALL`].
pub(crate) type FailureRows = &'static [FailureRow; 12];

/// Lower-case phrases that identify a request that is too long, for formats without a code for it.
const TOO_LONG: [&str; 6] = [
    "prompt is too long",
    "input is too long",
    "exceeds the maximum number of tokens",
    "maximum context length",
    "exceeds the context window",
    "too many tokens",
];

/// An error without any format.
#[derive(Debug)]
pub(crate) struct Failure<H: Host> {
    pub(crate) trouble: Trouble,
    /// The status of its response, if known.
    pub(crate) status: Option<u16>,
    pub(crate) message: Text<H>,
}

impl<H: Host> Failure<H> {
    /// Reads an error by the rows of its format. `status` is that of its response, if it is known.
    pub(crate) fn read(error: &Value<H>, status: Option<u16>, rows: FailureRows) -> Self {
        let node = Tree(error);
        let node = node.get(&k::ERROR).filter(|inner| inner.kind() != NodeKind::Null).unwrap_or(node);
        let message = message(&node);
        let status = status.or_else(|| node.get(&k::CODE)?.count()?.try_into().ok());
        let words: Vec<_> =
            [&k::CODE, &k::TYPE, &k::STATUS, &AWS_TYPE].into_iter().filter_map(|key| node.get(key)?.text()).collect();
        let words: Vec<_> = words.iter().map(|word| word.to_str(None)).collect();
        let words: Vec<_> = words.iter().map(|word| word.rsplit('#').next().unwrap_or(word)).collect();
        let says = |text: &str| !text.is_empty() && words.contains(&text);
        let find = |is: &dyn Fn(&FailureRow) -> bool| rows.iter().position(is).map(|at| Trouble::ALL[at]);
        let lower = message.to_str(None).to_lowercase();
        let class = |row: &FailureRow| status.is_none_or(|status| status / 100 == row.0 / 100);
        let found = find(&|row| says(row.2) && class(row))
            .or_else(|| find(&|row| says(row.1) && status.is_none_or(|status| status == row.0)))
            .or_else(|| find(&|row| says(row.1) && class(row)))
            .or_else(|| status.and_then(of_status));
        let trouble = match found.unwrap_or(Trouble::Server) {
            Trouble::Invalid | Trouble::TooLarge if TOO_LONG.iter().any(|words| lower.contains(words)) => {
                Trouble::TooLong
            }
            other => other,
        };
        Self { trouble, status, message }
    }

    /// What [`Self::read`] does not take from an error, as paths in it and names: other keys, and words that no row has.
    pub(crate) fn unread(error: &Value<H>, rows: FailureRows) -> Vec<(Path, String)> {
        let outer = Tree(error);
        let inner = outer.get(&k::ERROR).filter(|inner| inner.kind() != NodeKind::Null);
        let mut lost = Vec::new();
        if let Some(inner) = &inner {
            Self::unread_in(&outer, &Path::default(), None, &mut lost);
            Self::unread_in(inner, &Path::key(k::ERROR.name), Some(rows), &mut lost);
        } else {
            Self::unread_in(&outer, &Path::default(), Some(rows), &mut lost);
        }
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
        };
        for (key, value) in node.entries() {
            let name = key.to_str(None);
            let read = match &*name {
                "message" | "detail" | "error" | "object" => true,
                "code" | "type" | "status" | "__type" => value.text().is_none_or(|word| known(&word.to_str(None))),
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

    /// A format's row for the error, and the status of the response. A client error stays a client error, so a request
    /// that must not be repeated never looks like one that may be.
    pub(crate) fn row(&self, rows: FailureRows) -> (FailureRow, u16) {
        let at = Trouble::ALL.iter().position(|trouble| *trouble == self.trouble).unwrap_or(0);
        let row = rows[at];
        let status = self.status.filter(|status| (400..600).contains(status) && status / 100 != row.0 / 100);
        (row, status.unwrap_or(row.0))
    }
}

/// The meaning of a status, which is the same in all formats.
fn of_status(status: u16) -> Option<Trouble> {
    Some(match status {
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
        500..600 => Trouble::Server,
        _ => return None,
    })
}

/// The message: under the usual keys, or the whole value as text.
fn message<H: Host>(node: &Tree<'_, H>) -> Text<H> {
    let said = [&k::MESSAGE, &k::DETAIL].into_iter().find_map(|key| node.get(key)?.text());
    said.or_else(|| node.text()).unwrap_or_else(|| {
        let json = json::encode::to_string(&node.raw(), None).unwrap_or_default();
        Text::own(&json)
    })
}
