//! ShareGPT, as training sets hold it: `{"conversations": [{"from", "value"}], "system"?, "tools"?}`.
//!
//! An element says one thing. A call is JSON text, so are the tools; a result is whatever the tool said. There are no ids:
//! parallel calls are one list, and their results one text in the same order, with the tags of a chat template between them.
//! Older sets have an element for each.

use crate::{
    model::{
        conversation::System,
        part::{Flaw, Kind, Part, Parts},
        tool::{Content, Tool, ToolResult},
        turn::{Role, Turn},
    },
    report::{
        error::Error,
        loss::LossCode,
        path::{Path, Place, Trail},
    },
    rules::{
        alphabet::Alphabet,
        facts::Rules,
        limits::{ArgsForm, IdRule, JsonPlace, Limits, MediaRule, NameRule, PartOrder, ResultPlace, SystemPlace},
        presets::CHAT,
        signs::{Signs, Spot},
        slots::{Slot, Slots, Spelling},
    },
    value::{
        door::{Piece, Sink, Source, keys},
        handle::{Host, Input, Raw, Text, Value},
    },
    wire::{
        format::{Read, Reply, Write},
        plan::{Item, Message, Said},
        read::{
            error_flag,
            keys::{Keys, unknown_role},
            payload::wrong_type,
        },
        stream::NoStream,
        write::{
            call_json,
            single_part::{self, Form, One, Together},
            single_text,
            system::SystemText,
            writer::Writer,
        },
    },
};
use std::sync::Arc;

pub(crate) struct ShareGpt;

keys! {
    CONVERSATIONS = "conversations";
    SYSTEM = "system";
    TOOLS = "tools";
    FROM = "from";
    VALUE = "value";
    HUMAN = "human";
    GPT = "gpt";
    FUNCTION_CALL = "function_call";
    OBSERVATION = "observation";
    TEXT = "text";
}

const ARGUMENTS: &str = "arguments";

/// What LLaMA-Factory puts between the results of parallel calls where it makes one observation of them.
const BETWEEN: &str = "\n</tool_response>\n<tool_response>\n";

static OTHER_NAME: Flaw = Flaw("a speaker by the name that another format has for it");
static NO_CALL: Flaw = Flaw("a call is JSON text with a name and arguments");

/// LLaMA-Factory's `data/README.md`. It is stored, not sent. System text has a key of its own, or the first element.
const LIMITS: Limits = Limits {
    id: IdRule { optional: true, ..IdRule::ANY },
    name: NameRule { max: usize::MAX, alphabet: Alphabet::ANY, first: Alphabet::ANY },
    results: ResultPlace::OneTurn,
    between_results: BETWEEN,
    results_in_call_order: true,
    args: ArgsForm::Either,
    json: JsonPlace::OneText,
    media: MediaRule::NONE,
    order: PartOrder::Elements,
    system: SystemPlace::Head,
    joins_assistant: true,
    ..CHAT
};

/// LLaMA-Factory's documentation.
const SIGNS: Signs = &[&[
    (Spot::Body, "conversations system tools"),
    (Spot::Key, "from value text"),
    (Spot::Head, "system"),
    (Spot::Role, "human gpt system function_call observation user assistant tool"),
]];

impl Rules for ShareGpt {
    const NAME: &'static str = "sharegpt";
    const SIGNS: Signs = SIGNS;
    const SLOTS: Slots = Slots {
        list: Slot(&[Spelling::at(&CONVERSATIONS)]),
        list_or_text: false,
        singles: false,
        system: Some(Slot(&[Spelling::at(&SYSTEM)])),
        tools: Some(Slot(&[Spelling::at(&TOOLS)])),
        choice: None,
        continues: &[],
    };
    const TOOLS_AS_TEXT: bool = true;
    const PROFILES: &'static [(&'static str, Limits)] = &[("", LIMITS)];
}

impl Read for ShareGpt {
    fn turn<S: Source>(element: &S, _: usize, at: &Trail<'_>, turn: &mut Turn<S::H>) -> Result<(), Error> {
        let mut keys = Keys::of(element, at)?;
        let node = keys.needed(&FROM)?;
        let role = node.word();
        let role = role.as_deref().ok_or_else(|| wrong_type("a string", &node, &at.key(FROM.name)))?;
        turn.role = match role {
            "human" | "user" => Role::User,
            "gpt" | "function_call" | "assistant" => Role::Assistant,
            "system" => Role::System,
            "observation" | "tool" => Role::Tool,
            word => {
                let known = "human, gpt, system, function_call, observation";
                return Err(unknown_role(word, known, &at.key(FROM.name)));
            }
        };
        // Axolotl and Hermes call the speakers so, and LLaMA-Factory skips such a row.
        turn.flaw = matches!(role, "user" | "assistant" | "tool").then_some(&OTHER_NAME);
        let text = keys.needed_text(&VALUE)?;
        let place = Place::key(VALUE.name);
        if role == FUNCTION_CALL.name {
            let calls = call_json::read(&text.to_str(element.input()), &[ARGUMENTS], LIMITS.args, place);
            // What is none is what the model said all the same.
            turn.flaw = turn.flaw.or(calls.is_none().then_some(&NO_CALL));
            let said = keys.text(&TEXT)?.filter(|said| !said.is_empty());
            turn.parts.extend(said.map(|said| Part::at(Place::key(TEXT.name), Kind::Text(said))));
            turn.parts.extend(calls.unwrap_or_else(|| vec![Part::at(place, Kind::Text(text))]));
        } else if turn.role == Role::Tool {
            let words = text.to_str(element.input());
            if words.contains(BETWEEN) {
                for said in words.split(BETWEEN) {
                    turn.parts.push(Part::at(place, result(Text::own(said), element.input())?));
                }
            } else {
                turn.parts.push(Part::at(place, result(text, element.input())?));
            }
        } else if !text.is_empty() {
            turn.parts.push(Part::at(place, Kind::Text(text)));
        }
        turn.extras = keys.extras();
        Ok(())
    }
    fn system<S: Source>(node: &S, place: &'static str) -> Result<System<S::H>, Error> {
        let text = node.text().ok_or_else(|| wrong_type("a string", node, &Trail::ROOT))?;
        let part = (!text.is_empty()).then(|| Part::at(Place::key(place), Kind::Text(text)));
        Ok(System::of(part.into_iter().collect::<Parts<_>>()))
    }
}

