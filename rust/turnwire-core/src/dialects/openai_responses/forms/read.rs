//! Reads the calls that are items of their own kind, and their answers.

use std::borrow::Cow;

use super::super::{
    keys as k,
    read::{id, opaque, unset},
};
use crate::{
    model::{Args, Call, Content, Flaw, Kind, Media, MediaData, Part, Parts, Role, ToolResult, Turn},
    report::{Error, Place, Trail},
    rules::{CallForm, MediaClass, block_rule::without_key},
    value::{Host, Key, NodeKind, Raw, Source, Text, Value, door::keys},
    wire::read::{
        Keys, NULL,
        keys::{args, placed},
    },
};

keys! {
    ACTION = "action";
    ACTIONS = "actions";
    OPERATION = "operation";
    EXECUTION = "execution";
    ENVIRONMENT = "environment";
    STDOUT = "stdout";
    STDERR = "stderr";
    OUTCOME = "outcome";
    EXIT_CODE = "exit_code";
}

/// Where the texts and the end of each command are in the answer of a shell.
pub(super) const SAID: [&str; 3] = ["output.#.stdout", "output.#.stderr", "output.#.outcome"];

static NO_LIST: Flaw = Flaw::refused("the output of a shell is a list of what its commands said");
static NO_OUTPUT: Flaw = Flaw::refused("an output without content");
static NO_TEXT: Flaw = Flaw::refused("the output of this tool is text");

/// Reads an item of one of these kinds. Returns false if the provider runs the tool, so that nobody else answers it.
pub(crate) fn item<S: Source>(kind: &str, element: &S, at: &Trail<'_>, turn: &mut Turn<S::H>) -> Result<bool, Error> {
    let Some(form) = CallForm::ALL.into_iter().find(|form| form.call() == kind || form.result() == kind) else {
        return Ok(false);
    };
    if is_hosted(element, form) {
        return Ok(false);
    }
    let keys = Keys::of(element, at)?;
    if form.call() == kind {
        call(keys, form, turn)?;
    } else {
        output(keys, form, turn)?;
    }
    // As in other items, a key that may be absent is not null.
    for key in unset(kind, element) {
        turn.flaw = turn.flaw.or(Some(&NULL));
        if let Some(part) = turn.parts.first_mut() {
            part.origin = part.origin.as_ref().and_then(|origin| without_key(origin, key, element.input()));
            if let Some(extras) = &mut part.extras {
                extras.retain(|(name, _)| !name.is(key, element.input()));
            }
        }
    }
    Ok(true)
}

/// Whether the provider answers by itself.
fn is_hosted<S: Source>(element: &S, form: CallForm) -> bool {
    let word = |node: &S, key| node.get(key).and_then(|node| node.word().map(Cow::into_owned));
    if form == CallForm::Search {
        let has_id = element.get(&k::CALL_ID).is_some_and(|id| id.kind() == NodeKind::Text);
        return !has_id || word(element, &EXECUTION).as_deref() == Some("server");
    }
    let place = element.get(&ENVIRONMENT).and_then(|place| word(&place, &k::TYPE));
    place.is_some_and(|place| place == "container_reference")
}

/// Whether a call says itself where its tool runs.
pub(crate) fn says_where<S: Source>(element: &S) -> bool {
    element.get(&ENVIRONMENT).is_some_and(|place| place.kind() == NodeKind::Map)
}

fn call<S: Source>(mut keys: Keys<'_, S>, form: CallForm, turn: &mut Turn<S::H>) -> Result<(), Error> {
    turn.role = Role::Assistant;
    keys.pass(&[&k::TYPE]);
    turn.id = id(&mut keys, form.call())?;
    let id = keys.text(&k::CALL_ID)?.unwrap_or_else(|| Text::own(""));
    let args = match form {
        CallForm::Shell => object(keys.some(&ACTION), "")?,
        CallForm::LocalShell => object(keys.some(&ACTION), k::TYPE.name)?,
        CallForm::Patch => object(keys.some(&OPERATION), "")?,
        CallForm::Screen => wrapped([(&ACTIONS, keys.some(&ACTIONS)), (&ACTION, keys.some(&ACTION))])?,
        CallForm::Search => {
            keys.pass_words(&EXECUTION, &["client"]);
            args(keys.some(&k::ARGUMENTS))?
        }
    };
    let element = keys.node.clone();
    let name = Text::own(form.tool());
    let call =
        Call { id, made_up_id: false, name, args, custom: false, before: None, form: Some(form), namespace: None };
    turn.parts.push(Part { extras: keys.extras(), ..placed(Kind::Call(call), &element, Place::default()) });
    Ok(())
}

