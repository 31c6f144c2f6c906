//! Mistral's chat: `{"messages": […], "tools"?, "tool_choice"?}`, with its own chunks, and a profile for each tokenizer.

use self::keys as k;
use super::chat::{
    self, Chat, Member, REPLY_KEYS,
    keys::CHOICES,
    member::Usual,
    part::{Answer, PartDraft},
    read, reply, stream, stream_out, thought, write,
};
use crate::{
    model::{Flaw, Kind, Media, MediaData, Parts, ReplyParts},
    report::{Error, Severity},
    rules::{
        ArgsForm, BesideCalls, BlockRule, CHAT, ExtraKeys, FirstWord, IdRule, LastWord, Limits, MediaClass,
        MediaInResult, MediaRule, PlainDocument, ReasoningRule, Rules, SHARED, Signs, Slots, Spot, SystemPlace,
        Thoughts, ValueRule, carrier::Maker, limits::ToolRule,
    },
    value::{Host, Key, Sink, Source, Text, Tree},
    wire::{
        plan::{Item, Shown, ShownData},
        read::Keys,
        response::FailureWords,
        write::Writer,
    },
};

mod keys;
mod response;

pub(crate) struct Mistral;

static MISPLACED: Flaw =
    Flaw::unsure("what was thought is a chunk of the content, and only gateways have a key for it");
static NO_FILE: Flaw = Flaw::refused("a file is named by its id");
static SOUND: Flaw = Flaw::refused("sound is the text of its data, or its address");
static RESULT_NAME: Flaw = Flaw::refused("a result names its tool as a tool may be named");

const SOUNDS: &[&str] =
    &["audio/mp3", "audio/mpeg", "audio/wav", "audio/x-wav", "audio/wave", "audio/flac", "audio/ogg"];

/// Current hosted models: tokenizer v13, by the vendor's validator (mistral_common) and the client's models.
const LIMITS: Limits = Limits {
    // "Extra inputs are not permitted". A choice of tools without tools was answered.
    reply_keys: Severity::Error,
    lone_choice: Severity::Info,
    // The newest validator takes any id; the hosted servers and older ones do not.
    id: IdRule { form: Severity::Warning, ..IdRule::NINE },
    // Reported of the hosted servers: code 3230.
    user_after_result: Severity::Warning,
    args: ArgsForm::TextOrObject,
    tool: ToolRule::MISTRAL,
    starts_with_assistant: FirstWord::Followed,
    ends_with_assistant: LastWord::Marked("prefix"),
    system: SystemPlace::BehindUser,
    reasoning: ReasoningRule::Replay,
    system_reasons: true,
    thoughts: Thoughts::Block,
    media: MediaRule {
        audio: SOUNDS,
        documents: &["application/pdf"],
        urls: &[MediaClass::Image, MediaClass::Document, MediaClass::Audio],
        named: &[MediaClass::Document],
        detail: true,
        plain: PlainDocument::Text,
        ..CHAT.media
    },
    ..CHAT
};

/// Up to v11, every validator refuses other ids, and audio beside system text.
const V11: Limits = Limits {
    id: IdRule { form: Severity::Error, ..LIMITS.id },
    media: MediaRule { sound_beside_system: false, ..LIMITS.media },
    ..LIMITS
};

/// Before v11, an assistant sends only text.
const V7: Limits = Limits { reasoning: ReasoningRule::None, ..V11 };

/// Before v5, an assistant sends text or calls, and no role sends audio.
const V3: Limits = Limits {
    beside_calls: BesideCalls::Nothing,
    blank_answer: false,
    system_reasons: false,
    media: MediaRule { audio: &[], urls: &[MediaClass::Image, MediaClass::Document], ..LIMITS.media },
    ..V7
};

const V15: Limits = Limits { media_in_result: MediaInResult::Always, system_reasons: false, ..LIMITS };

impl Rules for Mistral {
    const MAKER: Option<Maker> = Some(Maker::Mistral);
    const NAME: &'static str = "mistral";
    const SLOTS: Slots = chat::SLOTS;
    const SIGNS: Signs = &[
        SHARED,
        &[
            (Spot::Body, "tool_choice safe_prompt random_seed prompt_mode"),
            (Spot::Key, "content tool_calls tool_call_id prefix"),
            (Spot::Content, "text list"),
            (Spot::Block, "text image_url document_url file reference input_audio resource resource_link thinking"),
            (Spot::Text, "text"),
            (Spot::Args, "text object"),
            (Spot::Mark, "thoughts choice:auto choice:none choice:any choice:required"),
        ],
    ];
    const SAYS: &'static [&'static str] = chat::SAYS;
    const KEYS: ExtraKeys = ExtraKeys {
        turn: &[("prefix", ValueRule::Flag)],
        part: &[
            ("signature", ValueRule::Maybe(&ValueRule::Word)),
            ("closed", ValueRule::Flag),
            ("type", ValueRule::Never),
        ],
        inner: Some(&[("detail", ValueRule::OneOf(&["auto", "low", "high"]))]),
        blocks: &[
            BlockRule { types: "reference", needs: &[("reference_ids", ValueRule::List)], may: &[] },
            BlockRule { types: "resource", needs: &[("uri", ValueRule::Word), ("content", ValueRule::Map)], may: &[] },
            BlockRule { types: "resource_link", needs: &[("uri", ValueRule::Word)], may: &[] },
        ],
        tool: &[("strict", ValueRule::Flag)],
        tools: &[BlockRule {
            types: "web_search web_search_premium code_interpreter image_generation document_library connector",
            needs: &[],
            may: &[],
        }],
        any: false,
        reply_only: REPLY_KEYS,
        echoed: &[],
        ..ExtraKeys::ANY
    };
    const PROFILES: &'static [(&'static str, Limits)] =
        &[("", LIMITS), ("v3", V3), ("v7", V7), ("v11", V11), ("v15", V15)];
    const REPLY_SIGNS: &'static [&'static [&'static Key]] = &[&[&CHOICES]];
    const REPLY_MESSAGE: &'static str = ".choices[0].message";
}

