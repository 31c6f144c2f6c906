//! Writes the calls that are items of their own kind, and their answers.

use super::{super::keys as k, read::SAID};
use crate::{
    model::{Args, Call, Content, Kind, Part, ToolResult},
    report::Error,
    rules::{CallForm, value_rule::member},
    value::{Host, Input, Raw, Sink, Text, Value},
    wire::{
        plan::{Item, Outcome, Said, ShownData},
        write::Writer,
    },
};

/// An entry of an object.
type Entry<H> = (Text<H>, Value<H>);

/// Begins a call; the caller closes it.
pub(crate) fn call<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    item: &Item<'_, H>,
    call: &Call<H>,
    form: CallForm,
) -> Result<(), Error> {
    begin(w, form.call());
    w.out.key(&k::CALL_ID);
    w.id(item, &call.id);
    entries(w, arguments(form, &call.args, (item.input, has(item, CHECKS)))?);
    if item.part.is_none_or(|part| part.origin.is_none()) || !item.own {
        w.out.key(&k::STATUS);
        w.out.literal(&k::COMPLETED);
    }
    Ok(())
}

/// What the user is to confirm before a call of a screen.
const CHECKS: &str = "pending_safety_checks";

/// The keys of a call that hold its arguments. `checked`: whether the item says what the user is to confirm.
pub(crate) fn arguments<H: Host>(
    form: CallForm,
    args: &Args<H>,
    (input, checked): (Option<&Input>, bool),
) -> Result<Vec<Entry<H>>, Error> {
    let given = match args {
        Args::Text(text) => args.value(input).unwrap_or_else(|| Value::Text(text.detach(input))),
        Args::Value(raw) => raw.to_value(input)?,
    };
    let inside = |key: &str| vec![(Text::own(key), given.share())];
    Ok(match (form, &given) {
        (CallForm::LocalShell, Value::Map(action)) => {
            let kind = [(Text::own(k::TYPE.name), Value::Text(Text::own("exec")))];
            let env = member(action, "env").is_none();
            let env = env.then(|| (Text::own("env"), Value::Map([].into())));
            let action = action.iter().map(|(key, value)| (key.share(), value.share()));
            vec![(Text::own("action"), Value::Map(kind.into_iter().chain(action).chain(env).collect()))]
        }
        (CallForm::Shell | CallForm::LocalShell, _) => inside("action"),
        (CallForm::Patch, _) => inside("operation"),
        (CallForm::Screen, Value::Map(actions)) => {
            let checks = (!checked).then(|| (Text::own(CHECKS), Value::List([].into())));
            actions.iter().map(|(key, value)| (key.share(), value.share())).chain(checks).collect()
        }
        _ => {
            let client = (Text::own("execution"), Value::Text(Text::own("client")));
            [client].into_iter().chain(inside(k::ARGUMENTS.name)).collect()
        }
    })
}

/// Whether the item has a key that no reader took.
fn has<H: Host>(item: &Item<'_, H>, name: &str) -> bool {
    item.extras().into_iter().flatten().any(|(key, _)| key.is(name, item.input))
}

/// Begins an answer in the form of its call; the caller closes it. Returns false if it must be a plain one.
pub(crate) fn answer<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    item: &Item<'_, H>,
    outcome: &Outcome<'_, H>,
    form: CallForm,
) -> Result<bool, Error> {
    let result = outcome.result;
    let own = item.part.and_then(|part| part.origin.as_ref()).filter(|_| item.own && result.form == Some(form));
    let own = own.and_then(|origin| origin.to_value(item.input).ok());
    let own = match &own {
        Some(Value::Map(entries)) => Some(&**entries),
        _ => None,
    };
    let said = match form {
        CallForm::Shell => vec![(Text::own(k::OUTPUT.name), shell(w, result, outcome, (item, own))?)],
        CallForm::Patch => {
            let kept = own.and_then(|own| member(own, k::STATUS.name)).map(Value::share);
            let word = if result.error { "failed" } else { "completed" };
            let status = kept.unwrap_or_else(|| Value::Text(Text::own(word)));
            let told = own.is_some() && own.and_then(|own| member(own, k::OUTPUT.name)).is_none();
            let output = (!told).then(|| words(w, outcome)).transpose()?;
            let output = output.map(|words| (Text::own(k::OUTPUT.name), Value::Text(words)));
            [(Text::own(k::STATUS.name), status)].into_iter().chain(output).collect()
        }
        CallForm::Screen => match screen(outcome) {
            Some(screen) => vec![(Text::own(k::OUTPUT.name), screen)],
            None => return Ok(false),
        },
        CallForm::Search if own.is_some() || result.synthetic => {
            let tools = own.and_then(|own| member(own, k::TOOLS.name)).map(Value::share);
            let word = |key: &str, word: &str| (Text::own(key), Value::Text(Text::own(word)));
            let status = (!has(item, k::STATUS.name)).then(|| word(k::STATUS.name, "completed"));
            let tools = (Text::own(k::TOOLS.name), tools.unwrap_or_else(|| Value::List([].into())));
            [word("execution", "client")].into_iter().chain(status).chain([tools]).collect()
        }
        _ => return Ok(false),
    };
    begin(w, form.result());
    w.out.key(&k::CALL_ID);
    w.id(item, &result.id);
    entries(w, said);
    Ok(true)
}

fn begin<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, kind: &str) {
    w.out.open_map();
    w.out.key(&k::TYPE);
    w.out.text(&Text::own(kind));
}

fn entries<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, entries: Vec<Entry<H>>) {
    w.out.scope(None);
    for (key, value) in entries {
        w.out.key_text(&key);
        w.out.raw(&Raw::Tree(value));
    }
}

