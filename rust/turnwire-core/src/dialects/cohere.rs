//! Cohere's chat, version 2: `{"messages": […], "tools"?, "tool_choice"?}`; text before calls is a plan, and tool results may
//! be documents.

use self::keys as k;
use super::chat::{self, Chat, Member, REPLY_KEYS, part::PartDraft, read, reply, stream, write};
use crate::{
    model::{Finish, Flaw, Inner, Kind, Part, Parts, Reasoning, ReplyParts},
    report::{Error, Place},
    rules::{
        ArgsForm, BesideCalls, BlockRule, CHAT, Chosen, ExtraKeys, IdRule, JoinedTexts, JsonPlace, Limits, MediaRule,
        NameRule, Once, PlainDocument, ReasoningRule, Rules, SHARED, Signs, Slots, Spot, Thoughts, ValueRule,
        limits::ToolRule,
    },
    value::{Host, Key, NodeKind, Raw, Sink, Source, Text, Tree, json},
    wire::{
        plan::{Item, Message, Outcome},
        read::Keys,
        response::{Draft, FailureWords},
        write::Writer,
    },
};

mod keys;
mod response;
mod stream_out;

pub(crate) struct Cohere;

static BESIDE_CALLS: Flaw = Flaw::refused("text beside calls is a plan");
static DOCUMENT_SAID: Flaw = Flaw::refused("documents are allowed in results only");
static NO_DATA: Flaw = Flaw::refused("a document must have data");

/// Reference of Chat v2 and the client's types. The servers' error text says that they refuse text beside calls.
const LIMITS: Limits = Limits {
    id: IdRule { once: Once::InPayload, ..IdRule::ANY },
    name: NameRule::ANY,
    tool: ToolRule::COHERE,
    blank_text: false,
    blank_replays: false,
    args: ArgsForm::ObjectOrNullText,
    json: JsonPlace::ObjectInResult,
    beside_calls: BesideCalls::OneText,
    joined: JoinedTexts::Everybody,
    chooses: &[Chosen::Required, Chosen::None],
    reasoning: ReasoningRule::Replay,
    thoughts: Thoughts::Block,
    media: MediaRule { detail: true, plain: PlainDocument::Text, ..CHAT.media },
    ..CHAT
};

impl Rules for Cohere {
    const NAME: &'static str = "cohere";
    const SLOTS: Slots = chat::SLOTS;
    const SIGNS: Signs = &[
        SHARED,
        &[
            (Spot::Body, "tool_choice documents citation_options safety_mode strict_tools stop_sequences"),
            (Spot::Key, "content tool_calls tool_call_id tool_plan citations"),
            (Spot::Content, "text list"),
            (Spot::Block, "text image_url thinking document"),
            (Spot::Text, "text"),
            (Spot::Args, "text"),
            (Spot::Mark, "thought choice:REQUIRED choice:NONE"),
        ],
    ];
    const SAYS: &'static [&'static str] = chat::SAYS;
    const KEYS: ExtraKeys = ExtraKeys {
        turn: &[("citations", ValueRule::List)],
        part: &[("type", ValueRule::Never)],
        // Server's error text: "unknown field: parameter 'strict' is not a valid field". `strict_tools` is one setting
        // for all tools.
        tool: &[("strict", ValueRule::Never)],
        inner: Some(&[("detail", ValueRule::OneOf(&["auto", "low", "high"])), ("id", ValueRule::Word)]),
        tools: &[BlockRule { types: "function", needs: &[], may: &[] }],
        any: false,
        reply_only: REPLY_KEYS,
        echoed: &[],
        ..ExtraKeys::ANY
    };
    const PROFILES: &'static [(&'static str, Limits)] = &[("", LIMITS)];
    const REPLY_SIGNS: &'static [&'static [&'static Key]] = &[&[&k::MESSAGE, &k::FINISH_REASON]];
    const REPLY_MESSAGE: &'static str = ".message";
}

