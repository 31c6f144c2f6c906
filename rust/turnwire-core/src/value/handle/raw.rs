//! A JSON value that was not read yet.

use std::{fmt, sync::Arc};

use super::{Host, Input, Span, span_bytes, value::Value};
use crate::{report::Error, value::json};

/// A JSON value that was not read yet.
pub enum Raw<H: Host> {
    /// The caller's container, inside one `convert` call only.
    Loan(H::Loan),
    /// A frozen copy whose leaves are handles.
    Tree(Value<H>),
    /// A whole value in the turn's input.
    Span(Span),
    /// JSON text made here.
    Own(Arc<str>),
}

impl<H: Host> Raw<H> {
    /// Another handle to the same value.
    #[must_use]
    pub fn share(&self) -> Self {
        match self {
            Self::Loan(loan) => Self::Loan(H::share_loan(loan)),
            Self::Tree(value) => Self::Tree(value.share()),
            Self::Span(span) => Self::Span(*span),
            Self::Own(text) => Self::Own(text.clone()),
        }
    }

    /// A handle that needs no input.
    #[must_use]
    pub fn detach(&self, input: Option<&Input>) -> Self {
        match self {
            Self::Span(span) => Self::Own(String::from_utf8_lossy(span_bytes(*span, input)).into()),
            _ => self.share(),
        }
    }

    /// Whether it is `null` or an empty list. Cold: it may read JSON text.
    #[must_use]
    pub fn says_nothing(&self, input: Option<&Input>) -> bool {
        match self.to_value(input) {
            Ok(Value::Null) => true,
            Ok(Value::List(items)) => items.is_empty(),
            _ => false,
        }
    }

    /// Whether it is `null`.
    #[must_use]
    pub fn is_null(&self, input: Option<&Input>) -> bool {
        match self {
            Self::Loan(_) => false,
            Self::Tree(value) => matches!(value, Value::Null),
            Self::Span(span) => span_bytes(*span, input).trim_ascii() == b"null",
            Self::Own(text) => text.trim() == "null",
        }
    }

    /// Whether it is an object, by its first byte. A loan counts as one: where it matters, parsers lend only objects.
    #[must_use]
    pub fn is_map(&self, input: Option<&Input>) -> bool {
        match self {
            Self::Loan(_) | Self::Tree(Value::Map(_)) => true,
            Self::Tree(_) => false,
            Self::Span(span) => span_bytes(*span, input).trim_ascii_start().starts_with(b"{"),
            Self::Own(text) => text.trim_ascii_start().starts_with('{'),
        }
    }

    /// Whether it is an object. Cold: reads a loan.
    #[must_use]
    pub fn is_object(&self, input: Option<&Input>) -> bool {
        match self {
            Self::Loan(loan) => matches!(H::freeze(loan), Ok(Value::Map(_))),
            _ => self.is_map(input),
        }
    }

    /// Whether it is an array. Cold: reads a loan.
    #[must_use]
    pub fn is_list(&self, input: Option<&Input>) -> bool {
        match self {
            Self::Tree(value) => matches!(value, Value::List(_)),
            Self::Loan(loan) => matches!(H::freeze(loan), Ok(Value::List(_))),
            Self::Span(span) => span_bytes(*span, input).trim_ascii_start().starts_with(b"["),
            Self::Own(text) => text.trim_ascii_start().starts_with('['),
        }
    }

    /// Whether it is an array that could hold blocks: texts, and objects with a type. Cold: reads the value.
    #[must_use]
    pub fn looks_like_blocks(&self, input: Option<&Input>) -> bool {
        let block = |value: &Value<H>| match value {
            Value::Text(_) => true,
            Value::Map(keys) => keys.iter().any(|(key, kind)| key.is("type", None) && matches!(kind, Value::Text(_))),
            _ => false,
        };
        matches!(self.to_value(input), Ok(Value::List(items)) if items.iter().all(block))
    }

    /// The value, frozen. Reads JSON text; cold paths only.
    pub fn to_value(&self, input: Option<&Input>) -> Result<Value<H>, Error> {
        match self {
            Self::Loan(loan) => H::freeze(loan),
            Self::Tree(value) => Ok(value.share()),
            Self::Span(span) => json::read::value(span_bytes(*span, input)),
            Self::Own(text) => json::read::value(text.as_bytes()),
        }
    }
}

impl<H: Host> fmt::Debug for Raw<H> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Loan(_) => out.write_str("Loan"),
            Self::Tree(value) => value.fmt(out),
            Self::Span(span) => write!(out, "Span({}..+{})", span.start, span.len),
            Self::Own(text) => out.write_str(text),
        }
    }
}
