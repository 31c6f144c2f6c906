//! Ollama's chat: `{"messages": […], "tools"?}`. Content is one text, images are beside it, and ids are optional.

use self::keys as k;
use super::chat::{
    Chat, Member, REPLY_KEYS, SLOTS,
    member::Usual,
    part::{Answer, PartDraft},
    read, reply, stream,
};
use crate::{
    model::{Finish, Flaw, Kind, Media, MediaData, Part, Parts, ReplyParts},
    report::{Error, Place, Severity},
    rules::{
        ArgsForm, BlockRule, CHAT, ExtraKeys, IdRule, JoinedTexts, JsonPlace, Limits, MediaClass, MediaRule, NameRule,
        PartOrder, PlainDocument, ReasoningRule, Rules, SHARED, Signs, Slots, Spot, Thoughts, ValueRule,
        limits::ToolRule,
    },
    value::{Host, Key, NodeKind, Sink, Source, Text, Tree},
    wire::{
        plan::{Item, Said, ShownData},
        read::{
            Keys,
            keys::{placed, wrong_type},
        },
        response::{Draft, FailureWords},
        stream::Map,
        write::Writer,
    },
};

mod keys;
mod response;
mod stream_out;

pub(crate) struct Ollama;

/// The keys of a reply's usage.
const COST: [&Key; 6] = [
    &k::TOTAL_DURATION,
    &k::LOAD_DURATION,
    &k::PROMPT_EVAL_COUNT,
    &k::PROMPT_EVAL_DURATION,
    &k::EVAL_COUNT,
    &k::EVAL_DURATION,
];

static LISTED: Flaw = Flaw::refused("content is one text, never a list");
static NO_TEXT: Flaw = Flaw::refused("a thought is one text");
static NO_NAME: Flaw = Flaw::refused("no tool is named so");

/// The server's api/types.go and the images that it decodes. Templates pair results by order, newer servers by id.
const LIMITS: Limits = Limits {
    // An empty list of tools was answered.
    no_tools: Severity::Info,
    id: IdRule { optional: true, ..IdRule::ANY },
    tool: ToolRule::OLLAMA,
    name: NameRule::ANY,
    results_in_call_order: true,
    results_named: true,
    args: ArgsForm::Object,
    json: JsonPlace::OneText,
    order: PartOrder::OneText,
    joined: JoinedTexts::Everybody,
    reasoning: ReasoningRule::Replay,
    thoughts: Thoughts::Key(&k::THINKING),
    chooses: &[],
    media: MediaRule {
        images: &["image/png", "image/jpeg", "image/webp"],
        typed_data: false,
        plain: PlainDocument::Text,
        ..MediaRule::NONE
    },
    ..CHAT
};

impl Rules for Ollama {
    const NAME: &'static str = "ollama";
    const SIGNS: Signs = &[
        SHARED,
        &[
            (Spot::Body, "keep_alive think"),
            (Spot::Key, "content images thinking tool_calls tool_name tool_call_id"),
            (Spot::Content, "text"),
            (Spot::Args, "object"),
            (Spot::NoId, "call result"),
        ],
    ];
    const SAYS: &'static [&'static str] = super::chat::SAYS;
    const SLOTS: Slots = Slots { choice: None, ..SLOTS };
    const KEYS: ExtraKeys = ExtraKeys {
        any: false,
        part: &[("type", ValueRule::Never)],
        reply_only: REPLY_KEYS,
        echoed: &[],
        tools: &[BlockRule { types: "function", needs: &[], may: &[] }],
        ..ExtraKeys::ANY
    };
    const PROFILES: &'static [(&'static str, Limits)] = &[("", LIMITS)];
    const REPLY_SIGNS: &'static [&'static [&'static Key]] = &[&[&k::MESSAGE, &k::DONE]];
    const REPLY_MESSAGE: &'static str = ".message";
}

