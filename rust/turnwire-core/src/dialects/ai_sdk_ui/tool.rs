//! Reads and writes a tool's part: a call and, by its state, its result.

use super::{
    form::{self, APPROVAL_RESPONDED, Form},
    keys as k,
};
use crate::{
    dialects::ai_sdk::{is_signed, reason_or_default},
    model::{Args, Call, Content, Flaw, Kind, Part, Parts, ToolResult, Turn},
    report::{Edit, Error, Place},
    value::{ArgsState, Host, Key, NodeKind, Numbers, Piece, Raw, Sink, Source, Text, json},
    wire::{
        plan::{Item, Outcome, Said},
        read::{
            Keys,
            keys::{args, placed},
        },
        write::{Writer, single_text},
    },
};

static NO_STATE: Flaw = Flaw::refused("a tool's part must say its state");
static OTHER_STATE: Flaw = Flaw::refused("a tool's part must be in the state of what it holds");
static NO_INPUT: Flaw = Flaw::refused("a dynamic tool's part must say its input, and its output in that state");
static NO_ERROR: Flaw = Flaw::refused("a failed call must say its error as text");

/// The states of a call that waits for the user or for its tool.
const OPEN: [&str; 4] = [STREAMING, INPUT_AVAILABLE, APPROVAL_REQUESTED, APPROVAL_RESPONDED];
/// Every state.
const STATES: [&str; 7] = [OPEN[0], OPEN[1], OPEN[2], OPEN[3], "output-available", "output-error", "output-denied"];
/// The state of a call with complete arguments.
pub(super) const INPUT_AVAILABLE: &str = "input-available";
/// The state of a call whose arguments are not complete.
pub(super) const STREAMING: &str = "input-streaming";
/// The state of a call that waits for the user's approval.
pub(super) const APPROVAL_REQUESTED: &str = "approval-requested";

/// The SDK tells a provider of a denial only if nothing follows. Later, the part must be in the state of a denied call.
static NOT_TOLD: Flaw = Flaw::refused("a denied call that others follow must be in the state of one");

/// Finds the denials that something follows.
pub(super) fn settle<H: Host>(turns: &mut [Turn<H>]) {
    let Some(last) = turns.len().checked_sub(1) else { return };
    for (at, turn) in turns.iter_mut().enumerate() {
        let (input, end) = (turn.input.clone(), turn.parts.len());
        for place in 0..end {
            // Calls of the same step, and their results, may follow.
            let ends = |part: &Part<H>| matches!(part.kind, Kind::Call(_) | Kind::Result(_));
            let followed = at < last || !turn.parts[place + 1..].iter().all(ends);
            let part = &mut turn.parts[place];
            if followed && matches!(part.kind, Kind::Result(_)) && form::is_answered(part, input.as_ref()) {
                part.flaw = Some(&NOT_TOLD);
            }
        }
    }
}

/// What a part holds beside the call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Held {
    Nothing,
    Output,
    Error,
    Denial,
}

