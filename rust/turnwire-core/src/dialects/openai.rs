//! OpenAI Chat Completions and every server that speaks it: `{"messages": […], "tools"?, "tool_choice"?}`.

use self::keys as k;
use super::chat::{
    Chat, ECHOED, Member, REPLY_KEYS, SLOTS,
    keys::{CHOICES, REASONING_DETAILS, REASONING_ITEMS, THINKING_BLOCKS},
    member::Usual,
    part::{Answer, PartDraft},
    read::is_author,
    reply, stream, stream_out,
};
use crate::{
    model::{Flaw, Kind, Parts, ReplyParts, Role},
    report::Error,
    rules::{
        BlockRule, ExtraKeys, KeyRule, Limits, MarkForm, MarkRule, RowLayout, Rules, SHARED, Signs, Slot, Slots,
        Spelling, Spot, Tell, UpdateForm, UpdateRule, ValueRule, Words,
        carrier::{Carriers, Holds, Maker},
    },
    value::{Host, Key, Sink, Source, Tree},
    wire::{
        plan::{Item, Message, Outcome, Shown},
        read::Keys,
        response::Draft,
        write::Writer,
    },
};
mod keys;
mod read;
mod response;
mod rows;
mod tell;
mod write;

pub(crate) struct OpenAi;

/// Chat Completions reference; the keys of reasoning are those of compatible servers.
const WORDS: Words = &[
    (Spot::Body, "tool_choice functions max_completion_tokens stream_options"),
    (Spot::Tool, "custom"),
    (Spot::Key, "content tool_calls tool_call_id function_call refusal audio"),
    (Spot::Key, "reasoning_content reasoning reasoning_details"),
    (Spot::Role, "developer function"),
    (Spot::Content, "text list"),
    (Spot::Block, "text image_url input_audio file refusal"),
    (Spot::Text, "text"),
    (Spot::Call, "custom"),
    (Spot::Args, "text object"),
    (Spot::Mark, "choice:auto choice:none choice:required name tool:openrouter video_url audio_url frames"),
    // Compatible servers also take these.
    (Spot::Setting, "top_k min_p repetition_penalty thinking"),
];

/// LiteLLM's keys, OpenRouter's list of details, and Google's signature as its own endpoint and gateways have it.
const CARRIERS: Carriers = Carriers {
    keys: &[
        ("thinking_blocks", Holds::Blocks(Maker::Claude)),
        ("reasoning_items", Holds::Blocks(Maker::OpenAi)),
        ("reasoning_details", Holds::Details),
    ],
    among_contents: Some(Maker::Mistral),
    signatures: &[
        &["extra_content", "google", "thought_signature"],
        &["provider_specific_fields", "thought_signature"],
        &["provider_specific_fields", "thought_signatures"],
        &["function", "provider_specific_fields", "thought_signature"],
        &["thought_signature"],
    ],
    in_id: "__thought__",
};

const SIGNS: Signs = &[SHARED, WORDS];

/// OpenRouter passes cache marks on to providers that know them, and has a key for another effort.
const OPENROUTER_SIGNS: Signs = &[SHARED, WORDS, &[(Spot::Mark, "cache_control configuration_update")]];

/// The keys of Google's signature with nothing else in them.
const CARRIED: &[KeyRule] = &[
    ("extra_content", ValueRule::Fields(&[("google", SIGNED)], &[])),
    ("provider_specific_fields", SIGNED),
    ("provider_specific_fields", ValueRule::Fields(&[("thought_signatures", LIST)], &[])),
    ("thought_signature", TEXT),
];
const TEXT: ValueRule = ValueRule::Word;
const LIST: ValueRule = ValueRule::SomeOf(&ValueRule::Word);
const SIGNED: ValueRule = ValueRule::Fields(&[("thought_signature", TEXT)], &[]);

