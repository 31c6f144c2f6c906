//! Reads and writes calls as JSON text: `{"name", "arguments"}`, with the format's own key for the arguments.

use std::sync::Arc;

use super::writer::{INPUT, NO_FREE_TEXT, Writer};
use crate::{
    model::{Args, Call, Kind, Part},
    report::{Edit, Error, Place},
    rules::ArgsForm,
    value::{Host, Raw, Sink, Text, Value, json},
    wire::plan::{
        Item, Said,
        arguments::{ArgsAs, args_as},
    },
};

const NAME: &str = "name";
const TYPE: &str = "type";
const FUNCTION: &str = "function";

/// The calls in a text: one, a list of them, or several with semicolons between. `None` for any other text, such as an
/// answer in JSON. Text is accepted as arguments only if the format itself writes such arguments.
pub(crate) fn read<H: Host>(text: &str, keys: &[&'static str], form: ArgsForm, place: Place) -> Option<Vec<Part<H>>> {
    let text = text.trim_matches([' ', '\t', '\n', '\r']);
    if !text.starts_with(['{', '[']) {
        return None;
    }
    let values = match json::read::value::<H>(text.as_bytes()) {
        Ok(Value::List(items)) if !items.is_empty() => items.iter().map(Value::share).collect(),
        Ok(value) => vec![value],
        Err(_) => split(text).map(|one| json::read::value(one.as_bytes())).collect::<Result<_, _>>().ok()?,
    };
    values.iter().map(|value| call(value, keys, form, place)).collect()
}

/// Splits at semicolons outside of strings and objects.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    text.split(move |letter: char| {
        match letter {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '{' | '[' if !quoted => depth += 1,
            '}' | ']' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        letter == ';' && !quoted && depth == 0
    })
}

/// A call from an object with a name, arguments, perhaps a type, and no other key.
fn call<H: Host>(value: &Value<H>, keys: &[&'static str], form: ArgsForm, place: Place) -> Option<Part<H>> {
    let Value::Map(entries) = value else { return None };
    let (mut name, mut args, mut extras) = (None, None, Vec::new());
    for (key, value) in entries.iter() {
        match (&*key.to_str(None), value) {
            (NAME, Value::Text(text)) => name = Some(text.share()),
            (TYPE, Value::Text(kind)) if kind.is(FUNCTION, None) => {
                extras.push((key.share(), Raw::Tree(value.share())));
            }
            (word, Value::Map(_)) if keys.contains(&word) => args = Some(Args::Value(Raw::Tree(value.share()))),
            (word, Value::Text(text)) if keys.contains(&word) && form == ArgsForm::Either => {
                args = Some(Args::Text(text.share()));
            }
            _ => return None,
        }
    }
    let (name, args) = (name?, args?);
    let call = Call {
        id: Text::own(""),
        made_up_id: true,
        name,
        args,
        custom: false,
        before: None,
        form: None,
        namespace: None,
    };
    let extras = (!extras.is_empty()).then(|| Box::new(extras));
    Some(Part { extras, ..Part::at(place, Kind::Call(call)) })
}

/// Writes calls as JSON text: one as an object, several as a list of them.
pub(crate) fn write<'i, 'a: 'i, H: Host + 'i, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    items: impl IntoIterator<Item = &'i Item<'a, H>>,
    key: &str,
) -> Result<(), Error> {
    let mut calls = Vec::new();
    for item in items {
        if let Said::Call(call) = &item.said {
            calls.push(value(w, item, call, key)?);
        }
    }
    let value = if calls.len() > 1 { Some(Value::List(calls.into())) } else { calls.pop() };
    w.out.raw_as_text(&Raw::Tree(value.unwrap_or(Value::Null)));
    Ok(())
}

/// Writes the empty object and reports the lost arguments.
fn no_arguments<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    item: &Item<'_, H>,
    call: &Call<H>,
) -> Result<Value<H>, Error> {
    w.args_lost(item, call)?;
    Ok(Value::Map(Arc::new([])))
}

/// A call as a value. Arguments that are not a JSON object stay unchanged or are lost, depending on the format.
fn value<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    item: &Item<'_, H>,
    call: &Call<H>,
    key: &str,
) -> Result<Value<H>, Error> {
    let form = args_as(w.p.target.limits, call);
    let args = match &call.args {
        Args::Text(text) if matches!(form, ArgsAs::Wrapped { .. }) => {
            w.p.losses.changed(Edit::Arguments, w.p.path_of(item), NO_FREE_TEXT);
            Value::Map([(Text::own(INPUT.name), Value::Text(w.p.detached(text, item.input)))].into())
        }
        Args::Text(text) if text.is_empty() => Value::Map(Arc::new([])),
        Args::Text(text) => {
            let json = text.wtf8(item.input);
            match json::read::value(&json) {
                Ok(value @ Value::Map(_)) => w.p.counted(value, &json)?,
                _ if matches!(form, ArgsAs::Either | ArgsAs::Free) => Value::Text(w.p.detached(text, item.input)),
                _ => no_arguments(w, item, call)?,
            }
        }
        Args::Value(raw) if raw.is_map(item.input) => w.p.value_of(raw, item.input)?,
        Args::Value(_) => no_arguments(w, item, call)?,
    };
    let mut entries =
        vec![(Text::own(NAME), Value::Text(w.p.detached(&call.name, item.input))), (Text::own(key), args)];
    // With any other key, readers would take the text for an answer in JSON.
    let is_type = |key: &Text<H>, raw: &Raw<H>| {
        key.is(TYPE, item.input) && matches!(raw.to_value(item.input), Ok(Value::Text(kind)) if kind.is(FUNCTION, None))
    };
    for (key, raw) in item.extras().into_iter().flatten() {
        if is_type(key, raw) {
            entries.push((w.p.detached(key, item.input), w.p.value_of(raw, item.input)?));
        } else {
            let path = w.p.path_of(item);
            w.p.extra_lost((key, raw), item.input, &|| path.clone())?;
        }
    }
    Ok(Value::Map(entries.into()))
}
