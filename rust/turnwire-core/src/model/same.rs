//! Whether two turns have the same content, whatever their formats.

use super::{
    conversation::Conversation,
    media::{Media, MediaData},
    part::{Kind, Part},
    tool::{Args, Call, Content, Tool, ToolResult},
    turn::Turn,
};
use crate::value::{Host, Input, Raw, Text, Value, blob::blob_text, json};

/// The inputs of both sides, for their spans.
type Inputs<'a> = (Option<&'a Input>, Option<&'a Input>);

impl<H: Host> Conversation<H> {
    /// Whether both have the same turns and the same top-level system text. Tools do not count.
    #[must_use]
    pub fn same(&self, other: &Self) -> bool {
        let inputs = (self.frame.input.as_ref(), other.frame.input.as_ref());
        let system = |conversation: &Self| conversation.frame.system.as_ref().map_or(0, |system| system.parts.len());
        let both = self.frame.system.iter().zip(&other.frame.system);
        system(self) == system(other)
            && both.into_iter().all(|(mine, theirs)| parts(&mine.parts, &theirs.parts, inputs))
            && self.turns().len() == other.turns().len()
            && self.turns().iter().zip(other.turns()).all(|(mine, theirs)| mine.same(theirs))
    }
}

impl<H: Host> Turn<H> {
    /// Whether both have the same role and content.
    #[must_use]
    pub fn same(&self, other: &Self) -> bool {
        let inputs = (self.input.as_ref(), other.input.as_ref());
        std::ptr::eq(self, other)
            || self.role == other.role
                && maybe(self.id.as_ref(), other.id.as_ref(), inputs)
                && parts(&self.parts, &other.parts, inputs)
    }
}

impl<H: Host> Part<H> {
    /// Whether both have the same content, each with the input of its spans.
    pub(crate) fn same_in(&self, other: &Self, inputs: (Option<&Input>, Option<&Input>)) -> bool {
        part(self, other, inputs)
    }

    /// Whether both have the same content. Neither may hold spans.
    #[must_use]
    pub fn same(&self, other: &Self) -> bool {
        part(self, other, (None, None))
    }
}

fn parts<H: Host>(mine: &[Part<H>], theirs: &[Part<H>], inputs: Inputs<'_>) -> bool {
    mine.len() == theirs.len() && mine.iter().zip(theirs).all(|(mine, theirs)| part(mine, theirs, inputs))
}

fn part<H: Host>(mine: &Part<H>, theirs: &Part<H>, inputs: Inputs<'_>) -> bool {
    match (&mine.kind, &theirs.kind) {
        (Kind::Text(a), Kind::Text(b)) | (Kind::Refusal(a), Kind::Refusal(b)) => text(a, b, inputs),
        (Kind::Json(a), Kind::Json(b)) => raw(a, b, inputs),
        (Kind::Media(a), Kind::Media(b)) => media(a, b, inputs),
        (Kind::Call(a), Kind::Call(b)) => a.same(b, inputs),
        (Kind::Result(a), Kind::Result(b)) => a.same(b, inputs),
        (Kind::Reasoning(a), Kind::Reasoning(b)) => {
            mine.signed == theirs.signed
                && maybe(a.text.as_ref(), b.text.as_ref(), inputs)
                && (!mine.signed || origins(mine, theirs, inputs))
        }
        (Kind::Opaque(a), Kind::Opaque(b)) => text(a, b, inputs) && origins(mine, theirs, inputs),
        _ => false,
    }
}

fn origins<H: Host>(mine: &Part<H>, theirs: &Part<H>, inputs: Inputs<'_>) -> bool {
    match (&mine.origin, &theirs.origin) {
        (Some(a), Some(b)) => raw(a, b, inputs),
        (a, b) => a.is_none() == b.is_none(),
    }
}

fn text<H: Host>(a: &Text<H>, b: &Text<H>, inputs: Inputs<'_>) -> bool {
    a.wtf8(inputs.0) == b.wtf8(inputs.1)
}

fn maybe<H: Host>(a: Option<&Text<H>>, b: Option<&Text<H>>, inputs: Inputs<'_>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => text(a, b, inputs),
        (a, b) => a.is_none() == b.is_none(),
    }
}

fn raw<H: Host>(a: &Raw<H>, b: &Raw<H>, inputs: Inputs<'_>) -> bool {
    matches!((a.to_value(inputs.0), b.to_value(inputs.1)), (Ok(a), Ok(b)) if a.same(&b))
}

