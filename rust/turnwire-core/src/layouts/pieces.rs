//! Reads lists of parts: each is a text, reasoning, media, a call or a result, as its type says.

use std::sync::OnceLock;

use super::{
    at::At,
    calls::CallWays,
    messages::Messages,
    unread::Used,
    wanted::{missing, text_of, wrong_type},
    ways::{Way, Ways},
    writer::{ASSISTANT, Writer},
};
use crate::{
    report::{Edit, Error},
    rules::record_layout::{DATA, MEDIA_TYPE, PART_CALL, PART_KIND, PARTS, PartKind, Piece},
    value::{NodeKind, Source},
};

/// The types of parts, ready to be compared.
#[derive(Debug)]
pub(super) struct Kinds {
    kind: Ways,
    all: Vec<(&'static str, Piece, Ways)>,
}

impl Kinds {
    pub(super) fn of(kind: &'static str, all: &'static [PartKind]) -> Self {
        Self { kind: Ways::of(kind), all: all.iter().map(|(words, is, ways)| (*words, *is, Ways::of(ways))).collect() }
    }

    fn find(&self, word: &str) -> Option<(Piece, &Ways)> {
        let named = |words: &str| words.split_ascii_whitespace().any(|one| one == word);
        self.all.iter().find(|(words, ..)| named(words)).map(|(_, is, ways)| (*is, ways))
    }

    /// What a part is.
    pub(super) fn piece<S: Source>(&self, part: &S) -> Option<Piece> {
        let (word, _) = self.kind.find(part)?;
        self.find(&word.word()?).map(|(is, _)| is)
    }
}

/// The columns that every layout shares.
struct Shared {
    kinds: Kinds,
    call: CallWays,
    data: Ways,
    media_type: Ways,
}

impl Shared {
    fn ready() -> &'static Self {
        static READY: OnceLock<Shared> = OnceLock::new();
        READY.get_or_init(|| Self {
            kinds: Kinds::of(PART_KIND, PARTS),
            call: CallWays::of(PART_CALL, false),
            data: Ways::of(DATA),
            media_type: Ways::of(MEDIA_TYPE),
        })
    }
}

/// In which message a part is.
#[derive(Clone, Copy)]
pub(super) struct In<'a> {
    pub(super) role: &'static str,
    /// The ids of the calls that the message lists elsewhere.
    pub(super) ids: &'a [String],
}

impl Messages {
    /// Writes what is said: text, a part, or a list of parts.
    pub(super) fn said<S: Source>(&self, said: &S, at: &At<'_>, inside: In<'_>, to: &mut Writer) -> Result<(), Error> {
        match said.kind() {
            NodeKind::Text => {
                let text = text_of(said, at)?;
                if !text.is_empty() {
                    to.message_of(inside.role, at);
                    to.text("text", [(&text, said.input())].into_iter(), at);
                }
                Ok(())
            }
            NodeKind::List => {
                let mut parts = said.items().enumerate();
                parts.try_for_each(|(index, part)| self.said_part(&part, &at.index(index), inside, to))
            }
            NodeKind::Map => self.said_part(said, at, inside, to),
            _ => Err(wrong_type("text or a list of parts", said, at)),
        }
    }

    fn said_part<S: Source>(&self, part: &S, at: &At<'_>, inside: In<'_>, to: &mut Writer) -> Result<(), Error> {
        match part.kind() {
            NodeKind::Text => self.said(part, at, inside, to),
            NodeKind::Map => self.part(&Shared::ready().kinds, part, at, inside, to),
            _ => Err(wrong_type("text or a part", part, at)),
        }
    }