/// An object as arguments, without its nulls and without one key.
fn object<S: Source>(node: Option<S>, without: &str) -> Result<Args<S::H>, Error> {
    let Some(node) = node.as_ref().filter(|node| node.kind() == NodeKind::Map) else { return args(node) };
    let gone = |key: &Text<S::H>, value: NodeKind| value == NodeKind::Null || key.is(without, node.input());
    if !node.entries().any(|(key, value)| gone(&key, value.kind())) {
        return Ok(Args::Value(node.raw()));
    }
    let Value::Map(entries) = node.raw().to_value(node.input())? else { return args(Some(node.clone())) };
    let left = entries.iter().filter(|(key, value)| !matches!(value, Value::Null) && !key.is(without, None));
    let left = left.map(|(key, value)| (key.share(), value.share())).collect();
    Ok(Args::Value(Raw::Tree(Value::Map(left))))
}

/// Those of these values that are given, as an object.
fn wrapped<S: Source>(given: [(&'static Key, Option<S>); 2]) -> Result<Args<S::H>, Error> {
    let given = given.into_iter().filter_map(|(key, node)| Some((key, node?)));
    let entry = |(key, node): (&Key, S)| Ok((Text::own(key.name), node.raw().to_value(node.input())?));
    let entries = given.map(entry).collect::<Result<Vec<_>, Error>>()?;
    Ok(Args::Value(Raw::Tree(Value::Map(entries.into()))))
}

fn output<S: Source>(mut keys: Keys<'_, S>, form: CallForm, turn: &mut Turn<S::H>) -> Result<(), Error> {
    turn.role = Role::Tool;
    keys.pass(&[&k::TYPE]);
    let mut called = keys.text(&k::CALL_ID)?;
    if form == CallForm::LocalShell {
        // By the SDK's type, its own id is that of its call.
        let own = keys.text(&k::ID)?;
        called = called.or(own);
    } else {
        turn.id = id(&mut keys, form.result())?;
    }
    let id = called.unwrap_or_else(|| Text::own(""));
    let (mut error, mut flaw) = (false, None);
    let content = match form {
        CallForm::Shell => said(keys.some(&k::OUTPUT), &mut flaw),
        CallForm::LocalShell => text(keys.some(&k::OUTPUT), &mut flaw),
        CallForm::Patch => {
            let status = keys.node.get(&k::STATUS).filter(|status| status.kind() == NodeKind::Text);
            error = status.as_ref().and_then(Source::word).as_deref() == Some("failed");
            match (keys.some(&k::OUTPUT), status) {
                (Some(node), status) if node.text().is_none_or(|text| !text.is_empty()) || status.is_none() => {
                    text(Some(node), &mut flaw)
                }
                (_, Some(status)) => {
                    let said = Value::Map([(Text::own(k::STATUS.name), status.raw().to_value(status.input())?)].into());
                    Content::blocks([Part::at(Place::key(k::STATUS.name), Kind::Json(Raw::Tree(said)))])
                }
                _ => Content::Absent,
            }
        }
        CallForm::Screen => screen(keys.some(&k::OUTPUT)),
        CallForm::Search => {
            keys.pass_words(&EXECUTION, &["client"]);
            loaded(keys.some(&k::TOOLS).as_ref())
        }
    };
    if form == CallForm::Patch {
        keys.pass(&[&k::STATUS]);
    }
    turn.flaw = turn.flaw.or(flaw);
    let element = keys.node.clone();
    let result = ToolResult {
        id,
        made_up_id: false,
        name: None,
        content,
        error,
        synthetic: false,
        custom: false,
        form: Some(form),
    };
    turn.parts.push(Part { extras: keys.extras(), ..placed(Kind::Result(result), &element, Place::default()) });
    Ok(())
}

/// A text. Anything else is kept as JSON.
fn text<S: Source>(node: Option<S>, flaw: &mut Option<&'static Flaw>) -> Content<S::H> {
    let Some(node) = node else {
        *flaw = Some(&NO_OUTPUT);
        return Content::Absent;
    };
    if let Some(text) = node.text() {
        return Content::Text(text);
    }
    *flaw = Some(&NO_TEXT);
    Content::blocks([Part::at(Place::key(k::OUTPUT.name), Kind::Json(node.raw()))])
}

/// What the commands of a shell said: the texts, and how each ended, unless one command alone ended well.
fn said<S: Source>(node: Option<S>, flaw: &mut Option<&'static Flaw>) -> Content<S::H> {
    let entry = |entry: &S| {
        let text = |key| entry.get(key).is_some_and(|node| node.kind() == NodeKind::Text);
        text(&STDOUT) && text(&STDERR) && entry.get(&OUTCOME).is_some_and(|end| end.kind() == NodeKind::Map)
    };
    let Some(list) = node.as_ref().filter(|node| node.kind() == NodeKind::List && node.items().all(|one| entry(&one)))
    else {
        let content = text(node, flaw);
        *flaw = Some(&NO_LIST);
        return content;
    };
    let mut parts = Parts::new();
    let ended_well = |end: &S| {
        end.get(&k::TYPE).is_some_and(|kind| kind.word().as_deref() == Some("exit"))
            && end.get(&EXIT_CODE).and_then(|code| code.count()) == Some(0)
    };
    for (index, entry) in list.items().enumerate() {
        let place = |place| Place { key: Some(SAID[place]), index: Some(index as u32) };
        for (at, key) in [&STDOUT, &STDERR].into_iter().enumerate() {
            if let Some(text) = entry.get(key).and_then(|text| text.text()).filter(|text| !text.is_empty()) {
                parts.push(Part::at(place(at), Kind::Text(text)));
            }
        }
        let end = entry.get(&OUTCOME).filter(|end| list.len() > 1 || !ended_well(end));
        parts.extend(end.map(|end| Part::at(place(2), Kind::Json(end.raw()))));
    }
    if parts.is_empty() { Content::Absent } else { Content::blocks(parts) }
}

/// A screenshot.
fn screen<S: Source>(node: Option<S>) -> Content<S::H> {
    let Some(node) = node else { return Content::Absent };
    let text = |key| node.get(key).and_then(|text| text.text());
    let data = match (text(&k::IMAGE_URL), text(&k::FILE_ID)) {
        (Some(url), _) if url.starts_with("data:", node.input()) => MediaData::DataUrl(url),
        (Some(url), _) => MediaData::Url(url),
        (None, Some(id)) => MediaData::File(id),
        (None, None) => {
            return Content::blocks([Part::at(Place::key(k::OUTPUT.name), Kind::Json(node.raw()))]);
        }
    };
    let media = Kind::Media(Media { class: MediaClass::Image, mime: None, data, name: None });
    Content::blocks([Part::at(Place::key(k::OUTPUT.name), media)])
}

/// The names of the tools that a search has found.
fn loaded<S: Source>(tools: Option<&S>) -> Content<S::H> {
    let named = |tool: S| {
        let name = tool.get(&k::NAME).or_else(|| tool.get(&k::TYPE))?;
        name.raw().to_value(tool.input()).ok()
    };
    let found = tools.map_or_else(Vec::new, |tools| tools.items().filter_map(named).collect());
    let said = Value::Map([(Text::own(k::TOOLS.name), Value::List(found.into()))].into());
    Content::blocks([Part::at(Place::key(k::TOOLS.name), Kind::Json(Raw::Tree(said)))])
}

/// Turns a call or an answer into one that the provider has made.
pub(super) fn given_up<H: Host>(turn: &mut Turn<H>, kind: &'static str) {
    let Some(part) = turn.parts.first_mut() else { return };
    part.kind = Kind::Opaque(Text::own(kind));
    (part.extras, turn.id) = (None, None);
    opaque(kind, turn);
}