impl Rules for OpenAi {
    /// Servers that know only functions know nothing newer, either.
    const LIMITS_CHOICE: fn(&Limits) -> bool = |limits| limits.free_text;
    const NAME: &'static str = "openai";
    const PROVIDER: &'static str = "openai";
    const CARRIERS: Carriers = CARRIERS;
    const THOUGHTS: &'static [&'static str] = &["reasoning_content", "reasoning"];
    const MARKS: &'static MarkRule = &MarkRule { reads: &[MarkForm::Control, MarkForm::Breakpoint], on_messages: true };
    /// OpenRouter's, whose key lies in a system message.
    const UPDATE: Option<&'static UpdateRule> = Some(&UpdateRule {
        form: UpdateForm::Key("configuration_update"),
        profiles: &["openrouter"],
        effort: &["reasoning", "effort"],
        lowest: "",
        until: "",
        alone: true,
        behind_user: false,
    });
    const ENDPOINT: &'static str = "/chat/completions";
    const SIGNS: Signs = SIGNS;
    const SAYS: &'static [&'static str] = super::chat::SAYS;
    const TELL: Option<Tell> = Some(tell::elements);
    const PROFILE_SIGNS: &'static [(&'static str, Signs)] = &[("openai:openrouter", OPENROUTER_SIGNS)];
    const ROWS: &'static RowLayout = &RowLayout::OPENAI;
    const SLOTS: Slots = Slots {
        tools: Some(Slot(&[Spelling::at(&k::TOOLS), Spelling::old(&k::FUNCTIONS)])),
        choice: Some(Slot(&[Spelling::at(&k::TOOL_CHOICE), Spelling::old(&k::FUNCTION_CALL)])),
        // The servers' error text: "'parallel_tool_calls' is only allowed when 'tools' are specified."
        beside_tools: &["parallel_tool_calls"],
        ..SLOTS
    };
    const KEYS: ExtraKeys = ExtraKeys {
        turn: &[("name", ValueRule::Text(is_author))],
        row: &[("weight", ValueRule::Bit)],
        part: &[
            ("prompt_cache_breakpoint", ValueRule::Fields(&[("mode", ValueRule::OneOf(&["explicit"]))], &[])),
            ("type", ValueRule::Never),
        ],
        inner: Some(&[("detail", ValueRule::OneOf(&["auto", "low", "high", "original"]))]),
        tool: &[("strict", ValueRule::Maybe(&ValueRule::Flag)), ("format", ValueRule::Map)],
        most: None,
        assistant_blocks: "",
        user_blocks: "",
        among_results: "",
        system_blocks: "",
        members: &[],
        result_blocks: "",
        around: None,
        blocks: &[],
        // A gateway has its own tools.
        tools: &[BlockRule { types: "openrouter:", needs: &[], may: &[] }],
        beta: &[],
        carried: CARRIED,
        two_spellings: false,
        any: false,
        reply_only: REPLY_KEYS,
        echoed: ECHOED,
    };
    const PROFILES: &'static [(&'static str, Limits)] = rows::ALL;
    const REPLY_SIGNS: &'static [&'static [&'static Key]] = &[&[&CHOICES]];
    const REPLY_MESSAGE: &'static str = ".choices[0].message";
}

impl Chat for OpenAi {
    const MEMBER: &'static Member = &Member {
        roles: &[
            ("system", Role::System),
            ("developer", Role::Developer),
            ("user", Role::User),
            ("assistant", Role::Assistant),
            ("tool", Role::Tool),
            ("function", Role::Tool),
        ],
        thoughts: &[&k::REASONING_CONTENT, &k::REASONING, &REASONING_DETAILS],
        carriers: &[&THINKING_BLOCKS, &REASONING_ITEMS],
        nullable: &[&k::CONTENT, &k::REFUSAL, &k::AUDIO, &k::FUNCTION_CALL],
        allows_tools: true,
        ..Member::STRICT
    };
    type Stream<H: Host> = stream::Choices<Self, H>;
    type Out<H: Host> = stream_out::Chunks<Self, H>;

    fn reply<H: Host>(payload: &Tree<'_, H>, said: &mut ReplyParts<H>) -> Result<(), Error> {
        reply::choices::<Self, H>(payload, said)
    }
    fn beside<S: Source>(keys: &mut Keys<'_, S>, parts: &mut Parts<S::H>) -> Result<Option<&'static Flaw>, Error> {
        read::beside(keys, parts)
    }
    fn result<S: Source>(keys: &mut Keys<'_, S>, usual: Usual<S>) -> Result<Answer<S::H>, Error> {
        read::result(Self::reads(), keys, usual)
    }
    fn part<S: Source>(kind: &str, draft: &mut PartDraft<'_, '_, S>) -> Result<Option<Kind<S::H>>, Error> {
        read::part(kind, draft)
    }
    fn spoken<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, message: &Message<'_, H>) -> Result<(), Error> {
        write::spoken(Self::writes(), w, message)
    }
    fn answer<H: Host, K: Sink<H>>(
        w: &mut Writer<'_, '_, H, K>,
        item: &Item<'_, H>,
        outcome: &Outcome<'_, H>,
    ) -> Result<(), Error> {
        write::answer(Self::writes(), w, item, outcome)
    }
    fn response<H: Host, K: Sink<H>>(draft: Draft<H>, out: &mut K) {
        response::write(&draft, out);
    }
    fn media<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>, shown: &Shown<'_, H>) {
        write::media(w, item, shown);
    }
}