    /// Writes a part.
    pub(super) fn part<S: Source>(
        &self,
        kinds: &Kinds,
        part: &S,
        at: &At<'_>,
        inside: In<'_>,
        to: &mut Writer,
    ) -> Result<(), Error> {
        if part.kind() != NodeKind::Map {
            return Err(wrong_type("a part, which is an object", part, at));
        }
        let Some((kind, kind_way)) = kinds.kind.find(part) else {
            return Err(missing([&kinds.kind], part).at_path(at.path()));
        };
        let Some(word) = kind.word() else { return Err(wrong_type("the type of a part", &kind, &at.way(kind_way))) };
        let Some((is, ways)) = kinds.find(&word).filter(|_| self.skips.find(part).is_none()) else {
            to.lost(Edit::Opaque, at, format!("a part of the type {word:?} is not read here"));
            return Ok(());
        };
        let mut used = Used::default();
        used.add(kind_way);
        let value = ways.find(part);
        used.extend(value.iter().map(|(_, way)| *way));
        match (is, value) {
            (Piece::Repeat, _) if Shared::ready().call.id_in(part).is_some_and(|id| inside.ids.contains(&id)) => {
                return Ok(());
            }
            (Piece::Repeat, _) => Shared::ready().call.write(part, at, &mut used, to)?,
            (Piece::Call, _) => self.call.write(part, at, &mut used, to)?,
            (Piece::Both, _) => {
                self.call.write(part, at, &mut used, to)?;
                self.outcome.used(part, &mut used);
            }
            (Piece::Retry, Some((said, way))) if !self.result.has_name(part) => {
                self.said(&said, &at.way(way), inside, to)?;
            }
            (Piece::Result | Piece::Retry, _) => {
                self.result.write(part, at, to)?;
                self.result.used(part, &mut used);
            }
            (Piece::Media(class), value) => {
                return self.media(class, value, part, at, inside, &mut used, to);
            }
            (Piece::Text, Some((said, way))) => self.said(&said, &at.way(way), inside, to)?,
            (Piece::System, Some(_)) => {
                for (said, way) in ways.all(part) {
                    used.add(way);
                    self.said(&said, &at.way(way), In { role: "system", ..inside }, to)?;
                }
            }
            (Piece::Thought, Some((thought, way))) => thought_of(&thought, &at.way(way), to)?,
            (Piece::Text | Piece::System, None) => return Err(missing([ways], part).at_path(at.path())),
            // A provider may keep what the model thought for itself.
            (Piece::Thought, None) | (Piece::Step, _) => {}
        }
        used.report(part, self.passes, at, to);
        Ok(())
    }

    /// Writes media, if it is an address or data.
    #[expect(clippy::too_many_arguments, reason = "a part with all that is known of it")]
    fn media<'w, S: Source>(
        &self,
        class: &'static str,
        address: Option<(S, &'w Way)>,
        part: &S,
        at: &At<'_>,
        inside: In<'_>,
        used: &mut Used<'w>,
        to: &mut Writer,
    ) -> Result<(), Error> {
        let shared = Shared::ready();
        let text = |(value, way): (S, &'w Way)| Some((value.text()?, value, way));
        let address = address.and_then(text);
        let data = if address.is_none() { shared.data.find(part).and_then(text) } else { None };
        let Some((words, node, way)) = address.or(data) else {
            to.lost(Edit::Media, at, "neither an address nor data is in this part");
            return Ok(());
        };
        let head = words.head(64, node.input());
        let is_address = head.contains(':');
        let media_type = shared.media_type.find(part);
        if !is_address && media_type.is_none() && class.is_empty() || head.is_empty() {
            to.lost(Edit::Media, at, "the type of this file is not known");
            return Ok(());
        }
        used.add(way);
        to.message_of(inside.role, at);
        to.open_part(if is_address { "uri" } else { "blob" }, at);
        if !class.is_empty() {
            to.word("modality", class);
        }
        if let Some((said, way)) = media_type {
            used.add(way);
            if let Some(word) = said.word() {
                let whole = if word.contains('/') { word.into_owned() } else { format!("{class}/{word}") };
                to.word("mime_type", &whole);
            }
        }
        to.value(if is_address { "uri" } else { "content" }, &node, &at.way(way))?;
        to.close_map();
        used.report(part, self.passes, at, to);
        Ok(())
    }
}

/// Writes reasoning: text, or a list of thoughts.
pub(super) fn thought_of<S: Source>(thought: &S, at: &At<'_>, to: &mut Writer) -> Result<(), Error> {
    if thought.kind() == NodeKind::List {
        static SAID: OnceLock<Ways> = OnceLock::new();
        let ways = SAID.get_or_init(|| Ways::of("summary content text"));
        return thought.items().enumerate().try_for_each(|(index, one)| {
            let at = at.index(index);
            if one.kind() != NodeKind::Map {
                return thought_of(&one, &at, to);
            }
            ways.all(&one).try_for_each(|(said, way)| thought_of(&said, &at.way(way), to))
        });
    }
    let text = text_of(thought, at)?;
    if !text.is_empty() {
        to.message_of(ASSISTANT, at);
        to.text("reasoning", [(&text, thought.input())].into_iter(), at);
    }
    Ok(())
}