impl Chat for Mistral {
    const MEMBER: &'static Member = &Member {
        response: &response::RULE,
        calls_at_end: true,
        null_tools: false,
        // Gateways to its models have these keys.
        thoughts: &[&k::REASONING_CONTENT, &k::REASONING],
        thought_flaw: Some(&MISPLACED),
        also_required: &["any"],
        ..Member::LENIENT
    };
    type Stream<H: Host> = stream::Choices<Self, H>;
    type Out<H: Host> = stream_out::Chunks<Self, H>;

    fn reply<H: Host>(payload: &Tree<'_, H>, said: &mut ReplyParts<H>) -> Result<(), Error> {
        reply::choices::<Self, H>(payload, said)
    }

    fn failure<H: Host, K: Sink<H>>(words: &FailureWords<H>, out: &mut K) {
        response::failure(words, out);
    }
    fn thought<H: Host, K: Sink<H>>(text: &Text<H>, out: &mut K) {
        response::thought(text, out);
    }

    /// The client writes `prefix: false` on every message.
    fn beside<S: Source>(keys: &mut Keys<'_, S>, _: &mut Parts<S::H>) -> Result<Option<&'static Flaw>, Error> {
        if keys.node.get(&k::PREFIX).is_some_and(|mark| mark.bool() == Some(false)) {
            let _ = keys.take(&k::PREFIX);
        }
        Ok(None)
    }

    fn result<S: Source>(keys: &mut Keys<'_, S>, usual: Usual<S>) -> Result<Answer<S::H>, Error> {
        let (mut result, flaw) = read::result(Self::reads(), keys, usual)?;
        let fits = |name: &S| name.text().is_none_or(|name| LIMITS.name.allows(&name.wtf8(keys.node.input())));
        if keys.node.get(&k::NAME).is_some_and(|name| !fits(&name)) {
            let _ = keys.take(&k::NAME);
            result.name = None;
            return Ok((result, Some(&RESULT_NAME)));
        }
        Ok((result, flaw))
    }

    fn part<S: Source>(kind: &str, draft: &mut PartDraft<'_, '_, S>) -> Result<Option<Kind<S::H>>, Error> {
        Ok(match kind {
            "image_url" => {
                let image = read::part(kind, draft)?;
                // The value is an object, or only the URL.
                draft.flaw = None;
                image
            }
            "document_url" => {
                let (url, name) = (draft.keys.needed_text(&k::DOCUMENT_URL)?, draft.keys.text(&k::DOCUMENT_NAME)?);
                Some(read::addressed(MediaClass::Document, url, draft, name))
            }
            "file" => {
                let id = draft.keys.text(&k::FILE_ID)?;
                draft.flaw = id.is_none().then_some(&NO_FILE);
                let file =
                    |id| Media { class: MediaClass::Document, mime: None, data: MediaData::File(id), name: None };
                id.map(|id| Kind::Media(file(id)))
            }
            "input_audio" => sound(draft)?,
            "thinking" => Some(Kind::Reasoning(thought::read(draft)?)),
            _ => read::part(kind, draft)?,
        })
    }

    fn media<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>, shown: &Shown<'_, H>) {
        match (&shown.data, shown.class) {
            (ShownData::Base64 { data, .. }, MediaClass::Audio) => {
                write::part::open(w, &k::INPUT_AUDIO);
                w.out.text(data);
            }
            (_, MediaClass::Audio) => {
                write::part::open(w, &k::INPUT_AUDIO);
                write::part::address(w, shown);
            }
            (_, MediaClass::Document) => {
                write::part::open(w, &k::DOCUMENT_URL);
                write::part::address(w, shown);
                if let Some(name) = &shown.name {
                    w.out.key(&k::DOCUMENT_NAME);
                    w.out.text(name);
                }
            }
            _ => write::part::image(w, item, shown),
        }
    }
}

/// Audio by its data or URL. Unknown first bytes count as MP3, which may begin with any bytes.
fn sound<S: Source>(draft: &mut PartDraft<'_, '_, S>) -> Result<Option<Kind<S::H>>, Error> {
    let node = draft.keys.needed(&k::INPUT_AUDIO)?;
    let words = node.text().or_else(|| {
        draft.flaw = Some(&SOUND);
        node.get(&k::DATA)?.text()
    });
    let Some(words) = words else { return Ok(None) };
    let starts = |head| words.starts_with(head, node.input());
    let kinds = [("UklGR", "audio/wav"), ("ZkxhQ", "audio/flac"), ("T2dnU", "audio/ogg"), ("", "audio/mpeg")];
    let mime = kinds.iter().find(|(head, _)| starts(head)).map(|(_, mime)| Text::own(mime));
    let (mime, data) = match () {
        () if starts("http") => (None, MediaData::Url(words)),
        () if starts("data:") => (None, MediaData::DataUrl(words)),
        () => (mime, MediaData::Base64(words)),
    };
    Ok(Some(Kind::Media(Media { class: MediaClass::Audio, mime, data, name: None })))
}