impl Chat for Cohere {
    const MEMBER: &'static Member = &Member {
        response: &response::RULE,
        result_name: None,
        told: &[&k::TOOL_PLAN],
        choices: [&k::EMPTY, &k::MUST, &k::NEVER],
        meaning,
        ..Member::STRICT
    };
    type Stream<H: Host> = stream::Flat<Self, H>;
    type Out<H: Host> = stream_out::Events<H>;

    fn reply<H: Host>(payload: &Tree<'_, H>, said: &mut ReplyParts<H>) -> Result<(), Error> {
        reply::flat::<Self, H>(payload, said)
    }

    fn response<H: Host, K: Sink<H>>(draft: Draft<H>, out: &mut K) {
        response::write(&draft, out);
    }
    fn failure<H: Host, K: Sink<H>>(words: &FailureWords<H>, out: &mut K) {
        response::failure(words, out);
    }
    fn thought<H: Host, K: Sink<H>>(text: &Text<H>, out: &mut K) {
        response::thought(text, out);
    }

    fn beside<S: Source>(keys: &mut Keys<'_, S>, parts: &mut Parts<S::H>) -> Result<Option<&'static Flaw>, Error> {
        let calls = keys.node.get(&k::TOOL_CALLS).is_some_and(|calls| !calls.is_empty());
        let text = parts.iter().any(|part| matches!(part.kind, Kind::Text(_)));
        if let Some(plan) = keys.text(&k::TOOL_PLAN)?.filter(|plan| !plan.is_empty()) {
            // The plan comes before the answer, as in a stream.
            let answer = parts.iter().position(|part| matches!(part.kind, Kind::Text(_)));
            parts.insert(answer.unwrap_or(parts.len()), Part::at(Place::key(k::TOOL_PLAN.name), Kind::Text(plan)));
        }
        Ok((calls && text).then_some(&BESIDE_CALLS))
    }

    fn around<S: Source>(keys: &mut Keys<'_, S>, parts: &mut Parts<S::H>) -> Result<Option<&'static Flaw>, Error> {
        let is_result = keys.node.get(&k::TOOL_CALL_ID).is_some();
        let Some(content) = keys.node.get(&k::CONTENT).filter(|_| !is_result) else { return Ok(None) };
        let is_document =
            |part: &S| part.get(&k::TYPE).is_some_and(|kind| kind.word().as_deref() == Some(k::DOCUMENT.name));
        for (at, _) in content.items().enumerate().filter(|(_, part)| is_document(part)) {
            let place = Place::item(k::CONTENT.name, at);
            for part in parts.iter_mut().filter(|part| part.place == place) {
                part.flaw = Some(&DOCUMENT_SAID);
                if let Kind::Json(value) = &part.kind {
                    part.kind = Kind::Text(Text::own(&json::encode::to_string(value, keys.node.input())?));
                }
            }
        }
        Ok(None)
    }

    fn part<S: Source>(kind: &str, draft: &mut PartDraft<'_, '_, S>) -> Result<Option<Kind<S::H>>, Error> {
        Ok(match kind {
            "thinking" => Some(Kind::Reasoning(Reasoning { text: Some(draft.keys.needed_text(&k::THINKING)?) })),
            "document" => {
                let node = draft.keys.needed(&k::DOCUMENT)?;
                let at = draft.keys.at.key(k::DOCUMENT.name);
                let mut document = Keys::of(&node, &at)?;
                let data = document.some(&k::DATA);
                draft.inner = Inner::of(k::DOCUMENT.name, document.extras());
                let sound = |data: &S| matches!(data.kind(), NodeKind::Text | NodeKind::Map);
                draft.flaw = (!data.as_ref().is_some_and(sound)).then_some(&NO_DATA);
                // The reference says text, and the client's type says an object.
                data.map(|data| match data.text() {
                    Some(text) => Kind::Text(text),
                    None => Kind::Json(data.raw()),
                })
            }
            _ => read::part(kind, draft)?,
        })
    }

    /// The model's input and output tokens, or the billed ones if those are missing.
    fn cost<H: Host>(payload: &Tree<'_, H>, said: &mut ReplyParts<H>) {
        let usage = payload.get(&k::USAGE).filter(|usage| usage.kind() == NodeKind::Map);
        said.cost(usage.as_ref(), |usage| response::RULE.usage.read(usage));
    }

    fn spoken<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, message: &Message<'_, H>) -> Result<(), Error> {
        let items = &message.items;
        let calls = items.iter().any(write::call::is_call);
        let plan = |item: &&Item<'_, H>| calls && write::content::is_words(item);
        let content = |item: &Item<'_, H>| write::content::is_content(item) && !plan(&item);
        if !calls || items.iter().any(content) {
            write::content::content(Self::writes(), w, items, content, true)?;
        }
        if items.iter().any(|item| plan(&item)) {
            w.out.key(&k::TOOL_PLAN);
            write::content::joined(w, items.iter().filter(plan), "")?;
        }
        write::call::calls(w, items)
    }

    /// Writes a result. A string should be JSON, so another format's text becomes a block.
    fn answer<H: Host, K: Sink<H>>(
        w: &mut Writer<'_, '_, H, K>,
        item: &Item<'_, H>,
        outcome: &Outcome<'_, H>,
    ) -> Result<(), Error> {
        if outcome.items.is_empty() || item.own && outcome.alone().is_some_and(|one| one.text().is_some()) {
            return write::result::answer(Self::writes(), w, item, outcome);
        }
        write::result::answers(Self::MEMBER, w, item, outcome)?;
        w.out.key(&k::CONTENT);
        write::part::parts(Self::writes(), w, &outcome.items, outcome.prefix)
    }

    fn value<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>, raw: &Raw<H>) -> Result<(), Error> {
        write::part::open(w, &k::DOCUMENT);
        w.out.open_map();
        w.out.key(&k::DATA);
        w.out.sound(raw);
        w.inner_extras(item);
        w.out.close();
        Ok(())
    }
}

/// The reference's `finish_reason`.
fn meaning(word: &str) -> Finish {
    match word {
        "COMPLETE" | "STOP_SEQUENCE" => Finish::Stop,
        "TOOL_CALL" => Finish::ToolCalls,
        "MAX_TOKENS" => Finish::Length,
        "ERROR" | "TIMEOUT" => Finish::Error,
        _ => Finish::Other,
    }
}