/// Reads the call, and its result if there is one. Both have the part as their origin.
pub(super) fn read<S: Source>(
    name: Text<S::H>,
    mut keys: Keys<'_, S>,
    place: Place,
    parts: &mut Parts<S::H>,
) -> Result<(), Error> {
    let element = keys.node;
    let id = keys.needed_text(&k::TOOL_CALL_ID)?;
    // Another value stays among the unknown keys, so that other formats report it as lost.
    keys.pass_words(&k::STATE, &STATES);
    let state = element.get(&k::STATE);
    let state = state.as_ref().and_then(Source::word).unwrap_or_default();
    let says = |key| element.get(key).is_some_and(|value: S| value.kind() != NodeKind::Null);
    let (output, error) = (says(&k::OUTPUT), says(&k::ERROR_TEXT));
    let early = element.get(&k::PRELIMINARY).is_some_and(|mark| mark.bool() == Some(true));
    let approved = element.get(&k::APPROVAL).and_then(|approval| approval.get(&k::APPROVED)?.bool());
    let words = element.get(&k::ERROR_TEXT).and_then(|value: S| value.text());
    let (held, flaw) = match &*state {
        // What a tool says before it is done answers nothing.
        "output-available" if early && !error => (Held::Nothing, None),
        "output-available" if output || !error => (Held::Output, None),
        "output-error" => (Held::Error, words.is_none().then_some(&NO_ERROR)),
        "output-denied" => (Held::Denial, None),
        APPROVAL_RESPONDED if !output && !error && approved == Some(false) => (Held::Denial, None),
        word => {
            let known = OPEN.contains(&word);
            let flaw = if word.is_empty() { &NO_STATE } else { &OTHER_STATE };
            match (error, output) {
                (true, _) => (Held::Error, Some(flaw)),
                (_, true) => (Held::Output, Some(flaw)),
                _ => (Held::Nothing, (!known).then_some(flaw)),
            }
        }
    };
    // Keys that do not fit the state stay unknown keys, so that other formats report them as lost.
    let needed = if &*state == k::OUTPUT_AVAILABLE.name { [&k::INPUT, &k::OUTPUT] } else { [&k::INPUT; 2] };
    let lacks = element.get(&k::TOOL_NAME).is_some() && needed.iter().any(|key| element.get(key).is_none());
    let flaw = flaw
        .or((error && output || held == Held::Denial && (error || output)).then_some(&OTHER_STATE))
        .or((lacks && &*state != STREAMING).then_some(&NO_INPUT));
    let given = keys.take(&k::INPUT).filter(|given| given.kind() != NodeKind::Null);
    let given = match given {
        Some(given) if &*state == STREAMING => incomplete(&given)?,
        Some(given) => args(Some(given))?,
        None if &*state == STREAMING => Args::Text(Text::own("{")),
        None => args(keys.take(&k::RAW_INPUT))?,
    };
    let result = content(held, (output, error), &mut keys)?;
    let call = Call {
        id: id.share(),
        made_up_id: false,
        name,
        args: given,
        custom: false,
        before: None,
        form: None,
        namespace: None,
    };
    let mut made = placed(Kind::Call(call), element, place);
    made.flaw = flaw.or(keys.null_but(&[]));
    made.signed = is_signed(element, &k::CALL_METADATA);
    made.extras = keys.extras();
    parts.push(made);
    if let Some((content, error)) = result {
        let result = ToolResult {
            id,
            made_up_id: false,
            name: None,
            content,
            error,
            synthetic: false,
            custom: false,
            form: None,
        };
        parts.push(placed(Kind::Result(result), element, place));
    }
    Ok(())
}

/// The content of a result, and whether the call failed.
type Answer<H> = (Content<H>, bool);

/// The result of a call, if it has one.
fn content<S: Source>(
    held: Held,
    (output, error): (bool, bool),
    keys: &mut Keys<'_, S>,
) -> Result<Option<Answer<S::H>>, Error> {
    Ok(match held {
        Held::Nothing => None,
        Held::Output => {
            Some((keys.take(&k::OUTPUT).map_or(Content::Absent, |value| value_of(&value, &k::OUTPUT)), false))
        }
        Held::Error if error => {
            let value = keys.needed(&k::ERROR_TEXT)?;
            Some((value_of(&value, &k::ERROR_TEXT), true))
        }
        Held::Error if output => Some((value_of(&keys.needed(&k::OUTPUT)?, &k::OUTPUT), true)),
        Held::Error => {
            let _ = keys.some(&k::ERROR_TEXT);
            Some((Content::Absent, true))
        }
        Held::Denial => {
            let reason = keys.node.get(&k::APPROVAL).and_then(|approval| approval.get(&k::REASON)?.text());
            Some((Content::Text(reason_or_default(reason)), false))
        }
    })
}

/// Text, or a JSON value.
fn value_of<S: Source>(value: &S, key: &'static Key) -> Content<S::H> {
    match value.text() {
        Some(text) => Content::Text(text),
        None => Content::blocks([Part::at(Place::key(key.name), Kind::Json(value.raw()))]),
    }
}

