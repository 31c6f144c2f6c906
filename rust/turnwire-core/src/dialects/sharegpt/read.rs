//! Reads an element: its role, and one text, which for some roles holds calls or results.

use super::keys as k;
use super::{ARGUMENTS, AROUND_CALL, AROUND_RESULTS, AROUND_THOUGHT, BETWEEN, LIMITS, ShareGpt};
use crate::{
    model::{Content, Flaw, Kind, Part, Parts, Role, System, ToolResult, Turn},
    report::{Error, Place, Trail, error::Code},
    value::{Host, Input, NodeKind, Source, Text},
    wire::{
        format::Read,
        read::{
            Keys, error_flag,
            keys::{unknown_role, wrong_type},
        },
        write::call_json,
    },
};

static OTHER_NAME: Flaw = Flaw::refused("a speaker by the name that another format has for it");
static IN_TAGS: Flaw = Flaw::refused("calls or results in the tags of a chat template");
static NO_CALL: Flaw = Flaw::refused("a call is JSON text with a name and arguments");

impl Read for ShareGpt {
    fn turn<S: Source>(element: &S, _: usize, at: &Trail<'_>, turn: &mut Turn<S::H>) -> Result<(), Error> {
        let mut keys = Keys::of(element, at)?;
        let node = keys.needed(&k::FROM)?;
        let role = node.word();
        let role = role.as_deref().ok_or_else(|| wrong_type("a string", &node, &at.key(k::FROM.name)))?;
        turn.role = match role {
            "human" | "user" => Role::User,
            "gpt" | "function_call" | "assistant" => Role::Assistant,
            "system" => Role::System,
            "observation" | "tool" => Role::Tool,
            word => {
                let known = "human, gpt, system, function_call, observation";
                return Err(unknown_role(word, known, &at.key(k::FROM.name)));
            }
        };
        // Axolotl and Hermes use these role names, and LLaMA-Factory skips such a row.
        turn.flaw = matches!(role, "user" | "assistant" | "tool").then_some(&OTHER_NAME);
        if element.get(&k::ROLE).is_some_and(|role| role.kind() != NodeKind::Null) {
            let text = "expected the speaker under \"from\" alone: leave out \"role\", and the text that belongs to it";
            return Err(Error::new(Code::UnknownRole, text).at(&at.key(k::ROLE.name)));
        }
        let text = keys.needed_text(&k::VALUE)?;
        let place = Place::key(k::VALUE.name);
        if role == k::FUNCTION_CALL.name {
            let calls = calls(&text.to_str(element.input()), place);
            // Text that is not a call is still the model's text.
            turn.flaw = turn.flaw.or(calls.is_none().then_some(&NO_CALL));
            turn.parts.extend(beside(&mut keys)?);
            turn.parts.extend(calls.unwrap_or_else(|| vec![Part::at(place, Kind::Text(text))]));
        } else if turn.role == Role::Tool {
            let words = text.to_str(element.input());
            let [open, close] = AROUND_RESULTS;
            let inside = words.trim().strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
            turn.flaw = turn.flaw.or(inside.map(|_| &IN_TAGS));
            if inside.is_some() || words.contains(BETWEEN) {
                for said in inside.map_or(&*words, without_ends).split(BETWEEN) {
                    turn.parts.push(Part::at(place, result(Text::own(said), element.input())?));
                }
            } else {
                turn.parts.push(Part::at(place, result(text, element.input())?));
            }
            turn.parts.extend(beside(&mut keys)?);
        } else if let Some(parts) = tagged(turn.role, &text.to_str(element.input()), place) {
            turn.flaw = Some(&IN_TAGS);
            turn.parts.extend(parts);
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

/// Reads the JSON of calls, and the thought before it. `None` if there is no call.
fn calls<H: Host>(text: &str, place: Place) -> Option<Vec<Part<H>>> {
    let read = |json: &str| call_json::read(json, &[ARGUMENTS], LIMITS.args, place);
    read(text).or_else(|| {
        let [open, close] = AROUND_THOUGHT;
        let end = text.find(close).filter(|_| text.trim_start().starts_with(open))? + close.len();
        let (thought, json) = text.split_at(end);
        let mut parts = vec![Part::at(place, Kind::Text(Text::own(thought)))];
        parts.extend(read(json)?);
        Some(parts)
    })
}

/// Reads the assistant's text and the calls in tags after it. `None` if any of them is not a call.
fn tagged<H: Host>(role: Role, text: &str, place: Place) -> Option<Vec<Part<H>>> {
    let [open, close] = AROUND_CALL;
    let (said, mut rest) = text.split_once(open).filter(|_| role == Role::Assistant)?;
    let said = said.trim_end();
    let mut parts: Vec<_> =
        (!said.is_empty()).then(|| Part::at(place, Kind::Text(Text::own(said)))).into_iter().collect();
    loop {
        let (call, behind) = rest.split_once(close)?;
        parts.extend(call_json::read(call, &[ARGUMENTS], LIMITS.args, place)?);
        match behind.trim() {
            "" => return Some(parts),
            more => rest = more.strip_prefix(open)?,
        }
    }
}

/// A text without line ends at its start and end.
fn without_ends(text: &str) -> &str {
    let text = text.strip_prefix('\n').unwrap_or(text);
    text.strip_suffix('\n').unwrap_or(text)
}

/// Reads text beside calls or results.
fn beside<S: Source>(keys: &mut Keys<'_, S>) -> Result<Option<Part<S::H>>, Error> {
    let said = keys.text(&k::TEXT)?.filter(|said| !said.is_empty());
    Ok(said.map(|said| Part::at(Place::key(k::TEXT.name), Kind::Text(said))))
}

/// Reads the answer of one tool.
fn result<H: Host>(text: Text<H>, input: Option<&Input>) -> Result<Kind<H>, Error> {
    let mut content = Content::Text(text);
    let error = error_flag::take(&mut content, input)?;
    let id = Text::own("");
    Ok(Kind::Result(ToolResult {
        id,
        made_up_id: true,
        name: None,
        content,
        error,
        synthetic: false,
        custom: false,
        form: None,
    }))
}
