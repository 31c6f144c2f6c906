//! Training sets in the format of Hugging Face: Chat Completions with arguments as objects, and results that name their
//! tool.
//!
//! It is named like a profile of `openai`, as users expect. But its defaults differ (ids, content, types of calls,
//! `null` for absent keys), so `openai` cannot send any of it unchanged.
//!
//! Most chat templates read this form. The profiles are for families of templates that need another one ([`FORMS`]).

use super::chat::{
    self, Chat, Member,
    member::Usual,
    part::{Answer, PartDraft},
    read::{self, answered},
    write::{
        call::{calls, is_call},
        content::{content, is_content, joined},
        own_keys,
        part::{self, text_part},
        role,
    },
};
use crate::{
    k,
    model::{Kind, Media, MediaData, ReplyParts, Role, flaw},
    report::Error,
    rules::{
        Alphabet, ArgsForm, BesideCalls, CHAT, DialectId, Files, IdRule, JsonPlace, Judged, Limits, MediaClass,
        MediaRule, MuteError, NameRule, Once, PartOrder, ROW_FILES, ReasoningRule, ResultPlace, Rules, SHARED, Signs,
        Slots, Spot,
    },
    value::{Host, Key, NodeKind, Piece, Sink, Source, Text, Tree, door::keys},
    wire::{
        plan::{Item, Message, Said, Shown, ShownData},
        read::Keys,
        stream::{NoStream, NoWriter, no_replies},
        write::Writer,
    },
};

pub(crate) struct HuggingFace;

keys! {
    PATH = "path";
}

/// trl's `dataset_formats.md` and the templates of models. It is stored, not sent. Calls and results pair by order and
/// name, so results keep the order of their calls even if there are ids.
const LIMITS: Limits = Limits {
    id: IdRule { optional: true, ..IdRule::ANY },
    name: NameRule::ANY,
    results: ResultPlace::OneTurn,
    results_in_call_order: true,
    results_named: true,
    args: ArgsForm::Object,
    json: JsonPlace::OneText,
    media: MediaRule {
        images: &[""],
        audio: &[""],
        video: &[""],
        urls: MEDIA,
        schemes: &[],
        files: Some(Files { holder: ROW_FILES, elsewhere: ELSEWHERE, classes: MEDIA, as_address: false }),
        judged: Judged::Never,
        ..CHAT.media
    },
    order: PartOrder::CallsLast,
    reasoning: ReasoningRule::Replay,
    joins_assistant: true,
    mute_error: MuteError::Kept,
    ..CHAT
};

const MEDIA: &[MediaClass] = &[MediaClass::Image, MediaClass::Audio, MediaClass::Video];

const ELSEWHERE: &str = "it is not in the message, but a file on the disk of who made the row, or in another column";

/// How a family's templates read a message, beside its limits.
struct Form {
    /// Whether text is always a list of parts.
    listed: bool,
    /// Whether the content of a message without text is `null`; otherwise the key is left out, or the list is empty.
    null: bool,
    /// The key of reasoning.
    thought: &'static Key,
}

const PLAIN: Form = Form { listed: false, null: false, thought: &k::REASONING_CONTENT };

/// The profiles with their limits and forms, by the templates in trl and axolotl.
///
/// - Most, such as those of Qwen, GLM, Gemma 4, Nemotron, LFM and Llama 4: arguments are objects.
/// - DeepSeek V3 joins arguments as text, and tests whether content is `null`.
/// - Llama 3 allows one call in a message, and skips text beside it.
/// - gpt-oss does the same, and its key of reasoning is `thinking`.
/// - In Mistral's, results name their call by an id of nine characters.
/// - Models with vision, such as Qwen 2.5 VL, Llava and Idefics, have lists of parts.
const FORMS: &[(&str, Limits, Form)] = &[
    ("", LIMITS, PLAIN),
    ("deepseek", Limits { args: ArgsForm::Text, ..LIMITS }, Form { null: true, ..PLAIN }),
    ("llama", ONE_CALL, PLAIN),
    ("gpt-oss", ONE_CALL, Form { thought: &k::THINKING, ..PLAIN }),
    ("mistral", Limits { id: NINE, ..LIMITS }, PLAIN),
    ("vision", LIMITS, Form { listed: true, ..PLAIN }),
];

/// Each result directly follows its call, and text moves to a message before the call.
const ONE_CALL: Limits = Limits { results: ResultPlace::BehindCall, beside_calls: BesideCalls::Nothing, ..LIMITS };