/// Arguments that are still streamed, as the text so far, because even an object that is closed may still continue.
fn incomplete<S: Source>(given: &S) -> Result<Args<S::H>, Error> {
    if let Some(text) = given.text() {
        return Ok(Args::Text(text));
    }
    let mut text = Vec::new();
    if json::compact::raw(&given.raw(), given.input(), Numbers::Spelled, &mut text)? > 0 {
        // Half a character must be seen as one, and reported.
        text.clear();
        json::compact::escaped(&given.raw().to_value(given.input())?, &mut text)?;
    }
    if given.kind() == NodeKind::Map {
        text.pop();
    }
    Ok(Args::Text(Text::own(&String::from_utf8_lossy(&text))))
}

/// Writes a call with its result, if it has one.
pub(super) fn write<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    item: &Item<'_, H>,
    result: Option<&Item<'_, H>>,
) -> Result<(), Error> {
    let Some(Kind::Call(call)) = item.part.map(|part| &part.kind) else { return Ok(()) };
    let form = Form::of(item);
    let is_open = |form: &Form<H>| !form.is_denied() && (form.early || OPEN.iter().any(|state| form.is(state)));
    w.out.scope(item.input);
    if let Said::Origin(raw) = &item.said {
        let is_whole = match result {
            Some(result) => is_as_it_came(w, item, result),
            // A result that was dropped must not come back with its call.
            None => form.as_ref().is_some_and(is_open),
        };
        if is_whole {
            w.out.raw(raw);
            return Ok(());
        }
    }
    let dynamic = form.as_ref().is_some_and(|form| form.dynamic);
    let early = form.as_ref().is_some_and(|form| form.early);
    open(w, dynamic, &call.name);
    w.id(item, &call.id);
    w.out.key(&k::STATE);
    match (result.and_then(outcome_of), result) {
        (Some(outcome), Some(result)) => {
            let denied = form.as_ref().is_some_and(|form| form.denies(outcome.result, result.input));
            let failed = outcome.result.error;
            w.out.literal(match (denied, failed) {
                (true, _) => &k::OUTPUT_DENIED,
                (false, true) => &k::OUTPUT_ERROR,
                (false, false) => &k::OUTPUT_AVAILABLE,
            });
            arguments(w, item, call, failed && !dynamic)?;
            w.result_name_lost(result, outcome.result)?;
            if !denied {
                output(w, outcome)?;
            }
            w.out.scope(item.input);
        }
        _ => without_result(w, item, call, form.filter(is_open))?,
    }
    w.item_options(item, &k::CALL_METADATA);
    if let Some(result) = result {
        w.item_options(result, &k::RESULT_METADATA);
    }
    w.out.scope(item.input);
    w.p.own_key_lost(item, &k::STATE)?;
    if early {
        w.p.own_key_lost(item, &k::OUTPUT)?;
    }
    for (key, value) in item.extras().into_iter().flat_map(|extras| extras.iter()) {
        // Leaves out keys of other states, and another word for the state.
        let others = [k::OUTPUT.name, k::ERROR_TEXT.name, k::STATE.name, k::PRELIMINARY.name];
        if !others[..3 + usize::from(early)].iter().any(|other| key.is(other, item.input)) {
            w.out.key_text(key);
            w.out.raw(value);
        }
    }
    w.out.close();
    Ok(())
}

/// Writes the state and the arguments of a call without a result. `form`: the form of a call that had none from the
/// start.
fn without_result<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    item: &Item<'_, H>,
    call: &Call<H>,
    form: Option<Form<H>>,
) -> Result<(), Error> {
    let state = form.as_ref().filter(|form| !form.early).and_then(|form| form.state.as_deref());
    w.out.pieces(&[Piece::Str(state.unwrap_or(INPUT_AVAILABLE))]);
    let Some(form) = form.filter(|form| form.is(STREAMING)) else { return arguments(w, item, call, false) };
    // Arguments so far may not be JSON yet, and are never changed.
    for (key, value) in form.given {
        w.out.key_text(&key);
        w.out.raw(&Raw::Tree(value));
    }
    Ok(())
}