/// What one tool said.
fn result<H: Host>(text: Text<H>, input: Option<&Input>) -> Result<Kind<H>, Error> {
    let mut content = Content::Text(text);
    let error = error_flag::take(&mut content, input)?;
    let id = Text::own("");
    Ok(Kind::Result(ToolResult { id, made_up_id: true, name: None, content, error, synthetic: false }))
}

impl Write for ShareGpt {
    fn message<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, message: &Message<'_, H>) -> Result<(), Error> {
        single_part::each(w, message, Form { together: Together::Runs, named: false }, |w, one| {
            w.out.key(&FROM);
            w.out.literal(match (one, message.role) {
                (One::Calls(..), _) => &FUNCTION_CALL,
                (One::Result(..) | One::Results(_), _) => &OBSERVATION,
                (_, Role::Assistant) => &GPT,
                (_, Role::System | Role::Developer) => &SYSTEM,
                (_, Role::User | Role::Tool) => &HUMAN,
            });
            w.out.key(&VALUE);
            match one {
                One::Text(items) => single_text::joined(w, &items.iter().collect::<Vec<_>>()),
                One::Calls(calls, said) => {
                    call_json::write(w, calls, ARGUMENTS)?;
                    beside(w, said)
                }
                One::Result(item, _) => results(w, std::slice::from_ref(item)),
                One::Results(items) => results(w, items),
            }
        })
    }
    fn write_system<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, texts: &[SystemText<'_, H>]) {
        let texts: Vec<_> = texts.iter().map(|one| w.detached(one.text, one.input)).collect();
        let lines = texts.iter().enumerate();
        let pieces: Vec<_> = lines
            .flat_map(|(at, text)| [(at > 0).then_some(Piece::Str("\n")), Some(Piece::Text(text))])
            .flatten()
            .collect();
        w.out.pieces(&pieces);
    }
    /// The list as JSON text.
    fn write_tools<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, tools: &[(usize, &Tool<H>)]) -> Result<(), Error> {
        let frame = w.conversation.frame;
        let (own, input) = (frame.from.same_wire(w.target.id), frame.input.as_ref());
        let mut list = Vec::with_capacity(tools.len());
        for (index, tool) in tools {
            list.push(match &tool.origin {
                Some(origin) if own => w.value_of(origin, input)?,
                _ => definition(w, tool, &frame.tool_path(*index))?,
            });
        }
        w.out.raw_as_text(&Raw::Tree(Value::List(list.into())));
        Ok(())
    }
}

impl Reply for ShareGpt {
    type Stream<H: Host> = NoStream<H>;
}

/// What is said before calls stands with them, under a key that trainers pass over: they skip a row in which the same side
/// speaks twice.
fn beside<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, said: &[Item<'_, H>]) -> Result<(), Error> {
    let Some(first) = said.first() else { return Ok(()) };
    let reason = "the target has no place for text beside a call: it stands under a key that trainers pass over";
    w.losses.changed(LossCode::Joined, w.path_of(first), reason);
    w.out.key(&TEXT);
    single_text::joined(w, &said.iter().collect::<Vec<_>>())
}

/// Writes results as one observation. One that holds what stands between results is read as several.
fn results<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, items: &[Item<'_, H>]) -> Result<(), Error> {
    let mut texts = Vec::with_capacity(items.len());
    for item in items {
        let Said::Result(outcome) = &item.said else { continue };
        let text = single_text::of(w, outcome)?;
        if text.to_str(None).contains(BETWEEN) {
            let reason = "this result holds what stands between results: a reader takes it for several";
            w.losses.changed(LossCode::Joined, w.path_of(item), reason);
        }
        texts.push(text);
    }
    let between = |at: usize| (at > 0).then_some(Piece::Str(BETWEEN));
    let pieces = texts.iter().enumerate().flat_map(|(at, text)| [between(at), Some(Piece::Text(text))]);
    match texts.as_slice() {
        [one] => w.out.text(one),
        _ => w.out.pieces(&pieces.flatten().collect::<Vec<_>>()),
    }
    Ok(())
}

/// `{"name", "description"?, "parameters"?}`
fn definition<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, tool: &Tool<H>, at: &Path) -> Result<Value<H>, Error> {
    let input = w.conversation.frame.input.as_ref();
    let mut entries = vec![(Text::own("name"), Value::Text(w.detached(&tool.name, input)))];
    if let Some(description) = &tool.description {
        entries.push((Text::own("description"), Value::Text(w.detached(description, input))));
    }
    if tool.custom {
        w.losses.changed(LossCode::Tool, at.clone(), "the target has no tools with free text: it is in a key");
    }
    if let Some(schema) = &tool.schema {
        entries.push((Text::own("parameters"), w.value_of(schema, input)?));
    }
    w.extras_lost(tool.extras.as_deref(), input, &|| at.clone())?;
    Ok(Value::Map(Arc::from(entries)))
}