const NINE: IdRule =
    IdRule { exact: Some(9), alphabet: Alphabet::ALPHANUMERIC, optional: false, once: Once::InPayload, ..IdRule::ANY };

const PROFILES: [(&str, Limits); FORMS.len()] = {
    let mut profiles = [("", LIMITS); FORMS.len()];
    let mut at = 0;
    while at < FORMS.len() {
        profiles[at] = (FORMS[at].0, FORMS[at].1);
        at += 1;
    }
    profiles
};

/// The form of a target.
fn form(target: DialectId) -> &'static Form {
    FORMS.get(usize::from(target.profile)).map_or(&PLAIN, |(_, _, form)| form)
}

/// The signs in trl's documentation.
const SIGNS: Signs = &[
    SHARED,
    &[
        (Spot::Key, "content tool_calls tool_call_id thinking reasoning_content"),
        (Spot::Content, "text list"),
        (Spot::Block, "text image audio video"),
        (Spot::Source, "none"),
        (Spot::Text, "text"),
        (Spot::Mark, "image tools:text frames"),
        (Spot::Args, "text object"),
        (Spot::NoId, "call result named"),
        // Rows have it, too.
        (Spot::Setting, "metadata"),
    ],
];

impl Rules for HuggingFace {
    const NAME: &'static str = "openai:hf";
    const STORED: bool = true;
    const SLOTS: Slots = chat::SLOTS;
    const SIGNS: Signs = SIGNS;
    const SAYS: &'static [&'static str] = chat::SAYS;
    // All values in a column of a table have one type, but schemas differ, so trl stores them as JSON text.
    const TOOLS_AS_TEXT: bool = true;
    const PROFILES: &'static [(&'static str, Limits)] = &PROFILES;
    const APART: &'static [&'static str] = &["deepseek", "llama", "gpt-oss", "mistral", "vision"];
}

impl Chat for HuggingFace {
    const MEMBER: &'static Member = &Member {
        roles: &[
            ("system", Role::System),
            ("developer", Role::Developer),
            ("user", Role::User),
            ("assistant", Role::Assistant),
            ("tool", Role::Tool),
        ],
        needs_content: false,
        thoughts: &[&k::THINKING, &k::REASONING_CONTENT],
        allows_tools: true,
        ..Member::LENIENT
    };
    type Stream<H: Host> = NoStream<H>;
    type Out<H: Host> = NoWriter<H>;

    fn reply<H: Host>(_: &Tree<'_, H>, _: &mut ReplyParts<H>) -> Result<(), Error> {
        Err(no_replies())
    }

    /// Writes each result as a message, and other items in messages between them.
    fn message<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, message: &Message<'_, H>) -> Result<(), Error> {
        let alone = w.p.target.limits.results == ResultPlace::BehindCall;
        let mut rest = message.items.as_slice();
        let mut first = true;
        while first || !rest.is_empty() {
            let (now, later) = rest.split_at(next(rest, alone));
            w.s.provenance.sources.push(message.sources_of(now));
            w.out.scope(now.first().and_then(|item| item.input));
            w.out.open_map();
            w.out.key(&k::ROLE);
            if let [item @ Item { said: Said::Result(outcome), .. }] = now {
                Self::answer(w, item, outcome)?;
            } else {
                w.out.literal(role(Self::MEMBER, message.role));
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
        let Some((key, class)) = CLASSES.iter().find(|(key, _)| key.name == kind) else {
            return read::part(kind, draft);
        };
        let data = match (draft.keys.text(&k::URL)?, draft.keys.text(&k::BASE64)?, draft.keys.text(&PATH)?) {
            (Some(url), ..) if url.starts_with("data:", draft.keys.node.input()) => MediaData::DataUrl(url),
            (Some(url), ..) => MediaData::Url(url),
            (None, Some(data), _) => MediaData::Base64(data),
            (None, None, Some(path)) => MediaData::File(path),
            (None, None, None) => match address(draft.keys, key) {
                Some(data) => data,
                None if is_placeholder(draft.keys.node) => MediaData::File(Text::own("")),
                None => return Ok(None),
            },
        };
        Ok(Some(Kind::Media(Media { class: *class, mime: None, data, name: None })))
    }

    fn result<S: Source>(keys: &mut Keys<'_, S>, usual: Usual<S>) -> Result<Answer<S::H>, Error> {
        let id = keys.found_text(&k::TOOL_CALL_ID, usual.id)?.filter(|id| !id.is_empty());
        let name = keys.text(&k::NAME)?.filter(|name| !name.is_empty());
        let (made_up, unnamed) = (id.is_none(), name.is_none());
        let id = (id.unwrap_or_else(|| Text::own("")), made_up);
        let (result, flaw) = answered(Self::reads(), keys, usual.content, id, name)?;
        Ok((result, flaw.or(unnamed.then_some(&flaw::NO_RESULT_NAME))))
    }

    /// `{"type", "url" or "base64" or "path"}`. A placeholder has the type alone.
    fn media<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, _: &Item<'_, H>, shown: &Shown<'_, H>) {
        w.out.open_map();
        w.out.key(&k::TYPE);
        w.out.literal(CLASSES.iter().find(|(_, class)| *class == shown.class).map_or(&k::IMAGE, |(key, _)| key));
        match &shown.data {
            ShownData::Base64 { data, .. } => {
                w.out.key(&k::BASE64);
                w.out.text(data);
            }
            ShownData::Url(words, _) => {
                w.out.key(&k::URL);
                w.out.text(words);
            }
            ShownData::File(words) if words.is_empty() => {}
            ShownData::File(words) => {
                w.out.key(&PATH);
                w.out.pieces(&[Piece::Text(words)]);
            }
            ShownData::Plain(words) => {
                w.out.key(&k::BASE64);
                w.out.pieces(&[Piece::Text(words)]);
            }
        }
    }
}

