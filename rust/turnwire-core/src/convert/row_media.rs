//! The media that a training row keeps in columns beside its messages: `images`, `videos`, `audios`.
//!
//! A placeholder in a message stands for the next entry. It stays one in formats that have placeholders. Elsewhere it
//! becomes the entry, if that is an address or data. An entry that is left out with its column is a loss.

use std::{collections::BTreeMap, sync::Arc};

use crate::{
    model::{Kind, Media, MediaClass, MediaData, Part, RestKey, Turn, View},
    report::{Edit, Error, Losses, Options, Others, Step},
    rules::{DialectId, ROW_FILES},
    value::{Host, Input, Text, Value},
};

const COLUMNS: [(&str, MediaClass); 3] =
    [("images", MediaClass::Image), ("videos", MediaClass::Video), ("audios", MediaClass::Audio)];

/// Turns by their index, with the media in place of their placeholders.
type Filled<H> = BTreeMap<usize, Turn<H>>;

/// The turns that have placeholders for entries of a column, if the target has none.
pub(super) fn filled<H: Host>(
    conversation: &View<'_, H>,
    target: DialectId,
    options: &Options,
    losses: &mut Losses,
) -> Result<Filled<H>, Error> {
    let mut turns = Filled::new();
    let input = conversation.frame.input.as_ref();
    for one in conversation.frame.rest.iter().flat_map(|rest| &rest.keys) {
        if let Some((_, class)) = COLUMNS.iter().find(|(name, _)| one.key.is(name, input)) {
            let entries = entries(one, input)?;
            let used = if has_placeholders(target) { 0 } else { fill(conversation, *class, &entries, &mut turns) };
            if options.rest == Others::Caller {
                for index in used..entries.len() {
                    let path = one.path(input).then(Step::Index(index));
                    losses.lost(Edit::Media, path, "it is in a column beside the messages")?;
                }
            }
        }
    }
    Ok(turns)
}

#[cold]
fn entries<H: Host>(column: &RestKey<H>, input: Option<&Input>) -> Result<Arc<[Value<H>]>, Error> {
    Ok(match column.value.to_value(input)? {
        Value::List(entries) => entries,
        _ => Arc::new([]),
    })
}

/// Puts entries in place of placeholders. Returns how many placeholders there are.
fn fill<H: Host>(conversation: &View<'_, H>, class: MediaClass, entries: &[Value<H>], turns: &mut Filled<H>) -> usize {
    let mut used = 0;
    for (at, turn) in conversation.turns.iter().enumerate() {
        for (place, _) in turn.parts.iter().enumerate().filter(|(_, part)| is_placeholder(part, class)) {
            let data = entries.get(used).and_then(data);
            used += 1;
            let Some(data) = data else { continue };
            let part = &mut turns.entry(at).or_insert_with(|| turn.touch()).parts[place];
            *part = Part { kind: Kind::Media(Media { class, mime: None, data, name: None }), ..part.share() };
        }
    }
    used
}

/// Whether a format has placeholders.
fn has_placeholders(dialect: DialectId) -> bool {
    let files = dialect.limits().ok().and_then(|limits| limits.media.files);
    files.is_some_and(|files| files.holder == ROW_FILES)
}

/// Whether a part stands for media of this kind in a column.
fn is_placeholder<H: Host>(part: &Part<H>, class: MediaClass) -> bool {
    let Kind::Media(media) = &part.kind else { return false };
    media.class == class && matches!(&media.data, MediaData::File(path) if path.is_empty())
}

/// An entry that others can read: an address or data. A path is neither.
fn data<H: Host>(entry: &Value<H>) -> Option<MediaData<H>> {
    match entry {
        Value::Text(text) if text.starts_with("data:", None) => Some(MediaData::DataUrl(text.share())),
        Value::Text(text) if text.starts_with("http://", None) || text.starts_with("https://", None) => {
            Some(MediaData::Url(text.share()))
        }
        Value::Map(entries) => entries.iter().find_map(|(key, value)| match value {
            Value::Text(_) if key.is("url", None) => data(value),
            Value::Text(text) if key.is("base64", None) || key.is("bytes", None) => {
                Some(MediaData::Base64(Text::share(text)))
            }
            _ => None,
        }),
        _ => None,
    }
}