/// The output of a shell: its own entries with the texts as they are now, or one entry with all of the text.
fn shell<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    result: &ToolResult<H>,
    outcome: &Outcome<'_, H>,
    (item, own): (&Item<'_, H>, Option<&[Entry<H>]>),
) -> Result<Value<H>, Error> {
    // A list with anything else was read as a whole.
    let given = own.and_then(|own| member(own, k::OUTPUT.name)).filter(|given| is_said(given));
    // The marker of a cut stands where a command has said something first.
    let first = given.and_then(|given| if let Value::List(given) = given { first_said(given) } else { None });
    if let Some(Value::List(given)) = given {
        let texts = given.iter().enumerate().map(|(index, entry)| {
            let Value::Map(entry) = entry else { return entry.share() };
            let text = |key: &str| {
                let place = SAID.iter().find(|place| place.ends_with(key)).copied();
                let here = |block: &&Part<H>| block.place.key == place && block.place.index == Some(index as u32);
                let own = match &result.content {
                    Content::Blocks(blocks) => blocks.iter().find(here).and_then(text_of),
                    _ => None,
                };
                let marker = marker(&result.content).filter(|_| first == Some((index, key == "stderr")));
                match (own, marker) {
                    (Some(own), None) | (None, Some(own)) => own.detach(item.input),
                    (Some(own), Some(marker)) => {
                        Text::own(&format!("{}\n{}", own.to_str(item.input), marker.to_str(item.input)))
                    }
                    (None, None) => Text::own(""),
                }
            };
            let member = |(key, value): &Entry<H>| {
                let name = key.to_str(None);
                let value =
                    if matches!(&*name, "stdout" | "stderr") { Value::Text(text(&name)) } else { value.share() };
                (key.share(), value)
            };
            Value::Map(entry.iter().map(member).collect())
        });
        return Ok(Value::List(texts.collect()));
    }
    let said = words(w, outcome)?;
    let (out, err) = if result.error { (Text::own(""), said) } else { (said, Text::own("")) };
    let code = if result.error { "1" } else { "0" };
    let end = [
        (Text::own(k::TYPE.name), Value::Text(Text::own("exit"))),
        (Text::own("exit_code"), Value::Number(code.into())),
    ];
    let entry = [
        (Text::own("stdout"), Value::Text(out)),
        (Text::own("stderr"), Value::Text(err)),
        (Text::own("outcome"), Value::Map(end.into())),
    ];
    Ok(Value::List([Value::Map(entry.into())].into()))
}

/// Whether this is the output of a shell: for each command what it said, and how it ended.
fn is_said<H: Host>(given: &Value<H>) -> bool {
    let is_entry = |entry: &Value<H>| {
        let Value::Map(entry) = entry else { return false };
        let text = |key: &str| matches!(member(entry, key), Some(Value::Text(_)));
        text("stdout") && text("stderr") && matches!(member(entry, "outcome"), Some(Value::Map(_)))
    };
    matches!(given, Value::List(given) if given.iter().all(is_entry))
}

fn text_of<H: Host>(block: &Part<H>) -> Option<&Text<H>> {
    if let Kind::Text(text) = &block.kind { Some(text) } else { None }
}

/// The text of a result that stands for no command: the marker of a cut.
fn marker<H: Host>(content: &Content<H>) -> Option<&Text<H>> {
    match content {
        Content::Text(text) => Some(text),
        Content::Blocks(blocks) => blocks.iter().filter(|block| block.place.key.is_none()).find_map(text_of),
        Content::Absent => None,
    }
}

/// The entry of a shell's output that says something first, and whether it says it on its second channel.
fn first_said<H: Host>(entries: &[Value<H>]) -> Option<(usize, bool)> {
    let says = |entry: &Value<H>, key: &str| match entry {
        Value::Map(entry) => matches!(member(entry, key), Some(Value::Text(text)) if !text.is_empty()),
        _ => false,
    };
    entries.iter().enumerate().find_map(|(at, entry)| {
        let channel = ["stdout", "stderr"].iter().position(|key| says(entry, key))?;
        Some((at, channel == 1))
    })
}

/// All texts of an answer, each on its own line.
fn words<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, outcome: &Outcome<'_, H>) -> Result<Text<H>, Error> {
    let mut lines: Vec<Vec<u8>> = Vec::new();
    for item in &outcome.items {
        match &item.said {
            Said::Json(raw) | Said::JsonText(raw) => lines.push(w.p.json_of(raw, item.input)?.into_bytes()),
            _ => lines.extend(item.words().map(|words| words.wtf8(item.input).into_owned())),
        }
    }
    w.p.text_of(&lines.join(&b"\n"[..]))
}

/// The screenshot in an answer.
fn screen<H: Host>(outcome: &Outcome<'_, H>) -> Option<Value<H>> {
    let kind = (Text::own(k::TYPE.name), Value::Text(Text::own("computer_screenshot")));
    let shown = outcome.items.iter().find_map(|item| match &item.said {
        Said::Media(shown) => Some((&shown.data, item)),
        _ => None,
    });
    let (key, value) = match shown? {
        (ShownData::Url(url, _), item) => ("image_url", url.detach(item.input)),
        (ShownData::File(id), item) => ("file_id", id.detach(item.input)),
        (ShownData::Base64 { mime, data, url, .. }, item) => (
            "image_url",
            match url {
                Some(url) => url.detach(item.input),
                None => Text::own(&format!("data:{mime};base64,{}", data.to_str(item.input))),
            },
        ),
        (ShownData::Plain(_), _) => return None,
    };
    Some(Value::Map([kind, (Text::own(key), Value::Text(value))].into()))
}