/// Writes a result whose call is not in this message: the part names the tool, without arguments.
pub(super) fn write_alone<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>) -> Result<(), Error> {
    let Some(outcome) = outcome_of(item) else { return Ok(()) };
    if w.p.links.call_site(item.site).is_some() {
        let reason = "the target keeps a result together with its call, and this call is in another message";
        w.p.losses.changed(Edit::Order, w.p.path_of(item), reason);
    }
    w.out.scope(item.input);
    let name = w.result_name(item, outcome.result);
    open(w, false, &name);
    w.id(item, &outcome.result.id);
    w.out.key(&k::STATE);
    w.out.literal(if outcome.result.error { &k::OUTPUT_ERROR } else { &k::OUTPUT_AVAILABLE });
    output(w, outcome)?;
    w.out.scope(item.input);
    w.item_extras(item);
    w.out.close();
    Ok(())
}

/// Opens a part up to the id of its call.
fn open<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, dynamic: bool, name: &Text<H>) {
    w.out.open_map();
    w.out.key(&k::TYPE);
    if dynamic {
        w.out.literal(&k::DYNAMIC_TOOL);
        w.out.key(&k::TOOL_NAME);
        w.out.text(name);
    } else {
        w.out.pieces(&[Piece::Str("tool-"), Piece::Text(name)]);
    }
    w.out.key(&k::TOOL_CALL_ID);
}

/// Writes the arguments of a call. `raw`: whether they may be any text, under their own key, as in a failed call.
fn arguments<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    item: &Item<'_, H>,
    call: &Call<H>,
    raw: bool,
) -> Result<(), Error> {
    match &call.args {
        Args::Text(text) if raw && !call.custom && call.args.state(item.input) != ArgsState::Object => {
            w.out.key(&k::RAW_INPUT);
            w.out.text(text);
            Ok(())
        }
        _ => {
            w.out.key(&k::INPUT);
            w.args(item, call)
        }
    }
}

/// Writes what a tool returned, or why it failed.
fn output<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, outcome: &Outcome<'_, H>) -> Result<(), Error> {
    let failed = outcome.result.error;
    w.out.key(if failed { &k::ERROR_TEXT } else { &k::OUTPUT });
    match outcome.items.as_slice() {
        [one @ Item { said: Said::Json(raw), .. }] if !failed => {
            w.out.scope(one.input);
            w.out.sound(raw);
            Ok(())
        }
        items => {
            for item in items.iter().filter(|item| matches!(item.said, Said::Json(_))) {
                w.p.losses.changed(Edit::JsonAsText, w.p.path_of(item), "the target says in text why a tool failed");
            }
            single_text::outcome(w, outcome)
        }
    }
}

fn outcome_of<'i, 'a, H: Host>(item: &'i Item<'a, H>) -> Option<&'i Outcome<'a, H>> {
    match &item.said {
        Said::Result(outcome) => Some(outcome),
        _ => None,
    }
}

/// Whether a result is unchanged and still beside its original call.
fn is_as_it_came<H: Host, K: Sink<H>>(w: &Writer<'_, '_, H, K>, call: &Item<'_, H>, result: &Item<'_, H>) -> bool {
    let (Some(asked), Some(given)) = (call.part, result.part) else { return false };
    let of_one = result.own && asked.place == given.place && !given.touched;
    if !of_one || w.p.links.renamed(result.site.0, result.site.1).is_some() {
        return false;
    }
    // A result that moved may have the same place in another message, so the origins are compared.
    match (&asked.origin, &given.origin) {
        (Some(asked), Some(given)) => match (asked.to_value(call.input), given.to_value(result.input)) {
            (Ok(asked), Ok(given)) => asked.same(&given),
            _ => false,
        },
        _ => false,
    }
}