/// The types of media, each of which is also a key of its block.
const CLASSES: [(&Key, MediaClass); 3] =
    [(&k::IMAGE, MediaClass::Image), (&k::AUDIO, MediaClass::Audio), (&k::VIDEO, MediaClass::Video)];

/// What is under the key that is named like the type, as templates for Qwen read it: an address, data, or a path.
fn address<S: Source>(keys: &mut Keys<'_, S>, key: &'static Key) -> Option<MediaData<S::H>> {
    let node = keys.node.get(key)?;
    let text = node.text()?;
    let starts = |head| text.starts_with(head, node.input());
    let data = match () {
        () if starts("data:") => MediaData::DataUrl(text),
        () if starts("http://") || starts("https://") => MediaData::Url(text),
        () => MediaData::File(text),
    };
    keys.take(key);
    Some(data)
}

/// Whether a block has nothing but its type: it stands for an entry of another column.
fn is_placeholder<S: Source>(node: &S) -> bool {
    let mut alone = true;
    node.each_entry(|key, value| alone &= key == k::TYPE.name || value.kind() == NodeKind::Null);
    alone
}

/// How many items the next message has: one result, one call if calls must be alone, or all items before the next such
/// one.
fn next<H: Host>(items: &[Item<'_, H>], alone: bool) -> usize {
    let is_one = |item: &Item<'_, H>| matches!(item.said, Said::Result(_)) || alone && is_call(item);
    match items.iter().position(is_one) {
        Some(0) => 1,
        Some(at) => at,
        None => items.len(),
    }
}

/// Writes the content of a message. For `null` a template may write `None`, so most forms leave the key out.
fn said<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, items: &[Item<'_, H>]) -> Result<(), Error> {
    let Form { listed, null, thought } = *form(w.p.target.id);
    let inside = |item: &Item<'_, H>| is_content(item) && !is_thought(item);
    let silent = !items.iter().any(inside);
    let called = items.iter().any(is_call);
    if listed {
        w.out.key(&k::CONTENT);
        parts(w, items.iter().filter(|item| inside(item)))?;
    } else if !silent || !called || null {
        content(HuggingFace::writes(), w, items, inside, !called)?;
    }
    let mut thoughts = items.iter().filter(|item| is_thought(item)).peekable();
    if thoughts.peek().is_some() {
        w.out.key(thought);
        joined(w, thoughts, "")?;
    }
    own_keys(w, items);
    calls(w, items)
}

/// Whether it is reasoning that the caller wants as text, which has its own key.
fn is_thought<H: Host>(item: &Item<'_, H>) -> bool {
    let reasoning = item.part.is_some_and(|part| matches!(part.kind, Kind::Reasoning(_)));
    reasoning && matches!(item.said, Said::Text(_))
}

/// Writes a list of parts. Text that was not a part becomes one.
fn parts<'i, 'a: 'i, H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    items: impl Iterator<Item = &'i Item<'a, H>>,
) -> Result<(), Error> {
    w.out.open_list();
    for item in items {
        if matches!(item.said, Said::Origin(_)) && !item.was_listed() {
            text_part(w, item, "")?;
            w.out.close();
        } else {
            part::part(HuggingFace::writes(), w, item, "")?;
        }
    }
    w.out.close();
    Ok(())
}