impl Chat for Ollama {
    const MEMBER: &'static Member = &Member {
        response: &response::RULE,
        needs_content: false,
        thoughts: &[&k::THINKING],
        result_name: Some(&k::TOOL_NAME),
        end: &k::DONE_REASON,
        ended: &k::DONE,
        numbers_calls: false,
        whole_calls: true,
        meaning,
        ..Member::LENIENT
    };
    type Stream<H: Host> = stream::Flat<Self, H>;
    type Out<H: Host> = stream_out::Lines<H>;

    fn reply<H: Host>(payload: &Tree<'_, H>, said: &mut ReplyParts<H>) -> Result<(), Error> {
        reply::flat::<Self, H>(payload, said)
    }

    fn response<H: Host, K: Sink<H>>(draft: Draft<H>, out: &mut K) {
        response::write(&draft, out);
    }
    fn failure<H: Host, K: Sink<H>>(words: &FailureWords<H>, out: &mut K) {
        response::failure(words, out);
    }

    fn beside<S: Source>(_: &mut Keys<'_, S>, parts: &mut Parts<S::H>) -> Result<Option<&'static Flaw>, Error> {
        // A thought must be one text.
        let strange = |part: &&mut Part<S::H>| matches!(part.kind, Kind::Reasoning(_)) && part.signed;
        parts.iter_mut().filter(strange).for_each(|part| part.flaw = Some(&NO_TEXT));
        Ok(None)
    }

    fn around<S: Source>(keys: &mut Keys<'_, S>, parts: &mut Parts<S::H>) -> Result<Option<&'static Flaw>, Error> {
        images(keys, parts)?;
        // A list may have parts that the format does not have.
        let listed = keys.node.get(&k::CONTENT).is_some_and(|said| said.kind() == NodeKind::List);
        Ok(listed.then_some(&LISTED))
    }

    fn result<S: Source>(keys: &mut Keys<'_, S>, usual: Usual<S>) -> Result<Answer<S::H>, Error> {
        let (mut result, flaw) = read::result(Self::reads(), keys, usual)?;
        // A tool may have any name here, except an empty one.
        let name = if result.name.is_none() { keys.text(&k::TOOL_NAME)? } else { None };
        let unnamed = name.as_ref().is_some_and(Text::is_empty);
        result.name = result.name.or(name.filter(|name| !name.is_empty()).map(Box::new));
        Ok((result, flaw.or(unnamed.then_some(&NO_NAME))))
    }

    fn part<S: Source>(kind: &str, draft: &mut PartDraft<'_, '_, S>) -> Result<Option<Kind<S::H>>, Error> {
        let part = read::part(kind, draft)?;
        draft.flaw = Some(&LISTED);
        Ok(part)
    }

    fn cost<H: Host>(payload: &Tree<'_, H>, said: &mut ReplyParts<H>) {
        let mut usage = Map::default();
        for key in COST {
            usage.maybe(key, payload.get(key).map(|count| count.0));
        }
        said.places.usage = "";
        let usage = usage.some();
        said.cost(usage.as_ref().map(Tree).as_ref(), |usage| response::RULE.usage.read(usage));
    }

    /// The images beside the text.
    fn write_around<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, items: &[Item<'_, H>]) {
        let mut images = items.iter().filter(|item| item.is_media()).peekable();
        if images.peek().is_none() {
            return;
        }
        w.out.key(&k::IMAGES);
        w.out.open_list();
        for item in images {
            w.out.scope(item.input);
            match &item.said {
                Said::Origin(raw) => w.out.raw(raw),
                Said::Media(shown) => {
                    if let ShownData::Base64 { data, .. } = &shown.data {
                        w.out.text(data);
                    }
                }
                _ => {}
            }
        }
        w.out.close();
    }
}

/// The images beside a text: base64, or the host's own bytes.
fn images<S: Source>(keys: &mut Keys<'_, S>, parts: &mut Parts<S::H>) -> Result<(), Error> {
    let Some(list) = keys.some(&k::IMAGES) else { return Ok(()) };
    let at = keys.at.key(k::IMAGES.name);
    if list.kind() != NodeKind::List {
        return Err(wrong_type("a list", &list, &at));
    }
    for (item, image) in list.items().enumerate() {
        let data = match image.text() {
            Some(text) => MediaData::Base64(text),
            None if image.kind() == NodeKind::Blob => MediaData::Bytes(image.raw()),
            None => return Err(wrong_type("base64 text", &image, &at.index(item))),
        };
        let media = Media { class: MediaClass::Image, mime: None, data, name: None };
        parts.push(placed(Kind::Media(media), &image, Place::item(k::IMAGES.name, item)));
    }
    Ok(())
}

/// The server's words. A reply with calls ends with `stop` too.
fn meaning(word: &str) -> Finish {
    match word {
        "stop" => Finish::Stop,
        "length" => Finish::Length,
        _ => Finish::Other,
    }
}