fn media<H: Host>(a: &Media<H>, b: &Media<H>, inputs: Inputs<'_>) -> bool {
    let data = match (&a.data, &b.data) {
        (MediaData::Base64(x), MediaData::Base64(y))
        | (MediaData::DataUrl(x), MediaData::DataUrl(y))
        | (MediaData::Url(x), MediaData::Url(y))
        | (MediaData::File(x), MediaData::File(y))
        | (MediaData::Plain(x), MediaData::Plain(y)) => text(x, y, inputs),
        (MediaData::Texts(x), MediaData::Texts(y)) => {
            let both = || x.each.iter().zip(&y.each);
            x.each.len() == y.each.len()
                && both().all(|(x, y)| text(x, y, inputs))
                && x.has_images == y.has_images
                && parts(&x.images, &y.images, inputs)
                && x.keys.len() == y.keys.len()
                && x.keys.iter().zip(&y.keys).all(|(x, y)| text(x, y, inputs))
        }
        (MediaData::Frames(x), MediaData::Frames(y)) => {
            x.len() == y.len() && x.iter().zip(y).all(|(x, y)| text(x, y, inputs))
        }
        (MediaData::Bytes(x), MediaData::Bytes(y)) => raw(x, y, (None, None)),
        // The same bytes, in whatever form.
        (MediaData::Bytes(x), MediaData::Base64(y)) => blob_text(x).is_ok_and(|x| y.is(&x, inputs.1)),
        (MediaData::Base64(x), MediaData::Bytes(y)) => blob_text(y).is_ok_and(|y| x.is(&y, inputs.0)),
        _ => false,
    };
    data && a.class == b.class
        && a.media_type(inputs.0) == b.media_type(inputs.1)
        && maybe(a.name.as_ref(), b.name.as_ref(), inputs)
}

impl<H: Host> Call<H> {
    /// Whether both are the same call. Arguments are compared by value if both are JSON.
    #[must_use]
    pub fn same(&self, other: &Self, inputs: Inputs<'_>) -> bool {
        let before = match (&self.before, &other.before) {
            (Some(a), Some(b)) => text(&a.0, &b.0, inputs) && a.1.same(&b.1, self.custom, inputs),
            (a, b) => a.is_none() == b.is_none(),
        };
        // An SDK may add the group that the model left out.
        let grouped = match (&self.namespace, &other.namespace) {
            (Some(a), Some(b)) => text(a, b, inputs),
            _ => true,
        };
        before
            && text(&self.id, &other.id, inputs)
            && text(&self.name, &other.name, inputs)
            && self.custom == other.custom
            && self.form == other.form
            && grouped
            && self.args.same(&other.args, self.custom, inputs)
    }
}

impl<H: Host> Tool<H> {
    /// The name by which it is called. A provider's tool may have only a type.
    pub(crate) fn called(&self, input: Option<&Input>) -> Option<String> {
        if !self.by_provider {
            return Some(self.name.to_str(input).into_owned());
        }
        let Ok(Value::Map(entries)) = self.origin.as_ref()?.to_value(input) else { return None };
        match entries.iter().find(|(key, _)| key.is("name", None)) {
            Some((_, Value::Text(name))) => Some(name.to_str(None).into_owned()),
            _ => None,
        }
    }

    /// What another definition must not share with it: its name, and whether that names a group of tools.
    pub(crate) fn known_as(&self, input: Option<&Input>) -> (String, bool) {
        let name = self.called(input).unwrap_or_else(|| self.name.to_str(input).into_owned());
        (name, self.functions.iter().any(|one| one.namespace.is_some()))
    }
}

impl<H: Host> Args<H> {
    /// Whether both are equal, as texts or as values. Free text of a custom tool must be equal in every character.
    #[must_use]
    pub fn same(&self, other: &Self, custom: bool, inputs: Inputs<'_>) -> bool {
        if let (Self::Text(a), Self::Text(b)) = (self, other) {
            let same = text(a, b, inputs);
            if same || custom {
                return same;
            }
        }
        matches!((self.value(inputs.0), other.value(inputs.1)), (Some(a), Some(b)) if a.same(&b))
    }

    /// The value, if the arguments are JSON. Empty arguments are the empty object.
    #[must_use]
    pub fn value(&self, input: Option<&Input>) -> Option<Value<H>> {
        match self {
            Self::Value(raw) => raw.to_value(input).ok(),
            Self::Text(words) => {
                let words = words.wtf8(input);
                if words.trim_ascii().is_empty() {
                    return Some(Value::Map([].into()));
                }
                json::read::value(&words).ok()
            }
        }
    }
}

impl<H: Host> ToolResult<H> {
    /// Whether both have the same content: one text equals a list of that text, and no content equals empty text.
    #[must_use]
    pub fn same(&self, other: &Self, inputs: Inputs<'_>) -> bool {
        let content = match (self.content.one_text(), other.content.one_text()) {
            (Some(a), Some(b)) => a.wtf8(inputs.0) == b.wtf8(inputs.1),
            (None, None) => match (&self.content, &other.content) {
                (Content::Blocks(a), Content::Blocks(b)) => parts(a, b, inputs),
                _ => self.content.is_empty() && other.content.is_empty(),
            },
            (Some(only), None) => only.is_empty() && other.content.is_empty(),
            (None, Some(only)) => only.is_empty() && self.content.is_empty(),
        };
        content && self.error == other.error && text(&self.id, &other.id, inputs)
    }
}

impl<H: Host> Content<H> {
    /// The text, if it is the only content.
    #[must_use]
    pub fn one_text(&self) -> Option<&Text<H>> {
        match self {
            Self::Text(text) => Some(text),
            Self::Blocks(blocks) => match blocks.as_slice() {
                [Part { kind: Kind::Text(text), .. }] => Some(text),
                _ => None,
            },
            Self::Absent => None,
        }
    }

    /// Whether it is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Absent => true,
            Self::Text(text) => text.is_empty(),
            Self::Blocks(blocks) => blocks.is_empty(),
        }
    }
}
