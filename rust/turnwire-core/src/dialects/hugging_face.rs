//! Training sets in the format of Hugging Face: Chat Completions with arguments as objects, and results that name their tool.
//!
//! Its name looks like a profile's, as users expect. But its defaults differ (ids, content, types of calls, `null` for absent
//! keys), so nothing of it is sent to a server unchanged.

use super::chat::{
    self, Chat, NAME, ROLE, THINKING, TOOL_CALL_ID, TYPE, URL,
    read::{self, Answer, PartDraft, answered},
    write::{calls, content, is_call, is_content, own_keys, role},
};
use crate::{
    model::{
        media::{Media, MediaData},
        part::{Flaw, Kind},
        reply::ReplyParts,
        turn::Role,
    },
    report::error::Error,
    rules::{
        facts::Rules,
        limits::{
            ArgsForm, IdRule, JsonPlace, Judged, Limits, MediaRule, NameRule, PartOrder, ReasoningRule, ResultPlace,
        },
        media_class::MediaClass,
        presets::CHAT,
        signs::{SHARED, Signs, Spot},
        slots::Slots,
    },
    value::{
        door::{Key, Piece, Sink, Source, keys},
        handle::{Host, Text},
        tree::Tree,
    },
    wire::{
        plan::{Item, Message, Said, Shown, ShownData},
        read::keys::Keys,
        stream::{NoStream, no_replies, out::NoWriter},
        write::writer::Writer,
    },
};

pub(crate) struct HuggingFace;

keys! {
    REASONING_CONTENT = "reasoning_content";
    IMAGE = "image";
    BASE64 = "base64";
}

static NO_NAME: Flaw = Flaw("a result without the name of its tool");

/// trl's `dataset_formats.md` and the templates of models. It is stored, not sent. Calls and results pair by order and name,
/// so results keep the order of their calls, even where there are ids.
const LIMITS: Limits = Limits {
    id: IdRule { optional: true, ..IdRule::ANY },
    name: NameRule::ANY,
    results: ResultPlace::OneTurn,
    results_in_call_order: true,
    results_named: true,
    args: ArgsForm::Object,
    json: JsonPlace::OneText,
    media: MediaRule { images: &[""], schemes: &[], judged: Judged::Never, ..CHAT.media },
    order: PartOrder::CallsLast,
    reasoning: ReasoningRule::Replay,
    joins_assistant: true,
    ..CHAT
};

/// What trl's documentation shows.
const SIGNS: Signs = &[
    SHARED,
    &[
        (Spot::Key, "content tool_calls thinking reasoning_content"),
        (Spot::Content, "text list"),
        (Spot::Block, "text image"),
        (Spot::Text, "text"),
        (Spot::Mark, "image"),
        (Spot::Args, "text object"),
    ],
];

impl Rules for HuggingFace {
    const NAME: &'static str = "openai:hf";
    const SLOTS: Slots = chat::SLOTS;
    const SIGNS: Signs = SIGNS;
    const PROFILES: &'static [(&'static str, Limits)] = &[("", LIMITS)];
}

impl Chat for HuggingFace {
    type Stream<H: Host> = NoStream<H>;
    type Out<H: Host> = NoWriter<H>;

    const ROLES: &'static [(&'static str, Role)] = &[
        ("system", Role::System),
        ("developer", Role::Developer),
        ("user", Role::User),
        ("assistant", Role::Assistant),
        ("tool", Role::Tool),
    ];
    const STRICT: bool = false;
    const NEEDS_CONTENT: bool = false;
    const THOUGHTS: &'static [&'static Key] = &[&THINKING, &REASONING_CONTENT];
    const ALLOWS_TOOLS: bool = true;

    fn reply<H: Host>(_: &Tree<'_, H>, _: &mut ReplyParts<H>) -> Result<(), Error> {
        Err(no_replies())
    }

    /// Writes each result as a message, then the other items.
    fn message<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, message: &Message<'_, H>) -> Result<(), Error> {
        let mut rest = message.items.as_slice();
        let mut first = true;
        while first || !rest.is_empty() {
            let result = matches!(rest.first(), Some(Item { said: Said::Result(_), .. }));
            let (now, later) = rest.split_at(if result { 1 } else { rest.len() });
            w.provenance.sources.push(message.sources_of(now));
            w.out.scope(now.first().and_then(|item| item.input));
            w.out.open_map();
            w.out.key(&ROLE);
            if let [item @ Item { said: Said::Result(outcome), .. }] = now {
                Self::answer(w, item, outcome)?;
            } else {
                w.out.literal(role::<Self>(message.role));
                said(w, now)?;
            }
            if first {
                w.message_extras(message);
            }
            w.out.close();
            (rest, first) = (later, false);
        }
        Ok(())
    }

    fn part<S: Source>(kind: &str, draft: &mut PartDraft<'_, '_, S>) -> Result<Option<Kind<S::H>>, Error> {
        if kind != IMAGE.name {
            return read::part(kind, draft);
        }
        // An image without a URL is a placeholder for one that is kept elsewhere.
        let data = match (draft.keys.text(&URL)?, draft.keys.text(&BASE64)?) {
            (Some(url), _) => MediaData::Url(url),
            (None, Some(data)) => MediaData::Base64(data),
            (None, None) => return Ok(None),
        };
        Ok(Some(Kind::Media(Media { class: MediaClass::Image, mime: None, data, name: None })))
    }

    fn result<S: Source>(keys: &mut Keys<'_, S>, _: &S) -> Result<Answer<S::H>, Error> {
        let id = keys.text(&TOOL_CALL_ID)?.filter(|id| !id.is_empty());
        let name = keys.text(&NAME)?.filter(|name| !name.is_empty());
        let (made_up, unnamed) = (id.is_none(), name.is_none());
        let (result, flaw) = answered::<Self, S>(keys, (id.unwrap_or_else(|| Text::own("")), made_up), name)?;
        Ok((result, flaw.or(unnamed.then_some(&NO_NAME))))
    }

    /// `{"type": "image", "url" or "base64"}`
    fn media<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, _: &Item<'_, H>, shown: &Shown<'_, H>) {
        w.out.open_map();
        w.out.key(&TYPE);
        w.out.literal(&IMAGE);
        match &shown.data {
            ShownData::Base64 { data, .. } => {
                w.out.key(&BASE64);
                w.out.text(data);
            }
            ShownData::Url(words, _) => {
                w.out.key(&URL);
                w.out.text(words);
            }
            ShownData::Plain(words) | ShownData::File(words) => {
                w.out.key(&BASE64);
                w.out.pieces(&[Piece::Text(words)]);
            }
        }
    }
}

/// Writes a message's text. A template may write `None` for content that is `null`, so the key is left out then.
fn said<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, items: &[Item<'_, H>]) -> Result<(), Error> {
    let silent = !items.iter().any(is_content);
    if !silent || !items.iter().any(is_call) {
        content::<HuggingFace, H, K>(w, items, is_content, true)?;
    }
    own_keys(w, items);
    calls(w, items)
}
